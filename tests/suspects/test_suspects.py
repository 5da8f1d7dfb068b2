"""Errors in the sample treebank are among its first suspects."""

import json
from pathlib import Path

import numpy as np
import pytest

from deptrees import DependencyTree, sample_treebank, to_conllu
from deptrees.evaluation import EvaluationError, Table
from deptrees.suspects import corrected, suspects
from deptrees.suspects.planting import planted
from deptrees.suspects.punctuation import by_rule, guideline_heads
from deptrees.treebanks.columns import Columns
from tests.cli.running import run

TREES = [*sample_treebank("train")][:40]
SENTENCE = 1
"""The sentence in which an error is planted."""


def with_error() -> list[DependencyTree]:
    """The sample treebank, in which a determiner is annotated as a subject."""
    tree = TREES[SENTENCE - 1]
    labels = ["nsubj" if label == "det" else label for label in tree.labels]
    assert labels != [*tree.labels]
    return [*TREES[: SENTENCE - 1], tree.reattach(tree.heads, labels), *TREES[SENTENCE:]]


@pytest.fixture(scope="module")
def table() -> Table:
    return suspects(with_error(), k=2)


def test_an_error_is_among_the_first_suspects_with_what_would_be_right(table: Table) -> None:
    tree = TREES[SENTENCE - 1]
    word = tree.labels.index("det") + 1
    found = table.row(SENTENCE, word)
    assert _row(table) < 3
    assert (found["label"], found["other_label"], found["other_head"]) == ("nsubj", "det", tree.heads[word - 1])
    assert "parsers" in found["why"]


def _row(table: Table) -> int:
    """The row of the error."""
    return [*zip(table["sentence"], table["label"], strict=True)].index((SENTENCE, "nsubj"))


def test_rows_are_words_with_falling_probabilities(table: Table) -> None:
    assert len(table) == len({*zip(table["sentence"], table["word"], strict=True)}) == sum(map(len, TREES))
    probabilities = np.array(table["probability"], float)
    assert (np.diff(probabilities) <= 0).all()
    assert 0 <= probabilities[-1] <= probabilities[0] <= 1


def test_the_command_prints_rows_of_the_first_suspects_and_saves_a_page(table: Table, tmp_path: Path) -> None:
    file, page = tmp_path / "treebank.conllu", tmp_path / "page.html"
    file.write_text("".join(map(to_conllu, with_error())), "utf-8")
    printed = run("suspect", file, "--folds", 2, "--limit", 3, "--json", "--html", page)
    rows = json.loads(printed.stdout)
    names = [column.name for column in table.columns]
    assert rows == [dict(zip(names, row, strict=True)) for row in table.rows[:3]]
    assert page.read_text("utf-8").count("<svg") >= 1
    with_both = run("suspect", file, "--folds", 2, "--json", "--csv")
    assert with_both.exit_code == 2


def test_what_there_is_nothing_to_learn_from_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.conllu").write_text("", "utf-8")
    printed = run("suspect", tmp_path / "empty.conllu")
    assert printed.exit_code == 1
    assert "0 sentences cannot be divided into 5 parts" in printed.stderr
    bare = [DependencyTree([(None, "Birds"), (None, "sing")])] * 5
    with pytest.raises(EvaluationError, match="no word has a head and a label"):
        suspects(bare)
    with pytest.raises(ValueError, match="at least two parts"):
        suspects(TREES, k=1)


def test_corrections_are_made_as_long_as_there_is_a_tree(table: Table) -> None:
    assert [*corrected(with_error(), table.sorted([_row(table)]))] == TREES
    changed = [*corrected(with_error(), table)]
    assert [tree.words for tree in changed] == [tree.words for tree in TREES]


@pytest.mark.parametrize(
    ("heads", "mark", "head"),
    [
        ([3, 3, 0, 3], 2, 1),  # after what depends on what follows, "Well, I sing"
        ([0, 4, 4, 1], 2, 4),  # before a conjunct
        ([2, 0, 2], 3, 2),  # at the end
        ([3, 3, 0], 1, 3),  # at the beginning
        ([0, 5, 5, 5, 1, 5], 2, 5),  # before a unit of several words
    ],
)
def test_punctuation_depends_on_the_unit_that_it_delimits(heads: list[int], mark: int, head: int) -> None:
    labels = ["punct" if word == mark else "dep" for word in range(1, len(heads) + 1)]
    tree = DependencyTree([(it, "x", label) for it, label in zip(heads, labels, strict=True)])
    found = guideline_heads(Columns.of_trees([tree])).tolist()
    assert found == [head if word == mark else it for word, it in enumerate(heads, 1)]


@pytest.mark.parametrize(("n_wrong", "chance"), [(1, 0), (3, 0.5), (6, 0)])
def test_the_rule_for_punctuation_says_nothing_where_few_marks_break_it_or_most(n_wrong: int, chance: float) -> None:
    right = DependencyTree([(3, "Well", "discourse"), (1, ",", "punct"), (0, "sing", "root")])
    trees = [right.reattach([3, 3, 0])] * n_wrong + [right] * (10 - n_wrong)
    heads, found = by_rule(Columns.of_trees(trees))
    assert found == pytest.approx(chance)
    assert heads[1] == (1 if chance else 3)


def test_planted_errors_leave_trees_and_are_as_many_as_asked_for() -> None:
    columns = Columns.of_trees(TREES)
    heads, labels, wrong = planted(columns, 0.5, 1)
    assert 0.35 < wrong.mean() <= 0.5
    assert ((heads != columns.heads) | (labels != columns.labels)).tolist() == wrong.tolist()
    assert [it.tolist() for it in planted(columns, 0.5, 1)] == [it.tolist() for it in (heads, labels, wrong)]


def test_faults_come_first_and_words_without_a_head_not_at_all() -> None:
    partial = DependencyTree([(None, "Birds"), (0, "sing", "root")])
    odd = DependencyTree([(2, "Birds", "n subj"), (0, "sing", "root")])
    table = suspects([*TREES[:20], partial, odd], k=2)
    first = table.rows[0]
    assert first[:2] == (22, 1)
    assert first[-1] == 1
    assert first[-2] == "there is white space in DEPREL: 'n subj'"
    assert (21, 1) not in zip(table["sentence"], table["word"], strict=True)
    assert table == suspects([*TREES[:20], partial, odd], k=2)
