"""The loss of Covington's algorithm where a new arc replaces those that are in its way.

The problem
    Every two elements meet once, in a fixed order, and then an arc between them is added or not. It replaces the head
    of its dependent. Where it would close a cycle, its head becomes a root. So an arc that is there may be lost, even
    a gold one: then a word is attached below its own descendant.

Lower bound
    A gold arc can still be in the result only if it is there, or its ends have yet to meet: it is *available*. The
    others are lost (Fernández-González & Gómez-Rodríguez 2017, where this is the lower bound). Nearly always the loss
    is their number: if each available gold arc is added when its ends meet, and none is lost by that, it is proved.

Conflicts
    A *conflict* is a set of available gold arcs that cannot all be kept, as none of them can be left out. It is found
    by going through the meetings to come. For each word we note which heads it may have by then, in any derivation
    that keeps the arcs:

    1. A word whose arc is to be kept and is there has this head only.
    2. Where the arc of a meeting is to be kept, it is added. Its head h must not depend on its dependent by then if
       h's own arc is to be kept: of the last word on the way up from h that has one possible head only, heads are
       crossed out that surely depend on the dependent. If none remains, the arcs are in conflict. If h's own arc is
       not to be kept, h becomes a root if it surely depends on the dependent, and may become one if it possibly does.
    3. In any other meeting, each end whose arc is not to be kept, or not there yet, may get the other one for its head,
       unless that one has an arc to be kept and surely depends on it. And it may become a root, if the other end has
       no such arc and is possibly above it.

    These sets are never too small, for they are said of single words. So what they forbid is impossible. Conflicts
    that share no arc cost one each. That no conflict is found proves nothing: this is the fast part, not the exact one.

Search
    From a configuration in which neither the bound is attained nor more errors are certain, all transitions are tried,
    deepest first, without those after which the bound is too great. All that is found is a derivation, so that losses
    are exact, or there are none: after too many configurations, or where work is limited (see `work`), LossNotFound is
    raised. Whether there is an algorithm that takes polynomial time is open.

Least costs
    Where arcs have any costs (constraints), the bound is the best tree of the arcs that are there and those whose ends
    have yet to meet: a maximum spanning tree.

In the smallest conflict, 0 → 1 and 1 → 2 are there, and 3 meets 2, 1 and 0. Of 2 → 3 and 3 → 1, which are gold, one
must be given up: when 3 meets 1, it would depend on it, and its head would be removed. The arc 0 → 2 is lost.

>>> from deptrees.transition import ListBasedNonMonotonic, RightArc, Shift
>>> tree = DependencyTree([(3, "Birds"), (0, "that"), (2, "sing")])
>>> cfg = ListBasedNonMonotonic().initial(tree)
>>> for transition in (RightArc(), Shift(), RightArc(), Shift()):
...     cfg = transition(cfg)
>>> cfg, ListBasedNonMonotonicLoss()(cfg, tree)
(ListBasedNonMonotonic(): λ1 = (0, 1, 2), λ2 = (), β = (3,), A = (0 → 1, 1 → 2), 2)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from deptrees.transition.losses.arc_costs import ArcCosts
from deptrees.transition.losses.loss import LeastCosts, Loss, LossNotFound
from deptrees.transition.losses.work import count_work
from deptrees.trees.spanning_trees import best_heads
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.list_based import ListBasedConfiguration
    from deptrees.transition.systems.list_based_non_monotonic import ListBasedNonMonotonic

__all__ = ["ListBasedNonMonotonicLoss", "is_above", "with_arc"]

Heads = tuple[int | None, ...]

LIMIT = 2000
"""The most configurations that a search against a gold tree looks at."""
SHORT_LIMIT = 200
"""The most that a search for least costs looks at, for which a parser waits."""


def is_above(upper: int, word: int, heads: Sequence[int | None]) -> bool:
    """Whether a path leads from one element to another, or they are the same."""
    above: int | None = word
    while above and above != upper:
        above = heads[above - 1]
    return above == upper


def with_arc(heads: Heads, head: int, word: int) -> Heads:
    """The heads after an arc was added, and those removed that were in its way."""
    after = list(heads)
    if head and is_above(word, head, heads):
        after[head - 1] = None
    after[word - 1] = head
    return tuple(after)


class _State(NamedTuple):
    """What is left of a configuration: the heads, how many elements are in λ1, and b0."""

    heads: Heads
    split: int
    front: int

    @staticmethod
    def of(cfg: ListBasedConfiguration) -> _State:
        split = len(cfg.list1)
        return _State(cfg.heads, split, split + len(cfg.list2))

    def meetings(self) -> Iterator[tuple[int, int]]:
        """The pairs that have yet to meet, in their order, the earlier element of each first."""
        split = self.split
        for b0 in range(self.front, len(self.heads) + 1):
            for i in range(split - 1, -1, -1):
                yield i, b0
            split = b0 + 1

    def can_meet(self, one: int, other: int) -> bool:
        """Whether two different elements have yet to meet."""
        first, second = (one, other) if one < other else (other, one)
        return second > self.front or (second == self.front and first < self.split)

    def successors(self) -> Iterator[_State]:
        """What may be left after the next two elements have met."""
        pair = next(self.meetings(), None)
        if pair is not None:
            i, b0 = pair
            yield _State(self.heads, i, b0)
            yield _State(with_arc(self.heads, i, b0), i, b0)
            if i:
                yield _State(with_arc(self.heads, b0, i), i, b0)


class ListBasedNonMonotonicLoss(Loss["ListBasedConfiguration"]):
    """The loss of non-monotonic Covington, exact for every gold tree."""

    def __call__(self, cfg: ListBasedConfiguration, tree: DependencyTree) -> int:
        return _loss(_State.of(cfg), tree.heads)

    def least_costs(self, costs: ArcCosts, system: ListBasedNonMonotonic) -> LeastCosts:
        problem = _Costs(costs)

        @lru_cache(maxsize=1 << 10)
        def least(state: _State) -> int:
            return _search(problem, state, SHORT_LIMIT)

        return lambda cfg: least(_State.of(cfg))


@lru_cache(maxsize=1 << 10)
def _loss(state: _State, gold: Heads) -> int:
    problem = _Gold(gold)
    available = problem.available(state)
    if _can_be_added(state, available):
        return problem.lost(available)
    return _search(problem, state, LIMIT)


class _Problem(ABC):
    """What the search has to know of costs."""

    @abstractmethod
    def bound(self, state: _State) -> int:
        """A lower bound of what the heads cost in the end, and this itself where parsing has ended."""

    @abstractmethod
    def is_attained(self, state: _State, limit: int) -> bool:
        """Whether it is known that they need not cost more than a limit."""


def _search(problem: _Problem, start: _State, most: int) -> int:
    """The least that the heads cost in the end, by trying whether they need not cost more than the bound, then more."""
    limit, left = problem.bound(start), most
    while True:
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            count_work(len(state.heads) ** 2)
            if problem.bound(state) > limit:
                continue
            if problem.is_attained(state, limit):
                return limit
            if not left:
                raise LossNotFound(
                    f"{most:,} configurations were not enough to find a loss where arcs are replaced: "
                    "use a static oracle for this sentence, or leave it out"
                )
            left -= 1
            new = [successor for successor in state.successors() if successor not in seen]
            seen.update(new)
            todo += reversed(new)
        limit += 1


class _Gold(_Problem):
    """Errors against gold heads."""

    def __init__(self, gold: Heads) -> None:
        self._gold = gold

    def available(self, state: _State) -> Heads:
        """The gold arcs that are there, or whose ends have yet to meet."""
        return tuple(
            [
                gold if gold is not None and (gold == head or state.can_meet(gold, word)) else None
                for word, (head, gold) in enumerate(zip(state.heads, self._gold, strict=True), 1)
            ]
        )

    def lost(self, available: Heads) -> int:
        """How many gold arcs are not available."""
        return available.count(None) - self._gold.count(None)

    def bound(self, state: _State) -> int:
        kept = self.available(state)
        certain = self.lost(kept)
        while conflict := _conflict(state, kept):
            kept = _without(kept, *conflict)
            certain += 1
        return certain

    def is_attained(self, state: _State, limit: int) -> bool:
        available = self.available(state)
        return _can_be_added_without(state, available, limit - self.lost(available))


def _without(kept: Heads, *words: int) -> Heads:
    """The arcs but for those to some words."""
    return tuple([None if word in words else head for word, head in enumerate(kept, 1)])


def _can_be_added(state: _State, kept: Heads) -> bool:
    """Whether all arcs are kept if each of them is added when its ends meet, and no other."""
    heads = state.heads
    if all(made in (None, head) for made, head in zip(heads, kept, strict=True)):
        return True  # gold arcs are in no cycle
    pending = [(word, head) for word, head in enumerate(kept, 1) if head not in (None, heads[word - 1])]
    for word, head in sorted(pending, key=lambda arc: (max(arc), -min(arc))):
        if head and heads[head - 1] == kept[head - 1] is not None and is_above(word, head, heads):
            return False
        heads = with_arc(heads, head, word)
    return True


def _can_be_added_without(state: _State, kept: Heads, most: int) -> bool:
    """The same without at most as many arcs, of each conflict one."""
    if most < 0 or _can_be_added(state, kept):
        return most >= 0
    return most > 0 and any(
        _can_be_added_without(state, _without(kept, word), most - 1) for word in _conflict(state, kept)
    )


def _conflict(state: _State, kept: Heads) -> list[int]:
    """The words whose arcs cannot all be kept, but without any of them perhaps; none if no conflict is certain."""
    if not _in_conflict(state, kept):
        return []
    for word in range(1, len(kept) + 1):
        if kept[word - 1] is not None and _in_conflict(state, fewer := _without(kept, word)):
            kept = fewer
    return [word for word, head in enumerate(kept, 1) if head is not None]


def _in_conflict(state: _State, kept: Heads) -> bool:
    """Whether it is certain that some arcs, which are all available, cannot all be kept."""
    possible = _PossibleHeads(state.heads, kept)
    for i, b0 in state.meetings():
        if kept[b0 - 1] == i:
            possible.add(i, b0)
        elif i and kept[i - 1] == b0:
            possible.add(b0, i)
        else:
            possible.meet(i, b0)
        if possible.none_is_left:
            return True
    return False


class _PossibleHeads:
    """Which heads each word may have, in any derivation that keeps some arcs, as the bits of integers."""

    def __init__(self, heads: Heads, kept: Heads) -> None:
        self._kept = kept
        self._no_head = 1 << len(heads) + 1
        self._sets = [self._no_head, *[self._no_head if head is None else 1 << head for head in heads]]
        self.none_is_left = False
        """Whether some word has no possible head left."""

    def add(self, head: int, word: int) -> None:
        """Let an arc that is to be kept be added."""
        if head:
            if self._stays(head):
                self._keep_apart(word, head)
            elif self._is_surely_above(word, head):
                self._sets[head] = self._no_head
            elif self._may_be_above(word, head):
                self._sets[head] |= self._no_head
        self._sets[word] = 1 << head

    def meet(self, i: int, b0: int) -> None:
        """Let two elements meet without such an arc."""
        stays, other_stays = not i or self._stays(i), self._stays(b0)
        new, other_new = self._gained(i, b0, stays, other_stays), self._gained(b0, i, other_stays, stays)
        self._sets[i] |= new
        self._sets[b0] |= other_new

    def _gained(self, word: int, other: int, stays: bool, other_stays: bool) -> int:
        """The heads that a word may have after it has met another element."""
        if stays:
            return 0
        if not other_stays:
            may_be_root = self._sets[word] & self._no_head or self._may_be_above(other, word)
            return 1 << other | (self._no_head if may_be_root else 0)
        return 0 if other and self._is_surely_above(word, other) else 1 << other

    def _stays(self, word: int) -> bool:
        """Whether the arc to a word is to be kept, and is there."""
        head = self._kept[word - 1]
        return head is not None and self._sets[word] == 1 << head

    def _only_head(self, word: int) -> int | None:
        """The only head that a word may have, if it must have one."""
        heads = self._sets[word]
        return None if heads & (heads - 1) or heads == self._no_head else heads.bit_length() - 1

    def _is_surely_above(self, upper: int, word: int) -> bool:
        """Whether the heads of which there is one only lead from a word to another element above it."""
        above: int | None = word
        for _ in self._sets:
            if not above or above == upper:
                break
            above = self._only_head(above)
        return above == upper

    def _may_be_above(self, upper: int, word: int) -> bool:
        """Whether some possible heads lead from a word to another element above it."""
        seen = todo = 1 << word
        while todo:
            lowest = todo & -todo
            new = self._sets[lowest.bit_length() - 1] & ~(seen | self._no_head)
            seen |= new
            todo = (todo ^ lowest | new) & ~1
        return bool(seen >> upper & 1)

    def _keep_apart(self, upper: int, word: int) -> None:
        """Let one word not be above another: leave out heads of the last one whose head is not known."""
        last = word
        for _ in self._sets:
            if not last or (head := self._only_head(last)) is None or last == upper:
                break
            last = head
        heads = 0 if last == upper else self._sets[last]
        for head in range(len(self._kept) + 1):
            if heads >> head & 1 and self._is_surely_above(upper, head):
                heads ^= 1 << head
        self._sets[last] = heads
        self.none_is_left |= not heads


class _Costs(_Problem):
    """Any costs of arcs."""

    def __init__(self, costs: ArcCosts) -> None:
        self._costs = costs

    def bound(self, state: _State) -> int:
        return self._total(self._best(state))

    def is_attained(self, state: _State, limit: int) -> bool:
        heads = state.heads
        best = list(enumerate(self._best(state), 1))
        pending = [(word, head) for word, head in best if head is not None and head != heads[word - 1]]
        for word, head in sorted(pending, key=lambda arc: (max(arc), -min(arc))):
            heads = with_arc(heads, head, word)
        return self._total(heads) <= limit

    def _total(self, heads: Sequence[int | None]) -> int:
        return int(sum(self._costs[-1 if head is None else head, word] for word, head in enumerate(heads, 1)))

    def _best(self, state: _State) -> list[int | None]:
        """The best tree of arcs that are there, preferably, or whose ends have yet to meet."""
        n, scores = len(state.heads), []
        has_met_all = not any(True for _ in state.meetings())
        for word, head in enumerate(state.heads, 1):
            others = [other for other in range(n + 1) if other != word and state.can_meet(other, word)]
            choices: list[int | None] = [head, *others, *[None] * (not has_met_all)]
            cost = self._costs[:, word].tolist()
            scores.append({one: -cost[-1 if one is None else one] + (one == head) / (n + 1) for one in choices})
        return best_heads(scores)
