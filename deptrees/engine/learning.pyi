"""For type checkers; see learning.pyx."""

import numpy as np
import numpy.typing as npt

from deptrees.engine.desk import Data, Machine
from deptrees.engine.scoring import Weights

def train(
    weights: Weights,
    machine: Machine,
    data: Data,
    order: npt.NDArray[np.int64],
    oracle: str,
    exploration: float,
    seed: int,
) -> tuple[int, int]: ...
