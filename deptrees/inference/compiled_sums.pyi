"""The inside and the outside algorithm in C, for type checkers; see compiled_sums.pyx."""

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]

def inside(axioms: Scores, push: Scores, leave: Scores, adds: bool) -> Scores: ...
def outside(sums: Scores, push: Scores, leave: Scores) -> Scores: ...
