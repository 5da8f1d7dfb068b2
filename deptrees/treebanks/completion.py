"""Heads for words that have none."""

from __future__ import annotations

import numpy as np

from deptrees.treebanks.batch import Batch

__all__ = ["completed"]


def completed(batch: Batch, root_label: str = "root", label: str = "dep") -> Batch:
    """The sentences with a head for every word, for programs that need one; existing heads and labels stay.

    A word without a head becomes a dependent of the first word below ROOT. If there is none, the first word without a
    head becomes that word.

    Args:
        batch: the sentences.
        root_label: the label of an added arc from ROOT.
        label: that of any other added arc; in Universal Dependencies, ``dep`` is an unspecified relation.

    >>> from deptrees import DependencyTree
    >>> tree = DependencyTree([(None, "Well"), (3, "birds", "nsubj"), (None, "sing"), (None, "!")])
    >>> completed(Batch.of([tree])).trees[0]
    DependencyTree([(0, 'Well', 'root'), (3, 'birds', 'nsubj'), (1, 'sing', 'dep'), (1, '!', 'dep')])
    """
    columns = batch.columns
    missing = columns.heads < 0
    if not missing.any():
        return batch
    lengths = np.diff(columns.offsets)
    sentences, positions = np.arange(len(columns)).repeat(lengths), np.arange(batch.n_words)
    top = np.full((2, len(columns)), batch.n_words)  # of each sentence the first word below ROOT, and without a head
    for row, those in zip(top, (columns.heads == 0, missing), strict=True):
        np.minimum.at(row, sentences[those], positions[those])
    top_of_word = np.where(top[0] < batch.n_words, *top)[sentences]
    is_top = positions == top_of_word
    heads = np.where(is_top, 0, top_of_word - columns.offsets[sentences] + 1)
    names = (*columns.vocabularies["deprel"], root_label, label)
    labels = np.where(is_top, len(names) - 2, len(names) - 1)
    return batch.with_arcs(np.where(missing, heads, columns.heads), np.where(missing, labels, columns.labels), names)
