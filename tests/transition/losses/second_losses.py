"""Losses in sentences that are too long for enumeration, computed a second time, apart from the library.

`SearchedLoss` takes any system's transitions as they are and tries them, leaving out what a bound shows to be hopeless.
`BottomUpLoss` is for systems in which a word gets its head when it has all its dependents: a table of all spans.
"""

from collections.abc import Callable, Hashable, Iterable
from itertools import chain, pairwise
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees import DependencyTree
from deptrees.transition import (
    ArcEager,
    ArcEagerBuffer,
    ArcEagerEdit,
    ArcEagerPartial,
    ArcEagerRegisters,
    ArcEagerSpan,
    ArcEagerUnshift,
    ArcHybrid,
    ArcHybridPartial,
    ArcHybridSpan,
    ArcStandard,
    ArcSwift,
    EasyFirst,
    JointTags,
    LeftCorner,
    ListBasedNonLocal,
    ListBasedNonMonotonic,
    ListBasedNonProjective,
    ListBasedProjective,
    LRSpines,
    NonMonotonicArcEager,
    PointerNonProjective,
    PointerProjective,
    SpacyArcEager,
    StackPointerNonProjective,
    StackPointerProjective,
    StanzaAttach,
    System,
    TwoPlanar,
)

__all__ = ["SecondLoss", "second_loss"]

SecondLoss = Callable[[Any], int]
"""From a configuration to how many heads the best tree within reach of it gets wrong."""

CanGet = Callable[[int, int], bool]
"""Whether a word may get a head."""


def second_loss(system: System, tree: DependencyTree) -> SecondLoss:
    """The second computation of a system's losses against one gold tree."""
    if isinstance(system, JointTags):
        untagged = second_loss(system.untagged, tree)
        return lambda cfg: untagged(cfg.untagged)
    if isinstance(system, ArcStandard | EasyFirst):
        return BottomUpLoss(tree)
    return SearchedLoss(system, tree, next(outlook for kinds, outlook in _OUTLOOKS if isinstance(system, kinds)))


@attrs.frozen
class Outlook:
    """What a search has to know of a system.

    Args:
        open_words: the words of a configuration whose heads are not settled yet.
        key: what the heads that open words can get depend on.
        can_get: from a configuration to whether an open word may still end with a head, as far as can be seen at once.
    """

    open_words: Callable[[Any], Iterable[int]]
    key: Callable[[Any], Hashable]
    can_get: Callable[[Any], CanGet]


class SearchedLoss:
    """The loss by trying transitions, depth first, the most promising first; what has been tried is remembered."""

    def __init__(self, system: System, tree: DependencyTree, outlook: Outlook) -> None:
        longest = getattr(system, "longest_arc", None) or len(tree)
        self._gold = [
            None if head is None or abs(head - word) > longest else head for word, head in enumerate(tree.heads, 1)
        ]
        self._skips_empty = system.empty_means_unknown
        self._outlook = outlook
        self._at_least: dict[Hashable, int] = {}
        self._at_most: dict[Hashable, int] = {}

    def __call__(self, cfg: Any) -> int:
        made, to_come = self._errors(cfg)
        while not self._ends_with(cfg, to_come):
            to_come += 1
        return made + to_come

    def _errors(self, cfg: Any) -> tuple[int, int]:
        """How many settled heads are wrong, and at least how many of the others will be."""
        heads, open_words = cfg.heads, {*self._outlook.open_words(cfg)}
        is_final, can_get = cfg.is_final, self._outlook.can_get(cfg)
        made = to_come = 0
        for word, gold in enumerate(self._gold, 1):
            if gold is None and self._skips_empty:
                continue
            if is_final or word not in open_words:
                made += heads[word - 1] != gold
            elif gold is not None:
                to_come += not can_get(word, gold)
        return made, to_come

    def _ends_with(self, cfg: Any, limit: int) -> bool:
        """Whether parsing can end with no more errors to come than a limit."""
        if cfg.is_final:
            return True
        key = self._outlook.key(cfg)
        if self._at_most.get(key, limit + 1) <= limit:
            return True
        if self._at_least.get(key, 0) > limit:
            return False
        made = self._errors(cfg)[0]
        successors = [transition(cfg) for transition in cfg.possible_transitions()]
        errors = [self._errors(successor) for successor in successors]
        for way in sorted(range(len(successors)), key=lambda way: sum(errors[way])):
            left = limit - (errors[way][0] - made)
            if errors[way][1] <= left and self._ends_with(successors[way], left):
                self._at_most[key] = limit
                return True
        self._at_least[key] = limit + 1
        return False


def _in_play(cfg: Any) -> list[int]:
    return [word for word in (*cfg.stack, *cfg.buffer) if word]


def _without_head(cfg: Any) -> list[int]:
    return [word for word, head in enumerate(cfg.heads, 1) if head is None]


def _in_play_without_head(cfg: Any) -> list[int]:
    heads = cfg.heads
    return [word for word in _in_play(cfg) if heads[word - 1] is None]


def _stack_and_buffer(cfg: Any) -> Hashable:
    return cfg.stack, cfg.buffer


def _stack_and_heads(cfg: Any) -> Hashable:
    stack, heads = cfg.stack, cfg.heads
    return stack, cfg.buffer[:1], tuple([heads[word - 1] for word in stack if word])


def _stack_and_headless(cfg: Any) -> Hashable:
    stack, heads = cfg.stack, cfg.heads
    return stack, cfg.buffer[:1], tuple([word for word in stack if word and heads[word - 1] is None])


def _is_in_play(cfg: Any) -> CanGet:
    elements = {*cfg.stack, *cfg.buffer}
    return lambda word, head: head in elements


def _is_in_play_or_root(cfg: Any) -> CanGet:
    elements = {0, *cfg.stack, *cfg.buffer}
    return lambda word, head: head in elements


def _gets_it_from_the_buffer(cfg: Any) -> CanGet:
    """On the stack there are heads for words of the buffer only."""
    stack, buffer = {*cfg.stack}, {*cfg.buffer}
    longest, root_is_nowhere = cfg.system.longest_arc, cfg.system.root == "none"

    def can_get(word: int, head: int) -> bool:
        if root_is_nowhere and head == 0:
            return True
        near = longest is None or abs(head - word) <= longest
        return near and (head in buffer or (word in buffer and head in stack))

    return can_get


def _gets_it_from_the_buffer_or_below(cfg: Any) -> CanGet:
    heads, neighbors = cfg.heads, {*pairwise(cfg.stack)}
    from_the_buffer = _gets_it_from_the_buffer(cfg)
    return lambda word, head: heads[word - 1] == head or from_the_buffer(word, head) or (head, word) in neighbors


def _is_in_play_or_replaces_a_head(cfg: Any) -> CanGet:
    elements, heads = {0, *cfg.stack, *cfg.buffer}, cfg.heads

    def can_get(word: int, head: int) -> bool:
        return heads[word - 1] == head or (head in elements and (heads[word - 1] is None or head > word))

    return can_get


def _is_on_a_facing_spine(cfg: Any) -> CanGet:
    buffer = {*cfg.buffer}
    left, right = ({*chain(*(spines[side] for spines in cfg.spines))} for side in (0, 1))
    return lambda word, head: head in buffer or head in (right if head < word else left)


def _has_it_or_comes_back(cfg: Any) -> CanGet:
    """What has a head on its left or ROOT never gets another."""
    heads, front = cfg.heads, cfg.front

    def can_get(word: int, head: int) -> bool:
        made = heads[word - 1]
        if made is not None and (made == head or made < word):
            return bool(made == head)
        return head not in cfg.disfluent and (word >= front or head >= front or head == 0)

    return can_get


def _waits_or_is_root(cfg: Any) -> CanGet:
    heads = {0, *cfg.stack, *cfg.registers, *cfg.buffer}
    return lambda word, head: head in heads


def _is_root_or_to_come(cfg: Any) -> CanGet:
    heads = {0, cfg.complete, *cfg.buffer, *chain(*(tree[:2] for tree in cfg.stack))}
    return lambda word, head: head in heads


def _can_meet(cfg: Any) -> CanGet:
    list1, list2, buffer = {*cfg.list1}, {*cfg.list2}, cfg.buffer

    def can_get(word: int, head: int) -> bool:
        first, second = sorted((word, head))
        if first in buffer or first in list1:
            return second in buffer
        return first in list2 and second in buffer[1:]

    return can_get


def _can_meet_or_is_there(cfg: Any) -> CanGet:
    heads, can_meet = cfg.heads, _can_meet(cfg)
    return lambda word, head: heads[word - 1] == head or can_meet(word, head)


def _is_a_front_to_come(cfg: Any) -> CanGet:
    """Of an arc's ends one is b0 when it is built, and the other in the active stack."""
    buffer = {*cfg.buffer}
    elements = {*cfg.stack, *cfg.inactive_stack, *buffer}
    return lambda word, head: {word, head} <= elements and (word in buffer or head in buffer)


def _is_possible_head(cfg: Any) -> CanGet:
    return lambda word, head: word != cfg.word or head in cfg.possible_heads


def _is_on_the_stack_or_has_no_head(cfg: Any) -> CanGet:
    stack, heads = cfg.stack, cfg.heads
    return lambda word, head: head in stack or heads[head - 1] is None


def _is_in_another_tree(cfg: Any) -> CanGet:
    above = _ancestors(cfg)
    return lambda word, head: head == 0 or above[head - 1] != word


def _ancestors(cfg: Any) -> tuple[int, ...]:
    """For each word the word that its tree hangs from so far, or ROOT."""

    heads = cfg.heads

    def topmost(word: int) -> int:
        while word and (head := heads[word - 1]) is not None:
            word = head
        return word

    return tuple(map(topmost, range(1, len(heads) + 1)))


_OUTLOOKS: list[tuple[Any, Outlook]] = [
    (
        NonMonotonicArcEager,
        Outlook(_in_play, _stack_and_heads, _gets_it_from_the_buffer_or_below),
    ),
    (
        SpacyArcEager,
        Outlook(
            _in_play,
            lambda cfg: (_stack_and_headless(cfg), cfg.buffer, cfg.barred, cfg.starts),
            _is_in_play_or_replaces_a_head,
        ),
    ),
    (
        (ArcHybrid, ArcHybridPartial, ArcHybridSpan),
        Outlook(_in_play, _stack_and_headless, _gets_it_from_the_buffer_or_below),
    ),
    (
        (ArcEager, ArcEagerPartial, ArcEagerSpan, ArcSwift),
        Outlook(
            _in_play_without_head,
            _stack_and_headless,
            _gets_it_from_the_buffer,
        ),
    ),
    (
        (ArcEagerBuffer, ArcEagerUnshift),
        Outlook(
            _in_play_without_head,
            lambda cfg: (_stack_and_headless(cfg), cfg.buffer),
            _is_in_play_or_root,
        ),
    ),
    (
        ArcEagerEdit,
        Outlook(
            lambda cfg: {*range(1, len(cfg.heads) + 1)}.difference(cfg.disfluent),
            lambda cfg: (cfg.stack, cfg.front, cfg.heads),
            _has_it_or_comes_back,
        ),
    ),
    (
        ArcEagerRegisters,
        Outlook(
            _without_head,
            lambda cfg: (cfg.stack, cfg.registers, cfg.front, cfg.interval, cfg.closed, cfg.heads),
            _waits_or_is_root,
        ),
    ),
    (LeftCorner, Outlook(_without_head, lambda cfg: (cfg.stack, cfg.complete, cfg.front), _is_root_or_to_come)),
    (LRSpines, Outlook(_without_head, lambda cfg: (cfg.spines, cfg.buffer), _is_on_a_facing_spine)),
    (
        (ListBasedNonProjective, ListBasedProjective, ListBasedNonLocal),
        Outlook(_without_head, lambda cfg: (cfg.list1, cfg.list2, cfg.buffer[:1], _ancestors(cfg)), _can_meet),
    ),
    (
        ListBasedNonMonotonic,
        Outlook(
            lambda cfg: range(1, len(cfg.heads) + 1),
            lambda cfg: (cfg.list1, cfg.buffer[:1], cfg.heads),
            _can_meet_or_is_there,
        ),
    ),
    (
        TwoPlanar,
        Outlook(
            _without_head,
            lambda cfg: (cfg.stack, cfg.inactive_stack, cfg.buffer[:1], cfg.just_switched, _ancestors(cfg)),
            _is_a_front_to_come,
        ),
    ),
    (PointerNonProjective, Outlook(_without_head, lambda cfg: (_ancestors(cfg), 0 in cfg.heads), _is_possible_head)),
    (PointerProjective, Outlook(_without_head, lambda cfg: cfg.heads, _is_possible_head)),
    (
        (StackPointerNonProjective, StackPointerProjective),
        Outlook(_without_head, lambda cfg: (cfg.stack, cfg.heads), _is_on_the_stack_or_has_no_head),
    ),
    (StanzaAttach, Outlook(_without_head, lambda cfg: (cfg.stack, cfg.front, _ancestors(cfg)), _is_in_another_tree)),
    (System, Outlook(_in_play, _stack_and_buffer, _is_in_play)),
]


class BottomUpLoss:
    """The loss as the least cost of a binary tree over the stack and the buffer, by a table of what each span costs.

    A span is put together from two neighboring ones, the root of one of which becomes the head of the other's. What
    stands under the top of the stack cannot be put together before the top is in it.
    """

    def __init__(self, tree: DependencyTree) -> None:
        gold, size = tree.heads, len(tree) + 1
        self._gold = gold
        self._arcs = np.array(
            [[float(gold[word - 1] not in (None, head)) for word in range(size)] for head in range(size)]
        )
        self._arcs[:, 0] = np.inf
        self._spans: dict[tuple[tuple[int, ...], int], npt.NDArray[np.float64]] = {}

    def __call__(self, cfg: Any) -> int:
        heads = zip(cfg.heads, self._gold, strict=True)
        made: int = sum(None not in (head, gold) and head != gold for head, gold in heads)
        on_stack, others = ((), cfg.pending) if isinstance(cfg.system, EasyFirst) else (cfg.stack, cfg.buffer)
        if cfg.is_final:
            return made
        if not cfg.system.has_single_root:
            return made + int(self._costs((*on_stack, *others), max(len(on_stack) - 1, 0)).min())
        # All words have to hang from one of them, which ROOT takes then.
        on_stack, others = [tuple(element for element in elements if element) for elements in (on_stack, others)]
        costs = self._costs((*on_stack, *others), max(len(on_stack) - 1, 0))
        return made + int((costs + self._arcs[0, [*on_stack, *others]]).min())

    def _costs(self, elements: tuple[int, ...], below: int) -> npt.NDArray[np.float64]:
        """For each element of a span what it costs that all others hang from it.

        Args:
            elements: the span.
            below: how many of its elements stand under the top of the stack.
        """
        if (elements, below) not in self._spans:
            costs = np.full(len(elements), np.inf if len(elements) > 1 else 0.0)
            arcs = self._arcs[np.ix_(elements, elements)]
            for end in range(1, len(elements)) if below < len(elements) else ():
                left = self._costs(elements[:end], min(below, end))
                right = self._costs(elements[end:], max(below - end, 0))
                np.minimum(costs[:end], left + (arcs[:end, end:] + right).min(axis=1), out=costs[:end])
                np.minimum(costs[end:], right + (arcs[end:, :end] + left).min(axis=1), out=costs[end:])
            self._spans[elements, below] = costs
        return self._spans[elements, below]
