"""Which rows of a table push a word, and which remove it, at each place of the deduction.

The deduction is that of `docs/what-is-new.md`: B(k, j) sums up what can happen to the words between k and j, from when
k is on top of the stack and k + 1 in front of the buffer until k is on top again and j in front. Let d be the last word
that was right above k, and let the mark m say whether it was pushed with a head. It was in front when it was pushed,
and j when it left, so each derivation is counted once:

    B(k, k + 1) = 1
    B(k, j)     = ⊕ over k < d < j and m of  B(k, d) ⊗ push(k, d, m) ⊗ B(d, j) ⊗ leave(k, d, j, m)

What rows require is known at these places: what is s0 and below it, what is b0 and behind it, whether s0 has a head.
Places differ in that only at the ends of the sentence, so a small table has the answer for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.messages import TooLarge
from deptrees.transition.losses.tabular import loss_obstacle
from deptrees.transition.system import System
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table.compiler import applying_to
from deptrees.transition.table.language import B0, B1, S0, S1, Condition, arc, drop, push

__all__ = ["ALONE", "BELOW", "FRONT", "WITH_ROOT", "ChartNotDefined", "Deduction", "deduction"]

Masks = npt.NDArray[np.bool_]

FRONT, BELOW, ALONE, WITH_ROOT = range(4)
"""Where a word has its head when it has left: in front, below, nowhere, or in ROOT, which stands nowhere."""
_NOTHING, _ROOT, _WORD = range(3)
_BOTTOM = 0
_FRONTS = _BEFORE_LAST, _LAST, _END = range(3)
_MOST_NUMBERS = 1 << 27
"""Of an array of a chart: a gibibyte."""


class ChartNotDefined(ValueError):
    """The derivations of a system cannot be summed up in this way; the message names what its table does otherwise."""


@attrs.frozen(eq=False)
class Deduction:
    """What can happen at each place of the deduction of one system.

    An element below is the bottom of the stack (0) or a word (1); a front is a word before the last one (0), the last
    word (1), or the end of the buffer (2), where ROOT stands or nothing.

    Args:
        system: the system.
        pushing: the numbers of the rows that push a word.
        leaving: the numbers of the rows that remove one.
        pushes: of shape (marks, pushing, 2, 3): whether a row can push this front upon this element, with this mark.
        leaves: of shape (marks, leaving + 1, 2, 3): whether a row can remove a word with this mark that is right above
            this element, with this front; last, whether the word stays there for good, since parsing has ended.
        heads: of shape (marks, leaving + 1): where the word then has its head.
        none_waits: whether the last words can be pushed only while no others wait for a head. Here it is the end that
            such words do not reach.
    """

    system: StackBufferSystem
    pushing: list[int]
    leaving: list[int]
    pushes: Masks
    leaves: Masks
    heads: npt.NDArray[np.int_]
    none_waits: bool

    def check_length(self, words: int, axes: int) -> None:
        """Make sure that there is room for arrays with a place for each mark, each row that removes a word, and so on.

        Args:
            words: the number of words of a sentence.
            axes: how many axes have a place for each position: 2 for a chart, 3 for one with scores that depend on s1
                or on heads, for marginals, and for the chart of a tree.

        Raises:
            TooLarge: there is not.
        """
        most = math.floor((_MOST_NUMBERS / self.heads.size) ** (1 / axes) + 1e-6) - 2  # a root may be inexact
        if words > most:
            what = {2: "charts", 3: "marginals, and charts with scores of heads or for a tree,"}[axes]
            raise TooLarge(f"a sentence has {words:,} words: {what} of {self.system} are for up to {most:,}")


@lru_cache(maxsize=64)
def deduction(system: System) -> Deduction:
    """The deduction of a system.

    Raises:
        ChartNotDefined: the system does not meet the conditions of the proposition (see ``loss_obstacle``).

    >>> from deptrees.transition import ArcEager, ArcStandard
    >>> eager = deduction(ArcEager())
    >>> eager.pushing, eager.leaving, eager.heads.tolist()
    ([1, 3], [0, 2], [[0, 2, 2], [0, 1, 1]])
    >>> deduction(ArcStandard())
    Traceback (most recent call last):
    deptrees.inference.deduction.ChartNotDefined: ArcStandard(root='first') has no chart: LeftArc does something else
    than push b0 or attach and remove s0
    """
    if not isinstance(system, StackBufferSystem):
        raise ChartNotDefined(f"{system} has no chart: it is not a table over a stack and a buffer")
    if obstacle := loss_obstacle(system):
        raise ChartNotDefined(f"{system} has no chart: {obstacle}")
    rows, root = system.rows, system.root
    pushing = [number for number, row in enumerate(rows) if push(B0) in row.do]
    leaving = [number for number, row in enumerate(rows) if drop(S0) in row.do]
    when = [applying_to(row.when, system.variant) for row in rows]
    marks = range(2 if any(arc(S0, B0) in row.do for row in rows) else 1)
    # Where the last words must not be pushed while others wait for a head, none waits at the end but the lowest one.
    none_waits = any(_asks_who_waits(condition) for number in pushing for condition in when[number])
    pushes = np.zeros((len(marks), len(pushing), 2, 3), np.bool_)
    leaves = np.zeros((len(marks), len(leaving) + 1, 2, 3), np.bool_)
    for below, front, mark in product(range(2), _FRONTS, marks):
        at_end = _ROOT if root == "last" else _NOTHING
        element = _WORD if below != _BOTTOM else _ROOT if root == "first" else _NOTHING
        behind = {_BEFORE_LAST: _WORD, _LAST: at_end, _END: _NOTHING}[front]
        places = {B0: at_end if front == _END else _WORD, B1: behind}
        before = {S0: element, **places}
        for place, number in enumerate(pushing):
            adds_arc = arc(S0, B0) in rows[number].do
            pushes[mark, place, below, front] = adds_arc == bool(mark) and _hold(when[number], before, False)
        if front == _END and none_waits and not mark and element != _NOTHING:
            continue
        after = {S0: _WORD, S1: element, **places}
        if _hold(applying_to(system.final, system.variant), after, bool(mark)):
            leaves[mark, -1, below, front] = True
        else:
            leaves[mark, :-1, below, front] = [_hold(when[number], after, bool(mark)) for number in leaving]
    by_arc: dict[object, int] = {(B0, S0): FRONT, (S1, S0): BELOW}
    own = [WITH_ROOT if root == "none" else ALONE, BELOW]
    heads = [[*[by_arc.get(rows[number].arc, (ALONE, BELOW)[mark]) for number in leaving], own[mark]] for mark in marks]
    return Deduction(system, pushing, leaving, pushes, leaves, np.array(heads), none_waits)


def _asks_who_waits(condition: Condition) -> bool:
    """Whether a condition asks about the words on the stack that have no head yet."""
    return condition.kind in ("empty", "single") or any(
        isinstance(operand, Condition) and _asks_who_waits(operand) for operand in condition.operands
    )


def _hold(conditions: Iterable[Condition], places: Mapping[Any, int], attached: bool) -> bool:
    return all(_holds(condition, places, attached) for condition in conditions)


def _holds(condition: Condition, places: Mapping[Any, int], attached: bool) -> bool:
    """Whether a condition may hold where these are the places; who waits and how long arcs are is seen to elsewhere."""
    place = condition.operands[0]
    match condition.kind:
        case "or":
            return any(_holds(operand, places, attached) for operand in condition.operands)  # type: ignore[arg-type]
        case "exists":
            return places[place] != _NOTHING
        case "missing":
            return places[place] == _NOTHING
        case "word":
            return places[place] == _WORD
        case "attached":
            return attached
        case "unattached":
            return not attached
    return True
