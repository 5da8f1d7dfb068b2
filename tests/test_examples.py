"""Each example is run, and prints what its docstring shows."""

import ast
import re
import runpy
import sys
from pathlib import Path

import pytest

from tests.gold_trees import TREEBANKS, needs_treebanks

EXAMPLES = {path.stem: path for path in sorted(Path(__file__).parents[1].glob("examples/*.py"))}
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


@pytest.mark.parametrize("example", [pytest.param(name, marks=MARKS.get(name, ())) for name in EXAMPLES])
def test_examples_print_what_they_show(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "ray" in example:
        pytest.importorskip("ray")
    docstring = ast.get_docstring(ast.parse(EXAMPLES[example].read_text(encoding="utf-8"))) or ""
    command, _, shown = re.split(r"^    \$ ", docstring, flags=re.MULTILINE)[1].partition("\n")
    assert command == f"python examples/{example}.py"
    assert printed(example, capsys).splitlines() == [line.removeprefix("    ") for line in shown.splitlines()]


@needs_treebanks
def test_a_language_learns_from_another_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert TREEBANKS
    names = ("en_ewt-train.conllu", "fr_partut-train.conllu", "fr_partut-dev.conllu")
    found = printed("cross_lingual_transfer", capsys, *(TREEBANKS / name for name in names))
    other, few, both = (float(line.rstrip("%").split()[-1]) for line in found.splitlines())
    assert few < other < both
