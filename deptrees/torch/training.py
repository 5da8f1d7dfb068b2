"""Training networks with an oracle (Goldberg & Nivre 2013, algorithm 3), a batch of sentences at a time."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from math import isfinite, log

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812  its name everywhere
from torch import Tensor

from deptrees.torch.exact import derivation_losses
from deptrees.torch.global_training import beam_loss
from deptrees.torch.log_sums import check_lengths
from deptrees.torch.memory import give_memory_back
from deptrees.torch.network import Network
from deptrees.torch.options import NeuralOptions
from deptrees.torch.parts import EncoderNetwork
from deptrees.torch.rows import joined, roots, word_numbers
from deptrees.training.inputs import rate_in, rates_of, whole_number
from deptrees.training.records import Diverged, Epoch
from deptrees.training.resumable import Arrays, ResumableTraining, State, cut
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

__all__ = ["Learner", "minibatches"]

_Integers = npt.NDArray[np.int64]
_Booleans = npt.NDArray[np.bool_]

_MORE_OR_LESS = 3
"""By how many words the lengths of sentences of a batch differ where there are enough others."""
_LONGEST_GRADIENT = 5.0
_FUSED = ("cpu", "cuda")
"""Devices on which Adam takes a step in one go."""
_LOCAL = 0.5
"""The share of the epochs that learn without a beam, if the others learn with one."""
_FEW = 10
"""After so many updates the average is that of about as many."""
_MOMENTS = ("exp_avg", "exp_avg_sq")
"""What Adam remembers of the gradients of each weight."""


class Learner(ResumableTraining[_Integers]):
    """Gradient descent on a network.

    The loss is the cross-entropy of the transitions that the oracle names, as if they were one, among those that are
    possible; and that of gold labels. With a beam, the loss of whole derivations is added in the second half of the
    epochs (`deptrees.torch.global_training`). If the decoder is exact, the loss is that of the right derivations among
    all; a step is then a sentence, and an error one that is more probably wrong than right. The rate goes down to 0
    with the last update; if training goes on with more epochs than before, it is then the rate that it would have been
    with as many from the beginning.

    Args:
        network: what learns.
        trees: what it learns from: trees with a word or more.
        of: how many trees there are, with those that it cannot learn from.
        labels: the numbers of labels.
        options: how to train, with a single seed. With a dynamic oracle of the library's, training explores.
    """

    def __init__(
        self,
        network: Network,
        trees: Sequence[DependencyTree],
        of: int,
        labels: Mapping[str, int],
        options: NeuralOptions,
    ) -> None:
        super().__init__(options.seed)
        self.options, oracle, learning = options, options.function, options.learning
        if options.decoder.is_exact:
            check_lengths(network.extractor.system, trees)
        self._network = network
        self._trees, self._skipped = trees, of - len(trees)
        self._derivations = network.extractor.open(trees, oracle=oracle, sentences=[], learning=True)
        known = [labels.get(label, -1) for label in self._derivations.columns.vocabularies["deprel"]]
        self._numbers_of_labels = np.array([*known, -1])
        self._lengths = np.diff(self._derivations.columns.offsets)
        self._batch = learning.batch_words
        self._beam = options.beam
        self._local_epochs = options.epochs if self._beam == 1 else int(options.epochs * _LOCAL)
        self._rates = rates_of(options.rate or 0.0)
        fused = network.device.type in _FUSED
        self._optimizer = torch.optim.Adam(_groups(network, learning.learning_rate), fused=fused)
        self._averaging = learning.averaging
        self._average = [parameter.detach().clone() for parameter in network.parameters()]
        self._updates, self._all_updates = 0, options.epochs * len(self._batches(np.random.default_rng(options.seed)))
        self._losses = 0.0

    def averaged(self) -> Network:
        """A copy of the network, whose weights are the average of those that it has had."""
        network = copy.deepcopy(self._network)
        with torch.no_grad():
            for parameter, average in zip(network.parameters(), self._average, strict=True):
                parameter.copy_(average)
        return network

    def _divide(self) -> Sequence[_Integers]:
        self._exploration, self._losses = rate_in(self._rates, self.epochs), 0.0
        return self._batches(self._random)

    def _batches(self, random: np.random.Generator) -> list[_Integers]:
        return minibatches(self._lengths, self._batch, random)

    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        return Epoch(number, len(self._trees), self._skipped, steps, errors, loss=self._losses / len(self._portions))

    def _arrays(self) -> Arrays:
        give_memory_back()  # they are four times as large as the network, and are copied on the way to a file
        tensors = {f"network.{name}": tensor for name, tensor in self._network.state_dict().items()}
        for number, parameter in enumerate(self._parameters):
            state = self._optimizer.state[parameter]  # nothing before its first gradient
            for name in _MOMENTS:
                tensors[f"{name}.{number}"] = state.get(name, torch.zeros_like(parameter))
        tensors |= {f"average.{number}": tensor for number, tensor in enumerate(self._average)}
        steps = [float(self._optimizer.state[parameter].get("step", 0)) for parameter in self._parameters]
        arrays = {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()}
        return {**arrays, "steps": np.array(steps, np.float32), "random": torch.get_rng_state().numpy()}

    def _other_state(self) -> State:
        return {"updates": self._updates, "losses": self._losses}

    def _restore(self, arrays: Arrays, rest: State) -> None:
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        self._network.load_state_dict({name: tensors[f"network.{name}"] for name in self._network.state_dict()})
        self._average = [tensors[f"average.{number}"].to(self._network.device) for number in range(len(self._average))]
        state = {
            number: {"step": step, **{name: tensors[f"{name}.{number}"] for name in _MOMENTS}}
            for number, step in enumerate(tensors["steps"])
        }
        groups = self._optimizer.state_dict()["param_groups"]
        self._optimizer.load_state_dict({"state": state, "param_groups": groups})
        self._updates, self._losses = whole_number("updates", rest["updates"], 0, 1 << 53), float(rest["losses"])
        try:
            torch.set_rng_state(tensors["random"])
        except RuntimeError as error:
            raise ValueError(f"the state of random numbers is wrong: {error}") from None

    @property
    def _parameters(self) -> list[Tensor]:
        """What the optimizer changes, in its order."""
        return [parameter for group in self._optimizer.param_groups for parameter in group["params"]]

    def _learn(self, portion: _Integers) -> tuple[int, int]:
        network = self._network.train()
        columns = self._derivations.columns.take(portion)
        vectors = network(columns)
        tables = network.tables(vectors)
        if self.options.decoder.is_exact:
            losses = derivation_losses(network, tables, columns, [self._trees[number] for number in portion.tolist()])
            loss, steps, errors = losses.sum() / columns.offsets[-1], len(portion), int((losses > log(2)).sum())
        else:
            numbers, possible, gold, errors = self._follow(portion, roots(columns), tables)
            loss, steps = _cross_entropy(network.scores(tables, numbers), possible, gold), len(numbers)
        loss = loss + self._label_loss(columns, vectors)
        if self.epochs > self._local_epochs:
            self._derivations.restart(portion)
            loss = loss + beam_loss(network, self._derivations, roots(columns), tables, self._beam)
        self._optimizer.zero_grad()
        loss.backward()
        length = torch.nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_GRADIENT)
        if not isfinite(loss.item() + length.item()):  # before the weights are no numbers, too
            raise Diverged(
                f"the loss of the network is not finite after {self._updates} updates, in epoch {self.epochs}: lower "
                "Learning.learning_rate, or train without mixed_precision"
            )
        for group in self._optimizer.param_groups:  # down to 0 at the end
            group["lr"] = group["initial_lr"] * max(0.0, 1 - self._updates / self._all_updates)
        self._optimizer.step()
        self._updates += 1
        self._losses += loss.item()
        self._take_average()
        return steps, errors

    def _take_average(self) -> None:
        """Move the average toward the weights; at the beginning it is that of a few."""
        kept = min(self._averaging, self._updates / (self._updates + _FEW))
        with torch.no_grad():
            torch._foreach_lerp_(self._average, list(self._network.parameters()), 1 - kept)

    def _follow(
        self, portion: _Integers, first: _Integers, tables: list[Tensor]
    ) -> tuple[_Integers, _Booleans, _Booleans, int]:
        """The configurations on the way, what is possible and right there, and how often the network was wrong.

        Args:
            portion: the numbers of the sentences.
            first: the row of each one's ROOT.
            tables: what scores are made of.
        """
        derivations, seen, errors = self._derivations, [], 0
        derivations.restart(portion)
        self._network.decoder.eval()
        with torch.inference_mode():
            while derivations:
                numbers = self._network.extractor.numbers(derivations, first)
                possible, gold = derivations.possible(), derivations.gold()
                scores = self._network.scores(tables, numbers).cpu().numpy()
                predicted = np.where(possible, scores, -np.inf).argmax(1)
                right = np.where(gold, scores, -np.inf).argmax(1)
                errors += len(gold) - int(gold[np.arange(len(gold)), predicted].sum())
                derivations.take(np.where(self._random.random(len(gold)) < self._exploration, predicted, right))
                seen.append((numbers, possible, gold))
        self._network.decoder.train()
        numbers, possible, gold = (joined(column) for column in zip(*seen, strict=True))
        return numbers, possible, gold, errors

    def _label_loss(self, columns: Columns, vectors: Tensor) -> Tensor:
        labels = self._numbers_of_labels[columns.labels]
        labeled = np.flatnonzero((columns.heads >= 0) & (labels >= 0))
        if not self._network.has_labels or not len(labeled):
            return vectors.new_zeros(())
        of_words, lengths = np.arange(len(labels)), np.diff(columns.offsets)
        arcs = np.stack([columns.heads, 1 + of_words - columns.offsets[:-1].repeat(lengths)], 1)[labeled]
        numbers = word_numbers(arcs, roots(columns).repeat(lengths)[labeled, None])
        scores = self._network.label_scores(vectors, numbers)
        return F.cross_entropy(scores, torch.from_numpy(labels[labeled]).to(scores.device))


def _cross_entropy(scores: Tensor, possible: _Booleans, gold: _Booleans) -> Tensor:
    masks = (torch.from_numpy(mask).to(scores.device) for mask in (possible, gold))
    of_possible, of_gold = (scores.masked_fill(~mask, -torch.inf).logsumexp(1) for mask in masks)
    return (of_possible - of_gold).mean()


def _groups(network: Network, rate: float) -> list[dict[str, object]]:
    """The weights, with the rate at which they are learned: those of some encoders have a rate of their own."""
    own: dict[Tensor, float] = {}
    for module in network.modules():
        if isinstance(module, EncoderNetwork) and module.learning_rate is not None:
            own |= dict.fromkeys(module.parameters(), module.learning_rate)
    by_rate: dict[float, list[Tensor]] = {}
    for parameter in network.parameters():
        by_rate.setdefault(own.get(parameter, rate), []).append(parameter)
    return [{"params": parameters, "lr": of_these, "initial_lr": of_these} for of_these, parameters in by_rate.items()]


def minibatches(lengths: npt.ArrayLike, words: int, random: np.random.Generator) -> list[_Integers]:
    """Sentences in random batches, each of about the same length, so that there is little padding.

    Args:
        lengths: how long each sentence is.
        words: about how many words are in a batch; there is one sentence at least.
        random: what draws them.

    >>> lengths = np.array([1, 20, 2, 30, 3])
    >>> sorted(sorted(lengths[batch].tolist()) for batch in minibatches(lengths, 20, np.random.default_rng(1)))
    [[1, 2, 3], [20], [30]]
    """
    of_all = np.asarray(lengths)
    order = np.argsort(of_all + random.random(len(of_all)) * _MORE_OR_LESS, kind="stable")
    batches = cut(order, of_all, words)
    return [batches[number] for number in random.permutation(len(batches)).tolist()]
