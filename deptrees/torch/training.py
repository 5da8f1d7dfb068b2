"""Training networks with an oracle (Goldberg & Nivre 2013, algorithm 3), a batch of sentences at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812  its name everywhere
from torch import Tensor

from deptrees.torch.extractor import word_numbers
from deptrees.torch.network import Architecture, Network
from deptrees.torch.vocabulary import Vocabulary
from deptrees.training.inputs import is_complete, rate_in, rates_of
from deptrees.training.records import Epoch, Settings
from deptrees.training.resumable import ResumableTraining
from deptrees.transition.configuration import OracleFunction
from deptrees.trees.tree import DependencyTree

__all__ = ["Learner", "minibatches"]

_Integers = npt.NDArray[np.int64]
_Booleans = npt.NDArray[np.bool_]

_BATCHES_SORTED_TOGETHER = 16
_LONGEST_GRADIENT = 5.0
_MOMENTS = ("exp_avg", "exp_avg_sq")
"""What Adam remembers of the gradients of each weight."""


class Learner(ResumableTraining[_Integers]):
    """Gradient descent on a network.

    The loss is the cross-entropy of the transitions that the oracle names, as if they were one, among those that are
    possible; and that of gold labels.

    Args:
        network: what learns.
        vocabulary: the numbers of words.
        trees: what it learns from: trees with a word or more.
        of: how many trees there are, with those that it cannot learn from.
        oracle: names the right transitions. With a dynamic one of the library's, training explores from the second
            epoch on.
        architecture: how the weights change.
        settings: how many epochs there will be, how often to explore, and the seed of all that is random.
    """

    def __init__(
        self,
        network: Network,
        vocabulary: Vocabulary,
        trees: Sequence[DependencyTree],
        of: int,
        oracle: OracleFunction,
        architecture: Architecture,
        settings: Settings,
    ) -> None:
        super().__init__(settings.seed)
        self._network, self._vocabulary = network, vocabulary
        self._trees, self._skipped = trees, of - len(trees)
        self._derivations = network.extractor.open(trees, oracle=oracle, sentences=[])
        self._batch_size = architecture.batch_size
        self._rates = rates_of(settings.exploration if is_complete(oracle) else 0.0)
        self._optimizer = torch.optim.Adam(network.parameters(), architecture.learning_rate)
        updates = settings.epochs * -(-len(trees) // self._batch_size)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimizer, lambda done: 1 - done / updates)

    def _divide(self) -> Sequence[_Integers]:
        self._exploration = rate_in(self._rates, self.epochs)
        lengths = np.diff(self._derivations.columns.offsets)
        return list(minibatches(lengths, self._batch_size, self._random))

    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        return Epoch(number, len(self._trees), self._skipped, steps, errors)

    def _arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        tensors = {f"network.{name}": tensor for name, tensor in self._network.state_dict().items()}
        for number, parameter in enumerate(self._parameters):
            state = self._optimizer.state[parameter]  # nothing before its first gradient
            for name in _MOMENTS:
                tensors[f"{name}.{number}"] = state.get(name, torch.zeros_like(parameter))
        steps = [float(self._optimizer.state[parameter].get("step", 0)) for parameter in self._parameters]
        arrays = {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()}
        return {**arrays, "steps": np.array(steps, np.float32), "random": torch.get_rng_state().numpy()}

    def _rest(self) -> Mapping[str, Any]:
        return {"groups": self._optimizer.state_dict()["param_groups"], "schedule": self._schedule.state_dict()}

    def _take_over(self, arrays: Mapping[str, npt.NDArray[Any]], rest: Mapping[str, Any]) -> None:
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        self._network.load_state_dict({name: tensors[f"network.{name}"] for name in self._network.state_dict()})
        state = {
            number: {"step": step, **{name: tensors[f"{name}.{number}"] for name in _MOMENTS}}
            for number, step in enumerate(tensors["steps"])
        }
        self._optimizer.load_state_dict({"state": state, "param_groups": rest["groups"]})
        self._schedule.load_state_dict(dict(rest["schedule"]))
        torch.set_rng_state(tensors["random"])

    @property
    def _parameters(self) -> list[Tensor]:
        """What the optimizer changes, in its order."""
        return [parameter for group in self._optimizer.param_groups for parameter in group["params"]]

    def _learn(self, portion: _Integers) -> tuple[int, int]:
        network = self._network.train()
        trees = [self._trees[number] for number in portion.tolist()]
        vectors = network(self._vocabulary.encode(trees).to(network.device))
        tables = network.tables(vectors)
        numbers, possible, gold, errors = self._follow(portion, tables)
        loss = _cross_entropy(network.scores(tables, numbers), possible, gold) + self._label_loss(trees, vectors)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_GRADIENT)
        self._optimizer.step()
        self._schedule.step()
        return len(numbers), errors

    def _follow(self, portion: _Integers, tables: list[Tensor]) -> tuple[_Integers, _Booleans, _Booleans, int]:
        """The configurations on the way, what is possible and right there, and how often the network was wrong."""
        derivations, seen, errors = self._derivations, [], 0
        derivations.restart(portion)
        self._network.transitions.eval()
        while derivations:
            numbers = self._network.extractor.numbers(derivations)
            possible, gold = derivations.possible(), derivations.gold()
            with torch.no_grad():
                scores = self._network.scores(tables, numbers).cpu().numpy()
            predicted = np.where(possible, scores, -np.inf).argmax(1)
            right = np.where(gold, scores, -np.inf).argmax(1)
            errors += len(gold) - int(gold[np.arange(len(gold)), predicted].sum())
            derivations.take(np.where(self._random.random(len(gold)) < self._exploration, predicted, right))
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


def minibatches(lengths: npt.ArrayLike, size: int, random: np.random.Generator) -> Iterator[_Integers]:
    """Sentences in random batches, each of about the same length, so that there is little padding.

    Args:
        lengths: how long each sentence is.
        size: how many sentences are in a batch.
        random: what draws them.

    >>> lengths = np.array([1, 4, 2, 5, 3])
    >>> sorted(sorted(lengths[batch].tolist()) for batch in minibatches(lengths, 2, np.random.default_rng(1)))
    [[1, 2], [3, 4], [5]]
    """
    of_all = np.asarray(lengths)
    found: list[_Integers] = []
    for pool in _cut(random.permutation(len(of_all)), size * _BATCHES_SORTED_TOGETHER):
        found += _cut(pool[np.argsort(of_all[pool], kind="stable")], size)
    for chosen in random.permutation(len(found)).tolist():
        yield found[chosen]


def _cut(numbers: _Integers, size: int) -> list[_Integers]:
    return np.split(numbers, range(size, len(numbers), size))
