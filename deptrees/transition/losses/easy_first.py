"""The loss of easy-first.

An arc can be built as long as both of its ends are in the list λ. So the loss is the number of gold arcs that are not
built and have an end outside λ, and of *conflicts*: gold arcs that the best projective tree over λ must do without.
Projective gold trees have none (Goldberg & Nivre 2013, section 4.3); for others Eisner's algorithm counts them.

In λ = (0, 1, 2, 3) with the gold arcs 0 → 2, 1 → 3 and 2 → 1, for example, all arcs have both ends in λ, but 0 → 2 and
1 → 3 cross: the loss is 1.

>>> from deptrees.transition import EasyFirst
>>> tree = DependencyTree([(2, "round"), (0, "and"), (1, "round")])
>>> EasyFirstLoss()(EasyFirst().initial(tree), tree)
1
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.transition.losses.arc_costs import ArcCosts, CostToComeLoss
from deptrees.transition.losses.work import count_chart
from deptrees.transition.transitions import ArcTransition, LeftArc, Transition
from deptrees.trees.eisner import least_projective, least_projective_with
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.easy_first import EasyFirstConfiguration

__all__ = ["EasyFirstLoss"]


@attrs.frozen
class EasyFirstLoss(CostToComeLoss["EasyFirstConfiguration"]):
    """The loss of easy-first, exact for every gold tree."""

    def __call__(self, cfg: EasyFirstConfiguration, tree: DependencyTree) -> int:
        left = cfg.pending_bits
        lost: int = sum(
            gold not in (None, head) and not (head is None and left >> gold & left >> word & 1)
            for word, (head, gold) in enumerate(zip(cfg.heads, tree.heads, strict=True), 1)
        )
        return lost + _conflicts(cfg, tree)

    def cost(self, transition: Any, cfg: EasyFirstConfiguration, tree: DependencyTree) -> int:
        conflicts = _conflicts(cfg, tree)
        if not conflicts:  # what is left of these arcs has none either
            return _lost(cfg, tree, transition)
        index: dict[int | None, int] = {element: index for index, element in enumerate(cfg.pending)}
        gold = (-1, *[index.get(tree.heads[word - 1], -1) for word in cfg.pending[1:]])
        head, dependent = (index[end] for end in cfg.arc(transition))
        return int(_missed_with(gold, cfg.system.single_root)[head, dependent]) - conflicts

    def free(self, cfg: EasyFirstConfiguration, tree: DependencyTree) -> Iterable[Transition]:
        left, core = cfg.pending_bits, _core(cfg, tree)
        conflicts = _missed_in(core, cfg, tree)
        # Without what is not in the core there are as many conflicts: then only what loses nothing costs nothing.
        may_get = [0 if tree.dependent_bits[d] & left else tree.head_bits[d] & left or left for d in cfg.pending]
        joining: Sequence[Any] = cfg.possible_transitions()
        return [
            transition
            for transition in joining
            if may_get[transition.k - isinstance(transition, LeftArc)] >> cfg.arc(transition)[0] & 1
            or (conflicts and cfg.arc(transition)[1] in core and self.cost(transition, cfg, tree) == 0)
        ]

    def cost_to_come(self, cfg: EasyFirstConfiguration, costs: ArcCosts) -> float:
        return float(least_projective(costs[np.ix_(cfg.pending, cfg.pending)], cfg.system.single_root))


def _lost(cfg: EasyFirstConfiguration, tree: DependencyTree, transition: ArcTransition) -> int:
    """How many gold arcs between its dependent and other elements of λ a transition loses: all but the one it adds."""
    head, dependent = cfg.arc(transition)
    arcs = tree.head_bits[dependent] & ~(1 << head) | tree.dependent_bits[dependent]
    return int(arcs & cfg.pending_bits).bit_count()


def _conflicts(cfg: EasyFirstConfiguration, tree: DependencyTree) -> int:
    """How many gold arcs between elements of λ the best projective tree over λ must do without."""
    return _missed_in(_core(cfg, tree), cfg, tree)


def _missed_in(core: list[int], cfg: EasyFirstConfiguration, tree: DependencyTree) -> int:
    """The same for what is left of λ."""
    if len(core) == 1:
        return 0
    index: dict[int | None, int] = {element: index for index, element in enumerate(core)}
    return _missed((-1, *[index.get(tree.heads[word - 1], -1) for word in core[1:]]), cfg.system.single_root)


def _core(cfg: EasyFirstConfiguration, tree: DependencyTree) -> list[int]:
    """What is left of λ when all is removed that can be without losing a gold arc.

    A word without gold dependents in λ can if its gold head is its neighbor or not in λ: what a tree attaches to it can
    as well be attached to its head. A ROOT that gets a single dependent does not count as a neighbor.
    """
    if is_projective(tree) and not cfg.system.single_root:
        return [0]
    core, left, index = list(cfg.pending), cfg.pending_bits, 1
    while index < len(core):
        word = core[index]
        neighbors = 1 << core[index - 1] | (1 << core[index + 1] if index + 1 < len(core) else 0)
        if cfg.system.single_root:
            if len(core) == 2:
                break
            neighbors &= ~1
        if tree.dependent_bits[word] & left or tree.head_bits[word] & left & ~neighbors:
            index += 1
        else:
            del core[index]
            left ^= 1 << word
            index = max(index - 1, 1)
    return core


@lru_cache(maxsize=1 << 14)
def _missed(gold: tuple[int, ...], single_root: bool) -> int:
    """How many gold arcs the best projective tree must do without: for each position its head, -1 if it has none."""
    count_chart(len(gold))
    return int(least_projective(_wrong(gold), single_root))


@lru_cache(maxsize=1 << 8)
def _missed_with(gold: tuple[int, ...], single_root: bool) -> npt.NDArray[np.float64]:
    """The same of the best tree in which an element gets its neighbor, which has no dependents."""
    count_chart(len(gold))
    return least_projective_with(_wrong(gold), single_root).complete


def _wrong(gold: tuple[int, ...]) -> npt.NDArray[np.float64]:
    heads, positions = np.array(gold), np.arange(len(gold))
    return np.asarray((heads >= 0) & (heads != positions[:, None]), np.float64)
