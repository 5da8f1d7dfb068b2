"""A system's page: what it is, its table and a derivation, all read off the system itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence

from deptrees.transition.configuration import System
from deptrees.transition.oracles import static_oracle
from deptrees.transition.sequence import Oracle
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table import Condition, Lost, Row
from deptrees.trees.tree import DependencyTree

__all__ = ["describe"]

_EXAMPLES = (
    DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]),
    DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")]),
)
"""A non-projective tree, for the systems that build it, and a projective one."""


def describe(system: System) -> str:
    """What a system is, its table and a derivation by its static oracle, in Markdown.

    The text is the docstring of the system's class, and the table its ``rows``; systems of another shape have the
    docstring only. So it works for a system of your own as well.

    >>> from deptrees.transition import ArcHybrid
    >>> lines = describe(ArcHybrid()).splitlines()
    >>> lines[0], next(line for line in lines if "Shift" in line)
    ('# ArcHybrid', '| Shift | b0 ≠ 0 | push b0 | σ below s0 → b0<br>b0 → σ |')
    """
    parts = [f"# {type(system).__name__}", *_text(system)]
    if isinstance(system, StackBufferSystem):
        parts += _table(system)
    return "\n\n".join([*parts, *_derivation(system), *_oracles(system)]) + "\n"


def _text(system: System) -> Iterator[str]:
    """The docstring's paragraphs before the arguments and the example."""
    for paragraph in re.split(r"\n\n+", inspect.getdoc(type(system)) or ""):
        if paragraph.startswith((">>>", "Args:")):
            break
        yield f"```text\n{paragraph}\n```" if paragraph.startswith("==") else paragraph.replace("``", "`")


def _table(system: StackBufferSystem) -> Iterator[str]:
    yield "## Table"
    kinds: dict[str, list[tuple[object, ...] | None]] = {
        "loses the gold arcs": [row.loses for row in system.rows],
        "is correct if": [row.correct for row in system.rows],
        "is the static oracle's if": [row.canonical for row in system.rows],
    }
    for title, cells in kinds.items():
        if any(cell is not None for cell in cells):
            rows = [
                [_name(row), _joined(_asked(row.when, system)), _joined(row.do), _joined(_asked(cell or (), system))]
                for row, cell in zip(system.rows, cells, strict=True)
            ]
            yield _markdown(["transition", "is possible if", "does", title], rows)
    yield f"Parsing ends when {', '.join(map(str, _asked(system.final, system)))}."


def _asked(parts: Sequence[object], system: StackBufferSystem) -> list[object]:
    """The parts that are asked of some variant of the system."""
    variants = {*system.roots, *(["single root"] if system.can_have_single_root else []), "lazy", "empty meant"}
    return [part for part in parts if not isinstance(part, Condition | Lost) or variants.issuperset(part.only)]


def _name(row: Row) -> str:
    return row.transition.__name__ if row.k == 1 else f"{row.transition.__name__}(k={row.k or 'k'})"


def _joined(parts: Sequence[object]) -> str:
    return "<br>".join(map(str, parts)) or "–"


def _derivation(system: System) -> Iterator[str]:
    tree = next((tree for tree in _EXAMPLES if system.obstacle(tree) is None), None)
    if tree is None or system.oracles.static is None:
        return
    sentence = " ".join(token.form for token in tree)
    yield "## Example"
    yield f"The derivation of *{sentence}*, heads {tree.heads}, by the static oracle of `{system!r}`:"
    steps = [(cfg, repr(transition)) for cfg, transition in Oracle(system, static_oracle)(tree)]
    rows = [[repr(cfg).removeprefix(f"{system!r}: "), transition] for cfg, transition in steps]
    yield _markdown(["configuration", "transition"], rows)


def _oracles(system: System) -> Iterator[str]:
    oracles = system.oracles
    yield "## Oracles"
    yield f"It has these oracles: {', '.join(oracles.names)}."
    if oracles.take_any_tree:
        yield "The dynamic oracle and costs are exact for every gold tree, also for one that the system cannot build."


def _markdown(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
