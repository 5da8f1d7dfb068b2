"""Arc-eager with two registers, for crossing intervals (after Pitler & McDonald 2015)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from deptrees.transition.losses.arc_eager_registers import ArcEagerRegistersLoss
from deptrees.transition.systems.explicit import ExplicitSystem, ReadingConfiguration
from deptrees.transition.transitions import (
    ArcTransition,
    Clear,
    LeftArc,
    Reduce,
    RightArc,
    Shift,
    Store,
    Transition,
)
from deptrees.trees.heads import topmost
from deptrees.trees.projectivity import crossing_interval_degree
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["ArcEagerRegisters", "ArcEagerRegistersConfiguration"]

_REGISTERS = 2
_PLACES = (("s0", "b0"), ("r1", "b0"), ("r2", "b0"), ("s0", "r1"), ("s0", "r2"))
_PLACES_AND_ROOT = (*_PLACES, ("s0", "ROOT"), ("r1", "ROOT"), ("r2", "ROOT"))
"""The two places that an arc joins, for each k: the one further left and the other."""


@attrs.frozen(repr=False)
class ArcEagerRegisters(ExplicitSystem["ArcEagerRegistersConfiguration"]):
    """Arc-eager with two registers, whose words get all arcs that cross others (after Pitler & McDonald 2015).

    A configuration is a stack σ, up to two words in registers ρ, a buffer β, and arcs A. The words in the registers,
    r1 and r2 in the order of the sentence, can be joined with b0, and with s0 if it stands before them; arcs between s0
    and b0 must not cross these. Since the registers were empty, arcs with them have made an *interval*, from the first
    of their ends to the last. Clear empties them.

    ========== ==================================================================== ==================================
    Transition Preconditions                                                        Effect
    ========== ==================================================================== ==================================
    LeftArc    s0 and b0 exist, no path s0 →* b0, s0 and b0 have no head, no        b0 → s0, s0 is taken off
               register and no end of the interval is after s0
    RightArc   s0 and b0 exist, no path b0 →* s0, b0 has no head, no register and   s0 → b0, b0 to σ
               no end of the interval is after s0
    k = 2, 3   r1 or r2 and b0 exist, no cycle, nothing beyond a head               an arc between them
    k = 4, 5   s0 and, after it, r1 or r2 exist, no cycle, nothing beyond a head,   an arc between them; if s0 gets a
               s0 is not before the end of the last interval                        head, it is taken off
    k = 6 to 8 LeftArc only: s0, r1 or r2 exists and has no head                    ROOT → s0, s0 is taken off; or
                                                                                    ROOT → r1; or ROOT → r2
    Reduce     s0 has a head                                                        s0 is taken off
    Clear      there is a register; inside the interval there are no words of σ,    the words in ρ go back, but for
               and no words of ρ without a head                                     those that are done
    Shift      b0 exists                                                            b0 to σ
    Store      b0 exists, a register is free                                        b0 to ρ
    ========== ==================================================================== ==================================

    *No cycle*: the dependent has no head, and there is no path from it to the head. *Nothing beyond a head*: of the two
    words, the one in no register does not have its head and a dependent on the same side, the dependent beyond the
    head. *Done* are words inside the interval, and its first word if it has a head inside. A word that goes back stands
    in front of β if it was read last and there is an interval, otherwise on σ, in the order of the sentence.

    Parsing ends when β is empty and every word has a head. ROOT stands nowhere, and any number of words can become its
    dependents, over any arcs. So the system builds all 2-Crossing Interval trees, and some more: exactly those in which
    `crossing_interval_degree` is at most 2 when the words that depend on ROOT have no head, by enumeration of up to six
    words.

    The idea is that of Pitler & McDonald 2015: arc-eager with two registers for words whose arcs cross, in linear time,
    for trees of this class. We do not know the paper's transitions. Those here are ours, with all preconditions, and it
    is open whether both systems build the same trees or have the same derivations.

    Losses are exact for every gold tree, by search (see `deptrees.transition.losses.arc_eager_registers`), which takes
    exponential time in the worst case, and may end in LossNotFound. With the static oracle it takes milliseconds; off
    its path a long sentence may take a minute. The static oracle adds arcs and reduces as soon as it can, and stores
    nothing that need not be stored.

    A sentence of n words takes between n + 2 and 6n - 3 transitions if n > 1, by enumeration of two and three words.
    More than 6n are impossible: each word gets a head and is reduced at most once, and goes back to β only after an
    arc, so that at most 2n words are read, and registers are emptied no more often.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(3, "Who"), (0, "did"), (2, "you"), (1, "say")])
    >>> for cfg, transition in Oracle(ArcEagerRegisters(), static_oracle)(tree):
    ...     print(cfg.stack, cfg.registers, cfg.buffer, transition)
    () () (1, 2, 3, 4) Store()
    () (1,) (2, 3, 4) Shift()
    (2,) (1,) (3, 4) LeftArc(k=2)
    (2,) (1,) (3, 4) Store()
    (2,) (1, 3) (4,) RightArc(k=2)
    (2,) (1, 3) (4,) RightArc(k=5)
    (2,) (1, 3) (4,) LeftArc(k=6)
    () (1, 3) (4,) Clear()
    () () (4,) Shift()
    """

    transitions = (
        LeftArc(),
        RightArc(),
        Reduce(),
        *[transition for k in range(2, 6) for transition in (LeftArc(k=k), RightArc(k=k))],
        *[LeftArc(k=k) for k in range(6, 9)],
        Clear(),
        Shift(),
        Store(),
    )
    loss = ArcEagerRegistersLoss
    learns_best_from = "static"

    def adds_arc(self, transition: ArcTransition) -> bool:
        return not isinstance(transition, Reduce)

    def obstacle(self, tree: DependencyTree) -> str | None:
        if obstacle := super().obstacle(tree):
            return obstacle
        degree = crossing_interval_degree(tree.reattach([head or None for head in tree.heads]))
        if degree <= _REGISTERS:
            return None
        return f"{self} builds 2-Crossing Interval trees only, and the tree is a {degree}-Crossing Interval tree"

    def initial(self, source: Sentence) -> ArcEagerRegistersConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return ArcEagerRegistersConfiguration(self, source, nothing, nothing, (), (), 1, (), 0)


@attrs.frozen(repr=False)
class ArcEagerRegistersConfiguration(ReadingConfiguration):
    """A configuration (σ, ρ, β, A).

    >>> cfg = ArcEagerRegisters().initial(["That", "I", "know", "works"])
    >>> for transition in (Store(), Shift(), LeftArc(), LeftArc(k=2)):
    ...     cfg = transition(cfg)
    >>> cfg.stack, cfg.registers, cfg.buffer, cfg.arcs, cfg.interval
    ((), (1,), (3, 4), ((3, 1), (3, 2)), (1, 3))
    """

    stack: tuple[int, ...]
    """The stack, its top last."""
    registers: tuple[int, ...]
    """The words in the registers, in the order of the sentence."""
    front: int
    """The first word of the buffer, or one more than there are words."""
    interval: tuple[int, ...]
    """The first and the last end of the arcs with registers since the first was filled; nothing if there are none."""
    closed: int
    """The end of the interval before that: words before it get no arcs with registers."""

    @property
    def is_final(self) -> bool:
        return self.front > len(self.heads) and None not in self.heads

    def _ends(self, k: int) -> dict[str, int]:
        """The two places that arcs with this k join, the one further left first, and what stands there; -1 is none."""
        r1, r2, *_ = *self.registers, -1, -1
        at = {
            "s0": self.stack[-1] if self.stack else -1,
            "b0": self.front if self.front <= len(self.heads) else -1,
            "r1": r1,
            "r2": r2,
            "ROOT": 0,
        }
        return {place: at[place] for place in _PLACES_AND_ROOT[k - 1]}

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        left, right = self._ends(transition.k).values()
        return (right, left) if isinstance(transition, LeftArc) else (left, right)

    def missing(self, transition: Transition) -> str | None:
        if self.is_final:
            return "the configuration is not final"
        if isinstance(transition, (LeftArc, RightArc)):
            return self._missing_for_arc(transition)
        if isinstance(transition, Reduce):
            if transition.k != 1:
                return "k = 1"
            return None if self.stack and self.heads[self.stack[-1] - 1] is not None else "s0 exists and has a head"
        if isinstance(transition, Clear):
            return self._missing_to_clear()
        if not isinstance(transition, (Shift, Store)):
            return "it belongs to this system"
        if self.front > len(self.heads):
            return "b0 exists"
        return "a register is free" if isinstance(transition, Store) and len(self.registers) == _REGISTERS else None

    def _missing_for_arc(self, transition: ArcTransition) -> str | None:
        k, places = transition.k, _PLACES_AND_ROOT if isinstance(transition, LeftArc) else _PLACES
        if not 1 <= k <= len(places):
            return f"k is one of 1 to {len(places)}"
        if lacking := [place for place, element in self._ends(k).items() if element < 0]:
            return f"{lacking[0]} exists"
        head, word = self.arc(transition)
        if self.heads[word - 1] is not None:
            return f"word {word} has no head"
        if topmost(head, self.heads) == word:
            return f"no path leads from {word} to {head}"
        if k == 1:
            return self._missing_without_registers()
        return self._missing_with_registers(head, word) if head else None

    def _missing_without_registers(self) -> str | None:
        if self.heads[self.front - 1] is not None:
            return "b0 has no head"
        if self.registers and self.stack[-1] < max((*self.registers, *self.interval)):
            return "no register and no end of the interval is after s0"
        return None

    def _missing_with_registers(self, head: int, word: int) -> str | None:
        first, last = sorted((head, word))
        if first not in self.registers and first < self.closed:
            return f"word {first} is not before the end of the last interval, word {self.closed}"
        if last not in self.registers and last < self.front:
            return "s0 is before the register"
        if self._reaches_beyond(head, word):
            return "no word outside of the registers has a dependent beyond its head"
        return None

    def _reaches_beyond(self, head: int, word: int) -> bool:
        """Whether an arc gives a word that is in no register a dependent beyond its head."""
        if word not in self.registers:
            return any(self.heads[other - 1] == word and _is_between(head, word, other) for other in self.registers)
        above = self.heads[head - 1]
        return head not in self.registers and above is not None and _is_between(above, head, word)

    def _missing_to_clear(self) -> str | None:
        if not self.registers:
            return "there is a word in a register"
        if any(self.is_inside(word) for word in self.stack):
            return "no word of σ is inside the interval"
        if any(self.is_inside(word) and self.heads[word - 1] is None for word in self.registers):
            return "all words of ρ inside the interval have a head"
        return None

    def is_inside(self, word: int) -> bool:
        """Whether a word stands inside the interval."""
        return bool(self.interval) and self.interval[0] < word < self.interval[1]

    def _after(self, transition: Transition) -> ArcEagerRegistersConfiguration:
        if isinstance(transition, ArcTransition) and self.system.adds_arc(transition):
            return self._joined(transition)
        if isinstance(transition, Clear):
            return self._cleared()
        if isinstance(transition, Reduce):
            return attrs.evolve(self, stack=self.stack[:-1])
        if isinstance(transition, Shift):
            return attrs.evolve(self, stack=(*self.stack, self.front), front=self.front + 1)
        return attrs.evolve(self, registers=(*self.registers, self.front), front=self.front + 1)

    def _joined(self, transition: ArcTransition) -> ArcEagerRegistersConfiguration:
        """The configuration after an arc."""
        head, word = self.arc(transition)
        heads, labels = self._attached(transition)
        stack, front, interval = self.stack, self.front, self.interval
        if word in stack[-1:]:
            stack = stack[:-1]
        if transition.k == 1 and word == front:
            stack, front = (*stack, front), front + 1
        elif transition.k > 1 and head:
            ends = (head, word, *interval)
            interval = (min(ends), max(ends))
        return attrs.evolve(self, heads=heads, labels=labels, stack=stack, front=front, interval=interval)

    def _cleared(self) -> ArcEagerRegistersConfiguration:
        """The configuration after Clear."""
        back = [word for word in self.registers if not self._is_done(word)]
        front, closed = self.front, self.closed
        if self.interval:
            closed = self.interval[1]
            if back[-1:] == [front - 1]:
                front = back.pop()
        stack = tuple(sorted((*self.stack, *back)))
        return attrs.evolve(self, stack=stack, registers=(), front=front, interval=(), closed=closed)

    def _is_done(self, word: int) -> bool:
        """Whether a word in a register is inside the interval, or the first of it, with a head inside."""
        if self.is_inside(word):
            return True
        head = self.heads[word - 1]
        return bool(self.interval) and head is not None and self.interval[0] == word < head <= self.interval[1]

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        # What is in registers is seen below s0. The two ends of an arc come first.
        left, right = self._ends(k).values()
        before = [*self.stack[-1:], *self.registers[::-1], *self.stack[-2::-1]]
        return _first(left, before), _first(right, self.buffer)

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "ρ": self.registers, "β": self.buffer}


def _is_between(position: int, one: int, other: int) -> bool:
    """Whether a position is between two others."""
    return min(one, other) < position < max(one, other)


def _first(element: int, others: Sequence[int]) -> tuple[int, ...]:
    """An element, if it is one, and the others."""
    return (element, *[other for other in others if other != element]) if element >= 0 else tuple(others)
