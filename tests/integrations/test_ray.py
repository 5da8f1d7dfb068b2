"""Work on a Ray cluster, a real one of this machine, whose workers are killed in the middle of files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deptrees import sample_treebank, to_conllu
from deptrees.distributed import LoadedModel, WorkerDied, parse_files
from deptrees.engine import batches
from deptrees.integrations.pyarrow import steps_of_rows
from deptrees.integrations.ray import RayCluster, _parse_batch, parse_rows, step_rows
from deptrees.parser import Parser
from deptrees.treebanks.columns import Columns
from tests.cli.running import run
from tests.distributed.dying import (
    Dying,
    check_that_deaths_change_nothing,
    contents,
    corpus,
    number_of,
    parse_dying,
)

pytestmark = pytest.mark.filterwarnings("ignore")
CLUSTER = RayCluster("local")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.fixture
def model(parser: Parser, tmp_path: Path) -> LoadedModel:
    parser.save(tmp_path / "model")
    return LoadedModel.load(tmp_path / "model")


@pytest.mark.usefixtures("cluster")
def test_results_and_errors_come_in_order() -> None:
    found = [*CLUSTER(number_of, None, [1, 4, 3, 2, 5] * 4)]
    assert list(map(repr, found)) == ["1", "4", "ValueError('three')", "2", "5"] * 4


@pytest.mark.usefixtures("cluster")
def test_files_of_killed_workers_are_parsed_as_if_nothing_had_been(model: LoadedModel, tmp_path: Path) -> None:
    check_that_deaths_change_nothing(model, CLUSTER, 2, tmp_path)


@pytest.mark.usefixtures("cluster")
def test_what_kills_every_worker_is_an_error(model: LoadedModel, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\tGo\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n")
    (found,) = RayCluster(retries=0)(parse_dying, Dying(model, 1, tmp_path), [(tmp_path / "a", tmp_path / "b")])
    assert isinstance(found, WorkerDied)


@pytest.mark.usefixtures("cluster")
def test_the_command_parses_what_one_process_parses(model: LoadedModel, tmp_path: Path) -> None:
    sources = corpus(tmp_path / "sources")
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    result = run("parse", tmp_path / "model", *sources, "--ray", "auto", "-o", tmp_path / "there")
    assert result.exit_code == 0
    said = [line for line in result.output.splitlines() if "--keep-deps" not in line]  # which all workers say
    assert [line.partition(":")[0] for line in said] == ["parsed 6 of 6 files"]
    assert len([*parse_files(model, sources, tmp_path / "here")]) == len(sources)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.usefixtures("cluster")
def test_files_are_called_as_they_were_given(
    model: LoadedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.conllu").write_bytes(b"1 Go\n\n")
    Path("parsed").mkdir()
    (error,) = parse_files(model, ["bad.conllu"], "parsed", run=CLUSTER)
    assert str(error).startswith("bad.conllu:1: ")


def test_rows_are_parsed_in_order(cluster: Any, parser: Parser) -> None:
    texts = [to_conllu(tree) for tree in sample_treebank("dev")]
    rows = cluster.data.from_items([{"number": number, "conllu": text} for number, text in enumerate(texts)])
    parsed = parse_rows(parser, rows.repartition(5)).take_all()
    expected = [parser.parse_bytes(text.encode()).decode() for text in texts]
    assert [(row["number"], row["conllu"]) for row in parsed] == [*enumerate(expected)]


def test_steps_of_an_oracle_are_written_to_parquet(cluster: Any, tmp_path: Path) -> None:
    texts = [to_conllu(tree) for tree in sample_treebank("dev")]
    rows = cluster.data.from_items([{"number": number, "conllu": text} for number, text in enumerate(texts)])
    step_rows(rows.repartition(5), system="ArcHybrid", oracle="static").write_parquet(str(tmp_path / "steps"))
    found = pq.read_table(tmp_path / "steps").sort_by([("number", "ascending"), ("step", "ascending")])
    (expected,) = batches(sample_treebank("dev"), "ArcHybrid", oracle="static")
    vocabulary = [*Columns.encode(sample_treebank("dev")).vocabularies["deprel"], None]
    assert found.column("label").to_pylist() == [vocabulary[number] for number in expected.labels]
    for name in ("taken", "step"):
        assert found.column(name).to_pylist() == getattr(expected, name).tolist()
    assert found.column("number").to_pylist() == expected.sentence.tolist()
    assert np.array_equal(np.stack(found.column("features").to_numpy()), expected.features)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (None, "the row {'document': 'b'} has None in the column conllu: give a text"),
        ("1\tGo\t", "the row {'document': 'b'}:1: "),
    ],
)
def test_a_wrong_text_is_an_error_that_names_its_row(
    parser: Parser, monkeypatch: pytest.MonkeyPatch, text: str | None, error: str
) -> None:
    """As workers are given the rows: on a cluster, Ray raises what they raise."""
    monkeypatch.setattr("deptrees.integrations.ray._taken", lambda handle: handle)
    right = to_conllu(next(iter(sample_treebank("dev"))))
    rows = {"document": ["a", "b"], "conllu": [right, text]}
    with pytest.raises((TypeError, ValueError), match=re.escape(error)):
        _parse_batch(rows, handles=[parser], column="conllu", beam=None)
    with pytest.raises((TypeError, ValueError), match=re.escape(error)):
        steps_of_rows(pa.table(rows), system="ArcHybrid", oracle="static")
