"""Vectors of sentences that do not change, kept in a file while a network learns what comes after them."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from itertools import pairwise
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import torch
from torch import Tensor

from deptrees.treebanks.columns import Columns

__all__ = ["VectorFile"]


class VectorFile:
    """A file of vectors, in the folder of temporary files; it is gone with this object, and copies have their own."""

    def __init__(self) -> None:
        self._file: Any = None
        self._places: dict[tuple[str, ...], int] = {}

    def __reduce__(self) -> tuple[type[VectorFile], tuple[()]]:
        return VectorFile, ()

    def vectors(self, columns: Columns, compute: Callable[[Columns], Tensor]) -> Tensor:
        """The vectors of the words of some sentences, with those of their ROOTs.

        Those that are not in the file are computed, of each sentence by itself: rounding then does not depend on which
        others are there.
        """
        texts = columns.vocabularies["form"]
        forms = [texts[number] for number in columns.words["form"].tolist()]
        sentences = [tuple(forms[start:stop]) for start, stop in pairwise(columns.offsets.tolist())]
        for number, sentence in enumerate(sentences):
            if sentence not in self._places:
                self._write(sentence, compute(columns.take(np.array([number]))))
        return torch.cat([self._read(sentence) for sentence in sentences])

    def _write(self, sentence: tuple[str, ...], vectors: Tensor) -> None:
        if self._file is None:
            self._file = TemporaryFile(buffering=0)  # noqa: SIM115
            weakref.finalize(self, self._file.close)
        self._places[sentence] = self._file.seek(0, os.SEEK_END)
        self._shape, self._device = vectors.shape[1:], vectors.device
        vectors.cpu().numpy().tofile(self._file)

    def _read(self, sentence: tuple[str, ...]) -> Tensor:
        self._file.seek(self._places[sentence])
        shape = (1 + len(sentence), *self._shape)
        numbers = np.fromfile(self._file, np.float32, int(np.prod(shape)))
        return torch.from_numpy(numbers.reshape(shape)).to(self._device)
