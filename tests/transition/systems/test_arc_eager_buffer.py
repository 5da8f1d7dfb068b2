from typing import Any

import pytest

from deptrees import DependencyTree
from deptrees.transition import (
    ArcEagerBuffer,
    ArcEagerBufferNonProjective,
    IllegalTransition,
    LeftArc,
    LeftPassingArc,
    Oracle,
    Reduce,
    RightArc,
    RightBufferArc,
    RightPassingArc,
    Shift,
    static_oracle,
)
from tests.transition.configurations import follow, rebuilt

SYSTEM = ArcEagerBufferNonProjective()


def after(*transitions: Any, system: Any = SYSTEM) -> Any:
    return follow(system.initial(["Birds", "can", "sing"]), transitions)


def test_arcs_pass_over_the_front_of_the_buffer() -> None:
    cfg = after(Shift(), LeftPassingArc("nsubj"))
    assert (cfg.stack, cfg.buffer, cfg.heads, cfg.labels) == ((), (2, 3, 0), (3, None, None), ("nsubj", None, None))
    cfg = after(Shift(), RightPassingArc("dep"))
    assert (cfg.stack, cfg.buffer, cfg.heads, cfg.labels) == ((1,), (2, 0), (None, None, 1), (None, None, "dep"))


@pytest.mark.parametrize(
    ("cfg", "transition", "missing"),
    [
        (after(Shift(), system=ArcEagerBuffer()), LeftPassingArc(), "it belongs to this system"),
        (after(Shift()), LeftPassingArc(k=2), "k = 1"),
        (after(), LeftPassingArc(), "s0 exists"),
        (after(), RightPassingArc(), "s0 exists"),
        (after(Shift(), RightArc()), LeftPassingArc(), "s0 has no head"),
        (after(Shift()), Reduce(), "s0 has a head"),
        (after(Shift(), RightBufferArc(), RightArc(), Reduce()), LeftPassingArc(), "b0 ≠ 0"),
        (after(Shift(), RightBufferArc(), RightArc(), Reduce()), RightPassingArc(), "b0 ≠ 0"),
        (after(Shift(), RightBufferArc()), RightPassingArc(), "b1 ≠ 0"),
        (after(Shift(), RightBufferArc()), RightBufferArc(), "b1 ≠ 0"),
        (after(Shift(), RightArc()), LeftArc(), "s0 has no head"),
    ],
)
def test_illegal_transitions_say_what_is_missing(cfg: Any, transition: Any, missing: str) -> None:
    with pytest.raises(IllegalTransition) as error:
        transition(cfg)
    assert str(error.value) == f"{transition!r} requires that {missing}, in {cfg!r}"


@pytest.mark.parametrize(("heads", "can_be_built"), [((2, 0, 1, 2), True), ((2, 0, 1, 3), False)])
def test_an_arc_comes_too_late_for_what_has_a_dependent_on_its_right(heads: Any, can_be_built: bool) -> None:
    tree = DependencyTree(zip(heads, ["Hearing", "scheduled", "on", "it"], strict=True))
    obstacle = SYSTEM.obstacle(tree)
    if can_be_built:
        assert obstacle is None
        assert rebuilt(Oracle(SYSTEM, static_oracle), tree) == heads
    else:
        assert obstacle is not None
        assert obstacle.endswith("would have to pass over more than one word, or its dependent would have to stay")
