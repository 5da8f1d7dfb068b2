"""The command line: one file for each command; ``console`` and ``options`` hold what the commands share.

Only the command that is run is loaded, and it loads what it uses when it runs, so that it begins at once: public names
of the library from the package itself (``deptrees.Treebank``), which imports them on first use, others in functions.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from inspect import getdoc
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

import deptrees
from deptrees.cli.console import errors_in_a_line

__all__ = ["app"]

_NAMES = (
    *("sample", "draw", "oracle", "explore", "describe", "validate", "convert", "projectivize", "deprojectivize"),
    *("query", "stats", "diagnose", "suspect", "annotate"),
    *("train", "tag", "parse", "evaluate", "analyze", "compare", "package", "models"),
)
_FILES = {name: name for name in _NAMES} | {"deprojectivize": "projectivize"}
"""The file of each command, in the order of help."""
_STYLE: Mapping[str, Any] = {
    "rich_markup_mode": None,  # help as plain text, for which nothing need be loaded
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def _function(name: str) -> Callable[..., None]:
    function: Callable[..., None] = getattr(import_module(f"{__name__}.{_FILES[name]}"), name)
    return function


@cache
def _command(name: str) -> Any:
    alone, function = typer.Typer(add_completion=False, **_STYLE), _function(name)
    if name == "train":  # whose options are declared elsewhere
        from deptrees.cli.declared import with_options

        function = with_options(function)
    alone.command()(errors_in_a_line(function))
    return get_command(alone)


class _Commands(UserDict[str, Any]):
    """The commands by their names, each loaded when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return _command(name)


class _Group(TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": _Commands(_FILES)})

    def format_commands(self, ctx: object, formatter: Any) -> None:
        """Name the commands, without making their options, for which some load what they declare them in."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, (getdoc(_function(name)) or "").partition("\n\n")[0]) for name in _FILES])


app = typer.Typer(
    cls=_Group,
    help="Dependency trees and transition-based parsing. Files are CoNLL-U; - is standard input or output.",
    no_args_is_help=True,
    **_STYLE,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"deptrees {deptrees.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass
