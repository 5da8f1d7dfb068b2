"""From raw text to trees: a parser with a tokenizer and a tagger of its own, trained on one treebank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import attrs

from deptrees.features import TAGGED
from deptrees.parser import Parser
from deptrees.tagger import Tagger, jackknifed
from deptrees.tokenizer import Tokenizer
from deptrees.training.checkpoints import Checkpoint
from deptrees.training.inputs import development_trees, trees_of
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.torch import NeuralParser

__all__ = ["SEEDS", "SETTINGS", "train_pipeline"]

SETTINGS: Mapping[str, Any] = MappingProxyType({"templates": TAGGED, "beam": 8, "joint": True})
"""How a linear parser is trained if nothing else is said: with these settings development data was parsed best."""

SEEDS = 3
"""Of how many seeds tokenizers, taggers and linear parsers are if nothing else is said."""


def train_pipeline(
    treebank: Iterable[DependencyTree],
    dev: Iterable[DependencyTree] | None = None,
    seed: int = 1,
    *,
    kind: type[Parser] | type[NeuralParser] = Parser,
    seeds: int | None = None,
    checkpoint: Checkpoint | None = None,
    **settings: Any,
) -> Parser:
    """Train all that it takes to parse raw text: a tokenizer, a tagger, and a parser that is used to this tagger.

    The parser learns from tags like those that it is going to see: each fifth of the treebank is tagged by a tagger
    trained on the other four (`deptrees.tagger.jackknifed`). A treebank without the comment ``text`` does not tell
    where spaces are; then there is no tokenizer.

    Args:
        treebank: the trees to learn from, in the order of the text; they are held in memory.
        dev: trees to evaluate on after each epoch. If given, of each of the three what was best on them is kept.
        seed: determines the order of the sentences and the exploration, so that a run can be repeated.
        kind: what trains the parser: `deptrees.Parser` a linear one, or `deptrees.torch.NeuralParser` a neural one.
        seeds: of how many seeds, this one and those after it, all three are; by default of
            `deptrees.pipeline.SEEDS`, and a neural parser of one. With more they take longer to train, and are more
            accurate, and linear ones are no slower.
        checkpoint: where the parser's training is saved; that of the others is saved in files beside it.
        settings: for the parser; see its ``train``. What is not given to a linear one is as in
            `deptrees.pipeline.SETTINGS`.

    Raises:
        TrainingError: there is nothing to learn; see ``Parser.train`` and ``Tagger.train`` for this and all else.

    >>> from deptrees import sample_treebank
    >>> parser = train_pipeline(sample_treebank("train"), seeds=1, beam=1, joint=False)
    >>> [tree] = parser.parse_text("The dog sleeps.")
    >>> [(token.form, token.upos, token.lemma) for token in tree]
    [('The', 'DET', 'the'), ('dog', 'NOUN', 'dog'), ('sleeps', 'VERB', 'sleep'), ('.', 'PUNCT', '.')]
    """
    gold, held_out = list(trees_of(treebank)), None if dev is None else development_trees(dev)

    def beside(name: str) -> Checkpoint | None:
        return checkpoint and checkpoint.beside(name)

    tokenizer, averaged = None, seeds or SEEDS
    if any(tree.text is not None for tree in gold):
        tokenizer = Tokenizer.train(gold, held_out, seed=seed, seeds=averaged, checkpoint=beside("tokenizer"))
    tagger = Tagger.train(gold, held_out, seed=seed, seeds=averaged, checkpoint=beside("tagger"))
    tagged = jackknifed(gold, seed=seed, checkpoint=beside("taggers"))
    evaluated = held_out and list(tagger.tag(held_out))
    if kind is Parser:
        settings = {**SETTINGS, "seeds": SEEDS, **settings}
    if seeds is not None:
        settings["seeds"] = seeds
    parser = kind.train(tagged, dev=evaluated, seed=seed, checkpoint=checkpoint, **settings)
    return attrs.evolve(parser, tokenizer=tokenizer, tagger=tagger)
