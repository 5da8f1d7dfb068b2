"""Models in files, in the safetensors format: arrays, and for each part of the file a record of all else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from deptrees.files import open_output

__all__ = ["ModelError", "ModelFile", "Part", "open_model", "save_model"]


class ModelError(ValueError):
    """A file is not a model that this version can load, or a model cannot be saved."""


@attrs.frozen(eq=False)
class Part:
    """A part of a file. A file can hold several, such as a tagger and a parser.

    Args:
        name: what it is, and the version of how it is written.
        record: what is in it besides arrays, as JSON can say it.
        arrays: the arrays, by names that no other part uses. Only numbers that are not 0 take room.
    """

    name: str
    record: Mapping[str, Any]
    arrays: Mapping[str, npt.NDArray[np.float32]]


def save_model(path: str | os.PathLike[str], *parts: Part) -> None:
    """Write parts to a file."""
    tensors: dict[str, npt.NDArray[np.generic]] = {}
    for part in parts:
        for name, array in part.arrays.items():
            used = np.flatnonzero(array)
            tensors[f"{name}.used"] = used.astype(np.uint32 if array.size < 1 << 32 else np.uint64)
            tensors[f"{name}.weights"] = array.ravel()[used]
    with open_output(path) as stream:
        stream.write(save(tensors, {part.name: json.dumps(part.record) for part in parts}))


@attrs.frozen(eq=False)
class ModelFile:
    """A file that is being read."""

    _path: str | os.PathLike[str]
    _file: Any

    def __contains__(self, name: str) -> bool:
        return name in (self._file.metadata() or {})

    def record(self, name: str) -> dict[str, Any]:
        """The record of a part.

        Raises:
            ModelError: the file has no such part.
        """
        if name not in self:
            raise ModelError(f"{self._path} is not a model of this version of deptrees: train it again")
        return json.loads(self._file.metadata()[name])  # type: ignore[no-any-return]

    def fill(self, name: str, array: npt.NDArray[np.float32]) -> None:
        """Write what was saved into an array of zeros."""
        array.ravel()[self._file.get_tensor(f"{name}.used")] = self._file.get_tensor(f"{name}.weights")


@contextmanager
def open_model(path: str | os.PathLike[str]) -> Iterator[ModelFile]:
    """Open a file to read what was saved.

    Raises:
        FileNotFoundError: there is no such file.
        ModelError: the file has another format.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_model(f"{folder}/model", Part("greeting 1", {"to": "you"}, {"weights": np.ones(3, np.float32)}))
    ...     with open_model(f"{folder}/model") as file:
    ...         "greeting 2" in file, file.record("greeting 1")
    (False, {'to': 'you'})
    """
    try:
        with safe_open(path, "numpy") as file:
            yield ModelFile(path, file)
    except SafetensorError as error:
        raise ModelError(f"{path} is not a model file: {error}") from None
