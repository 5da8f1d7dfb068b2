"""The tags of a column, and the values that they consist of."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.evaluation.tags import TagColumn
from deptrees.trees.tree import DependencyTree

__all__ = ["TagSet", "tags_in"]

_Integers = npt.NDArray[np.int32]


def tags_in(trees: Iterable[DependencyTree], column: TagColumn) -> tuple[str | None, ...]:
    """The tags in a column of some trees, in sorted order.

    A word without UPOS or XPOS is not annotated, one without FEATS has none.

    >>> from deptrees import sample_treebank
    >>> tags_in(sample_treebank("dev"), "upos")[:3]
    ('ADJ', 'ADP', 'AUX')
    """
    found = {getattr(token, column) for tree in trees for token in tree.tokens}
    return tuple(sorted(found if column == "feats" and found != {None} else found - {None}, key=str))


@attrs.frozen
class TagSet:
    """The tags of a column, and the values that they consist of.

    A part of speech is one value. A bundle of features has a value of each feature, the empty one where it does not
    name it, so that what is learned of one bundle is known of others.

    Args:
        tags: the tags, of which ``None`` is a bundle without features.

    >>> found = TagSet((None, "Case=Nom|Number=Sing", "Number=Plur"))
    >>> found.features, found.values
    (('Case', 'Number'), (('', 'Nom'), ('', 'Plur', 'Sing')))
    >>> found.numbers.tolist(), found.bounds.tolist()
    ([[0, 2], [1, 4], [0, 3]], [0, 2, 5])
    """

    tags: tuple[str | None, ...] = attrs.field(repr=reprlib.repr)

    @cached_property
    def _bundles(self) -> list[dict[str, str]]:
        """The tags as features with values, or all as values of one feature without a name."""
        found = [dict(_pairs(tag)) for tag in self.tags]
        is_whole = all(_text(bundle.items()) == tag for bundle, tag in zip(found, self.tags, strict=True))
        return found if is_whole else [{"": tag or ""} for tag in self.tags]

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The names of the features, in the order of Universal Dependencies; an empty one where tags have none."""
        names = {name for bundle in self._bundles for name in bundle}
        return tuple(sorted(names, key=lambda name: (name.lower(), name)))

    @cached_property
    def values(self) -> tuple[tuple[str, ...], ...]:
        """For each feature its values, in sorted order."""
        return tuple([tuple(sorted({bundle.get(name, "") for bundle in self._bundles})) for name in self.features])

    @cached_property
    def bounds(self) -> _Integers:
        """Where the numbers of each feature's values begin, and where the last ones end."""
        return np.cumsum([0, *map(len, self.values)], dtype=np.int32)

    @property
    def n_values(self) -> int:
        """The number of values of all features together."""
        return sum(map(len, self.values))

    @cached_property
    def numbers(self) -> _Integers:
        """For each tag the numbers of its values: an array (tags × features)."""
        rows = [
            [values.index(bundle.get(name, "")) for name, values in zip(self.features, self.values, strict=True)]
            for bundle in self._bundles
        ]
        return np.array(rows, np.int32) + self.bounds[:-1]


def _pairs(tag: str | None) -> Sequence[tuple[str, str]]:
    pairs = [] if tag is None else [pair.partition("=") for pair in tag.split("|")]
    return [(name, value) for name, _, value in pairs]


def _text(pairs: Iterable[tuple[str, str]]) -> str | None:
    """A tag as it is written."""
    return "|".join([f"{name}={value}" if name else value for name, value in pairs if value]) or None
