"""The evaluation of Universal Dependencies, by the community's own package, ``udtools``.

Its numbers are not recomputed here. Tokens and words are aligned where the two files differ, and scores are precision,
recall, F1, and accuracy on aligned words (Zeman et al. 2018).
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import Any

import attrs
import numpy as np
from more_itertools import longest_common_prefix, split_after

from deptrees.evaluation.pairs import EvaluationError, Trees, trees_in
from deptrees.evaluation.significance import SentenceCounts
from deptrees.evaluation.tables import Column, Table, array_columns
from deptrees.extras import require
from deptrees.treebanks.conllu import to_conllu
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.tree import DependencyTree

__all__ = ["evaluate_ud", "ud_counts"]

_MEASURES = ("precision", "recall", "f1", "aligned_accuracy")
_CONTEXT = 20


def _udeval() -> Any:
    require("udtools", "the evaluation of Universal Dependencies needs udtools", "ud")
    from udtools import udeval

    return udeval


def evaluate_ud(gold: Trees, predicted: Trees) -> Table:
    """The scores of Universal Dependencies: LAS, CLAS, MLAS, BLEX, tags, lemmas, tokens, sentences, and others.

    Sentences and words may differ, but the characters of the text must be the same. Paths of enhanced dependencies
    through empty nodes count as arcs, as in the shared tasks.

    Args:
        gold: a tree, or a treebank.
        predicted: a tree, or a treebank of the same text.

    Raises:
        EvaluationError: there are no words, or udtools cannot evaluate them; the message names file and sentence.
        ModuleNotFoundError: udtools is not installed.

    >>> from deptrees import DependencyTree, Token
    >>> gold = DependencyTree([Token("Go", 0, "root"), Token("on", 1, "compound:prt"), Token("!", 1, "punct")])
    >>> found = evaluate_ud(gold, gold.reattach([0, 1, 2]))
    >>> found.row("LAS")["f1"], found.row("CLAS")["f1"]
    (0.6666666666666666, 1.0)
    """
    udeval = _udeval()
    ours, theirs = _loaded(gold, predicted)
    every = udeval.evaluate(ours.representation, theirs.representation)
    found = {metric: score for metric, score in every.items() if score.gold_total or score.system_total}
    shares = {name: np.array([getattr(score, name) for score in found.values()], float) for name in _MEASURES}
    columns = [Column("metric", found, "key"), *array_columns(shares, "share")]
    return Table("Universal Dependencies", columns, plotted=("f1",))


def ud_counts(gold: Trees, *predicted: Trees) -> list[SentenceCounts]:
    """The counts behind the F1 scores of Universal Dependencies, for ``confidence_intervals`` and ``paired_test``.

    If sentences do not end in the same places, those between two common ends count as one.

    Args:
        gold: a tree, or a treebank.
        predicted: trees or treebanks of the same text, one or several, each from another parser.

    Returns:
        The counts of each parser.

    Raises:
        EvaluationError: there are no words, or udtools cannot evaluate them; the message names file and sentence.
        ModuleNotFoundError: udtools is not installed.

    >>> from deptrees import sample_treebank
    >>> [counts] = ud_counts(sample_treebank("dev"), sample_treebank("dev"))
    >>> counts.scores[:3], counts.right.shape[1]
    (('Tokens', 'Sentences', 'Words'), 16)
    """
    udeval = _udeval()
    ours, *others = _loaded(gold, *predicted)
    ends = set.intersection(ours.ends, *(theirs.ends for theirs in others))
    expected = [*ours.passages(ends)]
    found = [[*map(udeval.evaluate, expected, theirs.passages(ends))] for theirs in others]
    right = [[[2 * score.correct for score in scores.values()] for scores in passages] for passages in found]
    whole = [[[it.gold_total + it.system_total for it in scores.values()] for scores in passages] for passages in found]
    counted = np.any(whole, axis=(0, 1))
    names = tuple(compress(found[0][0], counted))
    both = zip(np.array(right), np.array(whole), strict=True)
    return [SentenceCounts(names, ours.T[counted], theirs.T[counted]) for ours, theirs in both]


@attrs.frozen
class _Loaded:
    """A treebank as udtools reads it."""

    name: str
    trees: list[DependencyTree]
    representation: Any

    @classmethod
    def of(cls, trees: Trees, kind: str) -> _Loaded:
        name = ", ".join(trees.paths) if isinstance(trees, Treebank) else f"the {kind} trees"
        found = list(trees_in(trees))
        try:
            return cls(name, found, _load(found, name))
        except Exception:
            for number, tree in enumerate(found, 1):
                try:
                    _load([tree], name)
                except Exception as error:
                    raise EvaluationError(f"{name}: sentence {number} ({tree.name}): {_reason(error)}") from error
            raise

    def check_text(self, other: _Loaded) -> None:
        """Make sure that both have the same characters."""
        ours, theirs = ("".join(loaded.representation.characters) for loaded in (self, other))
        if ours == theirs:
            return
        place = len([*longest_common_prefix([ours, theirs])])
        one, two = (
            f"{loaded.name}: {loaded.sentence_at(place)} has {text[place : place + _CONTEXT]!r}"
            for loaded, text in ((self, ours), (other, theirs))
        )
        raise EvaluationError(f"the texts differ: {one}, where {two}")

    @property
    def ends(self) -> set[int]:
        """The places in the text where sentences end."""
        return {sentence.end for sentence in self.representation.sentences}

    def passages(self, ends: set[int]) -> Iterator[Any]:
        """The sentences up to each of these ends, as udtools reads them."""
        sentences = zip(self.trees, self.representation.sentences, strict=True)
        for passage in split_after(sentences, lambda sentence: sentence[1].end in ends):
            yield _load([tree for tree, _ in passage], self.name)

    def sentence_at(self, place: int) -> str:
        """The sentence that a character is in."""
        ends = (sentence.end for sentence in self.representation.sentences)
        number = next((number for number, end in enumerate(ends) if place < end), None)
        return "the end" if number is None else f"sentence {number + 1} ({self.trees[number].name})"


def _loaded(gold: Trees, *predicted: Trees) -> list[_Loaded]:
    """Treebanks of the same text."""
    ours, *others = _Loaded.of(gold, "gold"), *(_Loaded.of(trees, "predicted") for trees in predicted)
    for theirs in others:
        ours.check_text(theirs)
    if not any(ours.trees):
        raise EvaluationError(f"there is no word in {ours.name}: there is nothing to evaluate")
    return [ours, *others]


def _load(trees: Iterable[DependencyTree], name: str) -> Any:
    text = "".join([to_conllu(tree.without_empty_nodes()) for tree in trees])
    return _udeval().load_conllu(io.StringIO(text), name, {})


def _reason(error: Exception) -> str:
    return "its heads are too deep for udtools" if isinstance(error, RecursionError) else str(error)
