"""Models that score the transitions of a configuration, and so can be searched with step by step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import last

from deptrees.engine.finding import AnyModel, Floats, Found, Integers, SearchOptions
from deptrees.search import BeamSearch
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.search import BaseRanking, Hypothesis, Space
    from deptrees.transition import Configuration

__all__ = ["RankingModel", "margins_of"]


class RankingModel(AnyModel):
    """A model that scores the transitions of a configuration. It searches in the functional layer, on one thread."""

    @property
    @abstractmethod
    def ranking(self) -> BaseRanking:
        """The transitions with their scores, for searches in the functional layer."""

    @property
    @abstractmethod
    def beam(self) -> int:
        """How many derivations it follows if no other number is asked for: as many as in training."""

    def check(self, options: SearchOptions) -> None:
        options.width(self.beam)

    def find(self, batch: Batch, options: SearchOptions = SearchOptions()) -> Found:
        options = options.about_labels(batch, self)
        return self._search(batch.columns, batch.trees, options)

    def parse(self, columns: Columns, threads: int = 1, beam: int | None = None) -> tuple[Integers, Integers]:
        """Parse a treebank, of which only the words count: from arrays to arrays.

        Args:
            columns: the treebank.
            threads: the number of threads; the result does not depend on it.
            beam: how many derivations to follow at a time, at most 64; if not given, as many as in training.

        Returns:
            The head of each word, -1 for none, and its label as a number of ``labels``, -1 for none.

        Raises:
            TypeError: the number of threads or of derivations is not a whole number.
            ValueError: one of them is out of range.
        """
        found = self._find_best(columns, SearchOptions(threads=threads, beam=beam))
        return found.heads[0], found.labels[0]

    def _find_best(self, columns: Columns, options: SearchOptions) -> Found:
        """Find the trees of sentences about which nothing is known."""
        return self._search(columns, map(columns.tree, range(len(columns))), options)

    def _search(self, columns: Columns, trees: Iterable[DependencyTree], options: SearchOptions) -> Found:
        found = self._room(columns.offsets, options.width(self.beam), options)
        for sentence, tree in enumerate(trees):
            found.insert([sentence], self._search_one(tree, options, options.known(sentence)))
        return found

    def _room(self, offsets: npt.NDArray[np.int64], rows: int, options: SearchOptions) -> Found:
        """Room for what is found."""
        return Found.empty(offsets, rows, margins=options.margins, tags=bool(self.system.tags))

    def _search_one(self, tree: DependencyTree, options: SearchOptions, known: Constraints | None) -> Found:
        """Search for the trees of one sentence; ``BrokenConstraints`` if its constraints cannot be met."""
        search = BeamSearch(self.ranking, options.width(self.beam))
        if known is not None:
            search = attrs.evolve(search, possible=known.transitions)
        try:
            beam = last(search(tree if known is None else known.in_misc(tree)))
        except BrokenConstraints as error:
            raise BrokenConstraints(f"{tree.name}: {error}") from None
        found = self._room(np.array([0, len(tree)]), search.size, options)
        numbers = {label: number for number, label in enumerate(self.labels)}
        tags = {tag: number for number, tag in enumerate(self.system.tags)}
        for rank, hypothesis in enumerate(beam):
            found.scores[rank] = hypothesis.score
            found.heads[rank] = [-1 if head is None else head for head in hypothesis.config.heads]
            found.labels[rank] = [numbers.get(label, -1) for label in hypothesis.config.labels]
            if found.tags is not None:
                found.tags[rank] = [tags.get(token.upos, -1) for token in hypothesis.config.tokens]
        if found.margins is not None:
            found.margins[:2] = margins_of(search, beam[0])
            found.margins[2] = found.ahead(found.heads[0])
        if options.begins_with_parse(self.beam):
            found.put_first(self._search_one(tree, attrs.evolve(options, k=1), known))
        return found


def margins_of(search: BeamSearch, hypothesis: Hypothesis) -> Floats:
    """The first two rows of margins of a sentence that was parsed by a search; see `Found`."""
    margins, space = np.zeros((2, len(hypothesis.config.heads)), np.float32), search.ranking.space
    margins[0] = np.inf
    for cfg, taken in hypothesis.derivation():
        [(columns, scores)] = search.ranking.scores([cfg], search.possible)
        row = np.full(space.blocks(cfg.possible_transitions()) * len(space), np.nan)
        row[columns] = scores
        _write_margins(margins, cfg, space.column(taken), row, space)
    return margins


def _write_margins(
    margins: Floats, cfg: Configuration, taken: int, scores: npt.NDArray[np.float64], space: Space
) -> None:
    """Write down how clear a choice is, from its column and all scores, NaN where a transition was not possible."""
    columns = [(bare, space.columns(bare)) for bare in cfg.possible_transitions()]
    best = np.array([np.fmax.reduce(scores[those]) for _, those in columns])
    own = next(number for number, (_, those) in enumerate(columns) if taken in those)
    margin = best[own] - np.fmax.reduce(np.delete(best, own), initial=np.nan)
    for number in np.flatnonzero(~np.isnan(best + margin)).tolist():
        word = cfg.dependent(columns[number][0])
        if word is not None:
            margins[0, word - 1] = min(margins[0, word - 1], margin)
    transition, those = columns[own]
    word = cfg.dependent(transition)
    if word is not None and space.transition(taken) != transition:  # it has a label
        margins[1, word - 1] = scores[taken] - np.fmax.reduce(scores[those[those != taken]], initial=-np.inf)
