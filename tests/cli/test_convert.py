"""The command ``convert``."""

from pathlib import Path

import pytest

from deptrees import Treebank, from_conllu, sample_treebank, to_conllu, to_conllx
from deptrees.cli.convert import FORMATS
from tests.cli.running import GOOD, SAMPLE, run

ROW = "{}\t{}\t_\t_\t_\t_\t{}\t_\t_\t_\n"
EXTRA = from_conllu(
    "# text = Don't\n" + ROW.format("1-2", "Don't", "_") + ROW.format(1, "Do", 0) + ROW.format(2, "n't", 1)
)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "parquet"])
def test_each_format_is_chosen_by_name_or_ending(name: str, tmp_path: Path) -> None:
    FORMATS[name].write(str(tmp_path / "expected"), sample_treebank("train"))
    expected = (tmp_path / "expected").read_text("utf-8")
    assert run("convert", "-", "--format", name, input=SAMPLE).stdout == expected
    for ending in FORMATS[name].endings:
        assert run("convert", "-", "-o", tmp_path / f"all{ending}", input=SAMPLE).exit_code == 0
        assert (tmp_path / f"all{ending}").read_text("utf-8") == expected


@pytest.mark.integration
def test_parquet_is_written_and_read(tmp_path: Path) -> None:
    target = tmp_path / "all.parquet"
    assert run("convert", "-", "-o", target, input=SAMPLE).exit_code == 0
    assert run("convert", target).stdout == SAMPLE
    mixed = run("convert", target, "-", input=SAMPLE)
    assert (mixed.exit_code, "by themselves" in mixed.stderr) == (2, True)
    target.write_bytes(target.read_bytes()[:-9])
    damaged = run("convert", target)
    assert (damaged.exit_code, "is no Parquet file, or damaged" in damaged.stderr) == (1, True)


def test_conllu_is_kept_and_conllx_has_words_only(tmp_path: Path) -> None:
    assert run("convert", "-", input=to_conllu(EXTRA)).stdout == to_conllu(EXTRA)
    assert run("convert", "-", "-o", tmp_path / "words.conll.gz", input=to_conllu(EXTRA)).exit_code == 0
    (tree,) = Treebank(tmp_path / "words.conll.gz")
    assert to_conllu(tree) == to_conllx(EXTRA)
    assert (tree.comments, tree.extra_tokens) == ((), ())
    assert run("convert", "-", "--format", "text", input=to_conllu(EXTRA)).stdout == "Don't\n"
    assert run("convert", "-", "--format", "text", input=to_conllx(EXTRA)).stdout == "Do n't\n"


def test_the_name_of_the_format_comes_before_the_ending(tmp_path: Path) -> None:
    run("convert", "-", "--format", "conllx", "-o", tmp_path / "a.conllu", input=GOOD)
    assert "sent_id" not in (tmp_path / "a.conllu").read_text("utf-8")


def test_an_unknown_format_is_answered_with_those_there_are() -> None:
    result = run("convert", "-", "--format", "penn", input=GOOD)
    assert result.exit_code == 2
    assert "conllu, conllx, text" in " ".join(result.stderr.replace("│", " ").split())
