"""A necessary condition for target arcs to be built where words swap, with contracted subtrees.

**The problem.** Subtrees at the end of the buffer are contracted (`deptrees.transition.losses.subtrees`), and what is
left cannot be built. Could it be, if some of their *inner words* passed others before they are attached?

**The relaxed problem.** For each word that has inner words, they are any number, and alike. So of those that stand next
to each other, on the stack or in the buffer, nothing matters but of which words they are the inner words: a *crowd*, a
set of these *kinds*. Wherever an inner word could do something, some of its kind do it, and others of its kind may stay
where they are, or none:

* They get a head next to the word whose inner words they are; free ones, anywhere.
* They pass all words that are earlier than this word, and are passed by all that are later. Whether one of them passes
  that word itself, or is passed by it, is left open: both is possible.
* A crowd on the stack goes back to the buffer in part, for its words pass each other.

**Why it is necessary.** Take a derivation that builds all target arcs, and look at each of its configurations with
inner words next to each other taken for a crowd. Each transition leads to what the relaxed problem can reach in a step,
or is between inner words of one kind, and changes nothing. So if it cannot build all, neither can the system.

**The algorithm** looks at all configurations with crowds, depth first. They are few, as long as few words are left when
subtrees are contracted. It turns back where the words could not be built without a stack
(`deptrees.transition.losses.contractions`). And where a word can be attached that could not pass anything below it,
nothing else is tried: `deptrees.transition.losses.swap_steps` has the proof, in which words may as well be crowds.

**Examples.** In arc-hybrid, 4 meets 2 only when 1 and 3 are gone, which wait for 6, and so does 4. If 6 takes up its
dependent 5, it can pass others only once, and that is not enough. With crowds it is, and here even with 5 alone:

>>> from deptrees.transition.losses.subtrees import contracted_subtrees
>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> from deptrees.transition.table import B0
>>> def can_be_built(stack, buffer, heads):
...     targets = TargetArcs(heads)
...     subtrees = contracted_subtrees(stack, buffer, targets)
...     return can_be_built_with_crowds(stack, subtrees, targets, B0, effort=iter(range(10_000)), has_single_root=False)
>>> can_be_built((2, 1, 4), (3, 5, 6, 0), {2: 0, 4: 2, 6: 4, 1: 6, 5: 6, 3: 1})
True

Here no number of words would be enough:

>>> can_be_built((4, 3), (2, 5, 6, 0), {4: 3, 3: 0, 2: 3, 5: 2, 6: 5})
False
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache, partial

from deptrees.transition.losses.contractions import can_be_built_without_stack
from deptrees.transition.losses.subtrees import Subtrees
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.table import S0, Place

__all__ = ["can_be_built_with_crowds"]

_Items = tuple[int, ...]  # words, and crowds: negative, their kinds as the bits of an integer
_State = tuple[_Items, _Items]


def can_be_built_with_crowds(
    stack: _Items,
    subtrees: Subtrees,
    targets: TargetArcs,
    passing: Place,
    effort: Iterator[int],
    *,
    has_single_root: bool,
) -> bool | None:
    """Whether target arcs could be built if inner words were any number; ``None`` if ``effort`` is not enough to tell.

    Args:
        stack: the stack, from its bottom to its top.
        subtrees: what is left of the buffer, and which words have inner words.
        targets: the target arcs.
        passing: where the word stands that Swap lets pass the one to the left of it: s0 in arc-standard, b0 in
            arc-hybrid.
        effort: ends when no more configurations may be looked at.
        has_single_root: whether ROOT gets a single dependent.
    """
    kind: type[_Crowds] = _StandardCrowds if passing == S0 else _HybridCrowds
    return kind(stack, subtrees, targets, has_single_root=has_single_root).can_build(stack, effort)


class _Crowds(ABC):
    """What can happen next in configurations with crowds."""

    def __init__(self, stack: _Items, subtrees: Subtrees, targets: TargetArcs, *, has_single_root: bool) -> None:
        self._has_single_root = has_single_root
        self._targets = targets
        kinds = {word: 1 << kind for kind, word in enumerate(sorted(subtrees.heads))}
        self._buffer = buffer = _with_crowds(subtrees, kinds)
        words = {word for word in (*stack, *buffer) if word >= 0}
        self._heads = {word: targets.heads.get(word) for word in words}
        present = sum(1 << word for word in words)
        self._dependents = {word: targets.dependents.get(word, 0) & present for word in words}
        self._waiting = sum(1 << word for word, head in self._heads.items() if head is not None)
        self._free = sum(kinds[word] for word in subtrees.free)
        self._of = {word: kinds.get(word, 0) for word in words}
        """The kind of each word's inner words."""
        self._earlier = {word: sum(kind for head, kind in kinds.items() if head <= word) for word in words}
        """The kinds that a word can pass."""
        self._later = {word: sum(kind for head, kind in kinds.items() if head >= word) for word in words}
        """The kinds that can pass a word."""

    def can_build(self, stack: _Items, effort: Iterator[int]) -> bool | None:
        """Whether all target arcs can be built; ``None`` if the search was too short to tell."""
        start = stack, self._buffer
        todo, seen = [start], {start}
        can_be_built = cache(partial(can_be_built_without_stack, targets=self._targets))
        while todo:
            state = todo.pop()
            words, crowds = self._present(state)
            if not crowds & ~self._free and not words & self._waiting:
                return True
            if next(effort, None) is None:
                return None
            if can_be_built(tuple([item for side in state for item in side if item >= 0])) is False:
                continue
            for successor in self._after(*state, self._complete(words, crowds)):
                if successor not in seen:
                    seen.add(successor)
                    todo.append(successor)
        return False

    def _complete(self, words: int, crowds: int) -> set[int]:
        """The words that have all their dependents, of those that may be there."""
        own = crowds & ~self._free
        return {word for word in self._heads if not self._dependents[word] & words and not self._of[word] & own}

    @staticmethod
    def _present(state: _State) -> tuple[int, int]:
        """The words and the kinds that are there, as the bits of integers."""
        words = crowds = 0
        for side in state:
            for item in side:
                if item < 0:
                    crowds |= -item
                else:
                    words |= 1 << item
        return words, crowds

    def _after(self, stack: _Items, buffer: _Items, complete: set[int]) -> list[_State]:
        """What comes next; one alone if none is better."""
        steps: list[_State] = []
        for word, arc in self._arcs(stack, buffer, complete):
            if not self._could_pass(word, stack[: stack.index(word)]):
                return [arc]
            steps.append(arc)
        return [*steps, *self._shifts(stack, buffer), *self._swaps(stack, buffer)]

    def _could_pass(self, word: int, below: _Items) -> bool:
        """Whether there is anything among what is below a word that it may pass."""
        return any(0 < item < word or (item < 0 and -item & self._earlier[word]) for item in below)

    def _is_head(self, head: int, word: int) -> bool:
        """Whether an arc takes away no target arc; from a crowd, only to a free word."""
        return self._heads[word] in (None, head)

    def _shifts(self, stack: _Items, buffer: _Items) -> Iterator[_State]:
        if buffer and buffer[0] < 0:
            for some, rest in _split(buffer[0]):
                yield _above(stack, some), buffer
                yield _above(stack, some), _before(rest, buffer[1:])
        elif buffer and self._can_be_shifted(stack, buffer[0]):
            yield (*stack, buffer[0]), buffer[1:]

    @abstractmethod
    def _can_be_shifted(self, stack: _Items, front: int) -> bool:
        """Whether Shift is possible."""

    @abstractmethod
    def _arcs(self, stack: _Items, buffer: _Items, complete: set[int]) -> Iterator[tuple[int, _State]]:
        """The words that can be attached, and what comes after."""

    @abstractmethod
    def _swaps(self, stack: _Items, buffer: _Items) -> Iterator[_State]:
        """What comes after crowds have been attached, in part or as a whole, and after swaps."""


class _StandardCrowds(_Crowds):
    """Arc-standard with crowds."""

    def _can_be_shifted(self, stack: _Items, front: int) -> bool:
        return front > 0 or len(stack) < 2 or not self._has_single_root

    def _arcs(self, stack: _Items, buffer: _Items, complete: set[int]) -> Iterator[tuple[int, _State]]:
        if len(stack) < 2:
            return
        *_, below, top = stack
        if below > 0 and below in complete and self._is_head(top, below):
            rest = stack[:-2]
            yield below, ((*rest, top) if top >= 0 else _above(rest, -top), buffer)
        may_be_root = below or not buffer or not self._has_single_root
        if top > 0 and may_be_root and top in complete and self._is_head(below, top):
            yield top, (stack[:-1], buffer)

    def _swaps(self, stack: _Items, buffer: _Items) -> Iterator[_State]:
        if not stack:
            return
        top, below = stack[-1], stack[-2] if len(stack) > 1 else 0
        if top < 0:
            for some, rest in _split(top):
                if some & (self._free | self._of.get(below, 0)):
                    yield _above(stack[:-1], rest), buffer
                yield stack, _before(some, buffer)
                if rest:
                    yield _above(stack[:-1], rest), _before(some, buffer)
                if below > 0 and some & self._later[below]:
                    for others in (-top, rest):
                        yield _above(stack[:-2], some), (below, *_before(others, buffer))
        elif below < 0:
            for some, rest in _split(below):
                if some & (self._free | self._of[top]):
                    yield (*_above(stack[:-2], rest), top), buffer
                if some & self._earlier[top]:
                    for others in (-below, rest):
                        yield (*_above(stack[:-2], others), top), _before(some, buffer)
        elif 0 < below < top:
            yield (*stack[:-2], top), (below, *buffer)


class _HybridCrowds(_Crowds):
    """Arc-hybrid with crowds, ROOT last."""

    def _can_be_shifted(self, stack: _Items, front: int) -> bool:
        return front > 0

    def _arcs(self, stack: _Items, buffer: _Items, complete: set[int]) -> Iterator[tuple[int, _State]]:
        if not stack or stack[-1] < 0 or stack[-1] not in complete:
            return
        top, front = stack[-1], buffer[0]
        may_be_root = front or len(stack) == 1 or not self._has_single_root
        if (may_be_root and self._is_head(front, top)) or (len(stack) > 1 and self._is_head(stack[-2], top)):
            yield top, (stack[:-1], buffer)

    def _swaps(self, stack: _Items, buffer: _Items) -> Iterator[_State]:
        if not stack:
            return
        top, front, behind = stack[-1], buffer[0], buffer[1:]
        if top < 0:
            below = stack[-2] if len(stack) > 1 else 0
            for some, rest in _split(top):
                if some & (self._free | self._of.get(below, 0) | self._of.get(front, 0)):
                    yield _above(stack[:-1], rest), buffer
                for others in (-top, rest):
                    if front < 0 and some <= -front:
                        yield _above(stack[:-1], others), _before(some, buffer)
                    elif front > 0 and some & self._earlier[front]:
                        yield _above(stack[:-1], others), (front, *_before(some, behind))
        elif front < 0:
            for some, rest in _split(front):
                if some & self._later[top]:
                    for others in (-front, rest):
                        yield stack[:-1], (-some, top, *_before(others, behind))
        elif top < front:
            yield stack[:-1], (front, top, *behind)


def _with_crowds(subtrees: Subtrees, kinds: dict[int, int]) -> _Items:
    """The buffer with a crowd wherever there are inner words."""
    buffer: _Items = ()
    for word in subtrees.buffer:
        buffer = _above(buffer, kinds[word] if word in subtrees.before else 0)
        buffer = _above((*buffer, word), kinds[word] if word in subtrees.after else 0)
    return buffer


def _split(crowd: int) -> Iterator[tuple[int, int]]:
    """Each kind of a crowd, and all others, as the bits of integers."""
    kinds = -crowd
    while kinds:
        kind = kinds & -kinds
        yield kind, -crowd & ~kind
        kinds ^= kind


def _above(stack: _Items, kinds: int) -> _Items:
    """A stack with words of some kinds on top of it."""
    if not kinds:
        return stack
    return (*stack[:-1], -(-stack[-1] | kinds)) if stack and stack[-1] < 0 else (*stack, -kinds)


def _before(kinds: int, buffer: Sequence[int]) -> _Items:
    """A buffer with words of some kinds at its front."""
    if not kinds:
        return tuple(buffer)
    return (-(-buffer[0] | kinds), *buffer[1:]) if buffer and buffer[0] < 0 else (-kinds, *buffer)
