from collections.abc import Iterable

import pytest

from deptrees import DependencyTree, Scores, cross_validate, folds, random_projective_tree

TREES = [random_projective_tree(5, seed) for seed in range(11)]


@pytest.mark.parametrize("k", [2, 3, 11])
@pytest.mark.parametrize("seed", [0, 1])
def test_every_sentence_is_tested_once_and_trained_on_otherwise(k: int, seed: int) -> None:
    found = list(folds(iter(TREES), k, seed))
    assert len(found) == k
    numbers = {id(tree): number for number, tree in enumerate(TREES)}
    tested = [numbers[id(tree)] for _, testing in found for tree in testing]
    assert sorted(tested) == list(range(len(TREES)))
    for training, testing in found:
        parts = [[numbers[id(tree)] for tree in part] for part in (training, testing)]
        assert all(part == sorted(part) for part in parts)
        assert sorted([*parts[0], *parts[1]]) == list(range(len(TREES)))
        assert len(TREES) // k <= len(testing) <= -(-len(TREES) // k)


def test_the_seed_determines_the_parts() -> None:
    assert list(folds(TREES, 3, seed=1)) == list(folds(TREES, 3, seed=1)) != list(folds(TREES, 3, seed=2))


@pytest.mark.parametrize("k", [1, 0, 12])
def test_there_are_at_least_two_parts_and_none_is_empty(k: int) -> None:
    with pytest.raises(ValueError, match="k must be from 2"):
        folds(TREES, k)


def test_each_part_is_scored_by_a_parser_that_has_not_seen_it() -> None:
    class Remembers:
        def __init__(self, trees: list[DependencyTree]) -> None:
            self.trees = trees

        def parse(self, sentences: Iterable[DependencyTree]) -> list[DependencyTree]:
            assert not any(tree is other for tree in sentences for other in self.trees)
            return [tree.reattach([0] * len(tree)) for tree in sentences]

    found = list(cross_validate(TREES, Remembers, k=3))
    assert [scores.sentences for scores in found] == [4, 4, 3]
    assert sum(found, Scores()).correct_heads == sum(len(tree.roots) for tree in TREES)
