"""The compiled modules include files in layers: none uses what a later one defines."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import deptrees

MODULES = sorted(Path(deptrees.__file__).parent.glob("**/*.pyx"))
NOT_CODE = re.compile(r'#.*|(?s:""".*?""")|"[^"\n]*"')
FUNCTION = re.compile(r"^(?:cdef|def) (?:[^(=\n]*[ *])?(\w+)\(", re.MULTILINE)
TYPE = re.compile(r"^(?:cdef class|ctypedef struct) (\w+)", re.MULTILINE)
CONSTANTS = re.compile(r"^cdef enum:(?:\n    .*)+", re.MULTILINE)


def included(path: Path) -> Iterator[tuple[str, str]]:
    """The name of each file, and its code, in the order in which they are compiled."""
    for part in re.split(r'^(include ".+")$', path.read_text("utf-8"), flags=re.MULTILINE):
        if not part.startswith("include"):
            yield path.name, NOT_CODE.sub("", part)
        elif (file := path.parent / part.split('"')[1]).exists():  # wheels have not what is written for compiling
            yield from included(file)


def defined(code: str) -> set[str]:
    """The functions, each with a parenthesis, and all else that is defined for the whole module."""
    constants = re.findall(r"(?:    |, )([A-Z]\w+)", " ".join(CONSTANTS.findall(code)))
    return {f"{function}(" for function in FUNCTION.findall(code)} | {*TYPE.findall(code), *constants}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_no_file_uses_what_a_later_one_defines(module: Path) -> None:
    files = list(included(module))
    for number, (name, code) in enumerate(files):
        later = {word for _, other in files[number + 1 :] for word in defined(other)}
        assert later.isdisjoint(re.findall(r"(?<![.\w])\w+\b(?:\((?!self))?", code)), name
