"""Vectors of heads: whether they form a tree, whether it is projective, and the projective order of its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from more_itertools import ilen

from deptrees.messages import quoted

__all__ = [
    "TreeError",
    "check_heads",
    "count_cycles",
    "heads_are_projective",
    "projective_components",
    "projective_order",
    "topmost",
]

Heads = tuple[int | None, ...]
_SHOWN = 10  # words of a cycle that a message names at most


class TreeError(ValueError):
    """The heads given do not form a tree.

    Attributes:
        word: position of the first word at fault; the id of an extra token if that is at fault.
    """

    def __init__(self, word: int | str, message: str) -> None:
        super().__init__(message)
        self.word = word

    def __reduce__(self) -> tuple[type[TreeError], tuple[int | str, str]]:
        return TreeError, (self.word, str(self))


def check_heads(heads: Heads) -> None:
    """Raise a TreeError unless every head exists and the arcs form no cycle."""
    for word, head in enumerate(heads, 1):
        if head is not None and not 0 <= head <= len(heads):
            raise TreeError(word, f"the head of word {word} is {quoted(head)}, which is not one of 0 to {len(heads)}")
        if head == word:
            raise TreeError(word, f"word {word} is its own head")
    for word in _in_cycles(heads):
        raise TreeError(word, f"words {_cycle(word, heads)} form a cycle")


def _in_cycles(heads: Sequence[int | None]) -> Iterator[int]:
    """A word of each cycle."""
    reached_from = [0] * (len(heads) + 1)
    for start in range(1, len(heads) + 1):
        ancestor: int | None = start
        while ancestor and not reached_from[ancestor]:
            reached_from[ancestor] = start
            ancestor = heads[ancestor - 1]
        if ancestor and reached_from[ancestor] == start:
            yield ancestor


def _cycle(start: int, heads: Heads) -> str:
    """The words of a cycle, each followed by its head; of a long one the first few."""
    words = [start]
    while len(words) == 1 or words[-1] != start:
        if len(words) == _SHOWN:
            return " ← ".join([*map(str, words), "..."])
        words.append(heads[words[-1] - 1] or 0)
    return " ← ".join(map(str, words))


def count_cycles(heads: Sequence[int | None]) -> int:
    """How many cycles heads form: each word has one head, so cycles share no word, and removing one arc breaks each.

    >>> count_cycles((2, 1, 4, 3, 3, 0, None))
    2
    """
    return ilen(_in_cycles(heads))


def heads_are_projective(heads: Heads) -> bool:
    """Whether missing heads, if there are any, can be chosen so that every arc spans only descendants of its head."""
    return _has_no_crossing_arcs(heads) and (None not in heads or _leaves_room_for_heads(heads))


def _has_no_crossing_arcs(heads: Heads) -> bool:
    n = len(heads)
    right_ends: list[list[int]] = [[] for _ in range(n + 1)]  # of the arcs that begin at each position
    for word, head in enumerate(heads, 1):
        if head is not None:
            left, right = (head, word) if head < word else (word, head)
            right_ends[left].append(right)
    innermost = n + 1
    enclosing: list[int] = []  # the right ends of the arcs around the innermost open one
    for position, ends in enumerate(right_ends):
        while innermost <= position:
            innermost = enclosing.pop()
        ends.sort(reverse=True)
        for end in ends:
            if end > innermost:
                return False
            enclosing.append(innermost)
            innermost = end
    return True


def _leaves_room_for_heads(heads: Heads) -> bool:
    """Whether no word without a head stands below an arc between its own descendants; no arcs may cross."""
    ancestors = _topmost_ancestors(heads)
    for word, head in enumerate(heads, 1):
        if head is not None:
            ancestor = ancestors[head]
            if min(word, head) < ancestor < max(word, head) and heads[ancestor - 1] is None:
                return False
    return True


def _topmost_ancestors(heads: Heads) -> list[int]:
    """``topmost`` for each position, in linear time."""
    found = [0, *[-1] * len(heads)]
    for start in range(1, len(heads) + 1):
        word, way = start, []
        while found[word] < 0:
            way.append(word)
            if (head := heads[word - 1]) is None:
                found[word] = word
            else:
                word = head
        for passed in way:
            found[passed] = found[word]
    return found


def topmost(word: int, heads: Heads) -> int:
    """The last ancestor reached by following the heads, which must not form a cycle.

    >>> topmost(3, (0, None, 2, 1)), topmost(4, (0, None, 2, 1))
    (2, 0)
    """
    while word and (head := heads[word - 1]) is not None:
        word = head
    return word


def projective_order(heads: Heads) -> tuple[int, ...]:
    """For each position (0 to n), its rank in the order that makes the tree projective; see DependencyTree."""
    if None in heads and heads_are_projective(heads):
        return tuple(range(len(heads) + 1))
    dependents: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        dependents[head or 0].append(word)
    ranks = [0] * (len(heads) + 1)
    rank = 0
    todo = [(0, False)]  # a word, and whether its left dependents are done
    while todo:
        word, left_is_done = todo.pop()
        if left_is_done:
            ranks[word] = rank
            rank += 1
        else:
            todo += [(dependent, False) for dependent in reversed(dependents[word]) if dependent > word]
            todo.append((word, True))
            todo += [(dependent, False) for dependent in reversed(dependents[word]) if dependent < word]
    return tuple(ranks)


def projective_components(heads: Heads) -> tuple[int, ...]:
    """For each position (0 to n), the root of its maximal projective component; see DependencyTree."""
    missing = [0] * (len(heads) + 1)  # dependents that have not been attached
    for head in heads:
        missing[head or 0] += 1
    component = list(range(len(heads) + 1))
    attached: list[int] = []
    stack: list[int] = []
    for word in range(len(heads) + 1):
        stack.append(word)
        while len(stack) > 1:
            left, right = stack[-2:]
            if left and heads[left - 1] == right and not missing[left]:
                dependent, head = left, right
                del stack[-2]
            elif heads[right - 1] == left and not missing[right]:
                dependent, head = right, left
                del stack[-1]
            else:
                break
            component[dependent] = head
            attached.append(dependent)
            missing[head] -= 1
    for word in reversed(attached):  # heads before their dependents
        component[word] = component[component[word]]
    return tuple(component)
