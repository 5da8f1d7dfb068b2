"""Models in files, in the safetensors format: arrays, and a record of all else.

The record is one JSON text in the file's header: for each part of the file what is in it besides arrays, and for each
array its shape. A sparse array takes two: the gaps between the numbers that are not 0, in bytes, and these numbers; if
few of them are different, it takes three, these and, compressed, the gaps and a byte that says which each number is.
The last four bytes of the file are a checksum of all before them. A file is checked in full before memory is taken for
what it tells of: its checksum, each field of its record, and each array against the shape that the record asks for.
"""

from __future__ import annotations

import json
import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from math import prod
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from deptrees.files.former import as_today, unpacked
from deptrees.files.limits import PACKED, SPARSE, WEIGHT
from deptrees.files.output import open_output
from deptrees.files.parts import NAMES
from deptrees.files.records import Record, from_record, to_record
from deptrees.files.sparse import SparseArray
from deptrees.messages import quoted

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["ModelError", "ModelFile", "Part", "Saved", "fingerprint", "open_model", "save_model"]

_T = TypeVar("_T")
_Number = TypeVar("_Number", bound=np.generic)

# The name of the record, and the version of how files are written. There is one, for several have no order in a file.
_CONTENTS = "deptrees models 2"
_FORMER_CONTENTS = "deptrees models 1"
_OURS = "deptrees "  # how the names of the library's own parts begin
_CHECKSUM = "~checksum"  # the name of an array of bytes: safetensors puts those last, by their names
_NO_CHECKSUM = b"none"
_GAPS, _WEIGHTS = ".gaps", ".weights"  # added to the name of an array of which only some numbers are in the file
_LEVELS, _WHICH = ".levels", ".which"  # in place of the numbers, if few are different: these, and which each is
_PACKED = ".packed"  # added to the names of what is compressed
_FORMER_WHERE = ".used"  # once the places of numbers were in the file, not gaps between them
_MOST_LEVELS = 256
_SHOWN = 500  # characters of a reason that a message has at most


class ModelError(ValueError):
    """A file is not a model that this version can load, or a model cannot be saved."""


@attrs.frozen(eq=False)
class Part:
    """A part of a file, which can hold several, such as a tagger and a parser.

    Args:
        name: what it is, and the version of how it is written.
        record: what is in it besides arrays, as JSON can say it.
        arrays: by names that no other part uses. Only sparse ones take more memory than room in the file.
    """

    name: str
    record: Record
    arrays: Mapping[str, npt.NDArray[np.generic] | SparseArray]

    def compact(self, *how: Any) -> Part:
        """The same part with sparse arrays that take little room; see ``SparseArray.compact`` for the arguments."""
        arrays = {
            name: array.compact(*how) if isinstance(array, SparseArray) else array
            for name, array in self.arrays.items()
        }
        return attrs.evolve(self, arrays=arrays)


@attrs.frozen
class _Contents:
    """What is in a file besides numbers: the records of its parts and the shapes of its arrays, by their names."""

    parts: Mapping[str, Record] = attrs.field(converter=as_today)
    shapes: Mapping[str, tuple[int, ...]]


def fingerprint(*parts: Part) -> str:
    """A text that distinguishes parts from others.

    >>> fingerprint(Part("greeting 1", {"to": "you"}, {})) == fingerprint(Part("greeting 1", {"to": "me"}, {}))
    False
    """
    return sha256(_content(parts)).hexdigest()


def save_model(path: str | os.PathLike[str], *parts: Part) -> None:
    """Write parts to a file.

    Raises:
        ValueError: a number is one that no model is loaded with.
    """
    content = _content(parts)
    with open_output(path) as stream, memoryview(content)[: -len(_NO_CHECKSUM)] as covered:
        stream.write(covered)
        stream.write(_checksum(covered))


def _content(parts: Sequence[Part]) -> bytes:
    """What is in a file, which has no checksum yet."""
    arrays = {name: array for part in parts for name, array in part.arrays.items()}
    tensors: dict[str, npt.NDArray[np.generic]] = {_CHECKSUM: np.frombuffer(_NO_CHECKSUM, np.uint8)}
    for name, array in arrays.items():
        if not isinstance(array, SparseArray):
            tensors[name] = np.require(array, requirements="C")
        elif len(array.numbers) > array.size / 2 or array.size > SPARSE:
            tensors[name] = array.dense()
        elif (levels := _levels(array.numbers)) is not None:
            which = np.searchsorted(levels, array.numbers).astype(np.uint8)
            tensors[name + _LEVELS] = levels
            tensors[name + _GAPS + _PACKED], tensors[name + _WHICH + _PACKED] = _packed(array.gaps), _packed(which)
        else:
            tensors[name + _GAPS], tensors[name + _WEIGHTS] = array.gaps, array.numbers
    for name, numbers in tensors.items():
        _check_numbers(name, numbers)
    shapes = {name: array.shape for name, array in arrays.items()}
    contents = _Contents({part.name: part.record for part in parts}, shapes)
    content = save(tensors, {_CONTENTS: json.dumps(to_record(contents), allow_nan=False)})
    assert content.endswith(_NO_CHECKSUM)
    return content


def _levels(numbers: npt.NDArray[_Number]) -> npt.NDArray[_Number] | None:
    """The different numbers, if a byte can say which each is."""
    if len(np.unique(numbers[: 2 * _MOST_LEVELS])) > _MOST_LEVELS or not len(numbers):
        return None
    levels = np.unique(numbers)
    return levels if len(levels) <= _MOST_LEVELS < len(numbers) else None


def _packed(content: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(zlib.compress(content.tobytes()), np.uint8)


def _checksum(content: memoryview) -> bytes:
    return zlib.crc32(content).to_bytes(len(_NO_CHECKSUM), "little")


@attrs.frozen(eq=False)
class ModelFile:
    """A file that is being read. What is wrong with it is a ``ValueError`` here, which ``open_model`` explains."""

    _file: Any
    _contents: _Contents
    _prefix: str = ""

    def __attrs_post_init__(self) -> None:
        for name in self._contents.parts:
            _check_known(name)

    def within(self, parts: Mapping[str, Record], prefix: str) -> ModelFile:
        """A file within the file: parts whose arrays have a prefix before their names."""
        return attrs.evolve(self, contents=_Contents(parts, self._contents.shapes), prefix=self._prefix + prefix)

    def __contains__(self, name: str) -> bool:
        return name in self._contents.parts

    def record(self, name: str) -> Record:
        """The record of a part, as JSON said it; a ModelError if the file has no such part."""
        if name not in self:
            found = ", ".join(map(repr, self._contents.parts)) or "nothing"
            raise ModelError(f"not a model of this version of deptrees: expected {name!r}, not {found}")
        return self._contents.parts[name]

    def read(self, name: str, kind: type[_T], **known: object) -> _T:
        """The record of a part, as an instance of an attrs class; see ``from_record``.

        Raises:
            ModelError: the file has no such part.
            RecordError: its record is not one of this class.
        """
        return from_record(self.record(name), kind, **known)

    def array(self, name: str, shape: Sequence[int], kind: npt.DTypeLike = np.float32) -> npt.NDArray[Any]:
        """An array of a name, once it is known to have the shape and the type of numbers that it should have.

        Raises:
            ValueError: it is not there, has another shape or other numbers, or would be too large.
        """
        self._check_shape(self._prefix + name, shape)
        return self._numbers(self._prefix + name, kind, shape)

    def sparse_array(self, name: str, shape: Sequence[int], kind: npt.DTypeLike = np.float32) -> SparseArray:
        """What is not 0 in an array that was saved as a ``SparseArray``; see ``array``."""
        name = self._prefix + name
        self._check_shape(name, shape)
        if name in self._names:
            return SparseArray.of(self._numbers(name, kind, shape))
        if (size := prod(shape)) > SPARSE:
            raise ValueError(f"the array {name!r} has {size} numbers, most of them 0: {SPARSE} are the most")
        try:
            if name + _FORMER_WHERE in self._names or name + _PACKED in self._names:
                return SparseArray.at(tuple(shape), *self._former(name, kind))
            return SparseArray(tuple(shape), *self._gaps(name, kind))
        except ValueError as error:
            raise ValueError(f"the array {name!r} is wrong: {error}") from None

    def _gaps(self, name: str, kind: npt.DTypeLike) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.generic]]:
        """The gaps between the numbers of a sparse array, and the numbers."""
        if name + _LEVELS not in self._names:
            return self._numbers(name + _GAPS, np.uint8), self._numbers(name + _WEIGHTS, kind)
        return self._unpacked(name + _GAPS), self._chosen(name, kind, self._unpacked(name + _WHICH))

    def _former(self, name: str, kind: npt.DTypeLike) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.generic]]:
        """The places of the numbers of a sparse array that a former version wrote, and the numbers."""
        if name + _LEVELS not in self._names:
            return self._numbers(name + _FORMER_WHERE, np.uint32).astype(np.int64), self._numbers(name + _WEIGHTS, kind)
        where, which = unpacked(self._numbers(name + _PACKED, np.uint8))
        return where, self._chosen(name, kind, which)

    def _chosen(self, name: str, kind: npt.DTypeLike, which: npt.NDArray[np.uint8]) -> npt.NDArray[np.generic]:
        """The numbers of a sparse array, of which a byte says which of a few each is."""
        levels = self._numbers(name + _LEVELS, kind)
        if levels.ndim != 1 or which.max(initial=0) >= len(levels):
            raise ValueError(f"its levels have the shape {levels.shape}, and numbers are missing")
        return levels[which]

    def _unpacked(self, name: str) -> npt.NDArray[np.uint8]:
        """Bytes that are compressed in the file."""
        decompressor = zlib.decompressobj()
        try:
            content = decompressor.decompress(self._numbers(name + _PACKED, np.uint8).tobytes(), PACKED)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        if not decompressor.eof:
            raise ValueError(f"its bytes end too early, or are more than {PACKED}")
        return np.frombuffer(content, np.uint8)

    def _check_shape(self, name: str, shape: Sequence[int]) -> None:
        saved = self._contents.shapes.get(name)
        if saved != tuple(shape):
            raise ValueError(f"the array {name!r} should have the shape {tuple(shape)}, and has {saved}")

    def _numbers(self, name: str, kind: npt.DTypeLike, shape: Sequence[int] | None = None) -> npt.NDArray[Any]:
        """A tensor of the file, of a type, and of a shape, if one is given."""
        if name not in self._names:
            raise ValueError(f"the array {name!r} is missing")
        tensor = self._file.get_slice(name)
        found = tensor.get_dtype(), tuple(tensor.get_shape())
        type_ = np.dtype(kind)
        expected = f"{type_.kind.upper()}{8 * type_.itemsize}", found[1] if shape is None else tuple(shape)
        if found != expected:
            raise ValueError(f"the array {name!r} should be {expected}, and is {found}")
        numbers: npt.NDArray[np.generic] = self._file.get_tensor(name)
        _check_numbers(name, numbers)
        return numbers

    @cached_property
    def _names(self) -> set[str]:
        return {*self._file.keys()}


def _check_known(name: str) -> None:
    """Raise a ModelError for a part of the library that this version cannot read."""
    if name in NAMES or not name.startswith(_OURS):
        return
    versions = {kind: int(number) for kind, _, number in (known.rpartition(" ") for known in NAMES)}
    kind, _, number = name.rpartition(" ")
    if kind in versions and number.isdecimal() and int(number) < versions[kind]:
        raise ModelError(f"{quoted(name)} in it is of an older version of deptrees: load it with that one")
    raise ModelError(f"{quoted(name)} in it is of a newer version of deptrees: update deptrees")


def _check_numbers(name: str, numbers: npt.NDArray[np.generic]) -> None:
    if not -WEIGHT <= numbers.min(initial=0) <= numbers.max(initial=0) <= WEIGHT:
        raise ValueError(f"the array {name!r} has numbers that are not from {-WEIGHT} to {WEIGHT}")


@contextmanager
def open_model(path: str | os.PathLike[str]) -> Iterator[ModelFile]:
    """Open a file to read what was saved.

    Raises:
        FileNotFoundError: there is no such file.
        ModelError: the file has another format, is damaged, or what was read cannot be made a model; the message names
            the file and says what to do.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_model(f"{folder}/model", Part("greeting 1", {"to": "you"}, {"weights": np.ones(3, np.float32)}))
    ...     with open_model(f"{folder}/model") as file:
    ...         "greeting 2" in file, file.record("greeting 1"), file.array("weights", [3]).tolist()
    (False, {'to': 'you'}, [1.0, 1.0, 1.0])
    """
    if Path(path).exists() and not Path(path).is_file():
        raise ModelError(f"{path} is a folder, a pipe or a device: give the model's file")
    try:
        with safe_open(path, "numpy") as file:
            records = file.metadata() or {}
            record = records.get(_CONTENTS, records.get(_FORMER_CONTENTS))
            if record is None:
                raise ModelError("not a model of this version of deptrees: load it with the one that wrote it")
            if not _is_whole(path):
                raise ModelError("damaged, for it does not agree with its checksum: copy it again, or train it again")
            yield ModelFile(file, from_record(json.loads(record), _Contents))
    except SafetensorError as error:
        what_to_do = "decompress it" if _is_compressed(path) else "give one that deptrees has saved"
        raise ModelError(f"{path} is not a model file: {what_to_do} ({error!s:.{_SHOWN}})") from None
    except ModelError as error:
        raise ModelError(f"{path}: {error!s:.{_SHOWN}}") from None
    except MemoryError as error:
        raise ModelError(f"{path} needs more memory than there is: {error}") from None
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        what_to_do = f"train it again, or update deptrees ({reason:.{_SHOWN}})"
        raise ModelError(f"{path} is damaged, or of a newer version of deptrees: {what_to_do}") from error


def _is_whole(path: str | os.PathLike[str]) -> bool:
    """Whether a file agrees with its checksum."""
    size = len(_NO_CHECKSUM)
    with (
        Path(path).open("rb") as stream,
        mmap(stream.fileno(), 0, access=ACCESS_READ) as content,
        memoryview(content) as whole,
        whole[:-size] as covered,
    ):
        return _checksum(covered) == content[-size:]


def _is_compressed(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one of gzip, as one is that is saved under a name that ends in ``.gz``."""
    with Path(path).open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


class Saved(ABC):
    """What can be saved to a file of its own."""

    @abstractmethod
    def part(self) -> Part:
        """What is saved."""

    @classmethod
    @abstractmethod
    def read(cls, file: ModelFile) -> Self:
        """Read it from an open file; a ModelError if it is not in there."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save it to a file."""
        save_model(path, self.part())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load what was saved.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a model of this kind.
        """
        with open_model(path) as file:
            return cls.read(file)
