"""Tables on standard output, in the form that options ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import deptrees
from deptrees.files.output import write_output

if TYPE_CHECKING:
    from deptrees.evaluation.pairs import Trees
    from deptrees.evaluation.tables import Table

__all__ = ["By", "Csv", "Html", "Json", "Plot", "Train", "Universal", "Where", "compared", "save_page", "show"]

By = Annotated[str, typer.Option(help="Attributes separated by commas, such as label,direction or tag,distance:1:2:6.")]
Where = Annotated[
    list[str] | None, typer.Option(help="Count only these: tag!=PUNCT, label=nsubj|obj, length=..20. Can be repeated.")
]
Universal = Annotated[
    bool, typer.Option("--universal", help="Compare only the universal part of labels, before the colon.")
]
Train = Annotated[str | None, typer.Option(help="Training data, for the attribute known.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Html = Annotated[
    str | None, typer.Option(help="Also save a page: the table, and drawings of the sentences of its rows.")
]
Plot = Annotated[str | None, typer.Option(help="Also save a plot, as a .pdf, .svg or .png file.")]


def compared(
    gold: str, predicted: str, where: list[str] | None, universal: bool, train: str | None = None
) -> deptrees.Predictions:
    """The trees of one file, compared with those of another."""
    trees, known = map(deptrees.Treebank, (gold, predicted)), deptrees.Treebank(train) if train else None
    return deptrees.Predictions.of(*trees, where=where or (), universal=universal, train=known)


def show(table: Table, json: bool = False, csv: bool = False, plot: str | None = None) -> None:
    """Print a table, and save the plot of it that is asked for."""
    if plot:
        from deptrees.evaluation import plot as draw

        draw(table, plot)
    if csv:
        print(table.to_csv(), end="")
    else:
        print(table.to_json() if json else table)


def save_page(path: str, table: Table, gold: Trees, *predicted: Trees) -> None:
    """Save a page of a table, in which rows lead to their sentences, drawn."""
    from deptrees.evaluation import drawn_sentences

    write_output(path, map(str.encode, drawn_sentences(table, gold, *predicted)))
