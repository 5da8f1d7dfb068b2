"""From feature templates to the numbers that the engine runs on.

Templates name the same words and values again and again. Each is looked up once, a word after the one that it is
reached from, and templates only put values together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import attrs

from deptrees.engine import core
from deptrees.engine.code.system import number_of
from deptrees.engine.core import EngineError
from deptrees.features import (
    DEPENDENTS,
    LONGEST_DISTANCE,
    LONGEST_HISTORY,
    NOTHING,
    ROOT_VALUE,
    Distance,
    History,
    Node,
    Part,
    Templates,
    text_hash,
)
from deptrees.treebanks.columns import MISSING

__all__ = ["FeatureCode", "PlaceCode", "compile_places", "compile_templates"]


@attrs.frozen
class FeatureCode:
    """Feature templates in numbers.

    Args:
        nodes: the words looked at: how to get there, and from where.
        values: what is looked at: kind, lane, node, other node.
        templates: for each its hash, and which values it puts together.
        columns: the columns looked at, whose lanes come after those of the state.
        clusters: the cluster of each form.
        nothing: the hash where there is no word.
        root: the hash of what ROOT has.
        missing: the hash of what a word has not.
        longest_distance: distances that are longer count as this.
    """

    nodes: tuple[tuple[int, int], ...]
    values: tuple[tuple[int, int, int, int], ...]
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
    """Write feature templates in numbers.

    Raises:
        EngineError: there are more of them than the engine takes, or one has numbers.

    >>> code = compile_templates(Templates(["s0.form+b0.form", "s0.left.deprel"]))
    >>> code.nodes, code.values, code.columns
    (((0, 0), (1, 0), (3, 0)), ((0, 5, 0, 0), (0, 5, 1, 0), (0, 0, 2, 0)), ('form',))
    """
    if templates.numeric:
        raise EngineError(
            f"the template '{templates.numeric[0]}' has numbers, and the engine's features have no values: train step "
            "by step, as Parser.train and trainer_for do"
        )
    nodes: list[tuple[int, int]] = []
    values: list[tuple[int, int, int, int]] = []
    columns: list[str] = []

    def value_number(part: Part) -> int:
        if isinstance(part, History):
            return number_of((core.VALUES["taken"], part.steps - 1, 0, 0), values)
        if isinstance(part, Distance):
            start, end = _node(part.start, nodes), _node(part.end, nodes)
            return number_of((core.VALUES["distance"], 0, start, end), values)
        lane = core.LANES.get(part.name)
        if lane is None:
            lane = len(core.LANES) + number_of(part.name, columns)
        return number_of((core.VALUES["look up"], lane, _node(part.node, nodes), 0), values)

    codes = [(text_hash(str(template)), tuple(map(value_number, template.parts))) for template in templates]
    sizes = {
        "nodes": len(nodes),
        "columns": len(columns),
        "values": len(values),
        "templates": len(codes),
        "parts": sum(len(parts) for _, parts in codes),
        "steps back": LONGEST_HISTORY,
    }
    for what, size in sizes.items():
        if size > core.FEATURE_LIMITS[what]:
            raise EngineError(f"the templates have {size} {what}, and the engine takes {core.FEATURE_LIMITS[what]}")
    return FeatureCode(tuple(nodes), tuple(values), tuple(codes), tuple(columns), templates.clusters)


@attrs.frozen
class PlaceCode:
    """Nodes that are looked at by themselves, in numbers.

    Args:
        nodes: those that lead there, and they themselves: how to get there, and from where.
        wanted: which of them are looked at.
        is_tracked: whether they are found only where a state keeps the dependents of words.
    """

    nodes: tuple[tuple[int, int], ...]
    wanted: tuple[int, ...]
    is_tracked: bool


def compile_places(places: Sequence[Node]) -> PlaceCode:
    """Write nodes in numbers.

    Raises:
        EngineError: there are more of them than the engine takes.

    >>> compile_places([Node.read("s0.left.left"), Node.read("b0")])
    PlaceCode(nodes=((0, 0), (3, 0), (3, 1), (1, 0)), wanted=(2, 3), is_tracked=True)
    """
    nodes: list[tuple[int, int]] = []
    wanted = tuple([_node(place, nodes) for place in places])
    if max(len(nodes), len(wanted)) > core.FEATURE_LIMITS["nodes"]:
        raise EngineError(f"there are {len(nodes)} nodes, and the engine takes {core.FEATURE_LIMITS['nodes']}")
    return PlaceCode(tuple(nodes), wanted, any({*place.path} & {*DEPENDENTS} for place in places))


def _node(node: Node, nodes: list[tuple[int, int]]) -> int:
    """The number of a node, after that of each on the way to it."""
    number = number_of((core.NODES[node.side], node.index), nodes)
    for relation in node.path:
        number = number_of((core.NODES[relation], number), nodes)
    return number
