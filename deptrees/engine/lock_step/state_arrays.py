"""Queries of derivations in lock step."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from deptrees.trees.tree import DependencyTree

__all__ = ["StateArrays"]

_Numbers = npt.NDArray[np.int64]
_Integers = npt.NDArray[np.int32]
_Booleans = npt.NDArray[np.bool_]


class StateArrays(ABC):
    """Queries of many derivations at once.

    Each returns an array with a row for each derivation that is not final, unless stated otherwise.
    """

    @property
    @abstractmethod
    def sentences(self) -> _Numbers:
        """The sentence of each derivation."""

    @property
    @abstractmethod
    def going(self) -> _Numbers:
        """The numbers of the derivations that are not final."""

    @abstractmethod
    def possible(self) -> _Booleans:
        """For each transition, whether it is possible."""

    @abstractmethod
    def gold(self) -> _Booleans:
        """For each transition, whether the oracle returns it and its label, if it has one, is not wrong."""

    @abstractmethod
    def costs(self) -> _Integers:
        """For each transition, how many more heads a best reachable tree gets wrong after it, -1 if not possible.

        Raises:
            OracleNotDefined: they are not known for the system.
        """

    @abstractmethod
    def dependents(self) -> _Numbers:
        """For each transition, the position of the word that it attaches, -1 for none or if it is not possible."""

    @abstractmethod
    def positions(self) -> _Numbers:
        """The positions of the nodes in their sentences: 0 for ROOT, -1 where there is no word."""

    @abstractmethod
    def labels_at(self, positions: _Numbers) -> _Numbers:
        """The numbers of the labels that the words at some positions have got so far, -1 for none."""

    @abstractmethod
    def features(self) -> npt.NDArray[np.uint64]:
        """The features, a 64-bit number for each template."""

    @abstractmethod
    def arcs(self) -> tuple[_Integers, _Integers]:
        """The heads and labels found so far, -1 for none, of all words, one derivation after the other."""

    @abstractmethod
    def trees(self) -> list[DependencyTree]:
        """The sentence of each derivation, with the heads and labels found so far."""
