from itertools import islice
from math import isnan
from pathlib import Path

from deptrees import Treebank, is_projective, non_projectivity, sample_treebank
from tests.gold_trees import every_dev_treebank


def test_sample() -> None:
    found = non_projectivity(sample_treebank("train"))
    assert found.trees == sum(1 for _ in sample_treebank("train"))
    assert found.arcs == sum(len(tree.arcs) for tree in sample_treebank("train"))


@every_dev_treebank
def test_trees_are_counted_as_is_projective_says(path: Path) -> None:
    trees = list(islice(Treebank(path), 200))
    found = non_projectivity(trees)
    assert found.non_projective_trees == sum(not is_projective(tree) for tree in trees) <= found.non_projective_arcs
    assert found.share_of_trees == found.non_projective_trees / len(trees)


def test_nothing_has_no_share() -> None:
    assert isnan(non_projectivity([]).share_of_trees)
    assert isnan(non_projectivity([]).share_of_arcs)
