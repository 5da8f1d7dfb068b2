"""The commands that check and change treebanks: validate, projectivize, deprojectivize and tag."""

import json
from pathlib import Path

import attrs
import pytest

from deptrees import DependencyTree, Treebank, deprojectivize, is_projective, projectivize, sample_treebank, to_conllu
from deptrees.parser import Parser
from deptrees.tagger import Tagger
from tests.cli.running import SAMPLE, TREES, run

ROW = "{}\tword\t_\t_\t_\t_\t{}\t_\t_\t_\n"
FAULTY = "".join(
    [
        "# sent_id = a\n" + ROW.format(1, "x") + ROW.format(3, 0) + "# late\n" + "2\tshort\n\n",  # three faults
        ROW.format(1, 0) + "\n",
        "# sent_id = c\n" + ROW.format(1, 2) + ROW.format(2, 1) + "\n",  # a cycle
    ]
)


def test_all_faults_are_named_at_once() -> None:
    result = run("validate", "-", input=FAULTY)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.split(":")[1] for line in lines] == ["2", "3", "4", "5", "10"]
    assert "sentence 'a'" in lines[0]
    assert "not a number" in lines[0]
    assert "cycle" in lines[-1]
    assert "5 faults" in result.stderr
    records = [json.loads(line) for line in run("validate", "-", "--json", input=FAULTY).stdout.splitlines()]
    assert [record["line"] for record in records] == [2, 3, 4, 5, 10]
    assert {*records[0]} == {"file", "line", "sent_id", "reason"}


def test_what_is_valid_is_valid() -> None:
    result = run("validate", "-", input=SAMPLE)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "udvalidate" in result.stderr


@pytest.mark.parametrize("encoding", ["head", "path", "head+path"])
def test_lifts_are_made_and_undone(encoding: str, tmp_path: Path) -> None:
    lifted = tmp_path / "lifted.conllu"
    assert run("projectivize", "-", "--encoding", encoding, "-o", lifted, input=SAMPLE).exit_code == 0
    trees = list(Treebank(lifted))
    assert trees == [projectivize(tree, encoding) for tree in sample_treebank("train")]  # type: ignore[arg-type]
    assert all(map(is_projective, trees))
    undone = run("deprojectivize", lifted, "--encoding", encoding).stdout
    assert undone == "".join(to_conllu(deprojectivize(tree, encoding)) for tree in trees)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("of_file", "given"), [("head", "path"), ("path", "head"), ("path", "head+path"), ("head+path", "head")]
)
def test_lifts_are_not_undone_in_another_encoding_than_the_labels_have(
    of_file: str, given: str, tmp_path: Path
) -> None:
    run("projectivize", "-", "--encoding", of_file, "-o", tmp_path / "lifted.conllu", input=SAMPLE)
    result = run("deprojectivize", tmp_path / "lifted.conllu", "--encoding", given, "-o", tmp_path / "undone.conllu")
    assert result.exit_code == 2
    assert "encoding" in result.stderr
    assert not (tmp_path / "undone.conllu").exists()


def test_words_are_tagged_by_a_tagger_or_that_of_a_parser(tagger: Tagger, parser: Parser, tmp_path: Path) -> None:

    tagger.save(tmp_path / "tagger")
    attrs.evolve(parser, tagger=tagger).save(tmp_path / "parser")
    parser.save(tmp_path / "without")
    words = "".join(to_conllu(DependencyTree([(None, token.form) for token in tree])) for tree in TREES)
    tagged = [run("tag", tmp_path / model, "-", input=words).stdout for model in ("tagger", "parser")]
    assert tagged[0] == tagged[1] == "".join(map(to_conllu, tagger.tag(Treebank.from_bytes(words.encode()))))
    assert run("tag", tmp_path / "without", "-", input=words).exit_code == 1
