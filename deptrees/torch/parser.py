"""Neural parsers: how they are trained."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import attrs
import torch

from deptrees.evaluation.scores import evaluate
from deptrees.files.models import Part, fingerprint, open_model
from deptrees.files.records import to_record
from deptrees.messages import counted
from deptrees.parser import Parser, learned_enhancer
from deptrees.torch.architecture import Architecture
from deptrees.torch.defaults import pytorch_defaults
from deptrees.torch.model import NeuralModel, device_of
from deptrees.torch.network import NetworkEnsemble
from deptrees.torch.options import NeuralOptions
from deptrees.torch.training import Learner
from deptrees.torch.vocabulary import Vocabulary
from deptrees.training.checkpoints import identity
from deptrees.training.declarations import takes
from deptrees.training.inputs import columns_of, oracle_name
from deptrees.training.known_tags import KnownTags, warn_of_labels
from deptrees.training.options import ParserOptions
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.run import run, watched_on
from deptrees.transition import Oracle, System
from deptrees.transition.oracles import BY_NAME, OracleFunction
from deptrees.transition.systems.registry import GivenSystem
from deptrees.trees.tree import AnyTree, DependencyTree, trees_of

__all__ = ["NeuralParser"]


class NeuralParser:
    """Trains and loads parsers whose model is neural; see `deptrees.torch.model.NeuralModel`.

    >>> from deptrees import sample_treebank
    >>> from deptrees.torch import BiLSTM
    >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, encoder=BiLSTM(hidden=10))
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    """

    @classmethod
    @takes(NeuralOptions)
    def train(cls, treebank: Iterable[AnyTree], options: NeuralOptions) -> Parser:
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
        enhancer = learned_enhancer(trees, options.seed) if options.enhanced else None
        vocabulary = Vocabulary.of(usable, options.encoder.columns, options.embeddings)

        columns = columns_of(usable)
        known_tags = KnownTags.of(columns, vocabulary.columns)
        warn_of_labels(dev or (), columns)

        def begin(seed: int) -> Learner:
            torch.manual_seed(seed % (1 << 64))
            network = architecture.network(system, vocabulary)
            network.load_pretrained()
            network.to(device_of(options.device))
            one = attrs.evolve(options, seed=seed)
            return Learner(network, usable, len(trees), vocabulary.label_numbers, one)

        def model(learner: Learner, _: int) -> Parser:
            found = NeuralModel(architecture, vocabulary, learner.averaged(), options.beam)
            return Parser(found, settings=learner.options.settings(ParserOptions), known_tags=known_tags)

        def mean(parsers: Sequence[Parser]) -> Parser:
            models: list[Any] = [parser.model for parser in parsers]
            together = attrs.evolve(models[0], network=NetworkEnsemble(model.network for model in models))
            return attrs.evolve(parsers[0], model=together)

        def evaluated(parser: Parser, epoch: Epoch) -> Epoch:
            assert dev is not None
            return attrs.evolve(epoch, scores=evaluate(dev, watched_on(dev, parser.parse(dev), epoch, options)))

        def about(seed: int) -> dict[str, object]:
            embeddings = Part("embeddings", {"words": options.embeddings.words}, {"": options.embeddings.vectors})
            settings = options.settings(ParserOptions, seed=seed, epochs=0)  # there can be more epochs
            found = {**to_record(architecture), **identity(settings, trees, dev)}
            return {**found, "embeddings": fingerprint(embeddings)}

        with pytorch_defaults(), torch.random.fork_rng(range(torch.cuda.device_count())):
            best = run(
                options,
                begin,
                model=model,
                mean=mean,
                evaluated=None if dev is None else evaluated,
                about=about,
                load=lambda path: cls.load(path, system, device=options.device),
            )
        best = attrs.evolve(best, enhancer=enhancer)
        return best.calibrate(dev, beam=1) if dev and best.calibration is None else best

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        system: GivenSystem | None = None,
        *,
        device: str | torch.device | None = None,
    ) -> Parser:
        """Load a neural parser, to parse on some device; see ``train``. All else is as in ``Parser.load``.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> from deptrees.torch import BiLSTM
        >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, encoder=BiLSTM(hidden=10))
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     NeuralParser.load(f"{folder}/model", device="cpu").settings == parser.settings
        True
        """
        with open_model(path) as file:
            return Parser.read(file, system, partial(NeuralModel.read, device=device))


def _usable(trees: Sequence[DependencyTree], system: System, oracle: OracleFunction) -> list[DependencyTree]:
    """The trees to learn from.

    Raises:
        TrainingError: there are none, or transitions tag words.
    """
    if system.tags:
        raise TrainingError(f"{system} tags words, which neural parsers do not learn: take the system without tags")
    follow = Oracle(system, oracle)
    usable = [tree for tree in trees if len(tree) and follow(tree)]
    needs_heads = oracle_name(oracle) in BY_NAME
    if not usable or (needs_heads and not any(tree.arcs for tree in usable)):
        raise TrainingError(f"{system} can build none of {counted(len(trees), 'tree')}: there is nothing to learn from")
    return usable
