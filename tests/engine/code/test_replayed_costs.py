"""Costs that the engine asks of the functional layer, where they would take too long to find."""

import numpy as np
import pytest

from deptrees import DependencyTree
from deptrees.engine import Derivations, train
from deptrees.engine.code.replayed_costs import CostReplay
from deptrees.transition import ArcHybridSwap, LossNotFound, Shift
from deptrees.transition.losses.swaps import conflicts

CROSSING = DependencyTree([(5, "What"), (4, "did"), (4, "you"), (0, "talk"), (4, "about")])


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search finds anything."""
    monkeypatch.setattr(conflicts, "_BUDGET", 0)
    monkeypatch.setattr(conflicts, "_SMALL_BUDGET", 0)


def test_estimates_take_their_place_in_training(no_time: None) -> None:
    system = ArcHybridSwap(root="last")
    space = system.transition_space()
    rows = [space.index(Shift())] * 3
    exact, estimated = (CostReplay(system, space, CROSSING, learning=learning) for learning in (False, True))
    for replay in exact, estimated:
        replay.take(rows)
    with pytest.raises(LossNotFound):
        exact.costs()
    cfg, estimate = system.initial(CROSSING), system.oracles.estimated_loss
    for row in rows:
        cfg = space[row](cfg)
    assert estimate is not None
    expected = [estimate.cost(t, cfg, CROSSING) if t.is_possible(cfg) else 0 for t in space]
    assert estimated.costs() == expected


def test_it_is_not_told_whether_a_row_is_free_where_that_takes_too_long(no_time: None) -> None:
    system = ArcHybridSwap(root="last")
    space = system.transition_space()
    replay = CostReplay(system, space, CROSSING, learning=True)
    replay.take([])
    assert replay.is_free(space.index(Shift())) is None


def test_derivations_in_lock_step_tell_estimates_in_training(no_time: None) -> None:
    system = ArcHybridSwap(root="last")
    exact, estimated = (Derivations.open([CROSSING], system, learning=learning) for learning in (False, True))
    replay = CostReplay(system, exact.space.transitions, CROSSING, learning=True)
    replay.take([exact.space.transitions.index(Shift())] * 3)
    for derivations in exact, estimated:
        for _ in range(3):
            derivations.take(derivations.space.columns(Shift()))
    with pytest.raises(LossNotFound):
        exact.costs()
    expected = np.where(estimated.possible(), replay.costs(), -1)
    assert estimated.costs().tolist() == expected.tolist()
    assert estimated.gold().tolist() == (expected == expected[expected >= 0].min()).tolist()


@pytest.mark.parametrize("options", [{}, {"on_sentence": lambda tree: None}], ids=["compiled", "step by step"])
def test_training_goes_on(no_time: None, options: dict[str, object]) -> None:
    model = train([CROSSING] * 3, system=ArcHybridSwap(root="last"), epochs=2, exploration=1.0, **options)  # type: ignore[arg-type]
    assert model.spec.system == ArcHybridSwap(root="last")


def test_training_goes_on_where_no_transition_is_said_to_be_free(monkeypatch: pytest.MonkeyPatch) -> None:
    # Estimates and exact losses may say so together.
    monkeypatch.setattr(CostReplay, "is_free", lambda self, row: False)
    model = train([CROSSING] * 3, system=ArcHybridSwap(root="last"), epochs=2)
    assert model.spec.system == ArcHybridSwap(root="last")
