"""Tagging with a tagger that is trained, and its files."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
import numpy as np
import pytest

from deptrees import Columns, DependencyTree, sample_treebank
from deptrees.files.sparse import SparseArray
from deptrees.tagger import Tagger
from deptrees.tagger.column_model import ColumnModel, perceptrons
from deptrees.tagger.lexicon import words_to_tag
from tests.engine.rounding import rounded

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


SMALL = TRAIN[:8]


def test_only_tags_are_changed_and_gold_tags_do_not_leak(tagger: Tagger) -> None:
    tree = next(tree for tree in DEV if tree.extra_tokens)
    tagged = tagger.tag(tree)
    assert (tagged.heads, tagged.labels, tagged.comments) == (tree.heads, tree.labels, tree.comments)
    assert tagged.extra_tokens == tree.extra_tokens
    assert [token.misc for token in tagged] == [token.misc for token in tree]
    forms = [[token.form for token in tree] for tree in DEV]

    def tags(tree: DependencyTree) -> list[tuple[str | None, ...]]:
        return [(token.upos, token.xpos, token.feats, token.lemma) for token in tree]

    assert [*map(tags, tagger.tag(forms))] == [*map(tags, tagger.tag(DEV))]


def test_tagging_is_lazy_and_in_order(tagger: Tagger) -> None:
    def sentences() -> Iterator[list[str]]:
        yield ["Birds", "sing"]
        yield []
        raise AssertionError("asked for a sentence too many")

    tagged = tagger.tag(sentences())
    assert [token.form for token in next(tagged)] == ["Birds", "sing"]
    assert next(tagged) == DependencyTree([])


def test_the_result_does_not_depend_on_the_number_of_threads(tagger: Tagger) -> None:
    many = TRAIN * 20
    assert list(tagger.tag(many, threads=3)) == list(tagger.tag(many))
    with pytest.raises(ValueError, match="threads is a whole number, 1 or more"):
        tagger.tag(many, threads=0)


def test_a_string_is_not_a_sentence(tagger: Tagger) -> None:
    with pytest.raises(TypeError, match="'Birds' is not a sentence"):
        list(tagger.tag(["Birds", "sing"]))


def test_words_of_any_alphabet_are_tagged(tagger: Tagger) -> None:
    (tree,) = tagger.tag([["ὁ", "犬", "שלום", "😀", "İ", "", "x" * 10_000, "\ud800"]])
    assert {token.upos for token in tree} <= {*tagger.models[0].tag_set.tags}


def test_saved_taggers_tag_alike(tagger: Tagger, tmp_path: Path) -> None:
    tagger.save(tmp_path / "tagger")
    loaded = Tagger.load(tmp_path / "tagger")
    assert loaded.hyperparameters == tagger.hyperparameters
    for found, model in zip(loaded.models, tagger.models, strict=True):
        assert (found.tag_set, found.lexicon) == (model.tag_set, model.lexicon)
        assert found.weights == model.weights
    assert list(loaded.tag(DEV)) == list(tagger.tag(DEV))


def test_tags_are_those_of_rounded_weights(tagger: Tagger) -> None:
    columns, models = Columns.encode(DEV), []
    for model in tagger.models:
        weights = rounded(model.weights.dense(), bits=16, outliers=0).astype(np.float32)
        assert (weights != model.weights.dense()).any()
        models.append(attrs.evolve(model, weights=SparseArray.of(weights)))

    def tags(models: Sequence[ColumnModel], learning: bool) -> list[list[int]]:
        lexicons, forms = [model.lexicon for model in models], columns.words["form"]
        words = words_to_tag(lexicons, columns.offsets, forms, columns.vocabularies["form"])
        found = np.empty((len(models), len(forms)), np.int32)
        for perceptron, numbers in zip(
            perceptrons(tagger.hyperparameters, models, learning=learning), found, strict=True
        ):
            perceptron.tag(words, 0, len(DEV), numbers)
        return found.tolist()

    assert tags(tagger.models, learning=False) == tags(models, learning=True)
