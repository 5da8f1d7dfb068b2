import re
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from deptrees import DependencyTree, draw
from tests.gold_trees import Heads, head_vectors, tree_of

DRAWINGS: dict[str, tuple[DependencyTree, str]] = {
    "the example of the documentation": (
        DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")]),
        """\
┌──────── 0 ROOT
│     ┌─► 1 I
└─►┌──└── 2 saw
   │  ┌─► 3 a
   └─►└── 4 dog""",
    ),
    "dependents on both sides share a line": (
        DependencyTree([(2, "I"), (0, "left"), (2, "early")]),
        """\
┌───── 0 ROOT
│  ┌─► 1 I
└─►├── 2 left
   └─► 3 early""",
    ),
    "a crossing": (
        DependencyTree([(3, "more"), (0, "came"), (2, "guests")]),
        """\
┌──────── 0 ROOT
│  ┌────► 1 more
└──┼─►┌── 2 came
   └──└─► 3 guests""",
    ),
    "several roots": (
        DependencyTree([(0, "yes"), (0, "no")]),
        """\
┌──┌── 0 ROOT
│  └─► 1 yes
└────► 2 no""",
    ),
    "some heads missing": (
        DependencyTree([(2, "I"), (None, "saw"), (None, "her"), (3, "dog")]),
        """\
    0 ROOT
┌─► 1 I
└── 2 saw
┌── 3 her
└─► 4 dog""",
    ),
    "all heads missing": (DependencyTree([(None, "I"), (None, "saw")]), "0 ROOT\n1 I\n2 saw"),
    "no words": (DependencyTree([]), "0 ROOT"),
    "numbers of two digits": (
        DependencyTree([*[(None, letter) for letter in "abcdefgh"], (10, "i"), (None, "j")]),
        """\
     0 ROOT
     1 a
     2 b
     3 c
     4 d
     5 e
     6 f
     7 g
     8 h
┌─►  9 i
└── 10 j""",
    ),
}


@pytest.mark.parametrize(("tree", "drawing"), list(DRAWINGS.values()), ids=DRAWINGS)
def test_drawing(tree: DependencyTree, drawing: str) -> None:
    assert str(tree) == drawing
    assert draw(tree.heads, [token.form for token in tree]) == drawing


def test_ascii_drawing() -> None:
    drawing = """\
.-------- 0 ROOT
|     .-> 1 I
'->.--'-- 2 saw
   |  .-> 3 a
   '->'-- 4 dog"""
    assert DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")]).draw(ascii=True) == drawing


def test_ascii_drawing_of_branches_and_crossings() -> None:
    branch = """\
.----- 0 ROOT
|  .-> 1 I
'->+-- 2 left
   '-> 3 early"""
    crossing = """\
.-------- 0 ROOT
|  .----> 1 more
'--+->.-- 2 came
   '--'-> 3 guests"""
    assert DependencyTree([(2, "I"), (0, "left"), (2, "early")]).draw(ascii=True) == branch
    assert DependencyTree([(3, "more"), (0, "came"), (2, "guests")]).draw(ascii=True) == crossing


def test_labels_stand_in_a_column() -> None:
    tree = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a"), (2, "puppy", "obj")])
    drawing = """\
┌──────── 0 ROOT
│     ┌─► 1 I      nsubj
└─►┌──└── 2 saw    root
   │  ┌─► 3 a
   └─►└── 4 puppy  obj"""
    assert tree.draw(labels=True) == drawing


def test_labels_stand_in_a_column_after_wide_and_combining_characters() -> None:
    tree = DependencyTree([(2, "日本語", "nmod"), (0, "e\u0301", "root"), (2, "été", "obl")])
    drawing = """\
┌───── 0 ROOT
│  ┌─► 1 日本語  nmod
└─►├── 2 e\u0301       root
   └─► 3 été     obl"""
    assert tree.draw(labels=True) == drawing


@given(head_vectors(max_words=6), st.data())
def test_labels_always_begin_at_the_same_column(heads: Heads, data: st.DataObject) -> None:
    word = st.lists(st.sampled_from(["a", "é", "e\u0301", "日", "한", "\u200b", "ا"]), min_size=1, max_size=6).map(
        "".join
    )
    forms = [data.draw(word) for _ in heads]
    lines = draw(heads, forms, ["LABEL"] * len(heads)).splitlines()[1:]
    assert len({wcswidth(line.removesuffix("LABEL")) for line in lines}) <= 1
    for form, line in zip(forms, lines, strict=True):
        assert re.search(rf"{form} {{2,}}LABEL$", line)


ARROWS = re.compile(r"(?P<arrows>[│─┌└├┼► ]*?) *(?P<position>[0-9]+)(?: (?P<form>.*))?")


def arrows_in(drawing: str) -> dict[tuple[int, int], int]:
    """The arcs that a reader sees who follows each arrow back from its point, and the column each is drawn in."""
    rows = [match["arrows"].ljust(len(drawing)) for line in drawing.splitlines() if (match := ARROWS.fullmatch(line))]
    columns: dict[tuple[int, int], int] = {}
    for dependent, cells in enumerate(rows):
        point = cells.find("►")
        if point < 0:
            continue
        corner = max(cells.rfind(character, 0, point) for character in "┌└├")
        assert set(cells[corner + 1 : point]) <= {"─", "┼"}
        step = {"┌": 1, "└": -1}[cells[corner]]
        head = dependent + step
        while rows[head][corner] in "│┼":
            head += step
        assert rows[head][corner] in "┌└├"
        columns[head, dependent] = corner
    return columns


@given(head_vectors(max_words=14, annotated=False))
def test_a_drawing_can_be_read_back(heads: Heads) -> None:
    tree = tree_of(heads)
    columns = arrows_in(str(tree))
    assert tuple(columns) == tree.arcs
    for outer, inner in permutations(tree.arcs, 2):
        if min(outer) <= min(inner) and max(inner) <= max(outer):
            assert columns[outer] < columns[inner], "an arc goes around what it spans"


@given(head_vectors(max_words=14, annotated=False))
def test_a_drawing_has_a_line_for_each_word(heads: Heads) -> None:
    lines = str(tree_of(heads)).splitlines()
    matches = [match for line in lines if (match := ARROWS.fullmatch(line))]
    assert [match["position"] for match in matches] == [str(position) for position in range(len(heads) + 1)]
    assert [match["form"] for match in matches] == ["ROOT", *[f"w{word}" for word in range(1, len(heads) + 1)]]
    assert [line.count("►") for line in lines] == [0, *[int(head is not None) for head in heads]]
    assert len({match.end("position") for match in matches}) == 1


@given(head_vectors(max_words=14, annotated=False))
def test_the_ascii_drawing_is_the_same_in_ascii(heads: Heads) -> None:
    tree = tree_of(heads)
    plain = tree.draw(ascii=True)
    assert plain.isascii()
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in str(tree).splitlines()]
    assert plain.replace("|", "│").replace("-", "─").replace(">", "►").translate(
        {ord(character): "x" for character in ".'+"}
    ) == str(tree).translate({ord(character): "x" for character in "┌└├┼"})


def test_forms_are_never_changed_by_ascii() -> None:
    assert draw([0], ["é─►"], ascii=True) == ".-- 0 ROOT\n'-> 1 é─►"


@pytest.mark.parametrize(("forms", "labels"), [(["a"], None), (["a", "b", "c"], None), (["a", "b"], ["x"])])
def test_heads_forms_and_labels_must_be_as_many(forms: list[str], labels: list[str] | None) -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        draw([0, 1], forms, labels)


def test_long_sentences_are_drawn_like_short_ones() -> None:
    # As it was once drawn, with every pair of arcs compared, this would take a minute.
    block: list[int | None] = [2, None, 4, 2, 2]
    n = 20_000
    heads = [None if head is None else head + start for start in range(0, n, 5) for head in block]
    lines = draw(heads, ["w"] * n).splitlines()[1:]
    expected = [line.split("1 w")[0] for line in draw(block, ["1 w"] * 5).splitlines()[1:]]
    arcs = [line[: line.index(str(word))].rstrip() for word, line in enumerate(lines, 1)]
    assert arcs == [line[:-1].rstrip(" 12345") for line in expected] * (n // 5)


def test_a_drawing_has_a_greatest_size() -> None:
    assert len(draw([0] * 500, ["w"] * 500).splitlines()) == 501
    for n in (8000, 100_000):
        with pytest.raises(ValueError, match=rf"{n} words has more than 20,000,000 characters"):
            draw([0] * n, ["w"] * n)
