"""Statistics of treebanks, compared with the trees."""

from itertools import islice
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import (
    DependencyTree,
    EvaluationError,
    Treebank,
    gap_degree,
    is_projective,
    non_projective_arcs,
    sample_treebank,
    statistics,
)
from tests.gold_trees import every_dev_treebank, trees

TRAIN = list(sample_treebank("train"))


def check_overview(treebank: list[DependencyTree]) -> None:
    found = statistics(treebank)
    arcs = sum(len(tree.arcs) for tree in treebank)
    crossing = {number: len(non_projective_arcs(tree)) for number, tree in enumerate(treebank, 1)}
    assert found.row("words")["value"] == sum(map(len, treebank))
    assert found.row("sentences")["value"] == len(treebank)
    assert found.row("different labels")["value"] == len({label for tree in treebank for label in tree.labels} - {None})
    row = found.row("non-projective arcs")
    assert row["value"] == sum(crossing.values())
    assert row["share"] == (pytest.approx(sum(crossing.values()) / arcs))
    row = found.row("non-projective sentences")
    assert row["value"] == sum(not is_projective(tree) for tree in treebank)
    assert row["sentences"] == tuple(number for number, count in crossing.items() if count)
    for degree in range(max(map(gap_degree, treebank)) + 1):
        row = found.row(f"sentences of gap degree {degree}")
        numbers = tuple(number for number, tree in enumerate(treebank, 1) if gap_degree(tree) == degree)
        assert (row["value"], row["sentences"]) == (len(numbers), numbers)


def test_the_overview_of_the_sample_is_that_of_its_trees() -> None:
    check_overview(TRAIN)
    found = statistics(TRAIN)
    distances = [abs(head - word) for tree in TRAIN for head, word in tree.arcs if head]
    assert found.row("mean distance to the head")["value"] == pytest.approx(mean(distances))
    left = sum(head > word for tree in TRAIN for head, word in tree.arcs)
    assert found.row("words to the left of their head")["value"] == left


@given(st.lists(trees(min_words=1), min_size=1, max_size=4))
def test_the_overview_of_random_trees(treebank: list[DependencyTree]) -> None:
    check_overview(treebank)


@every_dev_treebank
def test_the_overview_of_real_treebanks(path: Path) -> None:
    check_overview(list(islice(Treebank(path), 200)))


def test_words_are_counted_by_attributes() -> None:
    found = statistics(TRAIN, "tag,direction", where="tag!=PUNCT")
    counted = sum(token.upos != "PUNCT" for tree in TRAIN for token in tree)
    assert sum(count for count in found["words"] if isinstance(count, int)) == counted
    numbers = [
        number
        for number, tree in enumerate(TRAIN, 1)
        if any(token.upos == "DET" and (token.head or 0) < position for position, token in enumerate(tree, 1))
    ]
    assert [*found["words"]] == sorted(found["words"], reverse=True)
    assert ("DET", "right") not in [row[:2] for row in found.rows] or numbers
    assert statistics(TRAIN, "known", train=TRAIN).rows == [("known", sum(map(len, TRAIN)), 1.0)]


def test_nothing_has_no_statistics() -> None:
    for treebank in [], [DependencyTree([])]:
        with pytest.raises(EvaluationError, match="there is no word to count"):
            statistics(treebank)
