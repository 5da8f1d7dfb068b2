"""The tagger, held against a plain one that keeps a weight for each feature, as text, and sums all averages up."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyTree, EvaluationError, Token, Treebank, sample_treebank, tag_accuracy
from deptrees.engine.core import ATTRIBUTES, look_at
from deptrees.files.models import ModelError
from deptrees.parser import Parser
from deptrees.tagger import FEATURES, Hyperparameters, Tagger, jackknifed
from deptrees.training import Epoch, TrainingError
from tests.gold_trees import TREEBANKS, needs_treebanks
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
SMALL = TRAIN[:8]


def shape(form: str) -> str:
    def kind(c: str) -> str:
        return "X" if c.isupper() else "x" if c.islower() else "0" if c.isdigit() else "a" if c.isalpha() else c

    return re.sub(r"(.)\1+", r"\1\1", "".join(map(kind, form)), flags=re.DOTALL)


ATTRIBUTE: dict[str, Callable[[str], str]] = {
    "form": str,
    "lower": str.lower,
    **{f"suffix{n}": lambda form, n=n: form.lower()[-n:] for n in range(1, 5)},  # type: ignore[misc]
    **{f"prefix{n}": lambda form, n=n: form.lower()[:n] for n in range(1, 5)},  # type: ignore[misc]
    "shape": shape,
}


Weights = defaultdict[str, dict[str, Any]]
"""For each feature and value, and each tag, a number."""


class PlainTagger:
    """An averaged perceptron that says what it does."""

    def __init__(self, settings: Hyperparameters, trees: list[DependencyTree]) -> None:
        self.features = settings.features
        self.tags = sorted({token.upos or "" for tree in trees for token in tree})
        self.weights: Weights = defaultdict(Counter)
        self.totals: Weights = defaultdict(Counter)
        self.time = 1
        words = [(token.form, token.upos or "") for tree in trees for token in tree]
        self.dictionary, self.known = {}, {}
        for form in {form for form, _ in words}:
            (best, count), total = self.tags_of(form, words).most_common(1)[0], self.tags_of(form, words).total()
            if total >= settings.dictionary_count and count >= settings.dictionary_share * total:
                self.dictionary[form] = best
        words = [(form.lower(), tag) for form, tag in words]
        for form in {form for form, _ in words}:
            counts = self.tags_of(form, words)
            if counts.total() >= settings.known_count:
                least = settings.known_share * counts.total()
                self.known[form] = str([tag for tag, count in counts.most_common() if count >= least])

    @staticmethod
    def tags_of(form: str, words: list[tuple[str, str]]) -> Counter[str]:
        return Counter(tag for other, tag in words if other == form)

    def part(self, text: str, tree: DependencyTree, position: int, tags: list[str]) -> str | None:
        name, _, offset = text.rstrip("]").partition("[")
        at = position + int(offset or 0)
        if not 1 <= at <= len(tree):
            return None
        if name == "tag":
            return tags[at - 1]
        form = tree[at].form
        return self.known.get(form.lower(), "[]") if name == "known" else ATTRIBUTE[name](form)

    def values(self, tree: DependencyTree, position: int, tags: list[str]) -> list[str]:
        parts = [re.findall(r"\w+(?:\[.\d\])?", feature) for feature in self.features]
        found = [[self.part(part, tree, position, tags) for part in several] for several in parts]
        return [f"{feature}: {values}" for feature, values in zip(self.features, found, strict=True)]

    def best(self, values: list[str], weights: Weights) -> str:
        scores = {
            tag: sum((np.float32(weights[value].get(tag, 0)) for value in values), np.float32(0)) for tag in self.tags
        }
        return max(self.tags, key=scores.__getitem__)

    def epoch(self, trees: list[DependencyTree]) -> tuple[int, int]:
        asked = wrong = 0
        for tree in trees:
            tags: list[str] = []
            for position, token in enumerate(tree, 1):
                if token.form in self.dictionary:
                    tags.append(self.dictionary[token.form])
                    continue
                values = self.values(tree, position, tags)
                tags.append(self.best(values, self.weights))
                asked += 1
                if tags[-1] != token.upos:
                    wrong += 1
                    for value in values:
                        self.weights[value][token.upos or ""] += 1
                        self.weights[value][tags[-1]] -= 1
                self.time += 1
                for value, weights in self.weights.items():
                    for tag, weight in weights.items():
                        self.totals[value][tag] += weight
        return asked, wrong

    def averages(self) -> Weights:
        """The mean of the weights at all times; rounded as where the changes are summed up instead."""
        found: Weights = defaultdict(dict)
        for value, weights in self.weights.items():
            for tag, weight in weights.items():
                change = weight * self.time - self.totals[value][tag]
                found[value][tag] = np.float32(weight) - np.float32(change) / np.float32(self.time)
        return found

    def tag(self, tree: DependencyTree) -> list[str]:
        averages = self.averages()
        tags: list[str] = []
        for position, token in enumerate(tree, 1):
            known = self.dictionary.get(token.form)
            tags.append(known or self.best(self.values(tree, position, tags), averages))
        return tags


def rows(table: np.ndarray) -> list[list[float]]:
    return sorted(table[table.any(axis=1)].tolist())


FEW = 5
"""How many features are looked at at a time: few enough for none to share a row of weights with another by chance."""


@pytest.mark.parametrize("first", range(0, len(FEATURES), FEW))
def test_weights_and_tags_are_those_of_a_plain_perceptron(first: int) -> None:
    settings = Hyperparameters(features=FEATURES[first : first + FEW], dictionary_count=4, known_count=2)
    epochs: list[Epoch] = []
    tagger = Tagger.train(SMALL, epochs=3, seed=5, hyperparameters=settings, on_epoch=epochs.append)
    plain, random = PlainTagger(settings, SMALL), np.random.default_rng(5)
    counts = [plain.epoch([SMALL[i] for i in random.permutation(len(SMALL))]) for _ in range(3)]
    assert [(epoch.steps, epoch.errors) for epoch in epochs] == counts
    assert tagger.lexicon.dictionary == {form: tagger.tags.index(tag) for form, tag in plain.dictionary.items()}
    assert 0 < len(plain.dictionary) < len(plain.known)
    fill = [0.0] * (tagger.weights.shape[1] - len(plain.tags))
    expected = [[float(row.get(tag, 0)) for tag in plain.tags] + fill for row in plain.averages().values()]
    assert rows(tagger.weights) == sorted(row for row in expected if any(row))
    for tree in DEV:
        assert [token.upos for token in tagger.tag(tree)] == plain.tag(tree)


WORDS = st.text(st.sampled_from("aAbB1٢-.ßİǅκΚ犬😀 \ud800"), max_size=6)


@given(st.lists(WORDS, max_size=8))
def test_words_look_alike_where_they_are_alike(forms: list[str]) -> None:
    hashes = look_at(forms, np.zeros(len(forms), np.uint64))
    for name, value in ATTRIBUTE.items():
        column = hashes[:, ATTRIBUTES.index(name)].tolist()
        for form, hashed in zip(forms, column, strict=True):
            for other, other_hashed in zip(forms, column, strict=True):
                if "ǅ" not in form + other:  # whose small letter is none of its own
                    assert (value(form) == value(other)) == (hashed == other_hashed), (name, form, other)


def test_it_learns_its_training_data_and_more(tagger: Tagger) -> None:
    assert tag_accuracy(TRAIN, tagger.tag(TRAIN)) > 0.98
    assert tag_accuracy(DEV, tagger.tag(DEV)) > 0.8


def test_only_upos_is_changed_and_gold_tags_do_not_leak(tagger: Tagger) -> None:
    tree = next(tree for tree in DEV if tree.extra_tokens)
    tagged = tagger.tag(tree)
    assert (tagged.heads, tagged.labels, tagged.comments) == (tree.heads, tree.labels, tree.comments)
    assert tagged.extra_tokens == tree.extra_tokens
    assert [(token.lemma, token.feats, token.misc) for token in tagged] == [
        (token.lemma, token.feats, token.misc) for token in tree
    ]
    forms = [[token.form for token in tree] for tree in DEV]
    assert [[token.upos for token in tree] for tree in tagger.tag(forms)] == [
        [token.upos for token in tree] for tree in tagger.tag(DEV)
    ]


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
    assert {token.upos for token in tree} <= set(tagger.tags)


def test_unknown_words_are_known_by_their_endings() -> None:
    endings = [("walked", "VERB"), ("talked", "VERB"), ("jumped", "VERB"), ("nation", "NOUN"), ("station", "NOUN")]
    tagger = Tagger.train([DependencyTree([Token(form, upos=tag)]) for form, tag in endings])
    assert [[token.upos for token in tree] for tree in tagger.tag([["barked"], ["motion"]])] == [["VERB"], ["NOUN"]]


def test_the_same_seed_gives_the_same_tagger() -> None:
    first, second, third = (Tagger.train(SMALL, epochs=2, seed=seed).weights for seed in (4, 4, 5))
    assert (first == second).all()
    assert (first != third).any()


def test_the_best_epoch_on_the_development_data_is_kept() -> None:
    epochs: list[Epoch] = []
    tagger = Tagger.train(SMALL, DEV, epochs=4, on_epoch=epochs.append)
    accuracies = [epoch.accuracy for epoch in epochs if epoch.accuracy is not None]
    assert len(accuracies) == 4
    assert tag_accuracy(DEV, tagger.tag(DEV)) == max(accuracies)


def test_saved_taggers_tag_alike(tagger: Tagger, tmp_path: Path) -> None:
    tagger.save(tmp_path / "tagger")
    loaded = Tagger.load(tmp_path / "tagger")
    assert (loaded.hyperparameters, loaded.tags) == (tagger.hyperparameters, tagger.tags)
    assert loaded.lexicon == tagger.lexicon
    assert (loaded.weights == tagger.weights).all()
    assert list(loaded.tag(DEV)) == list(tagger.tag(DEV))


def test_files_without_a_tagger_are_refused(tmp_path: Path) -> None:
    text, parser = tmp_path / "text", tmp_path / "parser"
    text.write_text("not a model")
    Parser.train(SMALL, epochs=1).save(parser)
    with pytest.raises(ModelError, match="not a model file"):
        Tagger.load(text)
    with pytest.raises(ModelError, match="not a model of this version"):
        Tagger.load(parser)
    with pytest.raises(FileNotFoundError):
        Tagger.load(tmp_path / "nothing")


@pytest.mark.parametrize("column", ["upos", "xpos", "feats"])
def test_any_column_is_learnt(column: str, tmp_path: Path) -> None:
    trees = [
        DependencyTree([Token("a", upos="X", xpos="x", feats="A=1"), Token("b", upos="Y", xpos="y")]),
        DependencyTree([Token("b", upos="Y", xpos="y")]),
    ]
    settings = Hyperparameters(column=column)  # type: ignore[arg-type]
    Tagger.train(trees, hyperparameters=settings).save(tmp_path / "tagger")
    for tagged, tree in zip(Tagger.load(tmp_path / "tagger").tag([["a", "b"], ["b"]]), trees, strict=True):
        assert [getattr(token, column) for token in tagged] == [getattr(token, column) for token in tree]


def test_words_without_a_tag_are_not_learnt_from() -> None:
    partial = DependencyTree([Token("a", upos="X"), Token("b"), Token("c", upos="Y")])
    epochs: list[Epoch] = []
    tagger = Tagger.train([partial], on_epoch=epochs.append)
    assert tagger.tags == ("X", "Y")
    assert {epoch.steps for epoch in epochs} == {2}
    assert tag_accuracy([partial], tagger.tag([partial])) == 1


def test_nothing_to_learn_from_is_an_error() -> None:
    untagged = [DependencyTree([(0, "Go")])]
    for treebank in ([], untagged):
        with pytest.raises(TrainingError, match="nothing to learn"):
            Tagger.train(treebank)
    for dev in ([], untagged):
        with pytest.raises(EvaluationError, match="no word of the development data has a tag in the column upos"):
            Tagger.train(TRAIN, dev)
    with pytest.raises(ValueError, match="epochs is a whole number"):
        Tagger.train(TRAIN, epochs=0)
    with pytest.raises(ValueError, match="seed is a whole number"):
        Tagger.train(TRAIN, seed=-1)


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        ("lemma", "expected one of form, lower"),
        ("tag", "only words on the left"),
        ("tag[+1]", "only words on the left"),
        ("form+form[-1]+form[-2]+form[+1]", "4 parts: 3 are the most"),
        ("form[12]", "expected one of"),
        ("", "expected one of"),
    ],
)
def test_features_that_are_none_are_refused(feature: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Hyperparameters(features=(feature,))


def test_tables_of_many_tags_have_fewer_rows() -> None:
    assert Hyperparameters().table_shape(17) == (1 << 20, 20)
    assert Hyperparameters().table_shape(1000) == (1 << 16, 1000)
    assert Hyperparameters(bits=10).table_shape(3) == (1 << 10, 4)


@pytest.mark.parametrize("folds", [2, slow(7), slow(200)])
def test_jackknifing_tags_every_tree_by_what_is_learnt_from_others(folds: int) -> None:
    trees = [DependencyTree([Token(f"w{number}", upos=f"T{number}"), Token("x", upos="X")]) for number in range(12)]
    tagged = list(jackknifed(trees, folds, epochs=1))
    assert [[token.form for token in tree] for tree in tagged] == [[token.form for token in tree] for tree in trees]
    assert not any(ours[1].upos == gold[1].upos for ours, gold in zip(tagged, trees, strict=True))


def test_jackknifing_needs_two_folds() -> None:
    with pytest.raises(ValueError, match="two are the least"):
        jackknifed(TRAIN, folds=1)


@needs_treebanks
def test_accuracy_on_a_real_treebank() -> None:
    assert TREEBANKS is not None
    tagger = Tagger.train(Treebank(TREEBANKS / "en_ewt-train.conllu"))
    test = list(Treebank(TREEBANKS / "en_ewt-test.conllu"))
    assert tag_accuracy(test, tagger.tag(test)) > 0.945
