"""Tables as plain data, written as text, Markdown, HTML and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, takewhile, zip_longest
from operator import attrgetter
from typing import Literal

import attrs

from deptrees.drawing.latex import in_latex
from deptrees.printable import escaped, isolated, printable, terminal_width

__all__ = ["DrawnCell", "DrawnColumn", "DrawnTable", "in_markdown"]

_NARROWEST = 12  # a column that can be cut is left this many characters
_BLANK = "_" * _NARROWEST
"""What is to be filled in, where it is written as text."""

_STYLE = """\
.deptrees-table{border-collapse:collapse;font:14px sans-serif}\
.deptrees-table th,.deptrees-table td{padding:.15em .5em;text-align:left;vertical-align:top}\
.deptrees-table .cut{min-width:11em}\
.deptrees-table .right{text-align:right}\
.deptrees-table thead{border-bottom:1px solid}\
.deptrees-table tbody{border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)}\
.deptrees-table .strong,.deptrees-table .wrong{font-weight:bold}\
.deptrees-table .blank{min-width:9em;height:2em;border:1px solid color-mix(in srgb,currentColor 25%,transparent)}\
.deptrees-table .wrong{color:#c8500a;color:light-dark(#b84600,#ff9a55)}"""

_MARKDOWN = re.compile(r"[\\`*\[\]|]|(?<![^\W_])_|_(?![^\W_])|<(?=[\w/!?])|&(?=#?\w+;)")
"""What means something in Markdown."""
_MATHS = {
    "σ": r"$\sigma$",
    "σ'": r"$\sigma'$",
    "β": r"$\beta$",
    "λ": r"$\lambda$",
    "λ1": r"$\lambda_1$",
    "λ2": r"$\lambda_2$",
    "i": "$i$",
}
"""What the parts of configurations are called in LaTeX, where they are titles."""


@attrs.frozen
class DrawnColumn:
    """A column of a table.

    Args:
        title: what stands above it.
        align: at which side its cells begin.
        can_be_cut: whether its cells may lose their ends where a terminal is too narrow, or, if they are aligned to the
            right, their beginnings; in HTML they go on in the next line.
        group: what stands above the titles of neighboring columns, if anything.
    """

    title: str
    align: Literal["left", "right"] = "left"
    can_be_cut: bool = False
    group: str = ""


@attrs.frozen
class DrawnCell:
    """One or several lines below a title, which may be stressed or say what is wrong, and lead somewhere in HTML.

    One that is blank is left for a student to fill in, and its text is empty.
    """

    text: str
    mark: Literal["plain", "strong", "wrong", "blank"] = "plain"
    link: str = ""


Row = tuple[DrawnCell, ...]


def _columns(columns: Iterable[DrawnColumn | str]) -> tuple[DrawnColumn, ...]:
    return tuple([DrawnColumn(column) if isinstance(column, str) else column for column in columns])


def _row(cells: Iterable[DrawnCell | str]) -> Row:
    return tuple([DrawnCell(cell) if isinstance(cell, str) else cell for cell in cells])


def _groups(groups: Iterable[Iterable[Iterable[DrawnCell | str]]]) -> tuple[tuple[Row, ...], ...]:
    return tuple([tuple(map(_row, rows)) for rows in groups])


@attrs.frozen
class DrawnTable:
    r"""Titles, and rows of cells below them.

    Args:
        columns: the columns; strings are the titles of plain ones.
        groups: rows, by what belongs together, such as all of a step; strings are plain cells.

    >>> table = DrawnTable(["", "arc"], [[["1", DrawnCell("a → b", "strong")]], [["2", "b → c"], ["", "b | d"]]])
    >>> print(table.text())
       arc
    -  -------
    1  ▸ a → b
    2    b → c
         b | d
    >>> print(table.markdown())
    |  | arc |
    | --- | --- |
    | 1 | **a → b** |
    | 2 | b → c |
    |  | b \| d |
    """

    columns: tuple[DrawnColumn, ...] = attrs.field(converter=_columns)
    groups: tuple[tuple[Row, ...], ...] = attrs.field(converter=_groups)

    def beside(self, other: DrawnTable) -> DrawnTable:
        """This table and another one to the right of it, group by group."""
        blank, other_blank = (DrawnCell(""),) * len(self.columns), (DrawnCell(""),) * len(other.columns)
        groups = [
            [(ours or blank) + (theirs or other_blank) for ours, theirs in zip_longest(left, right)]
            for left, right in zip_longest(self.groups, other.groups, fillvalue=())
        ]
        return DrawnTable(self.columns + other.columns, groups)

    def text(self, width: int | None = None) -> str:
        """The table for a terminal, with ``▸`` before what is stressed; what is wider is cut, if the columns can be."""
        stressed = {index for row in self._rows() for index, cell in enumerate(row) if cell.mark == "strong"}
        lines = [[printable(column.title) for column in self.columns]]
        for row in self._rows():
            texts = [_lines(cell, index in stressed) for index, cell in enumerate(row)]
            lines += [list(line) for line in zip_longest(*texts, fillvalue="")]
        widths = [max(map(terminal_width, cells)) for cells in zip(*lines, strict=True)]
        last = -1
        for group, span in self._spans():
            first, last = last + 1, last + span
            widths[last] += max(terminal_width(printable(group)) - sum(widths[first : last + 1]) - 2 * (span - 1), 0)
        if width is not None:
            self._narrow(widths, width)
        lines.insert(1, ["-" * columns for columns in widths])
        if self._has_groups:
            lines.insert(0, [])
        groups = self._group_line(widths)
        fitted = ["  ".join(map(_fitted, line, widths, self.columns)) if line else groups for line in lines]
        return "\n".join(line.rstrip() for line in fitted)

    def _narrow(self, widths: list[int], total: int) -> None:
        """Take from the widest columns that can be cut until all fit, or none can be cut any more."""
        wide = [index for index, column in enumerate(self.columns) if column.can_be_cut]
        for _ in range(sum(widths) + 2 * (len(widths) - 1) - total):
            widest = max(wide, key=widths.__getitem__, default=None)
            if widest is None or widths[widest] <= _NARROWEST:
                return
            widths[widest] -= 1

    def _group_line(self, widths: Sequence[int]) -> str:
        """What stands above the titles, each part where its columns begin."""
        line, column = "", 0
        for group, span in self._spans():
            start = sum(widths[:column]) + 2 * column
            line, column = line + " " * (start - terminal_width(line)) + printable(group), column + span
        return line

    def markdown(self) -> str:
        """The table in Markdown, as GitHub reads it: what is stressed or wrong is bold."""
        starts = [part for group, span in self._spans() for part in (group, *[""] * (span - 1))]
        titles = zip(starts, [column.title for column in self.columns], strict=True)
        lines = [
            [in_markdown(": ".join(filter(None, title))) for title in titles],
            ["---:" if column.align == "right" else "---" for column in self.columns],
            *[[_in_markdown(cell) for cell in row] for row in self._rows()],
        ]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def html(self) -> str:
        """The table as an HTML element that brings its own style."""
        spans = "".join(f'<th colspan="{span}">{escaped(group)}</th>' for group, span in self._spans())
        titles = "".join(
            f'<th scope="col" class="{column.align}">{escaped(column.title)}</th>' for column in self.columns
        )
        head = (f"<tr>{spans}</tr>" if self._has_groups else "") + f"<tr>{titles}</tr>"
        body = "".join(f"<tbody>{''.join(map(self._html_row, rows))}</tbody>" for rows in self.groups)
        return f'<style>{_STYLE}</style><table class="deptrees-table"><thead>{head}</thead>{body}</table>'

    def _html_row(self, row: Row) -> str:
        cells = []
        for cell, column in zip(row, self.columns, strict=True):
            classes = f"{column.align} {cell.mark}{' cut' if column.can_be_cut else ''}"
            lines = cell.text.replace(" → ", "\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}").split("\n")
            text = "<br/>".join(map(isolated, lines))
            linked = f'<a href="{escaped(cell.link)}">{text}</a>' if cell.link else text
            cells.append(f'<td class="{classes}">{linked}</td>')
        return f"<tr>{''.join(cells)}</tr>"

    def latex(self) -> str:
        """The table as a ``tabular``, with the rules of the package booktabs: what is stressed or wrong is bold."""
        titles = [_MATHS.get(column.title) or in_latex(column.title) for column in self.columns]
        heads = [rf"\multicolumn{{{span}}}{{l}}{{{in_latex(group)}}}" for group, span in self._spans()]
        rows = [[_in_latex(cell) for cell in row] for row in self._rows()]
        lines = [*([heads] if self._has_groups else []), titles, *rows]
        written = [f"  {' & '.join(line)} \\\\" for line in lines]
        written.insert(len(lines) - len(rows), r"  \midrule")
        aligned = "".join(column.align[0] for column in self.columns)
        start = rf"\begin{{tabular}}{{{aligned}}}"
        return "\n".join([start, r"  \toprule", *written, r"  \bottomrule", r"\end{tabular}"])

    @property
    def _has_groups(self) -> bool:
        return any(column.group for column in self.columns)

    def _rows(self) -> Iterator[Row]:
        return (row for rows in self.groups for row in rows)

    def _spans(self) -> list[tuple[str, int]]:
        """What stands above the titles, each with the number of columns that it is for."""
        return [(group, len(list(columns))) for group, columns in groupby(self.columns, attrgetter("group"))]


def _in_markdown(cell: DrawnCell) -> str:
    if cell.mark == "blank":
        return in_markdown(_BLANK)
    return _stressed(in_markdown(cell.text), cell, "**", "**")


def _stressed(text: str, cell: DrawnCell, before: str, after: str) -> str:
    return f"{before}{text}{after}" if text and cell.mark != "plain" else text


def in_markdown(text: str) -> str:
    r"""The text as Markdown shows it, whatever is in it.

    >>> print(in_markdown("<b>*a_b*</b>"))
    &lt;b>\*a_b\*&lt;/b>
    """
    entities = {"<": "&lt;", "&": "&amp;"}
    lines = [printable(line) for line in text.split("\n")]
    return "<br>".join(_MARKDOWN.sub(lambda found: entities.get(found[0], f"\\{found[0]}"), line) for line in lines)


def _in_latex(cell: DrawnCell) -> str:
    if cell.mark == "blank":
        return r"\rule{0pt}{4ex}\underline{\hspace{3cm}}"
    lines = r"\\".join(map(in_latex, cell.text.split("\n")))
    text = rf"\shortstack[l]{{{lines}}}" if "\n" in cell.text else lines
    return _stressed(text, cell, r"\textbf{", "}")


def _lines(cell: DrawnCell, stressed: bool) -> list[str]:
    """The lines of a cell in text; where others of the column are stressed, all stand as far to the right."""
    lines = [printable(line) for line in (_BLANK if cell.mark == "blank" else cell.text).split("\n")]
    return [("▸ " if cell.mark == "strong" else "  ") + line for line in lines] if stressed else lines


def _fitted(text: str, width: int, column: DrawnColumn) -> str:
    """The text with as many columns of the terminal as it is given."""
    if terminal_width(text) > width:
        step = -1 if column.align == "right" else 1  # the words are looked at from the end that is kept
        words = text.split(" ")[::step]
        ends = accumulate(map(terminal_width, words), lambda end, width: end + 1 + width)
        kept = [word for word, _ in zip(words, takewhile(lambda end: end <= width - 2, ends), strict=False)]
        text = " ".join([*kept, "…"][::step])
    blank = " " * max(width - terminal_width(text), 0)
    return blank + text if column.align == "right" else text + blank
