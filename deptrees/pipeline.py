"""From raw text to trees: a parser with a tokenizer and a tagger of its own, trained on one treebank."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import attrs

from deptrees.evaluation.ud import evaluate_ud
from deptrees.messages import of_type
from deptrees.parser import Parser
from deptrees.tagger import Hyperparameters, Tagger, jackknifed
from deptrees.tokenizer import Tokenizer
from deptrees.training.declarations import declarations
from deptrees.training.inputs import development_trees
from deptrees.training.options import LinearOptions
from deptrees.training.records import Epoch
from deptrees.treebanks.raw_text import in_one_line, raw_text
from deptrees.trees.tree import AnyTree, DependencyTree, trees_of

if TYPE_CHECKING:
    from deptrees.torch import NeuralParser

__all__ = ["SETTINGS", "pipeline_scores", "settings_for", "train_pipeline"]

SETTINGS: Mapping[str, Any] = MappingProxyType(
    {name: it.in_pipeline for name, (_, it) in declarations(LinearOptions).items() if it.in_pipeline is not None}
)
"""How a linear parser is trained if nothing else is said: with these settings development data was parsed best. Its
number of seeds is that of the tokenizer and the tagger, too."""

_METRICS = ("Words", "Sentences", "UPOS", "UFeats", "Lemmas", "UAS", "LAS")
_GIVEN: Mapping[str, Sequence[str]] = {
    "raw text": (),
    "raw text in one line": (),
    "gold tokens": _METRICS[:2],
    "gold tokens and tags": _METRICS[:-2],
}
"""Which of them an input answers itself."""


def train_pipeline(
    treebank: Iterable[AnyTree],
    *,
    kind: type[Parser] | type[NeuralParser] = Parser,
    on_stage: Callable[[str, Epoch], object] = lambda stage, epoch: None,
    **options: Any,
) -> Parser:
    """Train all that it takes to parse raw text: a tokenizer, a tagger, and a parser that is used to this tagger.

    The parser learns from tags like those that it is going to see: each fifth of the treebank is tagged by a tagger
    trained on the other four (`deptrees.tagger.jackknifed`). There is no tokenizer if the treebank has no comments
    ``text``, which tell where spaces are.

    Only the parser continues from a pipeline that is its ``start``. The tokenizer and the tagger are kept as they are,
    and the tagger, which should not have seen the treebank, tags it.

    Args:
        treebank: the trees to learn from, in the order of the text; they are held in memory.
        kind: what trains the parser: `deptrees.Parser` a linear one, or `deptrees.torch.NeuralParser` a neural one.
        on_stage: called with what is trained, before the parser, and a record of each of its epochs.
        options: for the parser; see its ``train``. What is not given to a linear one is as in
            `deptrees.pipeline.SETTINGS`. The seeds and the development data are for all three, and checkpoints of the
            others are in files beside the parser's. With ``lookahead``, the tagger looks at no word that comes later.

    Raises:
        TrainingError: there is nothing to learn; see ``Parser.train`` and ``Tagger.train`` for this and all else.

    >>> from deptrees import sample_treebank
    >>> parser = train_pipeline(sample_treebank("train"), seeds=1, beam=1, joint=False)
    >>> [tree] = parser.parse_text("The dog sleeps.")
    >>> [(token.form, token.upos, token.lemma) for token in tree]
    [('The', 'DET', 'the'), ('dog', 'NOUN', 'dog'), ('sleeps', 'VERB', 'sleep'), ('.', 'PUNCT', '.')]
    """
    options = {**settings_for(options), **options} if kind is Parser else options
    hyperparameters = Hyperparameters() if options.get("lookahead") is None else Hyperparameters().within(0)
    gold, dev, checkpoint = list(trees_of(treebank)), options.pop("dev", None), options.get("checkpoint")
    held_out = None if dev is None else development_trees(dev)
    seed = options.get("seed", 1)
    shared = {"dev": held_out, "seed": seed, "seeds": options.get("seeds", SETTINGS["seeds"])}

    def how(name: str, stage: str) -> dict[str, Any]:
        return {"checkpoint": checkpoint and checkpoint.beside(name), "on_epoch": partial(on_stage, stage)}

    tokenizer, tagger = (getattr(options.get("start"), part, None) for part in ("tokenizer", "tagger"))
    if tokenizer is None and any(tree.text is not None for tree in gold):
        tokenizer = Tokenizer.train(gold, **shared, **how("tokenizer", "tokenizer"))
    if tagger is None:
        tagger = Tagger.train(gold, hyperparameters=hyperparameters, **shared, **how("tagger", "tagger"))
        of_taggers = how("taggers", "taggers for the parser's tags")
        tagged = jackknifed(gold, seed=seed, hyperparameters=hyperparameters, **of_taggers)
    else:
        tagged = tagger.tag(gold)
    parser = kind.train(tagged, dev=held_out and list(tagger.tag(held_out)), **options)
    return attrs.evolve(parser, tokenizer=tokenizer, tagger=tagger)


def settings_for(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings of a linear parser if these options are given; with a lookahead, those for parsing word by word.

    >>> settings_for({"lookahead": 0})["templates"].lookahead, settings_for({})["templates"].lookahead
    (0, 2)
    """
    lookahead = options.get("lookahead")
    if lookahead is None:
        return SETTINGS
    return {**SETTINGS, "templates": SETTINGS["templates"].within(lookahead), "beam": 1}


def pipeline_scores(parser: Parser, gold: Iterable[DependencyTree]) -> dict[str, dict[str, float]]:
    """How well a parser does from raw text, from gold tokens, and from gold tokens and tags: as many as it can.

    Raw text comes as it is, and without line ends, which tell where many sentences end.

    Args:
        parser: the parser.
        gold: the trees to compare with.

    Returns:
        For each of these inputs the F1 of each metric, from 0 to 1.

    Raises:
        EvaluationError: there are no words.
        ModuleNotFoundError: udtools is not installed.

    >>> from deptrees import sample_treebank
    >>> parser = Parser.train(sample_treebank("train"), epochs=1)
    >>> [(source, sorted(found)) for source, found in pipeline_scores(parser, sample_treebank("dev")).items()]
    [('gold tokens and tags', ['LAS', 'UAS'])]
    """
    of_type("parser", parser, Parser, "a parser")
    gold = list(gold)
    found: dict[str, Iterable[DependencyTree]] = {}
    if parser.tokenizer is not None:
        text = raw_text(gold)
        found |= {"raw text": parser.parse_text(text), "raw text in one line": parser.parse_text(in_one_line(text))}
    if parser.tagger is not None:
        found["gold tokens"] = parser.parse(gold)
    found["gold tokens and tags"] = attrs.evolve(parser, tagger=None).parse(gold)
    return {source: _scores(gold, [*parsed], source) for source, parsed in found.items()}


def _scores(gold: list[DependencyTree], parsed: list[DependencyTree], source: str) -> dict[str, float]:
    table, given = evaluate_ud(gold, parsed), _GIVEN[source]
    return {metric: table.row(metric)["f1"] for metric in _METRICS if metric not in given}
