"""The commands that show something: ``draw``, ``oracle`` and ``sample``."""

from pathlib import Path

from deptrees import sample_treebank, to_conllu
from tests.cli.running import GOOD, SAMPLE, TREES, run


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


def test_sample_is_the_sample_treebank() -> None:
    assert run("sample").stdout == SAMPLE
    assert run("sample", "dev").stdout == "".join(to_conllu(tree) for tree in sample_treebank("dev"))
