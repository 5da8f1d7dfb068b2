"""Arrays of which only the numbers that are not 0 are kept."""

from __future__ import annotations

import numpy as np
import pytest

from deptrees.files.sparse import SparseArray


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("shape", [(0,), (7,), (5, 4), (3, 2, 2)])
def test_what_is_kept_tells_the_array(shape: tuple[int, ...], kind: type[np.generic]) -> None:
    random = np.random.default_rng(1)
    for share in (0, 0.2, 1):
        array = (random.integers(-3, 4, shape) * (random.random(shape) < share)).astype(kind)
        sparse = SparseArray.of(array)
        again = sparse.dense()
        assert (again == array).all()
        assert (again.shape, again.dtype, sparse.size) == (array.shape, array.dtype, array.size)
        assert sparse.numbers.all()
        assert len(sparse.where) == np.count_nonzero(array)


@pytest.mark.parametrize("where", [[1, 0], [2, 2], [-1, 0], [0, 6], [0], [[0, 1]]])
def test_places_that_an_array_does_not_have(where: list[int]) -> None:
    with pytest.raises(ValueError, match="place"):
        SparseArray.at((2, 3), np.array(where, np.int64), np.ones(2, np.float32))


@pytest.mark.parametrize("gaps", [[0], [0, 0, 0], [0, 0, 255], [255, 255], [[0, 0]], [0, 5], [255, 0, 0]])
def test_gaps_that_an_array_does_not_have(gaps: list[int]) -> None:
    with pytest.raises(ValueError, match="place"):
        SparseArray((2, 3), np.array(gaps, np.uint8), np.ones(2, np.float32))


@pytest.mark.parametrize("gap", [0, 1, *range(253, 258), 509, 510, 511, 1 << 20])
def test_gaps_of_any_length(gap: int) -> None:
    where = np.array([gap, gap + 1, 2 * gap + 2])
    array = SparseArray.at((3 * gap + 3, 2), where, np.arange(1, 4))
    assert (array.where == where).all()


@pytest.mark.parametrize("size", [0, 1, 2, 999])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_compact_arrays_keep_the_largest_numbers_and_few_different_numbers(size: int, kind: type[np.generic]) -> None:
    random = np.random.default_rng(size)
    array = SparseArray.of((random.choice([-1, 1], size) * random.uniform(0.5, 6, size)).astype(kind))
    compact = array.compact(0.5)
    kept = np.isin(array.where, compact.where)
    assert (compact.shape, compact.numbers.dtype) == (array.shape, array.numbers.dtype)
    assert kept.sum() == -(-size // 2) or size == 2
    assert np.abs(array.numbers[~kept]).max(initial=0) <= np.abs(array.numbers[kept]).min(initial=9)
    assert np.allclose(compact.numbers, array.numbers[kept], rtol=0.01, atol=0)
    assert len(np.unique(compact.numbers)) <= 254
