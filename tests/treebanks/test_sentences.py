"""Heads and labels that a model found, given to sentences."""

import re
from itertools import product

import numpy as np
import pytest
from deptrees.treebanks.sentences import attach, attach_one

from deptrees import DependencyTree, TreeError
from deptrees.treebanks.columns import Columns

NAMES = ("nsubj", "obj")
SENTENCES = [DependencyTree([(None, form) for form in "abc"[:n]]) for n in (1, 3, 2)]
COLUMNS = Columns.encode(SENTENCES)


@pytest.mark.parametrize("number", range(len(SENTENCES)))
def test_sentences_together_are_given_what_each_would_be(number: int) -> None:
    """All heads of one sentence, cycles and words that are not there among them, beside two that are trees."""
    n, start = len(SENTENCES[number]), int(COLUMNS.offsets[number])
    labels = np.array([0, 1, -1, 0, -1, 1], np.int32)
    seen = set()
    for chosen in product(range(-1, n + 2), repeat=n):
        heads = np.array([0, 2, 0, -1, 0, 1], np.int32)
        heads[start : start + n] = chosen
        try:
            one = attach_one(SENTENCES[number], chosen, labels[start : start + n].tolist(), NAMES)
        except TreeError as error:
            seen.add("refused")
            with pytest.raises(TreeError, match=re.escape(str(error))):
                list(attach(SENTENCES, COLUMNS, heads, labels, NAMES))
        else:
            seen.add("accepted")
            assert list(attach(SENTENCES, COLUMNS, heads, labels, NAMES))[number] == one
            assert (one.heads, one.labels) == (
                tuple([None if head < 0 else head for head in chosen]),
                tuple([None if label < 0 else NAMES[label] for label in labels[start : start + n]]),
            )
    assert seen == {"accepted", "refused"}


def test_no_sentences() -> None:
    none = np.array([], np.int32)
    assert list(attach([], Columns.encode([]), none, none, NAMES)) == []
