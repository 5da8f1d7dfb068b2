"""Tables as plots for papers, drawn with Matplotlib: bars, lines, and matrices."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from itertools import cycle
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING

from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.tables import Cell, Column, Table
from deptrees.extras import require
from deptrees.files.output import write_output
from deptrees.messages import quoted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot"]

_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7")
"""Colors that those who are color-blind tell apart, and of different brightness in gray (Okabe & Ito 2008)."""
_MOST_ROWS, _MOST_BARS, _MOST_NUMBERS = 20, len(_COLORS), 5
_INCH_A_BAR, _INCHES_AROUND, _WIDTH = 0.2, 0.9, 5.5

_Size = tuple[float, float]
"""Width and height, in inches."""


def plot(table: Table, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw a table: a matrix if its rows have two keys of many values, a line along numbers, and bars otherwise.

    Args:
        table: the result of an analysis. The plot has its first twenty rows; a matrix, the twenty most frequent values.
        path: where to save the figure; the ending of the name determines the format: ``.pdf``, ``.svg``, ``.png``.

    Raises:
        ModuleNotFoundError: Matplotlib is not installed.
        EvaluationError: the table has nothing to draw, or there is no such format.
    """
    require("matplotlib", "plots need Matplotlib", "plot")
    import matplotlib
    from matplotlib.figure import Figure

    if not table.plotted or not table.keys or not len(table):
        raise EvaluationError(f"{table.title}: this table has nothing to draw: give an attribute to count by")
    if path is not None and Path(path).suffix[1:].lower() not in Figure().canvas.get_supported_filetypes():
        raise EvaluationError(f"{quoted(os.fspath(path))} does not end in .pdf, .svg or .png, which say the format")
    with matplotlib.rc_context({"font.size": 9, "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure = Figure(layout="constrained")
        axes = figure.add_subplot()
        if len(table.keys) > 1:
            size = _draw_pairs(axes, table)
        elif all(isinstance(key, int) for key in table.keys[0].values) and len(table) > 2:
            size = _draw_lines(axes, table.keys[0], _plotted(table))
        else:
            first = table.sorted(range(min(len(table), _MOST_ROWS)))
            size = _draw_bars(axes, [*map(str, first.keys[0].values)], _plotted(first))
            axes.set_ylabel(table.keys[0].name)
        figure.set_size_inches(*size)
        if path is not None:
            picture = BytesIO()
            figure.savefig(picture, format=Path(path).suffix[1:].lower(), dpi=200)
            write_output(path, [picture.getvalue()])
    return figure


def _plotted(table: Table) -> list[Column]:
    return [column for column in table.columns if column.name in table.plotted]


def _draw_lines(axes: Axes, key: Column, columns: Sequence[Column]) -> _Size:
    """A line for each column, along a key that is a number."""
    for column, color, marker in zip(columns, _COLORS, "osD^", strict=False):
        axes.plot(key.values, column.values, color=color, marker=marker, markersize=3, linewidth=1, label=column.name)
    axes.set_xlabel(key.name)
    _show_axis(axes, "y", columns)
    return _WIDTH, 3


def _draw_bars(axes: Axes, names: Sequence[str], columns: Sequence[Column]) -> _Size:
    """Bars from left to right, those of one row beside each other."""
    height = 0.8 / len(columns)
    for number, (column, color) in enumerate(zip(columns, _COLORS, strict=False)):
        places = [row + (number - (len(columns) - 1) / 2) * height for row in range(len(names))]
        axes.barh(places, column.values, height, color=color, label=column.name)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    _show_axis(axes, "x", columns)
    return _WIDTH, _INCHES_AROUND + _INCH_A_BAR * len(names) * max(1, len(columns) / 2)


def _show_axis(axes: Axes, along: str, columns: Sequence[Column]) -> None:
    """Percent or numbers along an axis, light lines across, no frame, and a legend if there are several columns."""
    from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

    axis = axes.xaxis if along == "x" else axes.yaxis
    if columns[0].kind == "share":
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    else:
        axis.set_major_formatter(StrMethodFormatter("{x:,.9g}"))
        axis.set_major_locator(MaxNLocator(_MOST_NUMBERS, steps=(1, 2, 2.5, 5, 10)))
    axis.grid(color="#DDDDDD", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "bottom" if along == "y" else "left"]].set_visible(False)
    if len(columns) > 1:
        axes.legend(frameon=False, ncols=len(columns), loc="lower left", bbox_to_anchor=(0, 1))
    elif along == "x":
        axes.set_xlabel(columns[0].name)
    else:
        axes.set_ylabel(columns[0].name)


def _draw_pairs(axes: Axes, table: Table) -> _Size:
    """Two keys: bars beside each other if the second one has few values, or else a matrix."""
    ours, theirs = (column.values for column in table.keys[:2])
    shown = table.plotted[0]
    cells = dict(zip(zip(ours, theirs, strict=True), table[shown], strict=True))
    if len({*theirs}) <= _MOST_BARS:
        rows = [*dict.fromkeys(ours)][:_MOST_ROWS]
        others = dict.fromkeys(theirs)
        columns = [Column(str(two), [cells.get((one, two), nan) for one in rows], "share") for two in others]
        size = _draw_bars(axes, [*map(str, rows)], columns)
        axes.set_xlabel(shown)
    else:
        counts = next(column.values for column in table.columns if column.kind == "count")
        is_confusion = table.keys[0].name == "gold"  # equal values are on the diagonal
        sides = [ours + theirs] * 2 if is_confusion else [ours, theirs]
        rows, names = (_most_frequent(side, counts) for side in sides)
        size = _draw_matrix(axes, rows, names, cells)
        axes.set_xlabel(table.keys[1].name)
    axes.set_ylabel(table.keys[0].name)
    return size


def _most_frequent(values: Sequence[Cell], counts: Sequence[Cell]) -> list[Cell]:
    """The most frequent values, in the order of the alphabet."""
    found = Counter[Cell]()
    for value, count in zip(values, cycle(counts), strict=False):
        found[value] += int(count)
    return sorted((value for value, _ in found.most_common(_MOST_ROWS)), key=str)


def _draw_matrix(
    axes: Axes, rows: Sequence[Cell], names: Sequence[Cell], cells: dict[tuple[Cell, Cell], Cell]
) -> _Size:
    """Shares as shades of blue, those of one percent and more as numbers."""
    shares = [[float(cells.get((row, name), nan)) for name in names] for row in rows]
    most = max(share for row in shares for share in row if not isnan(share))
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=most, aspect="equal")
    axes.set_xticks(range(len(names)), [*map(str, names)], rotation=90)
    axes.set_yticks(range(len(rows)), [*map(str, rows)])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for row, values in enumerate(shares):
        for place, share in enumerate(values):
            if not isnan(share) and share >= 0.005:
                color = "white" if share > most / 2 else "black"
                axes.text(place, row, f"{100 * share:.0f}", ha="center", va="center", color=color, fontsize=7)
    return 1.2 + 0.26 * len(names), 1.2 + 0.26 * len(rows)
