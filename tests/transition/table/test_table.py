import pytest

from deptrees.transition import ArcEager, ArcHybrid, ArcStandard, Shift
from deptrees.transition.table import (
    B0,
    B1,
    BUFFER,
    S0,
    S1,
    STACK,
    UNATTACHED,
    Row,
    at,
    dependents,
    empty,
    exists,
    first,
    gold,
    head,
    last,
    missing,
    pending,
    push,
    word,
)


def test_parts_of_a_table_print_in_the_notation_of_the_field() -> None:
    assert str(word(S0)) == "s0 ≠ 0"
    assert str(first(exists(B1) | empty(STACK & UNATTACHED))) == "ROOT first: b1 exists or σ ∩ unattached is empty"
    assert str(last(missing(S0))) == "ROOT last: there is no s0"
    assert str(~pending(S0)) == "not (s0 has gold dependents in β)"
    assert str(gold(S1, S0)) == "s1 → s0 in gold"
    assert [str(head(S0, at(S1))), str(dependents(S0, BUFFER))] == ["{s1} → s0", "s0 → β"]


def test_arc_eager_row_by_row() -> None:
    rows = {row.transition.__name__: row for row in ArcEager.rows}
    assert list(map(str, rows["RightArc"].do)) == ["s0 → b0", "push b0"]
    assert list(map(str, rows["Shift"].loses or ())) == ["σ → b0", "b0 → σ ∩ unattached"]


@pytest.mark.parametrize("system", [ArcStandard, ArcEager, ArcHybrid])
def test_rows_say_either_what_they_lose_or_when_they_are_correct(system: type[ArcEager]) -> None:
    assert all((row.loses is None) != (row.correct is None) for row in system.rows)
    with pytest.raises(ValueError, match="the row of Shift needs one of"):
        Row(Shift, when=(exists(B0),), do=(push(B0),))
    with pytest.raises(ValueError, match="the row of Shift has both"):
        Row(Shift, when=(exists(B0),), do=(push(B0),), correct=(), canonical=())


def test_compiled_code_can_be_read() -> None:
    source = type(ArcEager().initial([])).table.source
    assert "def take_LeftArc(cfg, t):" in source
    assert compile(source, "source", "exec")
