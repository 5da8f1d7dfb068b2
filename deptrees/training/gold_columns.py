"""The columns of a transition space that are gold in a configuration, computed only as far as training needs them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.search.space import Space
from deptrees.transition import BaseConfiguration, Oracle, Transition, dynamic_oracle, untyped
from deptrees.transition.configuration import labeled

__all__ = ["GoldColumns", "gold_columns"]

_Columns = npt.NDArray[np.intp]


@attrs.define(eq=False)
class GoldColumns(ABC):
    """The columns of gold transitions in a configuration."""

    oracle: Oracle
    space: Space
    tree: object
    cfg: Any

    @abstractmethod
    def __contains__(self, column: object) -> bool:
        """Whether the transition of a column, which must be possible, is gold."""

    @abstractmethod
    def best(self, columns: _Columns, scores: npt.NDArray[np.float64]) -> int | None:
        """The gold one with the highest score among the columns, in ascending order, of all possible transitions."""

    @abstractmethod
    def after(self, column: int, cfg: BaseConfiguration) -> GoldColumns:
        """Those in the configuration after the transition of a column."""


def gold_columns(oracle: Oracle, space: Space, cfg: BaseConfiguration, tree: object) -> GoldColumns:
    """The columns of an oracle's transitions in a configuration.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import ArcHybrid, Shift
    >>> space = Space(ArcHybrid().transition_space())
    >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
    >>> cfg = Shift()(ArcHybrid().initial(tree))
    >>> gold = gold_columns(Oracle(ArcHybrid(), dynamic_oracle), space, cfg, tree)
    >>> [space.transition(column) for column in space.columns(cfg.possible_transitions()).tolist() if column in gold]
    [LeftArc()]
    """
    if oracle.function is dynamic_oracle and oracle.system.oracles.loss is not None:
        return _FreeColumns(oracle, space, tree, cfg)
    return _NamedColumns(oracle, space, tree, cfg)


@attrs.define(eq=False)
class _NamedColumns(GoldColumns):
    """The columns of the transitions that an oracle names, whatever it is."""

    _columns: _Columns = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._columns = self.space.columns(self.oracle.function(self.cfg, self.tree, self.oracle.label))

    def __contains__(self, column: object) -> bool:
        return column in self._columns

    def best(self, columns: _Columns, scores: npt.NDArray[np.float64]) -> int | None:
        places = _places(self._columns, columns)
        return int(columns[places[scores[places].argmax()]]) if len(places) else None

    def after(self, column: int, cfg: BaseConfiguration) -> GoldColumns:
        return _NamedColumns(self.oracle, self.space, self.tree, cfg)


@attrs.define(eq=False)
class _FreeColumns(GoldColumns):
    """The columns of the transitions that cost nothing, which is what the dynamic oracle names.

    Each is looked at when it is asked for, so that a prediction that is right takes a single loss. The loss of the
    configuration is that of the one before if the transition between them cost nothing.
    """

    _least: int | None = None
    _is_free: dict[Transition, bool] = attrs.field(factory=dict, init=False)
    _found: dict[object, bool] = attrs.field(factory=dict, init=False)  # what each column has been found to be

    def __contains__(self, column: object) -> bool:
        if column not in self._found:
            transition = self._without_label(column)
            self._found[column] = self._has_gold_label(column, transition) and self._costs_nothing(transition)
        return self._found[column]

    def best(self, columns: _Columns, scores: npt.NDArray[np.float64]) -> int | None:
        if len(columns) and (first := int(columns[scores.argmax()])) in self:
            return first  # mostly so, and told at once
        with_gold_labels = [*map(self._with_gold_label, self.cfg.possible_transitions())]
        places = _places(self.space.columns(with_gold_labels), columns)
        ranked = columns[places[np.argsort(-scores[places], kind="stable")]].tolist()
        return next((column for column in ranked if self._costs_nothing(self._without_label(column))), None)

    def after(self, column: int, cfg: BaseConfiguration) -> GoldColumns:
        least = self._least if self._is_free.get(self._without_label(column)) else None
        return _FreeColumns(self.oracle, self.space, self.tree, cfg, least)

    def _has_gold_label(self, column: Any, transition: Transition) -> bool:
        with_gold_label = self._with_gold_label(transition)
        return with_gold_label == self.space.transition(column) or column in self.space.columns(with_gold_label)

    def _with_gold_label(self, transition: Transition) -> Transition:
        return labeled(transition, self.cfg, self.tree, self.oracle.label)

    def _without_label(self, column: Any) -> Transition:
        return labeled(self.space.transition(column), self.cfg, self.tree, untyped)

    def _costs_nothing(self, transition: Transition) -> bool:
        if transition not in self._is_free:
            loss = self.cfg.oracles.loss.in_training()
            is_free = loss.is_free_quickly(transition, self.cfg, self.tree)
            if is_free is None:
                is_free = loss.is_free(transition, self.cfg, self.tree, self._least_loss())
            self._is_free[transition] = is_free
        return self._is_free[transition]

    def _least_loss(self) -> int:
        if self._least is None:
            self._least = self.cfg.oracles.loss.in_training()(self.cfg, self.tree)
        return self._least


def _places(wanted: _Columns, columns: _Columns) -> _Columns:
    """Where the wanted ones are among some columns; both are in ascending order."""
    places = np.searchsorted(columns, wanted)
    found: _Columns = places[columns.take(places, mode="clip") == wanted]
    return found
