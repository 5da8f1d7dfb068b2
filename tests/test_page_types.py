"""The code of the pages is right by its types: names are where they come from, and mypy has nothing against it."""

import ast
import doctest
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import deptrees
from deptrees.transition.table.language import __all__ as words

ROOT = Path(__file__).parents[1]
PAGES = {str(path.relative_to(ROOT)): path for path in (*sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md")}
OF_PAGES = """
[[tool.mypy.overrides]]
module = "pages.*"
allow_redefinition = true
check_untyped_defs = false
disallow_any_generics = false
disallow_incomplete_defs = false
disallow_subclassing_any = false
disallow_untyped_calls = false
disallow_untyped_defs = false
strict_optional = false
"""
"""Pages leave out types of functions, use names again, and know that what may be missing is there."""


def code(page: Path) -> str:
    """The examples of a page as a program, on the same lines."""
    lines: list[str] = []
    for example in doctest.DocTestParser().get_examples(page.read_text("utf-8")):
        lines += [""] * (example.lineno - len(lines)) + example.source.rstrip("\n").split("\n")
    return "\n".join([*lines, ""])


@cache
def names(module: str) -> set[str]:
    """The names that type checkers see in a module of the library: those of its stub, if it has one."""
    path = Path(deptrees.__file__).parents[1] / module.replace(".", "/")
    places = [path.with_suffix(".pyi"), path / "__init__.pyi", path.with_suffix(".py"), path / "__init__.py"]
    found = {each.stem for each in path.glob("*") if each.suffix == ".py" or each.is_dir()}
    for node in ast.walk(ast.parse(next(filter(Path.exists, places)).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            inner = ".".join([module] * node.level + [node.module or ""]).strip(".")
            found |= names(inner) if node.names[0].name == "*" else {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
    return found


def test_the_words_of_tables_are_seen() -> None:
    assert {*words} <= names("deptrees.transition.table")


@pytest.mark.parametrize("page", PAGES)
def test_pages_import_names_that_type_checkers_see(page: str) -> None:
    for node in ast.walk(ast.parse(code(PAGES[page]))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "deptrees":
            assert {alias.name for alias in node.names} - {"*"} <= names(node.module), node.module


@pytest.mark.processes
def test_mypy_has_nothing_against_the_code_of_the_pages(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for name, path in PAGES.items():
        module = name.removesuffix(".md").replace("/", "_").replace("-", "_")
        (tmp_path / "pages" / f"{module}.py").write_text(code(path), "utf-8")
    config = tmp_path / "pyproject.toml"
    config.write_text((ROOT / "pyproject.toml").read_text("utf-8") + OF_PAGES, "utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, "-p", "pages"],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (found.returncode, found.stderr) == (0, ""), found.stdout
