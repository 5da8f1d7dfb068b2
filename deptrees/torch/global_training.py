"""Global training: whole derivations compete with those of a beam, after Andor et al. 2016, section 2.

Other than there, the score of a derivation is the sum of the logarithms of its transitions' probabilities, so that
parsers search as they do without such training; and the loss comes in addition to that of single transitions, without
which parsing is less accurate (docs/measurements/parsers.md). The loss of a beam is

    log Σ exp(score of a derivation of the beam)  −  log Σ exp(score of a right derivation of the beam)

where a derivation is right if the oracle has named all its transitions. Where no right one is among the best, the beam
ends, with the best right one besides: an early update (Collins & Roark 2004). Another beam then begins with that one,
so that there is something to learn from to the end of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from deptrees.engine import Derivations
from deptrees.torch.network import Network
from deptrees.torch.rows import joined, ranks

__all__ = ["beam_loss"]

_Integers = npt.NDArray[np.int64]
_Booleans = npt.NDArray[np.bool_]


def beam_loss(network: Network, derivations: Derivations, first: _Integers, tables: list[Tensor], width: int) -> Tensor:
    """The loss of some sentences, a step of their beams.

    Args:
        network: scores transitions.
        derivations: the beginning of a derivation of each sentence; they are led to their end.
        first: the row of each sentence's ROOT.
        tables: what scores are made of.
        width: how many derivations of a sentence are followed.
    """
    steps = _Steps(network, tables)
    network.decoder.eval()
    with torch.inference_mode():
        ended = _Hypotheses(*map(np.concatenate, zip(*_ends(derivations, first, width, steps), strict=True)))
    network.decoder.train()
    ended = ended.at(ended.beams.argsort(kind="stable"))
    scores = steps.scores(ended.last)
    every, of_right = (_log_sums(scores, ended.beams, some) for some in (np.ones_like(ended.right), ended.right))
    return (every - of_right)[torch.from_numpy(np.unique(ended.beams[ended.right]))].sum() / max(1, steps.taken)


class _Hypotheses(NamedTuple):
    """Derivations of beams."""

    places: _Integers
    """The sentence of each."""
    beams: _Integers
    last: _Integers
    """The last step of each in its beam, -1 for none."""
    sums: npt.NDArray[np.float64]
    right: _Booleans
    """Whether the oracle has named all transitions."""

    @classmethod
    def first(cls, count: int) -> _Hypotheses:
        """One for each sentence."""
        numbers = np.arange(count)
        return cls(numbers, numbers.copy(), np.full(count, -1), np.zeros(count), np.ones(count, np.bool_))

    def at(self, rows: _Integers) -> _Hypotheses:
        """Those in some rows."""
        return _Hypotheses(self.places[rows], self.beams[rows], self.last[rows], self.sums[rows], self.right[rows])

    def best(self, width: int) -> tuple[_Integers, _Integers]:
        """The rows of the best of each sentence and, where none of them is right, of the best right one besides."""
        order = np.lexsort((-self.sums, self.places))
        best = order[ranks(self.places[order]) < width]
        missed = order[self.right[order] & ~np.isin(self.places[order], self.places[best[self.right[best]]])]
        return best, missed[ranks(self.places[missed]) == 0]


class _Steps:
    """The steps of derivations: each knows the one before it, so that none is ever copied."""

    def __init__(self, network: Network, tables: list[Tensor]) -> None:
        self._network, self._tables = network, tables
        self._numbers: list[_Integers] = []
        self._possible: list[_Booleans] = []
        self._made: list[_Integers] = []
        self._looked_at, self._count = 0, 0
        self.taken = 0
        """How many steps the beams of all sentences have taken."""

    def look(self, derivations: Derivations, first: _Integers) -> npt.NDArray[np.float32]:
        """The logarithms of the probabilities of transitions, in the configurations where the next steps are taken."""
        self._numbers.append(self._network.extractor.numbers(derivations, first))
        self._possible.append(derivations.possible())
        self._looked_at += len(self._numbers[-1])
        self.taken += len(np.unique(derivations.sentences[derivations.going]))
        return self._chances(self._numbers[-1], self._possible[-1]).cpu().numpy()

    def _chances(self, numbers: _Integers, possible: _Booleans) -> Tensor:
        scores = self._network.scores(self._tables, numbers)
        return scores.masked_fill(~torch.from_numpy(possible).to(scores.device), -torch.inf).log_softmax(1)

    def add(self, before: _Integers, rows: _Integers, taken: _Integers) -> _Integers:
        """Keep steps; their numbers.

        Args:
            before: the number of the step before each, -1 for none.
            rows: in which of the configurations looked at last it is taken.
            taken: its transition.
        """
        self._made.append(np.stack([before, rows + self._looked_at - len(self._numbers[-1]), taken]))
        self._count += len(before)
        return np.arange(self._count - len(before), self._count)

    def scores(self, last: _Integers) -> Tensor:
        """The scores of derivations, given by their last steps, from which the network can learn."""
        before, looked_at, taken = np.concatenate(self._made, 1)
        count, derivation = len(last), np.arange(len(last))
        found = [(derivation[:0], last[:0])]
        while len(last):
            derivation, last = derivation[last >= 0], last[last >= 0]
            found.append((derivation, last))
            last = before[last]
        derivations, steps = (np.concatenate(column) for column in zip(*found, strict=True))
        used, rows = np.unique(looked_at[steps], return_inverse=True)
        chances = self._chances(joined(self._numbers)[used], joined(self._possible)[used])
        of_steps = chances[torch.from_numpy(rows), torch.from_numpy(taken[steps])]
        return chances.new_zeros(count).index_add(0, torch.from_numpy(derivations).to(chances.device), of_steps)


def _ends(derivations: Derivations, first: _Integers, width: int, steps: _Steps) -> Iterator[_Hypotheses]:
    """Follow beams to their ends."""
    followed = _Hypotheses.first(len(derivations))
    begun = len(followed.places)
    while derivations:
        chances, gold, going = steps.look(derivations, first[followed.places]), derivations.gold(), derivations.going
        rows, taken = np.nonzero(np.isfinite(chances))
        parents = np.concatenate([going[rows], np.flatnonzero(derivations.is_final)])
        candidates = followed.at(parents)
        candidates.sums[: len(rows)] += chances[rows, taken]
        candidates.right[: len(rows)] &= gold[rows, taken]
        best, missed = candidates.best(width)
        chosen = np.concatenate([best, missed])
        reached, is_step = candidates.at(chosen), chosen < len(rows)
        reached.last[is_step] = steps.add(reached.last[is_step], rows[chosen[is_step]], taken[chosen[is_step]])
        ends = np.isin(reached.places, candidates.places[missed])
        yield reached.at(np.flatnonzero(ends))
        stays = np.concatenate([np.flatnonzero(~ends), np.arange(len(best), len(chosen))])
        followed, begins = reached.at(stays), stays >= len(best)
        followed.beams[begins], followed.last[begins], followed.sums[begins] = begun + np.arange(len(missed)), -1, 0
        begun += len(missed)
        derivations.keep(parents[chosen[stays]])
        derivations.take(taken[chosen[stays][is_step[stays]]])
    yield followed


def _log_sums(scores: Tensor, beams: _Integers, some: _Booleans) -> Tensor:
    """For each beam, whose derivations are in order, the logarithm of the sum of some of their probabilities."""
    table = scores.new_full((1 + int(beams.max()), 1 + int(ranks(beams).max())), -torch.inf)
    where = torch.from_numpy(beams[some]), torch.from_numpy(ranks(beams)[some])
    return table.index_put(where, scores[torch.from_numpy(np.flatnonzero(some))]).logsumexp(1)
