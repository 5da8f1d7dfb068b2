"""Each promise names a test, which asserts something, and has words of the promise."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1]
PAGE = (FOLDER / "docs" / "promises.md").read_text("utf-8")
ROWS = re.findall(r"^\| ([A-Z].*) \| `(tests/[\w/]+\.py)::(\w+)` \|$", PAGE, re.MULTILINE)
ANOTHER = re.compile(r"The same is true|So (?:are|is) |Neither ")
"""How a promise begins that says the same as the one before it, of something else."""
COMMON = re.compile("also|been|before|cannot|every|from|have|only|other|same|that|the[a-z]+|this|true|with")


def test_every_row_of_the_page_is_a_promise_with_a_test() -> None:
    assert len(ROWS) == len(re.findall(r"^\| [A-Z].*$", PAGE, re.MULTILINE)) > 40


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[name for _, _, name in ROWS])
def test_the_test_of_a_promise_asserts_something_about_it(number: int) -> None:
    promise, path, name = ROWS[number]
    while ANOTHER.match(ROWS[number][0]):
        number -= 1
        promise = f"{promise} {ROWS[number][0]}"
    known = functions(FOLDER / path)
    assert name in known, f"{path} has no {name}"
    reached, waiting = dict[str, ast.FunctionDef](), {name}
    while waiting:
        each = waiting.pop()
        reached[each] = known[each]
        waiting |= {
            node.id for node in ast.walk(known[each]) if isinstance(node, ast.Name)
        } & known.keys() - reached.keys()
    assert any(map(asserts, reached.values())), f"{name} asserts nothing"
    source = " ".join(map(ast.unparse, reached.values())).lower()
    words = {word[:5] for word in re.findall(r"[a-z]{4,}", promise.lower()) if not COMMON.fullmatch(word)}
    assert sum(word in source for word in words) > 1, f"{name} has none of the words of its promise: {promise}"


@cache
def functions(path: Path) -> dict[str, ast.FunctionDef]:
    """The functions that a module of tests has or imports from another one, by their names."""
    module, found = ast.parse(path.read_text("utf-8")), dict[str, ast.FunctionDef]()
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tests."):
            others = functions(FOLDER / f"{node.module.replace('.', '/')}.py")
            found |= {alias.name: others[alias.name] for alias in node.names if alias.name in others}
    return found


def asserts(function: ast.FunctionDef) -> bool:
    """Whether a function has an assertion, or expects an error or a warning."""
    nodes = ast.walk(function)
    return any(isinstance(node, ast.Assert) or getattr(node, "attr", "") in ("raises", "warns") for node in nodes)
