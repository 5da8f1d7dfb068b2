"""Parsing with a network: the derivations of many sentences in lock step, and of each sentence the best ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from deptrees.engine import Derivations
from deptrees.engine.finding import Found
from deptrees.torch.defaults import pytorch_defaults
from deptrees.torch.margins import write_margins
from deptrees.torch.network import Network, NetworkEnsemble
from deptrees.torch.rows import ranks, roots, word_numbers
from deptrees.transition.constraints import Constraints
from deptrees.transition.labels import LabelHeads
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["Search"]

_LEAST = np.finfo(np.float32).min
"""The lowest score of what is possible, even if weights of a file that was edited are infinite."""

_Integers = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float32]
_Booleans = npt.NDArray[np.bool_]


@attrs.frozen(eq=False)
class Search:
    """A beam search over the derivations of some sentences, of all of them together.

    The score of a derivation is the sum of the logarithms of its transitions' probabilities, each among those that are
    possible. With a beam of 1, the most probable transition is taken everywhere.

    Args:
        network: scores transitions, and labels; or several that do so together.
        labels: the labels, by their numbers.
        label_heads: which of them arcs from ROOT can have, and which arcs from words.
        treebank: the sentences; as trees, so that errors name them, if there are constraints.
        known: the constraints on each of them, ``None`` if there are none.
    """

    network: Network | NetworkEnsemble
    labels: Sequence[str]
    label_heads: LabelHeads
    treebank: Columns | Sequence[DependencyTree]
    known: Sequence[Constraints] | None = None

    def find(self, width: int, *, ranked: bool, margins: bool) -> Found:
        """The best trees of each sentence.

        Args:
            width: how many derivations of a sentence are followed at a time.
            ranked: whether all of them are wanted, with their scores, or the best one alone.
            margins: whether to measure how clear the choices are, if one derivation is followed.
        """
        with pytorch_defaults(), torch.inference_mode():
            network = self.network.eval()
            derivations = self._open()
            found = Found.empty(derivations.columns.offsets, width, margins=margins)
            vectors = network(derivations.columns)
            if width == 1 and not ranked:
                self._follow_one(derivations, vectors, found.margins)
            else:
                scores = self._follow_several(derivations, vectors, width)
                found.scores[ranks(derivations.sentences), derivations.sentences] = scores
                if not ranked:
                    derivations.keep(np.flatnonzero(ranks(derivations.sentences) == 0))
            self._write(found, derivations, vectors)
        return found

    def _open(self) -> Derivations:
        """A derivation of each sentence, at its beginning."""
        return self.network.extractor.open(
            self.treebank, oracle=None, constraints=self.known, label_heads=self.label_heads
        )

    def _follow_one(self, derivations: Derivations, vectors: Tensor, margins: _Floats | None) -> None:
        """Go to the end of derivations by the best transitions."""
        for _, scores in self._steps(derivations, vectors):
            if margins is not None:
                write_margins(derivations, scores, margins)
            derivations.take(scores.argmax(1))

    def _follow_several(self, derivations: Derivations, vectors: Tensor, width: int) -> npt.NDArray[np.float64]:
        """Go to the end of the best derivations; their scores. They are sorted by sentence and score."""
        sums = np.zeros(len(derivations))
        for possible, scores in self._steps(derivations, vectors):
            chances = torch.from_numpy(scores).log_softmax(1).numpy()
            sums = _go_on(derivations, sums, possible, chances, width)
        return sums

    def _steps(self, derivations: Derivations, vectors: Tensor) -> Iterator[tuple[_Booleans, _Floats]]:
        """At each step which transitions can be taken, and the scores of all, -inf where one cannot."""
        tables, first = self.network.tables(vectors), roots(derivations.columns)
        while derivations:
            numbers = self.network.extractor.numbers(derivations, first[derivations.sentences])
            possible = derivations.possible()
            scores = np.maximum(self.network.scores(tables, numbers).cpu().numpy(), _LEAST)
            scores[~possible] = -np.inf
            yield possible, scores

    def _write(self, found: Found, derivations: Derivations, vectors: Tensor) -> None:
        """Write down the arcs of derivations, each with the label that is best for its head and dependent."""
        heads, labels = derivations.arcs()
        lengths = np.diff(found.offsets)[derivations.sentences]
        offsets = np.concatenate([[0], lengths.cumsum()])
        places, rows = derivations.sentences.repeat(lengths), ranks(derivations.sentences).repeat(lengths)
        positions = np.arange(len(heads)) - offsets[:-1].repeat(lengths)
        if self.network.has_labels:
            attached = np.flatnonzero(heads >= 0)
            arcs = np.stack([heads, positions + 1], 1)[attached]
            numbers = word_numbers(arcs, roots(derivations.columns)[places[attached], None])
            scores = self.network.label_scores(vectors, numbers).cpu().numpy()
            allowed = self.label_heads.allowed(self.labels)[(arcs[:, 0] == 0).astype(int)]
            if self.known is not None:
                among = [dict(constraints.labels) for constraints in self.known]
                for row, (_, word), place in zip(allowed, arcs.tolist(), places[attached].tolist(), strict=True):
                    if word in among[place]:
                        row[:] = np.isin(self.labels, among[place][word])
            scores[~allowed] = -np.inf
            labels[attached] = scores.argmax(1)
            if found.margins is not None:
                found.margins[1, attached] = self._label_margins(scores)
        words = found.offsets[places] + positions
        found.heads[rows, words], found.labels[rows, words] = heads, labels

    def _label_margins(self, scores: _Floats) -> _Floats:
        """By how much the best label of each arc is ahead of the others."""
        second, best = np.partition(np.pad(scores, ((0, 0), (1, 0)), constant_values=-np.inf), -2)[:, -2:].T
        return best - second


def _go_on(
    derivations: Derivations,
    sums: npt.NDArray[np.float64],
    possible: _Booleans,
    chances: _Floats,
    width: int,
) -> npt.NDArray[np.float64]:
    """Go on with the best derivations of each sentence, which are next to each other; their scores, from those before.

    Args:
        derivations: the derivations.
        sums: their scores.
        possible: which transitions can be taken.
        chances: what these add.
        width: how many derivations of a sentence are followed.
    """
    places, going, final = derivations.sentences, derivations.going, np.flatnonzero(derivations.is_final)
    rows, taken = np.nonzero(possible)
    parents = np.concatenate([going[rows], final])
    reached = np.concatenate([sums[going[rows]] + chances[rows, taken], sums[final]])
    order = np.lexsort((-reached, places[parents]))
    chosen = order[ranks(places[parents[order]]) < width]
    derivations.keep(parents[chosen])
    derivations.take(taken[chosen[chosen < len(taken)]])
    return reached[chosen]
