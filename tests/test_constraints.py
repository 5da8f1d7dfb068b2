from random import Random

import numpy as np
import pytest

from deptrees import DependencyTree, Treebank, is_projective
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandardSwap,
    BrokenConstraints,
    Constraints,
    EasyFirst,
    ListBasedNonProjective,
    LRSpines,
    OracleNotDefined,
    System,
    reachable,
    reachable_heads,
)
from tests.configurations import SYSTEMS, words
from tests.treebanks import TREEBANK_FILES

CONSTRAINTS = [
    Constraints(),
    Constraints(heads={1: 0}),
    Constraints(heads={2: 3, 3: 1}),
    Constraints(directions={2: "left"}),
    Constraints(directions={1: "right", 3: "left"}),
    Constraints(directions={1: "left"}),
    Constraints(spans=[(1, 2)]),
    Constraints(spans=[(2, 3)]),
    Constraints(spans=[(1, 3), (2, 3)]),
    Constraints(spans=[(1, 2), (3, 4)]),
    Constraints(spans=[(1, 3), (2, 4)]),
    Constraints(heads={4: 2}, directions={2: "right"}, spans=[(2, 3)]),
    Constraints(heads={1: 3, 2: 4}),
    Constraints(heads={4: 1}, directions={1: "right"}, spans=[(1, 2)]),
]


def meets(heads: tuple[int | None, ...], constraints: Constraints) -> bool:
    """What the constraints mean, in so many words."""
    known = all(heads[word - 1] == head for word, head in constraints.heads)
    for word, direction in constraints.directions:
        head = heads[word - 1]
        known &= head is not None and (head < word if direction == "left" else head > word)
    for first, last in constraints.spans:
        inside = range(first, last + 1)
        known &= sum(heads[word - 1] not in inside for word in inside) == 1
    return known


@pytest.mark.parametrize("system", [*SYSTEMS, EasyFirst()], ids=repr)
@pytest.mark.parametrize("constraints", CONSTRAINTS, ids=lambda constraints: repr(constraints).partition("s")[2])
def test_transitions_are_those_behind_which_the_constraints_can_be_met(
    system: System, constraints: Constraints
) -> None:
    for cfg in reachable(system, 4):
        if cfg.is_final:
            continue
        if any(meets(heads, constraints) for heads in reachable_heads(cfg)):
            assert constraints.transitions(cfg) == tuple(
                transition
                for transition in cfg.possible_transitions()
                if any(meets(heads, constraints) for heads in reachable_heads(transition(cfg)))
            )
        else:
            with pytest.raises(BrokenConstraints):
                constraints.transitions(cfg)


@pytest.mark.parametrize("path", TREEBANK_FILES, ids=lambda path: path.stem)
def test_constrained_parses_of_real_sentences_end_and_obey(path: str) -> None:
    rng = Random(1)
    trees = [tree for tree, _ in zip(Treebank(path), range(200), strict=False) if is_projective(tree)]
    for tree in rng.sample(trees, 20):
        constraints = drawn(tree, rng)
        for system in (ArcEager(), ArcHybrid(root="last")):
            cfg = system.initial(tree)
            while not cfg.is_final:
                cfg = rng.choice(constraints.transitions(cfg))(cfg)
            assert meets(cfg.heads, constraints)


def drawn(tree: DependencyTree, rng: Random) -> Constraints:
    """Some of what is true of a tree."""
    some = [word for word in range(1, len(tree) + 1) if rng.random() < 0.2]
    known = {word: tree.heads[word - 1] for word in some[::2]}
    return Constraints(
        heads={word: head for word, head in known.items() if head is not None},
        directions={word: "left" if (tree.heads[word - 1] or 0) < word else "right" for word in some[1::2]},
        spans=[tree.span(word) for word in some[:3]],
    )


def test_costs_count_the_constraints_that_a_head_breaks() -> None:
    costs = Constraints(heads={1: 2}, directions={1: "right", 2: "left"}, spans=[(1, 2)]).costs(3)
    assert np.array_equal(costs[:, 1], [3, 2, 0, 2, 3])
    assert np.array_equal(costs[:, 2], [1, 0, 1, 2, 2])
    assert not costs[:, [0, 3]].any()


@pytest.mark.parametrize(
    ("constraints", "reason"),
    [
        (Constraints(heads={3: 1}), "speaks of word 3, and the words are 1 to 2"),
        (Constraints(heads={1: 1}), "word 1 cannot have the head 1"),
        (Constraints(directions={0: "left"}), "speaks of word 0"),
        (Constraints(directions={1: "up"}), "must be 'left' or 'right', not 'up'"),
        (Constraints(spans=[(2, 1)]), "cannot begin with word 2 and end with word 1"),
    ],
)
def test_constraints_that_make_no_sense_are_refused(constraints: Constraints, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        constraints.transitions(ArcEager().initial(words(2)))


@pytest.mark.parametrize("system", [LRSpines(), ListBasedNonProjective(), ArcStandardSwap()], ids=repr)
def test_known_heads_are_obeyed_by_systems_that_know_the_costs_of_gold_trees_only(system: System) -> None:
    constraints = Constraints(heads={2: 3, 3: 1})
    for cfg in reachable(system, 3):
        if not cfg.is_final and any(meets(heads, constraints) for heads in reachable_heads(cfg)):
            assert constraints.transitions(cfg) == tuple(
                transition
                for transition in cfg.possible_transitions()
                if any(meets(heads, constraints) for heads in reachable_heads(transition(cfg)))
            )


def test_contradictions_and_other_systems_are_refused() -> None:
    both = Constraints(heads={1: 2}, directions={1: "left"})
    with pytest.raises(BrokenConstraints, match="cannot be met in"):
        both.transitions(ArcEager().initial(words(2)))
    with pytest.raises(BrokenConstraints, match="cannot be met in"):
        Constraints(heads={1: 2, 2: 1}).transitions(ArcEager().initial(words(2)))
    with pytest.raises(OracleNotDefined, match="knows no other constraints than heads"):
        both.transitions(LRSpines().initial(words(2)))


def test_constraints_are_values() -> None:
    assert Constraints(heads={2: 0, 1: 2}) == Constraints(heads={1: 2, 2: 0})
    assert len({Constraints(spans=spans) for spans in ([(1, 2)], [(1, 2)], [(1, 3)])}) == 2
