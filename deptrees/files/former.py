"""What former versions of the library wrote in another way, made what this one writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from deptrees.files.limits import PACKED
from deptrees.files.parts import TAGGER

if TYPE_CHECKING:
    from deptrees.files.records import Record

__all__ = ["as_today", "unpacked"]

_MEMORY = 1 << 27  # bytes that decompressing may take besides its result


def unpacked(packed: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """The places of numbers, and which of the levels each is, as LZMA compressed them.

    Before that there were the distances between places, the least bytes of all of them first.

    Raises:
        ValueError: they are not that.
    """
    import lzma  # which not every Python has

    decompressor = lzma.LZMADecompressor(memlimit=_MEMORY)
    try:
        content = decompressor.decompress(packed.tobytes(), PACKED)
    except lzma.LZMAError as error:
        raise ValueError(str(error)) from None
    if not decompressor.eof or len(content) % 5:
        raise ValueError(f"{len(content)} bytes are not five for each number, or more than {PACKED}")
    planes = np.frombuffer(content, np.uint8).reshape(5, -1)
    distances = np.ascontiguousarray(planes[:4].T).view("<u4").ravel()
    return np.cumsum(distances, dtype=np.int64), planes[4]


def as_today(parts: Mapping[str, Record]) -> Mapping[str, Record]:
    """The records of a file's parts, by their names.

    >>> column = {"tags": ["NOUN", "VERB"], "lexicon": {"dictionary": {}, "classes": {"a": [0], "b": [1], "c": [0]}}}
    >>> as_today({"deptrees tagger 5": {"columns": [column]}})["deptrees tagger 6"]["columns"][0]["lexicon"]
    {'dictionary': {}, 'classes': [[0], [1]], 'numbers': {'a': 0, 'b': 1, 'c': 0}}
    """
    return dict(_tagger_5(record) if name == "deptrees tagger 5" else (name, record) for name, record in parts.items())


def _tagger_5(record: Record) -> tuple[str, Record]:
    """One whose lexicons have the tags of each word."""
    columns = [{**column, "lexicon": _numbered(column["lexicon"])} for column in record["columns"]]
    return TAGGER, {**record, "columns": columns}


def _numbered(lexicon: Mapping[str, Any]) -> Record:
    """A lexicon that has a number for each word instead: that of a list of tags."""
    known: dict[tuple[int, ...], int] = {}
    numbers = {form: known.setdefault(tuple(tags), len(known)) for form, tags in lexicon["classes"].items()}
    return {**lexicon, "classes": [*map(list, known)], "numbers": numbers}
