"""Easy-first (Goldberg & Elhadad 2010)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import attrs

from deptrees.transition.losses.easy_first import EasyFirstLoss
from deptrees.transition.systems.explicit import AnyKSystem, ExplicitConfiguration
from deptrees.transition.transitions import ArcTransition, LeftArc, RightArc, Transition
from deptrees.trees.tree import Sentence

__all__ = ["EasyFirst", "EasyFirstConfiguration"]


class EasyFirst(AnyKSystem["EasyFirstConfiguration"]):
    """Easy-first (Goldberg & Elhadad 2010): arcs between neighbors, anywhere, from complete dependents only.

    A configuration is a list λ, at first of ROOT and all words, and arcs A. A transition attaches an element of λ to
    its neighbor and removes it from λ. k says which pair of neighbors it joins: λ[k-1] and λ[k], counted from 0, so k
    is 1, 2, 3, ... from left to right.

    =========== ===================================== ============= ==================
    Transition  Precondition                          Arc           Removed from λ
    =========== ===================================== ============= ==================
    LeftArc(k)  λ[k-1] ≠ 0                            λ[k] → λ[k-1] λ[k-1]
    RightArc(k) single root: λ[k-1] ≠ 0 or λ = (0, i) λ[k-1] → λ[k] λ[k]
    =========== ===================================== ============= ==================

    Parsing ends when ROOT is alone in the list, after n transitions. The result is a projective tree, and every
    projective tree can be built. The system is arc-decomposable (Goldberg & Nivre 2013, sections 4.2 and 4.3), and for
    projective gold trees costs are those of section 4.5. For other gold trees, the dynamic oracle finds a best tree
    over λ by Eisner's algorithm. The static oracle attaches the leftmost word that it can.

    A sentence of n words takes n transitions; k is limited by the number of neighbors in λ. Costs take O(n) time if
    the gold tree is projective, and otherwise O(m³) time for all transitions of a configuration, where m is the number
    of elements of λ.

    Args:
        single_root: whether ROOT gets a single dependent.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, nondeterministic_oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> for cfg, transition in Oracle(EasyFirst(), static_oracle)(tree):
    ...     print(cfg.pending, transition)
    (0, 1, 2, 3, 4) LeftArc(k=2)
    (0, 2, 3, 4) LeftArc(k=3)
    (0, 2, 4) RightArc(k=2)
    (0, 2) RightArc()
    >>> nondeterministic_oracle(EasyFirst().initial(tree), tree)
    (LeftArc(k=2), LeftArc(k=4))
    """

    transitions = (LeftArc(), RightArc())
    projective_only = True
    loss = EasyFirstLoss

    def initial(self, source: Sentence) -> EasyFirstConfiguration:
        source = self.tree_of(source)
        n = len(source)
        return EasyFirstConfiguration(self, source, (None,) * n, (None,) * n, tuple(range(n + 1)), (2 << n) - 1)


@attrs.frozen(repr=False)
class EasyFirstConfiguration(ExplicitConfiguration):
    """A configuration (λ, A).

    >>> cfg = LeftArc("nsubj", k=2)(EasyFirst().initial(["Birds", "sing"]))
    >>> cfg.pending, cfg.heads, cfg.labels, cfg.possible_transitions()
    ((0, 2), (2, None), ('nsubj', None), (RightArc(),))
    """

    pending: tuple[int, ...]
    """The list λ: ROOT, and the words that have no head."""
    pending_bits: int = attrs.field(eq=False)
    """The elements of λ as the bits of an integer."""

    @property
    def is_final(self) -> bool:
        return len(self.pending) == 1

    def possible_transitions(self) -> tuple[Transition, ...]:
        return _joining(len(self.pending), self.system.single_root)

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, (LeftArc, RightArc)):
            return "it belongs to this system"
        if not 0 < transition.k < len(self.pending):
            return "λ[k-1] and λ[k] exist"
        if isinstance(transition, LeftArc) and transition.k == 1:
            return "λ[k-1] ≠ 0"
        if self.system.single_root and transition.k == 1 and len(self.pending) > 2 and isinstance(transition, RightArc):
            return "λ[k-1] ≠ 0 or λ = (0, i)"
        return None

    def _after(self, transition: Transition) -> EasyFirstConfiguration:
        assert isinstance(transition, ArcTransition)
        _, dependent = self.arc(transition)
        index, arcs = self.pending.index(dependent), self._attached(transition)
        parts = self.pending[:index] + self.pending[index + 1 :], self.pending_bits ^ 1 << dependent
        return EasyFirstConfiguration(self.system, self.source, *arcs, *parts)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        left, right = self.pending[transition.k - 1 : transition.k + 1]
        return (right, left) if isinstance(transition, LeftArc) else (left, right)

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.pending[:k][::-1], self.pending[k:]

    @property
    def parts(self) -> Mapping[str, object]:
        return {"λ": self.pending}


@lru_cache(maxsize=256)
def _joining(length: int, single_root: bool) -> tuple[Transition, ...]:
    """The transitions that join two neighbors in a list of some length."""
    never = {LeftArc()} if length == 2 or not single_root else {LeftArc(), RightArc()}
    joining = (kind(k=k) for k in range(1, length) for kind in (LeftArc, RightArc))
    return tuple(transition for transition in joining if transition not in never)
