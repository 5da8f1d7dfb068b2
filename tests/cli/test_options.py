"""The systems that commands are given."""

import re
from typing import Any

import pytest

from deptrees.cli.options import chosen_system
from deptrees.transition import ArcEager, ArcHybrid, Attardi, ListBasedProjective, System
from tests.cli.running import run


@pytest.mark.parametrize(
    ("name", "options", "system"),
    [
        ("arc-eager", {}, ArcEager(root="last", single_root=True)),
        ("arc-eager", {"root": "first", "single_root": False}, ArcEager()),
        ("ArcEager", {"root": "last", "single_root": True}, ArcEager(root="last", single_root=True)),
        ("arc_eager", {"root": "none"}, ArcEager(root="none")),
        ("Arc_Hybrid", {}, ArcHybrid(single_root=True)),
        ("Attardi(3)", {}, Attardi(3)),
        ("attardi(3)", {"root": "last"}, Attardi(3, root="last")),
        ("list-based-projective", {}, ListBasedProjective()),
    ],
)
def test_systems_have_names(name: str, options: dict[str, Any], system: System) -> None:
    assert chosen_system(name, **{"root": None, "single_root": None, **options}) == system


def test_commands_that_need_trees_refuse_systems_that_build_graphs() -> None:
    refused = "ListBasedGraph() builds graphs, and a system that builds trees is needed here"
    for command in (
        ["describe", "list-based-graph", "Sing", "--heads", "0"],
        ["oracle", "-", "--system", "ListBasedGraph"],
    ):
        result = run(*command)
        assert result.exit_code == 2
        assert refused in " ".join(result.stderr.replace("│", "").split())
    assert run("describe", "list-based-graph").stdout.startswith("# ListBasedGraph\n")


def test_an_unknown_system_lists_the_systems() -> None:
    result = run("describe", "arc-eagle")
    assert result.exit_code == 2
    message = " ".join(re.sub("[^-',;\\w]", " ", result.stderr).split())
    assert "there is no system 'arc-eagle'" in message
    assert all(name in message for name in ("ArcEager", "TwoPlanar", "LRSpines"))
