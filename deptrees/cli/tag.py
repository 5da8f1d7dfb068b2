"""The command ``tag``."""

from __future__ import annotations

from typing import Annotated

import typer

import deptrees
from deptrees.cli.console import progress_bar
from deptrees.cli.options import Files, Lenient, Output, Threads, Words
from deptrees.files.output import check_output, write_output

__all__ = ["tag"]


def tag(
    model: Annotated[
        str,
        typer.Argument(
            help="A model made by deptrees train --pipeline, or the name of an installed one.", show_default=False
        ),
    ],
    files: Files,
    output: Output = "-",
    threads: Threads = 1,
    words: Words = False,
    skip_invalid: Lenient = False,
) -> None:
    """Tag the words of CoNLL-U files: fill in the tags and lemmas that the tagger has learned. The rest stays."""
    from deptrees import Tagger
    from deptrees.packages.installed import model_file
    from deptrees.treebanks.batch import in_order

    check_output(output)
    tagger = Tagger.load(model_file(model))
    treebank = deptrees.Treebank(*files, strict=not skip_invalid, words=words, heads=False)
    tagged = in_order(tagger, treebank.batches(), threads)
    with progress_bar() as bar:
        write_output(output, (batch.conllu() for batch in bar(tagged, "tagging", len)))
