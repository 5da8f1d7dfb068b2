"""Target arcs: the gold arcs that are to be built from a configuration on.

In these systems a word leaves stack and buffer when it gets its head. As long as it is on one of them it is
*unsettled*, and can be the head of others. A word without a target arc is *free*: any head will do.

Everything here rests on one invariant: **to drop a target arc never makes the others harder to build.** A derivation
that builds some arcs builds any part of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING

from deptrees.transition.transitions import Transition

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration

__all__ = ["TargetArcs", "safe_arcs"]


class TargetArcs:
    """Gold arcs between unsettled words that are to be built together.

    Args:
        heads: the head of each word that has a target arc.

    >>> targets = TargetArcs({1: 2, 2: 0})
    >>> targets.is_isolated(1), targets.is_isolated(3), targets.without({2}).heads, targets.between(0b101).heads
    (False, True, {1: 2}, {2: 0})
    """

    def __init__(self, heads: dict[int, int]) -> None:
        self.heads = heads
        self.waiting = sum([1 << word for word in heads])
        """The words that have a target arc, as the bits of an integer."""
        self.dependents: dict[int, int] = {}
        """For each head the words that are to become its dependents, as the bits of an integer."""
        for word, head in heads.items():
            self.dependents[head] = self.dependents.get(head, 0) | 1 << word

    @classmethod
    def remaining(cls, cfg: StackBufferConfiguration, gold: Sequence[int | None]) -> TargetArcs:
        """The target arcs of a configuration: the gold arcs, where they are known, both ends of which are unsettled."""
        known = cls({word: head for word, head in enumerate(gold, 1) if head is not None})
        return known.between(cfg.stack_bits | cfg.buffer_bits)

    def is_isolated(self, word: int) -> bool:
        """Whether a word is in no target arc, neither as a dependent nor as a head."""
        return word not in self.heads and word not in self.dependents

    def lost(self, words: int) -> int:
        """How many target arcs lead to one of some words, the bits of an integer, from none of them."""
        return sum([(own & words).bit_count() for head, own in self.dependents.items() if not words >> head & 1])

    def between(self, words: int) -> TargetArcs:
        """The target arcs both ends of which are among some words, the bits of an integer."""
        heads = self.heads.items()
        return TargetArcs({word: head for word, head in heads if words >> word & 1 and words >> head & 1})

    def of(self, words: Iterable[int]) -> TargetArcs:
        """The target arcs of some words only."""
        return TargetArcs({word: self.heads[word] for word in words})

    def without(self, words: Set[int]) -> TargetArcs:
        """The target arcs of all other words."""
        return TargetArcs({word: head for word, head in self.heads.items() if word not in words}) if words else self


def safe_arcs(
    cfg: StackBufferConfiguration, targets: TargetArcs
) -> Iterator[tuple[Transition, StackBufferConfiguration]]:
    """The possible transitions that attach a complete word to its target head, or to any head if it is free.

    A word is complete when it has all dependents that target arcs give to it. Then it is needed no longer, and the
    transition, which comes with the configuration after it, takes away no target arc.

    >>> from deptrees.transition import ArcStandard, Shift
    >>> cfg = Shift()(Shift()(ArcStandard().initial(["Birds", "sing"])))
    >>> [transition for transition, _ in safe_arcs(cfg, TargetArcs({1: 2, 2: 0}))]
    [LeftArc()]
    """
    unsettled = cfg.stack_bits | cfg.buffer_bits
    for transition in cfg.possible_transitions():
        word = cfg.dependent(transition)
        if word is not None and not targets.dependents.get(word, 0) & unsettled:
            successor = transition(cfg)
            if word not in targets.heads or successor.latest_arc[0] == targets.heads[word]:
                yield transition, successor
