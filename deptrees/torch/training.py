"""Training networks with an oracle (Goldberg & Nivre 2013, algorithm 3), a batch of sentences at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812  its name everywhere
from torch import Tensor

from deptrees.torch.lock_step import LockStep, word_numbers
from deptrees.torch.network import Network, Settings
from deptrees.torch.vocabulary import Vocabulary
from deptrees.transition import approximate_dynamic_oracle, dynamic_oracle
from deptrees.transition.configuration import OracleFunction
from deptrees.trees.tree import DependencyTree

__all__ = ["Learner", "batches"]

_Integers = npt.NDArray[np.int64]
_Booleans = npt.NDArray[np.bool_]

_BATCHES_SORTED_TOGETHER = 16
_LONGEST_GRADIENT = 5.0


class Learner:
    """Gradient descent on a network.

    The loss is the cross-entropy of the transitions that the oracle names, as if they were one, among those that are
    possible; and that of gold labels.

    Args:
        network: what learns.
        vocabulary: the numbers of words.
        trees: what it learns from: trees with a word or more.
        oracle: names the right transitions. With a dynamic one training explores from the second epoch on.
        settings: how to learn.
        epochs: how many epochs there will be.
        seed: determines the order of sentences and when to explore.
    """

    def __init__(
        self,
        network: Network,
        vocabulary: Vocabulary,
        trees: Sequence[DependencyTree],
        oracle: OracleFunction,
        settings: Settings,
        epochs: int,
        seed: int,
    ) -> None:
        self._network, self._vocabulary, self._trees, self._oracle = network, vocabulary, trees, oracle
        self._settings = settings
        self._random = np.random.default_rng(seed)
        self._exploration = 0.0
        self._optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate)
        updates = epochs * -(-len(trees) // settings.sentences)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimizer, lambda done: 1 - done / updates)

    def epoch(self) -> tuple[int, int]:
        """Learn from each tree once.

        Returns:
            The number of configurations in which the network was asked, and of those in which it was wrong.
        """
        counts = [self._learn(batch) for batch in batches(self._trees, self._settings.sentences, self._random)]
        explores = self._oracle in (dynamic_oracle, approximate_dynamic_oracle)
        self._exploration = self._settings.exploration if explores else 0.0
        asked, wrong = np.sum(counts, 0).tolist()
        return asked, wrong

    def _learn(self, trees: Sequence[DependencyTree]) -> tuple[int, int]:
        network = self._network.train()
        vectors = network(self._vocabulary.encode(trees).to(network.device))
        tables = network.tables(vectors)
        numbers, possible, gold, errors = self._follow(trees, tables)
        loss = _cross_entropy(network.scores(tables, numbers), possible, gold) + self._label_loss(trees, vectors)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_GRADIENT)
        self._optimizer.step()
        self._schedule.step()
        return len(numbers), errors

    def _follow(
        self, trees: Sequence[DependencyTree], tables: list[Tensor]
    ) -> tuple[_Integers, _Booleans, _Booleans, int]:
        """The configurations on the way, what is possible and right there, and how often the network was wrong."""
        state = LockStep(self._network.outlook, trees)
        seen, errors = [], 0
        self._network.transitions.eval()
        while state:
            numbers, possible, gold = state.numbers(), state.possible(), state.gold(self._oracle)
            with torch.no_grad():
                scores = self._network.scores(tables, numbers).cpu().numpy()
            predicted = np.where(possible, scores, -np.inf).argmax(1)
            right = np.where(gold, scores, -np.inf).argmax(1)
            errors += len(gold) - int(gold[np.arange(len(gold)), predicted].sum())
            state.take(np.where(self._random.random(len(gold)) < self._exploration, predicted, right))
            seen.append((numbers, possible, gold))
        self._network.transitions.train()
        numbers, possible, gold = (np.concatenate(column) for column in zip(*seen, strict=True))
        return numbers, possible, gold, errors

    def _label_loss(self, trees: Sequence[DependencyTree], vectors: Tensor) -> Tensor:
        arcs = [
            (word.head, word.id, place, self._vocabulary.label_numbers[word.label])
            for place, tree in enumerate(trees)
            for word in tree
            if word.head is not None and word.label is not None
        ]
        if self._network.labels is None or not arcs:
            return vectors.new_zeros(())
        table = np.array(arcs)
        scores = self._network.label_scores(vectors, word_numbers(table[:, :2], table[:, 2:3], len(trees)))
        return F.cross_entropy(scores, torch.from_numpy(table[:, 3]).to(scores.device))


def _cross_entropy(scores: Tensor, possible: _Booleans, gold: _Booleans) -> Tensor:
    masks = (torch.from_numpy(mask).to(scores.device) for mask in (possible, gold))
    of_possible, of_gold = (scores.masked_fill(~mask, -torch.inf).logsumexp(1) for mask in masks)
    return (of_possible - of_gold).mean()


def batches(
    trees: Sequence[DependencyTree], size: int, random: np.random.Generator
) -> Iterator[Sequence[DependencyTree]]:
    """The trees in random batches of sentences that are about as long, lest much of them be padding.

    >>> trees = [DependencyTree([(0, "w")] * length) for length in (1, 4, 2, 5, 3)]
    >>> sorted([len(tree) for tree in batch] for batch in batches(trees, 2, np.random.default_rng(1)))
    [[1, 2], [3, 4], [5]]
    """
    order = random.permutation(len(trees)).tolist()
    found = []
    for start in range(0, len(order), size * _BATCHES_SORTED_TOGETHER):
        pool = sorted(order[start : start + size * _BATCHES_SORTED_TOGETHER], key=lambda number: len(trees[number]))
        found += [pool[first : first + size] for first in range(0, len(pool), size)]
    for chosen in random.permutation(len(found)).tolist():
        yield [trees[number] for number in found[chosen]]
