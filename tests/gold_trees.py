"""What tests read: the real treebanks, where this machine has them, and random trees."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from deptrees import DependencyTree


def _folder() -> Path | None:
    named = os.environ.get("DEPTREES_TREEBANKS")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "treebanks"
    return folder if folder.is_dir() else None


TREEBANKS = _folder()
TREEBANK_FILES = sorted(TREEBANKS.glob("*.conllu")) if TREEBANKS else []
DEV_FILES = [path for path in TREEBANK_FILES if "dev" in path.stem]
needs_treebanks = pytest.mark.treebanks
"""Marks a test that reads real treebanks: it belongs to the exhaustive tier, and is skipped where there are none."""


def every_treebank(test: Any, files: Sequence[Path] = TREEBANK_FILES) -> Any:
    """Marks a test as one that is run with the path of each real treebank."""
    return needs_treebanks(pytest.mark.parametrize("path", files, ids=[path.stem for path in files])(test))


def every_dev_treebank(test: Any) -> Any:
    """Marks a test as one that is run with the path of the development part of each real treebank."""
    return every_treebank(test, DEV_FILES)


Heads = tuple[int | None, ...]


@st.composite
def head_vectors(draw: st.DrawFn, min_words: int = 0, max_words: int = 8, annotated: bool = True) -> Heads:
    """Heads without a cycle, projective or not; with missing ones unless ``annotated``."""
    order = draw(st.permutations(range(1, draw(st.integers(min_words, max_words)) + 1)))
    heads: dict[int, int | None] = {}
    for index, word in enumerate(order):
        choices: list[int | None] = [0, *order[:index]]
        heads[word] = draw(st.sampled_from(choices if annotated else [None, *choices]))
    return tuple(heads[word] for word in sorted(heads))


def tree_of(heads: Heads) -> DependencyTree:
    """A tree with these heads over the words w1, w2, ..."""
    return DependencyTree((head, f"w{word}") for word, head in enumerate(heads, 1))


def trees(min_words: int = 0, max_words: int = 8, annotated: bool = True) -> st.SearchStrategy[DependencyTree]:
    """Random trees, see ``head_vectors``."""
    return head_vectors(min_words, max_words, annotated).map(tree_of)


def ancestors(heads: Heads, word: int) -> list[int]:
    """The word, its head, the head of that one, and so on, as far as heads are known."""
    chain: list[int] = [word]
    while chain[-1] != 0 and (head := heads[chain[-1] - 1]) is not None:
        chain.append(head)
    return chain
