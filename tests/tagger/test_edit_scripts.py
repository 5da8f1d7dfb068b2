"""Edit scripts: every lemma is made of its form again, whatever characters there are."""

from __future__ import annotations

from random import Random

import pytest

from deptrees import sample_treebank
from deptrees.tagger import EditScript, edit_script
from tests.tiers import slow

ALPHABETS = ["ab", "abAB", "éÉaàÀ", "ıİiI", "ßſẞsS", "ﬁfi", "Ωως", "語言語", "\U0001f600a", "Ǆǅǆ", "a̧Ą"]


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("count", [100, slow(5000)])
def test_scripts_make_the_lemma_of_any_form(alphabet: str, count: int) -> None:
    random = Random(1)
    for _ in range(count):
        form, lemma = ("".join(random.choices(alphabet, k=random.randint(1, 7))) for _ in range(2))
        assert edit_script(form, lemma).apply(form) == lemma


def test_scripts_make_the_lemmas_of_the_sample() -> None:
    for tree in sample_treebank("train"):
        for token in tree.tokens:
            if token.lemma is not None:
                assert edit_script(token.form, token.lemma).apply(token.form) == token.lemma


@pytest.mark.parametrize(
    ("form", "lemma", "script"),
    [
        ("Dogs", "dog", EditScript("lower", (0, 1), ("", ""))),
        ("dogs", "dog", EditScript("lower", (0, 1), ("", ""))),
        ("LONDON", "London", EditScript("capitalized", (0, 0), ("", ""))),
        ("NATO", "NATO", EditScript("as written", (0, 0), ("", ""))),
        ("gegangen", "gehen", EditScript("lower", (0, 6), ("", "hen"))),
        ("legnagyobb", "nagy", EditScript("lower", (3, 3), ("", ""))),
        ("went", "go", EditScript("", (0, 0), ("go", ""))),
    ],
)
def test_as_much_as_possible_is_kept(form: str, lemma: str, script: EditScript) -> None:
    assert edit_script(form, lemma) == script


def test_scripts_do_not_apply_to_words_that_are_too_short() -> None:
    assert EditScript("lower", (1, 2), ("", "")).apply("abc") is None
    assert EditScript("lower", (1, 2), ("", "")).apply("ab") is None
    assert EditScript("lower", (1, 2), ("x", "")).apply("abc") == "x"


def test_there_is_no_empty_lemma() -> None:
    with pytest.raises(ValueError, match="at least one character"):
        edit_script("word", "")
