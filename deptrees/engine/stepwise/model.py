"""Models of what the engine cannot run, which goes through configurations of the functional layer, one at a time.

These are the systems that are not tables over a stack and a buffer; arc-swift, whose transitions reach any depth; and,
in any system, templates with numbers. Where the engine is installed, it looks up the features.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock

import attrs
import numpy as np

from deptrees import search
from deptrees.engine.model import SavedModel
from deptrees.engine.spec import Floats, ModelSpec
from deptrees.engine.stepwise.perceptron import TemplatePerceptron
from deptrees.files.models import ModelFile, Part
from deptrees.files.parts import STEPWISE
from deptrees.files.records import to_record
from deptrees.transition import Configuration
from deptrees.transition.systems.registry import GivenSystem

__all__ = ["StepwiseModel"]

_WEIGHTS = "perceptron"


@attrs.frozen(eq=False)
class StepwiseModel(SavedModel):
    """A trained model.

    Args:
        spec: what it scores; transitions and labels are chosen together.
        weights: what it has learned; see `deptrees.engine.stepwise.perceptron`.
    """

    spec: ModelSpec
    weights: Floats = attrs.field(repr=False)

    @cached_property
    def ranking(self) -> search.Ranking:
        """The transitions, ranked by what it has learned."""
        perceptron, lock = TemplatePerceptron(self.spec, self.weights, learning=False), Lock()

        def scores(configurations: Sequence[Configuration]) -> Floats:
            with lock:  # it keeps the state of the configuration that it last looked at
                return perceptron(configurations)

        return search.Ranking(self.spec.system, scores, self.spec.labels, self.spec.label_heads)

    def table_for(self, spec: ModelSpec) -> Floats:
        """The weights in a table of another model, which has the same rows and other labels, too."""
        system, table = spec.system, np.zeros(TemplatePerceptron.shape_of_weights(spec), np.float32)
        own, others = [search.Space(system.transition_space(labels)) for labels in (self.spec.labels, spec.labels)]
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
        return Part(STEPWISE, to_record(self.spec), {**self.spec.saved_arrays(), _WEIGHTS: self.weights})

    @classmethod
    def read(cls, file: ModelFile, system: GivenSystem | None = None) -> StepwiseModel:
        spec = ModelSpec.read(file, STEPWISE, system)
        return cls(spec, file.array(_WEIGHTS, TemplatePerceptron.shape_of_weights(spec)))
