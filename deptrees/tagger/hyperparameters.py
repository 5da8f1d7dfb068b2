"""Everything that is chosen before a tagger is trained, including its features."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import count
from types import MappingProxyType

import attrs

from deptrees.engine import core
from deptrees.evaluation.tags import TagColumn
from deptrees.files.limits import BITS
from deptrees.messages import of_type, quoted, whole_number

__all__ = ["FEATURES", "Hyperparameters"]

_FORM = (
    *("form", "lower", "shape", "known"),
    *("suffix1", "suffix2", "suffix3", "suffix4", "suffix5", "suffix6"),
    *("prefix1", "prefix2", "prefix3", "prefix4", "prefix5"),
)
_CONTEXT = ("lower[-2]", "lower[-1]", "lower[+1]", "lower[+2]", "lower[-1]+lower", "lower+lower[+1]")
_UPOS_AROUND = (
    *("upos", "upos[-1]", "upos[+1]", "upos[-2]+upos[-1]", "upos[+1]+upos[+2]", "upos[-1]+upos[+1]"),
    *("upos+lower", "upos+suffix2", "upos+suffix3", "upos+prefix2", "upos+shape", "upos+known"),
    *("upos+lower[-1]", "upos+lower[+1]", "upos[-1]+upos", "upos+upos[+1]", "upos[-1]+upos+upos[+1]"),
)

FEATURES: Mapping[TagColumn, tuple[str, ...]] = MappingProxyType(
    {
        "upos": (
            *_FORM,
            *("upos[-1]", "upos[-2]", "upos[-1]+upos[-2]", "upos[-1]+lower", "upos[-1]+suffix3"),
            *_CONTEXT,
            *("suffix3[-1]", "suffix3[+1]", "shape[-1]", "shape[+1]"),
            *("known[-1]", "known[+1]", "known[+2]", "known+known[+1]", "known[-1]+known+known[+1]"),
            *("upos[-1]+known[+1]", "upos[-1]+known+known[+1]"),
        ),
        "xpos": (
            *_FORM,
            *_UPOS_AROUND,
            *("xpos[-1]", "xpos[-2]+xpos[-1]", "xpos[-1]+upos", "xpos[-1]+upos+upos[+1]", "xpos[-1]+suffix3"),
            *_CONTEXT,
            *("known[-1]", "known[+1]", "known+known[+1]"),
        ),
        "feats": (
            *_FORM,
            *_UPOS_AROUND,
            *("suffix7", "upos+suffix4", "upos+suffix5", "upos+suffix6"),
            *("suffix3[-1]", "suffix3[+1]", "suffix4[-1]", "suffix4[+1]"),
            *("xpos", "xpos[-1]", "xpos[+1]", "xpos+suffix3", "xpos+lower", "xpos[-1]+xpos", "xpos+xpos[+1]"),
            *("feats[-1]", "feats[-1]+upos", "feats[-1]+suffix3", "feats[-2]+feats[-1]", "feats[-1]+lower"),
            *_CONTEXT,
            *("known[-1]", "known[+1]", "known+known[+1]"),
        ),
    }
)
"""The columns of tags that a tagger fills in, one after the other, and what it looks at for each."""

_MOST_WEIGHTS = 1 << 26

_Part = tuple[int, int]


def _as_tuples(features: Mapping[TagColumn, Iterable[str]]) -> Mapping[TagColumn, tuple[str, ...]]:
    of_type("features", features, Mapping, "a mapping from columns to features, such as {'upos': ['form']}")
    return {column: tuple(found) for column, found in features.items()}


def _are_of_columns(_: object, __: object, features: Collection[str]) -> None:
    if unknown := [column for column in features if column not in FEATURES]:
        raise ValueError(f"{quoted(unknown[0])} is none of the columns {', '.join(FEATURES)}")


@attrs.frozen
class Hyperparameters:
    """Everything that is chosen before a tagger is trained; saved with it.

    Args:
        features: the columns of tags that it fills in, in this order, and the features of each.
        lemmas: whether it also fills in lemmas, from UPOS and FEATS; see `deptrees.tagger.lemmatizer`.
        bits: the rows of a table of weights, which the features of a column share, as a power of two. There are fewer
            if the table would have more than 67 million weights.
        dictionary_count: how often a word must occur to be in the dictionary.
        dictionary_share: the necessary share of its most frequent tag; all others count as mistakes.
        known_share: the share that a tag of a word needs to appear in the feature ``known``.
        margin: by how much a right value's score must exceed others for the weights to stay (Krauth & Mézard 1987).

    Raises:
        ValueError: a feature is not one, or there are too many.

    >>> Hyperparameters({"upos": ["form", "size"]})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: 'size' in the feature 'size': expected one of form, lower, suffix1, ..., upos, or lower[-1]
    """

    features: Mapping[TagColumn, tuple[str, ...]] = attrs.field(
        default=FEATURES,
        converter=_as_tuples,
        validator=[attrs.validators.min_len(1), _are_of_columns],
        repr=reprlib.repr,
    )
    lemmas: bool = True
    bits: int = attrs.field(default=20, validator=[attrs.validators.ge(6), attrs.validators.le(BITS)])
    dictionary_count: int = 20
    dictionary_share: float = 0.99
    known_share: float = 0.05
    margin: float = attrs.field(default=30.0, validator=attrs.validators.ge(0))

    def __attrs_post_init__(self) -> None:
        _ = self.parts

    @property
    def columns(self) -> tuple[TagColumn, ...]:
        """The columns that the tagger fills in, in this order."""
        return *self.features, *(("lemma",) if self.lemmas else ())

    def only(self, columns: Collection[TagColumn]) -> Hyperparameters:
        """Some of the columns, with the features that look at no others.

        >>> Hyperparameters({"xpos": ["form"], "feats": ["lower", "xpos+lower"]}).only(["feats"]).features
        {'feats': ('lower',)}
        """
        others = self.features.keys() - {*columns}
        features = {
            column: tuple([feature for feature in self.features[column] if not others & {*dict(_names(feature))}])
            for column in self.features
            if column in columns
        }
        return attrs.evolve(self, features=features, lemmas=self.lemmas and "lemma" in columns)

    def within(self, lookahead: int) -> Hyperparameters:
        """With the features by which tags depend on at most so many words after their own.

        >>> Hyperparameters({"upos": ["form", "lower[+1]"], "feats": ["upos", "upos[+1]"]}).within(1).features
        {'upos': ('form', 'lower[+1]'), 'feats': ('upos',)}
        """
        kept: dict[TagColumn, tuple[str, ...]] = {}
        seen: dict[str, int] = {}
        for column, features in self.features.items():
            ahead = {it: max(offset + seen.get(name, 0) for name, offset in _names(it)) for it in features}
            kept[column] = tuple([feature for feature in features if ahead[feature] <= lookahead])
            seen[column] = max([0, *(ahead[feature] for feature in kept[column])])
        return attrs.evolve(self, features=kept)

    @cached_property
    def lookahead(self) -> int:
        """On how many words after its own a tag depends.

        >>> Hyperparameters({"upos": ["form", "lower[+1]"], "feats": ["upos", "upos[+1]"]}).lookahead
        2
        """
        return next(lookahead for lookahead in count() if self.within(lookahead) == self)

    def for_words(self, n: int) -> Hyperparameters:
        """With smaller tables for a treebank of n words: four times as many rows as it can have features are enough.

        >>> Hyperparameters({"upos": ["form", "lower"]}).for_words(100).bits
        10
        """
        n = whole_number("n", n, 0)
        most = n * max(map(len, self.features.values()))
        return attrs.evolve(self, bits=min(self.bits, max(6, (4 * most).bit_length())))

    @cached_property
    def parts(self) -> Mapping[TagColumn, tuple[tuple[_Part, ...], ...]]:
        """For each column its features in numbers: each part an attribute and an offset."""
        most = core.tagging.LIMITS["features"]
        for column, features in self.features.items():
            if len(features) > most:
                raise ValueError(f"{len(features)} features for {column}: {most} are the most")
        return {
            column: tuple([self._parts(feature, number) for feature in features])
            for number, (column, features) in enumerate(self.features.items())
        }

    def _parts(self, feature: str, column: int) -> tuple[_Part, ...]:
        """A feature of a column in numbers."""
        columns = tuple(self.features)
        tags = columns[: column + 1]
        known = len(core.tagging.ATTRIBUTES)
        names: list[str] = [*core.tagging.ATTRIBUTES, "known", *tags]
        numbers = [*range(known), known + column, *(known + len(columns) + number for number in range(column + 1))]
        found_in = dict(zip(names, numbers, strict=True))
        found = []
        for name, offset in _names(feature):
            place = f"{name!r} in the feature {feature!r}"
            if name not in found_in:
                raise ValueError(f"{place}: expected one of {', '.join(names)}, or lower[-1]")
            if name == tags[-1] and offset >= 0:
                raise ValueError(f"{place}: only words on the left have a tag, as in {name}[-1]")
            found.append((found_in[name], offset))
        most = core.tagging.LIMITS["parts"]
        if len(found) > most:
            raise ValueError(f"the feature {feature!r} has {len(found)} parts: {most} are the most")
        return tuple(found)

    def table_shape(self, n_values: int) -> tuple[int, int]:
        """The shape of a table of weights: rows for features, with one for each value and some to fill it up to 4."""
        n_values = whole_number("n_values", n_values, 1, _MOST_WEIGHTS)
        width = -(-n_values // 4) * 4
        return 1 << min(self.bits, (_MOST_WEIGHTS // width).bit_length() - 1), width


def _names(feature: str) -> list[tuple[str, int]]:
    """What the parts of a feature look at, and how far away from the word."""
    parts = re.split(r"\+(?!\d)", feature)
    matches = [(part, re.fullmatch(r"(\w+)(?:\[([+-]\d)\])?", part)) for part in parts]
    return [(match[1], int(match[2] or 0)) if match else (part, 0) for part, match in matches]
