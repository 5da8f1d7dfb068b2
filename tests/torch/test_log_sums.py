"""Sums over all derivations have the right gradients."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from deptrees import DependencyTree  # noqa: E402
from deptrees.inference import NoDerivation, chart  # noqa: E402
from deptrees.torch import log_sum  # noqa: E402
from deptrees.transition import ArcEager, ArcEagerPartial, ArcHybrid, Shift, StackBufferSystem  # noqa: E402

CROSSING = DependencyTree([(3, "What"), (3, "did"), (0, "talk"), (1, "about")])
PARTIAL = DependencyTree([(None, "What"), (3, "did"), (None, "talk"), (3, "about")])
SYSTEMS = [ArcHybrid(), ArcEager(root="last", single_root=True), ArcEagerPartial()]


def at_random(*shape: int) -> Any:
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1), requires_grad=True)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("tree", [None, CROSSING, PARTIAL])
def test_gradients_are_derivatives(system: StackBufferSystem, tree: DependencyTree | None) -> None:
    rows = len(system.rows)
    for start in (system, Shift()(system.initial(CROSSING))):
        arrays = at_random(6, 6, rows), at_random(6, 6, 1, rows), at_random(6, 5)
        assert torch.autograd.gradcheck(lambda *given: log_sum(start, *given, tree=tree), arrays)  # noqa: B023
        assert torch.autograd.gradcheck(lambda given: log_sum(start, given, tree=tree), arrays[:1])  # noqa: B023


def test_values_are_those_of_the_chart_in_the_type_of_the_scores() -> None:
    scores = at_random(6, 6, 3).detach().float().requires_grad_()
    value: Any = log_sum(ArcHybrid(), scores, tree=CROSSING)
    value.backward()
    found = chart(ArcHybrid(), scores.detach().numpy()).restricted(CROSSING)
    assert value.dtype == scores.grad.dtype == torch.float32
    assert value.item() == pytest.approx(found.value(), abs=1e-5)
    assert scores.grad.numpy() == pytest.approx(found.marginals().scores, abs=1e-6)


def test_where_nothing_is_possible_there_is_no_gradient() -> None:
    scores = torch.full((4, 4, 3), -torch.inf, requires_grad=True)
    value: Any = log_sum(ArcHybrid(), scores)
    assert value.item() == -torch.inf
    with pytest.raises(NoDerivation):
        value.backward()


def test_scores_are_tensors_and_a_system_has_a_name() -> None:
    scores: Any = torch.zeros(5, 5, 3)
    no_tensor: Any = [[0.0]]
    assert log_sum("arc-hybrid", scores).item() == pytest.approx(chart("arc-hybrid", scores.numpy()).value(), abs=1e-5)
    with pytest.raises(TypeError, match="scores is a tensor, not"):
        log_sum("arc-hybrid", scores.numpy())
    with pytest.raises(TypeError, match="heads is a tensor, not"):
        log_sum("arc-hybrid", scores, heads=no_tensor)
