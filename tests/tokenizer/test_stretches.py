"""Where a text is cut into stretches."""

from collections.abc import Iterable

from hypothesis import example, given
from hypothesis import strategies as st

from deptrees.tokenizer.stretches import divided
from deptrees.treebanks.raw_text import SurfaceToken

LONGEST = 8
TEXTS = st.text("ab. \n", max_size=60)


def divide(text: str) -> list[list[SurfaceToken]]:
    """Sentences of a simple language: words are letters and full stops, which end sentences as blank lines do."""
    assert not text.isspace()
    sentences: list[list[SurfaceToken]] = [[]]
    start = len(text) - len(text.lstrip())
    before = text[:start]
    while start < len(text):
        stop = start + 1
        following = len(text) - len(text[stop:].lstrip())
        token = SurfaceToken(text[start], [text[start]], text[stop:following], before)
        before, start = "", following
        sentences[-1].append(token)
        if token.form == "." or token.after.count("\n") > 1:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def sentences(pieces: Iterable[str | None]) -> list[list[SurfaceToken]]:
    """The sentences of a text in pieces."""
    return [sentence for some in divided(pieces, divide, LONGEST) for sentence in some or ()]


@given(TEXTS)
@example("a" * 40)
@example("\n\na. b\n\n" + "ab. " * 9)
@example("a" + " " * 40 + "b")
def test_stretches_make_the_text_whatever_they_are_cut_from(text: str) -> None:
    found = sentences([text])
    assert "".join(token.text for sentence in found for token in sentence) == ("" if text.isspace() else text)
    assert found == sentences(text)
    assert found == sentences([text[:9], None, "", text[9:]])


@given(TEXTS)
def test_sentences_are_those_of_the_whole_text_unless_they_are_too_long(text: str) -> None:
    whole = [] if not text or text.isspace() else divide(text)
    if all(sum(len(token.text) for token in sentence) < LONGEST - 1 for sentence in whole):
        assert sentences([text]) == whole
