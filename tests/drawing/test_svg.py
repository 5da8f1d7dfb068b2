"""SVG: read by an XML parser, it has the words and the arcs of the tree, and nothing else."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given

from deptrees import DependencyTree, Treebank, sample_treebank
from deptrees.drawing import Arc, ArcDiagram, MultiwordToken, svg
from deptrees.printable import printable
from tests.gold_trees import Heads, every_dev_treebank, head_vectors, tree_of

NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>",
    "</text></svg><script>",
    "\"onload='x'",
    "&lt;&#x3c;",
    "\x00\x1b[31m\x0b\x7f\x9b",
    "\ud800\ufffe\uffff",
    "\u202egnirts\u2066",
    "]]><!--",
    "a\nb\tc",
    "javascript:alert(1)",
]


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def arcs_in(picture: str, kinds: str = "plain") -> list[tuple[int, int]]:
    found = [
        group
        for group in parsed(picture).iter(f"{NAMESPACE}g")
        if group.get("class") in {f"arc {kind}" for kind in kinds.split()}
    ]
    return [(int(group.get("data-head", "")), int(group.get("data-dependent", ""))) for group in found]


def words_in(picture: str) -> list[str | None]:
    return [text.text for text in parsed(picture).iter(f"{NAMESPACE}text") if text.get("class") == "word"]


@given(head_vectors(0, 8, annotated=False))
def test_arcs_are_the_heads_and_words_the_words(heads: Heads) -> None:
    tree = tree_of(heads)
    picture = svg(tree.diagram())
    assert arcs_in(picture) == list(tree.arcs)
    assert words_in(picture) == [token.form for token in tree]


def test_labels_tags_and_multiword_tokens_are_written() -> None:
    diagram = ArcDiagram(
        ["à", "le", "lit"], [Arc(3, 1, "case"), Arc(3, 2, "det")], ["ADP", "DET", None], [MultiwordToken(1, 2, "au")]
    )
    texts = [text.text for text in parsed(svg(diagram)).iter(f"{NAMESPACE}text")]
    assert sorted(filter(None, texts)) == sorted(["case", "det", "à", "le", "lit", "ADP", "DET", "au"])


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_what_is_hostile_is_text(text: str) -> None:
    diagram = ArcDiagram(
        [text, text], [Arc(2, 1, text, "wrong"), Arc(0, 2, text)], [text, text], [MultiwordToken(1, 2, text)], text
    )
    picture = svg(diagram)
    root = parsed(picture)
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} == {
        "svg",
        "style",
        "g",
        "title",
        "path",
        "text",
    }
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    assert words_in(picture) == [printable(text)] * 2
    assert picture.isprintable()


def test_nothing_is_asked_for_from_outside() -> None:
    picture = svg(*[tree.diagram(tags=True) for tree in sample_treebank("dev")])
    assert re.findall(r"https?:[^\"]*|url\(|@import|href", picture) == ["http://www.w3.org/2000/svg"]


def test_gold_against_predicted() -> None:
    gold = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj"), (None, "?")])
    predicted = gold.reattach([3, 0, 2, 2], ["nsubj", "root", "iobj", "punct"])
    picture = svg(predicted.diagram(gold=gold))
    assert arcs_in(picture, "plain") == [(0, 2), (2, 4)]
    assert arcs_in(picture, "wrong") == [(3, 1), (2, 3)]
    assert arcs_in(picture, "missed") == [(2, 1), (2, 3)]
    assert "not a gold arc" in picture
    assert "gold arc that is missing" in picture
    without_labels = svg(predicted.diagram(gold=gold, labels=False))
    assert arcs_in(without_labels, "wrong") == [(3, 1)]
    assert arcs_in(svg(gold.diagram(gold=gold)), "wrong missed") == []


def test_colors_are_not_the_only_difference() -> None:
    style = parsed(svg(ArcDiagram(["a"], []))).findtext(f"{NAMESPACE}style") or ""
    dashes = [re.search(rf"\.{kind} path{{[^}}]*stroke-dasharray:([^}}]*)}}", style) for kind in ("wrong", "missed")]
    assert len({found[1] for found in dashes if found}) == 2


def luminance(color: str) -> float:
    """As in WCAG 2."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return sum(factor * channel for factor, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colors_can_be_read_on_light_and_on_dark_pages() -> None:
    style = parsed(svg(ArcDiagram(["a"], []))).findtext(f"{NAMESPACE}style") or ""
    found = re.findall(r"light-dark\((#\w+),(#\w+)\)", style)
    assert len(found) == 2
    for light, dark in found:
        assert 1.05 / (luminance(light) + 0.05) > 4.5
        assert (luminance(dark) + 0.05) / (luminance("#1e1e1e") + 0.05) > 4.5


def test_several_diagrams_stand_below_each_other() -> None:
    diagrams = [ArcDiagram(["a", "b"], [Arc(2, 1)]), ArcDiagram(["狗"], [Arc(0, 1)]), ArcDiagram([], [])]
    root = parsed(svg(*diagrams))
    offsets = [float(re.findall(r"[\d.]+", group.get("transform", ""))[1]) for group in root.findall(f"{NAMESPACE}g")]
    assert offsets == sorted(set(offsets))
    assert float(root.get("height", "")) > offsets[-1]


def test_lines_leave_room_for_the_labels_of_other_arcs() -> None:
    """Here an upright line must cross a label, for there is no place beside it."""
    label = "a label that is long enough"
    diagram = ArcDiagram(["a", "b", "c", "d"], [Arc(3, 1, label), Arc(4, 2, "x"), Arc(0, 3)])
    picture = svg(diagram)
    assert len(re.findall("M", "".join(re.findall(r'<path d="([^"]*)"', picture)))) > 4


@every_dev_treebank
def test_real_sentences(path: str) -> None:
    for tree in Treebank(path):
        picture = svg(tree.diagram())
        assert arcs_in(picture) == list(tree.arcs)
        assert words_in(picture) == [printable(token.form) for token in tree]
