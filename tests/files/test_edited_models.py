"""Model files that are edited, by chance or on purpose, are refused, or parse: nothing else ever happens."""

from pathlib import Path

import attrs
import pytest

from deptrees import DependencyGraph, DependencyTree, sample_treebank
from deptrees.enhanced import Enhancer
from deptrees.parser import Parser
from deptrees.tagger import Hyperparameters, Tagger
from deptrees.transition import ArcHybrid, EasyFirst, System
from tests.files.edits import (
    ModelContent,
    array_edits,
    byte_edits,
    outcomes,
    record_edits,
    some,
    without_checksum,
)
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train"))[:6], list(sample_treebank("dev"))[:2]


def of_each_kind(few: int, many: int) -> pytest.MarkDecorator:
    """How many edits there are in the quick tier, and how many in the other."""
    return pytest.mark.parametrize("n", [few, slow(many)], ids=["few", "many"])


@pytest.fixture(
    scope="module",
    params=[(ArcHybrid(), False), (ArcHybrid(), True), (EasyFirst(), False)],
    ids=["engine, tagger and enhancer", "compact", "stepwise"],
)
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    system: System
    system, compact = request.param
    parser = Parser.train(TRAIN, system=system, dev=TRAIN[:2], epochs=1)
    if isinstance(system, ArcHybrid):
        hyperparameters = Hyperparameters(bits=12, dictionary_count=4)
        tagger = Tagger.train(TRAIN, epochs=1, hyperparameters=hyperparameters)
        parser = attrs.evolve(parser, tagger=tagger, enhancer=Enhancer.train(map(with_deps, TRAIN)))
    path = tmp_path_factory.mktemp("saved") / "model"
    parser.save(path, compact=compact)
    return path


def with_deps(tree: DependencyTree) -> DependencyTree:
    arcs = [(head or 0, word, label) for word, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True), 1)]
    return tree.with_graph(DependencyGraph(tree, arcs))


def parse(path: Path) -> list[DependencyTree]:
    parser = Parser.load(path)
    return list(parser.parse(DEV, confidence=parser.calibration is not None))


@of_each_kind(10, 300)
def test_records(saved: Path, n: int, tmp_path: Path) -> None:
    found = outcomes(saved, some(record_edits(ModelContent.read(saved).record), n), parse, tmp_path)
    assert found["refused"] > 0.7 * found.total()


@of_each_kind(10, 125)
def test_arrays(saved: Path, n: int, tmp_path: Path) -> None:
    found = outcomes(saved, some(array_edits(ModelContent.read(saved)), n), parse, tmp_path)
    assert found["refused"] > 0.6 * found.total()


@of_each_kind(10, 200)
def test_without_the_right_checksum_nothing_parses_otherwise(saved: Path, n: int, tmp_path: Path) -> None:
    content = ModelContent.read(saved)
    edits = map(without_checksum, [*record_edits(content.record), *array_edits(content)])
    found = outcomes(saved, some(edits, n), parse, tmp_path)
    assert found.keys() <= {"refused", "same"}


@of_each_kind(20, 100)
def test_bytes(saved: Path, n: int, tmp_path: Path) -> None:
    found = outcomes(saved, byte_edits(saved.stat().st_size, n), parse, tmp_path)
    assert found.keys() == {"refused"}
