"""Neural parsers, trained, saved, loaded and used like the ready-made one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

import attrs
import numpy as np
import numpy.typing as npt
import torch
from more_itertools import chunked

from deptrees.any_parser import ScoredTree
from deptrees.engine.alternatives import no_margins
from deptrees.engine.confidence import Calibration, evidence_of
from deptrees.evaluation.scores import evaluate
from deptrees.features.embeddings import Embeddings
from deptrees.files.limits import BEAM, NETWORKS
from deptrees.files.models import ModelFile, Part, open_model
from deptrees.files.parts import NEURAL_MODEL
from deptrees.files.records import to_record
from deptrees.torch import records  # noqa: F401  tells how architectures are written
from deptrees.torch.architecture import Architecture
from deptrees.torch.network import Network, NetworkEnsemble
from deptrees.torch.options import NeuralOptions
from deptrees.torch.parts import size
from deptrees.torch.search import Search
from deptrees.torch.training import Learner
from deptrees.torch.vocabulary import Vocabulary
from deptrees.trained_parser import TrainedParser
from deptrees.training.checkpoints import identity
from deptrees.training.declarations import takes
from deptrees.training.inputs import oracle_name, trees_of, whole_number
from deptrees.training.options import ParserOptions, read_settings, settings_part
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.run import run
from deptrees.transition import Oracle, System
from deptrees.transition.constraints import Known
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.system import OracleFunction
from deptrees.transition.systems.registry import system_from
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
    >>> from deptrees.torch import BiLSTM
    >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, encoder=BiLSTM(hidden=10))
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    >>> isinstance(parser.parse(DependencyTree([(None, "Sing")])), DependencyTree)
    True
    """

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
    @takes(NeuralOptions)
    def train(cls, treebank: Iterable[DependencyTree], options: NeuralOptions) -> NeuralParser:
        """Train a parser; all is as in ``deptrees.parser.Parser.train`` unless said otherwise.

        Training explores only with dynamic oracles of the library's. With a beam, whole derivations compete, too, in
        the second half of the epochs, which take about twice as long; see `deptrees.torch.global_training`. On a CPU,
        the same seed gives the same parser, and a training that was stopped the same result.

        Args:
            treebank: the trees to learn from; they are held in memory.
            options: those of `NeuralOptions`, as keywords.

        Raises:
            TrainingError: no word has a head, the system can build no tree, or the checkpoint is that of another
                training.
            FileExistsError: there is a checkpoint, and training should not resume from it.
            OSError: the checkpoint cannot be written.
            TypeError: the treebank or an option is something else.
            EvaluationError: no word of the development data has a head.
            MeaninglessOption: an option would change nothing because of the others. It is a ``ValueError``.
            ValueError: a number is out of range.
            OracleNotDefined: there is no such oracle, or the system does not have it.
            UnknownSystem: there is no system of that name.
        """
        system, function = options.system, options.function
        trees, dev = list(trees_of(treebank)), options.trees_to_evaluate_on()
        usable = _usable(trees, system, function)
        architecture = Architecture(encoder=options.encoder, decoder=options.decoder, learning=options.learning)
        vocabulary = Vocabulary.of(usable, options.encoder.columns, options.embeddings)

        def begin(seed: int) -> Learner:
            torch.manual_seed(seed)
            network = architecture.network(system, vocabulary)
            network.take_over()
            network.to(_device(options.device))
            one = attrs.evolve(options, seed=seed)
            return Learner(network, usable, len(trees), vocabulary.label_numbers, one)

        def model(learner: Learner, _: int) -> NeuralParser:
            settings = learner.options.settings(ParserOptions)
            return cls(architecture, vocabulary, learner.averaged(), options.beam, settings=settings)

        def mean(parsers: Sequence[NeuralParser]) -> NeuralParser:
            return attrs.evolve(parsers[0], network=NetworkEnsemble(parser.network for parser in parsers))

        def evaluated(parser: NeuralParser, epoch: Epoch) -> Epoch:
            assert dev is not None
            return attrs.evolve(epoch, scores=evaluate(dev, parser.parse(dev)))

        def about(seed: int) -> dict[str, Any]:
            return {**to_record(architecture), **identity(options.settings(ParserOptions, seed=seed), trees, dev)}

        with torch.random.fork_rng(range(torch.cuda.device_count())):
            best = run(
                options,
                begin,
                model=model,
                mean=mean,
                evaluated=None if dev is None else evaluated,
                about=about,
                load=lambda path: cls.load(path, system, device=options.device),
            )
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
        system = system_from(file.record(NEURAL_MODEL).get("system"), system)
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
            settings=read_settings(file, ParserOptions, system=system),
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
        >>> from deptrees.torch import BiLSTM
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
