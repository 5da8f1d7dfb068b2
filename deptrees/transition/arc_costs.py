"""Losses in which each word costs what its head costs, against a gold tree or against anything else that is known."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.stack_buffer import StackBufferConfiguration, StackBufferSystem

__all__ = ["ArcCosts", "LeastCost", "Table", "gold_costs"]

ArcCosts = npt.NDArray[np.float64]
"""An array of shape (n + 2, n + 1): at [h, d] what it costs that the head of word d is h, at [n + 1, d] that it has
none. The column of ROOT, which is no word, is 0."""

Table = Callable[["StackBufferConfiguration"], int]
"""From a configuration to the least cost with which parsing can end."""


def gold_costs(heads: tuple[int | None, ...]) -> ArcCosts:
    """Every word without its gold head costs 1; a word whose gold head is not known costs nothing.

    >>> gold_costs((2, 0, None))[:, 1:].tolist()
    [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]
    """
    gold = np.array([-1, *[-1 if head is None else head for head in heads]])
    costs: ArcCosts = ((np.arange(len(heads) + 2)[:, None] != gold) & (gold >= 0)).astype(np.float64)
    return costs


@attrs.frozen(eq=False)
class LeastCost:
    """The loss of configurations of a system, for which there are tables of least costs.

    Args:
        table: makes the table for some costs and a system.

    >>> from deptrees.transition import ArcEager
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> ArcEager().loss()(ArcEager().initial(tree), tree)
    1
    """

    table: Callable[[ArcCosts, StackBufferSystem], Table]

    def __call__(self, cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
        """How many heads the best tree within reach gets wrong."""
        return _table_of_tree(self, tree.heads, cfg.system)(cfg)


@lru_cache(maxsize=64)
def _table_of_tree(loss: LeastCost, heads: tuple[int | None, ...], system: Any) -> Table:
    return loss.table(gold_costs(heads), system)
