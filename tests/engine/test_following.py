"""Costs that the engine asks of the functional layer, where they would take too long to find."""

import pytest

from deptrees import DependencyTree
from deptrees.engine import train
from deptrees.engine.following import Following
from deptrees.transition import ArcHybridSwap, LossNotFound
from deptrees.transition.losses import swaps

CROSSING = DependencyTree([(5, "What"), (4, "did"), (4, "you"), (0, "talk"), (4, "about")])


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search finds anything."""
    monkeypatch.setattr(swaps, "_BUDGET", 0)


def test_estimates_take_their_place_where_they_may(no_time: None) -> None:
    system = ArcHybridSwap(root="last")
    space = system.transition_space()
    rows = [space.index(next(t for t in space if type(t).__name__ == "Shift"))] * 3
    exact, estimated = (Following(system, space, CROSSING, estimate=estimate) for estimate in (False, True))
    for following in exact, estimated:
        following.take(rows)
    with pytest.raises(LossNotFound):
        exact.costs()
    cfg, estimate = system.initial(CROSSING), system.oracles.estimated_loss
    for row in rows:
        cfg = space[row](cfg)
    assert estimate is not None
    expected = [estimate.cost(t, cfg, CROSSING) if t.is_possible(cfg) else 0 for t in space]
    assert estimated.costs() == expected
    possible = [row for row, transition in enumerate(space) if transition.is_possible(cfg)]
    with pytest.raises(LossNotFound):
        exact.is_free(possible[0])
    free = [space[row] for row in possible if estimated.is_free(row)]
    assert sorted(free, key=repr) == sorted(estimate.zero_cost(cfg, CROSSING), key=repr)


@pytest.mark.parametrize("options", [{}, {"on_sentence": lambda tree: None}], ids=["compiled", "step by step"])
def test_training_goes_on(no_time: None, options: dict[str, object]) -> None:
    model = train([CROSSING] * 3, ArcHybridSwap(root="last"), epochs=2, exploration=1.0, **options)  # type: ignore[arg-type]
    assert model.shape.system == ArcHybridSwap(root="last")


def test_training_goes_on_where_no_transition_is_said_to_be_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Following, "is_free", lambda self, row: False)  # estimates and exact losses may say so together
    model = train([CROSSING] * 3, ArcHybridSwap(root="last"), epochs=2)
    assert model.shape.system == ArcHybridSwap(root="last")
