"""The command ``train``.

Its annotations are no texts, as they are in other files: Typer evaluates them, which for so many takes longer than to
make them.
"""

import json
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

import deptrees
from deptrees.cli.configuration import Config, PrintConfig, configuration
from deptrees.cli.console import messages, progress_bar, say, status
from deptrees.cli.options import (
    SYSTEM_HELP,
    Constraints,
    Files,
    Lenient,
    Root,
    SingleRoot,
    chosen_system,
    known_of,
)
from deptrees.files.output import check_output
from deptrees.transition.oracles import BY_NAME

if TYPE_CHECKING:
    OracleName = str

    from deptrees import DependencyTree
    from deptrees.features import Templates
    from deptrees.features.embeddings import Embeddings
    from deptrees.parser import Parser
    from deptrees.torch import NeuralParser
    from deptrees.training.records import Epoch
    from deptrees.transition import Policy, System

else:
    OracleName = Literal[tuple(BY_NAME)]

__all__ = ["TemplatesName", "train"]

_MOST_CLUSTERS = 1000
_ONLY_LINEAR = (
    *("second_best", "sample", "on_error", "update", "restart", "time_limit", "subsample", "joint"),
    *("templates", "constraints", "start"),
)
"""Options that mean nothing to neural parsers."""

OnError = Literal["go_on", "early", "aggressive"]
UpdateName = Literal["early", "max_violation", "max_violation_from_error", "latest", "full"]
TemplatesName = Literal[
    "FAST", "WITH_XPOS", "ZHANG_NIVRE", "WITH_FEATS", "TAGGED", "MORPHOLOGICAL", "DELEXICALIZED", "LR_SPINES"
]


def train(
    context: typer.Context,
    treebank: Files,
    output: Annotated[str, typer.Option("--output", "-o", help="The file for the model.")],
    dev: Annotated[str | None, typer.Option(help="Evaluate on this file after each epoch; keep the best.")] = None,
    system: Annotated[
        str | None,
        typer.Option(
            help=f"{SYSTEM_HELP} Default: arc-eager with ROOT last and a single root, with --neural arc-hybrid with a "
            "single root."
        ),
    ] = None,
    root: Root = None,
    single_root: SingleRoot = False,
    empty_means_unknown: Annotated[
        bool,
        typer.Option("--empty-means-unknown", help="In systems for partial trees an empty HEAD is not to be learnt."),
    ] = False,
    oracle: Annotated[
        OracleName | None,
        typer.Option(
            help="Only dynamic oracles explore wrong paths. Default: dynamic, or what the system learns better from."
        ),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="The number of passes over the treebank.")] = 10,
    beam: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=64,
            help="Follow this many derivations at a time: slower, more accurate. Default: 1, with --pipeline 8.",
        ),
    ] = None,
    exploration: Annotated[
        str,
        typer.Option(
            help="How often to go on with a prediction, right or wrong, from the second epoch on; or the rate of each "
            "epoch, as in 0,0.3,0.6.",
        ),
    ] = "0.9",
    second_best: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Go on with the best transition, or so often with the second best; slower."),
    ] = None,
    sample: Annotated[
        float | None,
        typer.Option(min=0, help="Draw the transition to go on with by its score, to the power of this; slower."),
    ] = None,
    on_error: Annotated[OnError, typer.Option(help="What to do after an update, without a beam.")] = "go_on",
    update: Annotated[UpdateName, typer.Option(help="When to update, with a beam.")] = "max_violation",
    restart: Annotated[
        bool, typer.Option("--restart/--no-restart", help="With a beam, go on after an update to the sentence's end.")
    ] = True,
    time_limit: Annotated[int | None, typer.Option(min=1, help="With a beam, begin anew after so many steps.")] = None,
    subsample: Annotated[
        float, typer.Option(min=0, max=1, help="Learn from this share of the heads in each epoch, drawn anew for each.")
    ] = 1.0,
    joint: Annotated[
        bool | None,
        typer.Option(
            "--joint-labels/--no-joint-labels",
            help="Choose each transition together with its label: slower, more accurate. --pipeline does so.",
        ),
    ] = None,
    templates: Annotated[
        str | None,
        typer.Option(
            help=f"The feature templates, what the parser looks at: {', '.join(get_args(TemplatesName))}; "
            "or a file with your own. Default: FAST, with --pipeline TAGGED.",
            metavar="NAME",
        ),
    ] = None,
    embeddings: Annotated[
        str | None,
        typer.Option(help="Look at the word vectors in this file, too: at clusters made from them, if not --neural."),
    ] = None,
    constraints: Constraints = None,
    start: Annotated[
        str | None,
        typer.Option(help="Go on from this model: its system; templates that include its own."),
    ] = None,
    only_projective: Annotated[
        bool, typer.Option("--only-projective", help="Leave out trees that are not projective.")
    ] = False,
    only_single_root: Annotated[
        bool, typer.Option("--only-single-root", help="Leave out trees with several roots, or none.")
    ] = False,
    folds: Annotated[
        int | None,
        typer.Option(min=2, help="Cross-validate first: train so often on all but one part, and evaluate on that."),
    ] = None,
    neural: Annotated[
        bool,
        typer.Option(
            "--neural", help="Train a neural parser: more accurate, and many times as slow. It needs PyTorch."
        ),
    ] = False,
    pipeline: Annotated[
        bool,
        typer.Option(
            "--pipeline",
            help="Train a tokenizer and a tagger, too: the model then parses raw text, and fills in UPOS, XPOS, FEATS "
            "and LEMMA.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same model.")] = 1,
    seeds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Average the weights of so many seeds, or the scores of as many networks, with which parsing takes "
            "longer, too. Default: 1; with --pipeline 3, but 1 network.",
        ),
    ] = None,
    checkpoint: Annotated[
        str | None, typer.Option(help="Save the training to this file now and then, so that it can go on if it stops.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint if there is one.")] = False,
    skip_invalid: Lenient = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write a JSON object for each epoch to standard output, a line each.")
    ] = False,
    config: Config = None,
    print_config: PrintConfig = False,
) -> None:
    """Train a parser on a treebank.

    The parser looks at forms, at universal parts of speech (UPOS) and, with most templates, at morphological features
    (FEATS). The dynamic oracle learns from every sentence; the others leave out those that the system cannot build.

    With --pipeline the parser is trained on predicted tags, like those that it will see when it parses: each fifth of
    the treebank is tagged by a tagger trained on the other four. It looks at lemmas, too, and searches with a beam.
    The tokenizer learns from "# text" and SpaceAfter, if the treebank has them.

    A neural parser looks at forms, their characters, UPOS, XPOS and FEATS, and is trained with the system, the oracle,
    the epochs, the exploration and the beam that are asked for. Options of templates and updates mean nothing to it.
    """
    import attrs

    from deptrees.parser import Parser
    from deptrees.training.checkpoints import Checkpoint
    from deptrees.training.inputs import development_trees
    from deptrees.treebanks.columns import Columns

    if print_config:
        print(configuration(context), end="")
        return
    if neural:
        _check_neural(context)
    if not subsample:
        raise typer.BadParameter("nothing can be learnt from no heads", param_hint="'--subsample'")
    rates = _rates(exploration)
    policy = _policy(second_best, sample)
    if policy is not None and beam is not None and beam > 1:
        raise typer.BadParameter("with a beam, say how to explore by --exploration", param_hint="'--beam'")
    if resume and checkpoint is None:
        raise typer.BadParameter("name the file to go on from: --checkpoint FILE", param_hint="--resume")
    saved = None if checkpoint is None else Checkpoint(checkpoint, resume)
    if saved is not None:
        saved.check()
    check_output(output)
    kind = _kind(neural)
    vectors = None if embeddings is None else _vectors(embeddings)
    known = known_of(constraints)
    begun = None if start is None else Parser.load(start)
    if begun is not None and system is None:
        chosen: System = begun.system
    elif system is None:
        chosen = kind.default_system if root is None else attrs.evolve(kind.default_system, root=root)
    else:
        chosen = chosen_system(system, root, single_root, empty_means_unknown)
    only_linear = {
        "policy": policy,
        "on_error": on_error,
        "templates": _templates(templates or ("TAGGED" if pipeline else "FAST"), vectors, seed),
        "update": update,
        "restart": restart,
        "time_limit": time_limit,
        "subsample": subsample,
        "joint": joint,
        "start": begun,
        "constraints": known,
    }

    def keep(tree: "DependencyTree") -> bool:
        return (not only_projective or deptrees.is_projective(tree)) and (not only_single_root or len(tree.roots) == 1)

    some = only_projective or only_single_root
    sentences = deptrees.Treebank(*treebank, strict=not skip_invalid, keep=keep if some else None)
    held_out = None if dev is None else development_trees(deptrees.Treebank(dev, strict=not skip_invalid))

    train_parser: Callable[..., Parser] = partial(deptrees.train_pipeline, kind=kind) if pipeline else kind.train
    settings = {
        "system": chosen,
        "oracle": oracle,
        "epochs": epochs,
        "seeds": seeds,
        "beam": beam,
        "exploration": rates,
        **({"embeddings": vectors} if neural else only_linear),
    }
    chosen_settings = {name: value for name, value in settings.items() if value is not None}

    def learn(gold: "Columns | Iterable[DependencyTree]", **options: Any) -> "Parser":
        return train_parser(gold, dev=held_out, seed=seed, **chosen_settings, **options)

    gold: Columns | list[DependencyTree]  # no trees need be made where nothing asks for them
    in_trees = pipeline or neural or folds is not None or known
    gold = _read(sentences) if in_trees else Columns.encode(sentences)
    parts = (saved and saved.beside(f"part{number}") for number in count(1))
    try:
        if folds is not None and isinstance(gold, list):
            _report_folds(gold, lambda part: learn(part, checkpoint=next(parts)), folds, seed, as_json)
        with status("training"):
            parser = learn(gold, checkpoint=saved, on_epoch=_write_json if as_json else _report)
        parser.save(output)
    except (KeyboardInterrupt, OSError, SystemExit):
        if saved is not None and saved.is_saved:
            say("hint", f"what has been learnt is in {saved.path}: the same command with --resume goes on from there")
        raise
    messages().print(f"saved {output}")


def _read(sentences: "deptrees.Treebank") -> "list[DependencyTree]":
    with progress_bar() as bar:
        return list(bar(sentences, "reading"))


def _report_folds(
    gold: "list[DependencyTree]",
    learn: "Callable[[list[DependencyTree]], Parser]",
    folds: int,
    seed: int,
    as_json: bool,
) -> None:
    """Cross-validate, and tell the scores on each part, as they come, and on all.

    Raises:
        typer.BadParameter: there are more parts than sentences.
    """
    if folds > len(gold):
        raise typer.BadParameter(f"{len(gold)} sentences cannot be divided into {folds} parts", param_hint="--folds")
    total = deptrees.Scores()
    with status("cross-validating"):
        for number, scores in enumerate(deptrees.cross_validate(gold, learn, folds, seed), 1):
            if as_json:
                print(json.dumps({"part": number, "uas": scores.uas, "las": scores.las}), flush=True)
            else:
                messages().print(f"part {number}: UAS {scores.uas:.2%}, LAS {scores.las:.2%}")
            total += scores
    messages().print(f"all parts: UAS {total.uas:.2%}, LAS {total.las:.2%}")


def _rates(text: str) -> float | tuple[float, ...]:
    """A rate of exploration, or a schedule.

    Raises:
        typer.BadParameter: it is neither.
    """
    from deptrees.training.inputs import rates_of

    try:
        found = tuple(map(float, text.split(",")))
        rates_of(found)
    except ValueError:
        reason = f"give numbers from 0 to 1, such as 0.9 or 0,0.3,0.6: not {text}"
        raise typer.BadParameter(reason, param_hint="'--exploration'") from None
    return found if len(found) > 1 else found[0]


def _policy(second_best: float | None, sample: float | None) -> "Policy | None":
    """A policy that explores from the second epoch on, in place of exploration at a rate.

    Raises:
        typer.BadParameter: there are two.
    """
    from deptrees import transition

    if second_best is not None and sample is not None:
        raise typer.BadParameter("training goes on in one way: leave out --second-best", param_hint="'--sample'")
    if second_best is not None:
        return transition.SecondBest(k=1, p=second_best)
    return None if sample is None else transition.Sample(k=1, alpha=sample)


def _kind(neural: bool) -> "type[Parser] | type[NeuralParser]":
    """The class of the parser, with what it needs."""
    if neural:
        from deptrees.torch import NeuralParser

        return NeuralParser
    from deptrees.parser import Parser

    return Parser


def _check_neural(context: typer.Context) -> None:
    """Options that neural parsers do not have are as they are if not given.

    Raises:
        typer.BadParameter: one is not.
    """
    for parameter in context.command.params:
        if parameter.name in _ONLY_LINEAR and context.params[str(parameter.name)] != parameter.default:
            raise typer.BadParameter("it means nothing to a neural parser", context, parameter)


def _templates(name: str, embeddings: "Embeddings | None", seed: int) -> "Templates":
    """The templates of this name, or those in a file, with clusters if there are embeddings."""
    from deptrees import features

    if name.upper() in get_args(TemplatesName):
        templates: Templates = getattr(features, name.upper())
    elif Path(name).is_file():
        templates = features.Templates(Path(name).read_text(encoding="utf-8").split())
    else:
        reason = f"{name} is neither a file nor one of {', '.join(get_args(TemplatesName))}"
        raise typer.BadParameter(reason, param_hint="'--templates'")
    return templates if embeddings is None else templates.with_clusters(_clusters(embeddings, seed))


def _vectors(path: str) -> "Embeddings":
    """The vectors of all words in a file of embeddings."""
    from rich.markup import escape

    from deptrees.features.embeddings import EmbeddingsError, read_embeddings

    with status(escape(f"reading {path}")):
        found = read_embeddings(path)
    if not found:
        raise EmbeddingsError(f"{path}: there is no word in it")
    return found


def _clusters(embeddings: "Embeddings", seed: int) -> dict[str, str]:
    """Clusters of all words that have a vector."""
    from deptrees.features.clusters import clusters

    n = min(_MOST_CLUSTERS, len(embeddings))
    with status(f"putting {len(embeddings):,} words into {n:,} clusters"):
        return clusters(embeddings, n, seed)


def _write_json(epoch: "Epoch") -> None:
    counts = {name: getattr(epoch, name) for name in ("sentences", "skipped", "steps", "errors")}
    scores = {} if epoch.scores is None else {"uas": epoch.scores.uas, "las": epoch.scores.las}
    print(json.dumps({"epoch": epoch.number, **counts, **scores}), flush=True)


def _report(epoch: "Epoch") -> None:
    wrong = epoch.errors / max(epoch.steps, 1)
    line = f"epoch {epoch.number}: {wrong:.1%} of {epoch.steps:,} predictions wrong in {epoch.sentences:,} sentences"
    if epoch.skipped:
        line += f", {epoch.skipped:,} sentences skipped that the system cannot build"
    if epoch.scores is not None:
        line += f", dev UAS {epoch.scores.uas:.2%}, LAS {epoch.scores.las:.2%}"
    messages().print(line, soft_wrap=True)
