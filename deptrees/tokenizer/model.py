"""What a tokenizer looks at, and what it learns: where tokens and sentences end."""

from __future__ import annotations

import reprlib
from collections.abc import Collection

import attrs
import numpy as np

from deptrees.engine import core
from deptrees.files.limits import BITS
from deptrees.files.sparse import SparseArray
from deptrees.messages import of_type, quoted, whole_number
from deptrees.tokenizer.places import ATTRIBUTES, OF_LEXICON, Decision, Places
from deptrees.tokenizer.texts import Integers

__all__ = ["FEATURES", "Hyperparameters", "perceptron", "places_data"]

_DECIDED = "decided"
FEATURES = (
    *("before1", "before1+after1", "before2+before1", "after1+after2", "before1+after1+after2"),
    *("before2+before1+after1", "before3+before2+before1", "after1+after2+after3"),
    *("kind_before1+kind_after1", "kind_before2+kind_before1+kind_after1", "kind_before1+kind_after1+kind_after2"),
    *("before1+kind_after1+kind_after2", "before1+kind_after2+kind_after3", "kind_before2+before1+kind_after2"),
    *("kind_after1+kind_after2+kind_after3", "kind_before3+kind_before2+kind_before1"),
    *("head", "tail", "lower_head", "lower_tail", "lower_head+lower_tail", "head+kind_after1"),
    *("head_shape+tail_shape", "head_shape+kind_after1+kind_after2", "head_shape+tail_shape+next_shape"),
    *("before1+head_length", "head_length+kind_after1", "before1+tail_length", "before1+tail_kinds"),
    *("ending3", "ending4", "ending5", "ending6", "ending4+kind_after1", "ending5+next_kinds"),
    *("ending4+next_shape", "ending5+next_shape", "ending3+beginning3"),
    *("next", "next+next_kinds", "before1+next", "lower_head+next", "head_kinds+next_kinds", "lower_head+next_kinds"),
    *("previous", "previous+lower_head", "previous+head_kinds+next_kinds", "second", "next+second"),
    *("previous_kinds+head_kinds+next_kinds", "before1+next_kinds+nested", "before1+kind_after1+nested"),
    *("before1+kind_after1+quoted", "before2+before1+quoted", "before1+after2+quoted"),
    *("before1+kind_after1+marks", "before1+after1+marks", "kind_before1+after1+marks"),
    "kind_before1+kind_after1+marks",
    *("decided", "decided+before1+kind_after1", "decided+before1+after1", "decided+next_kinds"),
    *("known_before+known_after", "known_across", "known_before+known_after+known_across", "often_before+often_after"),
    *("often_before+often_after+often_across", "known_before+often_before", "known_after+often_after"),
    *("known_across+often_across", "known_before+before1", "known_after+after1"),
    *("known_across+before1", "known_across+after1"),
    *("known_before+decided", "known_after+decided", "known_across+decided"),
)
"""What a tokenizer looks at: attributes of a place, and what was decided at the place before."""


def _are_known(_: object, __: object, features: Collection[str]) -> None:
    most, most_parts = core.tagging.LIMITS["features"], core.tagging.LIMITS["parts"]
    if len(features) > most:
        raise ValueError(f"{len(features)} features: {most} are the most")
    for feature in features:
        of_type("feature", feature, str, "a name, such as 'before1+after1'")
        if feature.count("+") >= most_parts:
            raise ValueError(f"the feature {quoted(feature)} has more than {most_parts} parts")
        for part in feature.split("+"):
            if part not in (*ATTRIBUTES, _DECIDED):
                raise ValueError(f"{quoted(part)} in the feature {quoted(feature)} is none of {', '.join(ATTRIBUTES)}")


@attrs.frozen
class Hyperparameters:
    """All that is chosen before a tokenizer is trained; saved with it.

    Args:
        features: what it looks at.
        bits: the size of the table of weights, as a power of two: how many rows there are at most for the features to
            share.
        least: how large the share of the places between characters of two kinds must be at which the treebank has
            something unusual, such as a token that ends between a digit and a letter, or a sentence that ends at a
            space between two small letters, for the tokenizer to ask about such places.
        margin: by how much the score of the right decision must be higher than that of any other for the weights to
            stay as they are; see `deptrees.tagger.Hyperparameters`.
    """

    features: tuple[str, ...] = attrs.field(
        default=FEATURES, converter=tuple[str, ...], validator=_are_known, repr=reprlib.repr
    )
    bits: int = attrs.field(default=22, validator=[attrs.validators.ge(6), attrs.validators.le(BITS)])
    least: float = 0.001
    margin: float = attrs.field(default=3.0, validator=attrs.validators.ge(0))

    def for_places(self, n: int) -> Hyperparameters:
        """With a smaller table for n places: twice as many rows as they can have features are enough.

        >>> Hyperparameters(["before1", "after1"]).for_places(100).bits
        9
        """
        n = whole_number("n", n, 0)
        return attrs.evolve(self, bits=min(self.bits, max(6, (2 * n * len(self.features)).bit_length())))

    def without_lexicon(self) -> Hyperparameters:
        """Without the features that look at known words.

        >>> Hyperparameters(["before1", "before1+known_after"]).without_lexicon().features
        ('before1',)
        """
        kept = [feature for feature in self.features if not {*feature.split("+")} & {*OF_LEXICON}]
        return attrs.evolve(self, features=kept)

    def table_shape(self) -> tuple[int, int]:
        """The shape of a table of weights: a row for each feature, as wide as the core wants it."""
        return 1 << self.bits, 4


def perceptron(
    hyperparameters: Hyperparameters, weights: SparseArray, *, learning: bool
) -> core.tagging.TaggerPerceptron:
    """What decides, or learns to, from some weights on."""
    known = {name: (number, 0) for number, name in enumerate(ATTRIBUTES)} | {_DECIDED: (len(ATTRIBUTES), -1)}
    parts = [[known[part] for part in feature.split("+")] for feature in hyperparameters.features]
    decisions = np.arange(len(Decision), dtype=np.int32)
    bounds = np.array([0, len(Decision)], np.int32)
    tags = decisions[:, np.newaxis].copy()
    return core.tagging.TaggerPerceptron(0, parts, weights, bounds, tags, hyperparameters.margin, learning)


def places_data(
    places: Places, offsets: Integers, tokens: tuple[Integers, Integers] | None = None
) -> core.tagging.TaggerData:
    """Places as the core wants them: like words, each with attributes of its own.

    Args:
        places: the places.
        offsets: where what is looked at by itself begins, among the places, and where the last one ends.
        tokens: where tokens begin and end that do not count for what the lexicon says of them.

    The last place of a paragraph is the end of a sentence, about which nothing need be asked.
    """
    attributes = places.attributes(tokens)
    fixed = np.full((1, len(attributes)), -1, np.int32)
    fixed[0, places.paragraph_bounds[1:] - 1] = Decision.SENTENCE
    return core.tagging.TaggerData(offsets, np.arange(len(attributes), dtype=np.int32), attributes, fixed)
