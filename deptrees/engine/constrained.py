"""Parsing under constraints, with models of either kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from deptrees.engine.model import Model
from deptrees.engine.stepwise import StepwiseModel
from deptrees.search import BeamSearch
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.sentences import attach
from deptrees.trees.heads import TreeError
from deptrees.trees.tree import DependencyTree

__all__ = ["best_constrained", "parse_constrained"]


def parse_constrained(
    model: Model | StepwiseModel,
    trees: Sequence[DependencyTree],
    constraints: Sequence[Constraints],
    threads: int = 1,
    beam: int | None = None,
) -> list[DependencyTree]:
    """Parse sentences, of each of which something is known.

    The engine does it at full speed where one head or label is known of each word that is constrained, and it can
    compute the system's losses. Otherwise it is a search in the functional layer.

    Args:
        model: the model.
        trees: the sentences.
        constraints: what is known of each.
        threads: the number of threads of the engine.
        beam: how many derivations to follow at a time; if not given, as many as in training.

    Raises:
        BrokenConstraints: the constraints on a sentence cannot be met, or the model does not know a label; the message
            names the sentence and the words.

    >>> from deptrees import sample_treebank
    >>> from deptrees.engine import train
    >>> model = train(sample_treebank("train"), epochs=1)
    >>> tree = DependencyTree([(None, "They"), (None, "saw"), (None, "her"), (None, "duck")])
    >>> [parsed] = parse_constrained(model, [tree], [Constraints(heads={1: 4}, spans=[(2, 4)])])
    >>> parsed.heads[0]
    4
    """
    for tree, known in zip(trees, constraints, strict=True):
        known.check_labels(tree, model.shape.labels)
    gold = [_as_gold_tree(model, tree, known) for tree, known in zip(trees, constraints, strict=True)]
    simple = [tree for tree, followed in zip(trees, gold, strict=True) if followed is not None]
    fast = iter(_by_the_engine(model, simple, [tree for tree in gold if tree is not None], threads, beam))
    return [
        _by_search(model, tree, known, beam) if followed is None else _checked(model, next(fast), known)
        for tree, known, followed in zip(trees, constraints, gold, strict=True)
    ]


def _as_gold_tree(model: Model | StepwiseModel, tree: DependencyTree, known: Constraints) -> DependencyTree | None:
    """The tree with what is known of it only, also in MISC, if to follow it as gold is to meet the constraints."""
    heads, labels = dict(known.heads), dict(known.labels)
    if (
        not (isinstance(model, Model) and model.shape.system_code.has_losses)
        or known.directions
        or known.spans
        or any(len(among) > 1 for among in (*heads.values(), *labels.values()))
        # A label asks for a head, which a gold tree without one does not.
        or (model.shape.system.leaves_words and labels.keys() - heads.keys())
    ):
        return None
    words = range(1, len(tree) + 1)
    try:
        return known.in_misc(tree).reattach(
            [heads.get(word, (None,))[0] for word in words], [labels.get(word, (None,))[0] for word in words]
        )
    except TreeError:  # the search says which words are in the way
        return None


def _by_the_engine(
    model: Model | StepwiseModel,
    trees: Sequence[DependencyTree],
    gold: Sequence[DependencyTree],
    threads: int,
    beam: int | None,
) -> Iterator[DependencyTree]:
    if not gold or not isinstance(model, Model):
        return
    columns = Columns.encode(gold)
    heads, labels = model.parse(columns, threads, beam, constrained=True)
    yield from attach(trees, columns, heads, labels, model.shape.labels)


def _by_search(
    model: Model | StepwiseModel, tree: DependencyTree, known: Constraints, beam: int | None
) -> DependencyTree:
    return best_constrained(BeamSearch(model.ranking, model.shape.width(1, beam)), tree, known)


def best_constrained(search: BeamSearch, tree: DependencyTree, known: Constraints) -> DependencyTree:
    """The best tree that a search finds for a sentence of which something is known.

    Raises:
        BrokenConstraints: the constraints cannot be met; the message names the sentence and the words.
    """
    try:
        cfg = attrs.evolve(search, possible=known.transitions).best(known.in_misc(tree)).config
    except BrokenConstraints as error:
        raise BrokenConstraints(f"{tree.name}: {error}") from None
    return tree.reattach(cfg.heads, cfg.labels)


def _checked(model: Model | StepwiseModel, parsed: DependencyTree, known: Constraints) -> DependencyTree:
    """Make sure that a tree meets the constraints; otherwise the search says which words are in the way."""
    return _by_search(model, parsed, known, 1) if known.broken_by(parsed.heads) else parsed
