"""The ready-made parser: a system, an oracle and a model, trained, saved, loaded and used."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import overload

import attrs
import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from deptrees import transition
from deptrees.evaluation import Scores, evaluate
from deptrees.features import features
from deptrees.files import open_output
from deptrees.perceptron import Perceptron
from deptrees.token import Token
from deptrees.transition import (
    ArcEager,
    ExplorationPolicy,
    NeverExplore,
    Oracle,
    Policy,
    StackBufferSystem,
    dynamic_oracle,
    typed,
    untyped,
)
from deptrees.transition.configuration import OracleFunction
from deptrees.tree import DependencyTree

__all__ = ["Epoch", "ModelError", "Parser", "TrainingError"]

_FORMAT = "deptrees perceptron 1"

Sentence = DependencyTree | Iterable[str | Token]
"""What can be parsed: a tree, of which only the words count, or words."""


class TrainingError(ValueError):
    """There is nothing to learn from."""


class ModelError(ValueError):
    """A file is not a model that this version can load, or a model cannot be saved."""


@attrs.frozen
class Epoch:
    """What happened in one pass over the training data.

    Args:
        number: the number of the pass, from 1.
        sentences: the sentences learnt from.
        skipped: the sentences whose trees the system cannot build.
        transitions: the configurations in which the model was asked.
        errors: those in which it was wrong.
        scores: the scores on the development data, ``None`` if there are none.
    """

    number: int
    sentences: int
    skipped: int
    transitions: int
    errors: int
    scores: Scores | None = None


@attrs.frozen
class Parser:
    """A greedy transition-based parser.

    Args:
        system: the transition system.
        labels: the labels it gives to arcs; none if it parses without labels.
        model: scores the system's transitions with these labels.

    >>> from deptrees import DependencyTree, sample_treebank
    >>> parser = Parser.train(sample_treebank("train"), epochs=2)
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    >>> isinstance(parser.parse(DependencyTree([(None, "Sing")])), DependencyTree)
    True
    """

    system: StackBufferSystem
    labels: tuple[str, ...]
    model: Perceptron = attrs.field(repr=False)

    @classmethod
    def train(
        cls,
        treebank: Iterable[DependencyTree],
        system: StackBufferSystem = ArcEager(),  # noqa: B008  a system is a value
        oracle: OracleFunction = dynamic_oracle,
        dev: Iterable[DependencyTree] | None = None,
        epochs: int = 5,
        seed: int = 1,
        *,
        progress: Callable[[list[DependencyTree], str], Iterable[DependencyTree]] = lambda trees, _: trees,
        on_epoch: Callable[[Epoch], None] = lambda _: None,
    ) -> Parser:
        """Train a parser (Goldberg & Nivre 2013, algorithm 3).

        With the dynamic oracle training explores from the second epoch on: nine times in ten it continues with the
        transition that the model predicts, right or wrong. With any other oracle it keeps to gold transitions.
        Sentences whose trees the system cannot build are learnt from too if its dynamic oracle takes them (see
        ``Oracles.any_tree``), and left out otherwise. Labels are learnt if the treebank has any.

        Args:
            treebank: the trees to learn from; they are held in memory.
            system: the transition system.
            oracle: the oracle function.
            dev: trees to evaluate on after each epoch. If given, the parser as it was after the epoch with the best
                labeled attachment score is returned, otherwise as it was after the last.
            epochs: the number of passes over the treebank.
            seed: determines the order of the sentences and the exploration, so that a run can be repeated.
            progress: is given the sentences of an epoch and the epoch's name, and gives the sentences back one by
                one: the place for a progress bar.
            on_epoch: is given a record of each epoch when it ends.

        Raises:
            TrainingError: there is no epoch, or no tree that the system can build.
            OracleNotDefined: the system does not have the oracle.
        """
        trees = list(treebank)
        dev = None if dev is None else list(dev)
        labels = tuple(sorted({label for tree in trees for label in tree.labels if label is not None}))
        model = Perceptron(features, system.transition_space(labels))
        sequences = Oracle(system, oracle, typed if labels else untyped)
        rng = Random(seed)
        policy: Policy = NeverExplore(model=model.predict, rng=rng)
        if oracle is dynamic_oracle:
            policy = ExplorationPolicy(k=1, p=0.9, model=model.predict, rng=rng)
        best, best_las = None, -1.0
        for number in range(1, epochs + 1):
            rng.shuffle(trees)
            epoch = _learn(model, sequences, policy, number, progress(trees, f"epoch {number} of {epochs}"))
            if not epoch.sentences:
                raise TrainingError(
                    f"{system} can build none of the {len(trees)} trees: there is nothing to learn from"
                )
            if dev is not None or number == epochs:
                parser = cls(system, labels, model.averaged())
                if dev is not None:
                    epoch = attrs.evolve(epoch, scores=evaluate(dev, parser.parse(dev)))
                if epoch.scores is None or best is None or epoch.scores.las > best_las:
                    best, best_las = parser, epoch.scores.las if epoch.scores else -1.0
            on_epoch(epoch)
        if best is None:
            raise TrainingError(f"{epochs} epochs are not enough to learn anything: ask for one or more")
        return best

    @overload
    def parse(self, sentences: DependencyTree, threads: int = 1) -> DependencyTree: ...

    @overload
    def parse(self, sentences: Iterable[Sentence], threads: int = 1) -> Iterator[DependencyTree]: ...

    def parse(
        self, sentences: DependencyTree | Iterable[Sentence], threads: int = 1
    ) -> DependencyTree | Iterator[DependencyTree]:
        """Parse sentences, lazily and in order; one tree in gives one tree.

        Args:
            sentences: trees, of which only the words count, or lists of words. Comments and extra tokens of trees are
                kept.
            threads: the number of threads; the result does not depend on it.
        """
        if isinstance(sentences, DependencyTree):
            return self._parse(sentences)
        return map(self._parse, sentences) if threads == 1 else _in_threads(self._parse, sentences, threads)

    def _parse(self, sentence: Sentence) -> DependencyTree:
        if isinstance(sentence, str):
            raise TypeError(f"{sentence!r} is not a sentence: put the words of each sentence in a list of its own")
        cfg = self.system.initial(sentence)
        while not cfg.is_final:
            cfg = self.model.predict(cfg)(cfg)
        return cfg.tree()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the parser to a file in the safetensors format.

        Raises:
            ModelError: the system is not one of the library's own.
        """
        name = type(self.system).__name__
        if getattr(transition, name, None) is not type(self.system):
            raise ModelError(f"{name} is not one of the systems in deptrees.transition: the model cannot be saved")
        if self.model.features is not features:
            raise ModelError("the model has other features than deptrees.features: it cannot be saved")
        used = np.flatnonzero(self.model.weights)
        record = {
            "system": name,
            "options": attrs.asdict(self.system),
            "labels": self.labels,
            "size": len(self.model.weights),
        }
        with open_output(path) as stream:
            stream.write(save({"used": used, "weights": self.model.weights[used]}, {_FORMAT: json.dumps(record)}))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Parser:
        """Load a parser that was saved.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a model.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=1)
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     Parser.load(f"{folder}/model").system
        ArcEager(root='first')
        """
        try:
            with safe_open(path, "numpy") as file:
                metadata = file.metadata() or {}
                if _FORMAT not in metadata:
                    raise ModelError(f"{path} is not a parser of this version of deptrees: train it again")
                record = json.loads(metadata[_FORMAT])
                system: StackBufferSystem = getattr(transition, record["system"])(**record["options"])
                labels = tuple(record["labels"])
                weights = np.zeros(record["size"], np.float32)
                weights[file.get_tensor("used")] = file.get_tensor("weights")
        except SafetensorError as error:
            raise ModelError(f"{path} is not a model file: {error}") from None
        return cls(system, labels, Perceptron(features, system.transition_space(labels), weights))


def _learn(model: Perceptron, sequences: Oracle, policy: Policy, number: int, trees: Iterable[DependencyTree]) -> Epoch:
    """One epoch of training."""
    learnt = skipped = transitions = errors = 0
    for tree in trees:
        sequence = sequences(tree, policy.at(number))
        if sequence:
            learnt += 1
        else:
            skipped += 1
        for step in sequence.steps():
            transitions += 1
            errors += model.update(step.config, step.gold)
    return Epoch(number, learnt, skipped, transitions, errors)


def _in_threads(
    parse: Callable[[Sentence], DependencyTree], sentences: Iterable[Sentence], threads: int
) -> Iterator[DependencyTree]:
    """Parse in threads, a few sentences ahead of what has been asked for."""
    with ThreadPoolExecutor(threads) as pool:
        ahead: deque[Future[DependencyTree]] = deque()
        for sentence in sentences:
            ahead.append(pool.submit(parse, sentence))
            if len(ahead) > 4 * threads:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
