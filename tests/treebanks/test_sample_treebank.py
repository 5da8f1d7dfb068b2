from importlib.resources import files
from typing import Literal

import pytest

from deptrees import DependencyTree, is_projective, sample_treebank, to_conllu
from tests.gold_trees import ancestors

Part = Literal["train", "dev"]
PARTS: tuple[Part, ...] = ("train", "dev")
TREES = {part: list(sample_treebank(part)) for part in PARTS}
ALL = [tree for trees in TREES.values() for tree in trees]
UPOS = {
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM"),
    *("PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
}

each_tree = pytest.mark.parametrize("tree", ALL, ids=lambda tree: tree.sent_id)


def test_there_is_enough_to_try_things_on() -> None:
    assert len(ALL) >= 60
    assert len(TREES["dev"]) >= 10
    assert sum(not is_projective(tree) for tree in TREES["train"]) >= 8
    assert any(not is_projective(tree) for tree in TREES["dev"])
    ids = [str(token.id) for tree in ALL for _, token in tree.extra_tokens]
    assert any("-" in id_ for id_ in ids)
    assert any("." in id_ for id_ in ids)


def test_train_is_the_default() -> None:
    assert sample_treebank() == sample_treebank("train") != sample_treebank("dev")


@pytest.mark.parametrize("part", PARTS)
def test_the_files_come_back_byte_by_byte(part: Part) -> None:
    original = (files("deptrees.treebanks") / "data" / f"sample-{part}.conllu").read_bytes()
    assert "".join(map(to_conllu, sample_treebank(part))).encode() == original


def test_ids_are_unique() -> None:
    ids = [tree.sent_id for tree in ALL]
    assert None not in ids
    assert len(set(ids)) == len(ids)


def test_no_sentence_is_in_both_parts_or_twice() -> None:
    sentences = [" ".join(token.form.lower() for token in tree if token.upos != "PUNCT") for tree in ALL]
    assert len(set(sentences)) == len(sentences)


@each_tree
def test_a_tree_is_annotated_in_full(tree: DependencyTree) -> None:
    assert None not in tree.heads
    assert len(tree.roots) == 1
    assert [word for word, label in enumerate(tree.labels, 1) if label == "root"] == list(tree.roots)
    for token in tree:
        assert token.upos in UPOS
        assert token.lemma
        assert token.label
        assert token.xpos


@each_tree
def test_punctuation_is_attached_projectively(tree: DependencyTree) -> None:
    # As in UD: the arc of a punctuation mark spans only descendants of its head, and no mark stands in another arc's
    # gap. (The full stop's arc may still be crossed, by an arc that is non-projective without it.)
    for head, dependent in tree.arcs:
        between = range(min(head, dependent) + 1, max(head, dependent))
        outside = [word for word in between if head not in ancestors(tree.heads, word)]
        assert not outside or tree[dependent].upos != "PUNCT"
        assert "PUNCT" not in {tree[word].upos for word in outside}


@each_tree
def test_punctuation_is_labeled_so_and_has_no_dependents(tree: DependencyTree) -> None:
    assert [token.form for token in tree if (token.upos == "PUNCT") != (token.label == "punct")] == []
    assert [arc for arc in tree.arcs if tree[arc[0]].upos == "PUNCT"] == []


def surface(tree: DependencyTree) -> str:
    """The text that the forms make, a multiword token standing for the words it covers."""
    ranges = {before + 1: token for before, token in tree.extra_tokens if "-" in str(token.id)}
    pieces: list[str] = []
    covered = 0
    for position, word in enumerate(tree, 1):
        if position <= covered:
            continue
        token = ranges.get(position, word)
        if token is not word:
            first, covered = map(int, str(token.id).split("-"))
            assert position == first < covered <= len(tree)
        pieces += [token.form, "" if "SpaceAfter=No" in (token.misc or "").split("|") else " "]
    return "".join(pieces).rstrip()


@each_tree
def test_the_text_is_what_the_forms_make(tree: DependencyTree) -> None:
    assert tree.text == surface(tree)


@each_tree
def test_features_are_sorted_pairs(tree: DependencyTree) -> None:
    for token in tree:
        pairs = token.feats.split("|") if token.feats else []
        assert pairs == sorted(pairs, key=str.lower)
        assert all(len(pair.split("=")) == 2 for pair in pairs)
