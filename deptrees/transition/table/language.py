"""The vocabulary in which stack-and-buffer systems are written.

A system is a tuple of rows, one a transition: when it is possible, what it does, and which gold arcs it loses. Rows are
plain data; whatever needs them reads them: `deptrees.transition.table.compiler` makes Python functions of them, and
``str`` of any part gives the field's notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import attrs

from deptrees.messages import quoted
from deptrees.transition.transitions import Transition

__all__ = [
    "ABOVE_SK",
    "ANYWHERE",
    "B0",
    "B1",
    "BELOW_SK",
    "BUFFER",
    "BUFFER_REST",
    "S0",
    "S1",
    "SK",
    "STACK",
    "STACK_REST",
    "UNATTACHED",
    "Condition",
    "Effect",
    "Lost",
    "Place",
    "Region",
    "Row",
    "Variant",
    "arc",
    "at",
    "attached",
    "back",
    "before",
    "complete",
    "dependents",
    "drop",
    "empty",
    "exists",
    "first",
    "gold",
    "gold_before",
    "head",
    "last",
    "lazy",
    "missing",
    "near",
    "no_head",
    "passed",
    "pending",
    "push",
    "rootless",
    "same_component",
    "short",
    "single",
    "single_root",
    "unattached",
    "word",
]


@attrs.frozen
class Place:
    """One place of a configuration: s0 is the top of the stack, s1 is below it; b0 is the front of the buffer, then b1.

    The place sk is the k-th element of the stack, for the k of the transition: s0 if it is 1.

    >>> str(S1), str(B0), str(SK)
    ('s1', 'b0', 'sk')
    """

    side: Literal["s", "b"]
    index: int | Literal["k"]

    def __str__(self) -> str:
        return f"{self.side}{self.index}"


S0, S1 = Place("s", 0), Place("s", 1)
B0, B1 = Place("b", 0), Place("b", 1)
SK = Place("s", "k")
"""The k-th element of the stack, for the k of the transition: s0 if it is 1."""


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
"""The whole stack."""
STACK_REST = Region(("σ below s0",))
"""The stack without its top."""
ABOVE_SK = Region(("σ above sk",))
"""What is above sk in the stack."""
BELOW_SK = Region(("σ below sk",))
"""What is below sk in the stack."""
BUFFER = Region(("β",))
"""The whole buffer."""
BUFFER_REST = Region(("β after b0",))
"""The buffer without its front."""
UNATTACHED = Region(("unattached",))
"""The words without a head. ROOT, which is not a word, is not among them."""
ANYWHERE = Region(("anywhere",))
"""The whole sentence."""


def near(place: Place) -> Region:
    """The positions that are not further from a place than the longest arc that the system builds."""
    return Region((("near", place),))


def at(place: Place) -> Region:
    """The region that holds one place only, empty if nothing is there."""
    return Region((place,))


Variant = Literal["first", "last", "none", "single root", "lazy", "empty meant"]
"""What tells the variants of a system apart: where ROOT stands, a single root, whether swaps wait, and whether words
without a gold head are meant to stay without one."""


@attrs.frozen
class Condition:
    """Something that is true or false in a configuration; ``|`` and ``~`` combine conditions.

    Args:
        kind: which condition it is, by its key in the notation.
        operands: the places, regions or conditions that it is about.
        only: the condition applies only to variants of the system with all of these properties.

    >>> str(exists(B1) | empty(STACK & UNATTACHED))
    'b1 exists or σ ∩ unattached is empty'
    >>> str(~gold(S0, S1)), str(first(single_root(missing(B0))))
    ('not (s0 → s1 in gold)', 'single root, ROOT first: there is no b0')
    """

    kind: str
    operands: tuple[Place | Region | Condition, ...]
    only: tuple[Variant, ...] = ()

    @property
    def places(self) -> Iterator[Place]:
        """The places that it is about.

        >>> [str(place) for place in (exists(B1) | single(at(S0))).places]
        ['b1', 's0']
        """
        for operand in self.operands:
            if isinstance(operand, Place):
                yield operand
            elif isinstance(operand, Condition):
                yield from operand.places
            else:
                yield from (part for part in operand.parts if isinstance(part, Place))

    def __or__(self, other: Condition) -> Condition:
        return Condition("or", (self, other))

    def __invert__(self) -> Condition:
        return Condition("not", (self,))

    def __str__(self) -> str:
        return for_variants(self.only, _NOTATION[self.kind].format(*self.operands))


def for_variants(variants: tuple[Variant, ...], text: str) -> str:
    """A text that is about certain variants of a system only, with their names in front."""
    return f"{', '.join(_ROOTS.get(variant, variant) for variant in variants)}: {text}" if variants else text


_ROOTS = {"first": "ROOT first", "last": "ROOT last", "none": "no ROOT"}

_NOTATION = {
    "exists": "{0} exists",
    "missing": "there is no {0}",
    "word": "{0} ≠ 0",
    "attached": "{0} has a head",
    "unattached": "{0} has no head",
    "empty": "{0} is empty",
    "single": "{0} has at most one word",
    "short": "|{0} − {1}| ≤ max_span",
    "before": "{0} < {1}",
    "gold": "{0} → {1} in gold",
    "pending": "{0} has gold dependents in β",
    "complete": "{0} has all its gold dependents",
    "gold before": "{0} before {1} in gold",
    "passed": "{0} is to be passed",
    "same component": "{0} and {1} in one component",
    "or": "{0} or {1}",
    "not": "not ({0})",
}


def exists(place: Place) -> Condition:
    """There is something at the place: a word or ROOT."""
    return Condition("exists", (place,))


def missing(place: Place) -> Condition:
    """There is nothing at the place."""
    return Condition("missing", (place,))


def word(place: Place) -> Condition:
    """There is a word at the place, which is not ROOT."""
    return Condition("word", (place,))


def attached(place: Place) -> Condition:
    """The word at the place has a head; use it after ``word(place)``."""
    return Condition("attached", (place,))


def unattached(place: Place) -> Condition:
    """The word at the place has no head; use it after ``word(place)``."""
    return Condition("unattached", (place,))


def empty(region: Region) -> Condition:
    """Nothing is in the region."""
    return Condition("empty", (region,))


def single(region: Region) -> Condition:
    """At most one position is in the region."""
    return Condition("single", (region,))


def short(head: Place, dependent: Place) -> Condition:
    """An arc between the two places is not longer than the longest that the system builds."""
    return Condition("short", (head, dependent))


def before(left: Place, right: Place) -> Condition:
    """The word at the first place comes before that at the second in the sentence; both places must be occupied."""
    return Condition("before", (left, right))


def gold(head: Place, dependent: Place) -> Condition:
    """The gold tree has this arc."""
    return Condition("gold", (head, dependent))


def pending(place: Place) -> Condition:
    """The word at the place has gold dependents in the buffer."""
    return Condition("pending", (place,))


def complete(place: Place) -> Condition:
    """All gold dependents of the word at the place have heads."""
    return Condition("complete", (place,))


def gold_before(left: Place, right: Place) -> Condition:
    """The word at the first place comes before that at the second in the gold tree's ``projective_order``."""
    return Condition("gold before", (left, right))


def passed(place: Place) -> Condition:
    """A later word of the buffer comes before the word at the place in the gold tree's ``projective_order``."""
    return Condition("passed", (place,))


def same_component(one: Place, other: Place) -> Condition:
    """The words at the places are in one of the gold tree's ``projective_components``; both must be occupied."""
    return Condition("same component", (one, other))


def _only(condition: Condition, variant: Variant) -> Condition:
    return attrs.evolve(condition, only=(*condition.only, variant))


def first(condition: Condition) -> Condition:
    """The condition, for systems with ROOT first only."""
    return _only(condition, "first")


def last(condition: Condition) -> Condition:
    """The condition, for systems with ROOT last only."""
    return _only(condition, "last")


def rootless(condition: Condition) -> Condition:
    """The condition, for systems without ROOT only."""
    return _only(condition, "none")


def single_root(condition: Condition) -> Condition:
    """The condition, for systems that give ROOT a single dependent only."""
    return _only(condition, "single root")


def lazy(condition: Condition) -> Condition:
    """The condition, for the oracle that swaps as late as possible only."""
    return _only(condition, "lazy")


@attrs.frozen
class Effect:
    """One thing that a transition does.

    >>> str(arc(S0, B0)), str(push(B0)), str(drop(S1)), str(back(S0, after=B0))
    ('s0 → b0', 'push b0', 'remove s1', 'put s0 after b0')
    """

    kind: Literal["arc", "push", "drop", "back", "back after"]
    operands: tuple[Place | Region, ...]

    def __str__(self) -> str:
        return {
            "arc": "{0} → {1}",
            "push": "push {0}",
            "drop": "remove {0}",
            "back": "put {0} in front of β",
            "back after": "put {0} after {1}",
        }[self.kind].format(*self.operands)


def arc(head: Place, dependent: Place) -> Effect:
    """Add an arc, which replaces any arc that the dependent already has."""
    return Effect("arc", (head, dependent))


def push(place: Place) -> Effect:
    """Move the front of the buffer to the top of the stack."""
    return Effect("push", (place,))


def drop(what: Place | Region) -> Effect:
    """Remove an element of the stack, or all elements of a region: those above sk."""
    return Effect("drop", (what,))


def back(place: Place, after: Place | None = None) -> Effect:
    """Move an element of the stack back to the front of the buffer, or right after the front."""
    return Effect("back", (place,)) if after is None else Effect("back after", (place, after))


@attrs.frozen
class Lost:
    """What the gold tree has that can be built before a transition but not after it: arcs, or an empty head.

    >>> str(head(B0, STACK)), str(dependents(S0, BUFFER)), str(no_head(S0))
    ('σ → b0', 's0 → β', 'empty meant: ∅ → s0')
    >>> str(head(S0, BUFFER, unattached(S0)))
    'β → s0 if s0 has no head'
    """

    kind: Literal["head", "dependents", "no head"]
    place: Place | Region
    region: Region
    when: tuple[Condition, ...] = ()
    only: tuple[Variant, ...] = ()

    def __str__(self) -> str:
        arcs = {"head": "{1} → {0}", "dependents": "{0} → {1}", "no head": "∅ → {0}"}[self.kind]
        when = f" if {' and '.join(map(str, self.when))}" if self.when else ""
        return for_variants(self.only, arcs.format(self.place, self.region) + when)


def head(place: Place, region: Region, *when: Condition) -> Lost:
    """The gold arc to the word at the place, if its head is in a region, and these conditions hold."""
    return Lost("head", place, region, when)


def dependents(place: Place | Region, region: Region, *when: Condition) -> Lost:
    """The gold arcs from the word at the place, or from those in a region, to a region, if these conditions hold."""
    return Lost("dependents", place, region, when)


def no_head(place: Place) -> Lost:
    """That the word at the place stays without a head, if it is meant to in the gold tree."""
    return Lost("no head", place, ANYWHERE, only=("empty meant",))


def _is_behind(one: Place, other: Place) -> bool:
    """Whether there is something at a place if there is at one that is deeper."""
    if one.side != other.side or isinstance(one.index, str) or isinstance(other.index, str):
        return False
    return one.index > other.index


def _as_tuple(parts: Iterable[object] | None) -> Any:
    """The parts of a row as a tuple; a single one stays as it is, for the row to refuse."""
    return tuple(parts) if isinstance(parts, Iterable) else parts


@attrs.frozen
class Row:
    """One transition of a stack-and-buffer system.

    The gold arcs that a row loses say when its transition is right. In a system that is not arc-decomposable they do
    not suffice, and conditions on the gold tree say so instead: those of all right transitions or, if these are not
    known, those of one. A row that has such conditions may have both: see `deptrees.transition.table.static_dynamic`.

    Args:
        transition: the kind of transition.
        when: the preconditions.
        do: the effects.
        loses: the gold arcs, or empty gold heads, that become unreachable; with ``canonical``, unless words are swapped
            otherwise than the static oracle swaps them.
        correct: the conditions under which a gold tree that is reachable before the transition is still so after it.
        canonical: the conditions under which the static oracle takes the transition.
        k: the k of the transition; ``None`` if the row is for every k, with the place sk for the k-th element.

    Raises:
        TypeError: the transition is no class of transitions, or one of the others is no tuple of conditions, effects or
            lost arcs: a tuple of one part needs a comma.
        ValueError: nothing says when the transition is right, or both ``correct`` and ``canonical`` do.
    """

    transition: type[Transition]
    when: tuple[Condition, ...] = attrs.field(converter=_as_tuple)
    do: tuple[Effect, ...] = attrs.field(converter=_as_tuple)
    loses: tuple[Lost, ...] | None = attrs.field(default=None, converter=_as_tuple)
    correct: tuple[Condition, ...] | None = attrs.field(default=None, converter=_as_tuple)
    canonical: tuple[Condition, ...] | None = attrs.field(default=None, converter=_as_tuple)
    k: int | None = 1

    @property
    def arc(self) -> tuple[Place, Place] | None:
        """The places of the head and the dependent of the arc that is added."""
        for effect in self.do:
            match effect.kind, effect.operands:
                case "arc", (Place() as head, Place() as dependent):
                    return head, dependent
        return None

    @property
    def dependent(self) -> Place | None:
        """The place of the word that gets a head."""
        return self.arc[1] if self.arc else None

    @property
    def tells_cost(self) -> bool:
        """Whether the transition costs what the row loses, as in arc-decomposable systems."""
        return self.loses is not None and self.correct is None and self.canonical is None

    def __attrs_post_init__(self) -> None:
        if not (isinstance(self.transition, type) and issubclass(self.transition, Transition)):
            raise TypeError(f"the transition of a row is a class, such as Shift, not {quoted(self.transition)}")
        row = f"the row of {self.transition.__name__}"
        for name, kind in _PARTS.items():
            parts: Any = getattr(self, name)
            if isinstance(parts, kind):
                raise TypeError(f"{row}: {name}= is a tuple, which needs a comma if it has one part: ({parts},)")
            if wrong := [part for part in parts or () if not isinstance(part, kind)]:
                raise TypeError(f"{row}: a part of {name}= is of type {kind.__name__}, not {quoted(wrong[0])}")
        if self.loses is None and self.correct is None and self.canonical is None:
            raise ValueError(f"{row} needs one of loses=..., correct=... and canonical=...")
        if self.correct is not None and self.canonical is not None:
            raise ValueError(f"{row} has both correct=... and canonical=...: give one")
        object.__setattr__(self, "when", (*self._missing_conditions(), *self.when))

    def _missing_conditions(self) -> Iterator[Condition]:
        """That what the row acts upon is there, and a word if it gets a head, where the preconditions do not say so."""
        always = [condition for condition in self.when if not condition.only]
        words = [condition.operands[0] for condition in always if condition.kind == "word"]
        others = [condition.operands[0] for condition in always if condition.kind == "exists"]
        said = [place for place in (*words, *others) if isinstance(place, Place)]
        asked = [place for effect in self.do for place in effect.operands if isinstance(place, Place)]
        for place in dict.fromkeys(asked):
            behind = [other for other in said if _is_behind(other, place)]
            if place == self.dependent and place not in words and not behind:
                yield word(place)
            elif place not in said and not behind:
                yield exists(place)


_PARTS = {"when": Condition, "do": Effect, "loses": Lost, "correct": Condition, "canonical": Condition}
"""What the tuples of a row are made of."""
