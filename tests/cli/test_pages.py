"""The pages of the commands say what the commands can, and show what they print."""

import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
WRITER: dict[str, Any] = runpy.run_path(str(DOCS / "write_commands.py"))
ADVICE = "run: python docs/write_commands.py"


def written(name: str) -> str:
    """The page of a command."""
    return (DOCS / "commands" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WRITER["COMMANDS"])
def test_pages_tell_of_all_options(name: str) -> None:
    assert written(name).endswith(f"\n{WRITER['table'](name)}\n"), ADVICE
    assert WRITER["summary"](name) in written("index"), ADVICE


@pytest.mark.processes
def test_pages_show_what_commands_print() -> None:
    pages: dict[Path, str] = WRITER["pages"]()
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, ADVICE
    assert {*pages} == {*(DOCS / "commands").iterdir()}


def test_every_command_is_shown() -> None:
    not_shown = {"annotate", "explore", "models", "package"}  # two serve until stopped, two differ by machine
    assert WRITER["COMMANDS"].keys() - WRITER["EXAMPLES"].keys() == not_shown
