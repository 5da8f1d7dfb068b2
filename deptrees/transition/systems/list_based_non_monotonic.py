"""Covington's algorithm with arcs that replace others (Fernández-González & Gómez-Rodríguez 2017)."""

from __future__ import annotations

import attrs

from deptrees.transition.losses.list_based_non_monotonic import ListBasedNonMonotonicLoss, with_arc
from deptrees.transition.systems.list_based import ListBasedConfiguration, ListBasedSystem
from deptrees.transition.transitions import ArcTransition, LeftArc, Transition
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["ListBasedNonMonotonic", "NonMonotonicListConfiguration"]


class ListBasedNonMonotonic(ListBasedSystem):
    """Covington's algorithm, fully non-monotonic (Fernández-González & Gómez-Rodríguez 2017): arcs replace others.

    Configurations are those of ``ListBasedNonProjective``: a buffer β and two lists of the words before it, including
    ROOT. b0 now meets i, the last of λ1, and has already met those in λ2. Any two elements can be joined when they
    meet. The dependent loses the head that it has. Where the arc would close a cycle, its head loses its own head.

    ========== ===================== ====== ========================================== ============
    Transition Preconditions         Arc    Removed                                    Moves
    ========== ===================== ====== ========================================== ============
    LeftArc    i and b0 exist, i ≠ 0 b0 → i the arc to i; if i →* b0, also that to b0  i to λ2
    RightArc   i and b0 exist        i → b0 the arc to b0; if b0 →* i, also that to i  i to λ2
    NoArc      i and b0 exist                                                          i to λ2
    Shift      b0 exists                                                               λ2, b0 to λ1
    ========== ===================== ====== ========================================== ============

    Parsing ends when the buffer is empty. Every tree can be built, and every forest: a word may remain without a head,
    and the system cannot guarantee that ROOT has a single dependent.

    The static oracle is that of Covington's algorithm, where no arc has to be undone first. The dynamic oracle is
    exact for every gold tree, by search (see `deptrees.transition.losses.list_based_non_monotonic`). The paper has
    lower and upper bounds of the loss; whether it can be found in polynomial time is open. Where the gold arcs that can
    still be built are all kept if each is added when its ends meet, which is nearly everywhere, a loss takes O(n²)
    time; in the worst case, the search takes exponential time, and may end in LossNotFound.

    A sentence of n words takes between n and n(n + 3)/2 transitions.

    >>> from deptrees.transition import LeftArc, RightArc, Shift
    >>> cfg = ListBasedNonMonotonic().initial(["round", "and", "round"])
    >>> for transition in (Shift(), RightArc(), Shift(), RightArc(), LeftArc()):
    ...     print(cfg.list1, cfg.list2, cfg.buffer, cfg.arcs, transition)
    ...     cfg = transition(cfg)
    (0,) () (1, 2, 3) () Shift()
    (0, 1) () (2, 3) () RightArc()
    (0,) (1,) (2, 3) ((1, 2),) Shift()
    (0, 1, 2) () (3,) ((1, 2),) RightArc()
    (0, 1) (2,) (3,) ((1, 2), (2, 3)) LeftArc()
    >>> cfg.arcs
    ((3, 1), (1, 2))
    """

    loss = ListBasedNonMonotonicLoss

    def initial(self, source: Sentence) -> NonMonotonicListConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return NonMonotonicListConfiguration(self, source, nothing, nothing, (0,), 1, 1)

    def preferred(self, cfg: ListBasedConfiguration, tree: DependencyTree) -> Transition | None:
        canonical = super().preferred(cfg, tree)
        if canonical is None or all(head in (None, gold) for head, gold in zip(cfg.heads, tree.heads, strict=True)):
            return canonical
        free = self.loss().zero_cost(cfg, tree)
        return canonical if canonical in free else free[0]


@attrs.frozen(repr=False)
class NonMonotonicListConfiguration(ListBasedConfiguration):
    """A configuration (λ1, λ2, β, A), in which arcs can be replaced.

    >>> from deptrees.transition import NoArc, Shift
    >>> cfg = ListBasedNonMonotonic().initial(["Birds", "can", "sing"])
    >>> for transition in (Shift(), LeftArc("nsubj"), Shift(), NoArc(), LeftArc("nsubj")):
    ...     cfg = transition(cfg)
    >>> cfg.list1, cfg.heads, cfg.labels
    ((0,), (3, None, None), ('nsubj', None, None))
    """

    def _missing_between(self, transition: Transition) -> str | None:
        return "i ≠ 0" if isinstance(transition, LeftArc) and self._i == 0 else None

    def _attached(self, transition: ArcTransition) -> tuple[tuple[int | None, ...], tuple[str | None, ...]]:
        head, word = self.arc(transition)
        heads = with_arc(self.heads, head, word)
        labels = [None if head is None else label for head, label in zip(heads, self.labels, strict=True)]
        labels[word - 1] = transition.label
        return heads, tuple(labels)
