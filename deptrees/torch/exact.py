"""Exact parsers: scores of transitions by s0 and b0 alone, so that all derivations are summed up and searched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice, repeat, takewhile
from typing import Any, ClassVar

import attrs
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from deptrees.engine import Derivations
from deptrees.engine.finding import Floats
from deptrees.inference import Chart, ScoredDerivation, chart
from deptrees.inference.deduction import deduction
from deptrees.torch.defaults import pytorch_defaults
from deptrees.torch.log_sums import log_sum
from deptrees.torch.network import Network, NetworkEnsemble
from deptrees.torch.parts import Decoder, DecoderNetwork, rate, size
from deptrees.torch.rows import roots, word_numbers
from deptrees.torch.search import Search
from deptrees.torch.transitions import Transitions
from deptrees.torch.vocabulary import Vocabulary
from deptrees.transition import System
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["ExactSearch", "ExactTransitions", "derivation_losses", "scores_of_pairs"]

_PAIRS_AT_ONCE = 1 << 16
"""In so many pairs of s0 and b0 transitions are scored in one go."""
_CERTAIN = 1 - 1e-7
"""The probability from which on a head counts as certain."""
_FORBIDDEN = 1e6
"""What a constraint costs that is broken: more than any derivation scores."""
_HIGHEST = 1e30
"""The highest score, even if weights of a file that was edited are infinite."""


@attrs.frozen(kw_only=True)
class ExactTransitions(Decoder):
    """A decoder that sees s0 and b0 alone, and learns from all derivations at once (Shi, Huang & Lee 2017).

    A network with it is a conditional random field over derivations. It learns to give a high probability to the
    derivations that end as near to the gold tree as any, which may be partial or not projective; there is no oracle to
    follow and nothing to explore. Parsing finds the best derivation of all, and so does k best. Systems qualify whose
    derivations have a chart; see `deptrees.inference`. An arc gets its label when the tree is finished.

    Args:
        hidden: the size of the layer over the vectors of s0 and b0.
        dropout: how much of it is left out in training.

    >>> from deptrees import DependencyTree, sample_treebank
    >>> from deptrees.torch import BiLSTM, NeuralParser
    >>> small = {"encoder": BiLSTM(hidden=10), "decoder": ExactTransitions(hidden=10)}
    >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, **small)
    >>> len(parser.k_best(DependencyTree([(None, "Birds"), (None, "sing")]), k=2))
    2
    """

    is_exact: ClassVar[bool] = True
    hidden: int = size(200)
    dropout: float = rate(0.33)

    def network(self, system: System, vocabulary: Vocabulary, size: int) -> DecoderNetwork:
        deduction(system)  # which says why, if it has no chart
        seen = Transitions(nodes=("s0", "b0"), hidden=self.hidden, dropout=self.dropout)
        return seen.network(system, vocabulary, size)


def scores_of_pairs(network: Network | NetworkEnsemble, tables: list[Tensor], columns: Columns) -> Iterator[Tensor]:
    """For each sentence the scores of the rows of its system's table, at [s0, b0, row], as a chart takes them."""
    system: Any = network.extractor.system
    rows = torch.tensor([network.extractor.space.column(row.transition()) for row in system.rows])
    for root, n in zip(roots(columns).tolist(), np.diff(columns.offsets).tolist(), strict=True):
        s0, b0 = np.triu_indices(n + 2, 1)  # no other pairs are ever met
        stack = np.where((s0 == 0) & (system.root != "first"), -1, s0)
        front = np.where(b0 <= n, b0, 0 if system.root == "last" else -1)
        numbers = word_numbers(np.stack([stack, front], 1), root)[:, None]
        blocks = range(0, len(numbers), _PAIRS_AT_ONCE)
        found = torch.cat([network.scores(tables, numbers[first : first + _PAIRS_AT_ONCE]) for first in blocks])
        yield found.new_zeros(n + 2, n + 2, len(rows)).index_put(
            (torch.from_numpy(s0), torch.from_numpy(b0)), found[:, rows]
        )


def derivation_losses(
    network: Network, tables: list[Tensor], columns: Columns, trees: Iterable[DependencyTree]
) -> Tensor:
    """For each sentence the negative logarithm of the probability of its right derivations."""
    system = network.extractor.system
    pairs = zip(scores_of_pairs(network, tables, columns), trees, strict=True)
    return torch.stack([log_sum(system, scores) - log_sum(system, scores, tree=tree) for scores, tree in pairs])


class ExactSearch(Search):
    """The best derivations of each sentence. Their scores are the logarithms of their probabilities.

    The margins are the logits of the marginal probabilities of heads and of labels.
    """

    def charts(self) -> list[Chart]:
        """The chart of each sentence."""
        with pytorch_defaults(), torch.inference_mode():
            network, columns = self.network.eval(), self._open().columns
            return [*self._charts(columns, network(columns))]

    def _open(self) -> Derivations:
        return self.network.extractor.open(self.treebank, oracle=None, label_heads=self.label_heads)

    def _follow_one(self, derivations: Derivations, vectors: Tensor, margins: Floats | None) -> None:
        charts = [*self._charts(derivations.columns, vectors)]
        best = [found.best() for found in charts]
        self._follow(derivations, best)
        if margins is not None:
            chances = np.concatenate([_chances(found, one.heads) for found, one in zip(charts, best, strict=True)])
            margins[0] = _logits(chances)

    def _label_margins(self, scores: Floats) -> Floats:
        return _logits(torch.from_numpy(scores).softmax(1).numpy().max(1))

    def _follow_several(self, derivations: Derivations, vectors: Tensor, width: int) -> npt.NDArray[np.float64]:
        charts = [*self._charts(derivations.columns, vectors)]
        known = self.known or repeat(Constraints())
        best = [[*islice(_meeting(found.ranked(), these), width)] for found, these in zip(charts, known, strict=False)]
        derivations.keep(np.arange(len(best)).repeat([*map(len, best)]))
        self._follow(derivations, [*chain.from_iterable(best)])
        pairs = zip(best, charts, strict=True)
        return np.array([one.score - found.value() for those, found in pairs for one in those])

    def _follow(self, derivations: Derivations, chosen: Sequence[ScoredDerivation]) -> None:
        """Go to the end of derivations that have been chosen."""
        column = self.network.extractor.space.column
        ways = [[*map(column, derivation.transitions)] for derivation in chosen]
        for step in count():
            if not derivations:
                return
            derivations.take(np.array([ways[number][step] for number in derivations.going.tolist()]))

    def _charts(self, columns: Columns, vectors: Tensor) -> Iterator[Chart]:
        """The chart of each sentence; where something is known, heads cost more than all else for what they break."""
        system = self.network.extractor.system
        pairs = scores_of_pairs(self.network, self.network.tables(vectors), columns)
        for number, scores in enumerate(pairs):
            heads = None if self.known is None else -_FORBIDDEN * self._broken(number)
            yield chart(system, np.nan_to_num(scores.double().cpu().numpy()).clip(-_HIGHEST, _HIGHEST), heads=heads)

    def _broken(self, number: int) -> npt.NDArray[np.float64]:
        """How many of the constraints on a sentence each head breaks; ``BrokenConstraints`` if not all can be met."""
        assert self.known is not None
        assert not isinstance(self.treebank, Columns)
        tree, known = self.treebank[number], self.known[number]
        try:
            known.transitions(self.network.extractor.system.initial(tree))
        except BrokenConstraints as error:
            raise BrokenConstraints(f"{tree.name}: {error}") from None
        return known.costs(len(tree))


def _meeting(ranked: Iterable[ScoredDerivation], known: Constraints) -> Iterator[ScoredDerivation]:
    """The derivations that break no constraint: where these cost more than all else, they come first."""
    return takewhile(lambda derivation: not known.broken_by(derivation.heads), ranked)


def _logits(chances: Any) -> Any:
    return np.log(chances) - np.log1p(-np.minimum(chances, _CERTAIN))


def _chances(found: Chart, heads: Sequence[int | None]) -> npt.NDArray[np.float64]:
    """How probable the heads of words are."""
    chances: npt.NDArray[np.float64] = found.marginals().heads
    return chances[[-1 if head is None else head for head in heads], range(1, len(heads) + 1)]
