"""Model files taken apart, changed and put together again, with or without a checksum that is right for the change."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
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

__all__ = [
    "Edit",
    "ModelContent",
    "array_edits",
    "byte_edits",
    "little_memory",
    "outcomes",
    "record_edits",
    "some",
    "without_checksum",
    "write_file",
]

_CONTENTS = "deptrees models 2"
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
        write_file(path, json.dumps(self.record), self.arrays)


def write_file(path: Path, record: str, arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Write a model file with any record, and the checksum of what is in it."""
    content = save(arrays, {_CONTENTS: record})
    path.write_bytes(content[:-4] + crc32(content[:-4]).to_bytes(4, "little"))


Edit = Callable[[Path], object]
"""A change to a file."""


def _edit(change: Callable[..., object], *arguments: object) -> Edit:
    """A change to what is in a file."""

    def edited(path: Path) -> None:
        content = ModelContent.read(path)
        change(content, *arguments)
        content.write(path)

    return edited


def record_edits(record: Any) -> Iterator[Edit]:
    """Every field, and the first and last element of every list, of another type or value, or missing; other fields."""
    for way in _ways(record):
        yield from [_edit(_put, way, wrong) for wrong in _WRONG]
        yield from [_edit(_take_out, way), _edit(_put, (*way[:-1], "extra"), 1), _edit(_repeat, way)]


def _ways(record: Any) -> Iterator[tuple[Any, ...]]:
    """The ways to what is in a record: all keys of objects, of large ones some, and the ends of lists."""
    items: list[tuple[Any, Any]] = []
    if isinstance(record, dict):
        items = [*record.items()]
        items = items if len(items) < 20 else [*items[:2], items[-1]]
    elif isinstance(record, list) and record:
        items = [(0, record[0]), (len(record) - 1, record[-1])]
    for key, value in items:
        yield (key,)
        yield from ((key, *way) for way in _ways(value))


def _parent(content: ModelContent, way: Sequence[Any]) -> Any:
    found = content.record
    for key in way[:-1]:
        found = found[key]
    return found


def _put(content: ModelContent, way: Sequence[Any], value: Any) -> None:
    parent = _parent(content, way)
    if isinstance(parent, list) and way[-1] == "extra":
        parent.append(value)
    else:
        parent[way[-1]] = value


def _take_out(content: ModelContent, way: Sequence[Any]) -> None:
    del _parent(content, way)[way[-1]]


def _repeat(content: ModelContent, way: Sequence[Any]) -> None:
    parent = _parent(content, way)
    parent[way[-1]] = [parent[way[-1]]] * 300


_Array = npt.NDArray[Any]


def _of_type(kind: str, array: _Array) -> _Array:
    with np.errstate(all="ignore"):
        return array.astype(kind)


def _full(of_floats: float, of_integers: int, array: _Array) -> _Array:
    number = np.float64(of_floats) if array.dtype.kind == "f" else np.int64(of_integers)
    return np.full_like(array, number.astype(array.dtype))


_OTHER_ARRAYS: list[Callable[[_Array], _Array]] = [
    *(partial(_of_type, kind) for kind in ("f2", "f4", "f8", "u1", "i4", "u4", "u8")),
    *(partial(_full, *numbers) for numbers in ((0, 0), (-1, 1), (1e38, 1 << 31), (np.nan, 7), (np.inf, (1 << 32) - 1))),
    lambda array: array[:-1],
    lambda array: array[:0],
    lambda array: np.concatenate([array, array]),
    lambda array: array[None],
    lambda array: array.reshape(-1, 1),
    lambda array: array[::-1].copy(),
]


def array_edits(content: ModelContent) -> Iterator[Edit]:
    """Every array of another type, shape or length, with other numbers, or missing; every shape another one."""
    for name in sorted(content.arrays.keys() - {"~checksum"}):
        yield from [_edit(_change, name, other) for other in _OTHER_ARRAYS]
        yield from [_edit(_rename, name, other) for other in ("extra", name + ".gaps")]
    for name, shape in content.record["shapes"].items():
        for wrong in ([], [1 << 30, 4], [*shape, 1], [1 << 62] * 3, [-size for size in shape], shape[::-1]):
            yield _edit(_put, ("shapes", name), wrong)


def _change(content: ModelContent, name: str, other: Callable[[_Array], _Array]) -> None:
    content.arrays[name] = other(content.arrays[name])


def _rename(content: ModelContent, name: str, other: str) -> None:
    content.arrays[other] = content.arrays.pop(name)


def byte_edits(size: int, n: int) -> Iterator[Edit]:
    """Bits turned over, and files cut off, at random: in the header as often as in the numbers."""
    rng = Random(1)
    for most in [size, 4000] * (n // 4):
        place = rng.randrange(most)
        yield partial(_turn, place)
        yield partial(_cut, place)


def _turn(place: int, path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << place % 8
    path.write_bytes(content)


def _cut(place: int, path: Path) -> None:
    path.write_bytes(path.read_bytes()[:place])


def some(edits: Iterable[Edit], n: int) -> list[Edit]:
    """So many of the edits, chosen at random, and always the same; all if there are no more."""
    edits = list(edits)
    return Random(1).sample(edits, min(n, len(edits)))


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
    found, path = Counter[str](), folder / "edited"
    path.write_bytes(saved.read_bytes())
    whole = parse(path)  # a copy, because training that goes on writes to its checkpoint
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
