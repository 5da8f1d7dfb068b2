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
from deptrees import Parser, transition
from deptrees.transition import REGISTRY
from tests.files.write_formats import unpacked

MODULES = [
    importlib.import_module(name)
    for name in ["deptrees", *(module.name for module in pkgutil.walk_packages(deptrees.__path__, "deptrees."))]
    if not re.fullmatch(r"deptrees\.(torch|integrations\.\w+)", name) or find_spec(name.split(".")[-1])
]
OPTIONAL = ["typer", "rich", "sklearn", "torch", "scipy", "matplotlib", "pandas", "udtools", "hypothesis", "pytest"]
OPTIONAL += ["datasets", "networkx", "nltk", "pyarrow", "spacy"]
ON_REQUEST = ["conllu"]
HEAVY = ["numpy", "safetensors"]


def test_trees_treebanks_and_their_evaluation_import_nothing_optional_or_heavy() -> None:
    packages = "deptrees, deptrees.drawing, deptrees.trees, deptrees.treebanks, deptrees.evaluation"
    assert not {*OPTIONAL, *ON_REQUEST, *HEAVY} & imported_by(f"import {packages}")


def test_every_public_name_is_imported_on_first_use() -> None:
    assert imported_by("import deptrees") == imported_by("import ast, lazy_loader") | {"deptrees"}
    assert {*deptrees.__all__} <= {*dir(deptrees)}
    with pytest.raises(AttributeError, match="No deptrees attribute Parsers"):
        _ = deptrees.Parsers  # type: ignore[attr-defined]


def test_every_registered_system_is_public() -> None:
    assert all(getattr(transition, name) is system.kind for name, system in REGISTRY.items())


def test_a_parser_that_was_saved_imports_nothing_of_training_drawings_of_trees_or_other_systems(
    parser: Parser, tmp_path: Path
) -> None:
    parser.save(tmp_path / "model")
    code = (
        f"from deptrees import load_parser; load_parser({str(tmp_path / 'model')!r}); import sys; print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    others = [system.kind.__module__ for system in REGISTRY.values() if system.kind is not type(parser.system)]
    training = ["deptrees.engine.trainer", "deptrees.training.run", "deptrees.training.checkpoints"]
    assert not {*others, *training, "deptrees.tagger.tagger", "deptrees.tokenizer.tokenizer"} & {*loaded}


def test_a_command_that_parses_text_imports_nothing_of_training_drawings_or_threads(tmp_path: Path) -> None:
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    code += "; from deptrees.__main__ import main; main()"
    command = [sys.executable, "-c", code, "parse", str(unpacked("pipeline", tmp_path)), "--text", "-"]
    done = subprocess.run(command, input="Birds sing.", capture_output=True, text=True, check=True)
    assert "Birds" in done.stdout
    loaded = {*done.stderr.splitlines()[-1].split()}
    assert "deptrees.tokenizer.tokenizer" in loaded
    training = [name for name in loaded if re.fullmatch(r"deptrees\.\w+\.(trainer|training|run|checkpoints)", name)]
    others = {"deptrees.drawing", "deptrees.treebanks.validation", "deptrees.evaluation.segmentation"}
    assert not {*training, *others, "concurrent.futures", "deptrees.engine.incremental"} & loaded


def test_parsers_import_nothing_optional() -> None:
    assert not {*OPTIONAL, *ON_REQUEST} & imported_by("import deptrees.transition, deptrees.parser")


def test_a_star_imports_every_public_name_and_nothing_optional() -> None:
    names: dict[str, object] = {}
    exec("from deptrees import *", names)
    assert {*deptrees.__all__} <= {*names}
    assert not {*OPTIONAL, *ON_REQUEST} & imported_by("from deptrees import *")


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
                if member_name.startswith("_") or member_name not in defined_here(value):
                    continue
                if inspect.isfunction(member) or isinstance(member, property):
                    assert inspect.getdoc(getattr(value, member_name)), f"{name}.{member_name}"


def defined_here(kind: type) -> set[str]:
    """The members that a class has from the library's own classes: transformers adds one to all modules of PyTorch."""
    return {name for base in kind.__mro__ if base.__module__.startswith("deptrees") for name in vars(base)}


WHERE = {
    "conllu": ["trees/token_lists.py", "trees/tree.py"],
    "datasets": ["integrations/datasets.py"],
    "matplotlib": ["evaluation/plots.py"],
    "gymnasium": ["integrations/gymnasium.py"],
    "networkx": ["integrations/networkx.py"],
    "nltk": ["integrations/nltk.py"],
    "pandas": ["evaluation/tables.py", "integrations/pandas.py"],
    "pyarrow": ["integrations/pyarrow.py"],
    "ray": ["integrations/ray.py"],
    "rich": ["cli"],
    "scipy": ["evaluation/significance.py", "integrations/sklearn.py"],
    "sklearn": ["features/clusters.py", "integrations/sklearn.py"],
    "spacy": ["integrations/spacy.py"],
    "threadpoolctl": ["features/clusters.py"],
    "tokenizers": ["torch/pieces.py"],
    "torch": ["torch", "integrations/torch.py"],
    "transformers": ["torch/transformer.py"],
    "typer": ["cli"],
    "udtools": ["evaluation/ud.py"],
}
"""Where packages are used that are optional, or imported on request."""


@pytest.mark.parametrize(("package", "places"), WHERE.items())
def test_a_package_is_used_in_its_place_only(package: str, places: list[str]) -> None:
    uses = re.compile(rf"^\s*(?:from|import) {package}\b", re.MULTILINE)
    root = Path(deptrees.__path__[0])
    users = [path.relative_to(root) for path in root.rglob("*.py") if uses.search(path.read_text("utf-8"))]
    assert users
    assert [user for user in users if not any(map(user.is_relative_to, places))] == []


COMPILED = sorted(path for kind in ("pyx", "px[di]") for path in Path(deptrees.__path__[0]).rglob(f"*.{kind}"))


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.name)
def test_what_is_compiled_imports_only_what_imports_nothing_of_the_library(path: Path) -> None:
    """`lint-imports` checks the order of all other imports, and cannot read these files."""
    imports = re.compile(r"^\s*(?:from|c?import)\s+([\w.]+)", re.MULTILINE)
    imported = {*imports.findall(path.read_text("utf-8"))}
    own = {name for name in imported if name.startswith("deptrees.")}
    assert {name.split(".")[0] for name in imported - own} <= {"cpython", "cython", "libc", "numpy", "unicodedata"}
    for name in own:
        module = Path(deptrees.__path__[0], *name.split(".")[1:]).with_suffix(".py").read_text("utf-8")
        assert not any(used.startswith("deptrees") for used in imports.findall(module))


def test_version_is_the_installed_one() -> None:
    from importlib.metadata import version

    assert deptrees.__version__ == version("deptrees")
