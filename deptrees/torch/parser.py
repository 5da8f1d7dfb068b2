"""Neural parsers, trained, saved, loaded and used like the ready-made one."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import overload

import attrs
import numpy as np
import torch
from torch import Tensor

from deptrees.evaluation.scores import evaluate
from deptrees.features.embeddings import NO_EMBEDDINGS, Embeddings
from deptrees.files.models import ModelError, Part, open_model, save_model
from deptrees.parser import Epoch, TrainingError
from deptrees.search.space import Space
from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.feed_forward import FeedForward
from deptrees.torch.lock_step import LockStep, word_numbers
from deptrees.torch.network import Network, Settings
from deptrees.torch.training import Learner
from deptrees.torch.vocabulary import Vocabulary
from deptrees.transition import ArcHybrid, Oracle, System, dynamic_oracle, reachable
from deptrees.transition.configuration import OracleFunction
from deptrees.transition.systems.registry import system_from, system_record
from deptrees.treebanks.sentences import portions
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["NeuralParser"]

_FORMAT = "deptrees neural model 3"
_EMBEDDINGS = "embeddings"
_NETWORKS = {kind.__name__: kind for kind in (BiLSTM, FeedForward)}
_SENTENCES_AT_ONCE = 64


@attrs.frozen(eq=False)
class NeuralParser:
    """A transition-based parser with a neural network.

    Args:
        settings: what was chosen before training, the kind of network first of all.
        system: the transition system.
        vocabulary: the words that it knows.
        network: what it has learnt.

    >>> from deptrees import DependencyTree, sample_treebank
    >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, settings=BiLSTM(hidden=10, form=10))
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    >>> isinstance(parser.parse(DependencyTree([(None, "Sing")])), DependencyTree)
    True
    """

    settings: Settings
    system: System
    vocabulary: Vocabulary = attrs.field(repr=False)
    network: Network = attrs.field(repr=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that it gives to arcs; none if it parses without labels."""
        return self.vocabulary.labels

    @classmethod
    def train(
        cls,
        treebank: Iterable[DependencyTree],
        system: System = ArcHybrid(),  # noqa: B008  a system is a value
        oracle: OracleFunction = dynamic_oracle,
        dev: Iterable[DependencyTree] | None = None,
        epochs: int = 10,
        seed: int = 1,
        *,
        settings: Settings = BiLSTM(),  # noqa: B008  settings are a value
        embeddings: Embeddings | None = None,
        device: str | torch.device = "cpu",
        on_epoch: Callable[[Epoch], None] = lambda _: None,
    ) -> NeuralParser:
        """Train a parser; all is as in ``deptrees.parser.Parser.train`` unless said otherwise.

        Args:
            treebank: the trees to learn from; they are held in memory.
            system: the transition system.
            oracle: an oracle function, the library's or your own.
            dev: trees to evaluate on after each epoch. If given, the parser as it was after the epoch with the best
                labeled attachment score is returned, otherwise as it was after the last.
            epochs: the number of passes over the treebank.
            seed: determines all that is random, so that a run on a CPU can be repeated.
            settings: the kind of network, its sizes, and how it learns.
            embeddings: vectors of words learnt from other texts, behind the vectors that are learnt here. They stay as
                they are, serve for words that are not in the treebank too, and are saved with the parser.
            device: where to train and parse, as PyTorch names it: ``"cpu"``, ``"cuda"``, ...
            on_epoch: is given a record of each epoch when it ends.

        Raises:
            TrainingError: there is no epoch, no tree that the system can build, or the system has transitions for any
                k.
            OracleNotDefined: the system does not have the oracle.
        """
        trees = list(treebank)
        dev = None if dev is None else list(dev)
        usable = _usable(trees, system, oracle)
        if epochs < 1:
            raise TrainingError(f"{epochs} epochs are not enough to learn anything: ask for one or more")
        vocabulary = Vocabulary.of(usable, settings.columns, embeddings or NO_EMBEDDINGS)
        with torch.random.fork_rng(range(torch.cuda.device_count())):
            torch.manual_seed(seed)
            network = settings.network(system, vocabulary).to(torch.device(device))
            parser = cls(settings, system, vocabulary, network)
            learner = Learner(network, vocabulary, usable, oracle, settings, epochs, seed)
            kept, best_las = network.state_dict(), -1.0  # the weights themselves, which go on changing
            for number in range(1, epochs + 1):
                epoch = Epoch(number, len(usable), len(trees) - len(usable), *learner.epoch())
                if dev is not None:
                    epoch = attrs.evolve(epoch, scores=evaluate(dev, parser.parse(dev)))
                if epoch.scores is not None and epoch.scores.las > best_las:
                    kept, best_las = copy.deepcopy(network.state_dict()), epoch.scores.las
                on_epoch(epoch)
        network.load_state_dict(kept)
        return parser

    @overload
    def parse(self, sentences: DependencyTree) -> DependencyTree: ...

    @overload
    def parse(self, sentences: Iterable[Sentence]) -> Iterator[DependencyTree]: ...

    def parse(self, sentences: DependencyTree | Iterable[Sentence]) -> DependencyTree | Iterator[DependencyTree]:
        """Parse sentences, lazily and in order; one tree in gives one tree.

        Args:
            sentences: trees, of which only the words count, or lists of words. Comments and extra tokens of trees are
                kept.
        """
        if isinstance(sentences, DependencyTree):
            return self._parse_together([sentences])[0]
        return self._parse(sentences)

    def _parse(self, sentences: Iterable[Sentence]) -> Iterator[DependencyTree]:
        for trees in portions(sentences):
            parsed: dict[int, DependencyTree] = {}
            by_length = sorted(range(len(trees)), key=lambda number: len(trees[number]))
            for start in range(0, len(trees), _SENTENCES_AT_ONCE):
                chosen = by_length[start : start + _SENTENCES_AT_ONCE]
                parsed.update(zip(chosen, self._parse_together([trees[number] for number in chosen]), strict=True))
            yield from [parsed[number] for number in range(len(trees))]

    def _parse_together(self, trees: Sequence[DependencyTree]) -> list[DependencyTree]:
        network = self.network.eval()
        with torch.inference_mode():
            vectors = network(self.vocabulary.encode(trees).to(network.device))
            tables = network.tables(vectors)
            state = LockStep(network.outlook, trees)
            while state:
                scores = network.scores(tables, state.numbers()).cpu().numpy()
                state.take(np.where(state.possible(), scores, -np.inf).argmax(1))
            parsed = [cfg.tree() for cfg in state.configurations]
            return parsed if network.labels is None else self._label(parsed, vectors)

    def _label(self, trees: Sequence[DependencyTree], vectors: Tensor) -> list[DependencyTree]:
        arcs = [(head, word, place) for place, tree in enumerate(trees) for head, word in tree.arcs]
        table = np.array(arcs, np.int64).reshape(-1, 3)
        scores = self.network.label_scores(vectors, word_numbers(table[:, :2], table[:, 2:], len(trees)))
        labels: list[list[str | None]] = [[None] * len(tree) for tree in trees]
        for (_, word, place), number in zip(arcs, scores.argmax(1).tolist(), strict=True):
            labels[place][word - 1] = self.labels[number]
        return [tree.reattach(tree.heads, found) for tree, found in zip(trees, labels, strict=True)]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the parser to a file in the safetensors format.

        Raises:
            ModelError: the system is not one of the library's own, or the settings are not.
        """
        kind = type(self.settings)
        if _NETWORKS.get(kind.__name__) is not kind:
            raise ModelError(f"{kind.__name__} is not one of the library's networks: the parser cannot be saved")
        vocabulary = attrs.asdict(self.vocabulary, recurse=False)
        embeddings = vocabulary.pop("embeddings")
        record = {
            "system": system_record(self.system),
            "settings": {"name": kind.__name__, **attrs.asdict(self.settings)},
            "vocabulary": vocabulary,
            "embeddings": [embeddings.words, embeddings.size],
        }
        weights = {name: tensor.cpu().numpy() for name, tensor in self.network.state_dict().items()}
        save_model(path, Part(_FORMAT, record, {**weights, _EMBEDDINGS: embeddings.vectors}))

    @classmethod
    def load(cls, path: str | os.PathLike[str], device: str | torch.device = "cpu") -> NeuralParser:
        """Load a parser that was saved.

        Args:
            path: the file.
            device: where to parse.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a neural model.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, settings=FeedForward())
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     NeuralParser.load(f"{folder}/model").system
        ArcHybrid(root='first')
        """
        with open_model(path) as file:
            record = file.record(_FORMAT)
            settings = _NETWORKS[record["settings"].pop("name")](**record["settings"])
            system = system_from(record["system"])
            words, size = record["embeddings"]
            vectors = np.zeros((len(words), size), np.float32)
            file.fill(_EMBEDDINGS, vectors)
            vocabulary = Vocabulary(**record["vocabulary"], embeddings=Embeddings(words, vectors))
            network = settings.network(system, vocabulary)
            for name, weights in network.state_dict().items():
                file.fill(name, weights.zero_().numpy())
        return cls(settings, system, vocabulary, network.to(torch.device(device)))


def _usable(trees: Sequence[DependencyTree], system: System, oracle: OracleFunction) -> list[DependencyTree]:
    """The trees to learn from.

    Raises:
        TrainingError: there are none, or the network cannot learn the system.
    """
    space = Space(system.transition_space())
    columns = {space.column(transition) for cfg in reachable(system, 3) for transition in cfg.possible_transitions()}
    if max(columns) >= len(space):  # where k has no bound, three words are enough to see one that is not in the space
        raise TrainingError(
            f"{system} has transitions for any k: a network with a fixed number of scores cannot run it"
        )
    follow = Oracle(system, oracle)
    usable = [tree for tree in trees if len(tree) and follow(tree)]
    if not usable:
        raise TrainingError(f"{system} can build none of the {len(trees)} trees: there is nothing to learn from")
    return usable
