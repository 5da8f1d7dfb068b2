"""Rows are drawn as their transitions work."""

from typing import Any

import pytest

from deptrees.transition import ArcEager, reachable
from deptrees.transition.table.page import drawn_rows, tables_of_rows
from tests.tiers import slow
from tests.transition.configurations import TABLES

Elements = tuple[int, ...]


@pytest.mark.parametrize("n", [3, slow(4)])
@pytest.mark.parametrize("system", TABLES, ids=repr)
def test_rows_are_drawn_as_their_transitions_work(system: Any, n: int) -> None:
    [drawn] = drawn_rows(system.rows).groups
    taken = set()
    for cfg in reachable(system, n):
        for transition in cfg.possible_transitions():
            k = getattr(transition, "k", 1)
            for row, cells in zip(system.rows, drawn, strict=True):
                if type(transition) is row.transition and row.k in (k, None):
                    _, old_stack, old_buffer, _, stack, buffer, _ = [cell.text for cell in cells]
                    elements = named(cfg, old_stack, old_buffer, k)
                    after: Any = transition(cfg)
                    assert (filled(stack, elements), filled(buffer, elements)) == (after.stack, after.buffer)
                    taken.add(row)
    assert taken >= {row for row in system.rows if (row.k or 1) < n}


def test_what_is_asked_of_one_variant_is_told_where_there_is_no_other() -> None:
    tables = {root: next(tables_of_rows(ArcEager.rows, {root})).text() for root in ("first", "last")}
    assert ["ROOT first" in tables[root] for root in tables] == [True, False]


def named(cfg: Any, stack: str, buffer: str, k: int) -> dict[str, Elements]:
    """What the symbols of a stack and a buffer stand for."""
    deepest, fronts = (k if "sk" in stack else stack.count("|")), buffer.count("|")
    end = len(cfg.stack) - deepest
    elements = {f"s{index}": (cfg.stack[-1 - index],) for index in range(deepest)}
    elements |= {f"b{index}": (cfg.buffer[index],) for index in range(fronts)}
    elements |= {"sk": cfg.stack[end : end + 1], "…": cfg.stack[end + 1 :]}
    return elements | {"σ": cfg.stack[:end], "β": cfg.buffer[fronts:]}


def filled(drawn: str, elements: dict[str, Elements]) -> Elements:
    """A stack or a buffer with its elements in the place of symbols."""
    return tuple(element for symbol in drawn.split("|") for element in elements[symbol])
