"""The commands that evaluate, analyze, compare and count: their tables in each form, and their errors."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deptrees import Predictions, Treebank, analyze, compare, evaluate, sample_treebank, statistics, write_treebank
from deptrees.evaluation import (
    confidence_intervals,
    confusions,
    most_different,
    paired_test,
    precision_and_recall,
    ud_counts,
)
from tests.cli.running import run
from tests.evaluation.test_analysis import shifted

GOLD = sample_treebank("dev").paths[0]


@pytest.fixture
def parsed(tmp_path: Path) -> Path:
    """A parse with errors."""
    path = tmp_path / "parsed.conllu"
    write_treebank(path, map(shifted, Treebank(GOLD)))
    return path


def predictions(path: Path | str, **options: object) -> Predictions:
    return Predictions.of(Treebank(GOLD), Treebank(path), **options)  # type: ignore[arg-type]


def test_scores_are_printed_in_each_form(parsed: Path) -> None:
    scores = evaluate(Treebank(GOLD), Treebank(parsed))
    assert run("evaluate", GOLD, parsed).stdout == f"{scores.table()}\n"
    found = json.loads(run("evaluate", GOLD, parsed, "--json").stdout)
    assert found["LAS"] == {"share": scores.las, "right": scores.correct_arcs, "of": scores.words}
    assert run("evaluate", GOLD, parsed, "--csv").stdout.startswith("score,share,right,of\nUAS,")
    without = json.loads(run("evaluate", GOLD, parsed, "--where", "tag!=PUNCT", "--universal", "--json").stdout)
    expected = evaluate(Treebank(GOLD), Treebank(parsed), where="tag!=PUNCT", universal=True)
    assert without == json.loads(expected.table().to_json())


def test_the_scores_of_universal_dependencies_have_precision_recall_and_f1(parsed: Path) -> None:
    found = json.loads(run("evaluate", GOLD, parsed, "--ud", "--json").stdout)
    assert {*found} >= {"Tokens", "Sentences", "Words", "UPOS", "XPOS", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX"}
    for shares in found.values():
        assert {*shares} == {"precision", "recall", "f1", "aligned_accuracy"}
    assert found["UAS"]["f1"] == evaluate(Treebank(GOLD), Treebank(parsed)).uas


def test_intervals_are_printed(parsed: Path) -> None:
    assert run("evaluate", GOLD, parsed, "--intervals").stdout == f"{confidence_intervals(predictions(parsed))}\n"
    expected = confidence_intervals(*ud_counts(Treebank(GOLD), Treebank(parsed)))
    assert run("evaluate", GOLD, parsed, "--ud", "--intervals").stdout == f"{expected}\n"


def test_errors_are_analysed(parsed: Path) -> None:
    found = predictions(parsed)
    assert run("analyze", GOLD, parsed).stdout == f"{analyze(found, 'label')}\n"
    by = "label,direction"
    as_json = run("analyze", GOLD, parsed, "--by", by, "--json").stdout
    assert json.loads(as_json)["det"]["left"]["words"] == analyze(found, by).row("det", "left")["words"]
    precision = run("analyze", GOLD, parsed, "--show", "precision", "--by", "distance:0:1:3", "--csv").stdout
    assert precision == precision_and_recall(found, "distance:0:1:3").to_csv()
    shown = run("analyze", GOLD, parsed, "--show", "confusions", "--by", "head-tag").stdout
    assert shown == f"{confusions(found, 'head-tag')}\n"
    known = run("analyze", GOLD, parsed, "--by", "known", "--train", sample_treebank("train").paths[0]).stdout
    assert known == f"{analyze(predictions(parsed, train=sample_treebank('train')), 'known')}\n"
    options = ["--where", "tag!=PUNCT", "--where", "length=..9", "--universal"]
    expected = analyze(predictions(parsed, where=["tag!=PUNCT", "length=..9"], universal=True), "label")
    assert run("analyze", GOLD, parsed, *options).stdout == f"{expected}\n"


def test_rows_lead_to_their_sentences_drawn(parsed: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    output = run("analyze", GOLD, parsed, "--show", "confusions", "--html", target).stdout
    table = confusions(predictions(parsed))
    assert output == f"{table}\n"
    page = target.read_text(encoding="utf-8")
    links, places = (re.findall(f'{name}="#?(row-\\d+)"', page) for name in ("href", "id"))
    assert links == places == [f"row-{row}" for row in range(1, min(len(table), 50) + 1)]
    assert page.count("<figure>") == sum(min(len(numbers), 5) for numbers in table.sentences[:50])
    assert run("analyze", GOLD, parsed, "--html", tmp_path / "none" / "page.html").exit_code == 1


def test_parsers_are_compared(parsed: Path) -> None:
    first, second = predictions(parsed), predictions(GOLD)
    assert run("compare", GOLD, parsed, GOLD).stdout == f"{compare(first, second)}\n"
    assert run("compare", GOLD, parsed, GOLD, "--by", "tag").stdout == f"{compare(first, second, 'tag')}\n"
    assert run("compare", GOLD, parsed, GOLD, "--show", "sentences").stdout == f"{most_different(first, second)}\n"
    assert run("compare", GOLD, parsed, GOLD, "--show", "test").stdout == f"{paired_test(first, second)}\n"
    expected = paired_test(*ud_counts(Treebank(GOLD), Treebank(parsed), Treebank(GOLD)))
    assert run("compare", GOLD, parsed, GOLD, "--show", "test", "--ud").stdout == f"{expected}\n"
    assert run("compare", GOLD, parsed, GOLD, "--ud").exit_code == 2


def test_both_parsers_are_drawn(parsed: Path, tmp_path: Path) -> None:
    for what, table in [("words", compare), ("sentences", most_different)]:
        target = tmp_path / f"{what}.html"
        run("compare", GOLD, parsed, GOLD, "--show", what, "--html", target)
        page = target.read_text(encoding="utf-8")
        figures = page.split("<figure>")[1:]
        assert len(figures) == (5 if what == "words" else len(table(predictions(parsed), predictions(GOLD))))
        assert all(figure.count('class="word" data-position="1"') == 2 for figure in figures)
        assert page.count('href="#row-') == (1 if what == "words" else len(figures))


def test_treebanks_are_counted() -> None:
    assert run("stats", GOLD).stdout == f"{statistics(Treebank(GOLD))}\n"
    found = json.loads(run("stats", GOLD, GOLD, "--by", "tag", "--json").stdout)
    assert found["DET"]["words"] == 2 * statistics(Treebank(GOLD), "tag").row("DET")["words"]


def test_parses_come_from_a_pipe(parsed: Path) -> None:
    piped = run("analyze", GOLD, "-", "--by", "tag", input=parsed.read_text("utf-8")).stdout
    assert piped == run("analyze", GOLD, parsed, "--by", "tag").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["analyze", GOLD, GOLD, "--by", "lable"], 1, "there is no attribute 'lable'"),
        (["analyze", GOLD, GOLD, "--where", "PUNCT"], 1, "'PUNCT' is no condition"),
        (["analyze", GOLD, GOLD, "--by", "known"], 1, "with --train"),
        (["analyze", GOLD, GOLD, "--where", "tag=NO"], 1, "no word that counts has a gold head"),
        (["analyze", GOLD, GOLD, "--json", "--csv"], 2, "choose one of --json and --csv"),
        (["compare", GOLD, GOLD, GOLD, "--show", "test", "--by", "tag"], 2, "--by needs --show words"),
        (["compare", GOLD, GOLD, GOLD, "--show", "test", "--html", "page.html"], 2, "--html needs --show words or"),
        (["evaluate", GOLD, GOLD, "--ud", "--universal"], 2, "--ud counts as it is defined"),
        (["evaluate", GOLD, GOLD, "--enhanced", "--where", "tag=X"], 2, "--enhanced counts as it is defined"),
        (["evaluate", GOLD, GOLD, "--enhanced", "--ud"], 2, "choose one of --ud and --enhanced"),
        (["evaluate", GOLD, GOLD, "--enhanced"], 1, "there are no enhanced dependencies in"),
        (["compare", GOLD, GOLD, GOLD, "--enhanced"], 2, "--enhanced counts as it is defined"),
        (["compare", GOLD, GOLD, GOLD, "--enhanced", "--ud"], 2, "choose one of --ud and --enhanced"),
        (["stats", GOLD, "--where", "tag=NO"], 1, "there is no word to count"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(arguments: list[str], code: int, message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in " ".join(result.stderr.replace("│", " ").split())


def test_what_cannot_be_shown_is_said_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def suspects(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr("deptrees.suspects.suspects", suspects)
    asked = (["--json", "--csv"], 2, "choose one of"), (["--html", "nowhere/page.html"], 1, "no such folder")
    for options, code, message in asked:
        result = run("suspect", GOLD, *options)
        assert (result.exit_code, message in result.stderr) == (code, True), result.stderr
    assert run("evaluate", GOLD, GOLD, "--plot", "nowhere/plot.svg").stdout == ""


@pytest.mark.parametrize("name", ["plot", "plot.", "plot.foo", "plot.svg.gz"])
def test_a_plot_of_no_format_is_told_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = run("evaluate", GOLD, GOLD, "--plot", tmp_path / name)
    assert (result.exit_code, "does not end in .pdf, .svg or .png" in result.stderr) == (1, True)
    assert not [*tmp_path.iterdir()]


def test_plots_are_saved(parsed: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert run("analyze", GOLD, parsed, "--plot", tmp_path / "figure.pdf").exit_code == 0
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")
    assert "nothing to draw" in run("stats", GOLD, "--plot", tmp_path / "figure.pdf").stderr


@pytest.mark.parametrize(
    ("package", "extra", "arguments"),
    [
        ("udtools", "ud", ["evaluate", GOLD, GOLD, "--ud"]),
        ("scipy", "significance", ["evaluate", GOLD, GOLD, "--intervals"]),
        ("scipy", "significance", ["compare", GOLD, GOLD, GOLD, "--show", "test"]),
        ("matplotlib", "plot", ["analyze", GOLD, GOLD, "--plot", "figure.pdf"]),
    ],
    ids=["ud", "intervals", "test", "plot"],
)
def test_a_missing_extra_is_named_in_a_line(package: str, extra: str, arguments: list[str]) -> None:
    code = f"""
import sys
from deptrees.__main__ import main
sys.modules[{package!r}] = None
sys.argv[1:] = {arguments!r}
main()
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert process.stderr.count("\n") == 1
    assert f"pip install '.[{extra}]'" in process.stderr
