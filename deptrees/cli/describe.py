"""The command ``describe``."""

from __future__ import annotations

from typing import Annotated

import typer

from deptrees.cli.options import SYSTEM_HELP, Root, SingleRoot, chosen_system

__all__ = ["describe"]


def describe(
    system: Annotated[str, typer.Argument(help=SYSTEM_HELP, show_default=False)],
    root: Root = None,
    single_root: SingleRoot = False,
) -> None:
    """Show a transition system: its table, a derivation, its oracles, in Markdown."""
    from deptrees import transition

    print(transition.describe(chosen_system(system, root, single_root)), end="")
