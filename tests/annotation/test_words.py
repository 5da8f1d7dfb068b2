"""Splitting and joining: the text stays, joining undoes splitting, and every arc is between the same words."""

from collections.abc import Callable

import pytest

from deptrees import DependencyTree, Token, sample_treebank
from deptrees.annotation import ActionError, Dismiss, Join, Split
from deptrees.trees.extra_tokens import multiword_span
from tests.annotation.sentences import sentence_of

TREES = [*sample_treebank("dev")]
AM_HAUS = DependencyTree(
    [
        Token("an", 3, "case"),
        Token("dem", 3, "det"),
        Token("Haus", 0, "root", misc="SpaceAfter=No"),
        Token("!", 3, "punct"),
    ],
    extra_tokens=[(0, Token("am", id="1-2"))],
)


def text_of(tree: DependencyTree) -> str:
    """The text that the tokens make up."""
    inside = {word for _, token in tree.multiword_tokens for word in multiword_span(token) or ()}
    tokens = [token for token in tree.all_tokens if token.id not in inside]
    return "".join(token.form + " " * (token.misc_values.get("SpaceAfter") != "No") for token in tokens)


@pytest.mark.parametrize("parts", [lambda form: (form[:1], form[1:]), lambda form: ("a", "b", "c")])
def test_joining_undoes_splitting_and_the_text_stays(parts: Callable[[str], tuple[str, ...]]) -> None:
    for tree in [*TREES[:6], AM_HAUS]:
        for word in range(1, len(tree) + 1):
            if len(tree[word].form) < 2:
                continue
            sentence = sentence_of(tree)
            split = Split(word, parts(tree[word].form))(sentence)
            added = len(split.tree) - len(tree)
            assert added == len(parts(tree[word].form)) - 1
            assert text_of(split.tree) == text_of(tree)
            joined = split
            for _ in range(added):
                joined = Join(word)(joined)
                assert text_of(joined.tree) == text_of(tree)
            if not any(word in (multiword_span(token) or ()) for _, token in tree.multiword_tokens):
                assert joined.tree == tree


def test_every_arc_is_between_the_same_words() -> None:
    for tree in TREES:
        split = Split(2, ("x", "y"))(sentence_of(tree)).tree
        arcs = {(head + (head > 2), word + (word > 2)) for head, word in tree.arcs}
        assert {*split.arcs} == arcs
        assert split.heads[2] is None


def test_words_of_different_tokens_are_not_joined_nor_is_anything_where_there_is_a_graph() -> None:
    with pytest.raises(ActionError, match="different tokens"):
        Join(2)(sentence_of(AM_HAUS))
    assert Join(1)(sentence_of(AM_HAUS)).tree.extra_tokens == ()
    graph = DependencyTree([Token("Birds", 2, deps="2:nsubj"), Token("sing", 0, deps="0:root")])
    for action in Join(1), Split(1, ("a", "b")):
        with pytest.raises(ActionError, match="enhanced"):
            action(sentence_of(graph))


def test_what_was_dismissed_is_about_the_same_words() -> None:
    sentence = Dismiss(4, "rel-upos-det", "a title")(sentence_of(AM_HAUS))
    assert Split(3, ("Ha", "us"))(sentence).tree.comments == ("# dismissed = 5 rel-upos-det: a title",)
