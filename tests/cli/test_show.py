"""The commands that show something: ``draw``, ``oracle``, ``describe`` and ``sample``."""

import json
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import get_args
from xml.etree import ElementTree

import pytest

from deptrees import DependencyTree, Token, drawing, sample_treebank, to_conllu, write_treebank
from deptrees.cli import draw, oracle
from tests.cli.running import GOOD, SAMPLE, TREES, run
from tests.transition.configurations import random_tree


def test_draw(sample: Path) -> None:
    assert run("draw", sample).stdout == "".join(f"{tree}\n\n" for tree in TREES)
    assert run("draw", "-", "--labels", "--ascii", input=GOOD).stdout == ".-- 0 ROOT\n'-> 1 [bold]  root\n\n"


def test_oracle_shows_derivations(sample: Path) -> None:
    output = run("oracle", sample, "--labels").stdout
    assert "sample-train-001" in output
    assert "LeftArc('det')" in output
    assert "not projective" in output
    assert "not projective" not in run("oracle", sample, "--oracle", "dynamic").stdout
    assert "[bold]" in run("oracle", "-", "--system", "ArcHybrid", input=GOOD).stdout


def test_a_sentence_can_be_typed() -> None:
    tree = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a"), (None, "dog")])
    typed = ["--heads", "2:nsubj 0:root 4 _", "I", "saw", "a", "dog"]
    assert run("draw", *typed).stdout == f"{tree}\n\n"
    assert run("draw", "--labels", *typed).stdout == f"{tree.draw(labels=True)}\n\n"
    assert "Shift()" in run("oracle", "--oracle", "dynamic", *typed).stdout
    described = run("describe", "arc-eager", "--heads", "2 0", "Birds", "sing").stdout
    assert "The derivation of *Birds sing*, heads (2, 0)" in described
    crossing = run("describe", "arc-eager", "--heads", "4 4 4 0 1", *["What", "did", "you", "discuss", "about"]).stdout
    assert "the tree is not projective" in crossing


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ("2 0 2", "there are 3 heads for 2 words: give one for each"),
        ("2 x", "the head of word 2 is 'x': give its position, 0 for ROOT or _ for none"),
        ("2 1", "words 1 ← 2 ← 1 form a cycle"),
        ("2 7", "the head of word 2 is 7, which is not one of 0 to 2"),
    ],
)
def test_a_typed_sentence_that_is_wrong_is_an_error_in_one_line(heads: str, message: str) -> None:
    result = run("draw", "--heads", heads, "Birds", "sing")
    assert (result.exit_code, result.stderr) == (1, f"error: {message}\n")


def test_draw_in_other_formats(sample: Path) -> None:
    tree = TREES[0]
    pictures = {
        name: run("draw", sample, "--labels", "--tags", "--format", name).stdout for name in get_args(draw.Format)
    }
    assert ElementTree.fromstring(pictures["svg"]).tag.endswith("svg")
    assert pictures["html"].count("<svg") == len(TREES)
    assert pictures["latex"].startswith(drawing.latex(tree.diagram(tags=True)))
    assert pictures["dot"].startswith(drawing.dot(tree.diagram()))
    displacy = [json.loads(line) for line in pictures["displacy"].splitlines()]
    assert displacy == [drawing.displacy(tree.diagram(tags=True)) for tree in TREES]


def test_what_the_graph_adds_is_drawn_in_all_formats_that_can(tmp_path: Path) -> None:
    words = [Token("Birds", 2, "nsubj", deps="2.1:nsubj"), Token("sing", 0, "root", deps="0:root")]
    tree = DependencyTree(words, extra_tokens=[(2, Token("fly", id="2.1", deps="2:conj"))])
    path = tmp_path / "graph.conllu"
    write_treebank(path, [tree])
    expected = {"text": "+2.1:nsubj", "svg": 'class="arc enhanced"', "html": "[fly]", "latex": "below", "dot": "3 -> 1"}
    for name, part in expected.items():
        assert part in run("draw", path, "--labels", "--enhanced", "--format", name).stdout
        assert part not in run("draw", path, "--labels", "--format", name).stdout
    for options in ["--format", "displacy"], ["--gold", path, "--format", "svg"]:
        assert run("draw", path, "--enhanced", *options).exit_code == 2
    with pytest.raises(ValueError, match="both drawn below the words"):
        tree.diagram(gold=tree, enhanced=True)


def test_wide_trees_are_drawn_in_rows() -> None:
    arguments = ["draw", "--heads", "2 0 4 2", "--format", "svg", "I", "saw", "a", "dog"]
    one, several = (run(*arguments, "--width", width).stdout for width in (1000, 50))
    assert (one.count("translate("), several.count("translate(")) == (1, 4)
    assert run("draw", "--heads", "0", "Go", "--width", "50").exit_code == 2


def test_draw_against_gold(sample: Path, tmp_path: Path) -> None:
    predicted = tmp_path / "predicted.conllu"
    write_treebank(predicted, [tree.reattach([0, *[1] * (len(tree) - 1)]) for tree in TREES])
    output = run("draw", predicted, "--gold", sample, "--format", "svg").stdout
    assert "not a gold arc" in output
    assert "gold arc that is missing" in output
    assert run("draw", sample, "--gold", sample, "--format", "svg").stdout.count("gold arc") == 0
    assert run("draw", sample, "--gold", "-", "--format", "svg", input=GOOD).exit_code == 1


@pytest.mark.parametrize("output", ["text", "json"])
def test_oracle_says_what_takes_too_long_to_find(output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deptrees.transition.losses.work.LONG_WORK", 1000)
    write_treebank(tmp_path / "crossing.conllu", [random_tree(40, random.Random(3))])
    shown = run(
        "oracle", tmp_path / "crossing.conllu", "--system", "TwoPlanar", "--oracle", "dynamic", "--format", output
    )
    assert shown.exit_code == 0
    assert "TwoPlanar(root='first'), dynamic_oracle: the loss takes more work than is allowed here" in shown.stdout


def test_oracle_shows_arcs_and_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    typed = ["--heads", "2 0", "Birds", "sing", "--arcs", "--costs"]
    lines = run("oracle", *typed, "--root", "last", "--system", "arc-eager").stdout.splitlines()
    assert lines[5] == "2  Birds  sing ROOT        ▸ LeftArc()   sing → Birds    0"
    assert lines[6] == "                             RightArc()  Birds → sing ✗  2     sing → Birds, ROOT → sing"
    record = json.loads(run("oracle", *typed, "--format", "json").stdout)
    assert record["steps"][1]["transitions"][0]["cost"] == 0
    assert record["steps"][-1]["transitions"] == []


@pytest.mark.parametrize("name", get_args(oracle.Format))
def test_oracle_in_every_format(name: str) -> None:
    crossing = ["--heads", "4 4 4 0 1", "--format", name, *["What", "did", "<b>", "discuss", "about"]]
    both = run(
        "oracle", "--system", "arc-standard-swap", "--oracle", "static", "--oracle", "static_lazy_swap", *crossing
    )
    assert both.exit_code == 0
    assert both.stdout.count("static_oracle_lazy_swap") + both.stdout.count(r"static\_oracle\_lazy\_swap") == 1
    one = run("oracle", "--system", "arc-standard-swap", "--system", "arc-eager", *crossing).stdout
    assert one.count("the tree is not projective") == 1
    assert "<b>" not in one or name in ("text", "json")
    if name == "html":
        assert re.findall("<(?:script|b)\\b", both.stdout) == []


@pytest.mark.parametrize("name", get_args(oracle.Format))
def test_exercise_sheets_in_every_format(name: str) -> None:
    sentence = ["--heads", "2 0", "Birds", "sing", "--costs", "--format", name]
    solution = run("oracle", *sentence).stdout
    blank = [part for column in ("configurations", "transitions", "costs") for part in ("--blank", column)]
    sheet = run("oracle", *sentence, *blank).stdout
    assert "LeftArc" in solution
    assert ("Birds" in sheet, "Arc()" in sheet, "Shift" in sheet) == (True, False, False)
    assert len(sheet.splitlines()) == len(solution.splitlines())


def test_only_what_is_shown_can_be_left_blank() -> None:
    sentence = ["oracle", "--heads", "2 0", "Birds", "sing", "--blank"]
    for name in "arcs", "costs":
        assert f"{name} are not shown at all without --{name}" in run(*sentence, name).stderr
        assert run(*sentence, name, f"--{name}").exit_code == 0
    assert "choose configurations, transitions, arcs, costs" in run(*sentence, "heads").stderr
    assert run(*sentence, "arcs", "--format", "json").exit_code == 0


@pytest.mark.parametrize(("is_terminal", "columns"), [(True, 60), (True, 200), (False, 60)])
def test_a_narrow_terminal_shows_what_fits(
    sample: Path, monkeypatch: pytest.MonkeyPatch, is_terminal: bool, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    terminal = SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: is_terminal))
    monkeypatch.setattr("deptrees.cli.oracle.sys", terminal)
    lines = run("oracle", sample, "--system", "ArcHybrid").stdout.splitlines()
    assert max(map(len, lines)) <= columns or columns == 60
    assert any("…" in line for line in lines) == (is_terminal and columns == 60)


def test_systems_side_by_side_have_root_in_one_place() -> None:
    both = ["oracle", "--system", "arc-standard", "--system", "arc-eager", "--heads", "2 0", "Birds", "sing"]
    assert "ArcEager(root='first', single_root=True)" in run(*both).stdout
    assert "ArcEager(root='last', single_root=True)" in run(*both[:1], *both[3:]).stdout
    assert run(*both, "--root", "last").stdout.count("root='last'") == 2


def test_json_of_a_sheet_does_not_tell_what_is_left_out() -> None:
    sheet = run("oracle", "--heads", "2 0", "Birds", "sing", "--format", "json", "--blank", "transitions").stdout
    first, *others = json.loads(sheet)["steps"]
    assert first["heads"] == [None, None]
    assert {step["heads"] for step in others} == {None}
    assert all(not any(choice.values()) for step in [first, *others] for choice in step["transitions"])


def test_sample_is_the_sample_treebank() -> None:
    assert run("sample").stdout == SAMPLE
    assert run("sample", "dev").stdout == "".join(to_conllu(tree) for tree in sample_treebank("dev"))


def test_oracle_says_how_far_it_is_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deptrees.cli.console.SECONDS_BETWEEN_LINES", 0)
    result = run("oracle", "-", input=GOOD * 2)
    assert result.stderr.splitlines() == ["following the oracle: 1 done", "following the oracle: 2 done"]


REQUEST = "pattern { V [upos=VERB]; V -[nsubj]-> S; S [Number=Plur] }"


def test_matches_are_printed_as_lines_objects_and_counts_and_drawn_in_a_page(tmp_path: Path) -> None:
    dev, page = tmp_path / "dev.conllu", tmp_path / "page.html"
    dev.write_text("".join(map(to_conllu, sample_treebank("dev"))), "utf-8")
    assert run("query", REQUEST, dev).stdout == "5\tsample-dev-005\tV=4:like\tS=3:children\n"
    row = {"sentence": 5, "sent_id": "sample-dev-005", "words": {"V": 4, "S": 3}}
    assert json.loads(run("query", REQUEST, dev, "--json").stdout) == [row]
    assert json.loads(run("query", REQUEST.replace("Plur", "Dual"), dev, "--json").stdout) == []
    assert run("query", REQUEST, dev, "--count", "--html", page).stdout == "1 match\n"
    assert json.loads(run("query", REQUEST, dev, "--count", "--json").stdout) == {"matches": 1, "sentences": 1}
    drawn = page.read_text("utf-8")
    assert (drawn.count("<svg"), drawn.count('class="word marked"'), drawn.count('"arc matched"')) == (1, 2, 1)
    assert run("query", REQUEST.replace("]->", "]>"), dev).stderr.startswith("error: line 1, column 35: expected ]->")
