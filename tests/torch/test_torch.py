import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.numpy import save_file  # noqa: E402

from deptrees import Columns, DependencyTree, EvaluationError, Token, evaluate, is_projective, sample_treebank  # noqa: E402
from deptrees.evaluation import reliability  # noqa: E402
from deptrees.features import View  # noqa: E402
from deptrees.features.embeddings import Embeddings  # noqa: E402
from deptrees.parser import Epoch, ModelError, NotCalibrated, Parser, TrainingError  # noqa: E402
from deptrees.torch import (  # noqa: E402
    Architecture,
    BiLSTM,
    LabeledTransitions,
    Learning,
    NeuralParser,
    Transitions,
    Words,
)
from deptrees.torch.extractor import Extractor  # noqa: E402
from deptrees.torch.layers import PlaceScorer, SpellingEmbedding  # noqa: E402
from deptrees.torch.rows import roots  # noqa: E402
from deptrees.torch.training import Learner  # noqa: E402
from deptrees.torch.vocabulary import UNKNOWN, Vocabulary  # noqa: E402
from deptrees.training import Checkpoint, Settings  # noqa: E402
from deptrees.transition import (  # noqa: E402
    ArcEager,
    ArcHybrid,
    ArcStandard,
    ArcStandardSwap,
    Attardi,
    Constraints,
    Oracle,
    OracleNotDefined,
    StackBufferSystem,
    System,
    TwoPlanar,
    approximate_dynamic_oracle,
    dynamic_oracle,
    nondeterministic_oracle,
    static_oracle,
    typed,
)
from tests.files.test_models import Record, change  # noqa: E402
from tests.parser.test_training import ANNOTATIONS  # noqa: E402
from tests.tiers import slow  # noqa: E402
from tests.training.kills import killed  # noqa: E402
from tests.training.scorers import EVERY_KIND_OF_SYSTEM  # noqa: E402

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
LSTM = Architecture(
    encoder=BiLSTM(Words(form=20, tags=20, character=8, spelling=8), hidden=24, dropout=0.1),
    decoder=Transitions(hidden=100, dropout=0.1),
    learning=Learning(batch_words=40, learning_rate=2e-2, averaging=0.5),
)
FORWARD = Architecture(
    encoder=Words(form=20, tags=20, character=8, spelling=8),
    decoder=LabeledTransitions(label=20, hidden=80, dropout=0.1),
    learning=Learning(batch_words=40, learning_rate=1e-2, averaging=0.0),
)
NETWORKS = pytest.mark.parametrize("architecture", [LSTM, FORWARD], ids=["BiLSTM", "Words"])
SETTINGS = Settings(system=ArcEager(root="last"), oracle="dynamic", epochs=1, seed=1, exploration=0.9)
CROSSING = DependencyTree([(3, "a", "x"), (4, "b", "x"), (0, "c", "root"), (3, "d", "x")])


@pytest.mark.parametrize(
    "name", ["encoder", "decoder", "learning", "embeddings", "device", "exploration", "checkpoint", "on_epoch"]
)
@pytest.mark.parametrize("given", [["x"], TRAIN[0]], ids=["list", "tree"])
def test_an_option_of_a_wrong_type_gets_an_error_that_names_it(name: str, given: Any) -> None:
    options: dict[str, Any] = {**FORWARD.arguments(), name: given}
    with pytest.raises((TypeError, ValueError), match=name):
        NeuralParser.train(TRAIN[:2], **options)


@pytest.fixture(scope="module", params=[LSTM, FORWARD], ids=["BiLSTM", "Words"])
def parser(request: pytest.FixtureRequest) -> NeuralParser:
    return NeuralParser.train(TRAIN, epochs=10, **request.param.arguments())


def test_it_learns_its_training_data_and_more(parser: NeuralParser) -> None:
    assert evaluate(TRAIN, parser.parse(TRAIN)).las > 0.8
    assert evaluate(DEV, parser.parse(DEV)).las > 0.55


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
    parser = NeuralParser.train(TRAIN, system, oracle, epochs=4, **architecture.arguments(), on_epoch=epochs.append)
    assert epochs[-1].errors / epochs[-1].steps < 0.7 * epochs[0].errors / epochs[0].steps
    assert None not in next(parser.parse(DEV)).heads


def test_sentences_parsed_together_are_parsed_as_one_by_one(parser: NeuralParser) -> None:
    sentences = [*TRAIN, *DEV, DependencyTree([]), DependencyTree([(None, "x" * 40)])]
    assert list(parser.parse(sentences)) == [parser.parse(sentence) for sentence in sentences]


def test_probabilities_are_told(parser: NeuralParser, tmp_path: Path) -> None:
    def known(tree: DependencyTree) -> Constraints:
        return Constraints(heads={2: tree.heads[1] or 0}, labels={1: tree.labels[0] or ""})

    with pytest.raises(NotCalibrated, match=r"call parser.calibrate"):
        parser.parse(DEV, confidence=True)
    calibrated = parser.calibrate(DEV)
    found = list(calibrated.parse(DEV, confidence=True))
    assert [(tree.heads, tree.labels) for tree in found] == [(tree.heads, tree.labels) for tree in parser.parse(DEV)]
    assert reliability(DEV, found).expected_calibration_error < 0.15
    assert reliability(DEV, found, labeled=True).expected_calibration_error < 0.15
    calibrated.save(tmp_path / "model")
    assert list(NeuralParser.load(tmp_path / "model").parse(DEV, confidence=True)) == found
    trees = list(filter(is_projective, DEV))
    for tree in parser.calibrate(trees, constraints=known).parse(trees, constraints=known, confidence=True):
        sure = [(token.misc_values["HeadConfidence"], token.misc_values["Confidence"]) for token in tree]
        assert sure[1][0] == "1.0000" > sure[1][1]
        assert sure[0][0] == sure[0][1] < "1.0000"


def test_scores_do_not_depend_on_the_batch(parser: NeuralParser) -> None:
    network = parser.network.eval()

    def scores(trees: list[DependencyTree]) -> Any:
        with torch.inference_mode():
            tables = network.tables(network(Columns.encode(trees)))
            return network.scores(tables, network.extractor.numbers(network.extractor.open(trees)))

    torch.testing.assert_close(
        scores(TRAIN[:9]), torch.cat([scores([tree]) for tree in TRAIN[:9]]), rtol=1e-4, atol=1e-5
    )


@NETWORKS
def test_training_mixes_no_devices(architecture: Architecture, monkeypatch: pytest.MonkeyPatch) -> None:
    # Tensors on the device "meta" have shapes, but no values. Like those on a GPU they cannot be combined with others.
    vocabulary = Vocabulary.of(TRAIN, architecture.encoder.columns)
    network = architecture.network(ArcEager(root="last"), vocabulary).to("meta")
    learner = Learner(
        network, TRAIN, len(TRAIN), dynamic_oracle, vocabulary.label_numbers, architecture.learning, SETTINGS
    )

    def follow(portion: Any, first: Any, tables: Any) -> Any:
        derivations, seen = network.extractor.open(TRAIN, sentences=portion), []
        while derivations:
            numbers = network.extractor.numbers(derivations, first)
            seen.append((numbers, derivations.possible(), gold := derivations.gold()))
            assert network.scores(tables, numbers).is_meta  # what it chooses there takes values
            derivations.take(gold.argmax(1))
        return *(np.concatenate(column) for column in zip(*seen, strict=True)), 0

    monkeypatch.setattr(learner, "_follow", follow)
    assert learner.epoch().steps > 0
    assert all(parameter.grad is not None and parameter.grad.is_meta for parameter in network.parameters())


@pytest.mark.parametrize("system", [system for system in EVERY_KIND_OF_SYSTEM if system.has_any_k], ids=repr)
def test_with_each_k_other_words_are_looked_at(system: System) -> None:
    torch.manual_seed(1)
    chance, trees = np.random.default_rng(1), sorted(TRAIN[:6], key=len)
    network = LSTM.network(system, Vocabulary.of(TRAIN, ["upos", "feats"])).eval()
    space, places, looked_at = network.extractor.space, network.extractor.places, 0
    derivations, configurations = network.extractor.open(trees, oracle=None), [*map(system.initial, trees)]
    first = roots(derivations.columns)
    with torch.inference_mode():
        tables = network.tables(network(Columns.encode(trees)))
        for _ in range(4):
            found = network.scores(tables, network.extractor.numbers(derivations))
            for place, cfg in enumerate(configurations):
                for block in range(space.blocks(cfg.possible_transitions())):
                    positions = map(View(cfg, block + 1).position, places)
                    numbers = [0 if position < 0 else 1 + position + int(first[place]) for position in positions]
                    expected = network.decoder.transitions(tables, torch.tensor([numbers]))[0]
                    torch.testing.assert_close(found[place, block * len(space) :][: len(space)], expected)
                    looked_at += block > 0
            chosen = [chance.choice(np.flatnonzero(row)) for row in derivations.possible()]
            derivations.take(chosen)
            configurations = [
                cfg.take(space.transition(int(column))) for cfg, column in zip(configurations, chosen, strict=True)
            ]
    assert looked_at


def test_parsers_get_the_average_of_all_weights() -> None:
    vocabulary = Vocabulary.of(TRAIN, ["upos", "feats"])
    network = LSTM.network(ArcHybrid(), vocabulary)
    learning = Learning(batch_words=40, averaging=0.9)
    learner = Learner(network, TRAIN, len(TRAIN), dynamic_oracle, vocabulary.label_numbers, learning, SETTINGS)
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


def test_parts_of_vectors_are_left_out_in_training_only() -> None:
    torch.manual_seed(1)
    network: Any = Words(form=4, tags=3, spelling=2, rare=0, dropout=0.5).network(Vocabulary.of(TRAIN, ["upos"]))
    columns = Columns.encode(TRAIN)
    plain, found = network.eval()(columns), network.train()(columns)
    again = network.eval()(columns)
    assert torch.equal(plain, again)
    left_out = 0.0
    for part in (slice(0, 4), slice(4, 7), slice(7, 9)):
        zero = (found[:, part] == 0).all(1)
        torch.testing.assert_close(found[:, part], 2 * plain[:, part] * ~zero[:, None])
        left_out += (zero & (plain[:, part] != 0).any(1)).float().mean().item() / 3
    assert 0.1 < left_out < 0.6


def test_less_precise_numbers_train_parsers_that_are_as_good() -> None:
    learning = Learning(batch_words=40, learning_rate=2e-2, mixed_precision=True)
    parser = NeuralParser.train(TRAIN, epochs=10, encoder=LSTM.encoder, decoder=LSTM.decoder, learning=learning)
    assert evaluate(TRAIN, parser.parse(TRAIN)).las > 0.8
    columns = Columns.encode(TRAIN[:3])
    vectors = parser.network(columns)
    parser.network.mixed_precision = False
    torch.testing.assert_close(vectors.float(), parser.network(columns), rtol=0.05, atol=0.05)


def test_precomputed_layers_are_the_plain_ones() -> None:
    torch.manual_seed(1)
    scorer: Any = PlaceScorer([(3, 2), (4, 1)], 5, 6, 0.0)
    words, labels = torch.randn(7, 3), torch.randn(2, 4)
    inputs = torch.cat([words[4], words[6], labels[1]])
    weights = [scorer.shares[0].weight.view(2, 5, 3), scorer.shares[1].weight.view(1, 5, 4)]
    plain = torch.cat([weights[0][0], weights[0][1], weights[1][0]], 1)
    scores = scorer(scorer.tables(words, labels), torch.tensor([[5, 7, 2]]))
    torch.testing.assert_close(scores[0], scorer.output(torch.tanh(plain @ inputs + scorer.bias)))


def test_sums_over_characters_are_a_convolution() -> None:
    torch.manual_seed(1)
    vocabulary = Vocabulary.of(TRAIN, [])
    spelling, words = SpellingEmbedding(vocabulary, 4, 5), vocabulary.encode(Columns.encode(TRAIN[:2]))
    texts = [token.form for tree in TRAIN[:2] for token in (tree[0], *tree)]
    for text, found in zip(texts, spelling(words), strict=True):
        known = [character for character in text if character in vocabulary.characters]  # "R" and "O" are not
        numbers = [0, 0, 0, *[1 + vocabulary.characters.index(character) for character in known], 0, 0, 0]
        vectors = spelling.characters(torch.tensor([numbers])).transpose(1, 2)
        torch.testing.assert_close(found, spelling.convolution(vectors)[0].amax(1).relu())


@NETWORKS
def test_the_same_seed_gives_the_same_parser_and_leaves_other_randomness_alone(architecture: Architecture) -> None:
    state = torch.get_rng_state()
    weights = [
        NeuralParser.train(TRAIN, epochs=2, seed=seed, **architecture.arguments()).network.state_dict()
        for seed in (4, 4, 5)
    ]
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    assert not all(torch.equal(weights[0][name], weights[2][name]) for name in weights[0])


def test_saved_parsers_keep_their_architecture(parser: NeuralParser, tmp_path: Path) -> None:
    parser.save(tmp_path / "model")
    loaded = NeuralParser.load(tmp_path / "model")
    assert (loaded.architecture, loaded.vocabulary) == (parser.architecture, parser.vocabulary)


def test_files_that_are_no_neural_models_are_refused(tmp_path: Path) -> None:
    text, foreign, linear = tmp_path / "text", tmp_path / "foreign", tmp_path / "linear"
    text.write_text("not a model")
    save_file({}, foreign)
    Parser.train(TRAIN[:5], epochs=1).save(linear)
    with pytest.raises(ModelError, match="not a model file"):
        NeuralParser.load(text)
    with pytest.raises(ModelError, match="not a model of this version"):
        NeuralParser.load(foreign)
    with pytest.raises(ModelError, match="expected 'deptrees neural model"):
        NeuralParser.load(linear)
    with pytest.raises(FileNotFoundError):
        NeuralParser.load(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            lambda record: record["system"].update(name="ArcMagic"),
            "newer version .*'ArcMagic' is not one of",
        ),
        (lambda record: record["architecture"]["encoder"].update(name="GRU"), "damaged, or of a newer .*encoder"),
        (lambda record: record.update(architecture="Transformer"), "damaged, or of a newer version"),
        (lambda record: record["architecture"]["decoder"].update(hidden=7), "damaged, or of a newer .*shape"),
        (
            lambda record: record["architecture"]["encoder"].update(size=7),
            "not known: 'size' @ record.architecture.encoder",
        ),
        (lambda record: record["vocabulary"].pop("tags"), "missing @ record.vocabulary.tags"),
    ],
)
def test_records_of_what_is_not_known_are_refused(
    how: Callable[[Record], object], message: str, tmp_path: Path
) -> None:
    NeuralParser.train(TRAIN[:5], epochs=1, **FORWARD.arguments()).save(tmp_path / "model")
    change(tmp_path / "model", how)
    with pytest.raises(ModelError, match=message):
        NeuralParser.load(tmp_path / "model")


def test_parsers_with_own_networks_are_not_saved(tmp_path: Path) -> None:
    class Wider(LabeledTransitions):
        pass

    parser = NeuralParser.train(TRAIN[:5], epochs=1, encoder=Words(), decoder=Wider())
    with pytest.raises(ModelError, match="Wider is not one of the library's networks"):
        parser.save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_parsers_with_own_systems_are_loaded_with_the_system(tmp_path: Path) -> None:
    class Mine(ArcHybrid):
        pass

    parser = NeuralParser.train(TRAIN[:5], Mine(), epochs=1, **FORWARD.arguments())
    parser.save(tmp_path / "model")
    loaded = NeuralParser.load(tmp_path / "model", system=Mine())
    assert loaded.settings == parser.settings
    assert list(loaded.parse(DEV)) == list(parser.parse(DEV))
    for other in (None, ArcHybrid(), Mine(root="last")):
        with pytest.raises(ModelError, match=r"pass it when you load the model, as system=Mine\(root='first'\)"):
            NeuralParser.load(tmp_path / "model", system=other)


@NETWORKS
def test_training_is_repeated_from_saved_settings(architecture: Architecture, tmp_path: Path) -> None:
    parser = NeuralParser.train(
        TRAIN[:8], ArcStandard(), "nondeterministic", epochs=3, seed=7, exploration=0.0, **architecture.arguments()
    )
    parser.save(tmp_path / "first")
    loaded = NeuralParser.load(tmp_path / "first")
    assert loaded.settings is not None
    again = NeuralParser.train(TRAIN[:8], **loaded.architecture.arguments(), **loaded.settings.arguments())
    again.save(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_own_oracle_functions_teach() -> None:
    def mine(cfg: Any, tree: DependencyTree, label: Any) -> Any:
        return dynamic_oracle(cfg, tree, label)

    parsers = [
        NeuralParser.train(TRAIN[:8], ArcHybrid(), oracle, epochs=2, **FORWARD.arguments(), exploration=0.0)
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


EMBEDDINGS = Embeddings(["the", "dog", "blork", "root"], [[1, 2, 3], [4, 5, 6], [4, 5, 6], [7, 8, 9]])


@NETWORKS
def test_embeddings_tell_of_words_that_are_not_in_the_treebank(architecture: Architecture, tmp_path: Path) -> None:
    parser = NeuralParser.train(TRAIN, epochs=2, **architecture.arguments(), embeddings=EMBEDDINGS)
    parser.save(tmp_path / "model")
    loaded = NeuralParser.load(tmp_path / "model")
    assert loaded.vocabulary == parser.vocabulary
    assert list(loaded.parse(DEV)) == list(parser.parse(DEV))
    columns = Columns.encode([DependencyTree((None, form) for form in ("The", "dog", "Blork", "snark"))])
    for one in (parser, loaded):
        words = one.vocabulary.encode(columns)
        encoder: Any = one.network.eval().encoder
        vectors = getattr(encoder, "of", encoder).forms(words)[:, -3:]
        assert vectors.tolist() == [[0, 0, 0], [1, 2, 3], [4, 5, 6], [4, 5, 6], [0, 0, 0]]


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
def test_all_kinds_of_sentences_are_learnt_from(architecture: Architecture) -> None:
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

    def train(**more: Any) -> NeuralParser:
        return NeuralParser.train(TRAIN[:12], dev=DEV[:3], epochs=3, **architecture.arguments(), **more)

    found, stops = None, 0
    while found is None:
        countdown = iter(range(2, 0, -1))
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Learner, "_rest", _until(countdown, Learner._rest, Stopped))
                found = train(checkpoint=Checkpoint(tmp_path / "c", resume=True, seconds=0))
        except Stopped:
            stops += 1
    expected = train()
    assert stops > 2
    assert [*found.parse(DEV)] == [*expected.parse(DEV)]
    weights = expected.network.state_dict()
    assert all(torch.equal(tensor, weights[name]) for name, tensor in found.network.state_dict().items())


@NETWORKS
@pytest.mark.parametrize("kills", [slow(5)])
def test_a_process_that_is_killed_again_and_again(kills: int, architecture: Architecture, tmp_path: Path) -> None:
    def train(checkpoint: Checkpoint | None) -> NeuralParser:
        torch.set_num_threads(1)  # a forked process has no others
        return NeuralParser.train(TRAIN[:6], dev=DEV[:2], epochs=2, **architecture.arguments(), checkpoint=checkpoint)

    assert not any(killed(train, kills, tmp_path, random.Random(kills)))


def _until(countdown: Iterator[int], original: Callable[..., Any], stopped: type[Exception]) -> Callable[..., Any]:
    def rest(self: Learner) -> Any:
        if next(countdown, None) is None:
            raise stopped
        return original(self)

    return rest


def test_what_cannot_be_learnt_from_is_an_error() -> None:
    for treebank in ([], [DependencyTree([])], [CROSSING]):
        with pytest.raises(TrainingError, match="nothing to learn from"):
            NeuralParser.train(treebank, oracle=static_oracle)
    with pytest.raises(EvaluationError, match="nothing to evaluate on"):
        NeuralParser.train(TRAIN, dev=[])
    with pytest.raises(ValueError, match="epochs is a whole number"):
        NeuralParser.train(TRAIN, epochs=0)


def test_a_missing_oracle_is_an_error_that_names_the_others() -> None:
    class WithoutDynamicOracle(StackBufferSystem):
        rows = ArcStandard.rows
        final = ArcStandard.final

    with pytest.raises(OracleNotDefined, match="it has: static"):
        NeuralParser.train(TRAIN, WithoutDynamicOracle(), **FORWARD.arguments())


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (Words, {"columns": ["deprel"]}),
        (BiLSTM, {"of": "words"}),
        (BiLSTM, {"hidden": 0}),
        (LabeledTransitions, {"dropout": 1.0}),
        (Transitions, {"nodes": []}),
        (Learning, {"learning_rate": 0}),
    ],
)
def test_impossible_architectures_are_refused(kind: Any, options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=next(iter(options)).rstrip("s")):
        kind(**options)


def test_what_is_not_known_is_passed_over() -> None:
    vocabulary = Vocabulary.of(DEV[:1], ["upos", "feats"])
    words = vocabulary.encode(Columns.encode([DependencyTree([Token("☃☃", upos="SNOW", feats="New=Yes")])]))
    assert words.forms[words.spelled[1]] == UNKNOWN
    assert not words.tags[words.tagged[1]].any()
    assert not words.characters[words.spelling == words.spelled[1]].any()


SYSTEMS: list[System] = [
    *EVERY_KIND_OF_SYSTEM,
    *[ArcStandard(root="last"), ArcHybrid(single_root=True), ArcHybrid(root="none"), ArcEager(root="last"), Attardi(3)],
]


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_every_system_learns_and_parses(system: System, tmp_path: Path) -> None:
    oracle = approximate_dynamic_oracle if system.oracles.approximate_dynamic else dynamic_oracle
    parser = NeuralParser.train(TRAIN[:8], system, oracle, epochs=2, **FORWARD.arguments())
    parser.save(tmp_path / "model")
    loaded = NeuralParser.load(tmp_path / "model")
    assert loaded.system == system
    assert list(loaded.parse(DEV)) == list(parser.parse(DEV))


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_derivations_in_lock_step_are_those_of_the_oracle(system: System) -> None:
    trees = [tree for tree in TRAIN if system.obstacle(tree) is None]
    labels = sorted({label for tree in trees for label in tree.labels if label})
    derivations = Extractor(system, [], labels).open(trees, oracle=static_oracle)
    while derivations:
        gold = derivations.gold()
        assert not (gold & ~derivations.possible()).any()
        derivations.take(gold.argmax(1))
    one_by_one = [list(Oracle(system, static_oracle, typed)(tree))[-1] for tree in trees]
    assert derivations.trees() == [transition(cfg).tree() for cfg, transition in one_by_one]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
@NETWORKS
def test_a_gpu_parses_like_a_cpu(architecture: Architecture, tmp_path: Path) -> None:
    parser = NeuralParser.train(TRAIN, epochs=4, **architecture.arguments(), embeddings=EMBEDDINGS, device="cuda")
    parser.save(tmp_path / "model")
    assert list(NeuralParser.load(tmp_path / "model").parse(DEV)) == list(parser.parse(DEV))
