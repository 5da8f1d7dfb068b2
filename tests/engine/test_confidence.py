"""The k best trees, how clear choices are, and what is learned from that."""

import threading
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.engine import Model, SearchOptions, StepwiseModel, train
from deptrees.engine.confidence import Evidence, PlattScaling
from deptrees.engine.finding import Found
from deptrees.engine.searching import margins_of
from deptrees.search import BeamSearch
from deptrees.transition import ArcEager, ArcHybrid, ArcStandard, ArcStandardSwap, Constraints, EasyFirst, System
from deptrees.treebanks.batch import Batch
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


def trained(system: System, joint: bool, *, labels: bool = True) -> Model | StepwiseModel:
    count = 2 if isinstance(system, EasyFirst) else 20
    trees = [tree if labels else tree.reattach(tree.heads, [None] * len(tree)) for tree in TRAIN[:count]]
    oracle = "static" if isinstance(system, ArcStandardSwap) else "dynamic"
    return train(trees, system=system, oracle=oracle, joint=joint or None, epochs=2, bits=(14, 12))


def all_trees_with_scores(model: Any, cfg: Any, total: float = 0.0) -> Iterator[tuple[Any, float]]:
    """The trees of all derivations."""
    if cfg.is_final:
        yield cfg.built, total
        return
    for transition, score in model.ranking.ranked(cfg):
        yield from all_trees_with_scores(model, transition(cfg), total + score)


@pytest.mark.parametrize(
    ("system", "length"),
    [
        *[(system, 2) for system in (ArcHybrid(), ArcEager(root="last"), ArcStandardSwap(), EasyFirst())],
        # With swaps three words have more derivations than a beam can hold.
        *[slow(system, 3) for system in (ArcHybrid(), ArcEager(root="last"), EasyFirst())],
    ],
    ids=repr,
)
def test_the_k_best_trees_are_those_of_all_derivations(system: System, length: int) -> None:
    model = trained(system, joint=False, labels=False)
    short = [DependencyTree(tree.words[:length]) for tree in DEV[:2]]
    found = model.find(Batch.of(short), SearchOptions(k=64, beam=64))
    for number, tree in enumerate(short):
        best: dict[Any, float] = {}
        for built, score in all_trees_with_scores(model, system.initial(tree)):
            best[built] = max(score, best.get(built, -np.inf))
        expected = sorted(best.values(), reverse=True)
        rows, words = found.rows(number), found.words([number])
        scores = found.scores[rows, number].tolist()
        assert scores == pytest.approx(expected[: len(rows)], rel=1e-4, abs=1e-2)
        assert len(rows) == len(expected)
        for row, score in zip(rows, scores, strict=True):
            [matching] = [
                total
                for (built, _), total in best.items()
                if [-1 if head is None else head for head in built] == found.heads[row, words].tolist()
            ]
            assert score == pytest.approx(matching, rel=1e-4, abs=1e-2)


@pytest.mark.parametrize("k", [2, 3, 8])
@pytest.mark.parametrize("system", [ArcHybrid(), ArcEager(root="last"), ArcStandardSwap(), EasyFirst()], ids=repr)
def test_the_first_tree_of_a_model_that_parses_greedily_is_its_parse(system: System, k: int) -> None:
    model = trained(system, joint=True)
    batch = Batch.of(DEV[:2] if isinstance(system, EasyFirst) else DEV)
    parsed, found, beam = (
        model.find(batch, SearchOptions(k=trees, beam=size)) for trees, size in ((None, None), (k, None), (k, k))
    )
    for sentence in range(len(batch)):
        words = found.words([sentence])
        assert found.heads[0, words].tolist() == parsed.heads[0, words].tolist()
        assert found.labels[0, words].tolist() == parsed.labels[0, words].tolist()
        assert len(found.rows(sentence)) >= len(beam.rows(sentence)) - 1
        others = [found.scores[row, sentence] for row in found.rows(sentence)[1:]]
        assert others == sorted(others, reverse=True)


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("system", [ArcHybrid(), ArcEager(root="last"), ArcStandard(), EasyFirst()], ids=repr)
def test_the_best_tree_is_the_one_that_parsing_finds(system: System, joint: bool) -> None:
    model = trained(system, joint)
    batch = Batch.of(DEV[:1] if isinstance(system, EasyFirst) else DEV[:8])
    for beam in (1, 4):
        parsed, found = model.parse(batch.columns, beam=beam), model.find(batch, SearchOptions(k=1, beam=beam))
        assert (np.diff(found.scores, axis=0)[np.isfinite(found.scores[1:])] <= 0).all()
        for one in found, model.find(batch, SearchOptions(margins=True, beam=beam)):
            assert (one.heads[0] == parsed[0]).all()
            assert (one.labels[0] == parsed[1]).all()


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize(
    ("system", "labels"), [(ArcHybrid(), True), (ArcEager(root="last"), True), (ArcStandardSwap(), False)], ids=repr
)
def test_margins_are_those_of_the_functional_layer(system: System, labels: bool, beam: int) -> None:
    model = trained(system, joint=True, labels=labels)
    found = model.find(Batch.of(DEV[:4]), SearchOptions(margins=True, beam=beam))
    assert found.margins is not None
    for number, tree in enumerate(DEV[:4]):
        words = found.words([number])
        search = BeamSearch(model.ranking, beam)
        hypothesis = search.best(tree)
        assert found.heads[0, words].tolist() == [-1 if head is None else head for head in hypothesis.config.heads]
        assert found.margins[:2, words] == pytest.approx(margins_of(search, hypothesis), rel=1e-3, abs=1e-2)


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("system", [ArcHybrid(), ArcEager(root="last")], ids=repr)
def test_margins_under_constraints_are_those_of_the_functional_layer(system: System, beam: int) -> None:
    model = trained(system, joint=True)
    known = Constraints(heads={1: 2, 4: 6})
    options = SearchOptions(constraints=[known] * 4, margins=True, beam=beam)
    found = model.find(Batch.of(DEV[:4]), options)
    derived = model.find(Batch.of(DEV[:4]), attrs.evolve(options, margins=False, k=beam))
    assert found.margins is not None
    for number, tree in enumerate(DEV[:4]):
        words = found.words([number])
        search = BeamSearch(model.ranking, beam, possible=known.transitions)
        *_, hypotheses = search(tree)
        assert found.heads[0, words].tolist() == [*hypotheses[0].config.heads]
        assert found.margins[:2, words] == pytest.approx(margins_of(search, hypotheses[0]), rel=1e-3, abs=1e-2)
        scores = derived.scores[: len(hypotheses), number].tolist()
        assert scores == pytest.approx([one.score for one in hypotheses], rel=1e-3, abs=1e-2)
    assert Evidence.of(found, [known] * 4).known.sum(axis=1).tolist() == [8, 0]


def test_heads_are_ahead_of_the_others_in_the_beam() -> None:
    heads = np.array([[2, 0, 0], [2, 0, 0], [0, 1, 0], [-1, -1, 0]], np.int32)
    scores = np.array([[5, 1], [4, -np.inf], [2, -np.inf], [-np.inf, -np.inf]], np.float32)
    found = Found(np.array([0, 2, 3]), heads, np.zeros_like(heads), scores)
    assert found.ahead(np.array([2, 0, 0], np.int32)).tolist() == [3, 3, 0]
    assert found.ahead(np.array([0, 1, 1], np.int32)).tolist() == [-3, -3, 0]
    assert found.rows(0) == [0, 2]


def test_scaling_finds_the_function_that_made_the_data() -> None:
    random = np.random.default_rng(1)
    found = random.normal(size=(40_000, 2))
    right = random.random(40_000) < 1 / (1 + np.exp(-(0.5 + 2 * found[:, 0] + 0.3 * found[:, 1])))
    scaling = PlattScaling.fit(found, right)
    assert scaling.weights == pytest.approx((2, 0.3), abs=0.1)
    assert scaling.bias == pytest.approx(0.5, abs=0.1)
    assert scaling(found).mean() == pytest.approx(right.mean(), abs=1e-3)  # as at every maximum of the likelihood


def test_probabilities_never_fall_as_evidence_rises() -> None:
    random = np.random.default_rng(2)
    evidence = random.normal(size=(500, 3))
    right = random.random(500) < 1 / (1 + np.exp(evidence[:, 0] - evidence[:, 1]))  # the first number speaks against it
    scaling = PlattScaling.fit(evidence, right)
    assert scaling.weights[0] == 0
    assert scaling.weights[1] > 0
    for number in range(3):
        more = evidence.copy()
        more[:, number] += 0.7
        assert (scaling(more) >= scaling(evidence)).all()


@pytest.mark.parametrize("right", [[], [True], [False], [True] * 50, [False] * 25 + [True] * 25])
def test_nothing_is_quite_certain(right: list[bool]) -> None:
    numbers = np.linspace(-1, 1, len(right)) if right else np.array([])
    scaling = PlattScaling.fit(numbers[:, None], np.array(right, bool))
    found = scaling(np.array([[-np.inf], [0.0], [np.inf]]))
    assert ((found > 0) & (found < 1)).all()


def test_margins_of_a_long_sentence_need_no_deep_stack() -> None:
    model: Any = trained(ArcHybrid(), joint=False, labels=False)
    batch = Batch.of([["word"] * 4000])
    size = threading.stack_size(1 << 18)
    try:
        found = model.find(batch, SearchOptions(margins=True, beam=2))
    finally:
        threading.stack_size(size)
    assert found.heads[0].min() >= 0
