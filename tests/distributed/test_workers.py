"""Worker processes: results in order, errors as results, deaths."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from deptrees.distributed import LoadedModel, Runner, WorkerDied, Workers
from tests.distributed.dying import Dying, check_that_deaths_change_nothing, number_of, parse_dying

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("count", [1, 2, 9])
def test_results_and_errors_come_in_order(count: int) -> None:
    found = [*Workers(count)(number_of, None, [1, 4, 3, 2, 5])]
    assert list(map(repr, found)) == ["1", "4", "ValueError('three')", "2", "5"]


def row(array: npt.NDArray[np.float32], number: int) -> tuple[list[float], bool]:
    return array[number].tolist(), array.flags.writeable


def test_arrays_are_mapped_and_not_copied() -> None:
    shared = np.arange(200_000, dtype=np.float32).reshape(2, -1)
    assert [*Workers(2)(row, shared, [1, 0])] == [(shared[1].tolist(), False), (shared[0].tolist(), False)]


def test_files_of_killed_workers_are_parsed_as_if_nothing_had_been(model: LoadedModel, tmp_path: Path) -> None:
    with pytest.warns(RuntimeWarning, match=r"conllu.* was killed by signal 9: another one begins with that"):
        check_that_deaths_change_nothing(model, Workers(2), 2, tmp_path)


def test_what_kills_every_worker_is_an_error_and_the_rest_is_done(model: LoadedModel, tmp_path: Path) -> None:
    runner: Runner = Workers(2, retries=1)
    (tmp_path / "a.conllu").write_bytes(b"1\tGo\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n")
    pairs = [(tmp_path / "a.conllu", tmp_path / name) for name in ("b", "c")]
    with pytest.warns(RuntimeWarning, match="was killed by signal 9"):
        first, second = runner(parse_dying, Dying(model, 3, tmp_path), pairs)
    assert isinstance(first, WorkerDied) or isinstance(second, WorkerDied)
    assert "died 2 times: has it enough memory?" in f"{first} {second}"


def test_workers_end_when_nobody_asks_for_more() -> None:
    results = Workers(2)(number_of, None, range(1000))
    assert next(results) == 0
    del results


@pytest.mark.parametrize("options", [{"count": 0}, {"retries": -1}])
def test_numbers_out_of_range(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Workers(**options)
