"""The compiled core of the tagger, for type checkers; see tagging.pyx."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_Integers = npt.NDArray[np.int32]
_Offsets = npt.NDArray[np.int64]
_Hashes = npt.NDArray[np.uint64]
_Floats = npt.NDArray[np.float32]

ATTRIBUTES: tuple[str, ...]
MAX_FEATURES: int
MAX_PARTS: int

def look_at(forms: list[str], known: _Hashes) -> _Hashes: ...

class Words:
    def __init__(self, offsets: _Offsets, types: _Integers, attributes: _Hashes, fixed: _Integers) -> None: ...

class Perceptron:
    def __init__(
        self, features: Sequence[Sequence[tuple[int, int]]], weights: _Floats, n_tags: int, learning: bool
    ) -> None: ...
    def learn(self, words: Words, order: _Offsets, gold: _Integers) -> tuple[int, int]: ...
    def tag(self, words: Words, first: int, last: int, tags: _Integers) -> None: ...
    def averages(self) -> _Floats: ...
