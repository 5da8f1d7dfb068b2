"""Grapheme clusters, and texts that look the same."""

import random
from typing import Any
from unicodedata import category, combining, normalize

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyTree, Token, Tokenizer, sample_treebank
from deptrees.tokenizer.texts import are_joined, code_points, looked_up
from deptrees.treebanks.raw_text import raw_text
from deptrees.trees.token import canonical

CLUSTERS = {
    "an accent": "e\u0301",
    "two accents": "o\u0323\u0302",
    "a variation selector": "\u2764\ufe0f",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a tone of skin": "\U0001f44d\U0001f3fd",
    "a key": "1\ufe0f\u20e3",
    "a flag": "\U0001f1eb\U0001f1f7",
    "a flag with tags": "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    "a conjunct": "\u0915\u094d\u0937",
    "a conjunct with a joiner": "\u0915\u094d\u200d\u0937",
    "a vowel sign": "\u0915\u093f",
    "a syllable": "\u1112\u1161\u11ab",
    "a prefix": "\u0600\u0661",
}
APART = ["ab", "1.", "\u2764!", "\U0001f468\U0001f469", "\uac00\uac01", "\n\u0301", "\u0915\u0937"]
CHARACTERS = st.sampled_from(sorted({*"".join(CLUSTERS.values()), *"a. \n\u2126\u0958\u0344"}))
TEXTS = st.text(st.one_of(CHARACTERS, st.characters(exclude_categories=["Cs"])), max_size=20)
TOKENIZER = Tokenizer.train(sample_treebank("train"))


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
def test_a_cluster_is_in_one_token(cluster: str) -> None:
    assert are_joined(code_points(f"{cluster}!")).tolist() == [True] * (len(cluster) - 1) + [False, False]
    for text in (cluster, f"I {cluster} dogs.", f"{cluster}{cluster}", f"dogs{cluster}."):
        trees = list(TOKENIZER.tokenize(text))
        ends, at = set(), 0
        for token in (token for tree in trees for token in tree):
            at = text.index(token.form, at) + len(token.form)
            ends.add(at)
        starts = [start for start in range(len(text)) if text.startswith(cluster, start)]
        assert not ends & {start + inside for start in starts for inside in range(1, len(cluster))}


@pytest.mark.parametrize("text", APART)
def test_what_is_in_two_clusters_is_not_joined(text: str) -> None:
    assert not are_joined(code_points(text)).any()


def test_a_joiner_does_not_join_punctuation() -> None:
    assert are_joined(code_points("a\u200d.")).tolist() == [True, False, False]


def test_flags_are_pairs() -> None:
    text = "".join(["\U0001f1eb", "\U0001f1f7"] * 2) + "\U0001f1eb"
    assert are_joined(code_points(text)).tolist() == [True, False, True, False, False]


VIRAMA = 9
"""The combining class of signs that join consonants, of any script."""


@pytest.mark.parametrize("n", [2_000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_whatever_the_standard_joins_is_joined(n: int) -> None:
    regex: Any = pytest.importorskip("regex")
    random_ = random.Random(n)
    every = [chr(code) for code in range(0x110000) if category(chr(code)) not in ("Cn", "Co", "Cs", "Zs", "Cc")]
    some = sorted({*"".join(CLUSTERS.values())})
    for _ in range(n):
        text = "".join(random_.choices(some, k=3) + random_.choices(every, k=2) + random_.choices(some, k=3))
        joined = are_joined(code_points(text))
        stops = {found.end() for found in regex.finditer(r"\X", text)}
        linker_and_marks = regex.compile(r"\u094d[\p{M}\p{GCB=Extend}]+")
        for stop in {*range(1, len(text))} - stops:
            assert joined[stop - 1] or linker_and_marks.search(text[:stop]), ascii(text)
        for stop in stops - {len(text)}:
            one, other = category(text[stop - 1]), category(text[stop])
            deviates = other in ("Mc", "Lo") or text[stop - 1] == "\u200d" or combining(text[stop - 1]) == VIRAMA
            assert not joined[stop - 1] or deviates, (ascii(text), one, other)


@given(TEXTS)
def test_a_text_is_looked_up_cluster_by_cluster(text: str) -> None:
    found, places = looked_up(text)
    assert found == canonical(text)
    assert len(places) == len(found) + 1
    for place in places.tolist():
        assert found.startswith(canonical(text[:place]))


@given(TEXTS)
def test_texts_that_look_the_same_are_divided_in_the_same_way(text: str) -> None:
    composed, decomposed = (list(TOKENIZER.tokenize(normalize(form, text))) for form in ("NFC", "NFD"))
    assert raw_text(decomposed) == ("" if text.isspace() else normalize("NFD", text))
    assert [[canonical(token.form) for token in tree] for tree in decomposed] == [
        [token.form for token in tree] for tree in composed
    ]


def test_words_of_a_token_are_decomposed_if_it_is() -> None:
    trees = [
        DependencyTree([(None, "le"), (None, end)], extra_tokens=[(0, Token(f"le{end}", id="1-2"))])
        for end in ("t\u00e9", "n\u00e9", "d\u00e9", "s\u00e9", "p\u00e9")
    ]
    tokenizer = Tokenizer.train(trees * 5)
    [tree] = tokenizer.tokenize("lete\u0301")
    assert [token.form for token in tree] == ["le", "te\u0301"]
    assert [token.form for _, token in tree.extra_tokens] == ["lete\u0301"]
    [tree] = tokenizer.tokenize("let\u00e9")
    assert [token.form for token in tree] == ["le", "t\u00e9"]


def test_a_treebank_that_is_decomposed_teaches_the_same() -> None:
    tree = DependencyTree([(None, "un"), (None, "caf\u00e9"), (None, "!")])
    decomposed = DependencyTree([(None, normalize("NFD", token.form)) for token in tree])
    one, other = (Tokenizer.train([tree] * 5) for tree in (tree, decomposed))
    assert [found.forms for found in one._sentences("un caf\u00e9!")] == [
        found.forms for found in other._sentences("un caf\u00e9!")
    ]
    assert one.certain == other.certain
    assert one.lexicon == other.lexicon


@given(TEXTS)
def test_ranges_say_where_tokens_are(text: str) -> None:
    tokenizer = attrs.evolve(TOKENIZER, ranges=True)
    for pieces in (text, [text[:5], text[5:]]):
        for tree in tokenizer.tokenize(pieces):
            for token in tree:
                start, stop = map(int, token.misc_values["TokenRange"].split(":"))
                assert text[start:stop] == token.form


@given(TEXTS)
def test_each_line_is_a_sentence_if_that_is_said(text: str) -> None:
    trees = list(attrs.evolve(TOKENIZER, lines=True).tokenize(text))
    lines = [line for line in text.split("\n") if line and not line.isspace()]
    assert ["".join("".join(token.form for token in tree).split()) for tree in trees] == [
        "".join(line.split()) for line in lines
    ]
    assert raw_text(trees) == ("" if text.isspace() else text)
