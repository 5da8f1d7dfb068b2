"""Beams as weighted sets of derivations, against the enumeration of all derivations."""

from typing import Any

import numpy as np
import pytest

from deptrees import Parser, sample_treebank
from deptrees.search import BeamSearch, WeightedSet
from deptrees.transition import System
from deptrees.transition.systems.registry import REGISTRY
from tests.search.test_search import EVERY_SENTENCE, UNLIMITED, every_derivation, path
from tests.training.scorers import random_ranking
from tests.transition.configurations import words


def in_set(search: BeamSearch, source: Any) -> WeightedSet[Any]:
    *_, beam = search(source)
    return WeightedSet(beam, [hypothesis.score for hypothesis in beam])


@EVERY_SENTENCE
def test_a_beam_as_wide_as_there_are_derivations_equals_their_enumeration(system: System, n: int) -> None:
    ranking = random_ranking(system, n)
    weights = {taken: np.exp(score) for taken, score in every_derivation(ranking, system.initial(words(n)))}
    total = sum(weights.values())
    found = in_set(BeamSearch(ranking, UNLIMITED), words(n))
    shares = np.array([weights[path(hypothesis)] / total for hypothesis in found.items])
    assert found.log_sum == pytest.approx(np.log(total), abs=1e-9)
    assert found.probabilities == pytest.approx(shares, abs=1e-9)
    assert found.entropy == pytest.approx(-float(shares @ np.log2(shares)), abs=1e-9)
    heads = found.by(lambda hypothesis: hypothesis.config.heads[-1])
    for head, probability in zip(heads.items, heads.probabilities, strict=True):
        agreeing = [item.config.heads[-1] == head for item in found.items]
        assert probability == pytest.approx(shares[agreeing].sum(), abs=1e-9)


@EVERY_SENTENCE
def test_a_sum_over_a_beam_is_never_above_the_sum_over_all(system: System, n: int) -> None:
    ranking = random_ranking(system, n)
    exact = np.logaddexp.reduce([score for _, score in every_derivation(ranking, system.initial(words(n)))])
    for size in (1, 2, 5):
        assert in_set(BeamSearch(ranking, size), words(n)).log_sum <= exact + 1e-9


@pytest.mark.parametrize("name", REGISTRY)
def test_derivations_of_a_parser_are_a_part_of_all(name: str) -> None:

    parser = Parser.train([*sample_treebank("train")][:8], system=REGISTRY[name].example, joint=True, epochs=1)
    ranking = parser.model.ranking
    exact = dict(every_derivation(ranking, parser.system.initial(["Sing"])))
    found, few = (parser.derivations(["Sing"], beam=beam) for beam in (64, 2))
    total = float(np.logaddexp.reduce([*exact.values()]))
    assert few.log_sum <= found.log_sum + 1e-4
    assert found.log_sum <= total + 1e-4
    if len(exact) <= 64:
        assert sorted(found.scores) == pytest.approx(sorted(exact.values()), abs=1e-2, rel=1e-4)


def test_samples_are_drawn_with_their_probabilities() -> None:
    found = WeightedSet("abc", np.log([1, 2, 5]))
    drawn = found.sample(np.random.default_rng(1), 8000)
    assert [drawn.count(item) / 8000 for item in "abc"] == pytest.approx([1 / 8, 2 / 8, 5 / 8], abs=0.02)


def test_what_has_no_weights_is_no_set() -> None:
    for items, scores in ([], []), (["a"], [0.0, 1.0]):
        with pytest.raises(ValueError, match="as many scores"):
            WeightedSet(items, scores)
