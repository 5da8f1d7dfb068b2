"""Tokenizing with a tokenizer that is trained, and its files."""

from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile
from pathlib import Path

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyTree, Token, Tokenizer, from_conllu, sample_treebank, to_conllu
from deptrees.evaluation import EvaluationError
from deptrees.files.models import ModelError, save_model
from deptrees.tokenizer import Hyperparameters
from deptrees.training.records import Epoch, TrainingError
from deptrees.treebanks.raw_text import raw_text

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
TOKENIZER = Tokenizer.train(TRAIN)

PIECES = [
    "\n\n",
    "\n",
    "  ",
    ". ",
    ".",
    "don't",
    "Dogs sing. ",
    "I",
    "\t",
    "\r\n",
    "\x0b",
    "\u2028",
    "|",
    "\\",
    "_",
    "# ",
]
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(st.characters(exclude_categories=["Cs"]))), max_size=20
).map("".join)


def forms(trees: Iterable[DependencyTree]) -> list[list[str]]:
    return [[token.form for token in tree] for tree in trees]


def with_spaces() -> Tokenizer:
    """A tokenizer of numbers with spaces in them."""
    tree = DependencyTree([(None, "It"), (None, "costs"), (None, "50 000"), (None, "or"), (None, "1 000 000")])
    return Tokenizer.train([tree] * 20)


def test_a_text_that_was_learned_is_tokenized_as_its_treebank_is() -> None:
    assert forms(TOKENIZER.tokenize(raw_text(TRAIN))) == forms(TRAIN)


@given(TEXTS)
def test_trees_make_the_text_again(text: str) -> None:
    trees = list(TOKENIZER.tokenize(text))
    assert raw_text(trees) == ("" if text.isspace() else text)
    assert [from_conllu(to_conllu(tree)) for tree in trees] == trees


@given(TEXTS, st.lists(st.integers(0, 100)))
def test_where_a_text_is_cut_into_pieces_does_not_matter(text: str, cuts: list[int]) -> None:
    bounds = sorted({0, *(cut for cut in cuts if cut < len(text)), len(text)})
    pieces = [text[start:stop] for start, stop in pairwise(bounds)]
    assert list(TOKENIZER.tokenize(pieces)) == list(TOKENIZER.tokenize(text))


def test_sentences_end_at_blank_lines_and_are_told_where_the_next_piece_has_not_arrived() -> None:
    def pieces() -> Iterator[str | None]:
        yield from ["Birds\n", None, "\n", " \nDogs", None, "\n\n"]
        yield from ["and\ncats", None]
        raise AssertionError("asked for a piece too many")

    batches = TOKENIZER.batches(pieces())
    told = [[*takewhile(len, batches)] for _ in range(3)]
    assert [[tree[1].form for batch in some for tree in batch.trees] for some in told] == [[], ["Birds"], ["Dogs"]]


def test_a_text_without_end_is_tokenized_as_it_comes() -> None:
    def pieces() -> Iterator[str]:
        while True:
            yield "The dog sleeps. "

    trees = TOKENIZER.tokenize(pieces())
    assert {next(trees).text for _ in range(5000)} == {"The dog sleeps."}


def test_white_space_is_told_as_udpipe_tells_it() -> None:
    trees = list(TOKENIZER.tokenize("\n The\tdog  sleeps.\r\nBirds|sing.\n\nDogs\xa0sleep.\n"))
    assert [tree.text for tree in trees] == ["The dog sleeps.", "Birds|sing.", "Dogs sleep."]
    assert [token.misc for tree in trees for token in tree if token.misc not in (None, "SpaceAfter=No")] == [
        r"SpacesBefore=\n\s|SpacesAfter=\t",
        r"SpacesAfter=\s\s",
        r"SpacesAfter=\r\n",
        r"SpacesAfter=\n\n",
        r"SpacesAfter=\u00A0",
        r"SpacesAfter=\n",
    ]


def test_multiword_tokens_are_divided() -> None:
    [tree] = TOKENIZER.tokenize("They don't sing.")
    assert [token.form for token in tree] == ["They", "do", "n't", "sing", "."]
    assert [(before, token.id, token.form) for before, token in tree.extra_tokens] == [(1, "2-3", "don't")]


def test_tokens_have_spaces_where_those_of_the_treebank_have() -> None:
    [tree] = with_spaces().tokenize("It costs 50 000")
    assert [token.form for token in tree] == ["It", "costs", "50 000"]
    trees = with_spaces().tokenize("It costs 50\n000 or 50  000")
    assert [token.form for tree in trees for token in tree] == ["It", "costs", "50", "000", "or", "50", "000"]


def test_any_script_is_tokenized() -> None:
    tree = DependencyTree([(None, "犬", None), (None, "が"), (None, "鳴く"), (None, "。")])
    japanese = [
        DependencyTree([Token(form, misc="SpaceAfter=No") for form in sentence])
        for sentence in (["犬", "が", "鳴く", "。"], ["鳥", "が", "歌う", "。"], ["犬", "が", "歌う", "。"])
    ]
    assert forms([tree]) == forms(Tokenizer.train(japanese).tokenize("犬が鳴く。"))


@pytest.mark.parametrize("comment", ["# newdoc", "# newpar id = 1"])
def test_sentences_end_within_a_paragraph_though_none_does_in_the_treebank(comment: str) -> None:
    apart = [attrs.evolve(tree, comments=(comment,)) for tree in TRAIN]
    dev = [attrs.evolve(tree, comments=(comment,)) for tree in DEV]
    tokenizer = Tokenizer.train(apart, dev=dev)
    assert forms(tokenizer.tokenize(raw_text(TRAIN))) == forms(TRAIN)
    assert forms(tokenizer.tokenize(raw_text(apart).replace("\n\n", "\n"))) == forms(TRAIN)


def chinese(*sentences: str, after: str) -> list[DependencyTree]:
    """Sentences of a language without spaces, with something after each."""
    return [
        DependencyTree(
            [*(Token(form, misc="SpaceAfter=No") for form in sentence.split()[:-1]), Token("。", misc=after)],
        )
        for sentence in sentences
    ]


@pytest.mark.parametrize("after", ["SpaceAfter=No", "_", r"SpacesAfter=\n", r"SpacesAfter=\n\n"])
def test_sentences_end_where_words_run_together_whatever_is_after_them(after: str) -> None:
    sentences = ["狗 在 叫 。", "鸟 在 唱歌 。", "小 狗 唱歌 。", "鸟 叫 。", "大 鸟 在 叫 。", "狗 在 唱歌 。"] * 4
    tokenizer = Tokenizer.train(chinese(*sentences, after=after))
    for between in ("", " ", "\n"):
        found = forms(tokenizer.tokenize(between.join(["小鸟在叫。", "大狗唱歌。", "狗叫。"])))
        assert found == [[*"小鸟在叫。"], ["大", "狗", "唱歌", "。"], [*"狗叫。"]]


def test_known_words_are_found_where_words_run_together() -> None:
    tokenizer = Tokenizer.train(chinese(*["狗 在 叫 。", "鸟 在 唱歌 。", "老虎 叫 。"] * 4, after="SpaceAfter=No"))
    assert tokenizer.lexicon.words["唱歌"] == 4
    assert forms(tokenizer.tokenize("老虎唱歌。")) == [["老虎", "唱歌", "。"]]
    assert not TOKENIZER.lexicon.words


def test_several_seeds_have_the_average_of_their_weights() -> None:
    mean, *alone = [
        Tokenizer.train(sample_treebank("train"), epochs=2, seed=seed, seeds=seeds).weights.dense()
        for seed, seeds in ((3, 2), (3, 1), (4, 1))
    ]
    np.testing.assert_allclose(mean, np.mean(alone, axis=0), atol=1e-5)
    assert (alone[0] != alone[1]).any()


def test_the_best_epoch_is_kept_and_of_equals_the_last() -> None:
    epochs: list[Epoch] = []
    tokenizer = Tokenizer.train(TRAIN[:30], dev=DEV, epochs=4, on_epoch=epochs.append)
    found = {epoch.accuracy or 0.0: epoch.number for epoch in epochs}
    best = Tokenizer.train(TRAIN[:30], epochs=found[max(found)])
    assert forms(tokenizer.tokenize(raw_text(DEV))) == forms(best.tokenize(raw_text(DEV)))
    assert tokenizer.weights == best.weights


def test_a_saved_tokenizer_is_the_same(tmp_path: Path) -> None:
    TOKENIZER.save(tmp_path / "tokenizer")
    loaded = Tokenizer.load(tmp_path / "tokenizer")
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "tokenizer").read_bytes()
    text = raw_text(DEV)
    assert list(loaded.tokenize(text)) == list(TOKENIZER.tokenize(text))


def test_another_model_is_no_tokenizer(tmp_path: Path) -> None:
    from deptrees.tagger import Tagger

    Tagger.train(TRAIN[:5], epochs=1).save(tmp_path / "tagger")
    with pytest.raises(ModelError, match="expected 'deptrees tokenizer 3', not 'deptrees tagger"):
        Tokenizer.load(tmp_path / "tagger")


def test_what_cannot_be_learned_from_is_refused() -> None:
    with pytest.raises(TrainingError, match="the treebank has no tokens"):
        Tokenizer.train([DependencyTree([])])
    with pytest.raises(EvaluationError, match="no token"):
        Tokenizer.train(TRAIN[:5], dev=[DependencyTree([])])
    with pytest.raises(ValueError, match="epochs is a whole number, 1 or more"):
        Tokenizer.train(TRAIN[:5], epochs=0)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (["before1"] * 97, "97 features: 96 are the most"),
        (["before1+before2+before3+before4"], r"'before1\+.*' has more than 3 parts"),
        (["before1+before9"], r"'before9' in the feature 'before1\+before9' is none of before1, .*, often_across"),
    ],
)
def test_features_that_cannot_be_are_refused(features: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Hyperparameters(features=features)


def known(**end: object) -> dict[str, object]:
    """The record of a division."""
    nothing = {"lengths": [], "text": "", "words": [], "stem": ""}
    return {"front": nothing, "back": nothing | end, "words": []}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("certain", {"divided": [["upper", "space"]], "plain": []}, "expected pairs of kinds of characters"),
        ("lexicon", {"words": {"dog": 0}}, "words are known from 0 to 0 times"),
        ("known", {"divisions": [known(lengths=[0])], "numbers": {}, "stems": {"words": {}}}, "must be > 0"),
        ("known", {"divisions": [known(words=["a\tb"])], "numbers": {}, "stems": {"words": {}}}, "must match regex"),
        ("known", {"divisions": [], "numbers": {"don't": 0}, "stems": {"words": {}}}, "known tokens have divisions"),
        ("hyperparameters", {"features": ["before1"], "bits": 31, "least": 0.1}, "bits"),
    ],
)
def test_files_that_tell_of_no_tokenizer_are_refused(name: str, value: object, message: str, tmp_path: Path) -> None:
    part = TOKENIZER.part()
    save_model(tmp_path / "tokenizer", attrs.evolve(part, record={**part.record, name: value}))
    with pytest.raises(ModelError, match=message):
        Tokenizer.load(tmp_path / "tokenizer")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="text is 5: give a text"):
        next(TOKENIZER.tokenize(5))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a piece of the text is b'Birds'"):
        next(TOKENIZER.tokenize([b"Birds"]))  # type: ignore[list-item]
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        next(TOKENIZER.tokenize("Birds \ud800"))
