"""What a tagger has learned about one column."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from deptrees.engine import core
from deptrees.files.sparse import SparseArray
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.tagger.lexicon import Lexicon
from deptrees.tagger.tag_sets import TagSet

__all__ = ["ColumnModel", "perceptrons"]


@attrs.frozen(eq=False)
class ColumnModel:
    """What a tagger has learned about one column.

    Args:
        tag_set: the tags that words of the treebank have.
        lexicon: what the treebank says of its words.
        weights: those that are not 0 in an array (rows × values of tags).

    >>> from deptrees import sample_treebank
    >>> from deptrees.tagger import Tagger
    >>> tagger = Tagger.train(sample_treebank("train"), epochs=1)
    >>> tagger.columns, tagger.models[0].tag_set.tags[:3]
    (('upos', 'xpos', 'feats', 'lemma'), ('ADJ', 'ADP', 'ADV'))
    """

    tag_set: TagSet
    lexicon: Lexicon = attrs.field(repr=False)
    weights: SparseArray = attrs.field(repr=False)


def perceptrons(
    hyperparameters: Hyperparameters, models: Sequence[ColumnModel], *, learning: bool
) -> list[core.tagging.TaggerPerceptron]:
    """What tags each column, or learns to, from the weights of its model on."""
    margin = hyperparameters.margin
    return [
        core.tagging.TaggerPerceptron(
            number, parts, model.weights, model.tag_set.bounds, model.tag_set.numbers, margin, learning
        )
        for number, (parts, model) in enumerate(zip(hyperparameters.parts.values(), models, strict=True))
    ]
