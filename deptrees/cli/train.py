"""The command ``train``.

Its annotations are no texts, as they are in other files: Typer evaluates them, which for so many takes longer than to
make them. The options of training, which `declared` makes of their declarations, are its ``**options``.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

import deptrees
from deptrees.cli import values
from deptrees.cli.configuration import Config, PrintConfig, configuration
from deptrees.cli.console import messages, progress_bar, say, status
from deptrees.cli.options import EmptyMeansUnknown, Files, Lenient, Root, SingleRoot, chosen_system
from deptrees.files.output import check_output

if TYPE_CHECKING:
    from deptrees.training import Checkpoint
    from deptrees.training.records import Epoch

__all__ = ["EpochRecord", "PartRecord", "train"]


class _Epoch(TypedDict):
    epoch: int
    sentences: int
    skipped: int
    steps: int
    errors: int


class EpochRecord(_Epoch, total=False):
    """An epoch of training, in JSON.

    Args:
        epoch: its number, from 1.
        sentences: how many sentences were learned from.
        skipped: how many were left out, for the system cannot build their trees.
        steps: how many predictions were made.
        errors: how many of them were wrong.
        uas: the share of words of the development data with the right head; missing if there is none.
        las: the share of those with the right head and label; missing if there is none.
    """

    uas: float
    las: float


class PartRecord(TypedDict):
    """The scores on a part of a treebank, of a parser trained on the others, in JSON.

    Args:
        part: its number, from 1.
        uas: the share of words with the right head.
        las: the share of words with the right head and label.
    """

    part: int
    uas: float
    las: float


def train(
    context: typer.Context,
    treebank: Files,
    output: Annotated[str, typer.Option("--output", "-o", help="The file for the model.")],
    root: Root = None,
    single_root: SingleRoot = None,
    empty_means_unknown: EmptyMeansUnknown = None,
    second_best: Annotated[
        float | None, typer.Option(min=0, max=1, help="Continue with the second-best transition at this rate.")
    ] = None,
    sample: Annotated[
        float | None, typer.Option(min=0, help="Draw the next transition by its score, to the power of this; slower.")
    ] = None,
    embeddings: Annotated[
        str | None, typer.Option(help="Look at word vectors in this file, too; if not --neural, at clusters of them.")
    ] = None,
    only_projective: Annotated[
        bool, typer.Option("--only-projective", help="Leave out trees that are not projective.")
    ] = False,
    only_single_root: Annotated[
        bool, typer.Option("--only-single-root", help="Leave out trees with several roots, or none.")
    ] = False,
    folds: Annotated[
        int | None,
        typer.Option(min=2, help="Cross-validate first: k times, train on all parts but one, and test on it."),
    ] = None,
    neural: Annotated[
        bool, typer.Option("--neural", help="Train a neural parser: more accurate, many times as slow; needs PyTorch.")
    ] = False,
    pipeline: Annotated[
        bool, typer.Option("--pipeline", help="Train a tokenizer and a tagger, too, for raw text, tags and lemmas.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume from the checkpoint if there is one.")] = False,
    skip_invalid: Lenient = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write a JSON object for each epoch to standard output, a line each.")
    ] = False,
    config: Config = None,
    print_config: PrintConfig = False,
    **options: Any,
) -> None:
    """Train a parser on a treebank.

    The parser looks at forms, at universal parts of speech (UPOS) and, with most templates, at morphological features
    (FEATS). The dynamic oracle learns from every sentence; the others leave out those that the system cannot build.

    With --pipeline the parser is trained on predicted tags, like those that it will see when it parses: each fifth of
    the treebank is tagged by a tagger trained on the other four. It looks at lemmas, too, and searches with a beam.
    The tokenizer learns from "# text" and SpaceAfter, if the treebank has them. With --start, too, the tokenizer and
    the tagger of that model are kept, and only its parser is trained on.

    A neural parser looks at forms, their characters, UPOS, XPOS and FEATS, and is trained with the system, the oracle,
    the epochs, the exploration and the beam that are asked for. Options of templates and updates mean nothing to it.
    """
    from deptrees.cli.declared import defaults
    from deptrees.transition import Constraints

    if print_config:
        print(configuration(context, defaults(pipeline and not neural)), end="")
        return
    given = {name: value for name, value in options.items() if value is not None}
    check_output(output)
    if neural:
        from deptrees.torch import NeuralParser
    kind: Any = NeuralParser if neural else deptrees.Parser
    seed = given.get("seed", 1)
    vectors = None if embeddings is None else values.vectors_in(embeddings)
    strict, graphs = not skip_invalid, bool(given.get("enhanced"))
    of_system: Any = {"root": root, "single_root": single_root, "empty_means_unknown": empty_means_unknown}
    named = chosen_system(given["system"], **of_system) if "system" in given else None
    begun = values.parser_in(given.pop("start", None), pipeline)
    chosen = {
        **given,
        "system": named or values.system_for(of_system, begun, "arc-hybrid" if neural else "arc-eager"),
        "exploration": values.rates_in(given.get("exploration")),
        "policy": values.policy_for(second_best, sample),
        "checkpoint": values.checkpoint_at(given.get("checkpoint"), resume),
        "constraints": getattr(Constraints, given["constraints"]) if "constraints" in given else None,
        "start": begun,
        "dev": deptrees.Treebank(given["dev"], strict=strict, graphs=graphs) if "dev" in given else None,
    }
    if neural:
        chosen["embeddings"] = vectors
    elif "templates" in given or vectors is not None:
        name = given.get("templates") or defaults(pipeline)["templates"]
        chosen["templates"] = values.templates_for(name, vectors, seed)
    chosen = {name: value for name, value in chosen.items() if value is not None}
    values.check_meaning(kind, chosen, pipeline, context)

    keep = _shape(only_projective, only_single_root)
    most_words = chosen["system"].most_words
    sentences = deptrees.Treebank(*treebank, strict=strict, keep=keep, most_words=most_words, graphs=graphs)
    report = _Report()
    learn: Callable[..., deptrees.Parser] = kind.train
    if pipeline:
        learn = partial(deptrees.train_pipeline, kind=kind, on_stage=report)
    gold = _read(sentences, in_trees=bool(pipeline or neural or folds or "constraints" in chosen or graphs))
    saved: Checkpoint | None = chosen.pop("checkpoint", None)
    parts = (saved and saved.beside(f"part{number}") for number in count(1))
    if "dev" in chosen:
        chosen["dev"] = [*chosen["dev"]]
    try:
        if folds is not None and isinstance(gold, list):
            of_part = partial(learn, **chosen)
            _report_folds(gold, lambda part: of_part(part, checkpoint=next(parts)), folds, seed, as_json)
        on_epoch = _write_json if as_json else partial(report, "parser")
        with _progress("training"):
            parser = learn(gold, **chosen, checkpoint=saved, on_epoch=on_epoch)
        parser.save(output)
    except (KeyboardInterrupt, OSError, SystemExit):
        if saved is not None and saved.is_saved:
            say("hint", f"what has been learned is in {saved.path}: the same command with --resume goes on from there")
        raise
    messages().print(f"saved {output}")


@contextmanager
def _progress(text: str) -> Iterator[None]:
    """Show how far the epochs of all that is trained are."""
    from deptrees.training.run import watched

    with status(text) as tell, watched(lambda what, epoch, done: tell(f"{what}, epoch {epoch}: {done:.0%} of it done")):
        yield


def _shape(only_projective: bool, only_single_root: bool) -> "Callable[[deptrees.DependencyTree], bool] | None":
    """Whether to learn from a tree; ``None`` for all."""
    if not (only_projective or only_single_root):
        return None
    return lambda tree: (
        (not only_projective or deptrees.is_projective(tree)) and (not only_single_root or len(tree.roots) == 1)
    )


def _read(sentences: "deptrees.Treebank", in_trees: bool) -> "deptrees.Columns | list[deptrees.DependencyTree]":
    """The treebank; no trees need be made where nothing asks for them."""
    if not in_trees:
        return deptrees.Columns.encode(sentences)
    with progress_bar() as bar:
        return list(bar(sentences, "reading"))


def _report_folds(
    gold: "list[deptrees.DependencyTree]", learn: "Callable[..., deptrees.Parser]", folds: int, seed: int, as_json: bool
) -> None:
    """Cross-validate, and show the scores on each part, as they come, and on all."""
    from deptrees.messages import counted

    if folds > len(gold):
        raise typer.BadParameter(
            f"{counted(len(gold), 'sentence')} cannot be divided into {folds} parts", param_hint="--folds"
        )
    total = deptrees.Scores()
    with _progress("cross-validating"):
        for number, scores in enumerate(deptrees.cross_validate(gold, learn, k=folds, seed=seed), 1):
            if as_json:
                record: PartRecord = {"part": number, "uas": scores.uas, "las": scores.las}
                print(json.dumps(record), flush=True)
            else:
                messages().print(f"part {number}: UAS {scores.uas:.2%}, LAS {scores.las:.2%}")
            total += scores
    messages().print(f"all parts: UAS {total.uas:.2%}, LAS {total.las:.2%}")


def _write_json(epoch: "Epoch") -> None:
    record: EpochRecord = {
        "epoch": epoch.number,
        "sentences": epoch.sentences,
        "skipped": epoch.skipped,
        "steps": epoch.steps,
        "errors": epoch.errors,
    }
    if epoch.scores is not None:
        record |= {"uas": epoch.scores.uas, "las": epoch.scores.las}
    print(json.dumps(record), flush=True)


_LONG = 30  # seconds that are worth telling


class _Report:
    """Tells what happened in an epoch, and how far training is."""

    def __init__(self) -> None:
        self._begun = ("", 0.0, 0.0)  # what is trained, and when which share of it was done first

    def __call__(self, stage: str, epoch: "Epoch") -> None:
        if stage != self._begun[0]:
            self._begun = (stage, monotonic(), epoch.done)
        _, time, done = self._begun
        progress = f"{stage}, seed {epoch.seed}: {epoch.done:.0%} done"
        if done < epoch.done:
            left = (monotonic() - time) / (epoch.done - done) * (1 - epoch.done)
            progress += f", {left / 60:.1f} minutes left" if left >= _LONG else ""
        messages().print(f"{_told(epoch)}; {progress}", soft_wrap=True)


def _told(epoch: "Epoch") -> str:
    wrong = epoch.errors / max(epoch.steps, 1)
    line = f"epoch {epoch.number}: {wrong:.1%} of {epoch.steps:,} predictions wrong in {epoch.sentences:,} sentences"
    if epoch.skipped:
        line += f", {epoch.skipped:,} sentences skipped that the system cannot build"
    if epoch.scores is not None:
        line += f", dev UAS {epoch.scores.uas:.2%}, LAS {epoch.scores.las:.2%}"
    return line
