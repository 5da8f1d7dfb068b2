"""Which gold arcs can still be built together in a system that swaps words.

Two words can change places once: when the later one has passed the earlier, their order is fixed for as long as both
are in play. In the buffer, all words are free to do so. On the stack it takes a word to the right of them that is later
than they are, and passes them one by one: each then goes back to the buffer.

This is a puzzle for which no fast method is known, so it is tried. Mostly it is easy:

- All arcs can be built if there is an order of the words that leaves the stack in order (`_fault`). This is all that
  estimates of losses ask for.
- If there is none, a search looks for a configuration in which there is. Safe arcs leave it little to choose from.
- Where an order cannot be had, there are words that are at fault. If these clash even where all neighbours may change
  places (`_never_in_line`), nothing needs to be searched; if not, they are the first to be searched alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any, NamedTuple

from deptrees.transition.losses.conflicts import Aims, FindClash, minimal_clash, safe_arcs
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.table import B0, S0, Place
from deptrees.transition.transitions import LeftArc, Shift, Swap
from deptrees.trees.heads import heads_are_projective

__all__ = ["sure_clashes", "swap_clashes"]

# How much is tried: configurations in a search that swaps whatever it can, in one that swaps for a reason, and in one
# that is given up afterwards; orders of words in a clash, and of those that one configuration finds at fault.
_FIRST_TRY, _SECOND_TRY, _LAST_TRY = 40, 200, 2_000
_ORDERS, _FEW_ORDERS = 5_000, 500
_MAX_FAULTS, _MAX_FAULT = 12, 9


def swap_clashes(mover: Place) -> FindClash:
    """The function that finds clashes in a system that swaps words.

    It raises LossNotFound rather than to search for ever.

    Args:
        mover: where the word stands that passes those right below it on the stack: s0 or b0.
    """
    return lambda cfg, aims: _Puzzle(cfg, aims, mover).clash()


def sure_clashes(mover: Place) -> FindClash:
    """A function that finds no clash only where all arcs are sure to be within reach.

    Args:
        mover: where the word stands that passes those right below it on the stack: s0 or b0.
    """

    def find_clash(cfg: Any, aims: Aims) -> Callable[[], frozenset[int]] | None:
        if _is_sure(cfg, aims, mover):
            return None
        return lambda: minimal_clash(aims.heads, lambda words: not _is_sure(cfg, aims.of(words), mover))

    return find_clash


def _is_sure(cfg: Any, aims: Aims, mover: Place) -> bool:
    """Whether all aims are sure to be within reach, at once or when the mover has passed some words on the stack."""
    while not cfg.is_final and _fault(cfg, aims, mover) is not None:
        if mover == B0 or not Swap().is_possible(cfg):
            return False
        cfg = Swap()(cfg)
    return True


class _Puzzle:
    """A configuration, and gold arcs that are to be built from there."""

    def __init__(self, cfg: Any, aims: Aims, mover: Place) -> None:
        self._cfg = cfg
        self._aims = aims
        self._mover = mover
        self._faults: list[frozenset[int]] = []
        self._subtrees: dict[int, tuple[int, ...]] = {}

    def clash(self) -> Callable[[], frozenset[int]] | None:
        """``None`` if no aims clash, otherwise a function that says which."""
        rivals = _rivals(self._cfg, self._aims)
        if len(rivals) > 1:
            return lambda: frozenset(rivals[:2])
        if self._can_build(_SECOND_TRY):
            return None
        words: frozenset[int] = frozenset()
        while words != self._aims.heads.keys():
            words |= self._next_to_suspect(words)
            if self._known_to_clash(words):
                return partial(minimal_clash, words, self._known_to_clash)
        if self._can_build(_LAST_TRY):
            return None
        raise LossNotFound(
            f"{_LAST_TRY} configurations were not enough to find the loss of {self._cfg!r}: "
            "use approximate_dynamic_oracle, or a static oracle"
        )

    def _next_to_suspect(self, words: frozenset[int]) -> frozenset[int]:
        """The next words that may belong to a clash: some that were at fault, or else the nearest to those before."""
        for fault in sorted(self._faults, key=len):
            if not fault <= words:
                return fault
        others = sorted(self._aims.heads.keys() - words)
        others.sort(key=lambda word: min((abs(word - one) for one in words), default=0))
        return frozenset(others[: max(1, len(words) // 2)])

    def _known_to_clash(self, words: Iterable[int]) -> bool:
        aims = self._aims.of(words)
        alone = _Puzzle(self._cfg, aims, self._mover)
        return _never_in_line(self._cfg, aims, _ORDERS) or alone._can_build(_LAST_TRY) is False

    def _can_build(self, effort: int) -> bool | None:
        """Whether all aims can be reached; ``None`` if the search was too short to tell."""
        answer = self._search(_FIRST_TRY, for_a_reason=False)
        return self._search(effort, for_a_reason=True) if answer is None else answer

    def _search(self, effort: int, *, for_a_reason: bool) -> bool | None:
        """Search depth first: always Swap first, or only where there is a reason to."""
        todo, seen = [self._cfg], set()
        while todo:
            cfg = todo.pop()
            if (key := (cfg.stack, cfg.buffer)) in seen:
                continue
            seen.add(key)
            if cfg.is_final:
                return True
            if (successor := self._only_way(cfg)) is not None:
                todo.append(successor)
                continue
            if (fault := _fault(cfg, self._aims, self._mover)) is None:
                return True
            if for_a_reason:
                if len(self._faults) < _MAX_FAULTS:
                    self._faults.append(fault)
                if len(fault) <= _MAX_FAULT and _never_in_line(cfg, self._aims.of(fault), _FEW_ORDERS):
                    continue
            if len(seen) > effort:
                return None
            ways = [self._shifted(cfg)] if Shift().is_possible(cfg) else []
            if Swap().is_possible(cfg):
                swap_last = for_a_reason and not self._wants_to_pass(cfg)
                ways.insert(0 if swap_last else len(ways), Swap()(cfg))
            todo += [*ways, *(successor for _, successor in safe_arcs(cfg, self._aims))]  # the last is taken first
        return False

    def _only_way(self, cfg: Any) -> Any:
        """The next configuration, if there is a transition than which none is better; otherwise ``None``.

        That is a safe arc, for a word that is gone is in no other's way. It can only be missed as one that passes
        others on the stack.
        """
        stack = cfg.stack
        for transition, successor in safe_arcs(cfg, self._aims):
            word = cfg.dependent(transition)
            # What the dependent of a left arc could pass, its head can pass as well if it is later and has to stay.
            head = successor._state[3][0]
            replaced = isinstance(transition, LeftArc) and word in self._aims.heads and word < head
            if replaced or not self._may_pass(word, stack[: stack.index(word)]):
                return successor
        front = cfg.buffer_position(0)
        if front <= 0:
            return None
        if self._aims.is_loose(front):  # it gets any head as soon as it is shifted
            return None if self._may_pass(front, stack) or not Shift().is_possible(cfg) else Shift()(cfg)
        root, others = self._front_block(cfg)
        before = others[: cfg.buffer.index(root)]
        return self._attached(cfg, before) if self._mover == B0 and before else None

    def _may_pass(self, word: int, below: Sequence[int]) -> bool:
        """Whether a word may, sooner or later, pass one of those below it so that another one gets free."""
        words = [other for other in below if other]
        return any(other < word for other in (words if self._mover == B0 else words[1:]))

    def _wants_to_pass(self, cfg: Any) -> bool:
        """Whether the mover waits for no word of the buffer and has an arc to build further down the stack."""
        if self._mover == S0:
            word, below, behind = cfg.stack_position(0), cfg.stack[:-2], cfg.buffer
        else:
            word, below, behind = cfg.buffer_position(0), cfg.stack[:-1], cfg.buffer[1:]
        heads = self._aims.heads
        if any(heads.get(other) == word for other in behind):
            return False
        return any(heads.get(other) == word or heads.get(word) == other for other in below)

    def _shifted(self, cfg: Any) -> Any:
        """The configuration behind Shift, and behind all that builds the subtree in front of the buffer."""
        _, others = self._front_block(cfg)
        return self._attached(Shift()(cfg), others)

    def _front_block(self, cfg: Any) -> tuple[int, tuple[int, ...]]:
        """The root and the other words of the greatest subtree that the buffer begins with, all in their order.

        There is no harm in building it first: what its words could pass on the stack, its root can pass as well.
        """
        buffer = cfg.buffer
        root = ancestor = buffer[0]
        words = buffer[:1]
        if root > max(cfg.stack, default=0):
            while ancestor:
                subtree = self._projective_subtree(ancestor)
                if subtree and subtree == buffer[: len(subtree)]:
                    root, words = ancestor, subtree
                ancestor = self._aims.heads.get(ancestor, 0)
        return root, tuple(word for word in words if word != root)

    def _projective_subtree(self, root: int) -> tuple[int, ...]:
        """All words of a subtree in the order of the sentence; none if they cannot be attached in this order."""
        if root not in self._subtrees:
            heads, words = self._aims.heads, [root]
            for head in words:
                words += [word for word in heads if heads[word] == head]
            words.sort()
            places = {word: place for place, word in enumerate(words, 1)}
            projective = heads_are_projective(tuple(0 if word == root else places[heads[word]] for word in words))
            self._subtrees[root] = tuple(words) if projective else ()
        return self._subtrees[root]

    def _attached(self, cfg: Any, words: Sequence[int]) -> Any:
        """The configuration in which words from the front of the buffer have got their heads."""
        while not {*cfg.stack, *cfg.buffer}.isdisjoint(words):
            arcs = safe_arcs(cfg, self._aims)
            cfg = next((after for arc, after in arcs if cfg.dependent(arc) in words), None) or Shift()(cfg)
        return cfg


def _fault(cfg: Any, aims: Aims, mover: Place) -> frozenset[int] | None:
    """``None`` if all aims can be reached with the stack in its order; otherwise words that are at fault.

    All can be reached if the words can be put in an order in which every subtree stands in one piece, nothing is
    passed a second time, and what is on the stack stays in its order and is attached from the top downwards, or goes
    back to the buffer because a word that has to come before it passes it. Subtrees whose root may get any head are put
    below ROOT; words that are such a subtree alone do not count.
    """
    top = 0
    sequence = cfg.stack + cfg.buffer
    if cfg.system.has_single_root:
        rivals = _rivals(cfg, aims)
        if len(rivals) > 1:
            return frozenset(rivals)
        top = rivals[0] if rivals else _free_root(cfg, aims, mover)
    order = _Order(aims, top)
    counted = [word for word in sequence if word in (0, top) or not aims.is_loose(word)]
    stack = [word for word in cfg.stack if word in counted]
    forks = [order.fork(*pair) for pair in pairwise(stack)]
    for fork in (*forks, *(order.fork(*pair) for pair in _passed(counted))):
        order.put(fork.common, fork.left, fork.right, fork.pair)
    staying = _staying(forks, order, [word for word in cfg.buffer if word in counted])
    height = len(cfg.stack) if staying == forks else cfg.stack.index(forks[len(staying)].pair[1])
    if mover == B0 and top in cfg.stack[1:height]:
        return order.aims_of((top, stack[0]))  # it must be the last to leave the stack
    below = staying[:1]
    for fork in staying:
        if fork.head not in (fork.left, fork.right):  # otherwise the left one would have got its head before
            order.put(fork.common, fork.right, fork.head, fork.pair)
        too_late = mover == B0 and _comes_too_late(fork, cfg.stack[:height])
        if too_late or len(fork.common) < len(below[0].common):
            return order.aims_of((*fork.pair, *below[0].pair))
        below = [fork]
    return order.fault()


def _rivals(cfg: Any, aims: Aims) -> list[int]:
    """The words that are to be ROOT's only child, if it gets one only."""
    return [word for word, head in aims.heads.items() if head == 0] if cfg.system.has_single_root else []


def _free_root(cfg: Any, aims: Aims, mover: Place) -> int:
    """The word that can most easily become ROOT's only child, of those that may get any head."""
    stack = cfg.stack if mover == S0 else cfg.stack[::-1]  # without a later word, the last to leave it
    free: list[int] = [word for word in (*stack, *cfg.buffer) if word and word not in aims.heads]
    return max(reversed(free), key=aims.dependents.__contains__)


def _staying(forks: list[_Fork], order: _Order, buffer: Iterable[int]) -> list[_Fork]:
    """The forks of neighbours on the stack, as far up as no word of the buffer has to come between them.

    One has to if the left one waits for dependents or, further up on its path, for a head.
    """
    pending = {one for word in buffer for one in order.path(word)}
    in_buffer = {*buffer}
    for i, fork in enumerate(forks):
        word = fork.pair[0]
        own_path = order.path(word)[len(fork.common) :]
        awaited = next((one for one in reversed(own_path) if one in pending), None)
        blocked = i and awaited in forks[i - 1].common[:-1]  # it comes when what is below has been attached
        if awaited == word or (awaited in in_buffer and not blocked):
            return forks[:i]
    return forks


def _comes_too_late(fork: _Fork, stack: Sequence[int]) -> bool:
    """Whether two words on the stack need a left arc from there, or a right arc over a word that is in the way."""
    if fork.left != fork.head:
        return fork.head in stack
    left, right = fork.pair
    return fork.right in stack and stack.index(right) - stack.index(left) > 1


def _passed(sequence: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The words that have changed places: pairs of which the later one comes first."""
    latest = 0
    for end, word in enumerate(sequence):
        if 0 < word < latest:
            yield from ((other, word) for other in sequence[:end] if other > word)
        latest = max(latest, word)


class _Fork(NamedTuple):
    """Where the paths from ROOT to two words part.

    Args:
        pair: the words.
        common: the path that they have in common.
        left: the next word on the path to the first of the pair, or the last in common if there is none.
        right: the same for the second.
    """

    pair: tuple[int, int]
    common: tuple[int, ...]
    left: int
    right: int

    @property
    def head(self) -> int:
        """The last word in common."""
        return self.common[-1]


class _Order:
    """The order of the subtrees that are to be built, as far as it is fixed.

    Args:
        aims: the arcs of the subtrees.
        top: what the subtrees whose roots may get any head are put below: ROOT, or the word that is its only child.
    """

    def __init__(self, aims: Aims, top: int) -> None:
        self._aims = aims
        self._top = top
        self._paths: dict[int, tuple[int, ...]] = {0: (0,)}
        self._before: dict[tuple[int, ...], dict[int, dict[int, tuple[int, int]]]] = {}

    def path(self, word: int) -> tuple[int, ...]:
        """The words from ROOT down to a word."""
        unknown = []
        while word not in self._paths:
            unknown.append(word)
            word = self._aims.heads.get(word, self._top if word != self._top else 0)
        path = self._paths[word]
        for word in reversed(unknown):
            path = self._paths[word] = (*path, word)
        return path

    def fork(self, left: int, right: int) -> _Fork:
        """Where the paths to two words part."""
        left_path, right_path = self.path(left), self.path(right)
        depth = 0
        for one, other in zip(left_path, right_path, strict=False):
            if one != other:
                break
            depth += 1
        common = left_path[:depth]
        return _Fork((left, right), common, (*left_path, common[-1])[depth], (*right_path, common[-1])[depth])

    def put(self, common: tuple[int, ...], left: int, right: int, pair: tuple[int, int]) -> None:
        """Have one subtree stand before another because a pair of words does."""
        self._before.setdefault(common, {}).setdefault(right, {}).setdefault(left, pair)

    def fault(self) -> frozenset[int] | None:
        """Words because of which some subtrees would have to come before themselves, ``None`` if there are none."""
        for before in self._before.values():
            try:
                TopologicalSorter(before).prepare()
            except CycleError as error:
                return self.aims_of(word for pair in pairwise(error.args[1]) for word in before[pair[1]][pair[0]])
        return None

    def aims_of(self, words: Iterable[int]) -> frozenset[int]:
        """The words on the paths to some words, as far as they have aims."""
        return frozenset(one for word in words for one in self.path(word) if one in self._aims.heads)


def _never_in_line(cfg: Any, aims: Aims, effort: int) -> bool:
    """Whether it is known that the aims cannot be reached even if any two neighbours may change places, once.

    Args:
        cfg: the configuration.
        aims: what is to be reached.
        effort: how many orders of the words may be looked at.
    """
    sequence = tuple(word for word in (*cfg.stack, *cfg.buffer) if not word or not aims.is_loose(word))
    todo = [_contracted(sequence, aims)]
    seen = set(todo)
    while todo and len(seen) <= effort:
        sequence = todo.pop()
        if all(word not in aims.heads for word in sequence):
            return False
        for i, (left, right) in enumerate(pairwise(sequence)):
            if 0 < left < right:
                swapped = _contracted((*sequence[:i], right, left, *sequence[i + 2 :]), aims)
                if swapped not in seen:
                    seen.add(swapped)
                    todo.append(swapped)
    return not todo


def _contracted(sequence: Sequence[int], aims: Aims) -> tuple[int, ...]:
    """Without the words that have their dependents and stand next to their head, or may get any."""
    left, heads = list(sequence), aims.heads
    i = 0
    while i < len(left):
        word = left[i]
        near = left[max(i - 1, 0) : i + 2]
        if word and heads.get(word, near[0]) in near and not any(heads.get(other) == word for other in left):
            del left[i]
            i = 0
        else:
            i += 1
    return tuple(left)
