"""What the engine cannot run, with the same calls: configurations of the functional layer, one at a time.

These are the systems that are not tables over a stack and a buffer, and arc-swift, whose transitions reach any depth;
and templates with numbers, in any system. Training and parsing are called as for other systems. Where the engine is
installed, it looks up the features.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import last, pairwise

from deptrees import search
from deptrees.engine.alternatives import Derived, margins_of, no_margins
from deptrees.engine.model import Model, SavedModel
from deptrees.engine.shape import Shape
from deptrees.engine.stepwise.perceptron import TemplatePerceptron
from deptrees.files.models import ModelFile, Part
from deptrees.files.records import to_record
from deptrees.transition import System
from deptrees.treebanks.columns import Columns

__all__ = ["StepwiseModel", "read_model"]

_FORMAT = "deptrees stepwise model 4"
_WEIGHTS = "perceptron"
_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]


@attrs.frozen(eq=False)
class StepwiseModel(SavedModel):
    """A trained model.

    Args:
        shape: what it scores; transitions and labels are chosen together.
        weights: what it has learnt; see `deptrees.engine.stepwise.perceptron`.
    """

    shape: Shape
    weights: _Floats = attrs.field(repr=False)

    @cached_property
    def ranking(self) -> search.Ranking:
        """The transitions, ranked by what it has learnt."""
        perceptron = TemplatePerceptron(self.shape, self.weights, learning=False)
        return search.Ranking(self.shape.system, perceptron, self.shape.labels)

    def parse(self, columns: Columns, threads: int = 1, beam: int | None = None) -> tuple[_Integers, _Integers]:
        """Parse a treebank, of which only the words count.

        Args:
            columns: the treebank.
            threads: makes no difference here.
            beam: how many derivations to follow at a time, at most 64; if not given, as many as in training.

        Returns:
            The head of each word, -1 for none, and its label as a number of ``shape.labels``, -1 for none.

        Raises:
            ValueError: the numbers of threads or derivations are out of range.
        """
        found = self.k_best(columns, threads, beam)
        return found.heads[0], found.labels[0]

    def parse_with_margins(
        self, columns: Columns, threads: int = 1, beam: int | None = None
    ) -> tuple[_Integers, _Integers, _Floats]:
        """Parse a treebank, and tell how clear the choices were; see ``Model.parse_with_margins``."""
        found, margins = Derived.empty(columns, 1), no_margins(len(columns.heads))
        for sentence, words, beam_found in self._beams(columns, threads, beam):
            found.write(sentence, beam_found[:1], self.shape.labels)
            margins[:, words] = margins_of(search.BeamSearch(self.ranking), beam_found[0])
        return found.heads[0], found.labels[0], margins

    def k_best(self, columns: Columns, threads: int = 1, beam: int | None = None) -> Derived:
        """The derivations that a beam ends with, for each sentence of a treebank; see ``Model.k_best``."""
        found = Derived.empty(columns, self.shape.width(threads, beam))
        for sentence, _, beam_found in self._beams(columns, threads, beam):
            found.write(sentence, beam_found, self.shape.labels)
        return found

    def _beams(self, columns: Columns, threads: int, beam: int | None) -> Iterator[tuple[int, slice, search.Beam]]:
        """Of each sentence the number, where its words are, and the beam in the end."""
        beam_search = search.BeamSearch(self.ranking, self.shape.width(threads, beam))
        for sentence, (start, stop) in enumerate(pairwise(columns.offsets.tolist())):
            yield sentence, slice(start, stop), last(beam_search(columns.tree(sentence)))

    def table_for(self, shape: Shape) -> _Floats:
        """The weights in a table of another shape, which has the same rows and other labels, too."""
        system, table = shape.system, np.zeros(TemplatePerceptron.shape_of_weights(shape), np.float32)
        own, others = [search.Space(system.transition_space(labels)) for labels in (self.shape.labels, shape.labels)]
        rows = np.flatnonzero(self.weights.any(axis=1))  # the others take no memory
        for number, transition in enumerate(own.transitions):
            table[rows, others.column(transition)] = self.weights[rows, number]
        return table

    def with_weights_of(self, models: Sequence[StepwiseModel], shares: Sequence[float]) -> StepwiseModel:
        weights = np.zeros_like(self.weights)
        for model, share in zip(models, shares, strict=True):
            weights += np.float32(share) * model.weights
        return attrs.evolve(self, weights=weights)

    def part(self) -> Part:
        return Part(_FORMAT, to_record(self.shape), {**self.shape.saved_arrays(), _WEIGHTS: self.weights})

    @classmethod
    def read(cls, file: ModelFile, system: System | None = None) -> StepwiseModel:
        shape = Shape.read(file, _FORMAT, system)
        return cls(shape, file.array(_WEIGHTS, TemplatePerceptron.shape_of_weights(shape)))


def read_model(file: ModelFile, system: System | None = None) -> Model | StepwiseModel:
    """Read a model of either kind from an open file.

    Args:
        file: the file.
        system: the transition system, if it is not one of the library's own.

    Raises:
        ModelError: there is none in it, or one of another system.
    """
    return StepwiseModel.read(file, system) if _FORMAT in file else Model.read(file, system)
