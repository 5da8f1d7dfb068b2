"""The command ``parse``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

import deptrees
from deptrees.cli.console import ERROR, messages, progress_bar, say
from deptrees.cli.options import (
    Constraints,
    Files,
    Lenient,
    Output,
    OwnSystem,
    Text,
    Threads,
    Words,
    see_modules_here,
)
from deptrees.files.output import STANDARD_STREAM, check_output, write_output
from deptrees.printable import printable

if TYPE_CHECKING:
    from deptrees.distributed import LoadedModel, Manifest, Runner
    from deptrees.engine.incremental import IncrementRecord
    from deptrees.file_parsing import FileParsing

__all__ = ["parse"]


def parse(
    model: Annotated[
        str, typer.Argument(help="A model made by deptrees train, or the name of an installed one.", show_default=False)
    ],
    files: Files,
    output: Output = "-",
    threads: Threads = 1,
    beam: Annotated[
        int | None, typer.Option(min=1, max=64, help="Derivations to follow at a time; default: as in training.")
    ] = None,
    constraints: Constraints = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Write into MISC how probable it is that each head and label is right.")
    ] = False,
    k_best: Annotated[
        int | None, typer.Option(min=1, max=64, help="Write up to this many trees of each sentence, best first.")
    ] = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="Give a head to words that the system leaves without one.")
    ] = False,
    keep_deps: Annotated[
        bool, typer.Option("--keep-deps", help="Keep DEPS and empty nodes of sentences whose heads and labels stay.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep what is parsed if interrupted, and continue the next time.")
    ] = False,
    shard: Annotated[
        str | None, typer.Option(metavar="I/N", help="Parse part I of N of the files, into the folder after --output.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Parse the files with as many processes, into the folder after --output.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Parse them on a Ray cluster: auto, local, or its address.")
    ] = None,
    incremental: Annotated[
        bool, typer.Option("--incremental", help="Write what is known after each word, in lines of JSON.")
    ] = False,
    text: Text = False,
    lines: Annotated[bool, typer.Option("--lines", help="With --text: each line is a sentence.")] = False,
    ranges: Annotated[
        bool, typer.Option("--ranges", help="With --text: write into MISC where tokens are, as TokenRange=0:5.")
    ] = False,
    words: Words = False,
    system: OwnSystem = None,
    skip_invalid: Lenient = False,
) -> None:
    """Parse the sentences of CoNLL-U files: fill in HEAD and DEPREL, and the tags if the model has a tagger.

    With --text, the files are raw text, which "# text" and MISC in the output preserve, including spaces. DEPS is
    emptied, and empty nodes are left out, because they would contradict the new tree; with --keep-deps, only where
    heads or labels change. Everything else stays. Sentences are written as they are parsed, so the command works in a
    pipe on a stream of any length. With --k-best, the comments "# rank = 1" and "# score = ..." distinguish the trees
    of a sentence. With --shard, --workers or --ray, each file is parsed into one of the same name in a folder, with a
    manifest: repeat the command to continue. No file without one is replaced. Matches of a pattern with folders in it,
    such as "corpus/*/*.conllu", keep their folders.

    With --incremental, the parser reads word by word, and looks ahead no further than it was trained to. After each
    word there is a line with its position, its form, how many derivations the beam keeps, their share of all
    probability, their entropy in bits, the depth of the best one's stack, the arcs that are certain, and the
    configurations, or the --k-best of them.
    """
    from deptrees.file_parsing import FileParsing
    from deptrees.treebanks.resuming import resume_batches

    pairs: dict[str, tuple[object, object]] = {
        "--confidence and --k-best": (confidence, k_best),
        "--keep-deps and --k-best": (keep_deps, k_best),
        "--text and --words": (text, words),
    }
    whole: dict[str, object] = {
        "--constraints": constraints,
        "--confidence": confidence,
        "--complete": complete,
        "--keep-deps": keep_deps,
        "--resume": resume,
    }
    whole |= {"--shard": shard, "--workers": workers, "--ray": ray, "--text": text, "--threads": threads > 1}
    pairs |= {f"--incremental and {name}": (incremental, given) for name, given in whole.items()}
    for names, given in {**pairs, "--workers and --ray": (workers, ray)}.items():
        if all(given):
            raise typer.BadParameter(f"choose one of {names}")
    if (lines or ranges) and not text:
        raise typer.BadParameter("--lines and --ranges need --text")
    parsing = FileParsing(
        text=text,
        lines=lines,
        ranges=ranges,
        words=words,
        strict=not skip_invalid,
        beam=beam,
        constraints=constraints,
        confidence=confidence,
        k_best=k_best,
        complete=complete,
        keep_deps=keep_deps,
    )
    see_modules_here(system)
    if shard or workers or ray:
        from deptrees.distributed import LoadedModel

        if resume:
            raise typer.BadParameter("repeat the command to continue: --resume is for a single output file")
        loaded = LoadedModel.load(model, parsing, threads, system)
        _parse_into_folder(model, loaded, files, output, _shard(shard or "1/1"), _runner(workers, ray))
        return
    if resume and (k_best or output == STANDARD_STREAM):
        raise typer.BadParameter("--resume needs --output with the name of a file, and no --k-best")
    if output.endswith((".parquet", ".jsonl", ".json")) and not incremental:
        reason = "parses are in CoNLL-U: write x.conllu, and turn it into another format with deptrees convert"
        raise typer.BadParameter(reason, param_hint="'--output'")
    check_output(output)
    parser = deptrees.load_parser(model, system)
    _check_tokenizer(model, parser, parsing)
    _say_what_it_writes(parser, confidence)
    _warn_of_beam(parser, beam, incremental)
    batches = parsing.treebank(parser, *files).batches()
    shown = _shown if output == STANDARD_STREAM and sys.stdout.isatty() else bytes
    with progress_bar() as bar:
        if incremental:
            trees = (tree for batch in parser.watched(batches, fewest=1) for tree in batch.trees)
            write_output(output, map(shown, bar(_word_by_word(parser, trees, beam, k_best), "parsing words")))
        elif resume:
            resume_batches(output, batches, lambda rest: bar(parsing(parser, rest, threads), "parsing", len))
        else:
            parsed = bar(parsing(parser, batches, threads), "parsing", len)
            write_output(output, (shown(batch.conllu()) for batch in parsed))


def _say_what_it_writes(parser: deptrees.Parser, confidence: bool) -> None:
    """Say what sort of probabilities are written, if any are."""
    if confidence and parser.calibration:
        say("hint", f"HeadConfidence and Confidence are {parser.calibration.kind}")


def _warn_of_beam(parser: deptrees.Parser, beam: int | None, incremental: bool) -> None:
    """Say so if a linear parser is to parse in another way than it has learned to."""
    from deptrees.training.options import LinearOptions

    if not isinstance(parser.settings, LinearOptions):
        return
    trained = parser.settings.beam
    if incremental and trained > 1:
        say("warning", "the model was trained with a beam, and parses worse word by word: train it with --beam 1")
    elif not incremental and trained == 1 and (beam or 1) > 1:
        say("warning", f"the model was trained without a beam, and parses worse with one: train it with --beam {beam}")


def _word_by_word(
    parser: deptrees.Parser, trees: Iterable[deptrees.DependencyTree], beam: int | None, most: int | None
) -> Iterator[bytes]:
    """What is known after each word, in lines of JSON."""
    try:
        parser.incremental(beam=beam)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--incremental") from None
    for number, tree in enumerate(trees, 1):
        for known in parser.incremental(beam=beam).read(tree.words):
            record: IncrementRecord = {"sentence": tree.sent_id or str(number), **known.record(most)}
            yield f"{json.dumps(record, ensure_ascii=False)}\n".encode()


def _check_tokenizer(path: str, parser: deptrees.Parser, parsing: FileParsing) -> None:
    """Make sure that the model can divide raw text if it has to."""
    if parsing.text and parser.tokenizer is None:
        raise typer.BadParameter(f"{path} has no tokenizer: train it with --pipeline", param_hint="--text")


def _runner(workers: int | None, ray: str | None) -> Runner:
    """Who parses the files: processes of this machine, or a Ray cluster, whose package is an extra."""
    from deptrees.distributed import Workers

    if ray is None:
        return Workers(workers or 1)
    from deptrees.integrations.ray import RayCluster

    return RayCluster(ray)


def _shard(text: str) -> tuple[int, int]:
    """Which part of how many, as in 2/3."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        reason = f"{text} is no shard: give 1/3, 2/3 or 3/3 for each of three parts"
        raise typer.BadParameter(reason, param_hint="--shard")
    return int(number), int(count)


def _parse_into_folder(
    path: str, model: LoadedModel, files: list[str], folder: str, shard: tuple[int, int], runner: Runner
) -> None:
    """Parse each file into one of the same name, and say how much it was."""
    from deptrees.distributed import parse_files
    from deptrees.messages import counted

    _check_tokenizer(path, model.parser, model.parsing)
    _say_what_it_writes(model.parser, model.parsing.confidence)
    number, count = shard
    n_files = len(deptrees.Treebank(*files).paths[number - 1 :: count])
    done: list[Manifest] = []
    with progress_bar() as bar:
        for manifest in bar(parse_files(model, files, folder, shard, runner), "parsing files", total=n_files):
            if isinstance(manifest, Exception):
                say("error", manifest)
                continue
            done.append(manifest)
            for warning in manifest.warnings:
                say("warning", warning)
    sentences, words = (sum(getattr(manifest, what) for manifest in done) for what in ("sentences", "words"))
    parsed = f"{len(done):,} of {counted(n_files, 'file')}"
    messages().print(f"parsed {parsed}: {counted(sentences, 'sentence')}, {counted(words, 'word')}")
    if len(done) < n_files:
        raise typer.Exit(ERROR)


def _shown(text: bytes) -> bytes:
    """The text as a terminal shows it: it must not obey control characters in the data."""
    return "".join(char if char in "\t\n" else printable(char) for char in text.decode()).encode()
