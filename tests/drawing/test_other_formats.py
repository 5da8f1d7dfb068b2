"""displaCy, Graphviz, LaTeX and HTML: their structure, and what their own programs make of them where there are any."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given

from deptrees import DependencyTree
from deptrees.drawing import Arc, ArcDiagram, MultiwordToken, displacy, dot, latex, page, svg
from tests.drawing.test_svg import HOSTILE
from tests.gold_trees import Heads, head_vectors, tree_of

SPECIAL = ArcDiagram(
    [*"{}$#_%&\\^~<>|\"'`→…✗", "<a>", "-- ]", "[b", *HOSTILE[:4]],
    [Arc(1, 2, "a_b&%|"), Arc(2, 3, "]", "wrong"), Arc(4, 3, "{", "missed"), Arc(2, 4, kind="new"), Arc(0, 1, "root")],
    tags=[None] * 26,
    multiword_tokens=[MultiwordToken(1, 2, "{}"), MultiwordToken(5, 6, "_%")],
)
"""All that means something in one of the languages."""


@given(head_vectors(0, 8, annotated=False))
def test_displacy_starts_at_0_and_left(heads: Heads) -> None:
    tree = tree_of(heads)
    picture = json.loads(json.dumps(displacy(tree.diagram())))
    assert [word["text"] for word in picture["words"]] == [token.form for token in tree]
    found = [
        (arc["end"], arc["start"]) if arc["dir"] == "left" else (arc["start"], arc["end"]) for arc in picture["arcs"]
    ]
    assert all(arc["start"] < arc["end"] for arc in picture["arcs"])
    assert [(head + 1, dependent + 1) for head, dependent in found] == [arc for arc in tree.arcs if arc[0]]


def test_displacy_knows_the_direction() -> None:
    assert displacy(ArcDiagram(["שלום"], []))["settings"] == {"direction": "rtl"}


def drawn_by_spacy(diagram: ArcDiagram) -> str:
    renderer = pytest.importorskip("spacy.displacy")
    return str(renderer.render([displacy(diagram)], style="dep", manual=True, jupyter=False))


@pytest.mark.integration
@given(head_vectors(1, 8, annotated=False))
def test_spacy_draws_the_arcs(heads: Heads) -> None:
    tree = tree_of(heads)
    picture = drawn_by_spacy(tree.diagram())
    words = re.findall(r'class="displacy-word" fill="currentColor" x="(\d+)">(.*)</tspan>', picture)
    lines = re.findall(r'class="displacy-arc".* d="M([\d.]+),.* ([\d.]+),[\d.]+"', picture)
    tips = re.findall(r'class="displacy-arrowhead" d="M([\d.]+),', picture)
    assert [form for _, form in words] == [token.form for token in tree]

    def word_at(place: str) -> int:
        return min(range(len(words)), key=lambda word: abs(float(words[word][0]) - float(place))) + 1

    found = [tuple(map(word_at, ends if ends[1] == tip else ends[::-1])) for ends, tip in zip(lines, tips, strict=True)]
    assert found == [arc for arc in tree.arcs if arc[0]]


@pytest.mark.integration
def test_spacy_knows_the_direction() -> None:
    assert 'direction="rtl"' in drawn_by_spacy(ArcDiagram(["שלום"], []))


@given(head_vectors(0, 8, annotated=False))
def test_dot_has_the_arcs(heads: Heads) -> None:
    tree = tree_of(heads)
    found = [
        (int(head), int(word)) for head, word in re.findall(r"^  (\d+) -> (\d+)", dot(tree.diagram()), re.MULTILINE)
    ]
    assert found == list(tree.arcs)


@given(head_vectors(0, 8, annotated=False))
def test_latex_has_the_arcs(heads: Heads) -> None:
    tree = tree_of(heads)
    text = latex(tree.diagram())
    roots = [(0, int(word)) for word in re.findall(r"\\deproot\[hide label\]\{(\d+)\}", text)]
    others = [(int(head), int(word)) for head, word in re.findall(r"\\depedge\[hide label\]\{(\d+)\}\{(\d+)\}", text)]
    assert sorted(roots + others) == sorted(tree.arcs)


def test_kinds_of_arcs_have_styles_in_latex_and_dot() -> None:
    for text in (latex(SPECIAL), dot(SPECIAL)):
        assert text.count("dashed") == 1
        assert text.count("dotted") == 1
    matched = ArcDiagram(["Birds", "sing"], [Arc(2, 1, "nsubj", "matched")])
    assert ("very thick" in latex(matched), "penwidth=2.5" in dot(matched)) == (True, True)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX")
def test_latex_compiles(tmp_path: Path) -> None:
    lines = [
        r"\documentclass{article}",
        r"\usepackage{tikz-dependency}",
        r"\begin{document}",
        latex(SPECIAL),
        r"\end{document}",
    ]
    (tmp_path / "x.tex").write_text("\n".join(lines), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert result.returncode == 0, result.stdout


@pytest.mark.skipif(shutil.which("dot") is None, reason="there is no Graphviz")
def test_dot_reads_its_language() -> None:
    diagrams = [SPECIAL, *[ArcDiagram([text], [Arc(0, 1, text)]) for text in HOSTILE]]
    command = ["dot", "-Tjson0"]
    result = subprocess.run(command, input=dot(*diagrams), capture_output=True, text=True, check=True)
    assert result.stdout.count('"ROOT"') == len(diagrams)
    assert not result.stderr


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        assert not [name for name, value in attrs if name.startswith("on") or name in ("href", "src")]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_pages_escape_what_is_hostile(text: str) -> None:
    tree = DependencyTree([(0, text, text)])
    tags = Tags()
    tags.feed("".join(page(text, [(text, svg(tree.diagram()))])) + tree._repr_html_())
    assert "script" not in tags.found
    assert tags.found.count("svg") == 2
