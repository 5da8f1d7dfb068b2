"""Trees as flat arrays of nodes, with their features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.trees.token import canonical

if TYPE_CHECKING:
    from deptrees.treebanks.columns import Columns

__all__ = ["Booleans", "Condition", "Feature", "Integers", "Nodes"]

Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

_COLUMNS = ("form", "lemma", "upos", "xpos")
_ANCHOR = "__0__"  # the form of position 0, as Grew has it


@attrs.frozen
class Condition:
    """What is asked of a feature: its name, and a function of its value, which is ``None`` where it is not defined."""

    feature: str
    holds: Callable[[str | None], bool]


@attrs.frozen(eq=False)
class Feature:
    """A feature of all nodes: a number of a text for each, -1 where it is not defined, and the texts."""

    numbers: Integers
    texts: Sequence[str]

    def where(self, holds: Callable[[str | None], bool]) -> Booleans:
        """The nodes for whose value a function is true; each value is looked at once."""
        return np.array([*map(holds, self.texts), holds(None)], bool)[self.numbers]

    @classmethod
    def of(cls, values: Iterable[str | None], numbers: npt.NDArray[np.int32], others: Feature | None = None) -> Feature:
        """The feature whose values are numbered; where one is missing, it is that of another feature."""
        known = {} if others is None else {text: number for number, text in enumerate(others.texts)}
        new = np.array([-1 if it is None else known.setdefault(canonical(it), len(known)) for it in values] + [-1])
        found = new[numbers]
        return cls(found if others is None else np.where(found < 0, others.numbers, found), [*known])


@attrs.frozen(eq=False, slots=False)
class Nodes:
    """The nodes of trees: of one sentence after the other its anchor, which is position 0, and its words.

    >>> from deptrees import Columns, DependencyTree
    >>> nodes = Nodes(Columns.encode([DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Go")])]))
    >>> nodes.starts.tolist(), nodes.sentence.tolist(), nodes.heads.tolist()
    ([0, 3, 5], [0, 0, 0, 1, 1], [-1, 2, 0, -1, 3])
    """

    columns: Columns

    @cached_property
    def starts(self) -> Integers:
        """Where each sentence begins, and where the last ends."""
        return np.asarray(self.columns.offsets + np.arange(len(self.columns) + 1), np.int64)

    @cached_property
    def sentence(self) -> Integers:
        """The sentence of each node."""
        return np.repeat(np.arange(len(self.columns)), np.diff(self.starts))

    @cached_property
    def is_word(self) -> Booleans:
        """Which nodes are no anchors."""
        found = np.ones(self.starts[-1], bool)
        found[self.starts[:-1]] = False
        return found

    @cached_property
    def heads(self) -> Integers:
        """The head of each node among all nodes, -1 where there is none."""
        heads = self._of_words(self.columns.heads)
        return np.where(heads < 0, -1, heads + self.starts[self.sentence])

    @cached_property
    def _features(self) -> dict[str, Feature]:
        return {}

    def feature(self, name: str) -> Feature:
        """A feature: one of the columns before FEATS, or what FEATS or else MISC has by this name."""
        if name not in self._features:
            found = self._column(name) if name in _COLUMNS else self._entry(name)
            if name == "form":
                found = Feature(np.where(self.is_word, found.numbers, len(found.texts)), [*found.texts, _ANCHOR])
            self._features[name] = found
        return self._features[name]

    def _column(self, name: str) -> Feature:
        texts: Sequence[str | None] = self.columns.vocabularies[name]
        if name != "form":
            texts = [None if text == "_" else text for text in texts]
        found = Feature.of(texts, self.columns.words[name])
        return Feature(self._of_words(found.numbers), found.texts)

    def _entry(self, name: str) -> Feature:
        outer, _, layer = name.partition("__")
        name = f"{outer}[{layer}]" if layer else name
        found = None
        for column in ("misc", "feats"):
            values = (_entries(text).get(name) for text in self.columns.vocabularies[column])
            found = Feature.of(values, self.columns.words[column], found)
        assert found is not None
        return Feature(self._of_words(found.numbers), found.texts)

    @cached_property
    def _labels(self) -> Mapping[str, Feature]:
        """The label of each node's arc, and its parts before and after the first colon."""
        texts = self.columns.vocabularies["deprel"]
        parts = [(text, before, after or None) for text in texts for before, _, after in [text.partition(":")]]
        found = [Feature.of(column, self.columns.labels) for column in zip(*parts, strict=True)] or [
            Feature.of((), self.columns.labels) for _ in range(3)
        ]
        numbered = [Feature(self._of_words(it.numbers), it.texts) for it in found]
        return dict(zip(("label", "1", "2"), numbered, strict=True))

    def with_label(self, conditions: Iterable[Condition]) -> Booleans:
        """The nodes that have a head, and whose arcs fulfill the conditions."""
        found = self.heads >= 0
        for condition in conditions:
            found = found & self._labels[condition.feature].where(condition.holds)
        return found

    def _of_words(self, values: npt.NDArray[np.integer]) -> Integers:
        """Values of words as those of nodes, with -1 for anchors."""
        found = np.full(self.starts[-1], -1, np.int64)
        found[self.is_word] = values
        return found


def _entries(text: str) -> dict[str, str]:
    """The entries of FEATS or MISC."""
    return {key: value for key, equals, value in (entry.partition("=") for entry in text.split("|")) if equals}
