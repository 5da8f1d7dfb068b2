"""For type checkers; see desk.pyx."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from deptrees.engine.feature_code import FeatureCode
from deptrees.engine.program import Program

_Integers = npt.NDArray[np.int32]
_Hashes = npt.NDArray[np.uint64]

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
