"""Sentences without columns: a line of words each."""

from __future__ import annotations

import gzip
import os
import sys
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

from deptrees import ConlluError, DependencyTree, Treebank, sample_treebank, to_conllu
from tests.tiers import PATIENCE, slow


def conllu(lines: list[str]) -> str:
    """The sentences as a computation of its own writes them: trees of words, with a comment."""
    found = []
    for line in lines:
        forms = [form for part in line.split(" ") for form in part.split("\t") if form]
        if forms:
            words: list[Any] = [(None, form) for form in forms]
            found.append(to_conllu(DependencyTree(words, comments=[f"# text = {' '.join(forms)}"])))
    return "".join(found)


@pytest.fixture(params=[True, False], ids=["compiled", "by lines"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        monkeypatch.setitem(sys.modules, "deptrees.treebanks.encoded_text", None)


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("count", [50, slow(5000)])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_read_as_trees_of_words(count: int, end: str, tmp_path: Path) -> None:
    random, parts = Random(1), ["a", "B-c", "  ", " ", "\t", "_", "#", "語", "x\u00a0y", "\u2028", "1", "\U0001f600"]
    lines = ["".join(random.choices(parts, k=random.randint(0, 12))) for _ in range(count)]
    (tmp_path / "words.txt").write_bytes(end.join(lines).encode())
    found = "".join(map(to_conllu, Treebank(tmp_path / "words.txt", words=True)))
    assert found == conllu(lines)
    with gzip.open(tmp_path / "words.txt.gz", "wb") as stream:
        stream.write(end.join(lines).encode())
    assert found == "".join(map(to_conllu, Treebank(tmp_path / "words.txt.gz", words=True)))


@pytest.mark.usefixtures("reader")
def test_the_words_of_a_treebank_come_back(tmp_path: Path) -> None:
    trees = list(sample_treebank("train"))
    (tmp_path / "words.txt").write_text("".join(" ".join(t.form for t in tree) + "\n" for tree in trees), "utf-8")
    read = Treebank(tmp_path / "words.txt", words=True)
    assert [[token.form for token in tree] for tree in read] == [[token.form for token in tree] for tree in trees]
    assert not any(token.head or token.upos for tree in read for token in tree)
    assert not [*read.faults()]


@pytest.mark.usefixtures("reader")
def test_a_line_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_bytes(b"one line\n\nand \xff\n")
    with pytest.raises(ConlluError, match=r"words.txt:3: .*not UTF-8"):
        list(Treebank(tmp_path / "words.txt", words=True))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_each_line_is_there_when_it_has_arrived(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    answered = threading.Event()

    def write() -> None:
        with open(tmp_path / "pipe", "wb", buffering=0) as pipe:
            for line in (b"Birds sing\n", b"Dogs\n"):
                pipe.write(line)
                assert answered.wait(PATIENCE)
                answered.clear()

    writer = threading.Thread(target=write)
    writer.start()
    found = []
    for tree in Treebank(tmp_path / "pipe", words=True):
        found.append(len(tree))
        answered.set()
    writer.join()
    assert found == [2, 1]
