"""The compiled part of the tagger, for type checkers; see tagging.pyx."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from deptrees.files.sparse import SparseArray

_Integers = npt.NDArray[np.int32]
_Hashes = npt.NDArray[np.uint64]
_Floats = npt.NDArray[np.float32]

ATTRIBUTES: tuple[str, ...]
LIMITS: Mapping[str, int]

def look_at(forms: list[str], known: _Hashes) -> _Hashes: ...

class TaggerData:
    def __init__(
        self, offsets: npt.NDArray[np.int64], types: _Integers, attributes: _Hashes, fixed: _Integers
    ) -> None: ...

class TaggerPerceptron:
    weights: _Floats
    changes: _Floats
    time: int
    def __init__(
        self,
        column: int,
        features: Sequence[Sequence[tuple[int, int]]],
        weights: SparseArray,
        bounds: _Integers,
        tags: _Integers,
        margin: float,
        learning: bool,
    ) -> None: ...
    def invalidate(self) -> None: ...
    def learn(self, data: TaggerData, sentence: int, gold: _Integers) -> tuple[int, int]: ...
    def tag(self, data: TaggerData, first: int, last: int, tags: _Integers) -> None: ...
    def averages(self) -> tuple[npt.NDArray[np.intp], _Floats]: ...
