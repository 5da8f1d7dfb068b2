"""Diagrams in rows: all that stands in one long row stands in the rows, and nothing that is written meets."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import Treebank
from deptrees.drawing import Arc, ArcDiagram, MultiwordToken, svg
from deptrees.drawing.layout import Layout, laid_out
from deptrees.drawing.rows import rows
from tests.drawing.test_layout import check_texts, diagrams
from tests.drawing.test_svg import arcs_in, words_in
from tests.gold_trees import every_dev_treebank

SENTENCE = ArcDiagram(
    ["The", "cat", "likes", "cold", "milk"],
    [Arc(2, 1, "det"), Arc(3, 2, "nsubj"), Arc(0, 3, "root"), Arc(5, 4, "amod"), Arc(3, 5, "obj")],
)


def check_rows(diagram: ArcDiagram, found: list[Layout]) -> None:
    one = laid_out(diagram)
    for name in ("words", "tags", "multiword_tokens"):
        assert [box.text for row in found for box in getattr(row, name)] == [box.text for box in getattr(one, name)]
    assert [row.first for row in found] == [1, *[row.first + len(row.words) for row in found[:-1]]]
    pieces = [placed for row in found for placed in row.arcs]
    assert {placed.arc for placed in pieces} == {*diagram.arcs}
    assert sum(placed.ends_here for placed in pieces) == sum(placed.starts_here for placed in pieces) == len(one.arcs)
    assert {placed.arc for placed in pieces if placed.label} == {placed.arc for placed in one.arcs if placed.label}
    for row in found:
        check_boxes(row)


def check_boxes(row: Layout) -> None:
    """As for a row of its own, but that the labels of arcs that are cut may reach the end of these."""
    whole = [placed for placed in row.arcs if placed.starts_here and placed.ends_here]
    check_texts(attrs.evolve(row, arcs=tuple(whole)))


@given(diagrams(), st.integers(50, 400))
def test_rows_have_all_that_the_diagram_has(diagram: ArcDiagram, width: int) -> None:
    check_rows(diagram, rows(diagram, width))


def test_rows_are_as_wide_as_they_may_be() -> None:
    [row] = rows(SENTENCE, 1000)
    assert row == laid_out(SENTENCE)
    for width in (60, 120, 200, 250):
        found = rows(SENTENCE, width)
        assert all(row.width <= width for row in found) or all(len(row.words) == 1 for row in found)
    assert [len(row.words) for row in rows(SENTENCE, 1)] == [1] * 5


def test_multiword_tokens_are_not_cut() -> None:
    diagram = attrs.evolve(SENTENCE, multiword_tokens=[MultiwordToken(2, 4, "catlikescold")])
    assert [len(row.words) for row in rows(diagram, 1)] == [1, 3, 1]


def test_an_arc_goes_on_where_its_row_ends() -> None:
    first, second = rows(SENTENCE, 240)
    [before], [after] = ([placed for placed in row.arcs if placed.arc.label == "obj"] for row in (first, second))
    assert (before.starts_here, before.ends_here) == (True, False)
    assert (after.starts_here, after.ends_here) == (False, True)
    picture = svg(SENTENCE, width=240)
    assert words_in(picture) == list(SENTENCE.words)
    assert sorted(arcs_in(picture)) == [(0, 3), (2, 1), (3, 2), (3, 5), (3, 5), (5, 4)]
    assert picture.count("arrowhead") == 1 + len(SENTENCE.arcs)  # once in the style


def test_from_right_to_left_rows_begin_on_the_right() -> None:
    left, right = (rows(attrs.evolve(SENTENCE, direction=direction), 240) for direction in ("ltr", "rtl"))
    for one, other in zip(left, right, strict=True):
        assert [one.width - box.x for box in one.words] == pytest.approx([box.x for box in other.words])
    assert len({row.width for row in right}) == 1


@every_dev_treebank
def test_real_sentences(path: str) -> None:
    for tree in Treebank(path):
        diagram = tree.diagram(tags=True)
        found = rows(diagram, 900)
        check_rows(diagram, found)
        assert found[0].width <= max(900.1, max(box.width for row in found for box in row.words) + 100)
