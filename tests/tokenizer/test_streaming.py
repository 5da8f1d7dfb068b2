"""Where a text is cut into stretches."""

import re
from collections.abc import Iterable

from hypothesis import example, given
from hypothesis import strategies as st

from deptrees.tokenizer.streaming import Sentence, divided

LONGEST = 8
TEXTS = st.text("ab. \n", max_size=60)


def divide(text: str) -> list[Sentence]:
    """Sentences of a simple language: tokens are characters, and full stops end sentences as blank lines do."""
    assert not text.isspace()
    start = len(text) - len(text.lstrip())
    found = [Sentence([], [], text[:start])]
    for token in re.finditer(r"(\S)(\s*)", text[start:]):
        if found[-1].forms and (found[-1].forms[-1] == "." or found[-1].spaces[-1].count("\n") > 1):
            found.append(Sentence([], []))
        found[-1] = Sentence([*found[-1].forms, token[1]], [*found[-1].spaces, token[2]], found[-1].before)
    return found


def sentences(pieces: Iterable[str | None]) -> list[Sentence]:
    """The sentences of a text in pieces."""
    return [sentence for some in divided(pieces, divide, LONGEST) for sentence in some or ()]


@given(TEXTS)
@example("a" * 40)
@example("\n\na. b\n\n" + "ab. " * 9)
@example("a" + " " * 40 + "b")
def test_stretches_make_the_text_whatever_they_are_cut_from(text: str) -> None:
    found = sentences([text])
    assert "".join(sentence.text for sentence in found) == ("" if text.isspace() else text)
    assert found == sentences(text)
    assert found == sentences([text[:9], None, "", text[9:]])


@given(TEXTS)
def test_sentences_are_those_of_the_whole_text_unless_they_are_too_long(text: str) -> None:
    whole = [] if not text or text.isspace() else divide(text)
    if all(len(sentence.text) < LONGEST - 1 for sentence in whole):
        assert sentences([text]) == whole
