"""The list-based systems of Nivre 2008, after Covington 2001: non-projective and projective."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
import numpy as np

from deptrees.transition.configuration import Configuration, Label, Oracles, System, labeled, last_possible
from deptrees.transition.losses.arc_costs import ArcCosts, best_tree, cost_so_far, cost_to_come, gold_costs
from deptrees.transition.transitions import (
    ArcTransition,
    IllegalTransition,
    LeftArc,
    NoArc,
    RightArc,
    Shift,
    Transition,
)
from deptrees.trees.eisner import eisner
from deptrees.trees.projectivity import is_projective
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree, as_tree

if TYPE_CHECKING:
    from typing_extensions import Self

Heads = Sequence[int | None]

__all__ = ["ListBasedConfiguration", "ListBasedNonProjective", "ListBasedProjective", "ListBasedSystem"]


@attrs.frozen
class ListBasedSystem(System):
    """What the two list-based systems have in common: how parsing begins, and the kinds of transitions."""

    configuration: ClassVar[type[ListBasedConfiguration]]

    def initial(self, source: DependencyTree | Iterable[str | Token]) -> ListBasedConfiguration:
        source = as_tree(source)
        n = len(source)
        return self.configuration(source, (0,), 1, 1, (None,) * n, (None,) * n)

    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        space: list[Transition] = []
        for kind in (LeftArc, RightArc):
            space += map(kind, labels) if labels else [kind()]
        return (*space, NoArc(), Shift())


class ListBasedNonProjective(ListBasedSystem):
    """Covington's algorithm as a transition system (Nivre 2008, section 5): every word meets every word before it.

    A configuration has a buffer β and two lists of the words before it, with ROOT: i, the last of λ1, is the one that
    b0 meets now; those in λ2 it has met. In the end every tree can have been built, and every forest: a word may
    remain without a head, and ROOT is a possible head like any other. So it cannot be seen to that ROOT has a single
    child.

    ========== =========================================== ================================== ===============
    Transition Preconditions, beside that i and b0 exist   Arc                                Moves
    ========== =========================================== ================================== ===============
    LeftArc    i ≠ 0, i has no head, no path i →* b0       b0 → i                             i to λ2
    RightArc   b0 has no head, no path b0 →* i             i → b0                             i to λ2
    NoArc                                                                                     i to λ2
    Shift      (i need not exist)                                                             λ2, b0 to λ1
    ========== =========================================== ================================== ===============

    Parsing ends when the buffer is empty. The static oracle shifts as soon as b0 has no more gold arcs to words in λ1.
    The dynamic oracle counts the gold arcs that can no longer be built, and one arc more for each cycle that the rest
    of them would make together with the arcs that are there (Gómez-Rodríguez & Fernández-González 2015).

    A sentence of n words takes between n and n(n + 3)/2 transitions. Costs take O(n²) time.

    >>> from deptrees import DependencyTree
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

    projective_only = False


class ListBasedProjective(ListBasedSystem):
    """The projective variant of Covington's algorithm (Nivre 2008, section 5).

    A configuration has a buffer β and two lists of the words before it that can still be joined with words in β, with
    ROOT: i, the last of λ1, is the one that b0 meets now; those in λ2 it has met. What an arc spans is dropped from
    the lists, and nothing without a head can be spanned, for b0 cannot pass over it.

    ========== =========================================== ============ =====================================
    Transition Preconditions, beside that i and b0 exist   Arc          Moves
    ========== =========================================== ============ =====================================
    LeftArc    i ≠ 0, i has no head                        b0 → i       i and λ2 are dropped
    RightArc                                               i → b0       λ2 is dropped, b0 goes to λ1
    NoArc      i has a head                                             i to λ2
    Shift      (i need not exist)                                       λ2, b0 to λ1
    ========== =========================================== ============ =====================================

    Parsing ends when the buffer is empty. What can have been built are the projective forests: those in which every
    arc spans only descendants of its head. So a word may remain without a head unless an arc spans it; and ROOT,
    which is a possible head like any other, stands before the first word. Among them are all projective trees. That
    ROOT has a single child cannot be seen to.

    The static oracle shifts as soon as b0 has no more gold arcs to words in λ1. With projective gold trees the dynamic
    oracle counts the gold arcs that can no longer be built, for the rest can be built together; for other trees it
    asks Eisner's algorithm for the best forest within reach.

    A sentence of n words takes between n and (n + 1)²/4 + n - 1 transitions. Costs take O(n²) time if the gold tree is
    projective, and otherwise O(n³).

    >>> from deptrees import DependencyTree
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


@attrs.frozen(repr=False)
class ListBasedConfiguration(Configuration):
    """A configuration (λ1, λ2, β, A).

    Configurations share what a transition does not change: passing over a pair of words takes the same time however
    long the sentence.

    >>> cfg = LeftArc("nsubj")(Shift()(ListBasedNonProjective().initial(["Birds", "sing"])))
    >>> cfg.list1, cfg.list2, cfg.buffer, cfg.heads, cfg.labels
    ((0,), (1,), (2,), (2, None), ('nsubj', None))
    """

    source: DependencyTree = attrs.field(eq=attrgetter("words"), hash=False)
    _seen: tuple[int, ...]  # both lists, the first before the second
    _split: int  # how many of them are in the first
    _front: int  # b0, or one more than there are words
    heads: tuple[int | None, ...]
    labels: tuple[Any, ...]

    @property
    def list1(self) -> tuple[int, ...]:
        """The list λ1 of what b0 has not met yet, what it meets now last."""
        return self._seen[: self._split]

    @property
    def list2(self) -> tuple[int, ...]:
        """The list λ2 of what b0 has met, in the order of the sentence."""
        return self._seen[self._split :]

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return tuple(range(self._front, len(self.source) + 1))

    @property
    def is_final(self) -> bool:
        return self._front > len(self.source)

    def possible_transitions(self) -> tuple[Transition, ...]:
        return tuple([transition for transition in _TRANSITIONS if not self._missing(transition)])

    def take(self, transition: Transition) -> Self:
        if missing := self._missing(transition):
            raise IllegalTransition(f"{transition!r} needs {missing} in {self!r}")
        heads, labels = self.heads, self.labels
        if isinstance(transition, ArcTransition):
            head, dependent = self._arc(transition)
            heads = (*heads[: dependent - 1], head, *heads[dependent:])
            labels = (*labels[: dependent - 1], transition.label, *labels[dependent:])
        return type(self)(self.source, *self._moved(transition), heads, labels)

    def allows(self, transition: Transition) -> bool:
        return not self._missing(transition)

    def dependent(self, transition: Transition) -> int | None:
        return self._arc(transition)[1] if isinstance(transition, ArcTransition) else None

    def neighbours(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.list1[::-1], self.buffer

    def _arc(self, transition: ArcTransition) -> tuple[int, int]:
        """The head and the dependent that a possible transition joins."""
        i, b0 = self._seen[self._split - 1], self._front
        return (b0, i) if isinstance(transition, LeftArc) else (i, b0)

    def _missing(self, transition: Transition) -> str | None:
        """The precondition of a transition that does not hold; ``None`` if all do."""
        if not isinstance(transition, LeftArc | RightArc | NoArc | Shift):
            return "to be a transition of this system"
        if self.is_final:
            return "β ≠ []"
        if isinstance(transition, Shift):
            return None
        if self._split == 0:
            return "λ1 ≠ []"
        if isinstance(transition, NoArc):
            return None
        if transition.k != 1:
            return "k = 1"
        dependent = self._arc(transition)[1]
        if dependent == 0:
            return "i ≠ 0"
        if self.heads[dependent - 1] is not None:
            return f"word {dependent} to have no head"
        return None

    def _moved(self, transition: Transition) -> tuple[tuple[int, ...], int, int]:
        """Both lists, the length of the first and the front of the buffer behind a transition."""
        if isinstance(transition, Shift):
            return (*self._seen, self._front), len(self._seen) + 1, self._front + 1
        return self._seen, self._split - 1, self._front

    def _conflicts(self, tree: DependencyTree, aims: Heads) -> int:
        """How many gold arcs, each of which can be built, must be given up for the others.

        Args:
            tree: the gold tree.
            aims: for each word the head it has, or its gold head if that can be built.
        """
        raise NotImplementedError

    def least_cost(self, costs: ArcCosts) -> int:
        """The least cost with which parsing can end."""
        raise NotImplementedError

    def _can_meet(self, one: int, other: int) -> bool:
        """Whether two elements are in the lists or the buffer, and have not met yet."""
        first, second = sorted((one, other))
        if first == second or second < self._front:
            return False
        return first >= self._front or first in (self.list1 if second == self._front else self._seen)

    def __repr__(self) -> str:
        arcs = ", ".join(f"{head} → {dependent}" for head, dependent in self.arcs)
        return f"{self.system!r}: λ1 = {self.list1}, λ2 = {self.list2}, β = {self.buffer}, A = ({arcs})"


_TRANSITIONS = (LeftArc(), RightArc(), NoArc(), Shift())


@attrs.frozen(repr=False)
class _NonProjective(ListBasedConfiguration):
    system = ListBasedNonProjective()

    def _missing(self, transition: Transition) -> str | None:
        missing = super()._missing(transition)
        if missing or not isinstance(transition, ArcTransition):
            return missing
        head, dependent = self._arc(transition)
        ancestor: int | None = head
        while ancestor and ancestor != dependent:
            ancestor = self.heads[ancestor - 1]
        return f"that no path leads from {dependent} to {head}" if ancestor == dependent else None

    def _conflicts(self, tree: DependencyTree, aims: Heads) -> int:
        # The cycles are disjoint, as every word has one head; and one arc less breaks a cycle.
        cycles, reached_from = 0, [0] * (len(aims) + 1)
        for start in range(1, len(aims) + 1):
            ancestor: int | None = start
            while ancestor and not reached_from[ancestor]:
                reached_from[ancestor] = start
                ancestor = aims[ancestor - 1]
            if ancestor and reached_from[ancestor] == start:
                cycles += 1
        return cycles

    def least_cost(self, costs: ArcCosts) -> int:
        elements = range(len(self.source) + 1)
        best = best_tree(
            self, costs, lambda word: [None, *(other for other in elements if self._can_meet(other, word))]
        )
        return cost_so_far(self, costs) + cost_to_come(self, best, costs)


@attrs.frozen(repr=False)
class _Projective(ListBasedConfiguration):
    system = ListBasedProjective()

    def _missing(self, transition: Transition) -> str | None:
        missing = super()._missing(transition)
        if missing is None and isinstance(transition, NoArc):
            i = self._seen[self._split - 1]
            if i == 0 or self.heads[i - 1] is None:
                return f"{i} to have a head"
        return missing

    def _moved(self, transition: Transition) -> tuple[tuple[int, ...], int, int]:
        if isinstance(transition, LeftArc):
            return self._seen[: self._split - 1], self._split - 1, self._front
        if isinstance(transition, RightArc):
            return (*self.list1, self._front), self._split + 1, self._front + 1
        return super()._moved(transition)

    def _conflicts(self, tree: DependencyTree, aims: Heads) -> int:
        if is_projective(tree):
            return 0
        return self.least_cost(gold_costs(tuple(aims)))

    def least_cost(self, costs: ArcCosts) -> int:
        # The best forest is the best tree with one more root, -1, before ROOT: the head of all that have no other.
        elements = np.array([-1, *self._seen, *self.buffer])
        arcs = costs[np.ix_(elements, elements)]
        end = 1 + len(self._seen)
        lists, list2, b0 = slice(1, end), slice(1 + self._split, end), slice(end, end + 1)
        arcs[lists, lists] = arcs[list2, b0] = arcs[b0, list2] = np.inf
        heads = np.array([-1, *[_HEADLESS if head is None else head for head in self.heads]])[elements]
        arcs = np.where(heads == _HEADLESS, arcs, np.where(heads == elements[:, None], 0.0, np.inf))
        return cost_so_far(self, costs) + int(eisner(arcs).minimum)


_HEADLESS = -2


def _static(cfg: ListBasedConfiguration, tree: DependencyTree, label: Label) -> Transition:
    transition = _preferred(cfg, tree)
    if transition is not None and cfg.allows(transition):
        return labeled(transition, cfg, tree, label)
    return last_possible(cfg, tree, label)


def _preferred(cfg: ListBasedConfiguration, tree: DependencyTree) -> Transition | None:
    """The canonical transition towards the tree; ``None`` if it is Shift."""
    if cfg.is_final or not cfg.list1:
        return None
    i, b0 = cfg.list1[-1], cfg._front
    if tree.has_arc(b0, i):
        return LeftArc()
    if tree.has_arc(i, b0):
        return RightArc()
    if not (tree.head_bits[b0] | tree.dependent_bits[b0]) & ((1 << i) - 1):
        return None
    # An arc will span i. What must have a head for that and has none in the gold tree can have b0.
    return NoArc() if cfg.allows(NoArc()) else LeftArc()


def _dynamic(cfg: ListBasedConfiguration, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
    losses = {transition: _loss(transition(cfg), tree) for transition in cfg.possible_transitions()}
    free = [transition for transition in losses if losses[transition] == min(losses.values())]
    return tuple([labeled(transition, cfg, tree, label) for transition in free])


def _cost(cfg: ListBasedConfiguration, tree: DependencyTree, transition: Transition) -> int:
    return _loss(transition(cfg), tree) - _loss(cfg, tree)


def _loss(cfg: ListBasedConfiguration, tree: DependencyTree) -> int:
    aims = _aims(cfg, tree)
    missed = sum(gold is not None and gold != aim for gold, aim in zip(tree.heads, aims, strict=True))
    return missed + cfg._conflicts(tree, aims)


def _aims(cfg: ListBasedConfiguration, tree: DependencyTree) -> Heads:
    """For each word its head; if it has none, its gold head, unless that arc can no longer be built."""
    return [
        gold if head is None and gold is not None and cfg._can_meet(gold, word) else head
        for word, (head, gold) in enumerate(zip(cfg.heads, tree.heads, strict=True), 1)
    ]


def _least_cost(costs: ArcCosts, system: ListBasedSystem) -> Callable[[ListBasedConfiguration], int]:
    return lambda cfg: cfg.least_cost(costs)


ListBasedNonProjective.configuration = _NonProjective
ListBasedProjective.configuration = _Projective
ListBasedConfiguration.oracles = Oracles(
    static=_static,
    static_prefer_shift=_static,
    nondeterministic=_dynamic,
    dynamic=_dynamic,
    cost=_cost,
    least_cost=_least_cost,
    any_tree=True,
)
