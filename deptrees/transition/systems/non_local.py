"""Covington's algorithm with arcs over any distance (Fernández-González & Gómez-Rodríguez 2018b)."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from deptrees.transition.losses.list_based import NonProjectiveListLoss
from deptrees.transition.systems.list_based import ListBasedConfiguration, ListBasedSystem
from deptrees.transition.transitions import ArcTransition, LeftArc, NoArc, RightArc, Shift, Transition
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["ListBasedNonLocal", "NonLocalConfiguration"]


class ListBasedNonLocal(ListBasedSystem):
    """Covington's algorithm with non-local transitions (Fernández-González & Gómez-Rodríguez 2018b).

    Configurations are those of ``ListBasedNonProjective``: a buffer β and two lists of the words before it, including
    ROOT, of which b0 has met those in λ2. LeftArc and RightArc with k connect b0 and i, the k-th element of λ1 from its
    end. So they do the work of k - 1 times NoArc and an arc, and there is no NoArc.

    =========== =========================================== ====== ======================================
    Transition  Preconditions, besides that i and b0 exist  Arc    Moves
    =========== =========================================== ====== ======================================
    LeftArc(k)  i ≠ 0, i has no head, no path i →* b0       b0 → i i and what is after it in λ1 to λ2
    RightArc(k) b0 has no head, no path b0 →* i             i → b0 i and what is after it in λ1 to λ2
    Shift       (i need not exist)                                 λ2, b0 to λ1
    =========== =========================================== ====== ======================================

    Parsing ends when the buffer is empty. As in Covington's algorithm, every tree can be built, and every forest: a
    word may remain without a head, and the system cannot guarantee that ROOT has a single dependent. Each forest is
    built in exactly one way. The dynamic oracle is that of Covington's algorithm, for the same forests are within
    reach.

    A sentence of n words takes n transitions and one for each word with a head, so at most 2n. A cost takes O(n) time,
    and there are O(n) possible transitions.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(3, "Who"), (0, "did"), (2, "see")])
    >>> for cfg, transition in Oracle(ListBasedNonLocal(), static_oracle)(tree):
    ...     print(cfg.list1, cfg.list2, cfg.buffer, transition)
    (0,) () (1, 2, 3) Shift()
    (0, 1) () (2, 3) RightArc(k=2)
    () (0, 1) (2, 3) Shift()
    (0, 1, 2) () (3,) RightArc()
    (0, 1) (2,) (3,) LeftArc()
    (0,) (1, 2) (3,) Shift()
    """

    transitions = (LeftArc(), RightArc(), Shift())
    prefers_shift = False
    loss = NonProjectiveListLoss

    @property
    def has_any_k(self) -> bool:
        return True

    def initial(self, source: Sentence) -> NonLocalConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return NonLocalConfiguration(self, source, nothing, nothing, (0,), 1, 1)

    def preferred(self, cfg: ListBasedConfiguration, tree: DependencyTree) -> Transition | None:
        if cfg.is_final:
            return None
        b0 = cfg.buffer[0]
        joined = (tree.head_bits[b0] | tree.dependent_bits[b0]) & ((1 << len(cfg.list1)) - 1)
        if not joined:
            return Shift()
        i = joined.bit_length() - 1
        k = len(cfg.list1) - i
        return LeftArc(k=k) if tree.has_arc(b0, i) else RightArc(k=k)


@attrs.frozen(repr=False)
class NonLocalConfiguration(ListBasedConfiguration):
    """A configuration (λ1, λ2, β, A), in which λ1 and λ2 together are all elements before the buffer.

    >>> cfg = Shift()(Shift()(ListBasedNonLocal().initial(["Birds", "can", "sing"])))
    >>> cfg.list1, cfg.possible_transitions()
    ((0, 1, 2), (LeftArc(), LeftArc(k=2), RightArc(), RightArc(k=2), RightArc(k=3), Shift()))
    """

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.list1[::-1][k - 1 :], self.buffer

    def can_meet(self, one: int, other: int) -> bool:
        first, second = (one, other) if one < other else (other, one)
        return first != second and (second > self._front or (second == self._front and first < self._split))

    def possible_transitions(self) -> tuple[Transition, ...]:
        ks = range(1, self._split + 1)
        every = *[LeftArc(k=k) for k in ks], *[RightArc(k=k) for k in ks], Shift()
        return tuple([transition for transition in every if self.missing(transition) is None])

    def missing(self, transition: Transition) -> str | None:
        return "it belongs to this system" if isinstance(transition, NoArc) else super().missing(transition)

    @property
    def _greatest_k(self) -> int:
        return self._split

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        i = self._split - transition.k
        return (self._front, i) if isinstance(transition, LeftArc) else (i, self._front)

    def _moved(self, transition: Transition) -> tuple[tuple[int, ...], int, int]:
        if isinstance(transition, ArcTransition):
            return self._seen, self._split - transition.k, self._front
        return super()._moved(transition)
