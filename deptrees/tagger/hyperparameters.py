"""All that is chosen before a tagger is trained, the features among it."""

from __future__ import annotations

import re
from functools import cached_property

import attrs

from deptrees.engine import core
from deptrees.evaluation.tags import TagColumn
from deptrees.files.limits import BITS

__all__ = ["FEATURES", "Hyperparameters"]

FEATURES = (
    *("form", "lower", "shape", "known"),
    *("suffix1", "suffix2", "suffix3", "suffix4", "prefix1", "prefix2", "prefix3", "prefix4"),
    *("tag[-1]", "tag[-2]", "tag[-1]+tag[-2]", "tag[-1]+lower", "tag[-1]+suffix3"),
    *("lower[-2]", "lower[-1]", "lower[+1]", "lower[+2]", "lower[-1]+lower", "lower+lower[+1]"),
    *("suffix3[-1]", "suffix3[+1]", "shape[-1]", "shape[+1]"),
    *("known[-1]", "known[+1]", "known[+2]", "known+known[+1]", "known[-1]+known+known[+1]"),
    *("tag[-1]+known[+1]", "tag[-1]+known+known[+1]"),
)
"""What a tagger looks at."""

_MOST_WEIGHTS = 1 << 26

_Part = tuple[int, int]


def _part(text: str, feature: str) -> _Part:
    """The number of an attribute and an offset."""
    match = re.fullmatch(r"(\w+)(?:\[([+-]\d)\])?", text)
    if match is None or match[1] not in core.ATTRIBUTES:
        raise ValueError(
            f"{text!r} in the feature {feature!r}: expected one of {', '.join(core.ATTRIBUTES)}, or lower[-1]"
        )
    offset = int(match[2] or 0)
    if match[1] == "tag" and offset >= 0:
        raise ValueError(f"{text!r} in the feature {feature!r}: only words on the left have a tag, as in tag[-1]")
    return core.ATTRIBUTES.index(match[1]), offset


def _feature(text: str) -> tuple[_Part, ...]:
    parts = re.split(r"\+(?!\d)", text)
    most = core.TAGGER_LIMITS["parts"]
    if len(parts) > most:
        raise ValueError(f"the feature {text!r} has {len(parts)} parts: {most} are the most")
    return tuple(_part(part, text) for part in parts)


@attrs.frozen
class Hyperparameters:
    """All that is chosen before a tagger is trained; saved with it.

    Args:
        column: the column that it fills in.
        features: what it looks at.
        bits: the size of the table of weights, as a power of two: how many rows there are at most for the features to
            share. There are fewer if there are so many tags that the table would have more than 67 million weights.
        dictionary_count: how often a word must occur to be in the dictionary.
        dictionary_share: how large the share of its most frequent tag must then be: all others are taken for mistakes.
        known_count: how often a word must occur for the feature ``known`` to tell its tags.
        known_share: how large the share of a tag must be to be one of them.

    Raises:
        ValueError: a feature is not one, or there are too many.

    >>> Hyperparameters(features=["size"])
    Traceback (most recent call last):
    ValueError: 'size' in the feature 'size': expected one of form, lower, suffix1, suffix2, suffix3, suffix4, prefix1,
    prefix2, prefix3, prefix4, shape, known, tag, or lower[-1]
    """

    column: TagColumn = attrs.field(default="upos", validator=attrs.validators.in_(["upos", "xpos", "feats"]))
    features: tuple[str, ...] = attrs.field(default=FEATURES, converter=tuple[str, ...])
    bits: int = attrs.field(default=20, validator=[attrs.validators.ge(6), attrs.validators.le(BITS)])
    dictionary_count: int = 20
    dictionary_share: float = 0.99
    known_count: int = 3
    known_share: float = 0.05

    def __attrs_post_init__(self) -> None:
        _ = self.parts

    @cached_property
    def parts(self) -> tuple[tuple[_Part, ...], ...]:
        """The features in numbers: each part an attribute and an offset."""
        most = core.TAGGER_LIMITS["features"]
        if len(self.features) > most:
            raise ValueError(f"{len(self.features)} features: {most} are the most")
        return tuple(map(_feature, self.features))

    def table_shape(self, n_tags: int) -> tuple[int, int]:
        """The shape of the table of weights: rows for features, with one for each tag and some to fill it up to 4."""
        width = -(-n_tags // 4) * 4
        return 1 << min(self.bits, (_MOST_WEIGHTS // width).bit_length() - 1), width
