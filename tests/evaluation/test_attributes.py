"""Attributes of words, compared with loops over trees."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import Columns, DependencyTree, EvaluationError, Token, gap_degree, non_projective_arcs
from deptrees.evaluation.attributes import ATTRIBUTES, grouped, selected, values
from deptrees.evaluation.words import Words, sentence_numbers
from tests.gold_trees import trees

TAGS = ("NOUN", "VERB", None)


def tagged(tree: DependencyTree) -> DependencyTree:
    """The tree with tags and labels, some of which are missing."""
    rows = zip(tree.heads, tree, strict=True)
    return DependencyTree(
        Token(token.form, head, f"l{head}" if head else None, upos=TAGS[place % 3], feats="A=1|B=2" if head else None)
        for place, (head, token) in enumerate(rows)
    )


TREEBANKS = st.lists(trees(annotated=False).map(tagged), max_size=4)


def depth(tree: DependencyTree, word: int) -> Any:
    steps, head = 0, word
    while head:
        above = tree.heads[head - 1]
        if above is None:
            return "_"
        steps, head = steps + 1, above
    return steps


def column(tree: DependencyTree, word: int, name: str) -> Any:
    return getattr(tree[word], name) or "_"


def head_column(tree: DependencyTree, word: int, name: str) -> Any:
    head = tree.heads[word - 1]
    return "_" if head is None else "ROOT" if head == 0 else column(tree, head, name)


def of_head(tree: DependencyTree, word: int, found: Callable[[int], Any]) -> Any:
    head = tree.heads[word - 1]
    return "_" if head is None else found(head)


BY_LOOPS: dict[str, Callable[[DependencyTree, int], Any]] = {
    "label": lambda tree, word: column(tree, word, "label"),
    "direction": lambda tree, word: of_head(
        tree, word, lambda head: "root" if head == 0 else "left" if word < head else "right"
    ),
    "distance": lambda tree, word: of_head(tree, word, lambda head: abs(head - word) if head else 0),
    "depth": depth,
    "length": lambda tree, word: len(tree),
    "projectivity": lambda tree, word: of_head(
        tree, word, lambda head: "non-projective" if (head, word) in non_projective_arcs(tree) else "projective"
    ),
    "gap-degree": gap_degree,
    "known": lambda tree, word: "known" if tree[word].form in {"w1", "w3"} else "unknown",
    "punctuation": lambda tree, word: "no",
    "tag": lambda tree, word: column(tree, word, "upos"),
    "head-tag": lambda tree, word: head_column(tree, word, "upos"),
}
for _name in ("form", "lemma", "xpos", "feats", "misc"):
    BY_LOOPS[_name] = lambda tree, word, name=_name: column(tree, word, name)  # type: ignore[misc]
    BY_LOOPS[f"head-{_name}"] = lambda tree, word, name=_name: head_column(tree, word, name)  # type: ignore[misc]


@given(TREEBANKS)
def test_attributes_are_what_they_are_defined_as(treebank: list[DependencyTree]) -> None:
    words = Words(Columns.encode(treebank), frozenset({"w1", "w3"}))
    for name in ATTRIBUTES:
        found = values(words, name)
        expected = [BY_LOOPS[name](tree, word) for tree in treebank for word in range(1, len(tree) + 1)]
        assert [found.name(number) for number in found.numbers.tolist()] == expected, name


@pytest.mark.parametrize(
    ("form", "is_punctuation"), [("!", "yes"), ("«", "yes"), ("...", "yes"), ("$", "no"), ("a.", "no"), ("`", "no")]
)
def test_punctuation_is_what_unicode_says(form: str, is_punctuation: str) -> None:
    found = values(Words(Columns.encode([DependencyTree([(0, form)])])), "punctuation")
    assert found.name(int(found.numbers[0])) == is_punctuation


@given(TREEBANKS, st.sampled_from(["label,direction", "depth", "tag,head-tag,distance:0:1:3", "", "length:2"]))
def test_groups_are_all_combinations_that_there_are(treebank: list[DependencyTree], by: str) -> None:
    words = Words(Columns.encode(treebank))
    which = words.position % 2 == 1
    groups = grouped(by, (words, which))

    def value(name: str, tree: DependencyTree, word: int) -> Any:
        name, *bounds = name.split(":")
        found = BY_LOOPS[name](tree, word)
        if not bounds or found == "_":
            return found
        limits = [-1 if name == "distance" else 0, *map(int, bounds)]
        for low, high in pairwise(limits):
            if found <= high:
                return str(high) if low + 1 == high else f"{low + 1}..{high}"
        return f"{limits[-1] + 1}.."

    expected = Counter(
        tuple(value(name, tree, word) for name in by.split(",") if name)
        for tree in treebank
        for word in range(1, len(tree) + 1, 2)
    )
    found = {key: int((groups.numbers == number).sum()) for number, key in enumerate(groups.keys)}
    assert found == expected
    assert (groups.numbers[~which] == -1).all()


@given(TREEBANKS)
def test_conditions_choose_words(treebank: list[DependencyTree]) -> None:
    words = Words(Columns.encode(treebank))
    rows = [(tree, word) for tree in treebank for word in range(1, len(tree) + 1)]
    for condition, holds in (
        ("tag=NOUN", lambda tree, word: tree[word].upos == "NOUN"),
        ("tag!=NOUN|_", lambda tree, word: tree[word].upos == "VERB"),
        ("feats=A=1|B=2", lambda tree, word: tree[word].feats == "A=1|B=2"),
        ("length=..3", lambda tree, word: len(tree) <= 3),
        ("length=2|4..5", lambda tree, word: len(tree) in (2, 4, 5)),
        ("depth=_", lambda tree, word: depth(tree, word) == "_"),
        ("depth!=2..", lambda tree, word: depth(tree, word) in ("_", 1)),
        ("label=no such", lambda tree, word: False),
    ):
        assert selected(words, condition).tolist() == [holds(tree, word) for tree, word in rows], condition
    both = selected(words, ["tag=NOUN", "length=..3"])
    assert (both == selected(words, "tag=NOUN") & selected(words, "length=..3")).all()


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("tag", "'tag' is no condition: write one as tag!=PUNCT"),
        ("lable=x", "there is no attribute 'lable': choose among label"),
        ("distance=near", "'distance=near': 'near' is neither a number nor a range"),
        ("depth=..", "'..' is neither a number nor a range"),
        ("known=known", "give some as train"),
        ("label:3=x", "is no condition"),
    ],
)
def test_what_is_no_condition_is_told(condition: str, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        selected(Words(Columns.encode([DependencyTree([(0, "Go")])])), condition)


@pytest.mark.parametrize("by", ["label:3", "distance:3:1", "distance:x", "length:0"])
def test_what_cannot_be_put_into_bins_is_told(by: str) -> None:
    with pytest.raises(EvaluationError, match="bins are those of numbers, as in"):
        grouped(by, (Words(Columns.encode([DependencyTree([(0, "Go")])])), np.array([True])))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=12))
def test_groups_know_their_sentences(rows: list[tuple[int, int]]) -> None:
    group, sentence = (np.array([row[place] for row in rows], np.int64) for place in (0, 1))
    expected = tuple(tuple(sorted({one + 1 for number, one in rows if number == place})) for place in range(4))
    assert sentence_numbers(group, sentence, 4) == expected
