"""For type checkers; see scoring.pyx."""

import numpy as np
import numpy.typing as npt

_Integers = npt.NDArray[np.int32]
_Bits = npt.NDArray[np.uint32]
_Floats = npt.NDArray[np.float32]

class Weights:
    arrays: tuple[_Floats, _Floats]
    changes: tuple[_Floats, _Floats] | tuple[None, None]
    time: int
    def __init__(
        self, rows: _Integers, labels: _Integers, first: _Floats, second: _Floats, n_labels: int, learning: bool
    ) -> None: ...
    @property
    def width(self) -> int: ...

def read_rows(table: _Floats, rows: _Bits) -> _Floats: ...
