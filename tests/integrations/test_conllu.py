"""Against the package conllu: trees as its token lists."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import conllu

from deptrees import DependencyTree, sample_treebank, to_conllu
from deptrees.integrations.conllu import from_token_list, to_token_list
from tests.integrations.sentences import every_text


def held(tree: DependencyTree) -> DependencyTree:
    """What a token list can hold of a tree."""
    lines = (line if line.startswith("# ") else f"# {line[1:]}" for line in tree.comments)
    return attrs.evolve(tree, comments=[*dict.fromkeys(lines)])


@every_text
def test_trees_go_through_token_lists(read: Callable[[], list[DependencyTree]]) -> None:
    for tree in read():
        assert to_conllu(from_token_list(to_token_list(tree))) == to_conllu(held(tree))


def test_token_lists_are_those_that_conllu_reads() -> None:
    for tree in sample_treebank("train"):
        [read] = conllu.parse(to_conllu(tree))
        assert to_token_list(tree) == read
        assert from_token_list(read) == tree
        assert to_token_list(tree).to_tree().token["id"] == tree.roots[0]


def test_comments_that_stand_there_twice_are_there_once() -> None:
    tree = DependencyTree([(0, "Go")], ["# a = 1", "# a = 2", "# a = 1", "# b", "# b", "#c"])
    assert from_token_list(to_token_list(tree)).comments == ("# a = 1", "# a = 2", "# b", "# c")
