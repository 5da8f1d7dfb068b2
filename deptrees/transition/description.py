"""A system's page: what it is, its table and a derivation, all generated from the system."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from operator import itemgetter

from more_itertools import split_before

from deptrees.drawing.table import DrawnTable
from deptrees.messages import of_type
from deptrees.transition.oracles import static_oracle
from deptrees.transition.sequence import Oracle, WrongDerivation
from deptrees.transition.system import System
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.page import drawn_rows, endings
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import DependencyTree, TreeOrGraph

__all__ = ["describe", "paragraphs"]

_EXAMPLES: tuple[TreeOrGraph, ...] = (
    DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")]),
    DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")]),
)
"""A non-projective tree, for the systems that build it, and a projective one."""

_GRAPHS: tuple[TreeOrGraph, ...] = (
    DependencyGraph(["She", "sings", "and", "dances"], [(0, 2), (2, 1), (4, 1), (2, 4), (4, 3)]),
    DependencyGraph(["She", "sings", "and", "dances"], [(2, 1), (4, 1), (2, 4), (4, 3)]),
)
"""A graph with crossing arcs, for the systems that build it, and one without."""


def describe(system: System, tree: TreeOrGraph | None = None) -> str:
    """What a system is, its table and a derivation by its static oracle, in Markdown.

    The text is the docstring of the system's class, and the table comes from its ``rows``; a system that is not a table
    has the docstring only. So this works for a system of your own too. The derivation is that of a given tree, or
    graph where the system builds graphs; by default it is that of an example. If the static oracle does not lead to the
    tree, the text says where it goes wrong instead.

    >>> from deptrees.transition import ArcHybrid
    >>> lines = describe(ArcHybrid()).splitlines()
    >>> lines[0], next(line for line in lines if "Shift" in line)
    ('# ArcHybrid', '| Shift | b0 ≠ 0 | push b0 | σ below s0 → b0<br>b0 → σ |')
    """
    of_type("system", system, System, "a transition system, such as ArcEager()")
    table = _table(system) if isinstance(system, StackBufferSystem) else ()
    parts = [f"# {type(system).__name__}", *_text(system), *table, *_derivation(system, tree), *_oracles(system)]
    return "\n\n".join(parts) + "\n"


def paragraphs(system: System) -> Iterator[str]:
    """What the docstring of a system's class says before the arguments and the example.

    >>> from deptrees.transition import ArcHybrid
    >>> next(paragraphs(ArcHybrid())).partition(":")[0]
    'Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011)'
    """
    for paragraph in re.split(r"\n\n+", inspect.getdoc(type(system)) or ""):
        if paragraph.startswith((">>>", "Args:")):
            break
        yield paragraph


def _text(system: System) -> Iterator[str]:
    for paragraph in paragraphs(system):
        yield _read(paragraph).markdown() if paragraph.startswith("==") else paragraph.replace("``", "`")


def _read(table: str) -> DrawnTable:
    r"""A table as docstrings draw it, whose cells are below the lines of its head; an empty first cell continues a row.

    >>> print(_read("== =====\nA  B\n== =====\n1  one\n   more\n2  two\n== =====").markdown())
    | A | B |
    | --- | --- |
    | 1 | one more |
    | 2 | two |
    """
    line, *others = table.splitlines()
    columns = [slice(*column.span()) for column in re.finditer("=+", line)]
    title, *lines = ([row[column].strip() for column in columns] for row in others if row != line)
    rows = split_before(lines, itemgetter(0))
    body = [[" ".join(filter(None, cells)) for cells in zip(*row, strict=True)] for row in rows]
    return DrawnTable(title, [body])


def _table(system: StackBufferSystem) -> Iterator[str]:
    yield "## Table"
    yield from (table.markdown() for table in system.tables())
    yield f"```text\n{drawn_rows(system.rows).text()}\n```"
    yield "A configuration is final if all of these are true:"
    yield "\n".join(f"* {line}" for line in endings(system.final, system.variants))


def _derivation(system: System, tree: TreeOrGraph | None) -> Iterator[str]:
    if tree is None:
        examples = _GRAPHS if system.builds_graphs else _EXAMPLES
        tree = next((example for example in examples if system.obstacle(example) is None), None)
    if tree is None or system.oracles.static is None:
        return
    yield "## Example"
    if (obstacle := system.obstacle(tree)) is not None:
        yield f"{obstacle}."
        return
    try:
        steps = [(cfg, repr(transition)) for cfg, transition in Oracle(system, static_oracle)(tree)]
    except WrongDerivation as fault:  # the table is what shows why
        yield f"{fault}."
        return
    sentence = " ".join(token.form for token in tree)
    yield f"The derivation of *{sentence}*, heads {tree.heads}, by the static oracle of `{system!r}`:"
    rows = [[repr(cfg).removeprefix(f"{system!r}: "), transition] for cfg, transition in steps]
    yield DrawnTable(["configuration", "transition"], [rows]).markdown()


def _oracles(system: System) -> Iterator[str]:
    oracles = system.oracles
    yield "## Oracles"
    yield f"The system has these oracles: {', '.join(oracles.names)}."
    if oracles.take_any_tree:
        gold = "graph" if system.builds_graphs else "tree"
        yield f"The dynamic oracle and costs are exact for every gold {gold}, even one that the system cannot build."
    if not system.builds_graphs and system.learns_best_from in oracles.names:
        yield f"Training takes the {system.learns_best_from} oracle by default."
