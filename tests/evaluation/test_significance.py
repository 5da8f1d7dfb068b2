"""Confidence intervals and tests, compared with formulas and enumeration."""

import math
from itertools import product
from random import Random

import pytest

from deptrees import DependencyTree, EvaluationError, Predictions
from deptrees.evaluation import SentenceCounts, confidence_intervals, paired_test

RIGHT = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
WRONG = RIGHT.reattach([0, 1])
HALF = RIGHT.reattach([0, 0])


def test_the_interval_of_equal_sentences_is_that_of_the_binomial_distribution() -> None:
    n, p = 400, 0.7
    parses = [RIGHT if number < p * n else WRONG for number in range(n)]
    found = confidence_intervals(Predictions.of([RIGHT] * n, parses))
    half = 1.96 * math.sqrt(p * (1 - p) / n)
    for score in ("UAS", "LAS", "exact"):
        row = found.row(score)
        assert row["share"] == p
        assert (row["low"], row["high"]) == pytest.approx((p - half, p + half), abs=0.01)
    narrower = confidence_intervals(Predictions.of([RIGHT] * n, parses), level=0.5).row("UAS")
    assert (narrower["low"], narrower["high"]) == pytest.approx((p - half * 0.344, p + half * 0.344), abs=0.01)


def test_the_same_seed_gives_the_same_interval() -> None:
    predictions = Predictions.of([RIGHT] * 9, [RIGHT, WRONG, HALF] * 3)
    assert confidence_intervals(predictions) == confidence_intervals(predictions)
    assert confidence_intervals(predictions) != confidence_intervals(predictions, seed=1)


def test_few_sentences_are_permuted_in_all_ways() -> None:
    random = Random(1)
    for _ in range(3):
        first, second = ([random.choice([RIGHT, WRONG, HALF]) for _ in range(7)] for _ in range(2))
        gold = [RIGHT] * 7
        found = paired_test(Predictions.of(gold, first), Predictions.of(gold, second))
        heads = {RIGHT: 2, HALF: 1, WRONG: 0}
        differences = [heads[two] - heads[one] for one, two in zip(first, second, strict=True)]
        totals = [sum(map(math.prod, zip(differences, signs, strict=True))) for signs in product((1, -1), repeat=7)]
        higher = sum(total >= sum(differences) for total in totals) / len(totals)
        lower = sum(total <= sum(differences) for total in totals) / len(totals)
        row = found.row("UAS")
        assert row["difference"] == pytest.approx(sum(differences) / 14)
        assert row["p"] == pytest.approx(min(1, 2 * min(higher, lower)))


def test_seeds_are_exchanged_together() -> None:
    random, gold, heads = Random(2), [RIGHT] * 6, {RIGHT: 2, HALF: 1, WRONG: 0}
    for _ in range(3):
        first, second = ([random.choices([RIGHT, WRONG, HALF], k=6) for _ in range(3)] for _ in range(2))
        found = paired_test(*[[Predictions.of(gold, parses) for parses in seeds] for seeds in (first, second)])
        ours, theirs = (
            [sum(map(heads.__getitem__, trees)) for trees in zip(*seeds, strict=True)] for seeds in (first, second)
        )
        differences = [two - one for one, two in zip(ours, theirs, strict=True)]
        totals = [sum(map(math.prod, zip(differences, signs, strict=True))) for signs in product((1, -1), repeat=6)]
        tails = sum(total >= sum(differences) for total in totals), sum(total <= sum(differences) for total in totals)
        row = found.row("UAS")
        assert (row["first"], row["second"]) == pytest.approx((sum(ours) / 36, sum(theirs) / 36))
        assert row["p"] == pytest.approx(min(1, 2 * min(tails) / len(totals)))


def test_one_seed_may_tell_what_another_does_not() -> None:
    gold = [RIGHT] * 8
    right, wrong, half = (Predictions.of(gold, [tree] * 8) for tree in (RIGHT, WRONG, HALF))
    assert paired_test(right, half).row("UAS")["p"] == pytest.approx(2 / 2**8)
    together = paired_test([right, wrong], [half, half])
    assert (together.row("UAS")["difference"], together.row("UAS")["p"]) == (0, 1)
    assert paired_test(*map(SentenceCounts.of, (right, half))) == paired_test([right], [half])


def test_seeds_must_be_as_many_and_of_the_same_words() -> None:
    one, two = (Predictions.of([RIGHT] * n, [HALF] * n) for n in (4, 5))
    for ours, theirs in (([one, one], [one]), ([], [])):
        with pytest.raises(EvaluationError, match=f"same number of seeds, not {len(ours)} and {len(theirs)}"):
            paired_test(ours, theirs)
    with pytest.raises(EvaluationError, match="have not parsed the same words"):
        paired_test([one, one], [one, two])
    with pytest.raises(EvaluationError, match="not counted in the same sentences"):
        paired_test(SentenceCounts.of(one), SentenceCounts.of(two))


def test_many_sentences_tell_what_few_do_not() -> None:
    def p(sentences: int) -> object:
        first, second = [RIGHT, WRONG, HALF] * sentences, [RIGHT, HALF, HALF] * sentences
        gold = [RIGHT] * (3 * sentences)
        test = paired_test(Predictions.of(gold, first), Predictions.of(gold, second), resamples=999)
        return test.row("UAS")["p"]

    assert p(2) == 0.5
    assert p(40) == pytest.approx(2 / 1000)


def test_too_few_sentences_are_an_error() -> None:
    one = Predictions.of(RIGHT, WRONG)
    with pytest.raises(EvaluationError, match="too few sentences to tell"):
        confidence_intervals(one)
    with pytest.raises(EvaluationError, match="too few sentences to tell"):
        paired_test(one, one)
    with pytest.raises(EvaluationError, match="have not parsed the same words"):
        paired_test(one, Predictions.of([RIGHT] * 2, [RIGHT] * 2))
