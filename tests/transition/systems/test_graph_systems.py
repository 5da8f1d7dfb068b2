"""What is true of every system that builds graphs: its oracles and losses are those of exhaustive search."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deptrees import DependencyGraph
from deptrees.transition import (
    GRAPH_REGISTRY,
    GraphSystem,
    reachable,
    reachable_heads,
)
from deptrees.trees.enumeration import all_graphs
from tests.tiers import slow, variants_slow

SYSTEMS: Any = [system for registered in GRAPH_REGISTRY.values() for system in registered.variants]
Bits = npt.NDArray[np.bool_]


def as_bits(heads: Any) -> list[bool]:
    """Whether there is an arc from each element to each word."""
    return [head in of_word for of_word in heads for head in range(len(heads) + 1)]


def least_losses(cfg: Any, gold: Bits, known: Bits) -> npt.NDArray[np.intp]:
    """The loss against each gold graph, by a comparison with every reachable graph."""
    within_reach = np.array([as_bits(heads) for heads in reachable_heads(cfg)])
    wrong = (within_reach[:, None] != gold) & known
    return wrong.sum(2).min(0)


def compare(system: GraphSystem, graphs: list[DependencyGraph], configurations: Any) -> int:
    """Compare the loss of configurations with the exhaustive one, against every graph."""
    gold = np.array([as_bits(graph.heads) for graph in graphs])
    n = len(graphs[0])
    empty = ~gold.reshape(len(graphs), n, n + 1).any(2) & system.empty_means_unknown
    known = np.repeat(~empty, n + 1, axis=1)
    pairs = 0
    for cfg in configurations:
        found = [cfg.oracles.loss(cfg, graph) for graph in graphs]
        assert found == least_losses(cfg, gold, known).tolist(), cfg
        pairs += len(graphs)
    return pairs


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
@pytest.mark.parametrize("n", [1, 2, slow(3)])
def test_losses_are_exact_for_all_graphs(system: GraphSystem, n: int) -> None:
    compare(system, [*all_graphs(n)], reachable(system, n))
