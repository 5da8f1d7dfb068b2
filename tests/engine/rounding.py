"""Quantized weights, computed apart from the core."""

from typing import Any

import numpy as np
import numpy.typing as npt


def rounded(weights: npt.NDArray[Any], bits: int, outliers: int) -> npt.NDArray[Any]:
    """Weights as they are rounded: all but so many outliers keep their size."""
    sizes = np.sort(np.abs(weights[weights != 0]).ravel())
    largest = sizes[len(sizes) - 1 - outliers]
    step = 2.0 ** (np.floor(np.log2(largest)) + 2 - bits)
    limit = 2 ** (bits - 1) - 1
    steps = weights.astype(float) / step
    found: npt.NDArray[Any] = np.clip(np.sign(steps) * np.floor(np.abs(steps) + 0.5), -limit, limit) * step
    return found
