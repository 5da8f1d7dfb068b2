"""The wheel: what is in it, and that a parser is trained where nothing else is installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

REPOSITORY = Path(__file__).parents[1]
MEGABYTE = 1 << 20
TRAINED = """
import deptrees.engine.core.compiled, deptrees.engine.core.tagging
import deptrees.transition.losses.swaps.compiled_search, deptrees.treebanks.encoded_text
import deptrees.inference.compiled_sums
from deptrees import Parser, evaluate, sample_treebank
parser = Parser.train(sample_treebank("train"))
print(evaluate(sample_treebank("dev"), parser.parse(sample_treebank("dev"))).uas > 0.75)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, made of what the source distribution has."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, source)
    unbuilt = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "unrolled_templates.pxi", "__pycache__")
    shutil.copytree(REPOSITORY / "deptrees", source / "deptrees", ignore=unbuilt)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(built), str(source)]
    subprocess.run(command, env=os.environ | {"DEPTREES_CFLAGS": "-O1 -g0"}, check=True)  # in half of the time
    [found] = built.glob("*.whl")
    return found


@pytest.mark.integration
def test_the_wheel_is_small_and_whole(wheel: Path) -> None:
    with ZipFile(wheel) as opened:
        names = {*opened.namelist()}
    expected = {
        str(path.relative_to(REPOSITORY))
        for path in REPOSITORY.glob("deptrees/**/*")
        if path.suffix in {".py", ".typed", ".pyi", ".html", ".css", ".js", ".conllu"}
    }
    assert expected - names == set()
    modules = [*(REPOSITORY / "deptrees").rglob("*.pyx")]
    assert sum(".so" in name or ".pyd" in name for name in names) == len(modules)
    assert not any(name.startswith(("tests", "docs", "benchmarks", "proof")) for name in names)
    assert wheel.stat().st_size < 5 * MEGABYTE


@pytest.mark.integration
def test_the_wheel_works_by_itself(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-compile", wheel], check=True)
    trained = subprocess.run([python, "-c", TRAINED], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert trained.stdout == "True\n"
