"""What a tagger learns: the weights and tags of a plain perceptron, its training data, and more."""

from pathlib import Path

import numpy as np
import pytest

from deptrees import DependencyTree, EvaluationError, Token, Treebank, sample_treebank, tag_accuracy
from deptrees.tagger import FEATURES, Hyperparameters, Tagger
from deptrees.training import Epoch, TrainingError
from tests.gold_trees import TREEBANKS, needs_treebanks
from tests.tagger.plain_tagger import PlainTagger
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
SMALL = TRAIN[:8]


def rows(table: np.ndarray) -> list[list[float]]:
    return sorted(table[table.any(axis=1)].tolist())


FEW = 3
"""How many features are looked at at a time: few enough for none to share a row of weights with another by chance."""


@pytest.mark.parametrize("first", [0, *map(slow, range(FEW, max(map(len, FEATURES.values())), FEW))])
def test_weights_and_tags_are_those_of_a_plain_perceptron(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hyperparameters, "for_words", lambda self, _: self)  # else features share rows
    few = {column: found for column in FEATURES if (found := FEATURES[column][first : first + FEW])}
    whole = {column: few.get(column, ("form",)) for column in FEATURES}
    settings = Hyperparameters(whole, bits=19, dictionary_count=4)
    epochs: list[Epoch] = []
    tagger = Tagger.train(SMALL, epochs=3, seed=8, hyperparameters=settings, on_epoch=epochs.append)
    plain, random = PlainTagger(settings, SMALL), np.random.default_rng(8)
    counts = [plain.epoch([SMALL[i] for i in random.permutation(len(SMALL))]) for _ in range(3)]
    assert [(epoch.steps, epoch.errors) for epoch in epochs] == counts
    for model, column in zip(tagger.models, plain.columns, strict=True):
        tags = model.tag_set.tags
        assert model.lexicon.dictionary == {form: tags.index(tag) for form, tag in column.dictionary.items()}
        assert 0 < len(column.dictionary) < len(model.lexicon.numbers)
        fill = [0.0] * (model.weights.shape[1] - model.tag_set.n_values)
        assert rows(model.weights.dense()) == sorted(row + fill for row in column.rows() if any(row))
    for tree in DEV:
        tagged = tagger.tag(tree)
        assert {name: [getattr(token, name) for token in tagged] for name in settings.features} == plain.tag(tree)


def test_it_learns_its_training_data_and_more(tagger: Tagger) -> None:
    assert tag_accuracy(TRAIN, tagger.tag(TRAIN)) > 0.98
    assert tag_accuracy(DEV, tagger.tag(DEV)) > 0.8


def test_unknown_words_are_known_by_their_endings() -> None:
    endings = [("walked", "VERB"), ("talked", "VERB"), ("jumped", "VERB"), ("nation", "NOUN"), ("station", "NOUN")]
    tagger = Tagger.train([DependencyTree([Token(form, upos=tag)]) for form, tag in endings])
    assert [[token.upos for token in tree] for tree in tagger.tag([["barked"], ["motion"]])] == [["VERB"], ["NOUN"]]


def test_the_same_seed_gives_the_same_tagger() -> None:
    first, second, third = (Tagger.train(SMALL, epochs=2, seed=seed).models[0].weights for seed in (4, 4, 5))
    assert first == second
    assert first != third


def test_several_seeds_have_the_average_of_their_weights() -> None:
    settings = Hyperparameters(bits=10)
    mean, *alone = [
        Tagger.train(SMALL, epochs=2, seed=seed, seeds=seeds, hyperparameters=settings)
        for seed, seeds in ((3, 2), (3, 1), (4, 1))
    ]
    for found, *single in zip(mean.models, *(tagger.models for tagger in alone), strict=True):
        arrays = [one.weights.dense() for one in single]
        np.testing.assert_allclose(found.weights.dense(), np.mean(arrays, axis=0), atol=1e-5)
        assert single[0].weights != single[1].weights


def test_the_best_epoch_on_the_development_data_is_kept() -> None:
    epochs: list[Epoch] = []
    tagger = Tagger.train(SMALL, dev=DEV, epochs=4, on_epoch=epochs.append)
    accuracies = [epoch.accuracy for epoch in epochs if epoch.accuracy is not None]
    assert len(accuracies) == 4
    assert tag_accuracy(DEV, tagger.tag(DEV), tagger.columns) == max(accuracies)


@pytest.mark.parametrize("column", ["upos", "xpos", "feats"])
def test_any_column_is_learned(column: str, tmp_path: Path) -> None:
    trees = [
        DependencyTree([Token("a", upos="X", xpos="x", feats="A=1"), Token("b", upos="Y", xpos="y")]),
        DependencyTree([Token("b", upos="Y", xpos="y")]),
    ]
    settings = Hyperparameters().only([column])  # type: ignore[list-item]
    Tagger.train(trees, hyperparameters=settings).save(tmp_path / "tagger")
    for tagged, tree in zip(Tagger.load(tmp_path / "tagger").tag([["a", "b"], ["b"]]), trees, strict=True):
        assert [getattr(token, column) for token in tagged] == [getattr(token, column) for token in tree]


def test_words_without_a_tag_are_not_learned_from() -> None:
    partial = DependencyTree([Token("a", upos="X"), Token("b"), Token("c", upos="Y")])
    epochs: list[Epoch] = []
    tagger = Tagger.train([partial], on_epoch=epochs.append)
    assert tagger.columns == ("upos",)
    assert tagger.models[0].tag_set.tags == ("X", "Y")
    assert {epoch.steps for epoch in epochs} == {2}
    assert tag_accuracy([partial], tagger.tag([partial])) == 1


def test_nothing_to_learn_from_is_an_error() -> None:
    untagged = [DependencyTree([(0, "Go")])]
    for treebank in ([], untagged):
        with pytest.raises(TrainingError, match="nothing to learn"):
            Tagger.train(treebank)
    for dev in ([], untagged):
        with pytest.raises(EvaluationError, match="no word of the development data has a tag in the column upos or"):
            Tagger.train(TRAIN, dev=dev)
    with pytest.raises(ValueError, match="epochs is a whole number"):
        Tagger.train(TRAIN, epochs=0)
    with pytest.raises(ValueError, match="seed is a whole number"):
        Tagger.train(TRAIN, seed=-1)


@needs_treebanks
def test_accuracy_on_a_real_treebank() -> None:
    assert TREEBANKS is not None
    tagger = Tagger.train(Treebank(TREEBANKS / "en_ewt-train.conllu"))
    test = list(Treebank(TREEBANKS / "en_ewt-test.conllu"))
    assert tag_accuracy(test, tagger.tag(test)) > 0.945
