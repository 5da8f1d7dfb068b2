"""The compiled part of the engine, for type checkers; see compiled.pyx, and __init__.py for how it is found."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from deptrees.engine.code.features import FeatureCode, PlaceCode
from deptrees.engine.code.replayed_costs import CostReplay
from deptrees.engine.code.system import SystemCode
from deptrees.engine.core import tagging as tagging
from deptrees.files.sparse import SparseArray
from deptrees.training.options import LinearOptions

_Integers = npt.NDArray[np.int32]
_Numbers = npt.NDArray[np.int64]
_Booleans = npt.NDArray[np.bool_]
_Bits = npt.NDArray[np.uint32]
_Hashes = npt.NDArray[np.uint64]
_Floats = npt.NDArray[np.float32]

class EngineError(ValueError): ...
class EngineNotInstalled(ImportError): ...

# Numbers that Python and C agree on

LIMITS: Mapping[str, int]
FACTS_PER_PLACE: int
FLAGS: Mapping[str, int]
CONDITIONS: Mapping[str, int]
DESTINATIONS: Mapping[str, int]
FEATURE_LIMITS: Mapping[str, int]
ORACLES: Mapping[str, int]
ON_ERROR: Mapping[str, int]
UPDATES: Mapping[str, int]

# What runs

class CompiledSystem:
    def __init__(
        self, numbers: SystemCode, templates: FeatureCode, make_replay: Callable[[int], CostReplay]
    ) -> None: ...

LONGEST_EXACT: int

class ParserData:
    def __init__(
        self,
        offsets: _Numbers,
        heads: _Integers,
        labels: _Integers,
        label_hashes: _Hashes,
        columns: Sequence[tuple[_Integers, _Hashes]],
        projective: _Booleans | None,
        find_ranks: Callable[[], _Integers] | None = None,
    ) -> None: ...

class Weights:
    arrays: tuple[_Floats, _Floats]  # if it learns
    changes: tuple[_Floats, _Floats] | tuple[None, None]
    time: int
    def __init__(
        self,
        rows: _Integers,
        labels: _Integers,
        allowed: _Booleans,
        first: _Floats | SparseArray,
        second: _Floats | SparseArray,
        n_labels: int,
        learning: bool,
        empty: bool = False,
    ) -> None: ...
    @property
    def width(self) -> int: ...
    def invalidate(self) -> None: ...
    def score(self, table: int, rows: _Bits) -> _Floats: ...

def rows_of(features: _Hashes, bits: int, salt: int = 0) -> _Bits: ...
def copy_differences_from(words: int) -> int: ...

class Derivations:
    going: _Numbers
    def __init__(
        self, system: CompiledSystem, data: ParserData, sentences: _Numbers, places: PlaceCode, with_gold: bool
    ) -> None: ...
    def __len__(self) -> int: ...
    def open(self, sentences: _Numbers) -> None: ...
    def restart(self, derivations: _Numbers, sentences: _Numbers) -> None: ...
    def take(self, rows: _Numbers, labels: _Integers) -> int: ...
    def keep(self, derivations: _Numbers) -> None: ...
    def possible(self) -> _Booleans: ...
    def gold(self, oracle: str) -> _Booleans: ...
    def costs(self) -> _Integers: ...
    def dependents(self) -> _Numbers: ...
    def heads(self) -> _Numbers: ...
    def positions(self) -> _Numbers: ...
    def labels_at(self, positions: _Numbers) -> _Numbers: ...
    def features(self) -> _Hashes: ...
    def arcs(self, root_label: int) -> tuple[_Integers, _Integers]: ...

class Steps:
    astray: tuple[int, list[int]] | None
    def __init__(
        self,
        system: CompiledSystem,
        data: ParserData,
        order: _Numbers,
        oracle: str,
        exploration: float,
        seed: int,
        weights: Weights | None,
        with_features: bool,
    ) -> None: ...
    def finish(self) -> None: ...
    def fill(
        self,
        possible: npt.NDArray[np.uint8],
        gold: npt.NDArray[np.uint8],
        taken: _Integers,
        labels: _Integers,
        sentence: _Integers,
        step: _Integers,
        features: _Hashes,
    ) -> int: ...

def learn(
    weights: Weights,
    system: CompiledSystem,
    data: ParserData,
    order: _Numbers,
    oracle: str,
    options: LinearOptions,
    exploration: float,
    seed: int,
) -> tuple[int, int]: ...

class GlobalLearning:
    def __init__(
        self, weights: Weights, system: CompiledSystem, data: ParserData, oracle: str, options: LinearOptions
    ) -> None: ...
    def learn(self, order: _Numbers, exploration: float, seed: int) -> tuple[int, int]: ...
    def pair(self, sentence: int) -> list[list[int]] | None: ...

def parse(
    weights: Weights,
    system: CompiledSystem,
    data: ParserData,
    start: int,
    stop: int,
    heads: _Integers,
    labels: _Integers,
    scores: _Floats | None,
    margins: _Floats | None,
    root_label: int,
    beam: int,
    constrained: bool,
) -> None: ...

class StepwiseScorer:
    changes: _Floats | None
    def __init__(
        self, templates: FeatureCode, weights: _Floats, hash_of: Callable[[str], int], learning: bool
    ) -> None: ...
    def invalidate(self) -> None: ...
    def mark_used(self, rows: _Numbers) -> None: ...
    def used_rows(self) -> npt.NDArray[np.intp]: ...
    def set_sentence(self, n: int, columns: Sequence[_Hashes]) -> None: ...
    def set_state(
        self, heads: tuple[int | None, ...], labels: tuple[str | None, ...], history: Sequence[int]
    ) -> None: ...
    def hashes_in(self, left: tuple[int, ...], right: tuple[int, ...]) -> _Hashes: ...
    def scores(self, places: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], scores: _Floats) -> None: ...
    def change(self, left: tuple[int, ...], right: tuple[int, ...], column: int, by: float, time: float) -> None: ...
