"""The command ``evaluate``."""

from pathlib import Path

import pytest

from deptrees import DependencyGraph, DependencyTree, Token, Treebank, write_treebank
from deptrees.evaluation import confidence_intervals, enhanced_counts, evaluate_enhanced, paired_test
from tests.cli.running import GOOD, TREES, run


def test_evaluate_against_itself_is_perfect(sample: Path) -> None:
    lines = run("evaluate", sample, sample).stdout.splitlines()
    assert [line.split()[1] for line in lines[2:]] == ["100.00%"] * 4


def test_an_evaluation_without_words_is_an_error(sample: Path, tmp_path: Path) -> None:
    empty, headless = tmp_path / "empty.conllu", tmp_path / "headless.conllu"
    empty.write_text("")
    headless.write_text(GOOD.replace("\t0\t", "\t_\t"), encoding="utf-8")
    for path in empty, headless:
        result = run("evaluate", path, path)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"error: no word in {path} has a head: there is nothing to evaluate\n"
        for options in [], ["--pipeline"]:
            result = run("train", sample, "--dev", path, "-o", tmp_path / "model", *options)
            assert result.exit_code == 1
            assert result.stderr.startswith("error: no word of the development data has a ")
    assert not (tmp_path / "model").exists()


def test_enhanced_dependencies_are_evaluated_with_intervals_and_tests(tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.conllu", tmp_path / "parsed.conllu"
    trees = [tree.with_graph(DependencyGraph(tree, tree.arcs)) for tree in TREES]
    write_treebank(gold, trees)
    write_treebank(parsed, [tree.with_graph(DependencyGraph(tree, tree.arcs[1:])) for tree in TREES])
    assert run("evaluate", gold, parsed, "--enhanced").stdout == f"{evaluate_enhanced(trees, Treebank(parsed))}\n"
    intervals = run("evaluate", gold, parsed, "--enhanced", "--intervals").stdout
    assert intervals == f"{confidence_intervals(*enhanced_counts(trees, Treebank(parsed)))}\n"
    test = run("compare", gold, gold, parsed, "--enhanced", "--show", "test").stdout
    assert test == f"{paired_test(*enhanced_counts(trees, trees, Treebank(parsed)))}\n"


def test_different_sentences_cannot_be_evaluated(sample: Path, broken: Path) -> None:
    broken.write_text(GOOD, encoding="utf-8")
    result = run("evaluate", sample, broken)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: sentence 1 (sample-train-001 in gold, good in predicted)")


@pytest.fixture
def graphs(tmp_path: Path) -> Path:
    """Sentences whose DEPS describe graphs, but for the second one's."""
    trees = [DependencyTree([Token("Sing", 0, "root", deps=deps)], ["# sent_id = s"]) for deps in ("0:root", "7:x")]
    write_treebank(tmp_path / "graphs.conllu", [trees[0], trees[1], trees[0]])
    return tmp_path / "graphs.conllu"


FAULT = "graphs.conllu:5: sentence 's': DEPS of 1 has the head '7'"


def test_deps_that_are_no_graph_are_named_with_file_and_line(graphs: Path) -> None:
    output = graphs.with_name("model")
    of_graphs = (
        ["evaluate", graphs, graphs],
        ["evaluate", graphs, graphs, "--intervals"],
        ["compare", graphs, graphs, graphs, "--show", "test"],
        ["draw", graphs],
        ["train", graphs, "--output", output],
    )
    for command in of_graphs:
        result = run(*command, "--enhanced")
        assert (result.exit_code, FAULT in result.stderr) == (1, True)
        assert ("--skip-invalid" if command[0] in ("draw", "train") else "deptrees validate") in result.stderr
    assert run("draw", graphs).exit_code == run("evaluate", graphs, graphs).exit_code == 0
    assert not output.exists()


def test_sentences_whose_deps_are_no_graph_can_be_skipped(graphs: Path) -> None:
    drawn = run("draw", graphs, "--enhanced", "--skip-invalid")
    assert drawn.stdout.count("Sing") == 2
    assert (FAULT in drawn.stderr, "skipped 1 of 3 sentences" in drawn.stderr) == (True, True)
    trained = run("train", graphs, "--enhanced", "--skip-invalid", "--epochs", 1, "--output", graphs.with_name("model"))
    assert "skipped 1 of 3 sentences" in trained.stderr
