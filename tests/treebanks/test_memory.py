"""Reading and writing take little memory, however large a treebank is."""

import gzip
import tracemalloc
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import attrs
import pytest

from deptrees import (
    Treebank,
    TreebankWarning,
    to_conllu,
    write_treebank,
)
from tests.tiers import slow
from tests.treebanks.samples import BAD, A


def peak_memory(action: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def consume(treebank: Treebank) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TreebankWarning)
        for _ in treebank:
            pass


@pytest.mark.parametrize("name", ["x.conllu", "x.conllu.gz"])
@pytest.mark.parametrize("sentence", [to_conllu(A), BAD], ids=["good", "skipped"])
@pytest.mark.parametrize("sentences", [500, slow(1_000)])
def test_reading_takes_the_memory_of_one_passage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str, sentences: int
) -> None:
    for limit in ("passages._MOST", "lines._MOST_AT_ONCE"):
        monkeypatch.setattr(f"deptrees.treebanks.{limit}", 1 << 13)
    treebanks = []
    for size in (1, sentences, 10 * sentences):
        path = tmp_path / f"{size}.{name}"
        data = (sentence * size).encode()
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        treebanks.append(Treebank(path, strict=False))
    _, small, large = [peak_memory(partial(consume, treebank)) for treebank in treebanks]
    assert large < small * 1.1 + 20_000


def test_writing_takes_the_memory_of_one_sentence(tmp_path: Path) -> None:
    def write(size: int) -> None:
        write_treebank(tmp_path / "x.conllu", (attrs.evolve(A, comments=[f"# {n}"]) for n in range(size)))

    _, small, large = [peak_memory(partial(write, size)) for size in (1, 200, 2_000)]
    assert large < small * 1.1 + 20_000
