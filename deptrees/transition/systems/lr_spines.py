"""LR-spines (Sartorio, Satta & Nivre 2013): trees that take dependents anywhere on the side they turn to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from deptrees.transition.losses.lr_spines import LRSpinesLoss
from deptrees.transition.systems.explicit import AnyKSystem, ReadingConfiguration
from deptrees.transition.transitions import ArcTransition, LeftArc, RightArc, Shift, Transition
from deptrees.trees.tree import Sentence

__all__ = ["LRSpines", "LRSpinesConfiguration"]

Spine = tuple[int, ...]


class LRSpines(AnyKSystem["LRSpinesConfiguration"]):
    """LR-spines (Sartorio, Satta & Nivre 2013): trees on the stack are attached to nodes on each other's facing spines.

    A configuration is a stack of trees, a buffer β and arcs A. Only the spines of a tree matter: the nodes on its left
    and on its right edge, root first, which can still get dependents. Below, the topmost tree of the stack has the
    spines l1 and r1, the second l2 and r2, and l[..k] are the first k nodes of a spine.

    =========== ========================================================= ============= ============================
    Transition  Preconditions                                             Arc           Spines of the topmost tree
    =========== ========================================================= ============= ============================
    LeftArc(k)  two trees; l2[1] ≠ 0; 1 ≤ k ≤ length of l1                l1[k] → l2[1] l1[..k] + l2, r1
    RightArc(k) two trees; 1 ≤ k ≤ length of r2; single root: r2[k] ≠ 0   r2[k] → r1[1] l2, r2[..k] + r1
                or r2 = (0)
    Shift       β ≠ []                                                                  (b0), (b0), above the others
    =========== ========================================================= ============= ============================

    An arc replaces the topmost two trees by one; nodes of l1 or r2 after the k-th are no longer on an edge. Initially,
    the stack holds ROOT, with the spines (0) and (0), and the buffer all words. Parsing ends when ROOT's tree is alone
    and the buffer is empty. The system builds all projective trees (Sartorio 2015, section 6.1, where the right spine
    after RightArc is misprinted).

    The static oracle attaches a tree as soon as it can get its gold head (table 6.2). The dynamic oracle is exact
    for every gold tree, projective or not, annotated in full or in part. While the gold tree is reachable, it is the
    non-deterministic oracle of table 6.3; after that, it compares losses (see `deptrees.transition.losses.lr_spines`),
    as that of Goldberg, Sartorio & Satta 2014 does for projective gold trees.

    A sentence of n words takes 2n transitions. A loss takes O(n³) time.

    Args:
        single_root: whether ROOT gets a single dependent.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> for cfg, transition in Oracle(LRSpines(), static_oracle)(tree):
    ...     print(cfg.spines[1:], cfg.buffer, transition)
    () (1, 2, 3, 4) Shift()
    (((1,), (1,)),) (2, 3, 4) Shift()
    (((1,), (1,)), ((2,), (2,))) (3, 4) LeftArc()
    (((2, 1), (2,)),) (3, 4) RightArc()
    () (3, 4) Shift()
    (((3,), (3,)),) (4,) Shift()
    (((3,), (3,)), ((4,), (4,))) () LeftArc()
    (((4, 3), (4,)),) () RightArc(k=2)
    """

    transitions = (LeftArc(), RightArc(), Shift())
    projective_only = True
    loss = LRSpinesLoss

    def initial(self, source: Sentence) -> LRSpinesConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return LRSpinesConfiguration(self, source, nothing, nothing, (((0,), (0,)),), 1)


@attrs.frozen(repr=False)
class LRSpinesConfiguration(ReadingConfiguration):
    """A configuration of a stack of trees, a buffer β and arcs A.

    >>> cfg = LRSpines().initial(["saw", "a", "dog"])
    >>> for transition in (Shift(), RightArc("root"), Shift(), Shift(), LeftArc("det")):
    ...     cfg = transition(cfg)
    >>> cfg.spines, cfg.buffer, cfg.arcs
    ((((0,), (0, 1)), ((3, 2), (3,))), (), ((0, 1), (3, 2)))
    >>> cfg.possible_transitions()
    (RightArc(), RightArc(k=2))
    >>> RightArc("obj", k=2)(cfg).spines
    (((0,), (0, 1, 3)),)
    """

    spines: tuple[tuple[Spine, Spine], ...]
    """The left and the right spine of each tree of the stack, the topmost last."""
    front: int
    """The front of the buffer, or one more than there are words."""

    @property
    def is_final(self) -> bool:
        return self.front > len(self.heads) and len(self.spines) == 1

    def possible_transitions(self) -> tuple[Transition, ...]:
        possible: list[Transition] = []
        if len(self.spines) > 1:
            (left_below, right_below), (left, _) = self.spines[-2:]
            if left_below[0] != 0:
                possible += [LeftArc(k=k) for k in range(1, len(left) + 1)]
            first = 2 if self._has_its_dependent(right_below) else 1
            possible += [RightArc(k=k) for k in range(first, len(right_below) + 1)]
        if self.front <= len(self.heads):
            possible.append(Shift())
        return tuple(possible)

    def missing(self, transition: Transition) -> str | None:
        if isinstance(transition, Shift):
            return None if self.front <= len(self.heads) else "the buffer has a word"
        if not isinstance(transition, (LeftArc, RightArc)):
            return "it belongs to this system"
        if len(self.spines) < 2:
            return "there are two trees on the stack"
        (left_below, right_below), (left, _) = self.spines[-2:]
        if isinstance(transition, LeftArc) and left_below[0] == 0:
            return "the dependent is not ROOT"
        if isinstance(transition, RightArc) and transition.k == 1 and self._has_its_dependent(right_below):
            return "the head is not ROOT, which has its dependent"
        facing = left if isinstance(transition, LeftArc) else right_below
        return None if 1 <= transition.k <= len(facing) else f"1 ≤ k ≤ {len(facing)}"

    def _after(self, transition: Transition) -> LRSpinesConfiguration:
        if not isinstance(transition, ArcTransition):
            b0 = (self.front,)
            spines = (*self.spines, (b0, b0))
            return LRSpinesConfiguration(self.system, self.source, self.heads, self.labels, spines, self.front + 1)
        *rest, (left_below, right_below), (left, right) = self.spines
        k = transition.k
        if isinstance(transition, LeftArc):
            merged = left[:k] + left_below, right
        else:
            merged = left_below, right_below[:k] + right
        return LRSpinesConfiguration(self.system, self.source, *self._attached(transition), (*rest, merged), self.front)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        (left_below, right_below), (left, _) = self.spines[-2:]
        if isinstance(transition, LeftArc):
            return left[transition.k - 1], left_below[0]
        return right_below[transition.k - 1], left[0]

    def _has_its_dependent(self, right: Spine) -> bool:
        """Whether a right spine is that of ROOT and ROOT must not have another dependent."""
        return self.system.single_root and right[0] == 0 and len(right) > 1

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        """What stands around the place where transitions with this k work.

        Returns:
            To the left the k-th node of the facing spine of the second tree, then the roots of all trees but the first;
            to the right the same of the first tree, its root, and the buffer. Where a spine is shorter stands -1.
        """
        *below, (left, _) = self.spines
        facing = below[-1][1] if below else ()
        roots = [spine[0] for spine, _ in reversed(below)]
        return (_nth(facing, k), *roots), (_nth(left, k), left[0], *self.buffer)

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.spines, "β": self.buffer}


def _nth(spine: Spine, k: int) -> int:
    return spine[k - 1] if k <= len(spine) else -1
