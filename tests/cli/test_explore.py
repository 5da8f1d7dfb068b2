"""The command ``explore`` as a process: it prints an address, answers there, and leaves when it is interrupted."""

import os
import urllib.error
from pathlib import Path

import pytest

from deptrees import DependencyTree, to_conllu
from deptrees.parser import Parser
from tests.cli.serving import served, told

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

TREE = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])


def test_it_answers_at_the_address_that_it_prints(tmp_path: Path, parser: Parser) -> None:
    (tmp_path / "trees.conllu").write_text(to_conllu(TREE), encoding="utf-8")
    parser.save(tmp_path / "model")
    link = "http://127.0.0.1:1/other/#e30"
    with served("explore", tmp_path / "trees.conllu", "--model", tmp_path / "model", "--step", link) as address:
        assert address.endswith("/#e30")
        offered = told(address, "systems")
        assert offered["sentences"] == ["I saw a dog"]
        assert (offered["system"], offered["root"], offered["single_root"]) == ("ArcEager", "last", True)
        with pytest.raises(urllib.error.HTTPError, match="403"):
            told("/".join([*address.split("/")[:3], "guess/"]), "systems")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["no-such.conllu"], "no-such.conllu"), (["--system", "arc-lazy"], "no system"), (["--port", "70000"], "port")],
)
def test_what_cannot_be_explored_is_an_error_in_a_line(arguments: list[str], message: str) -> None:
    with served("explore", *arguments) as printed:
        assert message in printed
