"""The decision list for lemmas, beside one that is written down in full and searched from the start each time."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

import pytest

from deptrees import DependencyTree, Token, sample_treebank
from deptrees.tagger import Tagger, edit_script
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.tagger.lemmatizer import Lemmatizer
from tests.tiers import slow

Word = tuple[str, str | None, str | None, str]

WORDS: list[Word] = [
    (token.form, token.upos, token.feats, token.lemma)
    for tree in sample_treebank("train")
    for token in tree.tokens
    if token.lemma is not None
]


def plain_lemma(words: Iterable[Word], form: str, upos: str | None, feats: str | None) -> str:
    """The lemma that the most frequent applicable script makes, of the words that have the first clue in common."""
    words, lower = list(words), form.lower()
    conditions: list[tuple[Callable[[Word], bool], bool]] = [
        (lambda word: form != lower and word[:3] == (form, upos, feats), False),
        (lambda word: (word[0].lower(), *word[1:3]) == (lower, upos, feats), False),
        (lambda word: (word[0].lower(), word[1]) == (lower, upos), False),
    ]
    for tags, shortest in (((upos, feats), 2), ((upos,), 0), ((), 0)):
        for length in range(min(6, len(lower)), shortest - 1, -1):
            ending = lower[len(lower) - length :]
            conditions.append(
                (
                    lambda word, tags=tags, ending=ending: (  # type: ignore[misc]
                        word[0].lower().endswith(ending) and word[1 : 1 + len(tags)] == tags
                    ),
                    True,
                )
            )
    for condition, is_once in conditions:
        found = [word for word in (dict.fromkeys(words) if is_once else words) if condition(word)]
        for script, _ in Counter(edit_script(word[0], word[3]) for word in found).most_common(1):
            lemma = script.apply(form)
            if lemma:
                return lemma
    return form


def asked(random: Random, count: int) -> list[tuple[str, str | None, str | None]]:
    """Words with tags: known ones, known ones with other tags, and unknown ones."""
    found = []
    for _ in range(count):
        form, other = random.choice(WORDS)[0], random.choice(WORDS)
        form = random.choice([form, form.upper(), form.capitalize(), form + "s", "x" + form, form[1:] or form])
        found.append((form, other[1], random.choice([other[2], None, "Case=Nom"])))
    return found


@pytest.mark.parametrize("count", [30, slow(1000)])
def test_lemmas_are_those_of_a_plain_decision_list(count: int) -> None:
    words = WORDS[:300]
    lemmatizer = Lemmatizer.count(words)
    for form, upos, feats in asked(Random(1), count):
        assert lemmatizer.lemma(form, upos, feats) == plain_lemma(words, form, upos, feats)


def test_the_words_it_was_made_of_have_their_most_frequent_lemmas() -> None:
    lemmatizer = Lemmatizer.count(WORDS)
    right = sum(lemmatizer.lemma(*word[:3]) == word[3] for word in WORDS)
    assert right > 0.99 * len(WORDS)


def test_a_word_of_which_nothing_is_known_is_its_own_lemma() -> None:
    assert Lemmatizer.count([]).lemma("Word", "NOUN", None) == "Word"
    assert Lemmatizer.count([("xyz", "X", None, "a")]).lemma("", "NOUN", None) == "a"


def test_a_tagger_makes_lemmas_by_the_tags_that_it_gives() -> None:
    endings = [("saws", "NOUN", "saw"), ("saw", "NOUN", "saw"), ("went", "VERB", "go"), ("rent", "VERB", "rend")]
    trees = [DependencyTree([Token(form, upos=upos, lemma=lemma)]) for form, upos, lemma in endings]
    tagger = Tagger.train(trees)
    assert tagger.columns == ("upos", "lemma")
    assert [tree[1].lemma for tree in tagger.tag([["saws"], ["went"]])] == ["saw", "go"]


def test_lemmas_are_left_as_they_are_where_none_are_learned() -> None:
    tree = DependencyTree([Token("dogs", upos="NOUN", lemma="hound")])
    without = DependencyTree([Token("dogs", upos="NOUN")])
    for trees, chosen in (([tree], Hyperparameters(lemmas=False)), ([without], Hyperparameters())):
        tagger = Tagger.train(trees, hyperparameters=chosen)
        assert "lemma" not in tagger.columns
        assert tagger.lemmatizer is None
        assert tagger.tag(tree)[1].lemma == "hound"


def test_tags_that_a_tagger_does_not_give_are_no_clues() -> None:
    trees = [DependencyTree([Token("dogs", upos="NOUN", feats="Number=Plur", lemma="dog")])]
    tagger = Tagger.train(trees, hyperparameters=Hyperparameters().only(["upos", "lemma"]))
    assert tagger.lemmatizer == Lemmatizer.count([("dogs", "NOUN", None, "dog")])
    assert tagger.columns == ("upos", "lemma")


@pytest.mark.parametrize("number", [-1, 2])
def test_rules_have_scripts(number: int) -> None:
    scripts = (edit_script("a", "a"), edit_script("b", "c"))
    with pytest.raises(ValueError, match="not numbers from 0 to 1"):
        Lemmatizer(scripts, {"\t\t-a": number})


def test_a_lemmatizer_is_freed_at_once() -> None:
    lemmatizer = Lemmatizer.count([("dogs", "NOUN", None, "dog")])
    assert lemmatizer.lemma("dogs", "NOUN", None) == "dog"
    freed = weakref.ref(lemmatizer)
    del lemmatizer
    assert freed() is None
