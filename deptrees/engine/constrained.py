"""What is known about sentences, as arrays and as what the core follows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from deptrees.engine.spec import ModelSpec
from deptrees.transition.constraints import Constraints
from deptrees.trees.heads import TreeError
from deptrees.trees.tree import DependencyTree

__all__ = ["as_gold_tree", "known_words"]


def as_gold_tree(tree: DependencyTree, constraints: Constraints, spec: ModelSpec) -> DependencyTree | None:
    """The tree with only what is known of it, also in MISC, if following it as gold meets the constraints."""
    heads, labels = dict(constraints.heads), dict(constraints.labels)
    if (
        not spec.system_code.has_losses
        or constraints.directions
        or constraints.spans
        or any(len(among) > 1 for among in (*heads.values(), *labels.values()))
        # A label asks for a head, which a gold tree without one does not.
        or (spec.system.leaves_words and labels.keys() - heads.keys())
    ):
        return None
    words = range(1, len(tree) + 1)
    try:
        return constraints.in_misc(tree).reattach(
            [heads.get(word, (None,))[0] for word in words], [labels.get(word, (None,))[0] for word in words]
        )
    except TreeError:  # the search says which words are in the way
        return None


def known_words(constraints: Iterable[Constraints], lengths: Iterable[int]) -> npt.NDArray[np.bool_]:
    """For the words of all sentences two rows: whether there is one head that they can have, and one label.

    >>> known_words([Constraints(heads={1: 2}), Constraints(labels={1: "root"})], [2, 1]).astype(int).tolist()
    [[1, 0, 0], [0, 0, 1]]
    """
    found = [np.zeros((2, 0), np.bool_)]
    for known, length in zip(constraints, lengths, strict=True):
        of_tree = np.zeros((2, length), np.bool_)
        for row, choices in enumerate((known.heads, known.labels)):
            of_tree[row, [word - 1 for word, among in choices if len(among) == 1]] = True
        found.append(of_tree)
    return np.concatenate(found, axis=1)
