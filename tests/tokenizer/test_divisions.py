"""How tokens are divided into words."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees.tokenizer.divider import Divider
from deptrees.tokenizer.divisions import Division, End, division, stems

FORMS = st.text("abA'", min_size=1, max_size=6)


@st.composite
def tokens(draw: st.DrawFn) -> tuple[str, tuple[str, ...]]:
    """A token that is one word, or some, which may be parts of it."""
    form = draw(FORMS)
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(form) - 1)), max_size=2)))
    if draw(st.integers(0, 5)) == 0:
        return form, tuple(draw(st.lists(st.text("abxy", min_size=1, max_size=4), min_size=2, max_size=3)))
    bounds = [0, *(cut for cut in cuts if cut < len(form)), len(form)]
    return form, tuple(form[start:stop] for start, stop in pairwise(bounds))


@given(tokens(), st.data())
def test_a_division_makes_the_words_again_whatever_is_the_stem(
    token: tuple[str, tuple[str, ...]], data: st.DataObject
) -> None:
    form, words = token
    found = division(form, words, data.draw(st.integers(0, len(words) - 1))).apply(form)
    assert found is not None
    assert found == words or [word.lower() for word in found] == [word.lower() for word in words]


@given(st.lists(tokens(), min_size=1, max_size=12))
def test_known_tokens_are_divided_as_all_their_spellings_mostly_are(counted: list[tuple[str, tuple[str, ...]]]) -> None:
    divider = Divider.train(counted)
    at = dict(zip(counted, stems([words for _, words in counted]), strict=True))
    for form, found in zip([form for form, _ in counted], divider.words([form for form, _ in counted]), strict=True):
        votes = [division(one, words, at[one, words]) for one, words in counted if form in (one, one.lower())]
        most = [one for one in votes if votes.count(one) == max(map(votes.count, votes))]
        assert found in [one.apply(form) for one in most]


def test_what_is_at_an_end_is_known_in_other_tokens() -> None:
    front, back = End(lengths=(1,)), End(text="ו", words=("_של_", "_הוא"), stem="_")
    assert division("לדברו", ["ל", "דבר_", "_של_", "_הוא"], 1) == Division(front, back)
    assert Division(front, back).apply("לביתו") == ("ל", "בית_", "_של_", "_הוא")
    assert Division(front, back).apply("לבית") is None
    assert Division(front, back).apply("לו") is None
    assert division("للكتاب", ["ل", "الكتاب"], 1).apply("للبيت") == ("ل", "البيت")


def test_unknown_tokens_are_divided_at_either_end() -> None:
    nouns = ["dom", "kot", "pies", "most", "las", "rak", "sok", "lot", "bok", "nos", "mur", "ser", "gaz", "fok", "byk"]
    known = [(form, [form]) for form in nouns] + [(f"w{form}", ["w", form]) for form in nouns[:9]]
    known += [(f"{form}-li", [form, "-li"]) for form in nouns[5:12]]
    divider = Divider.train(known)
    forms = ["wgaz", "bok", "byk-li", "wnos", "kot-li"]
    assert divider.words(forms) == [("w", "gaz"), ("bok",), ("byk", "-li"), ("w", "nos"), ("kot", "-li")]
    assert divider.words(forms) == divider.words(forms)


def test_large_letters_are_kept() -> None:
    divider = Divider.train([("du", ["de", "le"]), ("don't", ["do", "n't"]), ("dog", ["dog"]), ("xx", ["y", "y"])])
    forms = ["DU", "Du", "du", "DON'T", "Don't", "dog", "XX"]
    assert divider.words(forms) == [
        ("DE", "LE"), ("De", "le"), ("de", "le"), ("DO", "N'T"), ("Do", "n't"), ("dog",), ("Y", "Y")
    ]  # fmt: skip


def test_tokens_with_large_letters_may_be_divided_otherwise() -> None:
    divider = Divider.train([("Du", ["Du"]), ("du", ["de", "le"]), ("du", ["de", "le"])])
    assert divider.words(["Du", "du", "DU"]) == [("Du",), ("de", "le"), ("DE", "LE")]


@pytest.mark.parametrize(("words", "stem"), [((), 0), (("ca", "n't"), 2), (("ca", "n't"), -1)])
def test_a_stem_is_one_of_the_words(words: tuple[str, ...], stem: int) -> None:
    with pytest.raises(ValueError, match=f"there is no word {stem} among {len(words)} words"):
        division("can't", words, stem)
