"""From feature templates to what the engine runs on: names and numbers.

Templates name the same words and values again and again. Each is looked up once, a word after the one that it is
reached from, and templates only put values together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine import core
from deptrees.engine.code.system import number_of
from deptrees.engine.core import EngineError
from deptrees.features import Distance, History, Node, Templates
from deptrees.features.language import DEPENDENTS, LONGEST_HISTORY, STATES, Part
from deptrees.features.values import LONGEST_DISTANCE, NOTHING, ROOT_VALUE
from deptrees.treebanks.columns import MISSING
from deptrees.treebanks.hashes import text_hash

__all__ = ["FeatureCode", "PlaceCode", "compile_places", "compile_templates", "feature_code", "feature_numbers"]


@attrs.frozen
class FeatureCode:
    """Feature templates, taken apart.

    Args:
        nodes: the words looked at: how to get there, and from where, an index or the number of a node before it.
        values: what is looked at: its kind ("column", "distance", "taken", or one of `deptrees.features.STATES`), the
            number of a column or how many transitions ago, node, other node.
        templates: for each its hash, and which values it puts together.
        columns: the columns looked at.
        clusters: the cluster of each form.
        nothing: the hash where there is no word.
        root: the hash of what ROOT has.
        missing: the hash of what a word has not.
        longest_distance: distances that are longer count as this.
    """

    nodes: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, int, int, int], ...]
    templates: tuple[tuple[int, tuple[int, ...]], ...]
    columns: tuple[str, ...]
    clusters: Mapping[str, str] = attrs.field(hash=False)
    nothing: int = text_hash(NOTHING)
    root: int = text_hash(ROOT_VALUE)
    missing: int = text_hash(MISSING)
    longest_distance: int = LONGEST_DISTANCE

    @property
    def digest(self) -> int:
        """A number for what is done with a state: codes for which that is the same have the same one."""
        return text_hash(repr((self.nodes, self.values, self.templates)))


@lru_cache(maxsize=16)
def compile_templates(templates: Templates) -> FeatureCode:
    """Take feature templates apart.

    Raises:
        EngineError: there are more of them than the engine takes, or one has numbers.

    >>> code = compile_templates(Templates(["s0.form+b0.form", "s0.left.deprel"]))
    >>> code.nodes, code.columns
    ((('s', 0), ('b', 0), ('left', 0)), ('form',))
    >>> code.values
    (('column', 0, 0, 0), ('column', 0, 1, 0), ('deprel', 0, 2, 0))
    """
    if templates.numeric:
        raise EngineError(
            f"the template '{templates.numeric[0]}' has numbers, and the engine's features have no values: train step "
            "by step, as Parser.train and trainer_for do"
        )
    code = feature_code(templates)
    sizes = {
        "nodes": len(code.nodes),
        "columns": len(code.columns),
        "values": len(code.values),
        "templates": len(code.templates),
        "parts": sum(len(parts) for _, parts in code.templates),
        "steps back": LONGEST_HISTORY,
    }
    for what, size in sizes.items():
        if size > core.FEATURE_LIMITS[what]:
            raise EngineError(f"the templates have {size} {what}, and the engine takes {core.FEATURE_LIMITS[what]}")
    return code


def feature_code(templates: Templates) -> FeatureCode:
    """What `compile_templates` makes of templates, however many there are: the core need not be compiled."""
    nodes: list[tuple[str, int]] = []
    values: list[tuple[str, int, int, int]] = []
    columns: list[str] = []

    def value_number(part: Part) -> int:
        if isinstance(part, History):
            return number_of(("taken", part.steps - 1, 0, 0), values)
        if isinstance(part, Distance):
            return number_of(("distance", 0, _node(part.start, nodes), _node(part.end, nodes)), values)
        kind, column = (part.name, 0) if part.name in STATES else ("column", number_of(part.name, columns))
        return number_of((kind, column, _node(part.node, nodes), 0), values)

    codes = [(text_hash(str(template)), tuple(map(value_number, template.parts))) for template in templates]
    return FeatureCode(tuple(nodes), tuple(values), tuple(codes), tuple(columns), templates.clusters)


@attrs.frozen
class PlaceCode:
    """Nodes that are looked at by themselves.

    Args:
        nodes: those that lead there, and they themselves: how to get there, and from where.
        wanted: which of them are looked at.
        is_tracked: whether they are found only where a state keeps the dependents of words.
    """

    nodes: tuple[tuple[str, int], ...]
    wanted: tuple[int, ...]
    is_tracked: bool


def compile_places(places: Sequence[Node]) -> PlaceCode:
    """Take nodes apart.

    Raises:
        EngineError: there are more of them than the engine takes.

    >>> compile_places([Node.read("s0.left.left"), Node.read("b0")])
    PlaceCode(nodes=(('s', 0), ('left', 0), ('left', 1), ('b', 0)), wanted=(2, 3), is_tracked=True)
    """
    nodes: list[tuple[str, int]] = []
    wanted = tuple([_node(place, nodes) for place in places])
    if max(len(nodes), len(wanted)) > core.FEATURE_LIMITS["nodes"]:
        raise EngineError(f"there are {len(nodes)} nodes, and the engine takes {core.FEATURE_LIMITS['nodes']}")
    return PlaceCode(tuple(nodes), wanted, any({*place.path} & {*DEPENDENTS} for place in places))


def _node(node: Node, nodes: list[tuple[str, int]]) -> int:
    """The number of a node, after that of each on the way to it."""
    number = number_of((node.side, node.index), nodes)
    for relation in node.path:
        number = number_of((relation, number), nodes)
    return number


def feature_numbers(hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Features in arrays for other libraries, most of which want numbers with a sign: hashes without their last bit.

    The array becomes them.
    """
    hashes >>= np.uint64(1)
    return hashes.view(np.int64)
