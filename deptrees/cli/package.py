"""The command ``package``."""

from __future__ import annotations

from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated

import typer

import deptrees
from deptrees.cli.console import status
from deptrees.cli.names import check_names
from deptrees.cli.options import OwnSystem, see_modules_here
from deptrees.files.output import STANDARD_STREAM

__all__ = ["package"]


def package(
    model: Annotated[str, typer.Argument(help="A parser made by deptrees train.", show_default=False)],
    name: Annotated[str, typer.Option(help="What to call it: lowercase letters, digits, and hyphens between them.")],
    licence: Annotated[str, typer.Option(help="Its licence, as SPDX names it, such as CC-BY-SA-4.0.")],
    version: Annotated[str, typer.Option(help="Its version; pip installs a greater one over a smaller.")] = "1.0",
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="The folder to write to; default: models/NAME.")
    ] = None,
    test: Annotated[str | None, typer.Option(help="Gold trees, on which it is measured.", show_default=False)] = None,
    tested_on: Annotated[str, typer.Option(help="What these trees are, with the release.", show_default=False)] = "",
    data: Annotated[str, typer.Option(help="What it was trained on, with the release.", show_default=False)] = "",
    command: Annotated[str, typer.Option(help="The command that makes it again.", show_default=False)] = "",
    limits: Annotated[str, typer.Option(help="What it is not made for.", show_default=False)] = "",
    system: OwnSystem = None,
    whole: Annotated[bool, typer.Option("--whole", help="Keep all weights in full, in ten times the room.")] = False,
) -> None:
    """Make a package of a model, which pip installs, and deptrees parse then knows by its name.

    Small weights are left out and the others rounded, which makes the file ten times smaller and the parses hardly
    worse. The package has a card: what the model was made from, its scores, size and speed.
    """
    from deptrees.packages import Card, write_package
    from deptrees.packages.installed import model_file
    from deptrees.packages.writing import check_package, files_of_package

    see_modules_here(system)
    try:
        card = Card(
            name=name,
            licence=licence,
            data=data,
            command=command,
            limits=limits,
            tested_on=tested_on,
            version=deptrees.__version__,
            release=version,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    target = f"models/{name}" if output is None else output
    if target in ("", STANDARD_STREAM):
        raise typer.BadParameter("give the name of a folder", param_hint="'--output'")
    for path in files_of_package(name, target):
        check_names({"model": model_file(model), "test": test, "output": str(path)})
    with TemporaryDirectory() as folder:
        deptrees.load_parser(model, system).save(f"{folder}/model", compact=not whole)
        check_package(name, target)
        if test is not None:
            with status("measuring"):
                card = _measured(card, f"{folder}/model", test)
        card = write_package(f"{folder}/model", card, target)
    typer.echo(card.as_text())


def _measured(card: deptrees.packages.Card, model: str, test: str) -> deptrees.packages.Card:
    """The card with what the model does on gold trees."""
    import attrs

    from deptrees.pipeline import pipeline_scores
    from deptrees.treebanks.raw_text import raw_text

    parser, gold = deptrees.load_parser(model), [*deptrees.Treebank(test)]
    card = attrs.evolve(card, scores=pipeline_scores(parser, gold))
    if parser.tokenizer is None:
        return card
    text, start = raw_text(gold), perf_counter()
    words = sum(len(tree) for tree in parser.parse_text(text))
    return attrs.evolve(card, words_per_second=int(words / (perf_counter() - start)))
