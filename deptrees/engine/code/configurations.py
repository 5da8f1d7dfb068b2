"""Configurations of the functional layer, as the core sees them."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.code.features import compile_templates
from deptrees.features import History, Templates
from deptrees.features.language import CLUSTER, LONGEST_HISTORY
from deptrees.features.values import ROOT_VALUE, cluster_value, column_value, transition_value, value_hash
from deptrees.transition.configuration import SentenceConfiguration
from deptrees.treebanks.hashes import text_hash
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

__all__ = ["ConfigurationReader", "place_in"]

_Floats = npt.NDArray[np.float32]
_Hashes = npt.NDArray[np.uint64]

_NO_WEIGHTS = np.zeros((2, 4), np.float32)


class ConfigurationReader:
    """Has the core see configurations, each sentence and each configuration once.

    Args:
        templates: what is looked at.
        weights: what the core's scorer adds up, if it is to do more than to see.
        learning: whether these will change.
    """

    def __init__(self, templates: Templates, weights: _Floats = _NO_WEIGHTS, learning: bool = False) -> None:
        self._code, self._clusters = compile_templates(templates), templates.clusters
        self.scorer = core.StepwiseScorer(self._code, weights, text_hash, learning)
        self._history = any(isinstance(part, History) for template in templates for part in template.parts)
        self._sentence: DependencyTree | None = None
        self._words: tuple[Token, ...] = ()
        self._columns: list[_Hashes] = []
        self._cfg: SentenceConfiguration | None = None
        self._arcs: tuple[Any, Any] = (None, None)

    def features(self, cfg: SentenceConfiguration) -> _Hashes:
        """The features of a configuration; see ``Templates.hashes``.

        >>> from deptrees.transition import ArcHybrid
        >>> templates, cfg = Templates(["s0.form+b0.form", "b1.form"]), ArcHybrid().initial(["Birds", "sing"])
        >>> ConfigurationReader(templates).features(cfg).tolist() == templates.hashes(cfg)
        True
        """
        self.look_at(cfg)
        return self.scorer.hashes_in(*place_in(cfg))

    def look_at(self, cfg: SentenceConfiguration) -> None:
        """Have the core see a configuration."""
        if cfg is self._cfg:
            return
        if cfg.source is not self._sentence:
            self._read(cfg.source)
            self._sentence, self._arcs = cfg.source, (None, None)
        arcs = cfg.heads, cfg.labels
        if self._history or arcs[0] is not self._arcs[0] or arcs[1] is not self._arcs[1]:  # not every step adds an arc
            latest = islice(cfg.latest_transitions(), LONGEST_HISTORY) if self._history else ()
            self._arcs = arcs
            self.scorer.set_state(*self._arcs, [value_hash(transition_value(transition)) for transition in latest])
        self._cfg = cfg

    def _read(self, sentence: DependencyTree) -> None:
        """Have the core see a sentence: what is in each column where there is no word, in ROOT, and in the words."""
        old, words = len(self._words), sentence.words
        if not old or words[:old] != self._words:
            begun = np.array([*map(text_hash, (None, ROOT_VALUE))], np.uint64)
            old, self._columns = 0, [begun] * len(self._code.columns)
        self._words, more = words, words[old:]  # a sentence that is parsed word by word goes on
        self._columns = [
            np.append(known, np.array([self._hash(word, name) for word in more], np.uint64))
            for known, name in zip(self._columns, self._code.columns, strict=True)
        ]
        self.scorer.set_sentence(len(words), self._columns)

    def _hash(self, word: Token, name: str) -> int:
        """The hash of what a word has in a column."""
        if name == CLUSTER:
            return text_hash(cluster_value(column_value(word, "form"), self._clusters))
        return text_hash(column_value(word, name))


def place_in(cfg: SentenceConfiguration, k: int = 1) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What stands around the place where transitions with this k work."""
    left, right = cfg.neighbors(k)
    return tuple(left), tuple(right)
