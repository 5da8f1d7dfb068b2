"""What derivations in lock step go through: a treebank, and what is looked at there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.code.treebank import label_classes
from deptrees.engine.spec import ModelSpec
from deptrees.features import Node
from deptrees.search.space import Space
from deptrees.transition.constraints import Constraints
from deptrees.transition.hamming import HammingLoss
from deptrees.transition.oracles import CostFunction, OracleFunction, cost
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import TreeOrGraph

__all__ = ["Booleans", "Context", "Integers", "Numbers"]

Numbers = npt.NDArray[np.int64]
Integers = npt.NDArray[np.int32]
Booleans = npt.NDArray[np.bool_]


@attrs.frozen(eq=False)
class Context:
    """What derivations go through, and what is looked at.

    Args:
        columns: the treebank; the nodes of each graph, if graphs are built.
        trees: the same as trees, where there are any, or as graphs.
        spec: the system, the templates and the labels.
        nodes: the nodes to look at.
        oracle: what names gold transitions, ``None`` if nothing is asked about gold trees.
        cost: what tells their costs.
        space: the transitions.
        constraints: what is known of each sentence of the treebank.
        vocabularies: the texts that the numbers of words stand for, by columns.
        learning: whether it is for training, where searches for costs give up sooner.
    """

    columns: Columns
    trees: Sequence[TreeOrGraph] | None
    spec: ModelSpec
    nodes: tuple[Node, ...]
    oracle: OracleFunction | None
    cost: CostFunction
    space: Space
    constraints: Sequence[Constraints] | None
    vocabularies: Mapping[str, Sequence[str]]
    learning: bool
    _numbers: dict[str, Numbers] = attrs.field(factory=dict, init=False)

    def tree(self, sentence: int) -> Any:
        """The gold tree or graph of a sentence."""
        return self.columns.tree(sentence) if self.trees is None else self.trees[sentence]

    def known_oracle(self) -> OracleFunction:
        """The oracle, or a ``ValueError``, where something is asked about gold trees."""
        if self.oracle is None:
            raise ValueError("the derivations were opened without an oracle: nothing is known of gold trees")
        return self.oracle

    @cached_property
    def counts_labels(self) -> bool | None:
        """Whether labels count in costs that the engine can tell; ``None`` if it cannot tell them."""
        loss = HammingLoss() if self.cost is cost else getattr(self.cost, "__self__", None)
        if loss not in (HammingLoss(), HammingLoss(labeled=True)):
            return None
        # Without ROOT, the root gets its label by itself, and then it counts.
        return None if loss.labeled and getattr(self.spec.system, "root", None) == "none" else loss.labeled

    @cached_property
    def labels_of_space(self) -> Integers:
        """For each transition of the space the number of its label, -1 for none."""
        return np.array(self.spec.label_numbers_of(self.space.transitions), np.int32)

    @cached_property
    def allowed_of_space(self) -> Booleans:
        """For each transition of the space whether its label can be that of an arc from a word, and one from ROOT."""
        allowed = self.spec.label_heads.allowed(self.spec.labels)
        return np.append(allowed, [[True], [True]], axis=1)[:, self.labels_of_space]

    @cached_property
    def _gold_labels(self) -> Integers:
        """The numbers of the gold labels of all words, -1 for none, -2 for any that is not known, and one -1 more."""
        known = label_classes(self.columns, self.spec.labels)
        return np.append(np.where((known < 0) & (self.columns.labels >= 0), -2, known), -1).astype(np.int32)

    def gold_labels(self, sentences: Numbers, positions: Numbers) -> Integers:
        """The numbers of the gold labels of the words at some positions, a row for each sentence; -1 for none."""
        return np.maximum(self._gold_labels[self._numbers_of_words(sentences, positions)], -1)

    def mislabeled(
        self, sentences: Numbers, positions: Numbers, heads: Numbers, labels: Integers | Numbers
    ) -> Booleans:
        """Whether arcs to the words at some positions, a row for each sentence, are gold but for their labels."""
        words = self._numbers_of_words(sentences, positions)
        is_gold = (positions > 0) & (heads >= 0) & (heads == np.append(self.columns.heads, -1)[words])
        found: Booleans = is_gold & (labels != self._gold_labels[words])
        return found

    def _numbers_of_words(self, sentences: Numbers, positions: Numbers) -> Numbers:
        """The numbers in the treebank of the words at some positions, a row for each sentence; -1 for none."""
        found: Numbers = np.where(positions > 0, self.columns.offsets[sentences, None] - 1 + positions, -1)
        return found

    def words(self, column: str, sentences: Numbers, positions: Numbers) -> Numbers:
        """What the words at some positions have in a column, a row for each sentence; see ``Derivations.words_at``."""
        texts = self.vocabularies[column]
        of_words = self._numbers_in(column)[self._numbers_of_words(sentences, positions)]
        found: Numbers = np.where(positions > 0, of_words, len(texts) - positions)
        return found

    def _numbers_in(self, column: str) -> Numbers:
        """The numbers of all words in a column, two more than there are texts where it is not known."""
        if column not in self._numbers:
            texts = self.vocabularies[column]
            known = {text: number for number, text in enumerate(texts)}
            numbers = np.array(
                [known.get(text, len(texts) + 2) for text in self.columns.vocabularies[column]], np.int64
            )
            self._numbers[column] = numbers[self.columns.words[column]]
        return self._numbers[column]
