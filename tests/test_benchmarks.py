"""The page of benchmarks: it has what the command writes, and a slowdown is found."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from itertools import filterfalse, product
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from deptrees import DependencyTree, Parser, all_trees, evaluate, is_projective, sample_treebank, write_treebank
from deptrees.engine import core
from deptrees.training import LinearOptions
from deptrees.transition import ArcEager, EasyFirst, LossNotFound, Oracle, Transition, cost, dynamic_oracle, reachable
from tests.tiers import slow

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, which finds others in its own folder."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "benchmarks"))
    pytest.importorskip("pyperf")
    return import_module("page")


def test_the_page_has_a_part_for_each_section(page: Any) -> None:
    text = (REPOSITORY / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    titles = [section.__doc__.partition(".\n")[0] for section in page.SECTIONS]
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [*titles, "Where others do better"]
    for picture in re.findall(r"\]\((pictures/.*?)\)", text):
        assert (REPOSITORY / "docs" / picture).exists()


def test_a_slowdown_is_found(page: Any) -> None:
    kept = json.loads(page.RATIOS.read_text(encoding="utf-8"))
    assert page.slowdowns(kept, kept) == []
    slower = {name: ratio * (0.4 if name.startswith("Training:") else 0.6) for name, ratio in kept.items()}
    found = page.slowdowns(kept, slower)
    assert found
    assert len(found) == sum(name.startswith("Training:") for name in kept)
    assert len(page.slowdowns(kept, {})) == len(kept)


def test_others_that_do_better_are_told(page: Any) -> None:
    sections = sys.modules["sections"]
    rates = sections.compared("Parsing", "words/s", {"deptrees": 10.0, "UDPipe": 20.0, "spaCy": 5.0})
    sizes = sections.compared("Size", "MB", {"deptrees": 10.0, "UDPipe": 5.0, "spaCy": 20.0}, less_is_better=True)
    same = sections.compared("Start-up", "ms", {"deptrees": 202.0, "UDPipe": 201.5}, less_is_better=True)
    lost = ["* parsing: UDPipe is 2 times as good", "* size: UDPipe is 2 times as good"]
    assert page.lost([rates, sizes, same]) == lost


FILES = "From file to file, by the processor"
QUOTED = {
    "about a million": (1_000_000, 0.15, FILES, "deptrees parse"),
    "908,000": (908_000, 0.01, FILES, "deptrees parse"),
    "10,500": (10_500, 0.01, FILES, "UDPipe"),
    "20,000,000": (20_000_000, 0.01, "Oracles in batches", "batches, static, threads: 1"),
    "134,000": (134_000, 0.01, "Iteration over oracles", "spaCy"),
    "85,900": (85_900, 0.01, "Iteration over oracles", "NLTK"),
}
"""What pages say of speed: how much that is, how exact, and the table and the row of the page of benchmarks."""


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/what-it-is.md"])
def test_the_figures_of_a_page_are_those_of_the_benchmarks(page: str) -> None:
    text = " ".join((REPOSITORY / page).read_text(encoding="utf-8").split())
    found = re.findall(r"\d+(?:,\d{3})+|\w+ (?:a |\d+ )?million\b", text)
    assert found
    for figure in found:
        number, tolerance, table, row = QUOTED[figure]
        assert number == pytest.approx(measured(table, row), rel=tolerance), figure


def measured(table: str, row: str) -> float:
    """The first figure in a row of a table of the page of benchmarks."""
    text = (REPOSITORY / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    [rows] = re.findall(rf"^\*\*{table}\*\*\n\n((?:\|.*\n)+)", text, re.MULTILINE)
    [figure] = re.findall(rf"^\| {row} \| ([\d,]+) ", rows, re.MULTILINE)
    return float(figure.replace(",", ""))


@pytest.mark.integration
@pytest.mark.parametrize("name", ["spaCy", "NLTK"])
@pytest.mark.filterwarnings("ignore")
def test_other_libraries_do_the_same_work(page: Any, tmp_path: Path, name: str) -> None:
    pytest.importorskip(name.lower())
    trees = [*filter(is_projective, sample_treebank("train"))][:40]  # spaCy drops transitions that are rarer than 30
    other = import_module("other_libraries").other_libraries(trees, tmp_path)[name]
    steps = len([transition for tree in trees for transition in Oracle(ArcEager(), "static")(tree)])
    assert steps / 2 < other.oracle() < 2 * steps
    other.learn()
    other.parse(trees)


@pytest.mark.torch
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_graph_based_parser_finds_the_best_tree_with_one_root(page: Any, n: int) -> None:
    pytest.importorskip("torch")
    graph_based, random = import_module("graph_based"), np.random.default_rng(n)
    heads = np.array([tree.heads for tree in all_trees(n) if tree.heads.count(0) == 1])
    for _ in range(50):
        scores = random.normal(size=(n, n + 1)).astype(np.float32)
        scores[:, 0] += 2  # so that more roots would often be better
        sums = scores[np.arange(n), heads].sum(1)
        assert graph_based.single_root_heads(scores) == heads[sums.argmax()].tolist()


@pytest.mark.torch
def test_the_graph_based_parser_learns(page: Any) -> None:
    pytest.importorskip("torch")
    graph_based, trees = import_module("graph_based"), [*sample_treebank("train")]
    architecture = attrs.evolve(graph_based.SMALL, learning=graph_based.Learning(batch_words=75))
    parser = graph_based.GraphParser.train(trees, epochs=25, seed=1, architecture=architecture)
    assert evaluate(trees, parser.parse(trees)).uas > 0.8


STUDIES = ["oracles", "non_projective", "beams", "templates", "systems", "epochs", "seeds", "transfer", "voting"]
STUDIES += ["quantization", "calibration", "diagram", "explorer"]
NEURAL = [pytest.param(name, marks=pytest.mark.torch) for name in ("neural", "distillation")]


@pytest.mark.parametrize("study", ["pseudo_projectivity", *map(slow, STUDIES), *NEURAL])
def test_every_study_fills_a_table(
    page: Any, study: str, parser: Parser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in "train", "dev", "test":
        write_treebank(tmp_path / f"tiny-{part}.conllu", sample_treebank("dev"))
    parser.save(tmp_path / "model")
    options = ["--seeds", "2", "--epochs", "1", "--other", "tiny", "--kept", "20", "--words", "9", "--seconds", "0.01"]
    import_module("study").main([study, str(tmp_path), "tiny", *options, "--models", str(tmp_path / "model")])
    title, _, *rows = capsys.readouterr().out.strip().split("\n")
    assert title.startswith("tiny-")
    assert len(rows) > 3
    assert {row.count("|") for row in rows} == {rows[0].count("|")}


def test_every_study_is_tried(page: Any) -> None:
    pytest.importorskip("scipy")
    named = {study.__name__ for study in import_module("study").STUDIES}
    assert named == {"pseudo_projectivity", *STUDIES, "neural", "distillation"}


@pytest.fixture
def exactness(page: Any) -> Any:
    """The study of exact costs."""
    pytest.importorskip("scipy")
    return import_module("exactness")


def lost_one_by_one(transition: Transition, cfg: Any, tree: DependencyTree) -> int:
    """What a transition costs for each arc of the gold tree alone."""
    nothing: list[int | None] = [None] * len(tree)
    alone = [tree.reattach([*nothing[:i], head, *nothing[i + 1 :]]) for i, head in enumerate(tree.heads)]
    return sum(cost(transition, cfg, one) for one in alone)


def lost_by_rows(transition: Transition, cfg: Any, tree: DependencyTree) -> int:
    """What a row says that it loses, as papers do: not what the last word must not do if ROOT is first."""
    return int(cfg.table.lost[type(transition)](cfg, tree, transition))


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("arc-eager, ROOT last", lost_one_by_one),
        ("arc-eager, ROOT first", lost_by_rows),
        ("arc-hybrid", lost_one_by_one),
    ],
)
def test_the_engine_counts_arcs_one_by_one(exactness: Any, name: str, count: Callable[..., int]) -> None:
    trees, system, differ, room = [*all_trees(3)], exactness.SYSTEMS[name], 0, 200
    space = system.transition_space()
    for kind, seed in product(exactness.COMPILED.values(), range(5)):
        trainer = kind(trees, LinearOptions(system=system))
        how = (kind.counts_by, 1.0, seed, None)
        steps = core.Steps(trainer._system, trainer._data, np.arange(len(trees)), *how, with_features=False)
        possible, gold = np.zeros((2, room, len(system.rows)), np.uint8)
        taken, labels, sentence, step = np.zeros((4, room), np.int32)
        n = steps.fill(possible, gold, taken, labels, sentence, step, np.zeros((room, 0), np.uint64))
        assert len(trees) < n < room
        cfg: Any = None
        for i in range(n):
            tree = trees[sentence[i]]
            cfg = cfg.take(space[taken[i - 1]]) if step[i] else system.initial(tree)
            lost = {transition: count(transition, cfg, tree) for transition in cfg.possible_transitions()}
            least = min(lost.values()) if kind is exactness.CountingTrainer else 0
            expected = {transition for transition, arcs in lost.items() if arcs == least}
            assert {space[row] for row in np.flatnonzero(gold[i])} == expected
            differ += expected != {*dynamic_oracle(cfg, tree)}
    assert differ


def test_easy_first_counts_arcs_one_by_one(exactness: Any) -> None:
    trees, differ = [*filterfalse(is_projective, all_trees(4))][::30], 0
    for cfg, tree in product(reachable(EasyFirst(), 4), trees):
        if possible := cfg.possible_transitions():
            lost = [lost_one_by_one(transition, cfg, tree) for transition in possible]
            free = {transition for transition, arcs in zip(possible, lost, strict=True) if arcs == min(lost)}
            assert {one for one in possible if exactness.CountedLoss().is_free(one, cfg, tree, 0)} == free
            differ += free != {*dynamic_oracle(cfg, tree)}
            with pytest.raises(LossNotFound) if min(lost) else nullcontext():
                exactness.LeavingLoss().is_free(possible[0], cfg, tree, 0)
    assert differ


def test_probabilities_are_corrected_by_holm(exactness: Any) -> None:
    assert exactness.corrected([0.01, 0.5, 0.02, 0.9]) == pytest.approx([0.04, 1.0, 0.06, 1.0])
    assert exactness.corrected([0.03, 0.02]) == pytest.approx([0.04, 0.04])


@pytest.mark.processes
def test_the_study_of_exact_costs_writes_its_page(exactness: Any, tmp_path: Path) -> None:
    for part in "train", "test":
        write_treebank(tmp_path / f"tiny-{part}.conllu", sample_treebank("dev"))
    output, kept = tmp_path / "page.md", tmp_path / "kept"
    options = ["--treebanks", "tiny", "--seeds", "2", "--epochs", "1", "--stepwise-epochs", "1", "--processes", "1"]
    for _ in range(2):  # the second time, everything is known
        exactness.main([str(tmp_path), *options, "--output", str(output), "--kept", str(kept)])
        assert len(kept.read_text("utf-8").splitlines()) == 8
    assert headings(output) == headings(REPOSITORY / "docs" / "measurements" / "exactness.md")


def headings(page: Path) -> list[str]:
    return [line for line in page.read_text("utf-8").splitlines() if line.startswith("#")]


@pytest.mark.processes
def test_the_study_of_shipped_oracles_writes_its_page(exactness: Any, tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    study = import_module("shipped_in_training")
    for part in "train", "test":
        write_treebank(tmp_path / f"tiny-{part}.conllu", sample_treebank("dev"))
    output, kept = tmp_path / "page.md", tmp_path / "kept"
    options = ["--systems", "SpacyArcEager", "--treebanks", "tiny", "--seeds", "2", "--epochs", "2"]
    for _ in range(2):
        study.main([str(tmp_path), *options, "--output", str(output), "--kept", str(kept)])
        assert len(kept.read_text("utf-8").splitlines()) == 4
    assert headings(output) == headings(REPOSITORY / "docs" / "measurements" / "shipped.md")


@pytest.mark.processes
def test_the_command_measures_everything(page: Any) -> None:
    command = [sys.executable, str(page.__file__), "--light"]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert made.count("\n## ") == len(page.SECTIONS) + 1
