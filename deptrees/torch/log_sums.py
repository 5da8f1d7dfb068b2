"""Sums over all derivations, with gradients: what a conditional random field learns from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from deptrees.inference import chart
from deptrees.inference.deduction import deduction
from deptrees.messages import TooLarge, of_type
from deptrees.transition import Configuration, System
from deptrees.transition.systems.registry import GivenSystem
from deptrees.trees.tree import DependencyTree

__all__ = ["check_lengths", "log_sum"]


def check_lengths(system: System, trees: Iterable[DependencyTree]) -> None:
    """Make sure that sentences are not too long to be learned from.

    Raises:
        TooLarge: one is; the message names it.
    """
    longest = max(trees, key=len)
    try:
        deduction(system).check_length(len(longest), axes=3)
    except TooLarge as error:
        raise TooLarge(f"{longest.name}: {error}") from None


def log_sum(
    start: GivenSystem | Configuration,
    scores: Tensor,
    leave: Tensor | None = None,
    heads: Tensor | None = None,
    *,
    tree: DependencyTree | None = None,
) -> Tensor:
    """The logarithm of the sum of exp(score) over all derivations, as a function that can be differentiated once.

    It is computed on the CPU, in double precision, by `deptrees.inference.chart`, whose marginals are its gradient.

    Args:
        start: a system, or its class or name, or a configuration.
        scores: at [s0, b0, row] the score of a transition.
        leave: if the scores of rows that remove s0 depend on s1, these: at [s1, s0, b0, row].
        heads: at [h, d] the score of a head, if heads have any.
        tree: if it is given, the sum is over those derivations only that end as near to this tree as any; see
            ``Chart.restricted``.

    Returns:
        A scalar, of the type and on the device of ``scores``.

    Raises:
        NoDerivation: in the backward pass: every derivation has the score −∞.
        TypeError: scores are no tensors.
        ChartNotDefined and others: see `deptrees.inference.chart`.

    >>> from deptrees.transition import ArcHybrid
    >>> tree = DependencyTree([(3, "What"), (3, "did"), (0, "talk"), (1, "about")])  # which is not projective
    >>> scores = torch.zeros((6, 6, 3), requires_grad=True)
    >>> loss = log_sum(ArcHybrid(), scores) - log_sum(ArcHybrid(), scores, tree=tree)
    >>> loss.backward()
    >>> round(loss.item(), 3), scores.grad.shape  # of 67 derivations, 2 get as many heads right as any
    (3.512, torch.Size([6, 6, 3]))
    """
    for name, given in {"scores": scores, "leave": leave, "heads": heads}.items():
        of_type(name, given, Tensor if name == "scores" else Tensor | None, "a tensor")
    return _LogSum.apply(start, tree, scores, leave, heads)


class _LogSum(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        start: GivenSystem | Configuration,
        tree: DependencyTree | None,
        scores: Tensor,
        *others: Tensor | None,
    ) -> Tensor:
        arrays: Any = [None if one is None else one.detach().double().cpu().numpy() for one in (scores, *others)]
        found = chart(start, *arrays)
        ctx.chart = found if tree is None else found.restricted(tree)
        return scores.new_tensor(ctx.chart.value())

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        marginals = ctx.chart.marginals()
        return (
            None,
            None,
            *[
                gradient * torch.from_numpy(getattr(marginals, name)).to(gradient) if needs else None
                for name, needs in zip(("scores", "leave", "heads"), ctx.needs_input_grad[2:], strict=True)
            ],
        )
