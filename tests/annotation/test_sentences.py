"""Decisions: the latest one holds, the result is a tree, and of the others no more are given up than must be."""

from itertools import product

from deptrees import DependencyTree
from deptrees.annotation import AnnotatedSentence
from deptrees.trees.enumeration import all_trees
from tests.annotation.sentences import sentence_of

N = 3


def with_open(tree: DependencyTree, some: tuple[bool, ...]) -> AnnotatedSentence:
    """A sentence of which some words are only proposed."""
    return sentence_of(tree).reopened([word for word, is_open in enumerate(some, 1) if is_open])


def test_the_latest_decision_holds_and_the_fewest_others_are_given_up() -> None:
    trees = [DependencyTree([(head, "x", "dep") for head in tree.heads]) for tree in all_trees(N)]
    assert len(trees) == (N + 1) ** (N - 1)
    for tree, some in product(trees, product([False, True], repeat=N)):
        for word, head in product(range(1, N + 1), range(N + 1)):
            if word == head:
                continue
            found = with_open(tree, some).decided(word, head, "obj")
            assert found.tree.heads[word - 1] == head  # and making it showed that it is a tree
            assert found.has_label[word - 1]
            given_up = {it for it in range(1, N + 1) if found.tree.heads[it - 1] != tree.heads[it - 1]} - {word}
            decided = {it for it in given_up if not some[it - 1]}
            if head == 0:
                assert given_up == {it for it in range(1, N + 1) if tree.heads[it - 1] == 0} - {word}
            elif head not in tree.subtree(word):
                assert not given_up
            else:
                assert len(given_up) == 1
                path = path_up(tree, head, word)
                assert given_up <= path
                assert not decided or not any(some[it - 1] for it in path)


def path_up(tree: DependencyTree, start: int, end: int) -> set[int]:
    """The words from one up to another, which is left out."""
    found = set()
    while start != end:
        found.add(start)
        start = tree.heads[start - 1] or 0
    return found


def test_an_accepted_word_is_decided_and_a_reopened_one_is_not() -> None:
    sentence = sentence_of(DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")]))
    reopened = sentence.reopened([1])
    assert (sentence.is_open, reopened.has_head, reopened.known.heads) == (False, (False, True), (None, 0))
    assert reopened.accepted([1]).lines == sentence.lines


def test_heads_before_the_last_decided_one_are_kept_for_those_who_read_from_left_to_right() -> None:
    tree = DependencyTree([(2, "Old", "amod"), (3, "birds", "nsubj"), (0, "sing", "root"), (3, "today", "advmod")])
    sentence = sentence_of(tree).reopened([1, 2, 4])
    assert (sentence.known.heads, sentence.kept.heads) == ((None, None, 0, None), (2, 3, 0, None))
    assert sentence.kept.labels == (None, None, "root", None)  # a label may still change
    assert sentence.reopened([3]).kept.heads == (None,) * 4
