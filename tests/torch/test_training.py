"""Training of neural parsers: oracles, annotations, options, seeds, checkpoints."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from deptrees import DependencyTree, EvaluationError, Parser, evaluate, is_projective  # noqa: E402
from deptrees.features.embeddings import Embeddings  # noqa: E402
from deptrees.parser import Epoch, TrainingError  # noqa: E402
from deptrees.torch import Architecture, BiLSTM, Learning, NeuralParser  # noqa: E402
from deptrees.torch.options import NeuralOptions  # noqa: E402
from deptrees.torch.training import Learner  # noqa: E402
from deptrees.torch.vocabulary import Vocabulary  # noqa: E402
from deptrees.training import Checkpoint  # noqa: E402
from deptrees.training.run import watched  # noqa: E402
from deptrees.transition import (  # noqa: E402
    ArcEager,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    OracleNotDefined,
    StackBufferSystem,
    System,
    TwoPlanar,
    dynamic_oracle,
    nondeterministic_oracle,
    static_oracle,
)
from deptrees.transition.losses.swaps import conflicts  # noqa: E402
from tests.parser.test_training import ANNOTATIONS  # noqa: E402
from tests.tiers import slow  # noqa: E402
from tests.torch.architectures import DEV, FORWARD, LSTM, NETWORKS, TRAIN  # noqa: E402
from tests.training.kills import killed  # noqa: E402

CROSSING = DependencyTree([(3, "a", "x"), (4, "b", "x"), (0, "c", "root"), (3, "d", "x")])


@pytest.mark.parametrize(
    "name", ["encoder", "decoder", "learning", "embeddings", "device", "exploration", "checkpoint", "on_epoch"]
)
@pytest.mark.parametrize("given", [["x"], TRAIN[0]], ids=["list", "tree"])
def test_an_option_of_a_wrong_type_gets_an_error_that_names_it(name: str, given: Any) -> None:
    options: dict[str, Any] = {**FORWARD.arguments(), name: given}
    with pytest.raises((TypeError, ValueError), match=name):
        NeuralParser.train(TRAIN[:2], **options)


@NETWORKS
@pytest.mark.parametrize(
    ("system", "oracle"),
    [
        (ArcStandard(), static_oracle),
        (ArcStandardSwap(), static_oracle),
        (ArcEager(root="last"), dynamic_oracle),
        (ArcHybrid(root="none"), nondeterministic_oracle),
        (TwoPlanar(), static_oracle),
    ],
)
def test_networks_learn(architecture: Architecture, system: System, oracle: Any) -> None:
    epochs: list[Epoch] = []
    parser = NeuralParser.train(
        TRAIN, system=system, oracle=oracle, epochs=4, **architecture.arguments(), on_epoch=epochs.append
    )
    assert epochs[-1].errors / epochs[-1].steps < 0.7 * epochs[0].errors / epochs[0].steps
    assert None not in next(parser.parse(DEV)).heads


@pytest.mark.parametrize("beam", [1, 2])
def test_training_goes_on_where_costs_would_take_too_long_to_find(beam: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for budget in ("_BUDGET", "_SMALL_BUDGET"):
        monkeypatch.setattr(conflicts, budget, 0)
    parser = NeuralParser.train(
        [CROSSING] * 3, system=ArcHybridSwap(root="last"), epochs=2, beam=beam, **FORWARD.arguments()
    )
    assert None not in parser.parse(CROSSING).heads


def test_parsers_get_the_average_of_all_weights() -> None:
    vocabulary = Vocabulary.of(TRAIN, ["upos", "feats"])
    network = LSTM.network(ArcHybrid(), vocabulary)
    options = NeuralOptions(system=ArcHybrid(), epochs=1, learning=Learning(batch_words=40, averaging=0.9))
    learner = Learner(network, TRAIN, len(TRAIN), vocabulary.label_numbers, options)
    weights: list[Any] = []
    learner.epoch(lambda: weights.append(network.decoder.transitions.bias.detach().numpy().copy()))
    average = np.zeros_like(weights[0])
    for number, now in enumerate(weights, 1):
        share = 1 - min(0.9, number / (number + 10))
        average = (1 - share) * average + share * now
    assert len(weights) > 10
    found = learner.averaged().decoder.transitions.bias.detach().numpy()
    np.testing.assert_allclose(found, average, rtol=1e-3, atol=1e-6)
    assert not np.allclose(found, weights[-1], rtol=1e-3)


@NETWORKS
def test_the_same_seed_gives_the_same_parser_and_leaves_other_randomness_alone(architecture: Architecture) -> None:
    state = torch.get_rng_state()
    weights = [
        NeuralParser.train(TRAIN, epochs=2, seed=seed, **architecture.arguments()).model.network.state_dict()
        for seed in (4, 4, 5)
    ]
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    assert not all(torch.equal(weights[0][name], weights[2][name]) for name in weights[0])


@NETWORKS
def test_training_is_repeated_from_saved_settings(architecture: Architecture, tmp_path: Path) -> None:
    parser = NeuralParser.train(
        TRAIN[:8],
        system=ArcStandard(),
        oracle="nondeterministic",
        epochs=3,
        seed=7,
        exploration=0.0,
        **architecture.arguments(),
    )
    parser.save(tmp_path / "first")
    loaded = NeuralParser.load(tmp_path / "first")
    assert loaded.settings is not None
    again = NeuralParser.train(TRAIN[:8], **loaded.model.architecture.arguments(), **loaded.settings.arguments())
    again.save(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_own_oracle_functions_teach() -> None:
    def mine(cfg: Any, tree: DependencyTree, label: Any) -> Any:
        return dynamic_oracle(cfg, tree, label)

    parsers = [
        NeuralParser.train(
            TRAIN[:8], system=ArcHybrid(), oracle=oracle, epochs=2, **FORWARD.arguments(), exploration=0.0
        )
        for oracle in (mine, "dynamic")
    ]
    assert list(parsers[0].parse(DEV)) == list(parsers[1].parse(DEV))
    with pytest.raises(OracleNotDefined, match="there is no oracle 'magic'"):
        NeuralParser.train(TRAIN, oracle="magic")


@NETWORKS
def test_treebanks_without_labels_train_unlabeled_parsers(architecture: Architecture, tmp_path: Path) -> None:
    bare = [tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN]
    parser = NeuralParser.train(bare, epochs=2, **architecture.arguments())
    parser.save(tmp_path / "model")
    assert parser.labels == ()
    assert set(next(NeuralParser.load(tmp_path / "model").parse(DEV)).labels) == {None}


@NETWORKS
def test_parsers_with_embeddings_learn(architecture: Architecture) -> None:
    forms = sorted({word.form for tree in TRAIN for word in tree})
    embeddings = Embeddings(forms, np.random.default_rng(1).normal(size=(len(forms), 20)))
    parser = NeuralParser.train(TRAIN, epochs=10, **architecture.arguments(), embeddings=embeddings)
    assert evaluate(TRAIN, parser.parse(TRAIN)).las > 0.8


@NETWORKS
@pytest.mark.parametrize("annotation", ["partial", "subsampled", "crossing"])
def test_every_kind_of_annotation_teaches(architecture: Architecture, annotation: str) -> None:
    trees, epochs = ANNOTATIONS[annotation], list[Epoch]()
    parser = NeuralParser.train(trees, epochs=500 // len(trees), **architecture.arguments(), on_epoch=epochs.append)
    assert {(epoch.sentences, epoch.skipped) for epoch in epochs} == {(len(trees), 0)}
    assert None not in parser.labels
    gold = trees if annotation == "crossing" else TRAIN
    assert evaluate(gold, parser.parse(gold)).uas > 0.6


@NETWORKS
def test_all_kinds_of_sentences_are_learned_from(architecture: Architecture) -> None:
    epochs: list[Epoch] = []
    kinds = [CROSSING, DependencyTree([(0, "Sing", "root")]), DependencyTree([(None, "Sing")]), DependencyTree([])]
    parser = NeuralParser.train(kinds, epochs=2, **architecture.arguments(), on_epoch=epochs.append)
    assert [(epoch.sentences, epoch.skipped) for epoch in epochs] == [(3, 1)] * 2
    assert all(is_projective(tree) for tree in parser.parse(kinds))


@NETWORKS
def test_the_best_epoch_on_the_development_data_is_kept(architecture: Architecture) -> None:
    epochs: list[Epoch] = []
    parser = NeuralParser.train(TRAIN, dev=iter(DEV), epochs=4, **architecture.arguments(), on_epoch=epochs.append)
    scores = [epoch.scores.las for epoch in epochs if epoch.scores]
    assert len(scores) == 4
    assert evaluate(DEV, parser.parse(DEV)).las == max(scores)


@NETWORKS
def test_training_that_is_stopped_goes_on_with_the_same_result(architecture: Architecture, tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def train(**more: Any) -> Parser:
        return NeuralParser.train(TRAIN[:12], dev=DEV[:3], epochs=3, **architecture.arguments(), **more)

    found, stops = None, 0
    while found is None:
        countdown = iter(range(2, 0, -1))
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Learner, "_other_state", _until(countdown, Learner._other_state, Stopped))
                found = train(checkpoint=Checkpoint(tmp_path / "c", resume=True, seconds=0))
        except Stopped:
            stops += 1
    expected = train()
    assert stops > 2
    assert [*found.parse(DEV)] == [*expected.parse(DEV)]
    weights = expected.model.network.state_dict()
    assert all(torch.equal(tensor, weights[name]) for name, tensor in found.model.network.state_dict().items())


@NETWORKS
@pytest.mark.parametrize("kills", [slow(5)])
def test_a_process_that_is_killed_again_and_again(kills: int, architecture: Architecture, tmp_path: Path) -> None:
    def train(checkpoint: Checkpoint | None) -> Parser:
        torch.set_num_threads(1)  # a forked process has no others
        return NeuralParser.train(TRAIN[:6], dev=DEV[:2], epochs=2, **architecture.arguments(), checkpoint=checkpoint)

    assert not any(killed(train, kills, tmp_path, random.Random(kills)))


def _until(countdown: Iterator[int], original: Callable[..., Any], stopped: type[Exception]) -> Callable[..., Any]:
    def rest(self: Learner) -> Any:
        if next(countdown, None) is None:
            raise stopped
        return original(self)

    return rest


def test_what_cannot_be_learned_from_is_an_error() -> None:
    for treebank in ([], [DependencyTree([])], [CROSSING]):
        with pytest.raises(TrainingError, match="nothing to learn from"):
            NeuralParser.train(treebank, oracle=static_oracle)
    with pytest.raises(TrainingError, match="tags words"):
        NeuralParser.train(TRAIN, system="joint-tags")
    with pytest.raises(EvaluationError, match="nothing to evaluate on"):
        NeuralParser.train(TRAIN, dev=[])
    with pytest.raises(ValueError, match="epochs is a whole number"):
        NeuralParser.train(TRAIN, epochs=0)


def test_a_missing_oracle_is_an_error_that_names_the_others() -> None:
    class WithoutDynamicOracle(StackBufferSystem):
        rows = ArcStandard.rows
        final = ArcStandard.final

    with pytest.raises(OracleNotDefined, match="it has: static"):
        NeuralParser.train(TRAIN, system=WithoutDynamicOracle(), **FORWARD.arguments())


def test_training_says_how_far_it_is_within_an_epoch() -> None:
    told = list[tuple[str, int, float]]()
    with watched(lambda *how_far: told.append(how_far)):
        NeuralParser.train(TRAIN, epochs=2, encoder=BiLSTM(hidden=10), learning=Learning(batch_words=100))
    assert told == sorted(told)
    assert {what for what, _, _ in told} == {"a neural parser"}
    for epoch in 1, 2:
        shares = [share for _, number, share in told if number == epoch]
        assert len(shares) > 3
        assert shares[-1] == 1
