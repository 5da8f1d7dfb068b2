"""Layouts: arcs cross where they do in the tree, and nothing that is written meets anything else."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyGraph, DependencyTree, Treebank, crossing_arcs
from deptrees.drawing import Arc, ArcDiagram, MultiwordToken
from deptrees.drawing.layout import Box, Layout, PlacedArc, laid_out
from tests.gold_trees import Heads, every_dev_treebank, head_vectors, tree_of
from tests.trees.test_graph import sentences_and_graphs

ROUNDING = 1e-6
TEXTS = st.text(st.sampled_from("iMwß狗שب "), max_size=12)


@st.composite
def diagrams(draw: st.DrawFn, max_words: int = 7, annotated: bool = False) -> ArcDiagram:
    heads = draw(head_vectors(1, max_words, annotated))
    tree = DependencyTree([(head, draw(TEXTS), draw(TEXTS)) for head in heads])
    gold = draw(st.sampled_from([None, tree.reattach(heads[::-1] if _is_tree(heads[::-1]) else heads)]))
    return tree.diagram(gold=gold)


def _is_tree(heads: Heads) -> bool:
    try:
        tree_of(heads)
    except ValueError:
        return False
    return True


def overlap(one: Box, other: Box) -> bool:
    across = one.left + ROUNDING < other.right and other.left + ROUNDING < one.right
    return across and one.top + ROUNDING < other.bottom and other.top + ROUNDING < one.bottom


def check_texts(layout: Layout) -> None:
    labels = [placed.label for placed in layout.arcs if placed.label]
    for one, other in combinations([*layout.words, *layout.tags, *labels], 2):
        if one.width and other.width:
            assert not overlap(one, other), (one, other)
    for box in [*layout.words, *labels, *layout.multiword_tokens]:
        assert box.left >= -0.01
        assert box.right <= layout.width + 0.01
        assert box.top >= 0
        assert box.bottom <= layout.height
    for placed in layout.arcs:
        if placed.label and placed.arc.head:
            assert min(placed.start, placed.end) < placed.label.left
            assert placed.label.right < max(placed.start, placed.end)


@given(diagrams())
def test_no_text_meets_another(diagram: ArcDiagram) -> None:
    check_texts(laid_out(diagram))


def crossings(one: PlacedArc, other: PlacedArc) -> int:
    """How often the lines of two arcs cross: an upright line of one and the level line of the other."""
    found = 0
    for level, upright in ((one, other), (other, one)):
        left, right = sorted((level.start, level.end))
        if upright.crest < level.crest <= level.base == upright.base:
            found += sum(left < x < right for x in {upright.start, upright.end})
    return found


def pairs_that_cross(tree: DependencyTree) -> set[frozenset[int]]:
    """The dependents of arcs that cross in the tree, with ROOT above the words: it sees a word that no arc covers."""
    found = {frozenset((one[1], other[1])) for one, other in crossing_arcs(tree) if one[0] and other[0]}
    for root in tree.roots:
        found |= {
            frozenset((root, word)) for head, word in tree.arcs if head and min(head, word) < root < max(head, word)
        }
    return found


@given(head_vectors(0, 8, annotated=False))
def test_arcs_cross_once_where_they_do_in_the_tree_and_nowhere_else(heads: Heads) -> None:
    tree = tree_of(heads)
    found = {}
    for one, other in combinations(laid_out(tree.diagram()).arcs, 2):
        if times := crossings(one, other):
            found[frozenset((one.arc.dependent, other.arc.dependent))] = times
    assert set(found) == pairs_that_cross(tree)
    assert set(found.values()) <= {1}


@given(diagrams())
def test_arcs_end_at_their_words(diagram: ArcDiagram) -> None:
    layout = laid_out(diagram)
    for placed in layout.arcs:
        for x, position in (
            (placed.start, placed.arc.head or placed.arc.dependent),
            (placed.end, placed.arc.dependent),
        ):
            nearest = min(layout.words, key=lambda box: abs(box.x - x))
            assert abs(nearest.x - x) == pytest.approx(abs(layout.words[position - 1].x - x))
        assert (placed.crest > placed.base) == (placed.arc.kind in ("missed", "enhanced"))


@given(sentences_and_graphs())
def test_in_graphs_no_text_meets_another_and_arcs_between_the_same_words_do_not_cross(
    pair: tuple[DependencyTree, DependencyGraph],
) -> None:
    tree, graph = pair
    diagram = tree.with_graph(graph).diagram(enhanced=True, tags=True)
    assert {(arc.head, arc.dependent, arc.label) for arc in diagram.arcs} >= {*graph.arcs}
    layout = laid_out(diagram)
    check_texts(layout)
    check_texts(laid_out(tree.with_graph(graph).diagram(enhanced=True, labels=False)))
    for one, other in combinations(layout.arcs, 2):
        if {one.arc.head, one.arc.dependent} == {other.arc.head, other.arc.dependent}:
            assert not crossings(one, other)


def test_right_to_left_is_the_mirror_image() -> None:
    arcs = [Arc(2, 1, "nsubj"), Arc(0, 2, "root"), Arc(2, 3, "obj")]
    left, right = [laid_out(ArcDiagram(["ab", "abcd", "a"], arcs, direction=direction)) for direction in ("ltr", "rtl")]
    assert [left.width - box.x for box in left.words] == pytest.approx([box.x for box in right.words])
    assert [left.width - placed.end for placed in left.arcs] == pytest.approx([placed.end for placed in right.arcs])


def test_words_stand_in_order_and_wide_ones_take_more_room() -> None:
    narrow, wide = (laid_out(ArcDiagram([word] * 5, [])) for word in ("ii", "狗狗"))
    for layout in (narrow, wide):
        assert all(one.right < other.left for one, other in pairwise(layout.words))
    assert narrow.width < wide.width


def test_multiword_tokens_span_their_words() -> None:
    form = "a very long form of two short words"
    layout = laid_out(ArcDiagram(["de", "le", "x"], [], multiword_tokens=[MultiwordToken(1, 2, form)]))
    [token] = layout.multiword_tokens
    assert (token.left, token.right) == pytest.approx((layout.words[0].left, layout.words[1].right))
    assert token.width > 100
    assert token.top > layout.words[0].bottom


@every_dev_treebank
def test_real_sentences(path: str) -> None:
    for tree in Treebank(path):
        layout = laid_out(tree.diagram(tags=True))
        if len(tree) < 40:
            check_texts(layout)
