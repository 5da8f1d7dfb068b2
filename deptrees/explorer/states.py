"""What the page shows of a step, as records for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from more_itertools import collapse

from deptrees.drawing.diagram import Arc, ArcDiagram, ArcKind
from deptrees.drawing.svg import svg
from deptrees.explorer.walks import Option, Walk
from deptrees.printable import escaped
from deptrees.search import BaseRanking
from deptrees.transition.configuration import Configuration
from deptrees.transition.description import paragraphs
from deptrees.transition.losses.work import WORK, limited_work
from deptrees.transition.system import System
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.transitions import ArcTransition, IllegalTransition, Transition
from deptrees.trees.token import Token

__all__ = ["items_of", "state_of", "system_html"]

Record = dict[str, Any]

_OPTIONS = 2
"""How many times the work of one answer the costs of all options of a step may be together."""


def state_of(walk: Walk, ranking: BaseRanking | None = None) -> Record:
    """All that the page shows of a step, with the scores of a model if its system is the same.

    A loss or cost is ``None`` where it would take too long to find.

    >>> from deptrees import DependencyTree
    >>> from deptrees.explorer.walks import Setting, walk
    >>> from deptrees.transition import ArcEager
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> state = state_of(walk(Setting(ArcEager(root="last"), "dynamic", tree), ["Shift()"]))
    >>> state["parts"][0]
    {'name': 'σ', 'items': [{'position': 1, 'form': 'I'}]}
    >>> [(option["name"], option["cost"], option["arcs"]) for option in state["transitions"]]
    [('LeftArc()', 0, ((2, 1),)), ('RightArc()', 2, ((1, 2),)), ('Shift()', 1, ())]
    >>> state["impossible"]
    [{'name': 'Reduce()', 'missing': 's0 has a head'}]
    """
    cfg, tree = walk.cfg, walk.setting.tree
    scores, loss = _scores(cfg, ranking), walk.loss
    # Costs come before the oracle, which then knows what it has to know of them.
    with limited_work(_OPTIONS * WORK):  # for all of them together
        costs = [None if loss is None else option.cost for option in walk.options]
    with limited_work(WORK):  # for all steps taken so far together
        costs_taken = [option.cost for option in walk.taken]
    with limited_work(_OPTIONS * WORK):
        lost = [_lost(*known) for known in zip(walk.options, costs, strict=True)]
        lost_last = [_lost(*known) for known in zip(walk.taken[-1:], costs_taken[-1:], strict=True)]
    return {
        "words": _forms(tree),
        "parts": [{"name": name, "items": items_of(part, tree)} for name, part in cfg.parts.items()],
        "drawing": _drawing(walk),
        "gold": _gold_drawing(walk),
        "graph": walk.setting.system.builds_graphs,
        "final": cfg.is_final,
        "loss": loss,
        "estimated": walk.setting.is_estimated,
        "following": repr(walk.gold[0]) if walk.gold else None,
        "gives_up": walk.oracle_gives_up,
        "taken": [_taken(*known) for known in zip(walk.taken, costs_taken, strict=True)],
        "lost": [arcs for of_one in lost_last for arcs in of_one],
        "transitions": [_option(*known, scores) for known in zip(walk.options, costs, lost, strict=True)],
        "impossible": _impossible(cfg),
    }


def system_html(system: System) -> str:
    """What the page shows of a system: its description and its tables."""
    lines = (map(escaped, text.replace("``", "").splitlines()) for text in paragraphs(system))
    told = "".join("<pre>" + "\n".join(found) + "</pre>" for found in lines)
    tables = [table.html() for table in system.tables()] if isinstance(system, StackBufferSystem) else []
    return f"<h3>{escaped(repr(system))}</h3>{told}{''.join(tables)}"


def _taken(option: Option, cost: int | None) -> Record:
    arcs = option.arcs
    return {
        "name": repr(option.transition),
        "cost": cost,
        "arcs": arcs,
        "right": all(map(option.before.setting.is_gold, arcs)),
    }


def _lost(option: Option, cost: int | None) -> list[Record]:
    """The gold arcs that it loses if it costs anything, by what its row says; with no row where that does not tell."""
    if cost == 0:
        return []
    told = [*option.lost.items(), (None, option.given_up)]
    return [{"row": row, "arcs": arcs} for row, arcs in told if arcs]


def _option(option: Option, cost: int | None, lost: list[Record], scores: Mapping[Transition, float]) -> Record:
    score = scores.get(option.transition)
    best = score is not None and score == max(scores.values())
    return {**_taken(option, cost), "lost": lost, "gold": option.is_gold, "score": score, "best": best}


def _impossible(cfg: Configuration) -> list[Record]:
    """The transitions that are not possible, each with the first of its preconditions that does not hold."""
    if cfg.is_final:
        return []
    possible = {type(transition) for transition in cfg.possible_transitions()}
    found = []
    for transition in cfg.system.transition_space():
        if type(transition) not in possible:
            try:
                transition(cfg)
            except IllegalTransition as error:
                found.append({"name": repr(transition), "missing": error.missing})
    return found


def _forms(tree: Iterable[Token]) -> list[str]:
    return ["ROOT", *[word.form for word in tree]]


def items_of(part: object, tree: Iterable[Token]) -> list[Record]:
    """The words in a part of a configuration; of a spine those of its two sides."""
    forms = _forms(tree)
    positions = collapse((part,))
    return [{"position": it, "form": forms[it]} for it in positions if isinstance(it, int) and 0 <= it < len(forms)]


def _drawing(walk: Walk) -> str:
    """The arcs so far, and below the words the gold arcs that are lost."""
    kinds: dict[tuple[int, int], ArcKind] = {
        arc: "plain" if walk.setting.is_gold(arc) else "wrong" for arc in walk.cfg.arcs
    }
    kinds.update({arc: "new" for option in walk.taken[-1:] for arc in option.arcs if kinds[arc] == "plain"})
    arcs = [Arc(head, word, kind=kind) for (head, word), kind in kinds.items()]
    missed = [Arc(head, word, kind="missed") for head, word in walk.lost if head is not None]
    return svg(ArcDiagram(_forms(walk.setting.tree)[1:], [*arcs, *missed]))


def _gold_drawing(walk: Walk) -> str:
    """The arcs of the gold tree, or those of the gold graph, as the system's oracles take them."""
    heads = [of_word if isinstance(of_word, tuple) else (of_word,) for of_word in walk.setting.gold_heads]
    arcs = [Arc(head, word) for word, of_word in enumerate(heads, 1) for head in of_word if head is not None]
    return svg(ArcDiagram(_forms(walk.setting.tree)[1:], arcs))


def _scores(cfg: Configuration, ranking: BaseRanking | None) -> dict[Transition, float]:
    """The best score of each possible transition, whatever its label."""
    if ranking is None or ranking.system != cfg.system or cfg.is_final:
        return {}
    best: dict[Transition, float] = {}
    for transition, score in ranking.ranked(cfg):  # the best first
        bare = type(transition)(k=transition.k) if isinstance(transition, ArcTransition) else transition
        best.setdefault(bare, score)
    return best
