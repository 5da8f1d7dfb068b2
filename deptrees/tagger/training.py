"""How a tagger is trained: averaged perceptrons over the sentences of a treebank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.files.sparse import SparseArray
from deptrees.tagger.column_model import ColumnModel, perceptrons
from deptrees.tagger.hyperparameters import Hyperparameters
from deptrees.tagger.lemmatizer import Lemmatizer
from deptrees.tagger.lexicon import Lexicon, TagCounts, words_to_learn
from deptrees.tagger.tag_sets import TagSet, tags_in
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.resumable import Arrays, ResumableTraining, State, cut
from deptrees.trees.token import Token, canonical
from deptrees.trees.tree import DependencyTree

__all__ = ["TaggerTraining"]

_WORDS_IN_PORTION = 20_000


class TaggerTraining(ResumableTraining[npt.NDArray[np.int64]]):
    """Training a tagger; a ``TrainingError`` if no word has a tag.

    A sentence is tagged as in use, one column after the other; after each word the weights change if it was wrong.
    """

    def __init__(self, trees: Sequence[DependencyTree], hyperparameters: Hyperparameters, seed: int) -> None:
        super().__init__(seed)
        found = {column: TagSet(tags_in(trees, column)) for column in hyperparameters.features}
        if not any(tag_set.tags for tag_set in found.values()):
            raise TrainingError(f"no word has a tag in the column {' or '.join(found)}: there is nothing to learn")
        tokens = [token for tree in trees for token in tree.tokens]
        columns = [column for column, tag_set in found.items() if tag_set.tags]
        if any(token.lemma is not None for token in tokens):
            columns.append("lemma")
        self.hyperparameters = hyperparameters.only(columns).for_words(len(tokens))
        self.lemmatizer = Lemmatizer.count(_lemmatized(tokens, columns)) if self.hyperparameters.lemmas else None
        forms = [canonical(token.form) for token in tokens]
        self._gold, self._models, counts = [], [], []
        for column in self.hyperparameters.features:
            tag_set = found[column]
            numbers = {tag: number for number, tag in enumerate(tag_set.tags)}
            gold = np.array([numbers.get(getattr(token, column), -1) for token in tokens], np.int32)
            counts.append(TagCounts.of(forms, gold.tolist()))
            lexicon = Lexicon.of(counts[-1], self.hyperparameters)
            nothing = SparseArray.empty(self.hyperparameters.table_shape(tag_set.n_values))
            self._gold.append(gold)
            self._models.append(ColumnModel(tag_set, lexicon, nothing))
        self._perceptrons = perceptrons(self.hyperparameters, self._models, learning=True)
        self._lengths = np.array([len(tree) for tree in trees])
        self._words = words_to_learn(
            [model.lexicon for model in self._models],
            counts,
            np.cumsum([0, *self._lengths], dtype=np.int64),
            zip(forms, zip(*(gold.tolist() for gold in self._gold), strict=True), strict=True),
            self.hyperparameters.known_share,
        )

    def models(self) -> list[ColumnModel]:
        """What has been learned so far of each column: the average of the weights."""
        return [
            attrs.evolve(model, weights=SparseArray.of_rows(model.weights.shape, *perceptron.averages()))
            for model, perceptron in zip(self._models, self._perceptrons, strict=True)
        ]

    def _divide(self) -> Sequence[npt.NDArray[np.int64]]:
        return cut(self._random.permutation(len(self._lengths)), self._lengths, _WORDS_IN_PORTION)

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        counts = [
            perceptron.learn(self._words, sentence, gold)
            for sentence in portion.tolist()
            for perceptron, gold in zip(self._perceptrons, self._gold, strict=True)
        ]
        asked, wrong = map(sum, zip(*counts, strict=True))
        return asked, wrong

    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        return Epoch(number, len(self._lengths), 0, steps, errors)

    def _arrays(self) -> Arrays:
        named = [*zip(self.hyperparameters.features, self._perceptrons, strict=True)]
        weights = {f"{column}.weights": perceptron.weights for column, perceptron in named}
        return {**weights, **{f"{column}.changes": perceptron.changes for column, perceptron in named}}

    def _other_state(self) -> State:
        return {"times": [perceptron.time for perceptron in self._perceptrons]}

    def _restore(self, arrays: Arrays, rest: State) -> None:
        for perceptron, time in zip(self._perceptrons, rest["times"], strict=True):
            perceptron.time = time
            perceptron.invalidate()


def _lemmatized(tokens: Iterable[Token], columns: Collection[str]) -> Iterator[tuple[str, str | None, str | None, str]]:
    """Words with lemmas, and those of their tags that the tagger will know when it fills in lemmas."""
    for token in tokens:
        if token.lemma is not None:
            upos = token.upos if "upos" in columns else None
            feats = token.feats if "feats" in columns else None
            yield canonical(token.form), upos, feats, canonical(token.lemma)
