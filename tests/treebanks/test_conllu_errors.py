"""Errors in CoNLL-U: each says where it is and what is wrong."""

import pickle
import re
import string
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import ConlluError, Treebank, TreebankWarning, TreeError, from_conllu
from tests.treebanks.samples import conllu, read

FIRST, LAST = conllu("# sent_id = first", "1 a _ _ _ _ 0 _ _ _"), conllu("# sent_id = last", "1 z _ _ _ _ 0 _ _ _")
HUGE = "9" * 5000  # more digits than int() takes

# The rows of a broken sentence, the number of the faulty row, words of the message.
BROKEN: dict[str, tuple[str, int, list[str]]] = {
    "head out of range": (
        conllu("1 a _ _ _ _ 2 _ _ _", "2 b _ _ _ _ 3 _ _ _"),
        2,
        ["head", "word 2", "is 3", "0 to 2"],
    ),
    "negative head": (conllu("1 a _ _ _ _ -1 _ _ _"), 1, ["head", "word '1'", "-1", "is negative"]),
    "head on itself": (conllu("1 a _ _ _ _ 0 _ _ _", "2 b _ _ _ _ 2 _ _ _"), 2, ["word 2", "its own head"]),
    "cycle": (
        conllu("1 a _ _ _ _ 2 _ _ _", "2 b _ _ _ _ 3 _ _ _", "3 c _ _ _ _ 2 _ _ _"),
        2,
        ["2 ← 3 ← 2", "cycle"],
    ),
    "cycle after a multiword token": (
        conllu("1-2 ab _ _ _ _ _ _ _ _", "1 a _ _ _ _ 2 _ _ _", "2 b _ _ _ _ 1 _ _ _"),
        2,
        ["1 ← 2 ← 1", "cycle"],
    ),
    "repeated id": (conllu("1 a _ _ _ _ 0 _ _ _", "1 b _ _ _ _ 0 _ _ _"), 2, ["id", "'1'", "2 was expected"]),
    "skipped id": (conllu("1 a _ _ _ _ 0 _ _ _", "3 b _ _ _ _ 0 _ _ _"), 2, ["id", "'3'", "2 was expected"]),
    "first id is 2": (conllu("2 a _ _ _ _ 0 _ _ _"), 1, ["id", "'2'", "1 was expected"]),
    "id 0": (conllu("0 a _ _ _ _ 0 _ _ _"), 1, ["id", "'0'", "1 was expected"]),
    "no id": (conllu("_ a _ _ _ _ 0 _ _ _"), 1, ["id", "'_'", "1 was expected"]),
    "id is no number": (conllu("a b _ _ _ _ 0 _ _ _"), 1, ["id", "'a'"]),
    "range backwards": (conllu("2-1 a _ _ _ _ _ _ _ _", "1 a _ _ _ _ 0 _ _ _"), 1, ["'2-1'", "no words"]),
    "huge id": (conllu(f"{HUGE} a _ _ _ _ 0 _ _ _"), 1, ["id"]),
    "missing column": (conllu("1 a _ _ _ _ 0 _ _ _", "2 b _ _ _ _ 1 _ _"), 2, ["10 columns", "found 9"]),
    "a column too many": (conllu("1 a _ _ _ _ 0 _ _ _ _"), 1, ["10 columns", "found 11"]),
    "spaces in place of tabs": ("1 a _ _ _ _ 0 _ _ _\n\n", 1, ["10 columns", "tabs"]),
    "empty form": (conllu("1  _ _ _ _ 0 _ _ _"), 1, ["empty"]),
    "empty head": (conllu("1 a _ _ _ _  _ _ _"), 1, ["empty"]),
    "empty lemma": (conllu("1 a  _ _ _ 0 _ _ _"), 1, ["empty"]),
    "head is no number": (conllu("1 a _ _ _ _ two _ _ _"), 1, ["head", "'two'"]),
    "head is a fraction": (conllu("1 a _ _ _ _ 1.5 _ _ _"), 1, ["head", "'1.5'"]),
    "huge head": (conllu(f"1 a _ _ _ _ {HUGE} _ _ _"), 1, ["head"]),
    "head with zeros": (conllu("1 a _ _ _ _ 00 _ _ _"), 1, ["head", "word '1'", "'00'"]),
    "head with a sign": (conllu("1 a _ _ _ _ +0 _ _ _"), 1, ["head", "'+0'"]),
    "id with zeros": (conllu("01 a _ _ _ _ 0 _ _ _"), 1, ["id", "'01'", "1 was expected"]),
    "comment after a word": (conllu("1 a _ _ _ _ 0 _ _ _", "# text = a"), 2, ["comment", "before the words"]),
    "comment after an empty node": (conllu("0.1 a _ _ _ _ _ _ _ _", "#", "1 a _ _ _ _ 0 _ _ _"), 2, ["comment"]),
    "range beyond the end": (conllu("1-2 a _ _ _ _ _ _ _ _", "1 a _ _ _ _ 0 _ _ _"), 1, ["'1-2'", "1 to 1"]),
    "range after its words": (conllu("1 a _ _ _ _ 0 _ _ _", "1-1 a _ _ _ _ _ _ _ _"), 2, ["'1-1'", "after 0"]),
    "empty node too late": (conllu("1 a _ _ _ _ 0 _ _ _", "0.1 a _ _ _ _ _ _ _ _"), 2, ["'0.1'", "after 0"]),
    "empty node with a head": (conllu("1 a _ _ _ _ 0 _ _ _", "1.1 a _ _ _ _ 7 _ _ _"), 2, ["head 7", "0 to 1"]),
    "no words": ("\n", 0, ["no words"]),
    "only an empty node": (conllu("0.1 a _ _ _ _ _ _ _ _"), 0, ["no words"]),
    "not UTF-8": (conllu("1 a _ _ _ _ 2 _ _ _", "2 \udce9t\udce9 _ _ _ _ 0 _ _ _"), 2, ["0xe9", "UTF-8"]),
    "comment not UTF-8": (conllu("# text = a\udcff", "1 a _ _ _ _ 0 _ _ _"), 1, ["0xff", "UTF-8"]),
}


def write_broken(path: Path, sentence: str, line_end: str = "\n") -> None:
    text = f"{FIRST}\n# sent_id = bad\n{sentence}{LAST}"
    path.write_bytes(text.replace("\n", line_end).encode(errors="surrogateescape"))


@pytest.mark.parametrize(("sentence", "row", "words"), list(BROKEN.values()), ids=BROKEN)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_an_error_says_where_and_what(tmp_path: Path, sentence: str, row: int, words: list[str], line_end: str) -> None:
    path = tmp_path / "broken.conllu"
    write_broken(path, sentence, line_end)
    line = 5 + row  # the first sentence takes lines 1 to 3, line 4 is blank, line 5 is the comment
    reading = iter(Treebank(path))
    assert next(reading).sent_id == "first"
    with pytest.raises(ConlluError) as caught:
        next(reading)
    error = caught.value
    assert (error.file, error.line, error.sent_id) == (str(path), line, "bad")
    assert str(error) == f"{path}:{line}: sentence 'bad': {error.reason}"
    assert [word for word in words if word.lower() not in error.reason.lower()] == []
    assert isinstance(error, ValueError)


@pytest.mark.parametrize("sentence", [sentence for sentence, _, _ in BROKEN.values()], ids=BROKEN)
def test_a_broken_sentence_can_be_skipped(tmp_path: Path, sentence: str) -> None:
    path = tmp_path / "broken.conllu"
    write_broken(path, sentence)
    with pytest.warns(TreebankWarning, match=rf"skipped 1 of 3 sentences.*{re.escape(str(path))}:\d+: sentence 'bad'"):
        assert [tree.sent_id for tree in Treebank(path, strict=False)] == ["first", "last"]


def test_a_sentence_without_a_name_is_found_by_its_line() -> None:
    with pytest.raises(ConlluError, match=r"^test\.conllu:1: the head") as caught:
        read("1\ta\t_\t_\t_\t_\t7\t_\t_\t_\n")
    assert caught.value.sent_id is None


@pytest.mark.parametrize(
    "error", [ConlluError("x.conllu", 3, "s1", "no words"), TreeError(2, "word 2 is its own head")]
)
def test_errors_travel_between_processes(error: ValueError) -> None:
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)


FUZZ_COLUMN = st.sampled_from(
    [
        "_",
        "",
        "0",
        "1",
        "2",
        "3",
        "-1",
        "1-2",
        "2-1",
        "1.1",
        "0.1",
        "1-",
        "٣",
        "1e3",
        "+1",
        "01",
        "#",
        " ",
        "\ud800",
    ]
) | st.text(string.printable, max_size=3)


FUZZ_ROW = st.lists(FUZZ_COLUMN, min_size=10, max_size=10).map("\t".join) | st.lists(FUZZ_COLUMN).map("\t".join)


@given(st.lists(FUZZ_ROW, max_size=4), st.booleans())
def test_whatever_the_text_the_answer_is_a_tree_or_a_conllu_error(lines: list[str], numbered: bool) -> None:
    if numbered:
        lines = [f"{number}\t{line.partition(chr(9))[2]}" for number, line in enumerate(lines, 1)]
    with suppress(ConlluError):
        assert all(map(len, read("\n".join(lines))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<text>:1: there is no sentence"),
        ("\n \n", "<text>:1: there is no sentence"),
        (conllu("1 Go _ _ _ _ 0 root _ _") * 3, "<text>:3: a second sentence begins here"),
        (conllu("1 Go _ _ _ _ 2 root _ _"), "<text>:1: the head of word 1 is 2"),
        ("train.conllu", "<text>:1: expected 10 columns, found 1: columns are separated by tabs"),
    ],
)
def test_what_is_not_one_sentence_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConlluError, match=f"^{re.escape(message)}"):
        from_conllu(text)


@pytest.mark.parametrize("rows", [["1 Go _ _ _ _ 0 _ _ _"], ["# text = Go", "1 Go _ _ _ _ 0 _ _ _"]])
def test_a_byte_order_mark_in_the_middle_of_a_file_is_named(rows: list[str]) -> None:
    text = f"{conllu(*rows)}\ufeff{conllu(*rows)}".encode()
    treebank = Treebank.from_bytes(text)
    faults = [*treebank.faults()]
    message = f"<text>:{len(rows) + 2}: the line begins with a byte order mark"
    with pytest.raises(ConlluError, match=message):
        list(treebank)
    assert len(faults) == 1
    assert str(faults[0]).startswith(message)


def test_plain_text_is_suspected_only_where_there_is_no_tab() -> None:
    for line, expected in ("It is", True), ("1\tIt", False):
        with pytest.raises(ConlluError) as error:
            from_conllu(line)
        assert ("plain text" in str(error.value)) is expected
