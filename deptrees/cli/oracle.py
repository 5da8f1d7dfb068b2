"""The command ``oracle``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from deptrees import DependencyTree, Treebank
from deptrees.cli.options import SYSTEM_HELP, Files, Labels, Lenient, OracleName, Root, SingleRoot, chosen_system
from deptrees.drawing.printable import printable

if TYPE_CHECKING:
    from rich.table import Table

    from deptrees.transition import OracleSequence

__all__ = ["oracle"]

_MOST_FORMS = 4
"""How many forms of a stack or a buffer fit in a cell."""


def oracle(
    files: Files,
    system: Annotated[str, typer.Option(help=SYSTEM_HELP)] = "arc-eager",
    root: Root = None,
    single_root: SingleRoot = False,
    oracle: Annotated[OracleName, typer.Option(help="Which oracle to follow.")] = "static",
    labels: Labels = False,
    skip_invalid: Lenient = False,
) -> None:
    """Show the derivation of each tree: every configuration with its gold transitions."""
    from rich.console import Console

    from deptrees.transition import Oracle, UnparsableTree, typed, untyped

    sequences = Oracle(chosen_system(system, root, single_root), oracle, typed if labels else untyped)
    console = Console(highlight=False, markup=False)
    for number, tree in enumerate(Treebank(*files, strict=not skip_invalid), 1):
        console.print(printable(tree.sent_id or str(number)), style="bold")
        sequence = sequences(tree)
        if isinstance(sequence, UnparsableTree):
            console.print(printable(str(sequence.error)), style="yellow", soft_wrap=True)
            continue
        console.print(_derivation(tree, sequence))


def _derivation(tree: DependencyTree, sequence: OracleSequence) -> Table:
    """The steps of a derivation. Configurations without a stack and a buffer are shown in their own notation."""
    from rich.table import Column, Table

    from deptrees.transition import StackBufferConfiguration, StackBufferSystem

    on_stack = isinstance(sequence.oracle.system, StackBufferSystem)
    columns = [Column("stack", justify="right"), "buffer"] if on_stack else ["configuration"]
    table = Table("", *columns, Column("gold", no_wrap=True))
    for count, step in enumerate(sequence.steps(), 1):
        if isinstance(step.config, StackBufferConfiguration):
            stack, buffer = _forms(tree, step.config.stack[::-1]), _forms(tree, step.config.buffer)
            cells = [" ".join(reversed(stack)), " ".join(buffer)]
        else:
            cells = [repr(step.config).partition(": ")[2]]
        table.add_row(str(count), *cells, " ".join(map(repr, step.gold)))
    return table


def _forms(tree: DependencyTree, positions: tuple[int, ...]) -> list[str]:
    """The first forms, as many as fit in a cell."""
    return [printable(tree[position].form) for position in positions[:_MOST_FORMS]] + ["…"] * (
        len(positions) > _MOST_FORMS
    )
