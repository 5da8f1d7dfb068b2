"""The command ``annotate`` as a process: it saves what is done, and refuses a second one on the same file."""

import os
from pathlib import Path

import pytest

from deptrees import DependencyTree, Treebank, to_conllu
from deptrees.parser import Parser
from tests.cli.serving import served, told

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

TREE = DependencyTree([(None, "I"), (None, "saw"), (None, "a"), (None, "dog")])


def test_it_proposes_saves_and_keeps_others_from_the_file(tmp_path: Path, parser: Parser) -> None:
    path = tmp_path / "trees.conllu"
    path.write_text(to_conllu(TREE), encoding="utf-8")
    parser.save(tmp_path / "model")
    with served("annotate", path, "--model", tmp_path / "model") as address:
        asked = {"sentence": 0, "width": 900}
        version = told(address, "sentence", asked)["version"]
        deed = {**asked, "version": version, "action": "SetHead", "arguments": {"word": 4, "head": 2}}
        assert told(address, "act", deed)["words"][3]["state"] == "head"
        [tree] = Treebank(path)
        assert (tree.heads[3], None in tree.heads) == (2, False)
        with served("annotate", path) as error:
            assert "another process is working on it" in error
    assert [found.name for found in tmp_path.glob(".*")] == []


@pytest.mark.parametrize("name", ["no-such.conllu", "folder"])
def test_what_cannot_be_annotated_is_an_error_in_a_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with served("annotate", tmp_path / name) as error:
        assert name in error
        assert len(error.splitlines()) <= 3
