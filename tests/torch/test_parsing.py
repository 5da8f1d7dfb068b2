"""Parsing with neural parsers: with every system, many sentences together, with probabilities."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from deptrees import Columns, DependencyGraph, DependencyTree, Parser, evaluate, is_projective, load_parser  # noqa: E402
from deptrees.evaluation import reliability  # noqa: E402
from deptrees.parser import NotCalibrated  # noqa: E402
from deptrees.torch import Architecture, Learning, NeuralParser  # noqa: E402
from deptrees.torch.extractor import Extractor  # noqa: E402
from deptrees.torch.network import Network  # noqa: E402
from deptrees.transition import (  # noqa: E402
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Attardi,
    Constraints,
    Oracle,
    System,
    approximate_dynamic_oracle,
    dynamic_oracle,
    static_oracle,
    typed,
)
from tests.torch.architectures import DEV, EMBEDDINGS, FORWARD, LSTM, NETWORKS, TRAIN  # noqa: E402
from tests.training.scorers import EVERY_KIND_OF_SYSTEM  # noqa: E402


@pytest.fixture(scope="module", params=[LSTM, FORWARD], ids=["BiLSTM", "Words"])
def parser(request: pytest.FixtureRequest) -> Parser:
    return NeuralParser.train(TRAIN, epochs=10, **request.param.arguments())


def test_it_learns_its_training_data_and_more(parser: Parser) -> None:
    assert evaluate(TRAIN, parser.parse(TRAIN)).las > 0.8
    assert evaluate(DEV, parser.parse(DEV)).las > 0.55


def test_enhanced_dependencies_are_made_of_their_trees() -> None:
    arcs = [[(head, word, tree.labels[word - 1]) for head, word in tree.arcs] for tree in TRAIN]
    trees = [tree.with_graph(DependencyGraph(tree, of_tree)) for tree, of_tree in zip(TRAIN, arcs, strict=True)]
    parser = NeuralParser.train(trees, epochs=1, enhanced=True, **FORWARD.arguments())
    for tree in parser.parse(DEV):
        assert [token.deps for token in tree] == [f"{token.head}:{token.label}" for token in tree]


def test_sentences_parsed_together_are_parsed_as_one_by_one(parser: Parser) -> None:
    sentences = [*TRAIN, *DEV, DependencyTree([]), DependencyTree([(None, "x" * 40)])]
    assert list(parser.parse(sentences)) == [parser.parse(sentence) for sentence in sentences]


def test_probabilities_are_told(parser: Parser, tmp_path: Path) -> None:
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


def test_less_precise_numbers_train_parsers_that_are_as_good() -> None:
    learning = Learning(batch_words=40, learning_rate=2e-2, mixed_precision=True)
    parser = NeuralParser.train(TRAIN, epochs=10, encoder=LSTM.encoder, decoder=LSTM.decoder, learning=learning)
    assert evaluate(TRAIN, parser.parse(TRAIN)).las > 0.8
    columns = Columns.encode(TRAIN[:3])
    vectors = parser.model.network(columns)
    parser.model.network.mixed_precision = False
    torch.testing.assert_close(vectors.float(), parser.model.network(columns), rtol=0.05, atol=0.05)


SYSTEMS: list[System] = [
    *EVERY_KIND_OF_SYSTEM,
    *[ArcStandard(root="last"), ArcHybrid(single_root=True), ArcHybrid(root="none"), ArcEager(root="last"), Attardi(3)],
]


@pytest.mark.parametrize("system", [system for system in SYSTEMS if not system.tags], ids=repr)
def test_every_system_that_says_no_tags_learns_and_parses(system: System, tmp_path: Path) -> None:
    oracle = approximate_dynamic_oracle if system.oracles.approximate_dynamic else dynamic_oracle
    parser = NeuralParser.train(TRAIN[:8], system=system, oracle=oracle, epochs=2, **FORWARD.arguments())
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
    last = [list(Oracle(system, static_oracle, typed)(tree))[-1] for tree in trees]
    one_by_one = [transition(cfg).tree() for cfg, transition in last]
    found = derivations.trees()
    assert [(tree.heads, tree.labels) for tree in found] == [(tree.heads, tree.labels) for tree in one_by_one]


def test_a_gpu_is_used_where_there_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []
    is_there = [True]

    def to(network: Network, device: Any) -> Network:
        asked.append(device.type)
        is_there.append(False)  # PyTorch asks as well when it trains, and the network has stayed where it was
        return network

    monkeypatch.setattr(torch.cuda, "is_available", lambda: is_there[-1])
    monkeypatch.setattr(Network, "to", to)
    for device in (None, "cpu"):
        is_there.append(True)
        NeuralParser.train(TRAIN[:5], epochs=1, **FORWARD.arguments(), device=device).save(tmp_path / "model")
        is_there.append(True)
        NeuralParser.load(tmp_path / "model", device=device)
    is_there.append(True)
    load_parser(tmp_path / "model")
    assert asked == ["cuda", "cuda", "cpu", "cpu", "cuda"]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
@NETWORKS
def test_a_gpu_parses_like_a_cpu(architecture: Architecture, tmp_path: Path) -> None:
    parser = NeuralParser.train(TRAIN, epochs=4, **architecture.arguments(), embeddings=EMBEDDINGS, device="cuda")
    parser.save(tmp_path / "model")
    assert list(NeuralParser.load(tmp_path / "model").parse(DEV)) == list(parser.parse(DEV))
