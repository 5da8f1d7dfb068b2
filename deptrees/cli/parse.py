"""The command ``parse``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deptrees import Treebank, write_treebank
from deptrees.cli.console import progress_bar
from deptrees.cli.options import Files, Lenient

__all__ = ["parse"]


def parse(
    model: Annotated[str, typer.Argument(help="A model made by deptrees train.", show_default=False)],
    files: Files,
    output: Annotated[str, typer.Option("--output", "-o", help="Where to write.")] = "-",
    threads: Annotated[int, typer.Option(min=1, help="The number of threads.")] = 1,
    beam: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="How many derivations to follow at a time; default: as in training."),
    ] = None,
    constraints: Annotated[
        Literal["given", "marked"] | None,
        typer.Option(help="Keep heads: all HEAD and DEPREL that are given, or HEAD where column 9 has a 1."),
    ] = None,
    skip_invalid: Lenient = False,
) -> None:
    """Parse the sentences of CoNLL-U files: fill in HEAD and DEPREL, and UPOS if the model has a tagger.

    DEPS is emptied, for it would contradict them; all else stays. Sentences are written as they are parsed, so that
    the command works in a pipe on a stream of any length.
    """
    from deptrees.parser import Parser
    from deptrees.transition import Constraints

    parser = Parser.load(model)
    known = getattr(Constraints, constraints) if constraints else None
    with progress_bar() as bar:
        sentences = bar(Treebank(*files, strict=not skip_invalid), "parsing")
        write_treebank(output, parser.parse(sentences, threads, beam, constraints=known))
