"""List-based systems, after Covington's algorithm (Nivre 2008, section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import attrs

from deptrees.transition.losses.list_based import NonProjectiveListLoss, ProjectiveListLoss
from deptrees.transition.systems.explicit import ExplicitConfiguration, ExplicitSystem
from deptrees.transition.systems.lists import ListsConfiguration
from deptrees.transition.transitions import ArcTransition, LeftArc, NoArc, RightArc, Shift, Transition
from deptrees.trees.heads import topmost
from deptrees.trees.tree import DependencyTree, Sentence

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["ListBasedConfiguration", "ListBasedNonProjective", "ListBasedProjective", "ListBasedSystem"]


class ListBasedSystem(ExplicitSystem["ListBasedConfiguration"]):
    """What the two list-based systems have in common: how parsing begins, transitions, the canonical derivation."""

    transitions: ClassVar[tuple[Transition, ...]] = (LeftArc(), RightArc(), NoArc(), Shift())
    leaves_words = True
    prefers_shift = True

    def initial(self, source: Sentence) -> ListBasedConfiguration:
        source = self.tree_of(source)
        n = len(source)
        return ListBasedConfiguration(self, source, (None,) * n, (None,) * n, (0,), 1, 1)

    def preferred(self, cfg: ListBasedConfiguration, tree: DependencyTree) -> Transition | None:
        if cfg.is_final or not cfg.list1:
            return None if cfg.is_final else Shift()
        i, b0 = cfg.list1[-1], cfg.buffer[0]
        if tree.has_arc(b0, i):
            return LeftArc()
        if tree.has_arc(i, b0):
            return RightArc()
        if not (tree.head_bits[b0] | tree.dependent_bits[b0]) & ((1 << i) - 1):
            return Shift()
        # An arc will span i. A word that must have a head for that, and has none in the gold tree, can have b0.
        return NoArc() if cfg.is_possible(NoArc()) else LeftArc()


class ListBasedNonProjective(ListBasedSystem):
    """Covington's algorithm as a transition system (Nivre 2008, section 5): every word meets every word before it.

    A configuration has a buffer β and two lists of the words before it, including ROOT: b0 now meets i, the last of λ1,
    and has already met those in λ2. The system can build every tree, and every forest: a word may remain without a
    head, and ROOT is a possible head like any other. So the system cannot guarantee that ROOT has a single dependent.

    ========== =========================================== ================================== ===============
    Transition Preconditions, besides that i and b0 exist  Arc                                Moves
    ========== =========================================== ================================== ===============
    LeftArc    i ≠ 0, i has no head, no path i →* b0       b0 → i                             i to λ2
    RightArc   b0 has no head, no path b0 →* i             i → b0                             i to λ2
    NoArc                                                                                     i to λ2
    Shift      (i need not exist)                                                             λ2, b0 to λ1
    ========== =========================================== ================================== ===============

    Parsing ends when the buffer is empty. The static oracle shifts as soon as b0 has no more gold arcs to words in λ1.
    The dynamic oracle counts the gold arcs that can no longer be built, and one more for each cycle that the remaining
    ones would form with the arcs in A (Gómez-Rodríguez & Fernández-González 2015).

    A sentence of n words takes between n and n(n + 3)/2 transitions. Costs take O(n²) time here; as published, O(n).

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(3, "Who"), (0, "did"), (2, "see")])
    >>> for cfg, transition in Oracle(ListBasedNonProjective(), static_oracle)(tree):
    ...     print(cfg.list1, cfg.list2, cfg.buffer, transition)
    (0,) () (1, 2, 3) Shift()
    (0, 1) () (2, 3) NoArc()
    (0,) (1,) (2, 3) RightArc()
    () (0, 1) (2, 3) Shift()
    (0, 1, 2) () (3,) RightArc()
    (0, 1) (2,) (3,) LeftArc()
    (0,) (1, 2) (3,) Shift()
    """

    loss = NonProjectiveListLoss


class ListBasedProjective(ListBasedSystem):
    """The projective variant of Covington's algorithm (Nivre 2008, section 5).

    A configuration has a buffer β and two lists of those words before it, including ROOT, that can still be joined with
    words in β: b0 now meets i, the last of λ1, and has already met those in λ2. Words that an arc spans are dropped
    from the lists. A word without a head cannot be spanned, because b0 cannot pass over it.

    ========== =========================================== ============ =====================================
    Transition Preconditions, besides that i and b0 exist  Arc          Moves
    ========== =========================================== ============ =====================================
    LeftArc    i ≠ 0, i has no head                        b0 → i       i and λ2 are dropped
    RightArc                                               i → b0       λ2 is dropped, b0 goes to λ1
    NoArc      i has a head                                             i to λ2
    Shift      (i need not exist)                                       λ2, b0 to λ1
    ========== =========================================== ============ =====================================

    Parsing ends when the buffer is empty. The system builds the projective forests, in which every arc spans only
    descendants of its head, and so all projective trees. A word may remain without a head unless an arc spans it. ROOT
    is before the first word and a possible head like any other, so the system cannot guarantee that it has a single
    dependent.

    The static oracle shifts as soon as b0 has no more gold arcs to words in λ1. For projective gold trees, the dynamic
    oracle counts the gold arcs that can no longer be built, because the rest can be built together; for other trees, it
    finds a best reachable forest by Eisner's algorithm.

    A sentence of n words takes between n and (n + 1)²/4 + n - 1 transitions. Costs take O(n²) time if the gold tree is
    projective, and otherwise O(n³).

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(0, "Eat"), (1, "fish"), (4, "and"), (1, "rice")])
    >>> for cfg, transition in Oracle(ListBasedProjective(), static_oracle)(tree):
    ...     print(cfg.list1, cfg.list2, cfg.buffer, transition)
    (0,) () (1, 2, 3, 4) RightArc()
    (0, 1) () (2, 3, 4) RightArc()
    (0, 1, 2) () (3, 4) Shift()
    (0, 1, 2, 3) () (4,) LeftArc()
    (0, 1, 2) () (4,) NoArc()
    (0, 1) (2,) (4,) RightArc()
    """

    projective_only = True
    loss = ProjectiveListLoss


@attrs.frozen(repr=False)
class ListBasedConfiguration(ListsConfiguration, ExplicitConfiguration):
    """A configuration (λ1, λ2, β, A).

    Configurations share what a transition does not change: passing over a pair of words takes the same time however
    long the sentence.

    >>> cfg = LeftArc("nsubj")(Shift()(ListBasedNonProjective().initial(["Birds", "sing"])))
    >>> cfg.list1, cfg.list2, cfg.buffer, cfg.heads, cfg.labels
    ((0,), (1,), (2,), (2, None), ('nsubj', None))
    """

    _seen: tuple[int, ...]  # both lists, the first before the second
    _split: int
    _front: int

    @property
    def list1(self) -> tuple[int, ...]:
        return self._seen[: self._split]

    @property
    def list2(self) -> tuple[int, ...]:
        return self._seen[self._split :]

    @property
    def _i(self) -> int:
        return self._seen[self._split - 1]

    def can_meet(self, one: int, other: int) -> bool:
        """Whether two elements are in the lists or the buffer, and have not met yet."""
        first, second = (one, other) if one < other else (other, one)
        if first == second or second < self._front:
            return False
        return first >= self._front or first in (self.list1 if second == self._front else self._seen)

    def _missing_between(self, transition: Transition) -> str | None:
        projective = self.system.projective_only
        if not isinstance(transition, ArcTransition):
            no_head = projective and (self._i == 0 or self.heads[self._i - 1] is None)
            return f"{self._i} has a head" if no_head else None
        head, dependent = self.arc(transition)
        if dependent == 0:
            return "i ≠ 0"
        if self.heads[dependent - 1] is not None:
            return f"word {dependent} has no head"
        if not projective and topmost(head, self.heads) == dependent:
            return f"no path leads from {dependent} to {head}"
        return None

    def _after(self, transition: Transition) -> Self:
        attached = isinstance(transition, ArcTransition)
        heads, labels = self._attached(transition) if attached else (self.heads, self.labels)  # type: ignore[arg-type]
        return type(self)(self.system, self.source, heads, labels, *self._moved(transition))

    def _moved(self, transition: Transition) -> tuple[tuple[int, ...], int, int]:
        """Both lists, the length of the first and the front of the buffer after a transition."""
        if isinstance(transition, Shift):
            return (*self._seen, self._front), len(self._seen) + 1, self._front + 1
        if self.system.projective_only and isinstance(transition, LeftArc):
            return self._seen[: self._split - 1], self._split - 1, self._front
        if self.system.projective_only and isinstance(transition, RightArc):
            return (*self.list1, self._front), self._split + 1, self._front + 1
        return self._seen, self._split - 1, self._front
