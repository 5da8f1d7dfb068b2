"""The command ``parse``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Annotated

import typer
from more_itertools import consume, first

import deptrees
from deptrees.cli.console import ERROR, progress_bar, say
from deptrees.cli.options import Constraints, Files, Lenient, Output, Text, Threads, Words, known_of
from deptrees.files.output import STANDARD_STREAM, check_output, write_output
from deptrees.printable import printable

if TYPE_CHECKING:
    from deptrees import DependencyTree
    from deptrees.distributed import Runner
    from deptrees.parser import Parser, ScoredTree
    from deptrees.treebanks.batch import Batch
    from deptrees.treebanks.columns import Columns

__all__ = ["parse"]


def parse(
    model: Annotated[str, typer.Argument(help="A model made by deptrees train.", show_default=False)],
    files: Files,
    output: Output = "-",
    threads: Threads = 1,
    beam: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="How many derivations to follow at a time; default: as in training."),
    ] = None,
    constraints: Constraints = None,
    confidence: Annotated[
        bool,
        typer.Option("--confidence", help="Write into MISC how probable it is that each head and label is right."),
    ] = False,
    k_best: Annotated[
        int | None, typer.Option(min=1, max=64, help="Write up to this many trees of each sentence, best first.")
    ] = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="Give a head to words that the system leaves without one.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep what is parsed if interrupted, and continue the next time.")
    ] = False,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Parse the I-th of N parts of the files into the folder that --output names."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Parse the files with this many processes into the folder that --output names."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Parse them on a Ray cluster: auto, local, or its address."),
    ] = None,
    text: Text = False,
    words: Words = False,
    skip_invalid: Lenient = False,
) -> None:
    """Parse the sentences of CoNLL-U files: fill in HEAD and DEPREL, and the tags if the model has a tagger.

    With --text, the files are raw text, which "# text" and MISC in the output preserve, including spaces. DEPS is
    emptied, because it would contradict the new tree; everything else stays. Sentences are written as they are parsed,
    so the command works in a pipe on a stream of any length. With --k-best, the comments "# rank = 1" and
    "# score = ..." distinguish the trees of a sentence. With --shard, --workers or --ray, each file is parsed into one
    of the same name in a folder, unless that exists: repeat the command to continue.
    """
    from deptrees.parser import load_parser
    from deptrees.treebanks.batch import batches
    from deptrees.treebanks.completion import completed
    from deptrees.treebanks.resuming import resume_treebank

    if shard or workers or ray:
        if constraints or confidence or k_best or complete or resume or text or words or threads > 1:
            raise typer.BadParameter("--shard, --workers and --ray go together with --beam and --skip-invalid only")
        if workers and ray:
            raise typer.BadParameter("choose one of --workers and --ray")
        _parse_into_folder(model, files, output, beam, not skip_invalid, _shard(shard or "1/1"), workers or 1, ray)
        return
    if confidence and k_best:
        raise typer.BadParameter("choose one of --confidence and --k-best")
    if resume and (k_best or output == STANDARD_STREAM or output.endswith(".gz")):
        raise typer.BadParameter("--resume needs --output with a file that is not compressed, and no --k-best")
    if text and words:
        raise typer.BadParameter("choose one of --text and --words")
    check_output(output)
    parser = load_parser(model)
    if text and parser.tokenizer is None:
        raise typer.BadParameter(f"{model} has no tokenizer: train it with --pipeline", param_hint="--text")
    known = known_of(constraints)
    tokenizer = parser.tokenizer if text else None
    sentences = deptrees.Treebank(*files, strict=not skip_invalid, words=words, tokenizer=tokenizer)
    shown = _shown if output == STANDARD_STREAM and sys.stdout.isatty() else bytes
    needs_trees = confidence or k_best or known or complete
    with progress_bar() as bar:

        def parsed(sentences: Iterable[DependencyTree]) -> Iterator[DependencyTree]:
            trees: Iterator[DependencyTree]
            if k_best:
                found = parser.k_best(sentences, k_best, threads=threads, beam=beam, constraints=known)
                trees = chain.from_iterable(map(_ranked, found))
            else:
                trees = parser.parse(sentences, threads=threads, beam=beam, constraints=known, confidence=confidence)
            if _looks_at_upos(parser):
                trees = _warned(trees)
            if complete:
                trees = chain.from_iterable(completed(batch).trees for batch in batches(trees))
            return bar(trees, "parsing")

        if resume:
            resume_treebank(output, sentences, parsed)
        elif needs_trees:
            write_output(output, (shown(deptrees.to_conllu(tree).encode()) for tree in parsed(sentences)))
        else:
            read = sentences.batches()
            read = _warned_batches(read) if _looks_at_upos(parser) else read
            found = parser.parse_batches(read, threads=threads, beam=beam)
            write_output(output, (shown(batch.conllu()) for batch in bar(found, "parsing", len)))


def _cluster(address: str) -> Runner:
    """A Ray cluster, whose package is an extra."""
    from deptrees.integrations.ray import RayCluster

    return RayCluster(address)


def _shard(text: str) -> tuple[int, int]:
    """Which part of how many, as in 2/3."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise typer.BadParameter(
            f"{text} is no shard: give 1/3, 2/3 or 3/3 for each of three parts", param_hint="--shard"
        )
    return int(number), int(count)


def _parse_into_folder(
    path: str,
    files: list[str],
    folder: str,
    beam: int | None,
    strict: bool,
    shard: tuple[int, int],
    workers: int,
    ray: str | None,
) -> None:
    """Parse each file into one of the same name."""
    from deptrees.distributed import LoadedModel, Workers, parse_files

    model = LoadedModel.load(path, beam, strict=strict)
    runner = Workers(workers) if ray is None else _cluster(ray)
    found = parse_files(model, files, folder, shard, runner)
    if _looks_at_upos(model.parser):
        consume(_warned(islice(deptrees.Treebank(*files, strict=strict), 1)))
    failed = False
    with progress_bar() as bar:
        for manifest in bar(found, "parsing files"):
            if isinstance(manifest, Exception):
                failed = True
                say("error", manifest)
            else:
                for warning in manifest.warnings:
                    say("warning", warning)
    if failed:
        raise typer.Exit(ERROR)


def _looks_at_upos(parser: Parser) -> bool:
    """Whether the sentences must have UPOS for the parser to make sense of them."""
    return parser.tagger is None and "upos" in parser.looks_at


def _warned(trees: Iterable[DependencyTree]) -> Iterator[DependencyTree]:
    """The trees, with a warning of the first one that has no UPOS."""
    told = False
    for tree in trees:
        if not told and not any(token.upos for token in tree):
            say("warning", f"the model looks at UPOS, and {tree.name} has none: tag it, or train with --pipeline")
            told = True
        yield tree


def _warned_batches(batches: Iterable[Batch]) -> Iterator[Batch]:
    """The same for batches; only of a sentence that has no UPOS a tree is made."""
    untold = True
    for batch in batches:
        if untold and (number := _first_without_upos(batch.columns)) is not None:
            [*_warned([batch.trees[number]])]
            untold = False
        yield batch


def _first_without_upos(columns: Columns) -> int | None:
    if "_" not in columns.vocabularies["upos"]:
        return None
    has_tag = columns.words["upos"] != columns.vocabularies["upos"].index("_")
    bounds = pairwise(columns.offsets.tolist())
    return first((number for number, (start, stop) in enumerate(bounds) if not has_tag[start:stop].any()), None)


def _ranked(found: Sequence[ScoredTree]) -> Iterator[DependencyTree]:
    """The trees of a sentence, each with its rank and its score as comments."""
    import attrs

    for rank, (tree, score) in enumerate(found, 1):
        others = [line for line in tree.comments if line[1:].partition("=")[0].strip() not in ("rank", "score")]
        yield attrs.evolve(tree, comments=[*others, f"# rank = {rank}", f"# score = {score:.4f}"])


def _shown(text: bytes) -> bytes:
    """The text as a terminal shows it: it must not obey control characters in the data."""
    return "".join(char if char in "\t\n" else printable(char) for char in text.decode()).encode()
