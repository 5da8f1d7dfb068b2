"""A table that cannot mean anything is refused where it is made or, as a whole, where it is first used."""

import re
from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import pytest

from deptrees.transition import ArcHybrid, LeftArc, Reduce, RightArc, Shift, Transition
from deptrees.transition.table import (
    ABOVE_SK,
    B0,
    B1,
    S0,
    S1,
    SK,
    STACK,
    Row,
    arc,
    back,
    dependents,
    drop,
    empty,
    exists,
    gold,
    head,
    missing,
    near,
    pending,
    push,
    short,
    word,
)


def shift(**changed: Any) -> Row:
    return Row(**{"transition": Shift, "when": (word(B0),), "do": (push(B0),), "loses": (), **changed})


def right(**changed: Any) -> Row:
    return shift(**{"transition": Reduce, "do": (arc(S0, B0), push(B0)), **changed})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"when": word(B0)}, "the row of Shift: when= is a tuple, which needs a comma if it has one part: (b0 ≠ 0,)"),
        ({"do": push(B0)}, "the row of Shift: do= is a tuple, which needs a comma if it has one part: (push b0,)"),
        ({"loses": head(B0, STACK)}, "loses= is a tuple, which needs a comma if it has one part: (σ → b0,)"),
        ({"correct": gold(S0, B0)}, "correct= is a tuple, which needs a comma if it has one part: (s0 → b0 in gold,)"),
        ({"canonical": gold(S0, B0)}, "canonical= is a tuple, which needs a comma"),
        ({"when": "b0"}, "a part of when= is of type Condition, not 'b'"),
        ({"when": (push(B0),)}, "a part of when= is of type Condition, not Effect"),
        ({"do": (word(B0),)}, "a part of do= is of type Effect, not Condition"),
        ({"loses": (arc(S0, B0),)}, "a part of loses= is of type Lost, not Effect"),
        ({"transition": Shift()}, "the transition of a row is a class, such as Shift, not Shift()"),
        ({"transition": int}, "the transition of a row is a class, such as Shift, not <class 'int'>"),
    ],
)
def test_a_row_is_made_of_tuples_of_its_parts(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        shift(**changed)


def test_a_list_is_as_good_as_a_tuple() -> None:
    assert shift(when=[word(B0)], do=[push(B0)], loses=[]) == shift()


def namesake() -> Row:
    return shift(transition=type("Shift", (Transition,), {}))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            lambda: shift(when=(word(B0), gold(S0, B0))),
            "Shift: no precondition may ask about the gold tree, as 's0 → b0",
        ),
        (
            lambda: shift(when=(~pending(S0),)),
            "no precondition may ask about the gold tree, as 's0 has gold dependents",
        ),
        (lambda: shift(when=(word(STACK),)), "'σ ≠ 0' is about a place, such as S0, not about Region"),  # type: ignore[arg-type]
        (lambda: shift(when=(empty(S0),)), "'s0 is empty' is about a set of words, such as STACK or at(S0)"),  # type: ignore[arg-type]
        (
            lambda: shift(when=(short(S0, B0),)),
            "≤ max_span' is about the longest arc, and the system has no longest_arc",
        ),
        (lambda: shift(loses=(head(B0, near(S0)),)), "'near s0 → b0' is about the longest arc"),
        (lambda: shift(loses=(head(SK, STACK),)), "'σ → sk' names sk, which rows for every k have, with k=None"),
        (lambda: shift(loses=(dependents(B0, STACK, exists(SK)),)), "'sk exists' names sk"),
        (lambda: shift(loses=(head(B0, ABOVE_SK),)), "'σ above sk → b0' names sk"),
        (lambda: right(k=2, when=(exists(SK),)), "'sk exists' names sk"),
        (lambda: shift(do=(push(S0),)), "there is no effect 'push s0'"),
        (lambda: shift(do=(push(B1),)), "there is no effect 'push b1'"),
        (lambda: shift(do=(drop(B0),)), "there is no effect 'remove b0'"),
        (lambda: shift(do=(drop(STACK),)), "there is no effect 'remove σ'"),
        (lambda: shift(do=(back(B0),)), "there is no effect 'put b0 in front of β'"),
        (lambda: shift(do=(back(S0, after=B1),)), "there is no effect 'put s0 after b1'"),
        (lambda: right(do=(arc(S0, S0), push(B0))), "there is no effect 's0 → s0'"),
        (lambda: right(do=(arc(STACK, B0), push(B0))), "there is no effect 'σ → b0'"),  # type: ignore[arg-type]
        (lambda: right(do=(drop(ABOVE_SK), push(B0))), "'remove σ above sk' names sk"),
        (lambda: right(do=(arc(S0, B0), arc(B0, S0), push(B0))), "it adds two arcs, and a transition adds one"),
        (lambda: shift(do=(drop(S1), drop(S0))), "at most one word leaves the stack; then one is pushed"),
        (lambda: shift(do=(push(B0), drop(S0))), "not push b0, remove s0"),
        (lambda: shift(do=(push(B0), push(B0))), "not push b0, push b0"),
        (lambda: shift(do=(back(S0), push(B0))), "not put s0 in front of β, push b0"),
        (lambda: right(k=None, do=(drop(SK), drop(ABOVE_SK))), "after all above it, at most one"),
        (lambda: shift(do=(arc(S0, B0), push(B0))), "what adds an arc, or has a k, is a subclass of ArcTransition"),
        (lambda: shift(k=2), "what adds an arc, or has a k, is a subclass of ArcTransition"),
        (lambda: right(k=0), "Reduce: k is a number from 1, or None for every k, not 0"),
        (lambda: right(k="2"), "k is a number from 1, or None for every k, not '2'"),
        (lambda: shift(transition=RightArc), "the row of RightArc: there are two for k = 1"),
        (lambda: shift(transition=LeftArc, k=None), "the row of LeftArc: there are two for k = 1"),
        (namesake, "the row of Shift: another class of transitions has the same name"),
    ],
)
def test_a_table_is_refused_with_the_row_that_is_wrong(row: Callable[[], Row], message: str) -> None:
    class Mine(ArcHybrid):
        rows: ClassVar[Any] = (*ArcHybrid.rows[:2], row(), *([shift()] if row is namesake else []))

    with pytest.raises(ValueError, match=re.escape(message)):
        Mine().initial(["Sing"])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"final": missing(B0)}, "final is a tuple, which needs a comma if it has one part"),
        ({"final": [missing(B0)]}, "final is a tuple whose parts are of type Condition, not ["),
        ({"final": (gold(S0, B0),)}, "final: no precondition may ask about the gold tree"),
        ({"final": (missing(SK),)}, "final: 'there is no sk' names sk"),
        ({"rows": shift()}, "rows is a tuple, which needs a comma"),
        ({"rows": [shift()]}, "rows is a tuple whose parts are of type Row, not ["),
        ({"rows": ()}, "rows is empty: a system has transitions"),
    ],
)
def test_a_system_has_rows_and_conditions_of_the_end(parts: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        type("Mine", (ArcHybrid,), parts)().initial(["Sing"])


def test_what_rows_can_do_is_not_refused() -> None:
    for do in (drop(S0), push(B0)), (drop(S1), push(B0)), (back(S1),), (), (push(B0), arc(S0, B0)):
        kind = type("Mine", (ArcHybrid,), {"rows": (*ArcHybrid.rows, attrs.evolve(right(), do=do))})
        assert kind().initial(["Sing"]).stack == (0,)
