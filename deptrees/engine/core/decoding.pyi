"""For type checkers; see decoding.pyx."""

import numpy as np
import numpy.typing as npt

from deptrees.engine.core.desk import Data, Machine
from deptrees.engine.core.scoring import Weights

_Integers = npt.NDArray[np.int32]

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
