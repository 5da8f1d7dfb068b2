"""For type checkers; see global_learning.pyx."""

import numpy as np
import numpy.typing as npt

from deptrees.engine.core.desk import Data, Machine
from deptrees.engine.core.scoring import Weights

UPDATES: dict[str, int]

class GlobalLearning:
    def __init__(
        self,
        weights: Weights,
        machine: Machine,
        data: Data,
        oracle: str,
        beam: int,
        update: str,
        restart: bool,
        seed: int,
    ) -> None: ...
    def learn(self, order: npt.NDArray[np.int64], exploration: float) -> tuple[int, int]: ...
    def pair(self, sentence: int) -> list[list[int]] | None: ...
