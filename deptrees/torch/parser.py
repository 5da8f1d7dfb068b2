"""Neural parsers, trained, saved, loaded and used like the ready-made one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import ClassVar, TypeVar

import attrs
import numpy as np
import numpy.typing as npt
import torch
from more_itertools import chunked

from deptrees.any_parser import ScoredTree
from deptrees.engine.alternatives import no_margins
from deptrees.engine.confidence import Calibration, evidence_of
from deptrees.evaluation.scores import evaluate
from deptrees.features.embeddings import NO_EMBEDDINGS, Embeddings
from deptrees.files.limits import BEAM, NETWORKS
from deptrees.files.models import ModelFile, Part, open_model
from deptrees.files.parts import NEURAL_MODEL
from deptrees.files.records import to_record
from deptrees.torch import records  # noqa: F401  tells how architectures are written
from deptrees.torch.architecture import Architecture, Learning
from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.network import Network, NetworkEnsemble
from deptrees.torch.parts import Decoder, Encoder, size
from deptrees.torch.search import Search
from deptrees.torch.training import Learner
from deptrees.torch.transitions import Transitions
from deptrees.torch.vocabulary import Vocabulary
from deptrees.trained_parser import TrainedParser
from deptrees.training.checkpoints import Checkpoint, following_seeds, identity
from deptrees.training.inputs import (
    EXPLORATION,
    Exploration,
    check_exploration,
    development_trees,
    of_type,
    oracle_for,
    oracle_name,
    trees_of,
    whole_number,
)
from deptrees.training.records import (
    Epoch,
    Settings,
    TrainingError,
    read_settings,
    read_system,
    settings_part,
)
from deptrees.training.run import run
from deptrees.transition import ArcHybrid, Oracle, StackBufferSystem, System
from deptrees.transition.constraints import Known
from deptrees.transition.oracles import BY_NAME, OracleFunction
from deptrees.transition.systems.registry import as_system
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["NeuralParser", "NotWithBeam"]

_EMBEDDINGS = "embeddings"
_DERIVATIONS_AT_ONCE = 1024

_Floats = npt.NDArray[np.float32]
_Result = TypeVar("_Result")


class NotWithBeam(ValueError):
    """A parser that is calibrated for a beam of 1 is asked for probabilities with another one."""

    def __init__(self) -> None:
        super().__init__("a neural parser tells how probable arcs are without a beam only: ask for a beam of 1")


@attrs.frozen(eq=False)
class NeuralParser(TrainedParser):
    """A transition-based parser with a neural network.

    It parses with the beam of training unless another one is asked for. In parsing the number of threads makes no
    difference, but to its tagger: PyTorch has threads of its own, see ``torch.set_num_threads``. What else it may have
    is named: see `deptrees.trained_parser.TrainedParser`.

    Args:
        architecture: what the network is made of, and how it has learnt.
        vocabulary: the words that it knows.
        network: what it has learnt; with several seeds, one network of each.
        beam: how many derivations were followed in training.

    >>> from deptrees import DependencyTree, sample_treebank
    >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, encoder=BiLSTM(hidden=10))
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    >>> isinstance(parser.parse(DependencyTree([(None, "Sing")])), DependencyTree)
    True
    """

    default_system: ClassVar[StackBufferSystem] = ArcHybrid(single_root=True)

    architecture: Architecture
    vocabulary: Vocabulary = attrs.field(repr=False)
    network: Network | NetworkEnsemble = attrs.field(repr=False)
    beam: int = 1

    @property
    def system(self) -> System:
        return self.network.extractor.system

    @property
    def labels(self) -> tuple[str, ...]:
        return self.vocabulary.labels

    @property
    def looks_at(self) -> frozenset[str]:
        return frozenset(self.vocabulary.columns)

    @classmethod
    def train(
        cls,
        treebank: Iterable[DependencyTree],
        system: System | type[System] | str = default_system,
        oracle: OracleFunction | str | None = None,
        dev: Iterable[DependencyTree] | None = None,
        epochs: int = 10,
        seed: int = 1,
        *,
        seeds: int = 1,
        beam: int = 1,
        exploration: Exploration = EXPLORATION,
        encoder: Encoder = BiLSTM(),  # noqa: B008  an encoder is a value, like the rest
        decoder: Decoder = Transitions(),  # noqa: B008
        learning: Learning = Learning(),  # noqa: B008
        embeddings: Embeddings | None = None,
        device: str | torch.device | None = None,
        checkpoint: Checkpoint | None = None,
        on_epoch: Callable[[Epoch], None] = lambda _: None,
    ) -> NeuralParser:
        """Train a parser; all is as in ``deptrees.parser.Parser.train`` unless said otherwise.

        Args:
            treebank: the trees to learn from; they are held in memory.
            system: the transition system, or its class or name.
            oracle: an oracle function, the library's or your own, or the name of one of the library's. Only with a
                dynamic one of the library's, such as the default, does training explore.
            dev: trees to evaluate on after each epoch. If given, the parser as it was after the epoch with the best
                labeled attachment score is returned, otherwise as it was after the last.
            epochs: the number of passes over the treebank.
            seed: determines all that is random, so that a run on a CPU can be repeated.
            seeds: how many networks to train, one after another, with this seed and the following ones. The score of a
                transition or a label is the mean of theirs: with more, parsing is more accurate, and takes as many
                times as long, as training does.
            beam: how many derivations to follow at a time. With more than one, whole derivations compete, too, in the
                second half of the epochs, which take about twice as long; see `deptrees.torch.global_training`.
            exploration: how often training continues with what the model predicts, where it explores: a number from the
                second epoch on, or a schedule, a tuple of the rates of each epoch, of which the last holds on.
            encoder: what makes vectors of words.
            decoder: what scores transitions, and labels of arcs.
            learning: how the weights change.
            embeddings: vectors of words learnt from other texts, after the vectors that are learnt here. They stay as
                they are, serve for words that are not in the treebank too, and are saved with the parser.
            device: where to train and parse, as PyTorch names it: ``"cpu"``, ``"cuda"``, ... By default it is a GPU if
                PyTorch finds one.
            checkpoint: where the training is saved, so that it goes on after it was stopped, on a CPU with the same
                result.
            on_epoch: is given a record of each epoch when it ends.

        Raises:
            TrainingError: no word has a head, the system can build no tree, or the checkpoint is that of another
                training.
            FileExistsError: there is a checkpoint, and training is not to go on from it.
            OSError: the checkpoint cannot be written.
            TypeError: the treebank, the system or the oracle is something else.
            EvaluationError: no word of the development data has a head.
            MeaninglessOption: ``exploration`` is chosen with an oracle that is not dynamic. It is a ``ValueError``.
            ValueError: a number is out of range.
            OracleNotDefined: there is no such oracle, or the system does not have it.
            UnknownSystem: there is no system of that name.
        """
        whole_number("epochs", epochs, 1)
        whole_number("seed", seed, 0)
        whole_number("seeds", seeds, 1, NETWORKS)
        whole_number("beam", beam, 1, BEAM)
        of_type("encoder", encoder, Encoder, "an encoder, such as BiLSTM()")
        of_type("decoder", decoder, Decoder, "a decoder, such as Transitions()")
        of_type("learning", learning, Learning, "of the class Learning")
        of_type("embeddings", embeddings, Embeddings | None, "of the class Embeddings")
        of_type("device", device, str | torch.device | None, "a device as PyTorch names it, such as 'cuda'")
        system = as_system(system)
        function = oracle_for(system, oracle)
        check_exploration(exploration, function)
        trees = list(trees_of(treebank))
        dev = None if dev is None else development_trees(dev)
        usable = _usable(trees, system, function)

        def evaluated(parser: NeuralParser, epoch: Epoch) -> Epoch:
            assert dev is not None
            return attrs.evolve(epoch, scores=evaluate(dev, parser.parse(dev)))

        architecture = Architecture(encoder=encoder, decoder=decoder, learning=learning)
        vocabulary = Vocabulary.of(usable, encoder.columns, embeddings or NO_EMBEDDINGS)

        def learn(seed: int, checkpoint: Checkpoint | None) -> NeuralParser:
            settings = Settings(
                system=system,
                oracle=oracle_name(function),
                epochs=epochs,
                seed=seed,
                seeds=seeds,
                beam=beam,
                exploration=exploration,
            )
            with torch.random.fork_rng(range(torch.cuda.device_count())):
                torch.manual_seed(seed)
                network = architecture.network(system, vocabulary)
                network.take_over()
                network.to(_device(device))
                learner = Learner(network, usable, len(trees), function, vocabulary.label_numbers, learning, settings)
                return run(
                    learner,
                    epochs,
                    model=lambda _: cls(architecture, vocabulary, learner.averaged(), beam, settings=settings),
                    load=lambda path: cls.load(path, system, device=device),
                    evaluated=None if dev is None else evaluated,
                    on_epoch=on_epoch,
                    checkpoint=checkpoint,
                    about=lambda: {**to_record(architecture), **identity(settings, trees, dev)},
                )

        best = learn(seed, checkpoint)
        others = [learn(*following) for following in following_seeds(seed, seeds, checkpoint)]
        if others:
            best = attrs.evolve(best, network=NetworkEnsemble(parser.network for parser in (best, *others)))
        return best.calibrate(dev) if dev else best

    def calibrate(self, treebank: Iterable[DependencyTree], *, constraints: Known | None = None) -> NeuralParser:
        """The same parser, able to tell how probable it is that a head or a label is right; see ``Parser.calibrate``.

        Raises:
            TrainingError: no word has a head that is not known before.
        """
        gold = list(trees_of(treebank))
        parsed, margins = [], []
        for chosen in chunked(self._tagged(gold), _DERIVATIONS_AT_ONCE):
            margins.append(no_margins(sum(map(len, chosen))))
            parsed += self._parse_together(chosen, constraints, margins[-1])
        return attrs.evolve(self, calibration=Calibration.learn(gold, parsed, evidence_of(gold, margins, constraints)))

    def _parse(
        self,
        sentences: Iterable[Sentence],
        threads: int,
        beam: int | None,
        constraints: Known | None,
        confidence: bool,
    ) -> Iterator[DependencyTree]:
        whole_number("threads", threads, 1)
        width = self.beam if beam is None else whole_number("beam", beam, 1, BEAM)
        if confidence and width > 1:
            raise NotWithBeam
        parse = self._parse_with_confidence if confidence else partial(self._parse_together, width=width)
        return self._in_portions(parse, sentences, threads, constraints, width)

    def _k_best(
        self, sentences: Iterable[Sentence], k: int, threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[list[ScoredTree]]:
        whole_number("threads", threads, 1)
        k = whole_number("k", k, 1)
        width = whole_number("beam", max(k, self.beam) if beam is None else beam, 1, BEAM)
        return self._in_portions(partial(self._rank, k=k, width=width), sentences, threads, constraints, width)

    def _in_portions(
        self,
        work: Callable[[Sequence[DependencyTree], Known | None], Iterable[_Result]],
        sentences: Iterable[Sentence],
        threads: int,
        constraints: Known | None,
        width: int,
    ) -> Iterator[_Result]:
        """What is found for each sentence, in order, while those of about the same length are parsed together."""
        for trees in self._portions(sentences, threads):
            found: dict[int, _Result] = {}
            by_length = sorted(range(len(trees)), key=lambda number: len(trees[number]))
            for chosen in chunked(by_length, max(1, _DERIVATIONS_AT_ONCE // width)):
                found.update(zip(chosen, work([trees[number] for number in chosen], constraints), strict=True))
            yield from (found[number] for number in range(len(trees)))

    def _parse_with_confidence(
        self, trees: Sequence[DependencyTree], constraints: Known | None
    ) -> Iterable[DependencyTree]:
        assert self.calibration is not None
        margins = no_margins(sum(map(len, trees)))
        parsed = self._parse_together(trees, constraints, margins)
        return self.calibration.tell(parsed, evidence_of(trees, [margins], constraints), labeled=bool(self.labels))

    def _parse_together(
        self,
        trees: Sequence[DependencyTree],
        constraints: Known | None,
        margins: _Floats | None = None,
        width: int = 1,
    ) -> list[DependencyTree]:
        return self._search(trees, constraints).best(width, margins)

    def _rank(
        self, trees: Sequence[DependencyTree], constraints: Known | None, k: int, width: int
    ) -> list[list[ScoredTree]]:
        return self._search(trees, constraints).ranked(k, width)

    def _search(self, trees: Sequence[DependencyTree], constraints: Known | None) -> Search:
        known = None if constraints is None else [constraints(tree) for tree in trees]
        for tree, of_tree in zip(trees, known or (), strict=False):
            of_tree.check_labels(tree, self.labels)
        return Search(self.network, self.labels, trees, known)

    def _model_parts(self) -> Sequence[Part]:
        embeddings = self.vocabulary.embeddings
        several = len(self.network.networks) if isinstance(self.network, NetworkEnsemble) else 1
        record = _Record(
            self.system, self.architecture, self.vocabulary, embeddings.words, embeddings.size, several, self.beam
        )
        weights = {name: tensor.cpu().numpy() for name, tensor in self.network.state_dict().items()}
        settings = [settings_part(self.settings, "system")] if self.settings else []
        return [Part(NEURAL_MODEL, to_record(record), {**weights, _EMBEDDINGS: embeddings.vectors}), *settings]

    @classmethod
    def read(
        cls, file: ModelFile, system: System | None = None, *, device: str | torch.device | None = None
    ) -> NeuralParser:
        system = read_system(file.record(NEURAL_MODEL).get("system"), system)
        record = file.read(NEURAL_MODEL, _Record, system=system)
        vectors = file.array(_EMBEDDINGS, (len(record.embedded), record.embedding_size))
        vocabulary = attrs.evolve(record.vocabulary, embeddings=Embeddings(record.embedded, vectors))
        with torch.device("meta"):  # where tensors have shapes, and take no memory
            shapes = _networks(record, system, vocabulary).state_dict()
        weights = {name: torch.from_numpy(file.array(name, tensor.shape)) for name, tensor in shapes.items()}
        network = _networks(record, system, vocabulary)
        network.load_state_dict(weights)
        return cls(
            record.architecture,
            vocabulary,
            network.to(_device(device)),
            record.beam,
            settings=read_settings(file, system=system),
            calibration=Calibration.read(file, margins=1),
            **cls._read_companions(file),
        )

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], system: System | None = None, *, device: str | torch.device | None = None
    ) -> NeuralParser:
        """Load a parser that was saved, to parse on some device; see ``train``. All else is as in ``Parser.load``.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, encoder=BiLSTM(hidden=10))
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     NeuralParser.load(f"{folder}/model").settings == parser.settings
        True
        """
        with open_model(path) as file:
            return cls.read(file, system, device=device)


@attrs.frozen
class _Record:
    """What is saved of a neural parser besides numbers."""

    system: System
    architecture: Architecture
    vocabulary: Vocabulary
    embedded: tuple[str, ...]
    embedding_size: int
    networks: int = size(1, NETWORKS)
    beam: int = size(1, BEAM)


def _networks(record: _Record, system: System, vocabulary: Vocabulary) -> Network | NetworkEnsemble:
    """What a record tells of, with random weights."""
    first, *others = (record.architecture.network(system, vocabulary) for _ in range(record.networks))
    return NetworkEnsemble([first, *others]) if others else first


def _device(given: str | torch.device | None) -> torch.device:
    """Where a network works: a GPU, if there is one and nothing else is said."""
    return torch.device(given or ("cuda" if torch.cuda.is_available() else "cpu"))


def _usable(trees: Sequence[DependencyTree], system: System, oracle: OracleFunction) -> list[DependencyTree]:
    """The trees to learn from.

    Raises:
        TrainingError: there are none.
    """
    follow = Oracle(system, oracle)
    usable = [tree for tree in trees if len(tree) and follow(tree)]
    needs_heads = oracle_name(oracle) in BY_NAME
    if not usable or (needs_heads and not any(tree.arcs for tree in usable)):
        raise TrainingError(f"{system} can build none of the {len(trees)} trees: there is nothing to learn from")
    return usable
