import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import GenericAlias, ModuleType

import pytest

import deptrees

MODULES = [
    importlib.import_module(name)
    for name in ["deptrees", *(module.name for module in pkgutil.walk_packages(deptrees.__path__, "deptrees."))]
    if not re.fullmatch(r"deptrees\.(torch|integrations\.\w+)", name) or find_spec(name.split(".")[-1])
]
OPTIONAL = ["typer", "rich", "sklearn", "torch", "scipy", "matplotlib", "pandas", "udtools", "hypothesis", "pytest"]
OPTIONAL += ["conllu", "datasets", "networkx", "nltk", "pyarrow", "spacy"]
HEAVY = ["numpy", "safetensors"]


def test_trees_treebanks_and_their_evaluation_import_nothing_optional_or_heavy() -> None:
    packages = "deptrees, deptrees.drawing, deptrees.trees, deptrees.treebanks, deptrees.evaluation"
    assert not {*OPTIONAL, *HEAVY} & imported_by(f"import {packages}")


def test_every_public_name_is_imported_on_first_use() -> None:
    assert imported_by("import deptrees") == imported_by("import __future__, importlib, typing") | {"deptrees"}
    assert {*deptrees.__all__} <= {*dir(deptrees)}
    with pytest.raises(AttributeError, match="module 'deptrees' has no attribute 'Parsers'"):
        _ = deptrees.Parsers


def test_parsers_import_nothing_optional() -> None:
    assert not set(OPTIONAL) & imported_by("import deptrees.transition, deptrees.parser")


def test_a_star_imports_every_public_name_and_nothing_optional() -> None:
    names: dict[str, object] = {}
    exec("from deptrees import *", names)
    assert {*deptrees.__all__} <= {*names}
    assert not set(OPTIONAL) & imported_by("from deptrees import *")


def imported_by(statement: str) -> set[str]:
    code = f"{statement}\nimport sys; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_everything_public_is_documented(module: ModuleType) -> None:
    assert module.__doc__
    for name in getattr(module, "__all__", []):
        value = getattr(module, name)
        if isinstance(value, GenericAlias):  # a class, Python 3.10 thinks
            continue
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
        if inspect.isclass(value):
            for member_name, member in inspect.getmembers(value):
                if not member_name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                    assert inspect.getdoc(getattr(value, member_name)), f"{name}.{member_name}"


COMPILED = sorted(path for kind in ("pyx", "px[di]") for path in Path(deptrees.__path__[0]).rglob(f"*.{kind}"))


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.name)
def test_what_is_compiled_imports_nothing_of_the_library(path: Path) -> None:
    """`lint-imports` checks the order of all other imports, and cannot read these files."""
    imported = re.findall(r"^\s*(?:from|c?import)\s+([\w.]+)", path.read_text("utf-8"), re.MULTILINE)
    assert {name.split(".")[0] for name in imported} <= {"cpython", "cython", "libc", "numpy"}


def test_version_is_the_installed_one() -> None:
    from importlib.metadata import version

    assert deptrees.__version__ == version("deptrees")
