"""Models in files, in the safetensors format: arrays, and for each part of the file a record of all else."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from deptrees.files.output import open_output
from deptrees.files.records import ModelError, from_record

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["ModelError", "ModelFile", "Part", "Saved", "open_model", "save_model"]

_T = TypeVar("_T")

_RECORDS = "deptrees"
"""The name of all records in a file: one, for there is no order among several, and the same model is the same file."""


@attrs.frozen(eq=False)
class Part:
    """A part of a file. A file can hold several, such as a tagger and a parser.

    Args:
        name: what it is, and the version of how it is written.
        record: what is in it besides arrays, as JSON can say it.
        arrays: the arrays, by names that no other part uses. Where most numbers are 0, only the others take room.
    """

    name: str
    record: Mapping[str, Any]
    arrays: Mapping[str, npt.NDArray[Any]]


def save_model(path: str | os.PathLike[str], *parts: Part) -> None:
    """Write parts to a file."""
    tensors: dict[str, npt.NDArray[np.generic]] = {}
    for part in parts:
        for name, array in part.arrays.items():
            used = np.flatnonzero(array)
            if len(used) > array.size / 2:
                tensors[name] = array
            else:
                tensors[f"{name}.used"] = used.astype(np.uint32 if array.size < 1 << 32 else np.uint64)
                tensors[f"{name}.weights"] = array.ravel()[used]
    with open_output(path) as stream:
        stream.write(save(tensors, {_RECORDS: json.dumps({part.name: part.record for part in parts})}))


@attrs.frozen(eq=False)
class ModelFile:
    """A file that is being read."""

    _path: str | os.PathLike[str]
    _file: Any
    _records: Mapping[str, Any]

    def __contains__(self, name: str) -> bool:
        return name in self._records

    def record(self, name: str) -> Any:
        """The record of a part, as JSON said it.

        Raises:
            ModelError: the file has no such part.
        """
        if name not in self:
            found = ", ".join(map(repr, self._records)) or "nothing"
            raise ModelError(f"{self._path} is not a model of this version of deptrees: expected {name!r}, not {found}")
        return self._records[name]

    def read(self, name: str, kind: type[_T], **known: Any) -> _T:
        """The record of a part, as an instance of an attrs class; see ``from_record``.

        Raises:
            ModelError: the file has no such part, or its record is not one of this class.
        """
        record = self.record(name)
        try:
            return from_record(record, kind, **known)
        except ModelError as error:
            raise ModelError(f"{self._path} is damaged, or of a newer version of deptrees: {error}") from None

    def fill(self, name: str, array: npt.NDArray[Any]) -> None:
        """Write what was saved into an array of zeros."""
        if name in set(self._file.keys()):
            array[:] = self._file.get_tensor(name)
        else:
            array.ravel()[self._file.get_tensor(f"{name}.used")] = self._file.get_tensor(f"{name}.weights")


@contextmanager
def open_model(path: str | os.PathLike[str]) -> Iterator[ModelFile]:
    """Open a file to read what was saved.

    Raises:
        FileNotFoundError: there is no such file.
        ModelError: the file has another format, or what was read cannot be made a model.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_model(f"{folder}/model", Part("greeting 1", {"to": "you"}, {"weights": np.ones(3, np.float32)}))
    ...     with open_model(f"{folder}/model") as file:
    ...         "greeting 2" in file, file.record("greeting 1")
    (False, {'to': 'you'})
    """
    try:
        with safe_open(path, "numpy") as file:
            yield ModelFile(path, file, json.loads((file.metadata() or {}).get(_RECORDS, "{}")))
    except SafetensorError as error:
        raise ModelError(f"{path} is not a model file: {error}") from None
    except ModelError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ModelError(f"{path} is damaged, or of a newer version of deptrees ({reason})") from error


class Saved(ABC):
    """What can be saved to a file of its own."""

    @abstractmethod
    def part(self) -> Part:
        """What is saved."""

    @classmethod
    @abstractmethod
    def read(cls, file: ModelFile) -> Self:
        """Read it from an open file.

        Raises:
            ModelError: it is not in there.
        """

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
