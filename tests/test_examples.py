"""Each example is run, and prints what its docstring shows."""

import ast
import re
import runpy
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean

import pytest

from deptrees import DependencyTree, sample_treebank
from tests.gold_trees import TREEBANKS, needs_treebanks

EXAMPLES = {path.stem: path for path in sorted(Path(__file__).parents[1].glob("examples/*.py"))}
LEARN_FRACTIONS = {"bilstm_parser"}
"""Those whose figures differ from processor to processor."""
MARKS = {
    "active_learning": [pytest.mark.slow],
    "corpus_with_ray": [pytest.mark.integration, pytest.mark.filterwarnings("ignore")],
    "own_policy": [pytest.mark.slow],
}
"""Of those that do not belong to the quick tier."""


def printed(example: str, capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What an example prints."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [example, *map(str, arguments)])
        runpy.run_path(str(EXAMPLES[example]), run_name="__main__")
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "example", [pytest.param(name, marks=MARKS.get(name, ())) for name in EXAMPLES if name not in LEARN_FRACTIONS]
)
def test_examples_print_what_they_show(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "ray" in example:
        pytest.importorskip("ray")
    assert printed(example, capsys).splitlines() == shown(example)


def shown(example: str) -> list[str]:
    """The lines that the docstring of an example shows."""
    docstring = ast.get_docstring(ast.parse(EXAMPLES[example].read_text(encoding="utf-8"))) or ""
    command, _, lines = re.split(r"^    \$ ", docstring, flags=re.MULTILINE)[1].partition("\n")
    assert command == f"python examples/{example}.py"
    return [line.removeprefix("    ") for line in lines.splitlines()]


@pytest.mark.torch
def test_a_bilstm_learns_more_than_what_is_common_for_each_tag(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    found = printed("bilstm_parser", capsys).splitlines()
    assert [re.sub(r"[\d.]+", "", line) for line in found] == [
        re.sub(r"[\d.]+", "", line) for line in shown("bilstm_parser")
    ]
    las = float(found[-1].split()[-1].rstrip("%"))
    assert las > 100 * guessed(sample_treebank("train"), sample_treebank("dev")) + 15


def guessed(train: Iterable[DependencyTree], trees: Iterable[DependencyTree]) -> float:
    """The share of words that have the label, and the head at the distance, that are most common for their tag."""
    common: defaultdict[str | None, Counter[object]] = defaultdict(Counter)
    for tag, arc in arcs(train):
        common[tag][arc] += 1
    return fmean([arc == common[tag].most_common(1)[0][0] for tag, arc in arcs(trees)])


def arcs(trees: Iterable[DependencyTree]) -> Iterator[tuple[str | None, object]]:
    """The tag of each word, and the distance to its head with its label."""
    for tree in trees:
        for word, token in enumerate(tree, 1):
            yield token.upos, (token.head and token.head - word, token.label)


@needs_treebanks
def test_a_language_learns_from_another_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert TREEBANKS
    names = ("en_ewt-train.conllu", "fr_partut-train.conllu", "fr_partut-dev.conllu")
    found = printed("cross_lingual_transfer", capsys, *(TREEBANKS / name for name in names))
    other, few, both = (float(line.rstrip("%").split()[-1]) for line in found.splitlines())
    assert few < other < both
