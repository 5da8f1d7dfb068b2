"""What a search says besides its best tree: the other derivations of the beam, and how clear each choice was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.treebanks.columns import Columns

if TYPE_CHECKING:
    from deptrees.search import Beam, BeamSearch, Hypothesis, Space
    from deptrees.transition import Configuration

__all__ = ["Derived", "margins_of", "no_margins"]

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]


@attrs.frozen(eq=False)
class Derived:
    """For each sentence of a treebank the derivations that a beam ends with, the best first.

    Args:
        offsets: where the words of each sentence begin.
        heads: for each derivation a row with the head of each word of the treebank, -1 for none.
        labels: the same for labels, as numbers, -1 for none.
        scores: for each derivation a row with its score in each sentence, -inf if there is no such derivation.
    """

    offsets: npt.NDArray[np.int64]
    heads: _Integers
    labels: _Integers
    scores: _Floats

    @classmethod
    def empty(cls, columns: Columns, beam: int) -> Derived:
        """Room for as many derivations of each sentence of a treebank."""
        heads, labels = np.full((2, beam, len(columns.heads)), -1, np.int32)
        return cls(columns.offsets, heads, labels, np.full((beam, len(columns)), -np.inf, np.float32))

    def write(self, sentence: int, hypotheses: Beam, labels: Sequence[str]) -> None:
        """Write down the derivations of a sentence that a search in the functional layer ends with."""
        words, numbers = self.words([sentence]), {label: number for number, label in enumerate(labels)}
        for rank, hypothesis in enumerate(hypotheses):
            cfg = hypothesis.config
            self.scores[rank, sentence] = hypothesis.score
            self.heads[rank, words] = [-1 if head is None else head for head in cfg.heads]
            self.labels[rank, words] = [numbers.get(label, -1) for label in cfg.labels]

    def trees(self, sentence: int) -> Iterator[tuple[_Integers, _Integers, float]]:
        """The heads, the labels and the score of each tree of a sentence, the best first.

        Of several derivations of a tree the best one counts.
        """
        words, seen = self.words([sentence]), set()
        for heads, labels, score in zip(
            self.heads[:, words], self.labels[:, words], self.scores[:, sentence].tolist(), strict=True
        ):
            built = heads.tobytes(), labels.tobytes()
            if score > -np.inf and built not in seen:
                seen.add(built)
                yield heads, labels, score

    def insert(
        self, sentences: Sequence[int], heads: _Integers, labels: _Integers, scores: _Floats | float = 0.0
    ) -> None:
        """Write down the derivations of some sentences, with a row for each, as they were found for these alone."""
        words = self.words(sentences)
        self.heads[:, words], self.labels[:, words], self.scores[:, sentences] = heads, labels, scores

    def margins(self, heads: _Integers) -> _Floats:
        """How far each head is ahead of the others in its sentence.

        It is the score of the best derivation with this head less the score of the best one with another head. A
        derivation that the beam does not have counts as much as the last one in it: it cannot have scored more.

        Args:
            heads: a head of each word of the treebank.
        """
        scores = np.repeat(self.scores, np.diff(self.offsets), axis=1)
        same, none = self.heads == heads, np.float32(-np.inf)
        last = np.where(scores > none, scores, np.float32(np.inf)).min(axis=0)
        ours, others = [np.where(those, scores, none).max(axis=0) for those in (same, ~same)]
        found: _Floats = np.maximum(ours, last) - np.maximum(others, last)
        return found

    def words(self, sentences: Sequence[int]) -> npt.NDArray[np.int64]:
        """Where the words of sentences are."""
        places = [np.arange(self.offsets[sentence], self.offsets[sentence + 1]) for sentence in sentences]
        return np.concatenate(places or [np.zeros(0, np.int64)])


def no_margins(words: int) -> _Floats:
    """Margins of no choice, a row for heads and one for labels; see `Model.parse_with_margins`."""
    margins = np.zeros((2, words), np.float32)
    margins[0] = np.inf
    return margins


def margins_of(search: BeamSearch, hypothesis: Hypothesis) -> _Floats:
    """The margins of a sentence that was parsed by a search; see `Model.parse_with_margins`."""
    margins, space = no_margins(len(hypothesis.config.heads)), search.ranking.space
    for cfg, taken in hypothesis.derivation():
        [(columns, scores)] = search.ranking.scores([cfg], search.possible)
        row = np.full(space.blocks(cfg.possible_transitions()) * len(space), np.nan)
        row[columns] = scores
        _tell_margins(margins, cfg, space.column(taken), row, space)
    return margins


def _tell_margins(
    margins: _Floats, cfg: Configuration, taken: int, scores: npt.NDArray[np.float64], space: Space
) -> None:
    """Write down how clear a choice is.

    Args:
        margins: where to write it.
        cfg: the configuration.
        taken: the column of the transition that was taken.
        scores: the score in each column, no number where a transition could not be taken.
        space: the transition space.
    """
    columns = [(bare, space.columns(bare)) for bare in cfg.possible_transitions()]
    best = np.array([np.fmax.reduce(scores[those]) for _, those in columns])
    own = next(number for number, (_, those) in enumerate(columns) if taken in those)
    margin = best[own] - np.fmax.reduce(np.delete(best, own), initial=np.nan)
    for number in np.flatnonzero(~np.isnan(best + margin)).tolist():
        word = cfg.dependent(columns[number][0])
        if word is not None:
            margins[0, word - 1] = min(margins[0, word - 1], margin)
    transition, those = columns[own]
    word = cfg.dependent(transition)
    if word is not None and space.transition(taken) != transition:  # it has a label
        margins[1, word - 1] = scores[taken] - np.fmax.reduce(scores[those[those != taken]], initial=-np.inf)
