"""Parsing with a network: the derivations of many sentences in lock step, and of each sentence the best ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from deptrees.any_parser import ScoredTree
from deptrees.engine import Derivations
from deptrees.torch.margins import tell_margins
from deptrees.torch.network import Network, NetworkEnsemble
from deptrees.torch.rows import ranks, roots, word_numbers
from deptrees.transition.constraints import Constraints
from deptrees.treebanks.batch import Batch
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
        trees: the sentences.
        known: the constraints on each of them, ``None`` if there are none.
    """

    network: Network | NetworkEnsemble
    labels: Sequence[str]
    trees: Sequence[DependencyTree]
    known: Sequence[Constraints] | None = None

    def best(self, width: int, margins: _Floats | None = None) -> list[DependencyTree]:
        """The best tree of each sentence.

        Args:
            width: how many derivations of a sentence are followed at a time.
            margins: with a beam of 1, where to write how clear the choices were; see `deptrees.torch.margins`.
        """
        with torch.inference_mode():
            derivations, vectors = self._open()
            if width == 1:
                self._follow_one(derivations, vectors, margins)
            else:
                self._follow_several(derivations, vectors, width)
                derivations.keep(np.flatnonzero(ranks(derivations.sentences) == 0))
            return self._trees(derivations, vectors, margins)

    def ranked(self, k: int, width: int) -> list[list[ScoredTree]]:
        """The best trees of each sentence, at most k, the best first."""
        with torch.inference_mode():
            derivations, vectors = self._open()
            scores = self._follow_several(derivations, vectors, width)
            trees = self._trees(derivations, vectors)
        found: list[dict[DependencyTree, float]] = [{} for _ in self.trees]
        for place, score, tree in zip(derivations.sentences.tolist(), scores.tolist(), trees, strict=True):
            if len(found[place]) < k:
                found[place].setdefault(tree, score)
        return [[ScoredTree(tree, score) for tree, score in of_sentence.items()] for of_sentence in found]

    def _open(self) -> tuple[Derivations, Tensor]:
        """The derivations of the sentences, at their beginnings, and the vectors of the words."""
        network = self.network.eval()
        derivations = network.extractor.open(self.trees, oracle=None, constraints=self.known)
        return derivations, network(derivations.columns)

    def _follow_one(self, derivations: Derivations, vectors: Tensor, margins: _Floats | None) -> None:
        """Go to the end of derivations by the best transitions."""
        for _, scores in self._steps(derivations, vectors):
            if margins is not None:
                tell_margins(derivations, scores, margins)
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

    def _trees(self, derivations: Derivations, vectors: Tensor, margins: _Floats | None = None) -> list[DependencyTree]:
        """The trees that derivations have led to, each arc with the label that is best for its head and dependent."""
        if not self.network.has_labels:
            return derivations.trees()
        heads, _ = derivations.arcs()
        lengths = np.diff(derivations.columns.offsets)[derivations.sentences]
        offsets = np.concatenate([[0], lengths.cumsum()])
        places, attached = derivations.sentences.repeat(lengths), np.flatnonzero(heads >= 0)
        arcs = np.stack([heads, np.arange(len(heads)) - offsets[:-1].repeat(lengths) + 1], 1)[attached]
        numbers = word_numbers(arcs, roots(derivations.columns)[places[attached], None])
        scores = self.network.label_scores(vectors, numbers).cpu().numpy()
        if self.known is not None:
            among = [dict(constraints.labels) for constraints in self.known]
            for row, (_, word), place in zip(scores, arcs.tolist(), places[attached].tolist(), strict=True):
                row[~np.isin(self.labels, among[place].get(word, self.labels))] = -np.inf
        if margins is not None:
            second, best = np.partition(np.pad(scores, ((0, 0), (1, 0)), constant_values=-np.inf), -2)[:, -2:].T
            margins[1, attached] = best - second
        labels = np.full(len(heads), -1, np.int32)
        labels[attached] = scores.argmax(1)
        words = [slice(start, stop) for start, stop in pairwise(offsets.tolist())]
        return [
            Batch.of([self.trees[place]]).with_arcs(heads[of_tree], labels[of_tree], self.labels).trees[0]
            for place, of_tree in zip(derivations.sentences.tolist(), words, strict=True)
        ]


def _go_on(
    derivations: Derivations,
    sums: npt.NDArray[np.float64],
    possible: _Booleans,
    chances: _Floats,
    width: int,
) -> npt.NDArray[np.float64]:
    """Go on with the best derivations of each sentence; their scores, from those before.

    Args:
        derivations: the derivations, those of a sentence next to each other.
        sums: their scores.
        possible: which transitions can be taken.
        chances: what they add.
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
