"""Tables as text, CSV, JSON, data frames and plots."""

import csv
import io
import json
from math import nan
from pathlib import Path
from typing import Any

import pytest

from deptrees import EvaluationError, Predictions, analyze, compare, sample_treebank, statistics
from deptrees.evaluation import Column, Table, confusions, precision_and_recall
from tests.evaluation.test_analysis import shifted

GOLD = list(sample_treebank("dev"))
PREDICTIONS = Predictions.of(GOLD, [*map(shifted, GOLD)])
TABLES = {
    "bars": analyze(PREDICTIONS, "label"),
    "lines": analyze(PREDICTIONS, "distance"),
    "groups": analyze(PREDICTIONS, "label,direction"),
    "two columns": precision_and_recall(PREDICTIONS),
    "two parsers": compare(PREDICTIONS, Predictions.of(GOLD, GOLD), "depth"),
    "confusions": confusions(PREDICTIONS, "head-tag"),
    "matrix": statistics(GOLD, "tag,head-tag"),
    "many rows": statistics(GOLD, "form"),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_form_says_the_same(name: str) -> None:
    table = TABLES[name]
    columns = [column.name for column in table.columns]
    keys = len(table.keys)
    read = list(csv.DictReader(io.StringIO(table.to_csv())))
    found = json.loads(table.to_json())
    assert len(read) == len(table) == len(str(table).splitlines()) - 2
    for number, row in enumerate(table.rows):
        assert [read[number][column] for column in columns] == ["" if value != value else str(value) for value in row]
        assert read[number]["sentences"] == " ".join(map(str, table.sentences[number]))
        place = found
        for key in row[:keys]:
            place = place[str(key)]
        expected = {c: None if v != v else v for c, v in zip(columns[keys:], row[keys:], strict=True)}
        assert place == {**expected, "sentences": list(table.sentences[number])}


def test_text_is_aligned_in_every_script() -> None:
    table = Table("", [Column("form", ["a", "日本", "e\u0301", "\x1b[1m"], "key"), Column("words", [1, 20, 3, 4])])
    assert str(table).splitlines() == [
        "form     words",
        "-------  -----",
        "a            1",
        "日本        20",
        "e\u0301            3",
        "\\x1b[1m      4",
    ]


def test_what_is_not_in_a_table_is_told() -> None:
    table = TABLES["bars"]
    with pytest.raises(KeyError, match="there is no column 'las': choose among label, words"):
        table["las"]
    with pytest.raises(KeyError, match="there is no row"):
        table.row("no such label")


def test_a_table_becomes_a_data_frame() -> None:
    pytest.importorskip("pandas")
    frame = TABLES["groups"].to_pandas()
    assert [*frame.columns] == ["label", "direction", "words", "errors", "UAS", "LAS", "labels", "exact", "sentences"]
    assert frame.words.sum() == sum(map(len, GOLD))


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_drawn(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from deptrees.evaluation import plot

    [axes] = plot(TABLES[name], tmp_path / "figure.svg").axes
    drawn = (tmp_path / "figure.svg").read_text("utf-8")
    assert drawn.count("<text") > 5
    if name == "bars":
        assert [label.get_text() for label in axes.get_yticklabels()] == [*TABLES[name]["label"]][:20]
        bars: Any = axes.patches
        assert [bar.get_width() for bar in bars] == [*TABLES[name]["LAS"]][:20]
    if name == "confusions":
        names = [[label.get_text() for label in axis.get_ticklabels()] for axis in (axes.xaxis, axes.yaxis)]
        assert names[0] == names[1]


def test_axes_have_percent_for_shares_and_numbers_otherwise() -> None:
    pytest.importorskip("matplotlib")
    from deptrees.evaluation import plot

    names = Column("parser", ["ours", "theirs"], "key")
    for column, shown in (
        (Column("words/s", [1_290_731, 64_325], "number"), ["0", "500,000"]),
        (Column("words", [4, 7]), ["0", "2"]),
        (Column("LAS", [0.75, 0.5], "share"), ["0%", "10%"]),
    ):
        figure = plot(Table("", [names, column], plotted=(column.name,)))
        figure.draw_without_rendering()
        assert [label.get_text() for label in figure.axes[0].get_xticklabels()][:2] == shown


def test_what_cannot_be_drawn_is_told() -> None:
    pytest.importorskip("matplotlib")
    from deptrees.evaluation import plot

    for table in statistics(GOLD), analyze(PREDICTIONS), Table("", [Column("a", [nan], "share")]):
        with pytest.raises(EvaluationError, match="this table has nothing to draw"):
            plot(table)
