"""What a chart answers is what enumeration finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from random import Random
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, all_trees
from deptrees.inference import (
    COUNTING,
    ENTROPY,
    LOG_SUM,
    MAX_PLUS,
    MIN_PLUS,
    Chart,
    ChartNotDefined,
    NoDerivation,
    ScoredDerivation,
    chart,
    k_best,
    sums,
)
from deptrees.inference import deduction as of_charts
from deptrees.inference.deduction import deduction
from deptrees.messages import TooLarge
from deptrees.search import BeamSearch, Ranking
from deptrees.transition import (
    ArcEager,
    ArcEagerPartial,
    ArcEagerSpan,
    ArcHybrid,
    ArcStandard,
    ArcSwift,
    EasyFirst,
    Shift,
    StackBufferConfiguration,
    StackBufferSystem,
    System,
    as_system,
    loss,
    reachable,
)
from deptrees.transition.losses.arc_costs import gold_costs
from tests.inference.enumeration import all_beginnings, all_derivations, kinds_of_scores
from tests.tiers import slow, variants_slow
from tests.transition.configurations import partial_trees, words
from tests.transition.losses.test_tables import QUALIFYING, changed_system, random_system

NEAR = 1e-9
LAST_PUSHES = [
    ArcEager(),
    ArcEager(single_root=True),
    ArcEager(root="last", single_root=True),
    ArcEager(root="none"),
]
"""Those in which it depends on words deeper in the stack whether the last word can be pushed."""
SCORED = [system for system in QUALIFYING if not (system.leaves_words and system.empty_means_unknown)]
"""All but those that differ in how they read gold trees, which only ``restricted`` does."""


def assert_answers(found: Chart, derivations: list[ScoredDerivation], n: int) -> None:
    """Compare the answers of a chart with all of its derivations."""
    scores = np.array([derivation.score for derivation in derivations])
    assert found.value(COUNTING) == len(derivations)
    if not derivations:
        assert found.value() == found.value(MAX_PLUS) == -np.inf
        assert found.value(MIN_PLUS) == np.inf
        with pytest.raises(NoDerivation):
            found.best()
        return
    total = np.logaddexp.reduce(scores)
    probabilities = np.exp(scores - total)
    assert found.value(LOG_SUM) == pytest.approx(total, abs=NEAR)
    assert found.value(MAX_PLUS) == pytest.approx(scores[0], abs=NEAR)
    assert found.value(MIN_PLUS) == pytest.approx(-scores[0], abs=NEAR)
    highest = [*scores[:5], *[-np.inf] * (5 - len(scores))]
    assert found.value(k_best(5)) == pytest.approx(highest, abs=NEAR)
    entropy = -(probabilities * (scores - total)).sum()
    assert found.value(ENTROPY) == pytest.approx([total, entropy], abs=NEAR)
    assert found.entropy() == pytest.approx(entropy, abs=NEAR)
    by_transitions = {derivation.transitions: derivation for derivation in derivations}
    ranked = list(islice(found.ranked(), 20))
    assert [derivation.score for derivation in ranked] == pytest.approx(scores[:20], abs=NEAR)
    assert len({derivation.transitions for derivation in ranked}) == min(20, len(derivations))
    assert found.best().score == pytest.approx(scores[0], abs=NEAR)
    for derivation in [found.best(), *ranked, *islice(found.samples(1), 3)]:
        same = by_transitions[derivation.transitions]
        assert derivation.heads == same.heads
        assert derivation.score == pytest.approx(same.score, abs=NEAR)
    right = np.zeros((n + 2, n + 1))
    for derivation, probability in zip(derivations, probabilities, strict=True):
        right[[n + 1 if head is None else head for head in derivation.heads], range(1, n + 1)] += probability
    if isinstance(found.start, StackBufferConfiguration):
        right[:, [word for word in range(1, n + 1) if word not in (*found.start.stack, *found.start.buffer)]] = 0
    assert found.marginals().heads == pytest.approx(right, abs=NEAR)
    expected = {heads: expected_right(heads, right) for heads in {derivation.heads for derivation in derivations}}
    assert expected[found.least_risk()] == pytest.approx(max(expected.values()), abs=NEAR)


def expected_right(heads: tuple[int | None, ...], marginals: Any) -> float:
    return float(sum(marginals[-1 if head is None else head, word] for word, head in enumerate(heads, 1)))


@pytest.mark.parametrize("n", [1, 2, 3, slow(4), slow(5)])
@pytest.mark.parametrize("system", variants_slow(SCORED))
def test_answers_are_those_of_enumeration(system: StackBufferSystem, n: int) -> None:
    for scores in kinds_of_scores(len(system.rows), n, seed=n):
        assert_answers(chart(system, *scores), all_derivations(system.initial(words(n)), *scores), n)


@pytest.mark.parametrize("n", [2, slow(3)])
@pytest.mark.parametrize("system", variants_slow(SCORED))
def test_answers_from_any_configuration_on_are_those_of_enumeration(system: StackBufferSystem, n: int) -> None:
    for number, cfg in enumerate(reachable(system, n)):
        scores = list(kinds_of_scores(len(system.rows), n, seed=number))[number % 5]
        assert_answers(chart(cfg, *scores), all_derivations(cfg, *scores), n)


def test_a_system_may_be_given_by_its_class_or_name() -> None:
    equal = np.zeros((5, 5, 3))
    for given in ("arc-hybrid", ArcHybrid):
        found = chart(given, equal)
        assert found.start == as_system(given)
        assert found.value() == chart(as_system(given), equal).value()


@pytest.mark.parametrize("n", [1, 2, 3, slow(4), slow(5)])
@pytest.mark.parametrize("system", variants_slow(SCORED))
def test_beginnings_are_those_of_enumeration(system: StackBufferSystem, n: int) -> None:
    if system in LAST_PUSHES:
        with pytest.raises(ChartNotDefined, match="no sums over beginnings: its last push depends on the stack"):
            chart(system, np.zeros((n + 2, n + 2, 4))).beginnings()
    else:
        for scores, leave, heads in kinds_of_scores(len(system.rows), n, seed=n):
            if heads is None:  # which words have at the end alone
                assert_beginnings(system, n, scores, leave)


def assert_beginnings(system: StackBufferSystem, n: int, scores: Any, leave: Any) -> None:
    """Compare the sums over beginnings with all beginnings."""
    found, beginnings = chart(system, scores, leave), all_beginnings(system.initial(words(n)), scores, leave)
    totals = [np.logaddexp.reduce(sums, initial=-np.inf) for sums in beginnings]
    highest = [max(sums, default=-np.inf) for sums in beginnings]
    shares = [np.exp(np.array(sums) - total) for sums, total in zip(beginnings, totals, strict=True)]
    entropies = [-(share * np.log(share)).sum() for share in shares]
    assert found.beginnings(COUNTING).tolist() == [len(sums) for sums in beginnings]
    assert found.beginnings() == pytest.approx(totals, abs=NEAR)
    assert found.beginnings(MAX_PLUS) == pytest.approx(highest, abs=NEAR)
    assert found.beginnings(ENTROPY)[1] == pytest.approx(entropies, abs=NEAR)


def test_what_is_on_the_stack_has_begun() -> None:
    scores, cfg = np.random.default_rng(1).normal(size=(6, 6, 3)), ArcHybrid().initial(words(4))
    for _ in range(2):
        cfg = Shift()(cfg)
    of_next = np.logaddexp.reduce(all_beginnings(cfg, scores, None)[3])
    assert chart(cfg, scores).beginnings()[:4] == pytest.approx([0.0, 0.0, 0.0, of_next], abs=NEAR)


@pytest.mark.parametrize("make", [random_system, changed_system])
@pytest.mark.parametrize(("tables", "n"), [(40, 2), slow(200, 3)])
def test_tables_have_a_right_chart_or_none(make: Callable[[Random], StackBufferSystem], tables: int, n: int) -> None:
    random, compared = Random(2), 0
    for system in [make(random) for _ in range(tables)]:
        if system.without_loss is not None:
            with pytest.raises(ChartNotDefined):
                chart(system, np.zeros((4, 4, len(system.rows))))
            continue
        compared += 1
        for length in range(1, n + 1):
            for scores in kinds_of_scores(len(system.rows), length, seed=compared):
                assert_answers(chart(system, *scores), all_derivations(system.initial(words(length)), *scores), length)
                if scores[2] is None and not deduction(system).none_waits:
                    assert_beginnings(system, length, scores[0], scores[1])
    assert compared >= tables // 20


@pytest.mark.parametrize("system", [ArcHybrid(), ArcEager(root="last"), ArcEagerPartial(), ArcEagerSpan(2)])
@pytest.mark.parametrize("kind", range(5))
def test_marginals_are_derivatives(system: StackBufferSystem, kind: int) -> None:
    n, random = 3, np.random.default_rng(kind)
    of_seeds = (list(kinds_of_scores(len(system.rows), n, seed))[kind] for seed in count())
    arrays = next(arrays for arrays in of_seeds if chart(system, *arrays).value(COUNTING) > 3)
    marginals = chart(system, *arrays).marginals()
    derivatives = (marginals.scores, marginals.leave, marginals.heads)
    for place, (array, of_array) in enumerate(zip(arrays, derivatives, strict=True)):
        if array is None:
            continue
        assert of_array is not None
        assert of_array.shape == array.shape
        for _ in range(30):
            index = tuple(map(random.integers, array.shape))
            values = []
            for step in (1e-5, -1e-5):
                moved = [None if one is None else one.copy() for one in arrays]
                moved[place][index] += step  # type: ignore[index]
                values.append(chart(system, *moved).value())  # type: ignore[arg-type]
            assert of_array[index] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-6)


@pytest.mark.parametrize("root", ["first", "last"])
def test_samples_come_as_often_as_they_are_probable(root: str) -> None:
    scores = np.random.default_rng(4).normal(size=(5, 5, 4))
    found = chart(ArcEager(root=root), scores)  # type: ignore[arg-type]
    drawn = Counter(sample.transitions for sample in islice(found.samples(5), 1000))
    for derivation in found.ranked():
        probability = np.exp(derivation.score - found.value())
        deviation = (probability * (1 - probability) / 1000) ** 0.5
        assert abs(drawn[derivation.transitions] / 1000 - probability) < 5 * deviation
    again = [sample.transitions for sample in islice(found.samples(np.random.default_rng(5)), 20)]
    assert again == [sample.transitions for sample in islice(found.samples(5), 20)]


def correct_derivations(cfg: Any, tree: DependencyTree) -> Iterator[tuple[Any, ...]]:
    """The derivations of transitions that the dynamic oracle calls correct."""
    if cfg.is_final:
        yield ()
        return
    for transition in cfg.possible_transitions():
        if loss(transition(cfg), tree) == loss(cfg, tree):
            for rest in correct_derivations(transition(cfg), tree):
                yield (transition, *rest)


@pytest.mark.parametrize("n", [2, slow(3)])
@pytest.mark.parametrize("system", variants_slow(QUALIFYING))
def test_a_chart_is_restricted_to_what_the_dynamic_oracle_calls_correct(system: StackBufferSystem, n: int) -> None:
    scores = np.random.default_rng(6).normal(size=(n + 2, n + 2, len(system.rows)))
    for cfg in [system.initial(words(n)), *islice(reachable(system, n), 5, None, 17)]:
        for tree in partial_trees(n):
            found = chart(cfg, scores).restricted(tree)
            right = {*correct_derivations(cfg, tree)}
            assert {derivation.transitions for derivation in found.ranked()} == right
            assert found.value(COUNTING) == len(right)
            assert found.best().transitions == next(
                derivation.transitions for derivation in chart(cfg, scores).ranked() if derivation.transitions in right
            )


@pytest.mark.parametrize("system", variants_slow(SCORED))
@pytest.mark.parametrize("n", [6, slow(12)])
def test_exact_decoding_scores_no_less_than_a_beam(system: StackBufferSystem, n: int) -> None:
    scores = np.random.default_rng(n).normal(size=(n + 2, n + 2, len(system.rows)))

    def of_places(configurations: Sequence[Any]) -> list[Any]:
        s0 = [max(cfg.stack_position(0), 0) for cfg in configurations]
        b0 = [cfg.buffer_position(0) if cfg.buffer_position(0) > 0 else n + 1 for cfg in configurations]
        return [*scores[s0, b0]]

    *_, beam = BeamSearch(Ranking(system, of_places), size=64)(words(n))
    best = chart(system, scores).best()
    assert all(best.score > hypothesis.score - NEAR for hypothesis in beam)


@pytest.mark.parametrize("system", variants_slow(QUALIFYING))
def test_the_compiled_chart_is_the_readable_one(system: StackBufferSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in (0, 1, 2, 13):
        scores = next(kinds_of_scores(len(system.rows), n, seed=n))
        found = []
        for module in (sums.compiled, None):
            monkeypatch.setattr(sums, "compiled", module)
            one = chart(system, *scores)
            marginals = one.marginals()
            found.append((one.value(), one.value(MAX_PLUS), marginals.scores, marginals.heads))
        for compiled, readable in zip(*found, strict=True):
            assert compiled == pytest.approx(readable, abs=NEAR)
        monkeypatch.undo()


def test_least_costs_are_the_exact_loss() -> None:
    for system in (ArcHybrid(), ArcEager(root="last", single_root=True), ArcEagerPartial()):
        cfg: Any
        for cfg in islice(reachable(system, 3), 0, None, 11):
            for tree in all_trees(3):
                costs = gold_costs(system.gold_heads(tree), system.empty_means_unknown)
                to_come = chart(cfg, np.zeros((5, 5, len(system.rows))), heads=-costs).value(MIN_PLUS)
                assert to_come == loss(cfg, tree) - cfg.settled_cost(costs.T.tolist())


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        (ArcStandard(), "LeftArc does something else than push b0 or attach and remove s0"),
        (ArcSwift(), "LeftArc does something else than push b0 or attach and remove s0"),
        (EasyFirst(), "it is not a table over a stack and a buffer"),
    ],
)
def test_a_system_that_does_not_qualify_says_why(system: System, reason: str) -> None:
    with pytest.raises(ChartNotDefined, match=f"has no chart: {reason}"):
        chart(system, np.zeros((3, 3, 3)))


def test_arrays_that_do_not_fit_are_refused() -> None:
    scores = np.zeros((4, 4, 3))
    for wrong, reason in (
        ((np.zeros((4, 4, 4)),), r"scores for .* must have the shape \(n \+ 2, n \+ 2, 3\), not \(4, 4, 4\)"),
        ((0.0,), r"must have the shape"),
        ((scores, scores), r"leave must have the shape \(4, 4, 4, 3\), or 1 in places, not \(4, 4, 3\)"),
        ((scores, scores[None, ..., :1]), "leave must have the shape"),
        ((scores, None, np.zeros((4, 1))), r"heads must have the shape \(4, 3\), not \(4, 1\)"),
        ((scores, None, scores), r"heads must have the shape \(4, 3\)"),
        ((scores + np.inf,), "a score must be a finite number or -inf"),
        ((scores * np.nan,), "a score must be a finite number or -inf"),
    ):
        with pytest.raises(ValueError, match=reason):
            chart(ArcHybrid(), *wrong)
    with pytest.raises(ValueError, match="the configuration has 3 words, but there are scores for 2"):
        chart(ArcHybrid().initial(words(3)), scores)
    with pytest.raises(ValueError, match="the tree has 1 word, the chart 2"):
        chart(ArcHybrid(), scores).restricted(DependencyTree([(0, "a")]))
    with pytest.raises(NoDerivation):
        chart(ArcHybrid(), scores - np.inf).entropy()


def test_a_chart_that_would_take_too_much_memory_is_an_error_that_states_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(of_charts, "_MOST_NUMBERS", 3 * 4**3)
    tree = DependencyTree([(0, "w")] * 3)
    long, short = (chart(ArcHybrid(), np.zeros((n + 2, n + 2, 3))) for n in (3, 2))
    assert short.least_risk() is not None
    message = r"a sentence has 3 words: marginals, .* of ArcHybrid\(root='first'\) are for up to 2"
    for ask in (long.marginals, long.least_risk, lambda: long.restricted(tree)):
        with pytest.raises(TooLarge, match=message):
            ask()
    with pytest.raises(TooLarge, match=message):
        chart(ArcHybrid(), np.zeros((5, 5, 3)), heads=np.zeros((5, 4)))
    assert len(long.best().heads) == 3
    with pytest.raises(TooLarge, match=r"a sentence has 7 words: charts of .* are for up to 6"):
        chart(ArcHybrid(), np.zeros((9, 9, 3)))
