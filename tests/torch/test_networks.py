"""The parts of networks, each against the plain way of doing the same."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from deptrees import Columns, DependencyTree, Token  # noqa: E402
from deptrees.features.values import View  # noqa: E402
from deptrees.torch import (  # noqa: E402
    Architecture,
    BiLSTM,
    LabeledTransitions,
    Learning,
    NeuralParser,
    Transitions,
    Words,
    layers,
)
from deptrees.torch.layers import Dropout, PlaceScorer, SentenceLSTM, SpellingEmbedding  # noqa: E402
from deptrees.torch.options import NeuralOptions  # noqa: E402
from deptrees.torch.rows import roots  # noqa: E402
from deptrees.torch.training import Learner  # noqa: E402
from deptrees.torch.vocabulary import UNKNOWN, Vocabulary  # noqa: E402
from deptrees.transition import ArcEager, ArcHybrid, System  # noqa: E402
from tests.engine.test_interruption import chain, seconds_until_interrupted  # noqa: E402
from tests.tiers import slow  # noqa: E402
from tests.torch.architectures import DEV, EMBEDDINGS, LSTM, NETWORKS, TRAIN  # noqa: E402
from tests.training.scorers import EVERY_KIND_OF_SYSTEM  # noqa: E402


@NETWORKS
def test_scores_do_not_depend_on_the_batch(architecture: Architecture) -> None:
    torch.manual_seed(1)
    network = architecture.network(ArcHybrid(), Vocabulary.of(TRAIN, architecture.encoder.columns)).eval()

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
    options = NeuralOptions(system=ArcEager(root="last"), epochs=1, learning=architecture.learning)
    learner = Learner(network, TRAIN, len(TRAIN), vocabulary.label_numbers, options)

    def follow(portion: Any, first: Any, tables: Any) -> Any:
        derivations, seen = network.extractor.open(TRAIN, sentences=portion), []
        while derivations:
            numbers = network.extractor.numbers(derivations, first)
            seen.append((numbers, derivations.possible(), gold := derivations.gold()))
            assert network.scores(tables, numbers).is_meta  # what it chooses there takes values
            derivations.take(gold.argmax(1))
        return *(np.concatenate(column) for column in zip(*seen, strict=True)), 0

    monkeypatch.setattr(learner, "_follow", follow)
    monkeypatch.setattr(torch.Tensor, "item", lambda _: 1.0)  # of the loss there is no value either
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


def test_dropout_keeps_the_mean_and_leaves_out_the_same_of_all_words_of_a_sentence_if_shared() -> None:
    torch.manual_seed(1)
    ones = torch.ones(4, 100, 50)
    for shared in (False, True):
        dropout = Dropout(0.2, shared=shared)
        found = dropout(ones)
        assert set(found.unique().tolist()) == {0.0, 1.25}
        assert found.mean().item() == pytest.approx(1, abs=0.02)
        assert torch.equal(found[0], found[1]) == shared
        assert torch.equal(dropout.eval()(ones), ones)


def test_by_default_only_parsing_is_less_precise_and_where_processors_multiply_such_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = Columns.encode(TRAIN[:3])
    for mixed, capable in itertools.product((None, False, True), (False, True)):
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"amx_bf16": capable}, raising=False)  # noqa: B023
        learning = Learning(mixed_precision=mixed)
        architecture = Architecture(encoder=LSTM.encoder, decoder=LSTM.decoder, learning=learning)
        network = architecture.network(ArcHybrid(), Vocabulary.of(TRAIN, ["upos", "feats"]))
        for training in (False, True):
            expected = (capable and not training) if mixed is None else mixed
            vectors = network.train(training)(columns)
            assert vectors.dtype == (torch.bfloat16 if expected else torch.float32)
            sums = torch.bfloat16 if expected and not training else torch.float32
            assert network.tables(vectors)[0].dtype == sums


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


def test_what_is_not_known_is_passed_over() -> None:
    vocabulary = Vocabulary.of(DEV[:1], ["upos", "feats"])
    words = vocabulary.encode(Columns.encode([DependencyTree([Token("☃☃", upos="SNOW", feats="New=Yes")])]))
    assert words.forms[words.spelled[1]] == UNKNOWN
    assert not words.tags[words.tagged[1]].any()
    assert not words.characters[words.spelling == words.spelled[1]].any()


@NETWORKS
def test_embeddings_tell_of_words_that_are_not_in_the_treebank(architecture: Architecture, tmp_path: Path) -> None:
    parser = NeuralParser.train(TRAIN, epochs=2, **architecture.arguments(), embeddings=EMBEDDINGS)
    parser.save(tmp_path / "model")
    loaded = NeuralParser.load(tmp_path / "model")
    assert loaded.model.vocabulary == parser.model.vocabulary
    assert list(loaded.parse(DEV)) == list(parser.parse(DEV))
    columns = Columns.encode([DependencyTree((None, form) for form in ("The", "dog", "Blork", "snark"))])
    for one in (parser, loaded):
        words = one.model.vocabulary.encode(columns)
        encoder: Any = one.model.network.eval().encoder
        vectors = getattr(encoder, "of", encoder).forms(words)[:, -3:]
        assert vectors.tolist() == [[0, 0, 0], [1, 2, 3], [4, 5, 6], [4, 5, 6], [0, 0, 0]]


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


def read_in_stretches(stretch: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is made of a sentence of 15 words that is read in stretches, and the gradient."""
    monkeypatch.setattr(layers, "_STRETCH", stretch)
    torch.manual_seed(1)
    lstm, vectors = SentenceLSTM(3, 4, layers=2, dropout=0.0), torch.randn(15, 1, 3, requires_grad=True)
    found = lstm(vectors, torch.arange(15).flip(0))
    (found**2).sum().backward()
    return found, vectors.grad


def test_a_sentence_that_is_read_in_stretches_has_the_same_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.testing.assert_close(*(read_in_stretches(stretch, monkeypatch) for stretch in (4, 15)))


def test_training_can_be_interrupted_on_the_way_back_between_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = list[Any]()

    def signal_after_two(gradient: Any) -> None:
        passed.append(gradient)
        if len(passed) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(layers, "_nothing", signal_after_two)
    with pytest.raises(KeyboardInterrupt):
        read_in_stretches(4, monkeypatch)
    assert [gradient.shape[0] for gradient in passed] == [3, 4]  # the last stretch comes first


@pytest.mark.parametrize("beam", [slow(1), slow(4)])
def test_training_on_a_long_sentence_can_be_interrupted(beam: int) -> None:
    tree = chain(3000)
    # It took 10 s before LSTMs read in stretches; PyTorch's threads count, and machines may be slow.
    assert seconds_until_interrupted(lambda: NeuralParser.train([tree] * 2, epochs=1000, beam=beam), 15) < 5
