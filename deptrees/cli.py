"""The command line: a thin face of the library's functions."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal, TypeVar

import attrs
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

import deptrees
from deptrees import DependencyTree, Treebank, transition
from deptrees.features import WITH_FEATS, ZHANG_NIVRE
from deptrees.features.embeddings import EmbeddingsError, clusters, read_embeddings
from deptrees.files.output import check_folder
from deptrees.parser import Epoch, ModelError, Parser, TrainingError
from deptrees.tagger import Tagger, jackknifed
from deptrees.transition import (
    Oracle,
    OracleSequence,
    StackBufferConfiguration,
    StackBufferSystem,
    UnparsableTree,
    typed,
    untyped,
)
from deptrees.transition.oracles import BY_NAME

__all__ = ["app"]

app = typer.Typer(
    help="Dependency trees and transition-based parsing. Files are CoNLL-U; - is standard input or output.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_messages = Console(stderr=True, highlight=False)
_EXPECTED = (
    OSError,
    deptrees.ConlluError,
    deptrees.EvaluationError,
    transition.LossNotFound,
    transition.OracleNotDefined,
    EmbeddingsError,
    ModelError,
    TrainingError,
)
"""What can go wrong through no fault of the program's: told in one line, without a traceback."""

_MOST_CLUSTERS = 1000

_T = TypeVar("_T")

_FILES = typer.Argument(help="CoNLL-U files; patterns, .gz and - for standard input are fine.", show_default=False)
_OUTPUT = typer.Option("--output", "-o", help="Where to write.")
_LENIENT = typer.Option("--skip-invalid", help="Skip sentences that are not valid and say how many.")

Files = Annotated[list[str], _FILES]
Lenient = Annotated[bool, _LENIENT]
System = Annotated[str, typer.Option(help="The transition system, such as ArcHybrid or 'Attardi(3)'.")]
Root = Annotated[
    Literal["first", "last", "none"] | None,
    typer.Option(help="Where ROOT stands: before or behind the words, or nowhere."),
]
SingleRoot = Annotated[bool, typer.Option("--single-root", help="Give ROOT one child only.")]
OracleName = Literal[
    "static", "static_prefer_shift", "static_lazy_swap", "nondeterministic", "dynamic", "approximate_dynamic"
]

_SYSTEMS: dict[str, type[transition.System]] = {
    name: kind
    for name, kind in vars(transition).items()
    if isinstance(kind, type) and issubclass(kind, transition.System) and not inspect.isabstract(kind)
}


def _command(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command that tells what went wrong, and what was skipped, in a line of its own."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("always", deptrees.TreebankWarning)
            warnings.showwarning = lambda message, *_: _tell("[yellow]warning:[/]", message)
            try:
                function(*args, **kwargs)
                sys.stdout.flush()
            except BrokenPipeError:
                raise
            except _EXPECTED as error:
                _tell("[red]error:[/]", error)
                if isinstance(error, deptrees.ConlluError) and "skip_invalid" in kwargs:
                    _tell("[yellow]hint:[/]", "correct the sentence, or leave such sentences out with --skip-invalid")
                raise typer.Exit(1) from None

    return app.command()(run)


def _tell(kind: str, message: object) -> None:
    _messages.print(kind, escape(str(message)), soft_wrap=True)


@contextmanager
def _bar() -> Iterator[Callable[[Iterable[_T], str], Iterator[_T]]]:
    """A progress bar, where there is a terminal to show it on, as a function around what is iterated over."""
    counts = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*counts, console=_messages, transient=True, disable=not _messages.is_terminal) as progress:

        def track(items: Iterable[_T], description: str) -> Iterator[_T]:
            total = len(items) if isinstance(items, list) else None
            task = progress.add_task(description, total=total)
            for item in items:
                yield item
                progress.advance(task)
            progress.remove_task(task)

        yield track


def _system(text: str, root: str | None, single_root: bool) -> transition.System:
    """The system that is asked for.

    Raises:
        typer.BadParameter: there is none.
    """
    match = re.fullmatch(r"(\w+)(?:\((\d+)\))?", text)
    if match is None or match[1] not in _SYSTEMS:
        raise typer.BadParameter(f"there is no system {text!r}; choose one of {', '.join(sorted(_SYSTEMS))}")
    kind: Callable[..., transition.System] = _SYSTEMS[match[1]]
    numbers = [int(match[2])] if match[2] else []
    options = {**({"root": root} if root else {}), **({"single_root": True} if single_root else {})}
    try:
        return kind(*numbers, **options)
    except (TypeError, ValueError) as error:
        raise typer.BadParameter(f"{text} cannot be made like this: {error}") from None


@_command
def train(
    treebank: Files,
    output: Annotated[str, typer.Option("--output", "-o", help="The file for the model.")],
    dev: Annotated[str | None, typer.Option(help="Evaluate on this file after each epoch; keep the best.")] = None,
    system: Annotated[
        str | None, typer.Option(help="The transition system, such as ArcHybrid; default: ArcEager with ROOT last.")
    ] = None,
    root: Root = None,
    single_root: SingleRoot = False,
    oracle: Annotated[OracleName, typer.Option(help="Only the dynamic oracle explores wrong paths.")] = "dynamic",
    epochs: Annotated[int, typer.Option(min=1, help="How often to go through the treebank.")] = 5,
    beam: Annotated[
        int, typer.Option(min=1, max=64, help="With more than 1, learn whole derivations; slower, more accurate.")
    ] = 1,
    joint: Annotated[
        bool,
        typer.Option("--joint-labels", help="Choose each transition together with its label; slower, more accurate."),
    ] = False,
    morphology: Annotated[bool, typer.Option("--morphology", help="Look at FEATS, too.")] = False,
    embeddings: Annotated[
        str | None, typer.Option(help="Look at clusters of words, too, made of the word vectors in this file.")
    ] = None,
    tagger: Annotated[
        bool,
        typer.Option("--tagger", help="Learn to tag, too: the model then gives words UPOS before it parses."),
    ] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same model.")] = 1,
    skip_invalid: Lenient = False,
) -> None:
    """Train a parser on a treebank.

    Words are described by their forms and universal parts of speech (UPOS). The dynamic oracle learns from every
    sentence; the others leave out those that the system cannot build.

    With --tagger the parser learns from tags that are as right and as wrong as those it will see: each tenth of the
    treebank is tagged by a tagger that has learnt from the others.
    """
    check_folder(output)
    templates = WITH_FEATS if morphology else ZHANG_NIVRE
    if embeddings is not None:
        templates = templates.with_clusters(_clusters(embeddings, seed))
    # Arc-eager is more accurate with ROOT last.
    chosen = _system(system or "ArcEager", root or (None if system else "last"), single_root)
    with _bar() as bar:
        trees = list(bar(Treebank(*treebank, strict=not skip_invalid), "reading"))
    held_out = None if dev is None else list(Treebank(dev, strict=not skip_invalid))
    own_tagger = None
    with _messages.status("training"):
        if tagger:
            own_tagger = Tagger.train(trees, held_out, seed=seed)
            trees = list(jackknifed(trees, seed=seed))
            held_out = held_out and list(own_tagger.tag(held_out))
        parser = Parser.train(
            trees,
            chosen,
            BY_NAME[oracle],
            held_out,
            epochs,
            seed,
            templates=templates,
            beam=beam,
            joint=joint,
            on_epoch=_report,
        )
    attrs.evolve(parser, tagger=own_tagger).save(output)
    _messages.print(f"saved {output}")


def _clusters(path: str, seed: int) -> dict[str, str]:
    """Clusters of all words in a file of embeddings."""
    with _messages.status(escape(f"reading {path}")):
        found = read_embeddings(path)
    if not found:
        raise EmbeddingsError(f"{path}: there is no word in it")
    n = min(_MOST_CLUSTERS, len(found))
    with _messages.status(f"putting {len(found):,} words into {n:,} clusters"):
        return clusters(found, n, seed)


def _report(epoch: Epoch) -> None:
    wrong = epoch.errors / max(epoch.transitions, 1)
    line = (
        f"epoch {epoch.number}: {wrong:.1%} of {epoch.transitions:,} predictions wrong in {epoch.sentences:,} sentences"
    )
    if epoch.skipped:
        line += f", {epoch.skipped:,} sentences skipped that the system cannot build"
    if epoch.scores is not None:
        line += f", dev UAS {epoch.scores.uas:.2%}, LAS {epoch.scores.las:.2%}"
    _messages.print(line, soft_wrap=True)


@_command
def parse(
    model: Annotated[str, typer.Argument(help="A model made by deptrees train.", show_default=False)],
    files: Files,
    output: Annotated[str, _OUTPUT] = "-",
    threads: Annotated[int, typer.Option(min=1, help="The number of threads.")] = 1,
    beam: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="How many derivations to follow at a time; default: as in training."),
    ] = None,
    skip_invalid: Lenient = False,
) -> None:
    """Parse the sentences of CoNLL-U files: fill in HEAD and DEPREL, and UPOS if the model has a tagger.

    DEPS is emptied, for it would contradict them; all else stays. Sentences are written as they are parsed, so that
    the command works in a pipe on a stream of any length.
    """
    parser = Parser.load(model)
    with _bar() as bar:
        sentences = bar(Treebank(*files, strict=not skip_invalid), "parsing")
        deptrees.write_treebank(output, parser.parse(sentences, threads, beam))


@_command
def evaluate(
    gold: Annotated[str, typer.Argument(help="The gold trees.", show_default=False)],
    predicted: Annotated[str, typer.Argument(help="The same sentences, parsed.", show_default=False)],
) -> None:
    """Compare parsed trees with gold trees.

    UAS is the share of words with the right head, LAS that with the right head and label; punctuation counts, and
    labels must agree to the letter.
    """
    scores = deptrees.evaluate(Treebank(gold), Treebank(predicted))
    print(f"UAS    {scores.uas:7.2%}  {scores.correct_heads:,} of {scores.words:,} words")
    print(f"LAS    {scores.las:7.2%}  {scores.correct_arcs:,} of {scores.words:,} words")
    print(f"exact  {scores.exact_match:7.2%}  {scores.correct_trees:,} of {scores.sentences:,} sentences")


@_command
def oracle(
    files: Files,
    system: System = "ArcEager",
    root: Root = None,
    single_root: SingleRoot = False,
    oracle: Annotated[OracleName, typer.Option(help="Which oracle to follow.")] = "static",
    labels: Annotated[bool, typer.Option("--labels", help="Show labels.")] = False,
    skip_invalid: Lenient = False,
) -> None:
    """Show the derivation of each tree: every configuration with its gold transitions."""
    sequences = Oracle(_system(system, root, single_root), BY_NAME[oracle], typed if labels else untyped)
    console = Console(highlight=False, markup=False)
    for number, tree in enumerate(Treebank(*files, strict=not skip_invalid), 1):
        console.print(f"{tree.sent_id or number}", style="bold")
        sequence = sequences(tree)
        if isinstance(sequence, UnparsableTree):
            console.print(sequence.error, style="yellow", soft_wrap=True)
            continue
        console.print(_derivation(tree, sequence))


def _derivation(tree: DependencyTree, sequence: OracleSequence) -> Table:
    """The steps of a derivation; of a configuration without stack and buffer its own notation."""
    on_stack = isinstance(sequence.oracle.system, StackBufferSystem)
    columns = [Column("stack", justify="right"), "buffer"] if on_stack else ["configuration"]
    table = Table("", *columns, Column("gold", no_wrap=True))
    for count, step in enumerate(sequence.steps(), 1):
        if isinstance(step.config, StackBufferConfiguration):
            stack, buffer = _forms(tree, step.config.stack[::-1]), _forms(tree, step.config.buffer)
            cells = [" ".join(reversed(stack)), " ".join(buffer)]
        else:
            cells = [repr(step.config).partition(": ")[2]]
        table.add_row(str(count), *cells, " ".join(map(repr, step.gold)))
    return table


def _forms(tree: DependencyTree, positions: tuple[int, ...], most: int = 4) -> list[str]:
    """The first forms, as many as fit a table."""
    return [tree[position].form for position in positions[:most]] + ["…"] * (len(positions) > most)


@_command
def describe(
    system: Annotated[str, typer.Argument(help="The transition system.", show_default=False)],
    root: Root = None,
    single_root: SingleRoot = False,
) -> None:
    """Show a transition system: its table, a derivation, its oracles, in Markdown."""
    print(transition.describe(_system(system, root, single_root)), end="")


@_command
def draw(
    files: Files,
    labels: Annotated[bool, typer.Option("--labels", help="Show labels.")] = False,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with plain characters.")] = False,  # noqa: A002
    skip_invalid: Lenient = False,
) -> None:
    """Draw each tree with arrows."""
    for tree in Treebank(*files, strict=not skip_invalid):
        print(tree.draw(labels=labels, ascii=ascii), end="\n\n")


@_command
def sample(
    part: Annotated[Literal["train", "dev"], typer.Argument(help="Which part of it.")] = "train",
) -> None:
    """Write the sample treebank that comes with deptrees, to try the other commands on."""
    deptrees.write_treebank("-", deptrees.sample_treebank(part))
