"""The words in which a stack-and-buffer system is written down.

A system is a tuple of rows, one a transition: when it is possible, what it does, and which gold arcs it loses. Rows are
plain data; whatever needs them reads them: `deptrees.transition.compiler` makes Python functions of them, and ``str``
of any part gives the field's notation.
"""

from __future__ import annotations

from typing import Literal

import attrs

from deptrees.transition.transitions import Transition

__all__ = [
    "B0",
    "B1",
    "BUFFER",
    "BUFFER_REST",
    "S0",
    "S1",
    "STACK",
    "STACK_REST",
    "UNATTACHED",
    "Condition",
    "Effect",
    "Lost",
    "Place",
    "Region",
    "Row",
    "arc",
    "at",
    "attached",
    "children",
    "drop",
    "empty",
    "exists",
    "first",
    "gold",
    "head",
    "last",
    "missing",
    "near",
    "pending",
    "push",
    "short",
    "unattached",
    "word",
]


@attrs.frozen
class Place:
    """One place of a configuration: s0 is the top of the stack, b0 the front of the buffer, higher numbers lie behind.

    >>> str(S1), str(B0)
    ('s1', 'b0')
    """

    side: Literal["s", "b"]
    index: int

    def __str__(self) -> str:
        return f"{self.side}{self.index}"


S0, S1 = Place("s", 0), Place("s", 1)
B0, B1 = Place("b", 0), Place("b", 1)


@attrs.frozen
class Region:
    """A set of positions; ``&`` intersects two of them.

    >>> str(STACK & UNATTACHED)
    'σ ∩ unattached'
    """

    parts: tuple[str | Place | tuple[Literal["near"], Place], ...]

    def __and__(self, other: Region) -> Region:
        return Region(self.parts + other.parts)

    def __str__(self) -> str:
        return " ∩ ".join(
            f"{{{part}}}" if isinstance(part, Place) else part if isinstance(part, str) else f"near {part[1]}"
            for part in self.parts
        )


STACK = Region(("σ",))
STACK_REST = Region(("σ below s0",))
BUFFER = Region(("β",))
BUFFER_REST = Region(("β behind b0",))
UNATTACHED = Region(("unattached",))
"""The words without a head. ROOT, which is not a word, is not among them."""


def near(place: Place) -> Region:
    """The positions that are not further from a place than the longest arc that the system builds."""
    return Region((("near", place),))


def at(place: Place) -> Region:
    """The region that holds one place only, empty if nothing is there."""
    return Region((place,))


@attrs.frozen
class Condition:
    """Something that holds in a configuration or not; ``|`` and ``~`` combine conditions.

    Args:
        kind: what is asked.
        operands: the places, regions or conditions it is asked of.
        root: if given, asked only where ROOT stands in this position.

    >>> str(exists(B1) | empty(STACK & UNATTACHED))
    'b1 exists or no σ ∩ unattached'
    >>> str(~gold(S0, S1))
    'not (s0 → s1 in gold)'
    """

    kind: Literal[
        "exists", "missing", "word", "attached", "unattached", "empty", "short", "gold", "pending", "or", "not"
    ]
    operands: tuple[Place | Region | Condition, ...]
    root: Literal["first", "last"] | None = None

    def __or__(self, other: Condition) -> Condition:
        return Condition("or", (self, other))

    def __invert__(self) -> Condition:
        return Condition("not", (self,))

    def __str__(self) -> str:
        text = _NOTATION[self.kind].format(*self.operands)
        return text if self.root is None else f"ROOT {self.root}: {text}"


_NOTATION = {
    "exists": "{0} exists",
    "missing": "no {0}",
    "word": "{0} ≠ 0",
    "attached": "{0} has a head",
    "unattached": "{0} has no head",
    "empty": "no {0}",
    "short": "|{0} − {1}| ≤ max_span",
    "gold": "{0} → {1} in gold",
    "pending": "{0} has gold dependents in β",
    "or": "{0} or {1}",
    "not": "not ({0})",
}


def exists(place: Place) -> Condition:
    """Something stands at the place: a word or ROOT."""
    return Condition("exists", (place,))


def missing(place: Place) -> Condition:
    """Nothing stands at the place."""
    return Condition("missing", (place,))


def word(place: Place) -> Condition:
    """A word stands at the place: not nothing, and not ROOT."""
    return Condition("word", (place,))


def attached(place: Place) -> Condition:
    """The word at the place has a head; to be asked behind ``word(place)``."""
    return Condition("attached", (place,))


def unattached(place: Place) -> Condition:
    """The word at the place has no head; to be asked behind ``word(place)``."""
    return Condition("unattached", (place,))


def empty(region: Region) -> Condition:
    """Nothing is in the region."""
    return Condition("empty", (region,))


def short(head: Place, dependent: Place) -> Condition:
    """An arc between the two places is not longer than the longest that the system builds."""
    return Condition("short", (head, dependent))


def gold(head: Place, dependent: Place) -> Condition:
    """The gold tree has this arc."""
    return Condition("gold", (head, dependent))


def pending(place: Place) -> Condition:
    """The word at the place has gold dependents in the buffer."""
    return Condition("pending", (place,))


def first(condition: Condition) -> Condition:
    """The condition, asked only of systems that have ROOT in first position."""
    return attrs.evolve(condition, root="first")


def last(condition: Condition) -> Condition:
    """The condition, asked only of systems that have ROOT in last position."""
    return attrs.evolve(condition, root="last")


@attrs.frozen
class Effect:
    """One thing that a transition does.

    >>> str(arc(S0, B0)), str(push(B0)), str(drop(S1))
    ('s0 → b0', 'push b0', 'remove s1')
    """

    kind: Literal["arc", "push", "drop"]
    places: tuple[Place, ...]

    def __str__(self) -> str:
        return {"arc": "{0} → {1}", "push": "push {0}", "drop": "remove {0}"}[self.kind].format(*self.places)


def arc(head: Place, dependent: Place) -> Effect:
    """Add an arc, instead of the one the dependent has if it has one."""
    return Effect("arc", (head, dependent))


def push(place: Place) -> Effect:
    """Move the front of the buffer to the top of the stack."""
    return Effect("push", (place,))


def drop(place: Place) -> Effect:
    """Remove an element of the stack."""
    return Effect("drop", (place,))


@attrs.frozen
class Lost:
    """Gold arcs that can still be built before a transition and not behind it.

    >>> str(head(B0, STACK)), str(children(S0, BUFFER))
    ('σ → b0', 's0 → β')
    """

    kind: Literal["head", "children"]
    place: Place
    region: Region
    among: Region | None = None

    def __str__(self) -> str:
        place = f"{self.place}" if self.among is None else f"{{{self.place}}} ∩ {self.among}"
        return f"{self.region} → {place}" if self.kind == "head" else f"{place} → {self.region}"


def head(place: Place, region: Region, among: Region | None = None) -> Lost:
    """The gold arc to the word at the place, if its head is in the region, and the word itself among some others."""
    return Lost("head", place, region, among)


def children(place: Place, region: Region) -> Lost:
    """The gold arcs from the word at the place to words in the region."""
    return Lost("children", place, region)


@attrs.frozen
class Row:
    """One transition of a stack-and-buffer system.

    A row says by which gold arcs it loses when it is right to take the transition; in a system that is not
    arc-decomposable, where lost arcs do not tell, it says so by conditions on the gold tree.

    Args:
        transition: the kind of transition.
        when: the preconditions, all of which must hold.
        do: the effects.
        loses: the gold arcs that become unreachable.
        correct: the conditions under which the gold tree, if it can be reached before, can be reached behind.
    """

    transition: type[Transition]
    when: tuple[Condition, ...]
    do: tuple[Effect, ...]
    loses: tuple[Lost, ...] | None = attrs.field(default=None, converter=attrs.converters.optional(tuple[Lost, ...]))
    correct: tuple[Condition, ...] | None = None

    @property
    def dependent(self) -> Place | None:
        """The place of the word that gets a head."""
        return next((effect.places[1] for effect in self.do if effect.kind == "arc"), None)

    def __attrs_post_init__(self) -> None:
        if (self.loses is None) == (self.correct is None):
            raise ValueError(f"the row of {self.transition.__name__} needs either loses=... or correct=...")
