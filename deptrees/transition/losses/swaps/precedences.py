"""What holds in every way to build target arcs where words swap: who is attached before whom, who keeps apart.

**The problem.** Write down the stack from its bottom to its top, then the buffer. Two words change places once at most,
and only if the earlier one stands on the left; the stack adds to these conditions. Much follows without a search: some
words are *attached before* others, in every way to build all target arcs, and some pairs *keep apart*: they never
change places, though the earlier word is on the left.

**The rules,** applied until nothing new follows. Below, *h* is the target head of *w*; when *w* is attached the two
stand next to each other, and *h* has not been attached.

1. A word is attached after its dependents, and after those that are attached before these. If it would have to be
   attached before itself, not all target arcs can be built.
2. *Blocking.* If *x* stands between *w* and *h*, and keeps apart from both, it is attached before *w*: otherwise it
   would still be between them then.
3. *Parting.* Let *x* stand on the same side of *w* and of *h*, and keep apart from *h*. If *x* and *w* change places,
   *x* stands between *w* and *h* from then on, and is attached before *w*. So if *w* is known to be attached before
   *x*, these two keep apart. They do, too, if *w* would part *x* from its target head in the same way: each would be
   attached before the other.
4. *Forced swaps.* If *x* stands between *w* and *h*, and is attached after *w*, it has to change places with one of
   them before. If it keeps apart from one, it does so with the other, *y*. Then what rule 3 says of *x* and *y* holds.
   And those between *x* and *y* that keep apart from both are attached before all that are still there when the two
   change places, *w* and those attached after it, for then *x* and *y* are neighbors.
5. *Heads that move away.* Let *x* stand on the same side of *w* and of *h*, and keep apart from *w*. If *x* and *h*
   have to change places (rules 4 and 6) while *w* is still there, *x* stands between *w* and *h* from then on, and is
   attached before *w*.
6. *The stack.* If a word *f* of the stack has to be released and cannot be (`releases`), not all target arcs can be
   built. If it can only be released by being attached, those that cannot be attached before are attached after it; and
   the words below it do not move before: they change places neither with it nor with those attached before it. If it
   can only be released by one word that passes it, the two have to change places, while those that cannot be attached
   before are still there.
7. *What goes with a swap.* Let *x* have to change places with *w*, and stand on the same side of *w* and of *h*. If it
   is attached after *w*, it has to change places with *h*, too, before *w* is attached. The same holds with *h* and *w*
   exchanged, if *x* is attached after *w*, and *w* is still there when *x* and *h* change places.
8. *Swaps in a row.* Let *z*, *y* and *x* stand in this order, let *y* have to change places with *z* while *x* is still
   there, and *x* with *y* while *z* is. The two are neighbors when they do, and one swap comes after the other. If *y*
   passes *z* last, *x* cannot be between them, and has passed *z*. If *x* passes *y* last, *z* cannot be between them,
   and *x* has passed it. So *x* changes places with *z* as well, while those are still there that are in both cases.

It takes O(n²) steps on sets of words each time that the rules are applied; a few times are enough.

In the order 3 2 1, word 2 blocks 3 if the head of 3 is 1. If 1 is the head of 2 as well, 2 is attached first; if 2 is
the head of 1, it cannot be:

>>> from deptrees.transition.losses.target_arcs import TargetArcs
>>> from deptrees.transition.table import S0
>>> known = precedences((0,), (3, 2, 1), TargetArcs({3: 1, 2: 1, 1: 0}), passing=S0)
>>> bin(known.first[3]), precedences((0,), (3, 2, 1), TargetArcs({3: 1, 1: 2, 2: 0}), passing=S0)
('0b100', None)

In the order 3 1 4, word 4 could pass 1, its head, and 3, the head of 1. If 4 passed 3, then 3 would part it from 1 for
good, and would have to be attached before 4. So these two keep apart, and 4 may only pass 1:

>>> known = precedences((0,), (3, 1, 4), TargetArcs({4: 1, 1: 3, 3: 0}), passing=S0)
>>> bin(known.crosses[4])
'0b10'
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import combinations

from deptrees.transition.losses.swaps.arrangements import Arrangement
from deptrees.transition.losses.swaps.releases import find_release, to_be_released
from deptrees.transition.losses.target_arcs import TargetArcs
from deptrees.transition.table import Place

__all__ = ["Precedences", "is_refuted", "precedences"]

_MOST_SWAPS = 256  # how many pairs of words are known to change places, at most


def precedences(stack: Sequence[int], buffer: Sequence[int], targets: TargetArcs, passing: Place) -> Precedences | None:
    """What holds in every way to build all target arcs (arguments as in `Arrangement`); ``None`` if there is none."""
    known = Precedences(stack, buffer, targets, passing)
    return known if known.apply_rules() else None


def is_refuted(stack: Sequence[int], buffer: Sequence[int], targets: TargetArcs, passing: Place) -> bool:
    """Whether the rules show that not all target arcs can be built, if they are also tried on each pair of words.

    Two words keep apart if the rules lead to a contradiction as soon as they change places. Arguments are the same as
    in `precedences`, time is O(n²) times as long. If 2 is on the stack and 4 in the buffer of arc-hybrid, 4 may pass:

    >>> from deptrees.transition.table import B0
    >>> is_refuted((2,), (4, 0), TargetArcs({2: 0, 4: 0}), passing=B0)
    False
    """
    known = Precedences(stack, buffer, targets, passing)
    return not (known.apply_rules() and known.try_swaps())


class Precedences(Arrangement):
    """What is known so far: of each word, which are attached before it, and with which it may change places."""

    def __init__(self, stack: Sequence[int], buffer: Sequence[int], targets: TargetArcs, passing: Place) -> None:
        super().__init__(stack, buffer, targets, passing)
        self._parting = [0] * len(self.first)
        """For each word, those that are attached before it if they change places with it."""
        self._swaps: dict[tuple[int, int], int] = {}
        """Pairs of words that change places, the earlier one first, with words that are still there when they do."""
        self._is_changed = True

    def apply_rules(self) -> bool:
        """Apply the rules until nothing new follows; whether there may be a way to build all target arcs."""
        while self._is_changed:
            self._is_changed = False
            if not self._close():
                return False
            self._find_parting()
            self._find_blocking()
            if not self._follow_swaps():
                return False
            self._find_apart()
            if not self._is_changed and not self._release():
                return False
        return True

    def try_swaps(self) -> bool:
        """Let each pair change places on trial, to find those that keep apart; whether there may be a way then."""
        is_new = True
        while is_new:
            is_new = False
            for one, other in combinations(self.words, 2):
                if self.crosses[one] >> other & 1 and not self._can_change_places(one, other):
                    self._keep_apart(one, 1 << other)
                    if not self.apply_rules():
                        return False
                    is_new = True
        return True

    def _can_change_places(self, one: int, other: int) -> bool:
        """Whether the rules do not tell that two words keep apart, when they change places on trial."""
        trial = copy(self)
        trial.first, trial.crosses, trial._parting = self.first[:], self.crosses[:], self._parting[:]
        trial._swaps = {**self._swaps}
        trial._change_places(one, other, self._not_before(one) | self._not_before(other))
        return trial.apply_rules()

    def _close(self) -> bool:
        """Let words be attached after those before the ones before them; whether none is before itself."""
        for middle in self.words:
            for word in self.words:
                if self.first[word] >> middle & 1:
                    self.first[word] |= self.first[middle]
        return not any(self.first[word] >> word & 1 for word in self.words)

    def _find_parting(self) -> None:
        """Rule 3: find which words would part a word from its head."""
        for word, head in self.heads.items():
            same_side = ~(self.before[word] ^ self.before[head])
            self._parting[word] = self.crosses[word] & ~self.crosses[head] & ~(1 << head) & same_side

    def _find_blocking(self) -> None:
        """Rules 2 and 4, for each word that stands between a word and its head."""
        for word, head in self.heads.items():
            between, later = self.between(word, head), self._not_before(word)
            self._attach_before(word, between & ~self.crosses[word] & ~self.crosses[head])
            for other in self.among(between & later):
                if not self.crosses[head] >> other & 1:
                    self._change_places(other, word, later)
                elif not self.crosses[word] >> other & 1:
                    self._change_places(other, head, later)

    def _not_before(self, word: int) -> int:
        """A word, and those that are attached after it."""
        return 1 << word | sum([1 << other for other in self.words if self.first[other] >> word & 1])

    def _change_places(self, one: int, other: int, present: int) -> None:
        """Two words change places while others are there."""
        pair = min(one, other), max(one, other)
        known = self._swaps.get(pair, 0)
        if present & ~known and (known or len(self._swaps) < _MOST_SWAPS):
            self._swaps[pair] = known | present
            self._is_changed = True

    def _follow_swaps(self) -> bool:
        """Rules 3 to 5, 7 and 8, for each pair of words that have to change places; whether all can."""
        for (left, right), present in list(self._swaps.items()):
            if not self.crosses[left] >> right & 1:
                return False
            gone = self.between(left, right) & ~self.crosses[left] & ~self.crosses[right]
            for word in self.among(present):
                self._attach_before(word, gone)
            for word, passed in ((left, right), (right, left)):
                self._attach_before(word, self._parting[word] & 1 << passed)
                self._move_away(word, passed, present)
                self._pass_on(word, passed, present)
            self._pass_together(left, right, present)
        return True

    def _pass_on(self, word: int, passed: int, present: int) -> None:
        """Rule 7: a word that passes another passes its head, too, and those of its dependents that are there."""
        head = self.heads.get(passed, 0)
        if head and self.first[word] >> passed & 1 and self._could_pass(word, passed, head):
            self._change_places(word, head, self._not_before(passed))
        for other in self.among(self.dependents[passed] & self.first[word] & present):
            if self._could_pass(word, passed, other):
                self._change_places(word, other, self._not_before(other))

    def _could_pass(self, word: int, one: int, other: int) -> bool:
        """Whether a word may change places with another one that is on the same side of it as a third."""
        before = self.before[word]
        return bool(self.crosses[word] >> other & 1) and before >> one & 1 == before >> other & 1

    def _pass_together(self, left: int, right: int, present: int) -> None:
        """Rule 8: a word that passes another which passes a third passes this one, too."""
        for (first, middle), others in list(self._swaps.items()):
            if middle == left and others >> right & 1 and present >> first & 1:
                self._change_places(first, right, others & present)

    def _move_away(self, word: int, head: int, present: int) -> None:
        """Rule 5: let a word change places with a head while dependents of it are there."""
        is_right = self.before[word] >> head & 1
        same_side = self.before[word] if is_right else ~(self.before[word] | 1 << word)
        parted = self.dependents[head] & same_side & ~self.crosses[word] & present
        for other in self.among(parted):
            self._attach_before(other, 1 << word)

    def _find_apart(self) -> None:
        """Rule 3: keep words apart that could only change places if they were attached before themselves."""
        for word in self.words:
            for other in self.among(self._parting[word]):
                if self.first[other] >> word & 1 or self._parting[other] >> word & 1:
                    self._keep_apart(word, 1 << other)

    def _release(self) -> bool:
        """Rule 6, for each word of the stack that has to be released; whether all can be."""
        for word in to_be_released(self):
            release = find_release(self, word)
            if release is None:
                return False
            if not release.passing and (self.is_hybrid or release.joining == 1 << self.heads.get(word, 0)):
                self._attach_at_release(word, release.attachable)
            elif not release.joining and not release.passing & release.passing - 1:
                self._change_places(word, release.passing.bit_length() - 1, self.all & ~release.attachable)
        return True

    def _attach_at_release(self, word: int, attachable: int) -> None:
        """A word of the stack is attached as soon as it is released."""
        for other in self.among(~attachable & ~(1 << word)):
            self._attach_before(other, 1 << word)
        for other in self.among(self.before[word]):
            self._keep_apart(other, self.first[word] | 1 << word)

    def _keep_apart(self, word: int, others: int) -> None:
        """Let a word change places with none of some others."""
        apart = self.crosses[word] & others
        self._is_changed |= apart != 0
        self.crosses[word] ^= apart
        for other in self.among(apart):
            self.crosses[other] &= ~(1 << word)

    def _attach_before(self, word: int, others: int) -> None:
        if others & ~self.first[word]:
            self.first[word] |= others
            self._is_changed = True
