"""Tests of the compiled modules under AddressSanitizer and UndefinedBehaviorSanitizer.

    python -m proof.sanitizers                  # the tests of all that is compiled, of the quick tier
    python -m proof.sanitizers -m "" tests/engine
    python -m proof.sanitizers --python -m proof.fuzzing reader

The modules are compiled anew in a copy of the source code, which is kept in ``build/sanitized`` for the next time; this
takes GCC and two minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["environment", "main", "sanitized_copy"]

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "sanitized"
COPIED = ("deptrees", "tests", "proof", "conftest.py", "pyproject.toml", "setup.py", "LICENSE", "README.md", "docs")
TESTS = (
    "tests/engine",
    "tests/inference",
    "tests/treebanks",
    "tests/tagger",
    "tests/tokenizer",
    "tests/parser",
    "tests/transition/losses",
)

FLAGS = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -DNDEBUG"
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",  # Python itself keeps memory to its end
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "PYTHONMALLOC": "malloc",  # so that every object has memory of its own
    "PYTHONPATH": str(COPY),
}


def sanitized_copy() -> Path:
    """A copy of the source code whose compiled modules check each access to memory; compiled if they have changed."""
    for name in COPIED:
        source, target = ROOT / name, COPY / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "*.c")
            shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    sanitized = {**os.environ, "DEPTREES_CFLAGS": FLAGS, "LDFLAGS": "-fsanitize=address,undefined"}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(command, cwd=COPY, env=sanitized, check=True)
    return COPY


def environment() -> Mapping[str, str]:
    """The variables with which Python runs modules that are compiled so."""
    libraries = ("libasan.so", "libubsan.so", "libstdc++.so")  # the last one so that exceptions of C++ are seen through
    found = [
        subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in libraries
    ]
    return {**os.environ, **OPTIONS, "LD_PRELOAD": " ".join(found)}


def main(arguments: Sequence[str] = ()) -> int:
    """Run pytest, or Python if the first argument says so; its exit code."""
    if arguments[:1] == ["--python"]:
        command = [sys.executable, *arguments[1:]]
    else:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(arguments or TESTS)]
    return subprocess.run(command, cwd=sanitized_copy(), env=environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
