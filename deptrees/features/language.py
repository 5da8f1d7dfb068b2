"""Feature templates: what a linear model looks at, in a small language.

A template is one or more parts joined by ``+``. A part names a word and what to look at in it, as in ``s0.form`` or
``s0.left.deprel``:

=================== ==================================================================================================
a word              ``s0``, ``s1``, ... (the stack, its top first), ``b0``, ``b1``, ... (the buffer, its front first),
                    up to 255; in systems without them, what stands left and right of where they work
from there on       ``.head``; ``.left``, ``.right`` (the outermost dependent on that side), ``.left2``, ``.right2``
                    (the next one); ``.beyond`` (the head or, of a word that has none, the next element of the stack or
                    the buffer, away from their top and front)
then one of         ``.form``, ``.lemma``, ``.upos``, ``.xpos``, ``.feats``, ``.feats.Case`` (or any other feature);
                    ``.misc``, ``.misc.KnownHead`` (or any other value in MISC); ``.cluster`` (what the set's
                    ``clusters`` say of the form); ``.deprel`` (the label of its arc so far); ``.left_valency``,
                    ``.right_valency`` (how many dependents it has on that side so far), ``.left_labels``,
                    ``.right_labels`` (their labels, in any order)
or numbers          ``.embedding`` (the vector that the set's ``embeddings`` have for the form), ``.number.Length`` (the
                    number in MISC under this key, or any other)
other parts         ``distance(s0,b0)`` (from one word to the other, at most 10); ``history1``, ``history2``, ... (the
                    last transition, the one before it, ..., up to 4)
=================== ==================================================================================================

A feature is a template with the values found. A model sees it as a 64-bit number that depends on nothing else, so
models outlive the process and the treebank that they were made with. Such a feature is present or absent. A template
with numbers stands for features with values, by which their weights are multiplied: one for each number of the vector,
separately for each value of its other parts. It can name numbers only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import attrs
from more_itertools import first

from deptrees.files.limits import PLACE
from deptrees.messages import of_type, quoted
from deptrees.treebanks.columns import WORD_COLUMNS

__all__ = [
    "CLUSTER",
    "DEPENDENTS",
    "EMBEDDING",
    "LONGEST_HISTORY",
    "NUMBER",
    "RELATIONS",
    "STATES",
    "Attribute",
    "Distance",
    "History",
    "Node",
    "Part",
    "Template",
    "TemplateError",
]

CLUSTER = "cluster"
"""What clusters of forms add to the columns."""
EMBEDDING = "embedding"
"""What embeddings of forms add to them: the numbers of a vector."""
NUMBER = "number"
"""What stands before a key in MISC whose value is a number."""
STATES = ("deprel", "left_valency", "right_valency", "left_labels", "right_labels")
"""What parsing gives it."""
DEPENDENTS = {"left": 0, "right": -1, "left2": 1, "right2": -2}
"""Where they stand among all dependents of a word."""
RELATIONS = ("head", *DEPENDENTS, "beyond")
LONGEST_HISTORY = 4

_PLACE = re.compile(r"([sb])([0-9]{1,3})")
_KEY = re.compile(rf"(feats|misc|{NUMBER})\.[^.\ud800-\udfff]+")


class TemplateError(ValueError):
    """A feature template is not valid; the message names the part and says what may be there."""


@attrs.frozen
class Node:
    """A word, by the path to it.

    Args:
        side: ``"s"`` for the stack, ``"b"`` for the buffer.
        index: how far from the top or the front.
        path: the relations to follow from there.
    """

    side: str
    index: int
    path: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> Node:
        """The word that a text describes, or a ``TemplateError``.

        >>> Node.read("s0.left.head")
        Node(side='s', index=0, path=('left', 'head'))
        """
        of_type("text", text, str, "a text, such as 's0.left'")
        with _described(text):
            return _node(text.split("."))

    @property
    def lookahead(self) -> int:
        """How many words after b0 it may be; arcs lead to none of them."""
        return self.index * (self.side == "b") + self.path.count("beyond")

    def __str__(self) -> str:
        return ".".join([f"{self.side}{self.index}", *self.path])


@attrs.frozen
class Attribute:
    """What to look at in a word: a column, a value in FEATS or MISC, or a result of parsing so far."""

    node: Node
    name: str

    @property
    def is_numeric(self) -> bool:
        """Whether it is numbers."""
        return self.name == EMBEDDING or self.name.startswith(f"{NUMBER}.")

    def __str__(self) -> str:
        return f"{self.node}.{self.name}"


@attrs.frozen
class Distance:
    """How many words the second is after the first."""

    start: Node
    end: Node

    def __str__(self) -> str:
        return f"distance({self.start},{self.end})"


@attrs.frozen
class History:
    """The transition taken that many steps ago, counted from 1."""

    steps: int

    def __str__(self) -> str:
        return f"history{self.steps}"


Part = Attribute | Distance | History


@attrs.frozen
class Template:
    """A feature template: parts whose values together make one feature.

    >>> str(Template.read(" s0.left.deprel + distance(s0, b0)"))
    's0.left.deprel+distance(s0,b0)'
    >>> Template.read("s0.left.size")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    deptrees.features.language.TemplateError: 'size' in the template 's0.left.size': here may stand head, left, ...
    """

    parts: tuple[Part, ...]

    def __attrs_post_init__(self) -> None:
        if sum(isinstance(part, Attribute) and part.is_numeric for part in self.parts) > 1:
            raise TemplateError(f"the template {quoted(self)} names numbers twice: their products are not features")

    @classmethod
    def read(cls, text: str) -> Template:
        """The template that a text describes, or a ``TemplateError``."""
        bare = re.sub(r"\s", "", text)
        with _described(text):
            return cls(tuple([_part(part) for part in bare.split("+")]))

    @property
    def names(self) -> set[str]:
        """The attributes that it looks at."""
        return {part.name for part in self.parts if isinstance(part, Attribute)}

    @property
    def lookahead(self) -> int:
        """How many words after b0 it may see, in systems that read words from left to right.

        >>> [Template.read(text).lookahead for text in ("s0.left.form", "s1.form+b2.upos", "distance(s0,b1)")]
        [0, 2, 1]
        """
        return max([node.lookahead for part in self.parts for node in _nodes(part)], default=0)

    @property
    def numbers(self) -> Attribute | None:
        """The part with numbers, ``None`` if its features are present or absent."""
        return first((part for part in self.parts if isinstance(part, Attribute) and part.is_numeric), None)

    def __str__(self) -> str:
        return "+".join(map(str, self.parts))


def _nodes(part: Part) -> tuple[Node, ...]:
    """The words that a part is about."""
    if isinstance(part, History):
        return ()
    return (part.node,) if isinstance(part, Attribute) else (part.start, part.end)


class _NotReadable(Exception):
    """A piece of a text, and what could stand in its place."""


@contextmanager
def _described(text: str) -> Iterator[None]:
    """Say in which text a piece cannot be read."""
    try:
        yield
    except _NotReadable as error:
        piece, possible = error.args
        raise TemplateError(f"{quoted(piece)} in the template {quoted(text)}: here may stand {possible}") from None


@lru_cache(maxsize=1024)  # the ready-made sets name the same few hundred parts again and again
def _part(part: str) -> Part:
    if match := re.fullmatch(r"history(.*)", part):
        if match[1] not in map(str, range(1, LONGEST_HISTORY + 1)):
            raise _NotReadable(part, f"history1 to history{LONGEST_HISTORY}")
        return History(int(match[1]))
    if match := re.fullmatch(r"distance\((.*?)(?:,(.*))?\)", part):
        ends = [_node(name.split(".")) for name in match.groups() if name]
        if len(ends) != 2:
            raise _NotReadable(part, "two words, as in distance(s0,b0)")
        return Distance(*ends)
    names = part.split(".")
    if len(names) > 1 and names[-2] in ("feats", "misc", NUMBER):
        names[-2:] = [".".join(names[-2:])]
    *way, name = names
    if not way:
        raise _NotReadable(part, "a word and what is looked at in it, as in s0.form, or distance(s0,b0), history1")
    node = _node(way)
    if name not in (*WORD_COLUMNS, CLUSTER, EMBEDDING, *STATES) and not _KEY.fullmatch(name):
        names = [
            *RELATIONS,
            *WORD_COLUMNS,
            "feats.Case",
            "misc.KnownHead",
            CLUSTER,
            *STATES,
            EMBEDDING,
            f"{NUMBER}.Length",
        ]
        raise _NotReadable(name, ", ".join(names))
    return Attribute(node, name)


def _node(names: Sequence[str]) -> Node:
    place, *path = names
    match = _PLACE.fullmatch(place)
    if match is None or int(match[2]) > PLACE:
        raise _NotReadable(place, f"s0, s1, ..., s{PLACE}, b0, b1, ..., b{PLACE}")
    for name in path:
        if name not in RELATIONS:
            raise _NotReadable(name, ", ".join(RELATIONS))
    return Node(match[1], int(match[2]), tuple(path))
