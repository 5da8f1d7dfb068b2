"""The contexts of LR-spines, compared with table 6.1 of Sartorio 2015."""

from random import Random
from typing import Any

import pytest

from deptrees.features import LR_SPINES, Templates
from deptrees.transition import LeftArc, LRSpines, RightArc, Shift, Transition

WORDS = [f"w{position}" for position in range(1, 9)]
PLACES = {
    LeftArc: ("s2", "s1", "b0", "b0.beyond", "b0.beyond.beyond", "b0.head", "b0.head.head"),
    RightArc: ("s0.beyond", "s0", "b1", "b2", "b3", "s0.head", "s0.head.head"),
}


def table(cfg: Any, transition: Transition) -> list[int]:
    """The words s3, s2, s1, q1, q2, gp and gg; 0 is ROOT, -1 is NONE."""
    k = getattr(transition, "k", 1)
    (l3, _), (l2, r2), (l1, _) = [((-1,), (-1,))] * (3 - len(cfg.spines[-3:])) + [*cfg.spines[-3:]]
    b1, b2 = (*cfg.buffer, -1, -1)[:2]
    if isinstance(transition, LeftArc):
        gp, gg = (l1[k - 2] if k > 1 else -1), (l1[k - 3] if k > 2 else -1)
        q1, q2 = [(b1, b2), (gp, b1), (gp, gg)][min(k, 3) - 1]
        return [l3[0], l2[0], l1[k - 1], q1, q2, gp, gg]
    if isinstance(transition, RightArc):  # with the second tree's spine in gp and gg, where the first one's is printed
        gp, gg = (r2[k - 2] if k > 1 else -1), (r2[k - 3] if k > 2 else -1)
        return [l3[0] if k == 1 else gp, r2[k - 1], l1[0], b1, b2, gp, gg]
    return [l3[0], l2[0], l1[0], b1, b2, -1, -1]


def form(word: int) -> str | None:
    return None if word < 0 else ["ROOT", *WORDS][word]


@pytest.mark.parametrize("seed", range(4))
def test_contexts_are_those_of_the_table(seed: int) -> None:
    rng = Random(seed)
    names = {str(template) for template in LR_SPINES}
    deep = 0
    for _ in range(8):
        cfg: Any = LRSpines().initial(WORDS)
        while not cfg.is_final:
            for transition in cfg.possible_transitions():
                k = getattr(transition, "k", 1)
                expected = [(form(word),) for word in table(cfg, transition)]
                for kind in [type(transition)] if type(transition) in PLACES else PLACES:
                    templates = [f"{place}.form" for place in PLACES[kind]]
                    assert names.issuperset(templates)
                    found = Templates(templates).values(cfg, k=k)
                    assert found[:5] == expected[:5]
                    assert found[5:] == expected[5:] or transition == Shift()
                deep += k > 2
            cfg = rng.choice(cfg.possible_transitions())(cfg)
    assert deep
