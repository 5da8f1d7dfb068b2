"""Sentences as text, as columns and as trees, and what taggers and parsers find for them."""

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, Token, TreeError, sample_treebank, to_conllu
from deptrees.treebanks.batch import Batch, batches, in_order
from deptrees.treebanks.columns import Columns

NAMES = ("nsubj", "obj")
SENTENCES = [DependencyTree([(None, form) for form in "abc"[:n]]) for n in (1, 3, 2)]
OFFSETS = Columns.encode(SENTENCES).offsets
TEXT = "".join(map(to_conllu, SENTENCES)).encode()
FORMS = pytest.mark.parametrize("batch", [Batch.read(TEXT), Batch.of(SENTENCES)], ids=["text", "trees"])


@FORMS
@pytest.mark.parametrize("number", range(len(SENTENCES)))
def test_sentences_together_are_given_what_each_would_be(number: int, batch: Batch) -> None:
    """All heads of one sentence, cycles and words that are not there among them, beside two that are trees."""
    n, start = len(SENTENCES[number]), int(OFFSETS[number])
    labels = np.array([0, 1, -1, 0, -1, 1], np.int32)
    expected_labels = [None if label < 0 else NAMES[label] for label in labels[start : start + n]]
    seen = set()
    for chosen in product(range(-1, n + 2), repeat=n):
        heads = np.array([0, 2, 0, -1, 0, 1], np.int32)
        heads[start : start + n] = chosen
        expected_heads = [None if head < 0 else head for head in chosen]
        try:
            expected = SENTENCES[number].attached(expected_heads, expected_labels)
        except TreeError as error:
            seen.add("refused")
            with pytest.raises(TreeError, match=re.escape(str(error))):
                batch.with_arcs(heads, labels, NAMES)
        else:
            seen.add("accepted")
            found = batch.with_arcs(heads, labels, NAMES)
            assert found.trees[number] == expected
            assert found.conllu() == "".join(map(to_conllu, found.trees)).encode()
    assert seen == {"accepted", "refused"}


@FORMS
def test_replaced_columns_are_those_of_all_forms(batch: Batch) -> None:
    upos = np.array([0, 1, 1, 2, 0, 1], np.int32)
    heads, labels = np.array([0, 2, 0, -1, 0, 1]), np.array([0, 1, -1, 0, -1, 1])
    found = batch.with_columns(upos=(upos, ["NOUN", "_", "VERB"])).with_arcs(heads, labels, NAMES)
    found = found.with_columns(misc=(upos, "xyz"))
    again = Batch.read(found.conllu())
    for one in (found, again):
        tokens = [token for tree in one.trees for token in tree]
        assert [token.upos for token in tokens] == ["NOUN", None, None, "VERB", "NOUN", None]
        assert [token.misc for token in tokens] == [*"xyyzxy"]
        assert [token.head for token in tokens] == [0, 2, 0, None, 0, 1]
        columns = one.columns
        assert [columns.vocabularies["upos"][tag] for tag in columns.words["upos"]] == [
            "NOUN",
            "_",
            "_",
            *["VERB", "NOUN", "_"],
        ]
        assert columns.heads.tolist() == heads.tolist()
        assert [tree.labels for tree in map(columns.tree, range(3))] == [tree.labels for tree in one.trees]
        assert columns.projective.tolist() == [True, True, True]
    assert found.trees == again.trees
    assert [tree.heads for tree in batch.trees] == [tree.heads for tree in SENTENCES]


@pytest.mark.parametrize("make", [lambda tree: Batch.of([tree]), lambda tree: Batch.read(to_conllu(tree).encode())])
def test_parsed_words_have_no_deps(make: Any) -> None:
    tree = DependencyTree([Token("Sing", deps="0:root", misc="x")], ["# a = b"])
    [parsed] = make(tree).with_arcs(np.array([0]), np.array([-1]), ()).trees
    assert parsed == DependencyTree([Token("Sing", 0, misc="x")], ["# a = b"])


WITH_EMPTY_NODES = [
    DependencyTree(
        [Token(form, 0, "root", deps=f"{max(word - 1, 0)}:root", misc="x") for word, form in enumerate("abc", 1)],
        ["# a = b"],
        [(0, Token("ab", id="1-2")), *[(int(place), Token("_", id=f"{place}.1", deps="0:root")) for place in places]],
    )
    for places in ("", "0", "3", "0123", "12")
]


@pytest.mark.parametrize("make", [Batch.of, lambda trees: Batch.read("".join(map(to_conllu, trees)).encode())])
@pytest.mark.parametrize("same", [*product([True, False], repeat=len(WITH_EMPTY_NODES))])
def test_deps_and_empty_nodes_are_those_of_the_same_trees(make: Any, same: tuple[bool, ...]) -> None:
    batch = make(WITH_EMPTY_NODES)
    assert batch.has_deps
    heads = np.array([[0, 0, 0] if each else [0, 0, 1] for each in same]).reshape(-1)
    labels = np.zeros(len(heads), np.int32)
    parsed = batch.with_arcs(heads, labels, ["root", "dep"])
    dropped = [
        tree.attached(found, tree.labels) for tree, found in zip(WITH_EMPTY_NODES, heads.reshape(-1, 3), strict=True)
    ]
    assert [len(tree.extra_tokens) for tree in dropped] == [1] * len(dropped)
    kept = [tree if each else other for tree, other, each in zip(WITH_EMPTY_NODES, dropped, same, strict=True)]
    for found, expected in (parsed, dropped), (parsed.keeping_deps(batch), kept):
        assert found.conllu() == "".join(map(to_conllu, expected)).encode()
        assert list(found.trees) == expected
    assert list(parsed.keeping_deps(batch.with_arcs(heads, labels + 1, ["root", "dep"])).trees) == dropped
    assert not Batch.of(dropped).has_deps


def test_no_sentences() -> None:
    none = np.array([], np.int32)
    for batch in (Batch.of([]), Batch.read(b"")):
        assert len(batch.with_arcs(none, none, NAMES)) == 0
        assert (batch.n_words, batch.trees, batch.conllu()) == (0, (), b"")


def test_trees_of_which_nothing_is_used_are_not_made_again() -> None:
    """A batch of trees that were just read takes their lines, and writing them makes no tokens."""
    trees = [*sample_treebank("dev")]
    batch = Batch.of(trees)
    assert batch.conllu() == "".join(map(to_conllu, trees)).encode()
    assert all(tree._source is not None for tree in (*trees, *batch.trees))
    assert trees[3][1].form == batch.trees[3][1].form


@pytest.mark.parametrize("threads", [1, 2])
def test_results_come_before_what_has_not_arrived_and_before_errors(threads: int) -> None:
    asked = []

    def arriving() -> Any:
        for number in range(9):
            asked.append(number)
            yield Batch.of([]) if number % 3 == 2 else Batch.of([["Go"]] * (number + 1))
        raise RuntimeError("broken")

    found: list[tuple[int, int]] = []
    with pytest.raises(RuntimeError, match="broken"):
        found.extend((size, len(asked)) for size in in_order(len, arriving(), threads))
    assert [size for size, _ in found] == [1, 2, 4, 5, 7, 8]
    assert all(count <= 3 * (place // 2 + 1) for place, (_, count) in enumerate(found))


def test_the_first_sentences_come_one_by_one() -> None:
    def sentences() -> Any:
        for number in range(2000):
            taken.append(number)
            yield ["Go"]

    taken: list[int] = []
    sizes = [(len(batch), len(taken)) for batch in batches(sentences())]
    assert sizes == [(1, 1), (1, 2), (4, 6), (64, 70), (1024, 1094), (906, 2000)]
