"""Values that nobody expects, and what else may stand in the place of a value."""

from __future__ import annotations

import copy
import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from deptrees import DependencyTree, Treebank, sample_treebank
from deptrees.messages import quoted
from deptrees.transition import ArcEager, ArcStandardSwap, LeftArc, ListBasedGraph
from deptrees.trees import Token

__all__ = ["Interrupted", "fresh", "odd"]


class Interrupted(Exception):
    """What an odd argument raises itself, and whoever goes through it passes on."""


class _Text(str):
    """A text of a class of its own."""


def _raising(*_: Any, **__: Any) -> Any:
    raise Interrupted


def _broken() -> Iterator[Any]:
    yield from sample_treebank("dev")
    raise Interrupted


def _deep(depth: int) -> list[Any]:
    return [_deep(depth - 1)] if depth else []


def _closed() -> io.StringIO:
    file = io.StringIO("1\ta")
    file.close()
    return file


_TREE = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root"), (2, "again", "advmod")])
_VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 7, 2**31, 2**63, -(10**30), 2.5, 1e308, float("nan"), -float("inf")),
    *(
        "",
        " ",
        "x",
        "_",
        "\ud800",
        "\0\n",
        "arc-hybrid",
        b"",
        b"\xff",
        (),
        [],
        {},
        {None: None},
        [None],
        ["x"],
        ((),),
        range(3),
    ),
    *(int, DependencyTree, LeftArc, np.int64(1), np.float32("nan"), np.bool_(True), np.str_("x"), np.array(None)),
    *(
        np.array([]),
        np.array([1, 2]),
        np.array(["x", "y"]),
        np.zeros((2, 2)),
        Path(),
        Path("nowhere/x"),
        Token("x"),
        ListBasedGraph(),
    ),
)
_ODD: dict[str, Callable[[], Any]] = {
    **{repr(value): partial(copy.copy, value) for value in _VALUES},
    "'x' * 100_000": lambda: "x" * 100_000,
    "a text of a class of its own": lambda: _Text("nsubj"),
    "object()": object,
    "a function that answers None": lambda: lambda *_, **__: None,
    "a function that answers a class": lambda: lambda *_, **__: LeftArc,
    "a function that raises": lambda: _raising,
    "an exhausted generator": lambda: iter(()),
    "a generator that raises": _broken,
    "a set": lambda: {"x", 1},
    "a list 500 deep": lambda: _deep(500),
    "a closed file": _closed,
    "a tree": lambda: _TREE,
    "a tree without words": lambda: DependencyTree([]),
    "a tree of one word": lambda: DependencyTree([(0, "Sing")]),
    "a tree without heads": lambda: DependencyTree([(None, "Birds"), (None, "sing")]),
    "a partial tree": lambda: DependencyTree([(2, "a"), (None, "b"), (None, "c"), (1, "d")]),
    "a tree that crosses": lambda: DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")]),
    "a tree of 2,000 words": lambda: DependencyTree([(max(0, at - 1), "x") for at in range(1, 2001)]),
    "a graph": lambda: _TREE.graph,
    "a configuration of another system": lambda: ArcStandardSwap().initial(_TREE),
    "a configuration of another sentence": lambda: ArcEager().initial(["x"]),
    "a configuration of a graph": lambda: ListBasedGraph().initial(_TREE),
    "a treebank": lambda: Treebank.from_bytes(b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"),
    "a treebank with an error": lambda: Treebank.from_bytes(b"1\ta\n\n"),
}
"""Values that nobody expects, by what they are called where one is found to be wrong."""
_EDITS: Mapping[str, Callable[[Any], Any]] = {
    "[:0]": lambda array: array[:0],
    "[None]": lambda array: array[None],
    "of objects": lambda array: array.astype(object),
    "negative": lambda array: -array - 1,
    "nan": lambda array: array.astype(float) * np.nan,
    "twice": lambda array: np.concatenate([array] * 2),
}
"""What makes an array odd."""


def odd(value: Any, values: Sequence[Any], chance: random.Random) -> tuple[str, Any]:
    """What is given in the place of a value, and what that is called: any odd value, or the same with an odd part."""
    if type(value) in (list, tuple, dict) and value and chance.random() < 0.5:
        parts = value if isinstance(value, dict) else dict(enumerate(value))
        key = chance.choice([*parts])
        text, part = odd(parts[key], values, chance)
        parts = {**parts, key: part}
        return f"{text} at {quoted(key)}", parts if isinstance(value, dict) else type(value)(parts.values())
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and chance.random() < 0.5:
        text = chance.choice([*_EDITS])
        return f"an array {text}", _EDITS[text](value)
    if values and chance.random() < 0.3:
        other = chance.choice(values)
        return quoted(other)[:80], fresh(other)
    text = chance.choice([*_ODD])
    return text, _ODD[text]()


def fresh(value: Any) -> Any:
    """A value for one call: a copy, if the call may change it."""
    if type(value) in (list, dict, set):
        return copy.copy(value)
    return copy.deepcopy(value) if isinstance(value, np.ndarray | random.Random | np.random.Generator) else value
