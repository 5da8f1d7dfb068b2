"""The command ``describe``."""

from __future__ import annotations

from typing import Annotated

import typer

from deptrees.cli.options import SYSTEM_HELP, Heads, Root, SingleRoot, chosen_system, chosen_trees

__all__ = ["describe"]


def describe(
    system: Annotated[str, typer.Argument(help=SYSTEM_HELP, show_default=False)],
    words: Annotated[
        list[str] | None, typer.Argument(help="With --heads, a sentence to show the derivation of.", show_default=False)
    ] = None,
    heads: Heads = None,
    root: Root = None,
    single_root: SingleRoot = None,
) -> None:
    """Show a transition system: its table, a derivation, its oracles, in Markdown."""
    from deptrees import transition

    if words and heads is None:
        raise typer.BadParameter("give the heads of its words, too", param_hint="--heads")
    tree = None if heads is None else next(iter(chosen_trees(words or [], heads)))
    chosen = chosen_system(system, root, single_root, builds_trees=tree is not None)
    print(transition.describe(chosen, tree), end="")
