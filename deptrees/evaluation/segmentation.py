"""How well tokens and sentences are found in a text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, pairwise

import attrs

from deptrees.evaluation.pairs import EvaluationError, trees_in
from deptrees.treebanks.raw_text import surface_tokens
from deptrees.trees.tree import DependencyTree

__all__ = ["Segmentation", "segmentation"]

_Spans = set[tuple[int, int]]


@attrs.frozen
class Segmentation:
    """How well a text is divided: the F1 of tokens, and of sentences, that begin and end in the same places."""

    tokens: float
    sentences: float


def segmentation(gold: Iterable[DependencyTree], predicted: Iterable[DependencyTree]) -> Segmentation:
    """How well a text is divided into tokens and sentences, from its gold trees and other trees of the same text.

    White space does not count, as in the evaluation of Universal Dependencies (`evaluate_ud`).

    Raises:
        EvaluationError: there is no token.

    >>> gold = [DependencyTree([(None, "Don't"), (None, "!")]), DependencyTree([(None, "Go")])]
    >>> segmentation(gold, [DependencyTree([(None, "Don't"), (None, "!"), (None, "Go")])])
    Segmentation(tokens=1.0, sentences=0.0)
    """
    (tokens, sentences), (found_tokens, found_sentences) = _spans(gold), _spans(predicted)
    if not tokens:
        raise EvaluationError("the development data have no token: there is nothing to evaluate on")
    return Segmentation(_f1(tokens, found_tokens), _f1(sentences, found_sentences))


def _f1(gold: _Spans, predicted: _Spans) -> float:
    return 2 * len(gold & predicted) / (len(gold) + len(predicted))


def _spans(trees: Iterable[DependencyTree]) -> tuple[_Spans, _Spans]:
    """Where tokens and where sentences begin and end, in characters that are no white space."""
    lengths = [[len("".join(token.form.split())) for token in tokens] for tokens in surface_tokens(trees_in(trees))]
    return _consecutive(length for sentence in lengths for length in sentence), _consecutive(map(sum, lengths))


def _consecutive(lengths: Iterable[int]) -> _Spans:
    return {*pairwise(accumulate(lengths, initial=0))}
