"""Tables: what every analysis returns, printed as text, written as CSV or JSON, and handed to pandas."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, Literal

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.drawing.table import DrawnColumn, DrawnTable
from deptrees.extras import require
from deptrees.messages import listed
from deptrees.printable import printable

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Cell", "Column", "Kind", "Table", "array_columns"]

Kind = Literal["key", "count", "share", "number", "text"]
"""What a column has: names of rows, whole numbers, shares that are shown in percent, other numbers, or other text."""

_LONGEST = 60

Cell = str | int | float


@attrs.frozen
class Column:
    """A column of a table.

    Args:
        name: its name.
        values: a value for each row; ``nan`` where there is none.
        kind: what the values are.
    """

    name: str
    values: tuple[Cell, ...] = attrs.field(converter=tuple[Cell, ...])
    kind: Kind = "count"

    def shown(self) -> Iterator[str]:
        """The values as text.

        >>> [*Column("UAS", [0.25, float("nan")], "share").shown(), *Column("words", [1234]).shown()]
        ['25.00%', '–', '1,234']
        """
        for value in self.values:
            if isinstance(value, str):
                yield printable(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…")
            elif isnan(value):
                yield "–"
            else:
                yield format(value, ".2%" if self.kind == "share" else ",d" if isinstance(value, int) else ",.4g")

    @property
    def is_text(self) -> bool:
        """Whether it is set flush left."""
        return self.kind in ("key", "text")


def array_columns(arrays: Mapping[str, npt.NDArray[np.generic]], kind: Kind = "count") -> list[Column]:
    """A column of each array, with its name.

    >>> import numpy as np
    >>> array_columns({"words": np.array([4, 2])})
    [Column(name='words', values=(4, 2), kind='count')]
    """
    return [Column(name, values.tolist(), kind) for name, values in arrays.items()]


def _is_missing(value: object) -> bool:
    return isinstance(value, float) and isnan(value)


@attrs.frozen
class Table:
    """The result of an analysis. The first columns are keys: they say what a row is about.

    Args:
        title: what it shows.
        columns: the columns, all of the same length.
        sentences: for each row, the sentences that it comes from, numbered from 1; empty if they are not known.
        plotted: the columns that a plot shows.

    >>> table = Table("Scores", [Column("label", ["nsubj", "obj"], "key"), Column("LAS", [0.5, 0.25], "share")])
    >>> print(table)
    label     LAS
    -----  ------
    nsubj  50.00%
    obj    25.00%
    >>> table["LAS"]
    (0.5, 0.25)
    """

    title: str
    columns: tuple[Column, ...] = attrs.field(converter=tuple[Column, ...])
    sentences: Sequence[tuple[int, ...]] = ()
    plotted: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[Column, ...]:
        """The columns that say what a row is about."""
        return tuple(column for column in self.columns if column.kind == "key")

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The values, row by row."""
        return [*zip(*(column.values for column in self.columns), strict=True)]

    def __len__(self) -> int:
        return len(self.columns[0].values)

    def row(self, *key: Cell) -> dict[str, Any]:
        """The values of a row by column.

        >>> table = Table("", [Column("label", ["obj"], "key"), Column("LAS", [0.25], "share")], [(1, 7)])
        >>> table.row("obj")
        {'LAS': 0.25, 'sentences': (1, 7)}
        """
        keys = len(self.keys)
        for number, row in enumerate(self.rows):
            if row[:keys] == key:
                return self._values(number)
        raise KeyError(f"there is no row {key!r}")

    def _values(self, number: int) -> dict[str, object]:
        """The values of a row but its keys."""
        found = {column.name: column.values[number] for column in self.columns if column.kind != "key"}
        return {**found, **({"sentences": self.sentences[number]} if self.sentences else {})}

    def __getitem__(self, name: str) -> tuple[Cell, ...]:
        for column in self.columns:
            if column.name == name:
                return column.values
        raise KeyError(f"there is no column {name!r}: choose among {', '.join(column.name for column in self.columns)}")

    def sorted(self, order: Sequence[int]) -> Table:
        """The table with its rows in another order, or with fewer of them.

        Args:
            order: the numbers of the rows, from 0.

        >>> Table("", [Column("label", ["a", "b", "c"], "key")]).sorted([2, 0]).rows
        [('c',), ('a',)]
        """
        columns = [attrs.evolve(column, values=[column.values[row] for row in order]) for column in self.columns]
        return attrs.evolve(self, columns=columns, sentences=self.sentences and [self.sentences[row] for row in order])

    def drawn(self) -> DrawnTable:
        """The table in the form that is written as text, Markdown, HTML and LaTeX.

        >>> print(Table("", [Column("label", ["obj"], "key"), Column("LAS", [0.25], "share")]).drawn().markdown())
        | label | LAS |
        | --- | ---: |
        | obj | 25.00% |
        """
        columns = [DrawnColumn(column.name, "left" if column.is_text else "right") for column in self.columns]
        texts = [[*column.shown()] for column in self.columns]
        if self.sentences:
            columns.append(DrawnColumn("sentences"))
            texts.append([listed(map(str, found)) for found in self.sentences])
        return DrawnTable(columns, [zip(*texts, strict=True)])

    def __str__(self) -> str:
        return self.drawn().text()

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return self.drawn().html()

    def to_csv(self) -> str:
        r"""The table as CSV: shares are numbers up to 1, and sentences are separated by spaces.

        >>> Table("", [Column("label", ["obj"], "key"), Column("LAS", [0.25], "share")], [(1, 7)]).to_csv()
        'label,LAS,sentences\nobj,0.25,1 7\n'
        """
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        sentences = [" ".join(map(str, numbers)) for numbers in self.sentences]
        columns = [*self.columns, *([Column("sentences", sentences, "text")] if sentences else [])]
        writer.writerow([column.name for column in columns])
        for row in zip(*(column.values for column in columns), strict=True):
            writer.writerow(["" if _is_missing(value) else value for value in row])
        return written.getvalue()

    def to_json(self) -> str:
        """The table as JSON: nested objects by the keys of a row, with the values of its other columns by name.

        >>> table = Table("", [Column("label", ["obj"], "key"), Column("LAS", [0.25], "share")], [(1, 7)])
        >>> print(table.to_json())
        {"obj": {"LAS": 0.25, "sentences": [1, 7]}}
        """
        found: dict[str, Any] = {}
        for number, row in enumerate(self.rows):
            place = found
            for key in row[: len(self.keys)]:
                place = place.setdefault(str(key), {})
            cells = self._values(number).items()
            place.update({name: None if _is_missing(value) else value for name, value in cells})
        return json.dumps(found, ensure_ascii=False)

    def to_pandas(self) -> DataFrame:
        """The table as a data frame.

        Raises:
            ModuleNotFoundError: pandas is not installed.
        """
        require("pandas", "data frames need pandas", "pandas")
        from pandas import DataFrame

        columns = {column.name: list(column.values) for column in self.columns}
        return DataFrame({**columns, **({"sentences": list(self.sentences)} if self.sentences else {})})
