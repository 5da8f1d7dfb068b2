"""What templates see of a configuration, and its representation as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from math import isfinite
from types import MappingProxyType
from typing import TypeVar, Union

import numpy as np
import numpy.typing as npt
from more_itertools import nth

from deptrees.features.embeddings import NO_EMBEDDINGS, Embeddings
from deptrees.features.language import (
    CLUSTER,
    DEPENDENTS,
    EMBEDDING,
    Attribute,
    Distance,
    History,
    Node,
    Part,
    TemplateError,
)
from deptrees.messages import of_type, quoted
from deptrees.transition.configuration import Configuration
from deptrees.transition.transitions import ArcTransition, Transition
from deptrees.treebanks.columns import MISSING
from deptrees.treebanks.hashes import text_hash
from deptrees.trees.token import LOOKED_UP, Token, canonical

__all__ = [
    "NOTHING",
    "ROOT_VALUE",
    "Value",
    "View",
    "cluster_value",
    "column_value",
    "feature_value",
    "known_of",
    "number_hash",
    "numbers_of",
    "transition_value",
    "value_hash",
]

NOTHING = None
"""The value of everything where there is no word."""
ROOT_VALUE = "ROOT"
"""The value of ROOT's columns and label."""

Value = Union[str, int, tuple[str, ...], None]  # noqa: UP007  Python 3.10 cannot write a type with None otherwise

_Known = TypeVar("_Known")
LONGEST_DISTANCE = 10
"""Longer distances count as this one."""
_ALL_BITS = (1 << 64) - 1
_NO_NUMBERS = np.zeros(0, np.float32)


class View:
    """What templates see of one configuration.

    Args:
        cfg: the configuration.
        k: from where to look; see ``Templates.values``.
        clusters: the cluster of each form.
        embeddings: the vector of each form.

    >>> from deptrees.transition import ArcHybrid, LeftArc, Shift
    >>> view = View(LeftArc("nsubj")(Shift()(ArcHybrid().initial(["Birds", "sing"]))))
    >>> view.position(Node.read("b0.left")), view.position(Node.read("b0.right"))
    (1, -1)
    >>> view.attribute(1, "deprel")
    'nsubj'
    """

    def __init__(
        self,
        cfg: Configuration,
        k: int = 1,
        clusters: Mapping[str, str] = MappingProxyType({}),
        embeddings: Embeddings = NO_EMBEDDINGS,
    ) -> None:
        self._sides = dict(zip("sb", cfg.neighbors(k), strict=True))
        self._cfg = cfg
        self._clusters = clusters
        self._embeddings = embeddings

    def __call__(self, part: Part) -> Value:
        """The value of a part of a template."""
        if isinstance(part, History):
            taken = nth(self._cfg.latest_transitions(), part.steps - 1)
            return NOTHING if taken is None else transition_value(taken)
        if isinstance(part, Distance):
            start, end = self.position(part.start), self.position(part.end)
            if start < 0 or end < 0:
                return NOTHING
            return max(-LONGEST_DISTANCE, min(LONGEST_DISTANCE, end - start))
        return self.attribute(self.position(part.node), part.name)

    def numbers(self, part: Attribute) -> npt.NDArray[np.float32]:
        """The numbers of a part of a template; none if there is no word or nothing is known about it."""
        position = self.position(part.node)
        word = self._cfg.tokens[position - 1] if position > 0 else None
        return _NO_NUMBERS if word is None else numbers_of(word, part.name, self._embeddings)

    def position(self, node: Node) -> int:
        """The position of a word in the sentence, 0 for ROOT, -1 if there is none."""
        elements = self._sides[node.side]
        position = elements[node.index] if node.index < len(elements) else -1
        for relation in node.path:
            position = self._related(position, relation)
        return position

    def attribute(self, position: int, name: str) -> Value:
        """The value of an attribute of the word at a position."""
        if position < 0:
            return NOTHING
        if name.startswith(("left_", "right_")):
            side, what = name.split("_")
            dependents = self._dependents(position, side)
            if what == "valency":
                return len(dependents)
            return tuple(sorted(self._labels[word - 1] or MISSING for word in dependents))
        if position == 0:
            return ROOT_VALUE
        if name == "deprel":
            return self._labels[position - 1] or MISSING
        word = self._cfg.tokens[position - 1]
        if name == CLUSTER:
            return cluster_value(column_value(word, "form"), self._clusters)
        return column_value(word, name)

    def _related(self, position: int, relation: str) -> int:
        if position < 0:
            return -1
        if relation in ("head", "beyond"):
            head = self._heads[position - 1] if position else None
            if head is not None:
                return head
            return -1 if relation == "head" else self._next(position)
        dependents, index = self._all_dependents[position], DEPENDENTS[relation]
        if max(index, ~index) >= len(dependents):
            return -1
        dependent = dependents[index]
        return dependent if (dependent < position) == (index >= 0) else -1

    def _next(self, position: int) -> int:
        """The element after one on the stack or in the buffer, or in what stands for them."""
        for elements in self._sides.values():
            after = [later for element, later in pairwise((*elements, -1)) if element == position]
            if after:  # a node of LR-spines may be there twice, and its place as a root is the second
                return after[-1]
        return -1

    def _dependents(self, position: int, side: str) -> list[int]:
        return [word for word in self._all_dependents[position] if (word < position) == (side == "left")]

    @cached_property
    def _heads(self) -> tuple[int | None, ...]:
        return self._cfg.heads

    @cached_property
    def _labels(self) -> tuple[str | None, ...]:
        return self._cfg.labels

    @cached_property
    def _all_dependents(self) -> list[list[int]]:
        dependents: list[list[int]] = [[] for _ in range(len(self._heads) + 1)]
        for word, head in enumerate(self._heads, 1):
            if head is not None:
                dependents[head].append(word)
        return dependents


def column_value(word: Token, name: str) -> str:
    """The value of a word in a column, or under a name in FEATS or MISC.

    >>> column_value(Token("dogs", feats="Case=Nom|Number=Plur"), "feats.Number")
    'Plur'
    """
    column, _, key = name.partition(".")
    found: str | None = getattr(word, column)
    text = MISSING if found is None else canonical(found) if column in LOOKED_UP else found
    return feature_value(text, key) if key else text


def cluster_value(form: str, clusters: Mapping[str, str]) -> str:
    """The cluster of a form."""
    return known_of(form, clusters) or MISSING


def numbers_of(word: Token, name: str, embeddings: Embeddings) -> npt.NDArray[np.float32]:
    """The vector of a word's form, or the number that it has in MISC under a key; none if there is none.

    Raises:
        TemplateError: the value is not a finite number.

    >>> numbers_of(Token("Birds", misc="Length=5"), "number.Length", NO_EMBEDDINGS)
    array([5.], dtype=float32)
    >>> numbers_of(Token("Birds"), "embedding", Embeddings(["birds"], [[0.5, 1]]))
    array([0.5, 1. ], dtype=float32)
    """
    if name == EMBEDDING:
        vector = known_of(canonical(word.form), embeddings)
        return _NO_NUMBERS if vector is None else vector
    text = feature_value(word.misc or MISSING, name.partition(".")[2])
    if text == MISSING:
        return _NO_NUMBERS
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise TemplateError(f"{name} of the word {quoted(word.form)} is {quoted(text)} in MISC: give a finite number")
    return np.array([number], np.float32)


def known_of(form: str, known: Mapping[str, _Known]) -> _Known | None:
    """What is known about a form as written or, if there is nothing, about the form in lower case.

    >>> known_of("Birds", {"birds": 1, "Birds": 2}), known_of("BIRDS", {"birds": 1}), known_of("Sing", {})
    (2, 1, None)
    """
    try:
        found = known.get(form)
        return known.get(form.lower()) if found is None else found
    except AttributeError:
        of_type("form", form, str, "a text")
        of_type("known", known, Mapping, "a mapping from forms")
        raise


@lru_cache(maxsize=1 << 14)
def feature_value(column: str, name: str) -> str:
    """The value of a name in the column FEATS or MISC of a word."""
    for feature in column.split("|"):
        key, equals, value = feature.partition("=")
        if key == name and equals:
            return value
    return MISSING


def transition_value(transition: Transition) -> tuple[str, ...]:
    """What templates see of a past transition: its kind, and its label if it has one.

    >>> from deptrees.transition import LeftArc, Shift
    >>> transition_value(LeftArc("nsubj", k=2)), transition_value(Shift())
    (('LeftArc(k=2)', 'nsubj'), ('Shift()',))
    """
    if not isinstance(transition, ArcTransition):
        return (repr(transition),)
    bare = repr(type(transition)(k=transition.k))
    return (bare,) if transition.label is None else (bare, transition.label)


# Numbers for values


def number_hash(number: int) -> int:
    """A number of 64 bits for a small number."""
    return _mixed((number + 0x9E3779B9) & _ALL_BITS)


def value_hash(value: Value) -> int:
    """A number of 64 bits for any value."""
    if isinstance(value, int):
        return number_hash(value)
    if isinstance(value, tuple):
        return sum(_mixed(text_hash(text)) for text in value) & _ALL_BITS
    return text_hash(value)


def _mixed(value: int) -> int:
    """The finalizer of SplitMix64 (Steele, Lea & Flood 2014): every bit depends on every bit."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _ALL_BITS
    value = (value ^ value >> 27) * 0x94D049BB133111EB & _ALL_BITS
    return value ^ value >> 31
