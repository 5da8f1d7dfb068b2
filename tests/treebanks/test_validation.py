"""What is valid CoNLL-U: the verdict is that of udtools, and one wrong line does not make others wrong."""

import io
import re
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deptrees import Treebank
from tests.treebanks.samples import conllu

udtools = pytest.importorskip("udtools")

ENHANCED = conllu(
    "# sent_id = a",
    "1 Sue _ PROPN _ _ 2 nsubj 2:nsubj|5.1:nsubj _",
    "2 has _ VERB X _ 0 root 0:root _",
    "3-4 don't _ _ _ Typo=Yes _ _ _ SpaceAfter=No",
    "3 do _ AUX _ A=B|C=D 2 dep 2:dep:of_ö:gen _",
    "4 n't _ PART _ _ 3 dep 3:dep _",
    "5 Bill _ PROPN _ _ 2 dep 5.1:dep _",
    "5.1 has _ VERB _ _ _ _ 2:conj X=a",
    "5.2 had _ VERB _ _ _ _ 5.1:dep _",
    "6-8 abc _ _ _ _ _ _ _ _",
    *("6 a _ X _ _ 7 dep 7:dep _", "7 b _ X _ _ 2 dep 2:dep _", "8 c _ X _ _ 7 dep 7:dep _"),
)
PLAIN = conllu("# text = It", "1 It _ X _ _ 2 dep _ _", "2 is _ X _ _ 0 root _ SpaceAfter=No|A")
VALUES = re.findall(
    "[^|]+",
    "_| |a b| a|a |a  b|a\u00a0b|\x1c|e\u0301|\ufffd|0|1|2|3|4|9|-1|01|x|1-2|2-1|3-4|4-5|5-5|6-7|1.1|1.2|5.1|0.1|5.3|"
    "2:nsubj|2:foo|2:Nsubj|x:dep|9:dep|5.1:dep|0:root|2:dep:é:gen|2:dep:a:b:c|2:dep:é:à|2:dep:a_b|2:dep:_a|2:dep:|2",
)
EDITS = st.tuples(
    st.sampled_from(["cell"] * 6 + ["delete", "copy", "insert", "append"]),
    st.integers(0, 18),
    st.integers(0, 9),
    st.sampled_from([*VALUES, "2:dep|2:acl", "2:acl|2:dep", "5.1:dep|2:dep", "SpaceAfter=No|SpaceAfter=No"]),
    st.sampled_from(["", " ", "# x", "x", "1\t_", "\r", "#\te\u0301"]),
)
TEXTS = st.sampled_from([ENHANCED, PLAIN, ENHANCED * 2, PLAIN * 2, PLAIN + ENHANCED])


def edited(text: str, edits: list[tuple[str, int, int, str, str]]) -> bytes:
    lines = text.split("\n")
    for kind, row, column, value, line in edits:
        row %= len(lines)
        columns = lines[row].split("\t")
        columns[column % len(columns)] = value
        new = {"cell": ["\t".join(columns)], "delete": [], "copy": [lines[row]] * 2, "insert": [line, lines[row]]}
        lines[row : row + 1] = new.get(kind, [lines[row] + line])
    return "\n".join(lines).encode()


@cache
def validator() -> Any:
    """That of udtools, which reads much when it is made."""
    from udtools.validator import Validator

    return Validator(lang="ud", level=2, output=None, max_store=0)


def refusals(content: bytes) -> set[str] | None:
    """What udtools has against a text; ``None`` if it fails."""
    from udtools.incident import IncidentType
    from udtools.state import State

    state = State()
    try:
        text = io.TextIOWrapper(io.BytesIO(content), "utf-8")
        validator().validate_file_handle(text, state)
    except (ValueError, KeyError, IndexError):
        return None
    errors = [error for error in state.error_tracker if error.get_type() == IncidentType.ERROR]
    return {f"{error.level} {error.testclass.name} {error.testid}" for error in errors}


@given(TEXTS, st.lists(EDITS, max_size=3))
@example(ENHANCED.replace("\n", "\r\n"), [])
@example(f"\ufeff{PLAIN}", [])
@example(PLAIN.removesuffix("\n"), [])
@example(f"{PLAIN}\n", [])
def test_the_verdict_is_that_of_udtools(text: str, edits: list[tuple[str, int, int, str, str]]) -> None:
    content = edited(text, edits)
    found = refusals(content)
    if found is None:
        return
    faults = [fault.reason for fault in Treebank.from_bytes(content).faults()]
    of_trees = {f"2 SYNTAX {name}" for name in ("unknown-head", "head-self-loop", "non-tree")}
    of_format = {each for each in found if each.startswith("1 ") or "FORMAT" in each or "ENHANCED" in each}
    if (of_format | found & of_trees) - {"2 ENHANCED edeps-only-sometimes"}:
        assert faults, of_format
    elif not any("multiple-roots" in each or "MORPHO" in each for each in found):
        unreadable = any("is not a number" in each or "before its first word" in each for each in faults)
        assert unreadable or not faults


def test_every_line_with_a_bad_byte_is_a_fault() -> None:
    line = "1\tna\udcefve" + "\t_" * 4 + "\t0" + "\t_" * 3
    text = f"{line}\n{line.replace('1', '2')}\n\n".encode(errors="surrogateescape")
    faults = Treebank.from_bytes(text).faults()
    assert [(fault.line, "byte 0xef at character 5" in fault.reason) for fault in faults] == [(1, True), (2, True)]


def test_a_wrong_line_is_one_fault_and_what_follows_none() -> None:
    rows = [f"{number}\ta\t_\t_\t_\t_\t{number - 1}\tdep\t_\t_" for number in range(1, 8)]
    rows[1], rows[3], rows[5] = "2\tshort", rows[3].replace("4", "5", 1), rows[5].replace("\t5\t", "\t-1\t")
    text = "\n".join([*rows, "", ""])
    assert [fault.line for fault in Treebank.from_bytes(text.encode()).faults()] == [2, 4, 6]


def test_the_time_to_validate_a_sentence_grows_with_its_length_only() -> None:
    def seconds(words: int) -> float:
        rows = [f"{number}\ta\t_\t_\t_\t_\t{number - 1}\tdep\t{number - 1}:dep\t_" for number in range(1, words + 1)]
        start = process_time()
        assert not list(Treebank.from_bytes("\n".join([*rows, "", ""]).encode()).faults())
        return process_time() - start

    # 16 times as long; by the square of the length it would be 256 times.
    assert seconds(4000) < 100 * min(seconds(250) for _ in range(3))


def test_numbers_of_thousands_of_digits_are_a_fault_like_others() -> None:
    for number in ("9" * 5000, "9" * 5000 + ".1", "٣" * 5000):
        text = f"1\ta\t_\t_\t_\t_\t0\troot\t0:root|{number}:dep\t_\n\n"
        [fault] = Treebank.from_bytes(text.encode()).faults()
        assert "which is no word or empty node of the sentence" in fault.reason


def test_words_without_heads_are_faults_but_not_in_files_of_words_alone(tmp_path: Path) -> None:
    content = conllu("1-2 don't _ _ _ _ _ _ _ _", "1 do _ AUX _ _ _ _ _ _", "2 n't _ PART _ _ 1 dep _ _").encode()
    [fault] = Treebank.from_bytes(content).faults()
    assert (fault.line, fault.reason) == (2, "word 1 has no head: annotate or parse it")
    path = tmp_path / "words.txt"
    path.write_text("Birds sing\n")
    assert not [*Treebank(path, words=True).faults()]
