"""An integration whose library is missing says what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import deptrees.integrations

NAMES = [path.stem for path in sorted(Path(deptrees.integrations.__path__[0]).glob("[a-z]*.py"))]


@pytest.mark.parametrize("name", NAMES)
def test_an_integration_says_what_to_install(name: str) -> None:
    code = f"import sys; sys.modules[{name!r}] = None; import deptrees.integrations.{name}"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    error = process.stderr.rstrip().splitlines()[-1]
    assert error.startswith(f"ModuleNotFoundError: deptrees.integrations.{name} needs ")
    assert f": run pip install '.[{name}]' in" in error


@pytest.mark.parametrize("name", NAMES)
def test_an_integration_has_a_page(name: str) -> None:
    pages = Path(__file__).parents[2] / "docs" / "integrations"
    assert f"pip install '.[{name}]'" in (pages / f"{name}.md").read_text("utf-8")
    assert f"({name}.md)" in (pages / "index.md").read_text("utf-8")
