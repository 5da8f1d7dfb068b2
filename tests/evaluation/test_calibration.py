"""Whether probabilities are right, as it is counted."""

from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, EvaluationError, Token
from deptrees.evaluation import Reliability, reliability


def test_true_probabilities_have_next_to_no_calibration_error() -> None:
    random = Random(1)
    probabilities = [random.random() for _ in range(20_000)]
    right = [random.random() < probability for probability in probabilities]
    found = Reliability.of(probabilities, right)
    assert found.count == 20_000
    assert found.expected_calibration_error < 0.02
    too_sure = Reliability.of([probability**0.5 for probability in probabilities], right)
    assert too_sure.expected_calibration_error == pytest.approx(2 / 3 - 1 / 2, abs=0.02)


def test_bins_are_those_of_the_definition() -> None:
    random = Random(2)
    probabilities = [random.choice((0.0, 0.05, 0.1, 0.31, 0.5, 0.999, 1.0)) for _ in range(200)]
    right = [random.random() < 0.5 for _ in probabilities]
    for bins in (1, 2, 7, 10):
        error = 0.0
        for number in range(bins):
            inside = [
                (p, is_right)
                for p, is_right in zip(probabilities, right, strict=True)
                if number <= p * bins < number + 1 or (p == 1 and number == bins - 1)
            ]
            error += abs(sum(p - is_right for p, is_right in inside)) / len(probabilities)
        assert Reliability.of(probabilities, right, bins).expected_calibration_error == pytest.approx(error)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([0.5], [True], 0), "bins is a whole number, from 1 to"),
        (([1.5], [True]), "1.5 is not a probability"),
        (([float("nan")], [True]), "nan is not a probability"),
        (([0.5], []), "argument 2 is shorter"),
    ],
)
def test_what_is_no_probability_is_refused(arguments: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Reliability.of(*arguments)


def test_heads_and_labeled_arcs_have_probabilities_of_their_own() -> None:
    gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (None, "her")])
    parsed = DependencyTree(
        [
            Token("I", 2, "obj", misc="Confidence=0.5|HeadConfidence=0.75"),
            Token("saw", 0, "root", misc="SpaceAfter=No|Confidence=0.5|HeadConfidence=0.75"),
            Token("her", 2, "obj"),
        ]
    )
    assert reliability(gold, parsed).expected_calibration_error == 0.25
    assert reliability([gold], [parsed], labeled=True).expected_calibration_error == 0
    with pytest.raises(EvaluationError, match=r"word 1 has no HeadConfidence in MISC: parse with confidence=True"):
        reliability(gold, gold)
