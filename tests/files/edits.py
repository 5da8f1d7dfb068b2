"""Model files taken apart, changed and put together again, with or without a checksum that is right for the change."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import attrs
import numpy as np
import numpy.typing as npt
from safetensors import safe_open
from safetensors.numpy import load_file, save

from deptrees import DependencyTree
from deptrees.parser import ModelError

__all__ = ["Edit", "ModelContent", "array_edits", "byte_edits", "outcomes", "record_edits", "some", "without_checksum"]

_CONTENTS = "deptrees models 1"
_MEMORY = 1 << 30
_WRONG: list[Any] = [
    *(None, True, False, -1, 0, 1, 7, 300, 1 << 31, 1 << 63, 10**400, 0.5, -1.5, float("nan"), float("inf")),
    *("", "_", "text", "a\tb", "a\nb", "\ud800", "s2147483648.form", "long" * 10_000),
    *([], [None], [0], [-1], [1 << 40], ["text"], ["a", "a"], [[]], [30, 18], [0.5]),
    *({}, {"a": 1}, {"name": "ArcHybrid"}, {"name": "Attardi", "degree": 1_000_000}),
    *({"name": "ArcEagerSpan", "max_span": 1 << 40}, {"own": "Mine()"}),
]
"""What is put in the place of every field and of elements of every list."""


@attrs.define
class ModelContent:
    """What is in a model file."""

    record: Any
    arrays: dict[str, npt.NDArray[Any]]

    @classmethod
    def read(cls, path: Path) -> ModelContent:
        with safe_open(path, "numpy") as file:
            return cls(json.loads(file.metadata()[_CONTENTS]), load_file(path))

    def write(self, path: Path) -> None:
        """Write a file, with the checksum of what is in it."""
        content = save(self.arrays, {_CONTENTS: json.dumps(self.record)})
        path.write_bytes(content[:-4] + crc32(content[:-4]).to_bytes(4, "little"))


Edit = Callable[[Path], object]
"""A change to a file."""


def _edit(change: Callable[[ModelContent], object]) -> Edit:
    def edited(path: Path) -> None:
        content = ModelContent.read(path)
        change(content)
        content.write(path)

    return edited


def record_edits(record: Any) -> Iterator[Edit]:
    """Every field, and the first and last element of every list, of another type or value, or missing; other fields."""
    for way in _ways(record):
        for wrong in _WRONG:
            yield _edit(lambda content, way=way, wrong=wrong: _put(content, way, wrong))
        yield _edit(lambda content, way=way: _take_out(content, way))
        yield _edit(lambda content, way=way: _put(content, (*way[:-1], "extra"), 1))
        yield _edit(lambda content, way=way: _put(content, way, [deepcopy(_at(content.record, way))] * 300))


def _ways(record: Any) -> Iterator[tuple[Any, ...]]:
    """The ways to what is in a record: the keys of objects, the first ten and the last, and the places in lists."""
    items: list[tuple[Any, Any]] = []
    if isinstance(record, dict):
        items = [*record.items()]
        items = items if len(items) < 12 else [*items[:2], items[-1]]
    elif isinstance(record, list) and record:
        items = [(0, record[0]), (len(record) - 1, record[-1])]
    for key, value in items:
        yield (key,)
        yield from ((key, *way) for way in _ways(value))


def _at(record: Any, way: Sequence[Any]) -> Any:
    for key in way:
        record = record[key]
    return record


def _put(content: ModelContent, way: Sequence[Any], value: Any) -> None:
    parent = _at(content.record, way[:-1])
    if isinstance(parent, list) and way[-1] == "extra":
        parent.append(value)
    else:
        parent[way[-1]] = value


def _take_out(content: ModelContent, way: Sequence[Any]) -> None:
    del _at(content.record, way[:-1])[way[-1]]


_OTHER_ARRAYS: list[Callable[[npt.NDArray[Any]], npt.NDArray[Any]]] = [
    *(lambda array, kind=kind: array.astype(kind) for kind in ("f2", "f4", "f8", "u1", "i4", "u4", "u8")),
    lambda array: array[:-1],
    lambda array: array[:0],
    lambda array: np.concatenate([array, array]),
    lambda array: array[None],
    lambda array: array.reshape(-1, 1),
    lambda array: array[::-1].copy(),
    lambda array: np.zeros_like(array),
    lambda array: np.full_like(array, -1 if array.dtype.kind == "f" else (1 << 8 * array.itemsize) - 1),
    lambda array: np.full_like(array, 1e38 if array.dtype.kind == "f" else 1 << 31),
    lambda array: np.full_like(array, np.nan if array.dtype.kind == "f" else 0),
]


def array_edits(content: ModelContent) -> Iterator[Edit]:
    """Every array of another type, shape or length, with other numbers, or missing; every shape another one."""
    for name in content.arrays.keys() - {"checksum"}:
        for other in _OTHER_ARRAYS:
            yield _edit(lambda content, name=name, other=other: _change(content.arrays, name, other))
        yield _edit(lambda content, name=name: content.arrays.pop(name))
        yield _edit(lambda content, name=name: content.arrays.update(extra=content.arrays[name]))
    for name, shape in content.record["shapes"].items():
        for wrong in ([], [1 << 30, 4], [*shape, 1], [1 << 62] * 3, [-size for size in shape], shape[::-1]):
            yield _edit(lambda content, name=name, wrong=wrong: content.record["shapes"].update({name: wrong}))


def _change(arrays: dict[str, npt.NDArray[Any]], name: str, other: Callable[[npt.NDArray[Any]], Any]) -> None:
    with np.errstate(all="ignore"):
        arrays[name] = other(arrays[name])


def byte_edits(size: int, rng: Random, n: int) -> Iterator[Edit]:
    """Bits turned over, and files cut off, at random, in the header as often as in the numbers."""
    for place in [*rng.choices(range(size), k=n), *rng.choices(range(4000), k=n)]:
        yield lambda path, place=place: _turn(path, place)
        yield lambda path, place=place: path.write_bytes(path.read_bytes()[:place])


def _turn(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << place % 8
    path.write_bytes(content)


def some(edits: Iterable[Edit], n: int) -> list[Edit]:
    """So many of the edits, chosen at random, and always the same."""
    return Random(1).sample([*edits], n)


def without_checksum(edit: Edit) -> Edit:
    """The same edit, with the checksum left as it was."""

    def edited(path: Path) -> None:
        checksum = path.read_bytes()[-4:]
        edit(path)
        path.write_bytes(path.read_bytes()[:-4] + checksum)

    return edited


@contextmanager
def little_memory() -> Iterator[None]:
    """A gigabyte more than there is in use, where the operating system can be told so."""
    if sys.platform != "linux":
        yield
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _MEMORY, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def outcomes(
    saved: Path, edits: Iterable[Edit], parse: Callable[[Path], list[DependencyTree]], folder: Path
) -> Counter[str]:
    """What becomes of edited copies of a file: how many are refused, and how many parse as before, or otherwise.

    Args:
        saved: the file.
        edits: the edits, one for each copy.
        parse: loads a model and parses with it.
        folder: where to put the copies.
    """
    found, whole, path = Counter[str](), parse(saved), folder / "edited"
    for edit in edits:
        path.write_bytes(saved.read_bytes())
        edit(path)
        try:
            with little_memory():
                same = parse(path) == whole
        except ModelError as error:
            message = str(error)
            assert message.startswith(str(path)), message
            assert len(message) < 1000, message
            assert "needs more memory" not in message, message
            found["refused"] += 1
        else:
            found["same" if same else "other"] += 1
    return found
