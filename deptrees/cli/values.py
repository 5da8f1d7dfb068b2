"""What the texts given to the command ``train`` stand for, and whether they mean something together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import deptrees
from deptrees.cli.configuration import content_of
from deptrees.cli.console import status
from deptrees.cli.options import chosen_system

if TYPE_CHECKING:
    from deptrees.features import Templates
    from deptrees.features.embeddings import Embeddings
    from deptrees.training import Checkpoint
    from deptrees.transition import Policy, System

__all__ = [
    "check_meaning",
    "checkpoint_at",
    "parser_in",
    "policy_for",
    "rates_in",
    "system_for",
    "templates_for",
    "vectors_in",
]

_MOST_CLUSTERS = 1000


def parser_in(path: str | None, pipeline: bool) -> deptrees.Parser | None:
    """The parser to continue from; it is an error if what comes with it would be lost."""
    if path is None:
        return None
    from deptrees.engine.model import SavedModel

    begun = deptrees.load_parser(path)
    if not isinstance(begun.model, SavedModel):
        votes = isinstance(begun.model, deptrees.Ensemble | deptrees.TransitionEnsemble)
        advice = "train those that vote in this one" if votes else "a neural one resumes from a checkpoint"
        raise typer.BadParameter(f"training continues from linear parsers only: {advice}", param_hint="'--start'")
    if (begun.tokenizer or begun.tagger) and not pipeline:
        reason = f"{path} comes with a tokenizer or a tagger: say --pipeline, which keeps them"
        raise typer.BadParameter(reason, param_hint="'--start'")
    return begun


def system_for(options: dict[str, Any], begun: deptrees.Parser | None, default: str) -> System:
    """The system where none is named: that of the parser to continue from, or the default one."""
    if begun is None:
        return chosen_system(default, **options)
    for option, value in options.items():
        if value is not None:
            hint = f"'--{option.replace('_', '-')}'"
            raise typer.BadParameter("it means nothing with --start, whose system is taken", param_hint=hint)
    return begun.system


def checkpoint_at(path: str | None, resume: bool) -> Checkpoint | None:
    """Where to save the training; an error if there is a checkpoint from which it should not resume."""
    from deptrees.training.checkpoints import Checkpoint

    if path is None:
        if resume:
            raise typer.BadParameter("name the file to resume from: --checkpoint FILE", param_hint="--resume")
        return None
    checkpoint = Checkpoint(path, resume)
    checkpoint.check()
    return checkpoint


def rates_in(text: str | None) -> float | tuple[float, ...] | None:
    """A rate of exploration, or a schedule."""
    from deptrees.training.inputs import rates_of

    if text is None:
        return None
    try:
        found = tuple(map(float, text.split(",")))
        rates_of(found)
    except ValueError:
        reason = f"give numbers from 0 to 1, such as 0.9 or 0,0.3,0.6: not {text}"
        raise typer.BadParameter(reason, param_hint="'--exploration'") from None
    return found if len(found) > 1 else found[0]


def policy_for(second_best: float | None, sample: float | None) -> Policy | None:
    """A policy that explores from the second epoch on, in place of exploration at a rate."""
    from deptrees import transition

    if second_best is not None and sample is not None:
        raise typer.BadParameter("training continues in one way: leave out --second-best", param_hint="'--sample'")
    try:
        if second_best is not None:
            return transition.SecondBest(k=1, p=second_best)
        return None if sample is None else transition.Sample(k=1, alpha=sample)
    except ValueError:  # Typer takes nan for any number
        name, given = ("--sample", sample) if second_best is None else ("--second-best", second_best)
        raise typer.BadParameter(f"give a finite number, not {given}", param_hint=f"'{name}'") from None


def templates_for(name: str, embeddings: Embeddings | None, seed: int) -> Templates:
    """The templates of this name, or those in a file, with clusters if there are embeddings."""
    from deptrees import features
    from deptrees.features import ready_made

    if name.upper() in ready_made.__all__:
        templates: Templates = getattr(ready_made, name.upper())
    elif Path(name).is_file():
        templates = features.Templates(content_of(name, "a file of templates", param_hint="'--templates'").split())
    else:
        reason = f"{name} is neither a file nor one of {', '.join(ready_made.__all__)}"
        raise typer.BadParameter(reason, param_hint="'--templates'")
    if embeddings is None:
        return templates
    from deptrees.features.clusters import clusters

    n = min(_MOST_CLUSTERS, len(embeddings))
    with status(f"putting {len(embeddings):,} words into {n:,} clusters"):
        return templates.with_clusters(clusters(embeddings, n, seed))


def vectors_in(path: str) -> Embeddings:
    """The vectors of all words in a file of embeddings."""
    from rich.markup import escape

    from deptrees.features.embeddings import EmbeddingsError, read_embeddings

    with status(escape(f"reading {path}")):
        found = read_embeddings(path)
    if not found:
        raise EmbeddingsError(f"{path}: there is no word in it")
    return found


def check_meaning(kind: Any, chosen: Mapping[str, object], pipeline: bool, context: typer.Context) -> None:
    """Make sure that each option of a kind of parser is right and means something, before anything is read."""
    from deptrees.pipeline import settings_for
    from deptrees.training.inputs import MeaninglessOption
    from deptrees.training.options import LinearOptions

    options = kind.train.options
    settings = settings_for(chosen) if pipeline and options is LinearOptions else {}
    try:
        options.chosen(**{**settings, **chosen})
    except MeaninglessOption as error:
        parameter = next((it for it in context.command.params if it.name == error.option), None)
        hint = None if parameter else "'--second-best' / '--sample'"
        raise typer.BadParameter(f"it means nothing {error.why}", context, parameter, hint) from None
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
