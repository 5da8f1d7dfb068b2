"""Neural parsers: how they are trained."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar

import attrs
import torch

from deptrees.evaluation.scores import evaluate
from deptrees.features.embeddings import NO_EMBEDDINGS, Embeddings
from deptrees.files.limits import BEAM, NETWORKS
from deptrees.files.models import open_model
from deptrees.files.records import to_record
from deptrees.parser import Parser
from deptrees.torch.architecture import Architecture, Learning
from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.model import NeuralModel, device_of
from deptrees.torch.network import NetworkEnsemble
from deptrees.torch.parts import Decoder, Encoder
from deptrees.torch.training import Learner
from deptrees.torch.transitions import Transitions
from deptrees.torch.vocabulary import Vocabulary
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
)
from deptrees.training.run import run
from deptrees.transition import ArcHybrid, Oracle, StackBufferSystem, System
from deptrees.transition.oracles import BY_NAME, OracleFunction
from deptrees.transition.systems.registry import as_system
from deptrees.trees.tree import DependencyTree

__all__ = ["NeuralParser"]


class NeuralParser:
    """Trains and loads parsers whose model is neural; see `deptrees.torch.model.NeuralModel`.

    >>> from deptrees import sample_treebank
    >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, encoder=BiLSTM(hidden=10))
    >>> for tree in parser.parse([["Birds", "sing"], ["Dogs", "sleep"]]):
    ...     len(tree), None in tree.heads
    (2, False)
    (2, False)
    """

    default_system: ClassVar[StackBufferSystem] = ArcHybrid(single_root=True)
    """The transition system of neural parsers for which none is chosen."""

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
    ) -> Parser:
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

        def evaluated(parser: Parser, epoch: Epoch) -> Epoch:
            assert dev is not None
            return attrs.evolve(epoch, scores=evaluate(dev, parser.parse(dev)))

        architecture = Architecture(encoder=encoder, decoder=decoder, learning=learning)
        vocabulary = Vocabulary.of(usable, encoder.columns, embeddings or NO_EMBEDDINGS)

        def learn(seed: int, checkpoint: Checkpoint | None) -> Parser:
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
                network.to(device_of(device))
                learner = Learner(network, usable, len(trees), function, vocabulary.label_numbers, learning, settings)
                return run(
                    learner,
                    epochs,
                    model=lambda _: Parser(
                        NeuralModel(architecture, vocabulary, learner.averaged(), beam), settings=settings
                    ),
                    load=lambda path: cls.load(path, system, device=device),
                    evaluated=None if dev is None else evaluated,
                    on_epoch=on_epoch,
                    checkpoint=checkpoint,
                    about=lambda: {**to_record(architecture), **identity(settings, trees, dev)},
                )

        best = learn(seed, checkpoint)
        others = [learn(*following) for following in following_seeds(seed, seeds, checkpoint)]
        if others:
            networks = NetworkEnsemble(_model(parser).network for parser in (best, *others))
            best = attrs.evolve(best, model=attrs.evolve(_model(best), network=networks))
        return best.calibrate(dev, beam=1) if dev else best

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], system: System | None = None, *, device: str | torch.device | None = None
    ) -> Parser:
        """Load a neural parser, to parse on some device; see ``train``. All else is as in ``Parser.load``.

        >>> from tempfile import TemporaryDirectory
        >>> from deptrees import sample_treebank
        >>> parser = NeuralParser.train(sample_treebank("train"), epochs=1, encoder=BiLSTM(hidden=10))
        >>> with TemporaryDirectory() as folder:
        ...     parser.save(f"{folder}/model")
        ...     NeuralParser.load(f"{folder}/model", device="cpu").settings == parser.settings
        True
        """
        with open_model(path) as file:
            return Parser.read(file, system, partial(NeuralModel.read, device=device))


def _model(parser: Parser) -> NeuralModel:
    assert isinstance(parser.model, NeuralModel)
    return parser.model


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
