"""From a system's table to Python functions, made once for each system.

As attrs writes ``__init__`` from a class's fields, this module makes the functions that configurations run on from a
system's rows. `deptrees.transition.table.functions` writes their code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar

import attrs

from deptrees.transition.configuration import last_possible
from deptrees.transition.labels import Label, parameters_of
from deptrees.transition.table import functions as code
from deptrees.transition.table.expressions import condition_code, conjunction, lost_code
from deptrees.transition.table.language import Condition, Lost, Row, Variant
from deptrees.transition.table.malformed import check_table
from deptrees.transition.table.static_dynamic import static_dynamic_rows
from deptrees.transition.transitions import IllegalTransition, Shift, Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration

    _Asks = Callable[[StackBufferConfiguration, Transition], bool]
    _Tells = Callable[[StackBufferConfiguration, DependencyTree, Transition], dict[Lost, list[int]]]
    _One = Callable[[StackBufferConfiguration, DependencyTree, Label], Transition]
    _All = Callable[[StackBufferConfiguration, DependencyTree, Label], tuple[Transition, ...]]
    _Steps = Iterator[tuple[StackBufferConfiguration, Transition]]
    _Derive = Callable[[StackBufferConfiguration, DependencyTree, Label, Callable[[Any], None]], _Steps]

__all__ = ["Cell", "CompiledTable", "compile_table", "rows_applying_to"]

Cell: TypeAlias = "tuple[int, Cell, int]"
"""A cell of a linked list: an element, the next cell, and all elements from here on as bits.

After the last element comes a cell whose element is -1, and whose next cell is itself.
"""

_MOST_MADE = 1 << 14
"""How many transitions of a kind are kept."""


@attrs.frozen
class CompiledTable:
    """The compiled table of one system.

    Args:
        source: the Python code, for reading.
        steps, is_possible: for each kind of transition, the next configuration, and whether there is one.
        dependents: for each kind that adds an arc, the word it attaches.
        lost: for each kind that tells, how many arcs of a gold tree it loses.
        losses: what a transition loses of a gold tree, each with the words that lose their heads.
        possible: the possible transitions, without labels.
        is_final: whether a configuration is final.
        one: the first correct transition in the order of the rows; if there is none, the last that is possible.
        one_prefer_shift: the same, with Shift asked before any other that adds no arc.
        one_lazy: the same as ``one``, with the conditions that are asked of lazy oracles only.
        every: all correct transitions.
        static_dynamic: those that are so for the static-dynamic oracle; ``None`` if the rows do not define it.
        derive: the configurations that lead to a tree, each with what ``one`` says, in one function, which hands over
            the final one; ``None`` if there are rows for every k.
    """

    source: str
    steps: Mapping[type[Transition], Callable[[StackBufferConfiguration, Transition], Any]]
    is_possible: Mapping[type[Transition], _Asks]
    dependents: Mapping[type[Transition], Callable[[StackBufferConfiguration, Transition], int]]
    lost: Mapping[type[Transition], Callable[[StackBufferConfiguration, DependencyTree, Transition], int]]
    losses: _Tells
    possible: Callable[[StackBufferConfiguration], tuple[Transition, ...]]
    is_final: Callable[[StackBufferConfiguration], bool]
    one: _One
    one_prefer_shift: _One
    one_lazy: _One
    every: _All
    static_dynamic: _All | None = None
    derive: _Derive | None = None


def compile_table(
    rows: Sequence[Row], final: Sequence[Condition], variants: Set[Variant], longest_arc: int | None, kind: type
) -> CompiledTable:
    """Compile a table for a system that is all these variants; conditions for others are left out.

    ``kind`` is the class of the configurations. Its field ``_state`` is a tuple of source, stack, buffer, arcs, the
    last transition and the tuple before it.

    Raises:
        TypeError, ValueError: the table cannot mean anything: see `deptrees.transition.table.malformed`.
    """
    check_table(rows, final, longest_arc)
    lazy_rows = rows_applying_to(rows, {*variants, "lazy"})
    rows = rows_applying_to(rows, variants)
    shift_first = sorted(rows, key=lambda row: row.dependent is None and row.transition is not Shift)
    functions = {
        "possible": code.possible(rows),
        "is_final": code.function("is_final", "cfg", f"return {conjunction(applying_to(final, variants))}"),
        "one": code.one("one", rows),
        "one_prefer_shift": code.one("one_prefer_shift", shift_first),
        "one_lazy": code.one("one_lazy", lazy_rows),
        "every": code.every("every", rows),
    }
    if (mixed := static_dynamic_rows(rows)) is not None:
        functions["static_dynamic"] = code.every("static_dynamic", mixed)
    if all(row.k is not None for row in rows):
        functions["derive"] = code.derive(rows, applying_to(final, variants))
    transitions = {row.transition.__name__: row.transition for row in rows}
    tables: dict[str, dict[str, str]] = {"steps": {}, "is_possible": {}, "dependents": {}, "lost": {}}
    for name, transition in transitions.items():
        same = [row for row in rows if row.transition is transition]
        tables["steps"][name] = code.by_k(f"take_{name}", "cfg, t", same, code.step, "illegal(cfg, t)")
        tables["is_possible"][name] = code.by_k(f"is_possible_{name}", "cfg, t", same, code.is_possible, "return False")
        if same[0].dependent:
            tables["dependents"][name] = code.by_k(f"dependent_of_{name}", "cfg, t", same, code.dependent, "return -1")
        if same[0].loses is not None:
            tables["lost"][name] = code.by_k(f"lost_by_{name}", "cfg, tree, t", same, code.losses, "return 0")
    source = "\n\n".join([*functions.values(), *(text for table in tables.values() for text in table.values())])
    namespace: dict[str, Any] = {
        **transitions,
        **{f"THE_{name}": transition() for name, transition in transitions.items()},
        **{f"{row.transition.__name__}_{row.k}": _Made(row.transition, row.k) for row in rows if row.k is not None},
        "made": _made,
        "kind": kind,
        "create": object.__new__,
        "set_state": kind._state.__set__,  # type: ignore[attr-defined]
        "cells": _cells,
        **_names_in_conditions(longest_arc),
        "illegal": _explainer(rows, longest_arc),
        "fallback": last_possible,
        "parameters_of": parameters_of,
        "POSSIBLE": _Subsets(_Made(row.transition, row.k or 1)[()] for row in rows),
    }
    exec(compile(source, "<transition table>", "exec"), namespace)
    made: dict[str, Any] = {name: namespace[name] for name in functions}
    for field, table in tables.items():
        made[field] = {transitions[name]: namespace[code.name_of(text)] for name, text in table.items()}
    return CompiledTable(source, losses=_losses_of(rows, longest_arc), **made)


_Part = TypeVar("_Part", Condition, Lost)


def applying_to(parts: Sequence[_Part], variants: Set[Variant]) -> tuple[_Part, ...]:
    """The parts of a table that apply to a system that is all these variants."""
    return tuple(part for part in parts if variants >= set(part.only))


def rows_applying_to(rows: Sequence[Row], variants: Set[Variant]) -> list[Row]:
    """The rows with what applies to a system that is all these variants."""
    return [
        attrs.evolve(
            row,
            when=applying_to(row.when, variants),
            loses=row.loses and applying_to(row.loses, variants),
            canonical=row.canonical and applying_to(row.canonical, variants),
        )
        for row in rows
    ]


class _Made(dict[tuple[Hashable, ...], Transition]):
    """The transitions of a kind with one k, by their parameters; each is made once for all uses."""

    def __init__(self, kind: Callable[..., Transition], k: int) -> None:
        super().__init__()
        self._make = kind if k == 1 else partial(kind, k=k)

    def __missing__(self, params: tuple[Hashable, ...]) -> Transition:
        if len(self) == _MOST_MADE:
            self.clear()
        return self.setdefault(params, self._make(*params))


@cache
def _made(kind: Callable[..., Transition], k: int) -> _Made:
    return _Made(kind, k)


class _Subsets(dict[int, tuple[Transition, ...]]):
    """For every number, the transitions whose bits are set in it; made when first asked for."""

    def __init__(self, transitions: Iterable[Transition]) -> None:
        super().__init__()
        self._transitions = tuple(transitions)

    def __missing__(self, number: int) -> tuple[Transition, ...]:
        chosen = [transition for bit, transition in enumerate(self._transitions) if number >> bit & 1]
        return self.setdefault(number, tuple(chosen))


def _cells(stack: Cell) -> Iterator[tuple[int, Cell]]:
    """The cells of the stack from the top, numbered from 1."""
    k = 1
    while stack[0] >= 0:
        yield k, stack
        k, stack = k + 1, stack[1]


def _nth_cell(stack: Cell, k: int) -> Cell:
    """The k-th cell of the stack, counted from 1; the empty one if there are fewer."""
    for _ in range(1, k):
        stack = stack[1]
    return stack


def _union(sets: Sequence[int], positions: int) -> int:
    """The union of the sets of some positions."""
    return reduce(or_, [sets[position] for position in _positions(positions)], 0)


def _positions(bits: int) -> Iterator[int]:
    """The positions in a set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _explainer(
    rows: Sequence[Row], longest_arc: int | None
) -> Callable[[StackBufferConfiguration, Transition], NoReturn]:
    """The function that says why a transition is impossible: it asks the preconditions one by one."""
    namespace = _names_in_conditions(longest_arc)
    checks: dict[tuple[type[Transition], int | None], list[tuple[Condition, _Asks]]] = {}
    for row in rows:
        for condition in row.when:
            exec(code.function("holds", "cfg, t", f"return {condition_code(condition)}"), namespace)
            checks.setdefault((row.transition, row.k), []).append((condition, namespace["holds"]))

    def illegal(cfg: StackBufferConfiguration, transition: Transition) -> NoReturn:
        kind, k = type(transition), getattr(transition, "k", 1)
        for condition, holds in checks.get((kind, k)) or checks.get((kind, None)) or ():
            if not holds(cfg, transition):
                raise IllegalTransition.lacking(condition, transition, cfg)
        ks = [str(row.k) for row in rows if row.transition is kind and row.k is not None] or ["1 or more"]
        raise IllegalTransition.lacking(f"k = {' or '.join(ks)}", transition, cfg)

    return illegal


def _losses_of(rows: Sequence[Row], longest_arc: int | None) -> _Tells:
    """The function that says what a transition loses, one by one; made when it is first asked, as few ask."""

    @cache
    def words_of(lost: Lost) -> Callable[[StackBufferConfiguration, DependencyTree, Transition], int]:
        """From a configuration, a gold tree and a transition to the words that lose their heads, as bits."""
        namespace = _names_in_conditions(longest_arc)
        words = lost_code(lost) if lost.kind == "dependents" else f"(1 << {lost.place} if {lost_code(lost)} else 0)"
        exec(code.function("words", "cfg, tree, t", f"return {words}"), namespace)
        return namespace["words"]  # type: ignore[no-any-return]

    def losses(cfg: StackBufferConfiguration, tree: DependencyTree, transition: Transition) -> dict[Lost, list[int]]:
        k = getattr(transition, "k", 1)
        for row in rows:
            if row.transition is type(transition) and row.k in (k, None) and row.tells_cost:
                found = {lost: words_of(lost)(cfg, tree, transition) for lost in row.loses or ()}
                return {lost: list(_positions(words)) for lost, words in found.items() if words}
        return {}

    return losses


def _names_in_conditions(longest_arc: int | None) -> dict[str, Any]:
    """What conditions and lost arcs call by its name, besides the variables of a function."""
    near = None if longest_arc is None else (1 << 2 * longest_arc + 1) - 1  # to be moved to where a position is
    return {"nth_cell": _nth_cell, "union": _union, "LONGEST": longest_arc, "NEAR": near}
