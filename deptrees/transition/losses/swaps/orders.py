"""A sufficient condition for target arcs to be built where words swap: the order of words that is left to be had.

**The problem.** Write down the stack from its bottom to its top, then the buffer. Put all free words with dependents
below ROOT, or below ROOT's single dependent, so that the target arcs make a tree. It can be built without swaps if in
this sequence each subtree stands in one piece. With swaps, the sequence may be sorted into such an order first (Nivre
2009, section 3, sorts it into one of them, the projective order <_G). Which of these orders can still be had?

**What is fixed.**

* A *descending* pair, a later word before an earlier one, stays so: Swap exchanges ascending pairs only.
* Two neighbors on the stack keep their order unless a later word passes the upper one, which then goes back to the
  buffer. Here this counts only where a word of the buffer has to come between the two: all that is above goes back, and
  what is below *stays*.

**The invariant.** The paths from ROOT to two words have a beginning in common, down to their lowest common ancestor,
and *diverge* there into two subtrees (one of which is the ancestor alone, if it is one of the two words). As subtrees
stand in one piece, the order of the two words is the order of the two subtrees. So all that is fixed comes down to
pairs "this dependent's subtree comes before that one's, or before their head", for each head a relation of its own; and
an order exists if, and only if, none of these relations has a cycle.

**What a stack adds.** It is reduced from its top. So among neighbors that stay, those further up must not diverge
closer to ROOT than those below, which would have to be joined before them. If two diverge at a word that is neither of
them, this head comes after both: were it before, the left one would have become its dependent already. In arc-hybrid,
words on the stack become dependents of the element right below or of the buffer's front only; this forbids some more
arcs, see `_lacks_arc_in_hybrid`.

**The algorithm**, `blocking_words`: choose the single root; collect the pairs that are fixed; see which part of the
stack stays; check what the stack adds; sort each relation topologically. It takes time proportional to the number of
descending pairs and the depth of the tree. That it suffices is checked by enumeration. It is not necessary: words may
have to be attached before others can get into order.

**Example.** All words have been turned around, 3 2 1. The subtree of 1, which has 3, diverges from its head 2 both in
the pair 3, 2 and in the pair 2, 1: it has to come before 2, and after 2.

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcStandardSwap, Shift, Swap
>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> tree = DependencyTree([(2, "What"), (0, "happened"), (1, "else")])
>>> start = cfg = ArcStandardSwap().initial(tree)
>>> for transition in (Shift(), Shift(), Swap(), Shift(), Shift(), Swap(), Swap()):
...     cfg = transition(cfg)
>>> cfg.stack, cfg.buffer
((0, 3), (2, 1))
>>> targets = TargetArcs.remaining(cfg, tree.heads)
>>> sorted(blocking_words(cfg, targets, passing=S0)), blocking_words(start, targets, passing=S0)
([1, 2, 3], None)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from operator import eq
from typing import TYPE_CHECKING, NamedTuple

from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.table import B0, S0, Place

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration

__all__ = ["blocking_words", "competing_roots"]


def blocking_words(cfg: StackBufferConfiguration, targets: TargetArcs, passing: Place) -> frozenset[int] | None:
    """``None`` if all target arcs are sure to be reachable, otherwise words whose target arcs may be in conflict.

    Swap lets the word ``passing`` pass the one to the left of it: s0 in arc-standard, b0 in arc-hybrid.
    """
    top = 0
    if cfg.system.has_single_root:
        roots = competing_roots(cfg, targets)
        if len(roots) > 1:
            return frozenset(roots)
        top = roots[0] if roots else _free_root(cfg, targets, passing)
    order = _SubtreeOrder(targets, top)
    counted = [word for word in (*cfg.stack, *cfg.buffer) if word in (0, top) or not targets.is_isolated(word)]
    stack = [word for word in cfg.stack if word in counted]
    neighbors = [order.divergence(*pair) for pair in pairwise(stack)]
    for fixed in (*neighbors, *(order.divergence(*pair) for pair in _descending_pairs(counted))):
        order.put(fixed, fixed.left, fixed.right)
    staying = _staying(neighbors, order, [word for word in cfg.buffer if word in counted])
    first_to_go = neighbors[len(staying)].pair[1] if len(staying) < len(neighbors) else None
    stack_staying = cfg.stack if first_to_go is None else cfg.stack[: cfg.stack.index(first_to_go)]
    if passing == B0 and top in stack_staying[1:]:  # the single root must be the last to leave the stack
        return order.targets_on_paths((top, stack[0]))
    for below, pair in pairwise([*staying[:1], *staying]):
        is_joined_later = len(pair.common) < len(below.common)
        if is_joined_later or (passing == B0 and _lacks_arc_in_hybrid(pair, stack_staying)):
            return order.targets_on_paths((*pair.pair, *below.pair))
    for pair in staying:
        if pair.ancestor not in (pair.left, pair.right):
            order.put(pair, pair.right, pair.ancestor)
    return order.cycle()


def competing_roots(cfg: StackBufferConfiguration, targets: TargetArcs) -> list[int]:
    """The words with a target arc from ROOT, if ROOT gets a single dependent; otherwise none."""
    return [word for word, head in targets.heads.items() if head == 0] if cfg.system.has_single_root else []


def _free_root(cfg: StackBufferConfiguration, targets: TargetArcs, passing: Place) -> int:
    """The free word that can most easily become ROOT's single dependent: one with dependents if there is any."""
    stack = cfg.stack if passing == S0 else cfg.stack[::-1]  # in arc-hybrid, the bottom of the stack is attached last
    free: list[int] = [word for word in (*stack, *cfg.buffer) if word and word not in targets.heads]
    return max(reversed(free), key=targets.dependents.__contains__)


def _descending_pairs(sequence: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The pairs of words of which the later one comes first."""
    latest = 0
    for end, word in enumerate(sequence):
        if 0 < word < latest:
            yield from ((other, word) for other in sequence[:end] if other > word)
        latest = max(latest, word)


def _staying(neighbors: list[_Divergence], order: _SubtreeOrder, buffer: Sequence[int]) -> list[_Divergence]:
    """The pairs of neighbors on the stack, as far up as no word of the buffer has to come between two.

    One has to that belongs to the subtree of the left word that the right one is not in: a descendant of the left word,
    or an ancestor of it.
    """
    unfinished = {ancestor for word in buffer for ancestor in order.path(word)}
    in_buffer = {*buffer}
    for i, pair in enumerate(neighbors):
        left = pair.pair[0]
        own_path = order.path(left)[len(pair.common) :]
        awaited = next((word for word in reversed(own_path) if word in unfinished), None)
        # An ancestor of what is below on the stack comes when that has been attached, which is later.
        comes_later = i > 0 and awaited in neighbors[i - 1].common[:-1]
        if awaited == left or (awaited in in_buffer and not comes_later):
            return neighbors[:i]
    return neighbors


def _lacks_arc_in_hybrid(pair: _Divergence, stack: Sequence[int]) -> bool:
    """Whether two neighbors on the stack need an arc that arc-hybrid lacks there: to the left, or over free words."""
    left, right = pair.pair
    if pair.left != pair.ancestor:
        return pair.ancestor in stack
    return pair.right in stack and stack.index(right) - stack.index(left) > 1


class _Divergence(NamedTuple):
    """Where the paths from ROOT to two words diverge."""

    pair: tuple[int, int]
    """The two words, in the order in which they stand."""
    common: tuple[int, ...]
    """What the paths have in common, from ROOT to the lowest common ancestor."""
    left: int
    """The next word on the path to the first of the pair; the ancestor, if it is that word."""
    right: int
    """The same for the second."""

    @property
    def ancestor(self) -> int:
        """The lowest common ancestor."""
        return self.common[-1]


class _SubtreeOrder:
    """The order of subtrees as far as it is fixed: for each head, of its dependents'. Free words depend on ``top``."""

    def __init__(self, targets: TargetArcs, top: int) -> None:
        self._targets, self._top = targets, top
        self._paths: dict[int, tuple[int, ...]] = {0: (0,)}
        # For each path to a head: from what comes later to all that comes before it, each with a reason.
        self._before: dict[tuple[int, ...], dict[int, dict[int, tuple[int, int]]]] = {}

    def path(self, word: int) -> tuple[int, ...]:
        """The words from ROOT down to a word."""
        unknown = []
        while word not in self._paths:
            unknown.append(word)
            word = self._targets.heads.get(word, self._top if word != self._top else 0)
        path = self._paths[word]
        for word in reversed(unknown):
            path = self._paths[word] = (*path, word)
        return path

    def divergence(self, left: int, right: int) -> _Divergence:
        """Where the paths to two words diverge."""
        left_path, right_path = self.path(left), self.path(right)
        depth = [*map(eq, left_path, right_path), False].index(False)
        common, ancestor = left_path[:depth], left_path[depth - 1]
        return _Divergence((left, right), common, (*left_path, ancestor)[depth], (*right_path, ancestor)[depth])

    def put(self, where: _Divergence, left: int, right: int) -> None:
        """Put one subtree before another where two paths diverge, because of the pair of words that they lead to."""
        self._before.setdefault(where.common, {}).setdefault(right, {}).setdefault(left, where.pair)

    def cycle(self) -> frozenset[int] | None:
        """The target arcs because of which a subtree would have to come before itself; ``None`` if none has to."""
        for before in self._before.values():
            try:
                TopologicalSorter(before).prepare()
            except CycleError as error:
                steps = pairwise(error.args[1])
                return self.targets_on_paths(word for earlier, later in steps for word in before[later][earlier])
        return None

    def targets_on_paths(self, words: Iterable[int]) -> frozenset[int]:
        """The words with target arcs on the paths from ROOT to some words."""
        return frozenset(one for word in words for one in self.path(word) if one in self._targets.heads)
