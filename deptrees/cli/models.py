"""The command ``models``."""

from __future__ import annotations

import typer

from deptrees.cli.console import say

__all__ = ["models"]


def models() -> None:
    """List the models that are installed as packages, which other commands take by their names."""
    from deptrees.packages.installed import installed_models

    found = installed_models()
    for model in found.values():
        typer.echo(model.card.as_text())
    if not found:
        say("hint", "none is installed: pip install one that deptrees package has made")
