"""The compiled core, for type checkers; see core.pyx."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from deptrees.engine.feature_code import FeatureCode
from deptrees.engine.program import Program

_Integers = npt.NDArray[np.int32]
_Bits = npt.NDArray[np.uint32]
_Hashes = npt.NDArray[np.uint64]
_Floats = npt.NDArray[np.float32]

class Machine:
    def __init__(
        self,
        program: Program,
        features: FeatureCode,
        follow: Callable[[int], Callable[[Sequence[int]], list[int]]],
    ) -> None: ...

class Data:
    def __init__(
        self,
        offsets: npt.NDArray[np.int64],
        heads: _Integers,
        labels: _Integers,
        label_hashes: _Hashes,
        columns: Sequence[tuple[_Integers, _Hashes]],
        projective: npt.NDArray[np.bool_],
        ranks: _Integers | None = None,
    ) -> None: ...

class Derivation:
    def __init__(self, machine: Machine, data: Data, sentence: int) -> None: ...
    @property
    def stack(self) -> tuple[int, ...]: ...
    @property
    def buffer(self) -> tuple[int, ...]: ...
    @property
    def heads(self) -> tuple[int, ...]: ...
    @property
    def labels(self) -> tuple[int, ...]: ...
    @property
    def is_final(self) -> bool: ...
    def possible(self) -> int: ...
    def take(self, row: int, label: int) -> None: ...
    def costs(self) -> dict[int, int]: ...
    def gold(self, oracle: str) -> int: ...
    def features(self) -> list[int]: ...

class Weights:
    arrays: tuple[_Floats, _Floats]
    changes: tuple[_Floats, _Floats] | tuple[None, None]
    time: int
    def __init__(
        self, rows: _Integers, labels: _Integers, first: _Floats, second: _Floats, n_labels: int, learning: bool
    ) -> None: ...
    @property
    def width(self) -> int: ...

class Steps:
    def __init__(
        self,
        machine: Machine,
        data: Data,
        order: npt.NDArray[np.int64],
        oracle: str,
        exploration: float,
        seed: int,
        weights: Weights | None,
        with_features: bool,
    ) -> None: ...
    def fill(
        self,
        possible: _Bits,
        gold: _Bits,
        taken: _Integers,
        labels: _Integers,
        sentence: _Integers,
        step: _Integers,
        features: _Hashes,
    ) -> int: ...

def train(
    weights: Weights,
    machine: Machine,
    data: Data,
    order: npt.NDArray[np.int64],
    oracle: str,
    exploration: float,
    seed: int,
) -> tuple[int, int]: ...
def parse(
    weights: Weights,
    machine: Machine,
    data: Data,
    start: int,
    stop: int,
    heads: _Integers,
    labels: _Integers,
    root_label: int,
    beam: int,
) -> None: ...
