"""Limits to the work of searches for losses."""

import pytest

from deptrees.transition import LossNotFound
from deptrees.transition.losses.work import count_work, limited_work


def test_work_counts_within_its_limit_and_those_around_it() -> None:
    with limited_work(10):
        with limited_work(4):
            count_work(4)
            with pytest.raises(LossNotFound):
                count_work(1)
        count_work(6)
        with limited_work(100), pytest.raises(LossNotFound):
            count_work(1)
        with pytest.raises(LossNotFound):
            count_work(1)
    count_work(1_000_000_000)
