"""For type checkers; see derivations.pyx."""

import numpy as np
import numpy.typing as npt

from deptrees.engine.core.desk import Data, Machine
from deptrees.engine.core.scoring import Weights

_Integers = npt.NDArray[np.int32]
_Hashes = npt.NDArray[np.uint64]

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
        possible: npt.NDArray[np.uint8],
        gold: npt.NDArray[np.uint8],
        taken: _Integers,
        labels: _Integers,
        sentence: _Integers,
        step: _Integers,
        features: _Hashes,
    ) -> int: ...
