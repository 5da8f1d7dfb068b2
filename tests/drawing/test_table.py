"""Drawn tables: what fits into a terminal, and what is escaped."""

import shutil
import subprocess
from pathlib import Path
from time import process_time
from typing import Any
from xml.etree import ElementTree

import pytest
from wcwidth import wcswidth

from deptrees.drawing import DrawnCell, DrawnColumn, DrawnTable
from tests.drawing.test_svg import HOSTILE

STEPS = DrawnTable(
    ["", DrawnColumn("σ", "right", can_be_cut=True), DrawnColumn("β", can_be_cut=True), "transition"],
    [
        [["1", "ROOT", "the old 狗 sleeps in the sun .", "Shift()"]],
        [["2", "ROOT the old 狗 sleeps in", "the sun .", "Shift()"]],
    ],
)


def test_text_is_cut_where_the_terminal_is_narrow() -> None:
    cut = """\
                  σ  β                  transition
-  ----------------  -----------------  ----------
1              ROOT  the old 狗 …       Shift()
2    … 狗 sleeps in  the sun .          Shift()"""
    assert STEPS.text(50) == cut
    for width in (45, 50, 60, 100):
        assert max(map(wcswidth, STEPS.text(width).splitlines())) <= width
    assert "…" not in STEPS.text()
    assert STEPS.text(100) == STEPS.text()


def test_what_cannot_be_cut_stays() -> None:
    assert "Shift()" in STEPS.text(10)


def test_tables_stand_side_by_side() -> None:
    left, right = (
        DrawnTable([DrawnColumn("n", group=name), DrawnColumn("m", group=name)], [[["1", "2"]]] * rows)
        for name, rows in (("left one", 1), ("right", 2))
    )
    both = left.beside(right)
    lines = ["left one  right", "n  m      n  m", "-  -----  -  --", "1  2      1  2", "          1  2"]
    assert both.text().splitlines() == lines
    assert both.markdown().splitlines()[0] == "| left one: n | m | right: n | m |"
    assert both.html().count('colspan="2"') == 2
    assert both.latex().count(r"\multicolumn{2}{l}") == 2


def test_words_from_right_to_left_stay_in_their_places() -> None:
    one, other = "\u05e9\u05de\u05e2", "\u0647\u0648"  # Hebrew and Arabic
    kept = "(ROOT {0} {1}) . {1} → {0}, ROOT → {1}"
    html = DrawnTable(["all"], [[[kept.format(one, other)]]]).html().replace("\N{NO-BREAK SPACE}", " ")
    assert kept.format(f"\u2068{one}\u2069", f"\u2068{other}\u2069") in html


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_what_is_hostile_is_text(text: str) -> None:
    table = DrawnTable([text], [[[DrawnCell(text, "wrong")]]])
    html = ElementTree.fromstring(f"<div>{table.html()}</div>")
    assert {element.tag for element in html.iter()} <= {
        "div",
        "style",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "br",
    }
    assert "<script" not in table.markdown()
    assert len(table.markdown().splitlines()) == 3
    assert not {"\x1b", "\x9b", "\u202e"} & {*table.text(), *table.markdown(), *table.html(), *table.latex()}


@pytest.mark.parametrize(
    ("text", "written"),
    [("a|b", r"a\|b"), ("a_b _c_", r"a_b \_c\_"), ("*", r"\*"), ("&amp; &", "&amp;amp; &"), ("s1 < s0", "s1 < s0")],
)
def test_markdown_escapes_what_means_something(text: str, written: str) -> None:
    assert DrawnTable(["x"], [[[text]]]).markdown().splitlines()[2] == f"| {written} |"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX")
def test_latex_compiles(tmp_path: Path) -> None:
    texts = [*HOSTILE[:4], "{}$#_%&\\^~<>|\"'`→…✗", "two\nlines"]
    columns = [DrawnColumn(""), DrawnColumn("σ", "right", group="a_b"), DrawnColumn("λ1", group="a_b")]
    rows: list[list[DrawnCell | str]] = [[DrawnCell("", "blank"), text, DrawnCell(text, "strong")] for text in texts]
    table = DrawnTable(columns, [[row] for row in rows])
    lines = [
        r"\documentclass{article}",
        r"\usepackage{booktabs}",
        r"\begin{document}",
        table.latex(),
        r"\end{document}",
    ]
    (tmp_path / "x.tex").write_text("\n".join(lines), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("align", ["left", "right"])
def test_a_long_cell_is_cut_in_little_time(align: Any) -> None:
    column = DrawnColumn("words", align, can_be_cut=True)
    words = [f"word{number}" for number in range(50_000)]
    start = process_time()
    last = DrawnTable([column], [[[" ".join(words)]]]).text(30).splitlines()[-1]
    assert process_time() - start < 1  # by the square of the length it would be minutes
    assert last.split() == ([*words[:4], "…"] if align == "left" else ["…", *words[-2:]])
