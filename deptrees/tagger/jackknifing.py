"""Jackknifing: a treebank with tags from taggers that have not learned from its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise

import attrs

from deptrees.messages import of_type
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.tagger.tagger import Tagger
from deptrees.training.checkpoints import Checkpoint
from deptrees.training.records import Epoch, TrainingError
from deptrees.trees.tree import AnyTree, DependencyTree, trees_of

__all__ = ["jackknifed"]


def jackknifed(
    treebank: Iterable[AnyTree],
    folds: int = 5,
    epochs: int = 5,
    seed: int = 1,
    *,
    hyperparameters: Hyperparameters | None = None,
    checkpoint: Checkpoint | None = None,
    on_epoch: Callable[[Epoch], object] = lambda epoch: None,
) -> Iterator[DependencyTree]:
    """The trees of a treebank, in order, with tags from taggers that have not seen them.

    A parser trained on such tags sees the same mistakes in training as in use. The treebank is cut into as many pieces
    as there are folds, and each is tagged by a tagger trained on all others.

    Args:
        treebank: the trees; they are held in memory.
        folds: the number of taggers to train.
        epochs: the number of passes of each tagger over its part of the treebank.
        seed: determines the order of the sentences in training.
        hyperparameters: those of the taggers; by default the standard ones.
        checkpoint: beside which to save the training of the taggers, each in a file whose name ends in its number.
        on_epoch: called with a record of each epoch, which says what share of all taggers is trained.

    Raises:
        ValueError: there are fewer than two folds.
        TrainingError: a tagger has nothing to learn from, as with one sentence alone.

    >>> from deptrees import sample_treebank
    >>> trees = list(sample_treebank("train"))
    >>> tagged = list(jackknifed(trees, folds=3))
    >>> [tree.heads for tree in tagged] == [tree.heads for tree in trees], tagged == trees
    (True, False)
    """
    of_type("checkpoint", checkpoint, Checkpoint | None, "a Checkpoint, or None")
    if folds < 2:
        raise ValueError(f"{folds} folds: two are the least, as each is tagged by what is learned from the others")
    trees = list(trees_of(treebank))
    if len(trees) == 1:
        raise TrainingError("there is one sentence, and sentences are tagged by what is learned from others: give more")
    train = partial(Tagger.train, epochs=epochs, seed=seed, hyperparameters=hyperparameters)

    def tagged(number: int, start: int, stop: int) -> Iterator[DependencyTree]:
        tagger = train(
            trees[:start] + trees[stop:],
            checkpoint=checkpoint and checkpoint.beside(str(number)),
            on_epoch=lambda epoch: on_epoch(attrs.evolve(epoch, done=(number - 1 + epoch.done) / folds)),
        )
        return tagger.tag(trees[start:stop])

    pieces = enumerate(pairwise(len(trees) * fold // folds for fold in range(folds + 1)), 1)
    return (tree for number, (start, stop) in pieces if start < stop for tree in tagged(number, start, stop))
