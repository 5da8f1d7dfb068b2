"""Token lists of the package conllu: trees go through them, and its reader judges ours."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import attrs
import conllu
import pytest
from conllu.exceptions import ParseException
from conllu.parser import parse_comment_line
from conllu.serializer import serialize_field

from deptrees import (
    ConlluError,
    DependencyTree,
    Parser,
    Tagger,
    Treebank,
    TreeError,
    evaluate,
    sample_treebank,
    to_conllu,
    write_treebank,
)
from deptrees.evaluation import folds, statistics
from deptrees.trees.tree import as_tree
from tests.integrations.sentences import NASTY, every_text
from tests.tiers import slow
from tests.treebanks.test_encoded_text import RICH, spoiled

TREES = [*sample_treebank("train")]


def lists(trees: list[DependencyTree]) -> Any:
    return conllu.parse("".join(map(to_conllu, trees)))


def held(tree: DependencyTree) -> DependencyTree:
    """What a token list can hold of a tree."""
    lines = (line if line.startswith("# ") else f"# {line[1:]}" for line in tree.comments)
    return attrs.evolve(tree, comments=[*dict.fromkeys(lines)])


def assert_same(tree: DependencyTree, held: conllu.TokenList, read: conllu.TokenList) -> None:
    """Both readers have read the same comments, and the same in all columns of which conllu's loses nothing."""
    assert {key: value for line in tree.comments for key, value in parse_comment_line(line)} == read.metadata
    for ours, theirs in zip(held, read, strict=True):
        assert [*ours] == [*theirs]
        for name, value in theirs.items():
            assert ours[name] == value or serialize_field(value) != ours[name]


@every_text
def test_trees_go_through_token_lists_which_are_what_conllu_reads(read: Callable[[], list[DependencyTree]]) -> None:
    trees = read()
    for tree, theirs in zip(trees, lists(trees), strict=True):
        ours = tree.to_token_list()
        assert to_conllu(DependencyTree.from_token_list(ours)) == to_conllu(held(tree))
        assert_same(tree, ours, theirs)


@pytest.mark.parametrize("rounds", [300, slow(3000)])
def test_of_hostile_texts_both_readers_read_the_same(rounds: int) -> None:
    """All that neither refuses, but for white space at the ends of lines, which conllu takes away, and in columns."""
    chance, both = random.Random(rounds), 0
    for _ in range(rounds):
        try:
            text = spoiled(chance.choice([NASTY.encode(), RICH]), chance)
            trees = [*Treebank.from_bytes(text)]
            lines = re.split("\r\n?|\n", text.decode())
            theirs = conllu.parse("\n".join(lines))
        except (ConlluError, ParseException):
            continue
        if any("  " in line or line != line.strip() for line in lines):
            continue
        both += 1
        for tree, read in zip(trees, theirs, strict=True):
            assert_same(tree, tree.to_token_list(), read)
    assert both > rounds / 10


def test_token_lists_are_those_that_conllu_reads() -> None:
    for tree, read in zip(TREES, lists(TREES), strict=True):
        assert tree.to_token_list() == read
        assert as_tree(read) == DependencyTree.from_token_list(read) == tree
        assert read.to_tree().token["id"] == tree.roots[0]


def test_comments_that_stand_there_twice_are_there_once() -> None:
    tree = DependencyTree([(0, "Go")], ["# a = 1", "# a = 2", "# a = 1", "# b", "# b", "#c"])
    read = DependencyTree.from_token_list(tree.to_token_list())
    assert read.comments == ("# a = 1", "# a = 2", "# b", "# c")


def test_what_is_missing_is_missing() -> None:
    some = conllu.TokenList([conllu.Token(id=1, form="Sing"), conllu.Token(id=2, form="!", head="_", upostag="PUNCT")])
    tree = DependencyTree.from_token_list(some)
    assert (tree.heads, tree[1].lemma, tree[2].upos) == ((None, None), None, "PUNCT")


@pytest.mark.parametrize(
    ("token", "fault"),
    [
        ({"id": 2, "form": "Sing", "head": 0}, "word 1 has the id 2"),
        ({"id": 1, "form": "Sing", "head": 3}, "the head of word 1 is 3"),
        ({"id": 1, "form": "Sing", "head": "x"}, "the head of word 1 is 'x', which is not an integer"),
        ({"id": (1, "-", 2), "form": "Sing"}, "names no words of the sentence"),
    ],
)
def test_what_is_no_tree_is_an_error(token: dict[str, object], fault: str) -> None:
    with pytest.raises(TreeError, match=fault):
        DependencyTree.from_token_list(conllu.TokenList([token]))  # type: ignore[list-item]


def test_token_lists_are_taken_where_trees_are(parser: Parser, tagger: Tagger) -> None:
    given = lists(TREES)
    parsed = [*parser.parse(given)]
    assert parsed == [*parser.parse(TREES)]
    assert parser.parse(given[0]) == parser.parse(TREES[0])
    assert parser.k_best(given[0], 2) == parser.k_best(TREES[0], 2)
    assert tagger.tag(given[0]) == tagger.tag(TREES[0])
    assert [*tagger.tag(given)] == [*tagger.tag(TREES)]
    assert evaluate(given, parsed) == evaluate(TREES, parsed)
    assert evaluate(given[0], parsed[0]) == evaluate(TREES[0], parsed[0])
    assert str(statistics(given)) == str(statistics(TREES))
    assert [*folds(given, 2)] == [*folds(TREES, 2)]
    learned = [Parser.train(trees, dev=trees, epochs=1) for trees in (given, TREES)]
    assert [*learned[0].parse(TREES)] == [*learned[1].parse(TREES)]


def test_token_lists_are_written(tmp_path: object) -> None:
    assert write_treebank(f"{tmp_path}/written.conllu", lists(TREES)) == len(TREES)
    assert [*Treebank(f"{tmp_path}/written.conllu")] == TREES
