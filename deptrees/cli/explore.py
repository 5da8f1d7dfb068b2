"""The command ``explore``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

import deptrees
from deptrees.cli.console import say
from deptrees.cli.local_page import Browser, Port, serve
from deptrees.cli.options import SYSTEM_HELP, Lenient, Root, SingleRoot, chosen_system

if TYPE_CHECKING:
    from deptrees.search import BaseRanking

__all__ = ["explore"]

_MOST_SENTENCES = 1000
"""How many sentences there are to choose from."""


def explore(
    files: Annotated[
        list[str] | None, typer.Argument(help="CoNLL-U files; a sample treebank if there are none.", show_default=False)
    ] = None,
    system: Annotated[str | None, typer.Option(help=SYSTEM_HELP, show_default=False)] = None,
    root: Root = None,
    single_root: SingleRoot = None,
    model: Annotated[str | None, typer.Option(help="A parser, whose scores are shown with its system.")] = None,
    port: Port = 0,
    browser: Browser = True,
    step: Annotated[str, typer.Option(help="A link to a step, from this or another explorer.")] = "",
    skip_invalid: Lenient = False,
) -> None:
    """Step through derivations in a browser: take any transition, see what it costs and which gold arcs it loses."""
    from deptrees.explorer import Explorer

    if model and not system and not (root is None and single_root is None):
        hint = "'--root'" if root else "'--single-root'"
        raise typer.BadParameter("it means nothing with --model, whose system is taken", param_hint=hint)
    named = None if model and not system else chosen_system(system or "arc-eager", root, single_root)
    ranking = None if model is None else _ranking(model)  # after its system, which may be the one that is named
    if ranking and named and ranking.system != named:
        say("warning", f"scores are shown with the system of the model only, {ranking.system}, not with {named}")
    treebank = deptrees.Treebank(*files, strict=not skip_invalid) if files else deptrees.sample_treebank("dev")
    trees = list(islice(treebank, _MOST_SENTENCES))
    with Explorer(trees, named, ranking, port=port) as explorer:
        serve(explorer, browser, step.partition("#")[2] or step)


def _ranking(path: str) -> BaseRanking:
    try:
        return deptrees.load_parser(path).model.ranking
    except TypeError as error:  # it does not score the transitions of one configuration
        raise typer.BadParameter(str(error), param_hint="'--model'") from None
