"""For type checkers; see learning.pyx."""

import numpy as np
import numpy.typing as npt

from deptrees.engine.core.desk import Data, Machine
from deptrees.engine.core.scoring import Weights

def train(
    weights: Weights,
    machine: Machine,
    data: Data,
    order: npt.NDArray[np.int64],
    oracle: str,
    exploration: float,
    seed: int,
) -> tuple[int, int]: ...
