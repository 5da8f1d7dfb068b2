"""All derivations of a short tree, as a graph to click on."""

from __future__ import annotations

import json

from deptrees.drawing.layered_graph import Edge, Node, layered_graph
from deptrees.explorer.states import items_of
from deptrees.explorer.walks import Walk, WalkError
from deptrees.transition.configuration import Configuration
from deptrees.transition.enumeration import derivation_graph
from deptrees.transition.losses.work import limited_work

__all__ = ["graph_of"]

_MOST_SEEN, _MOST_DRAWN = 2000, 150
"""How many configurations are looked at, and how many are drawn."""
_WORK = 1_000_000
"""How much work it may be to find out which of them lead to the tree; where this is not enough, it is tried."""


def graph_of(walk: Walk) -> str:
    """The derivations of the gold tree, as SVG; the configuration of the walk stands out.

    Nodes have in ``data-taken`` the transitions of one way to them, as JSON.

    Raises:
        ValueError: there are too many, or none.

    >>> from deptrees import DependencyTree
    >>> from deptrees.explorer.walks import Setting, walk
    >>> from deptrees.transition import ArcStandard
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (2, "it")])
    >>> graph_of(walk(Setting(ArcStandard(), "dynamic", tree))).count("<rect")
    9
    """
    setting = walk.setting
    with limited_work(_WORK):
        layers = derivation_graph(setting.system, setting.tree, _MOST_SEEN)
    drawn = sum(map(len, layers))
    if not any(layers):
        raise WalkError(f"{setting.system} cannot build this {'graph' if setting.system.builds_graphs else 'tree'}")
    if drawn > _MOST_DRAWN:
        raise WalkError(f"the derivations have {drawn} configurations, too many to draw: take fewer words")
    paths: dict[Configuration, tuple[str, ...]] = {next(iter(layers[0])): ()}
    places = [{cfg: place for place, cfg in enumerate(layer)} for layer in layers]
    edges = []
    for number, layer in enumerate(layers):
        for cfg, steps in layer.items():
            for transition, successor in steps:
                paths.setdefault(successor, (*paths[cfg], repr(transition)))
                ends = places[number][cfg], places[number + 1][successor]
                edges.append(Edge(number, *ends, repr(transition)))
    nodes = [[_node(cfg, paths[cfg], walk) for cfg in layer] for layer in layers]
    return layered_graph(nodes, edges, "All derivations of the tree")


def _node(cfg: Configuration, path: tuple[str, ...], walk: Walk) -> Node:
    parts = cfg.parts.items()
    lines = [f"{name}: {' '.join(item['form'] for item in items_of(part, walk.setting.tree))}" for name, part in parts]
    attributes = {"data-taken": json.dumps(path), "role": "button", "tabindex": "0", "aria-label": "; ".join(lines)}
    return Node(tuple(lines), cfg == walk.cfg, tuple(attributes.items()))
