"""Small changes to source code, one at a time: mutants, which tests should tell from what was written."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import attrs

__all__ = ["Mutant", "install", "mutants"]

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_OF_TYPES = {"annotation", "returns", "type_params"}


_Way = tuple[tuple[str, int | None], ...]
"""How to come to a node: the names of fields and places in lists."""


@attrs.frozen
class Mutant:
    """A module with one change.

    Args:
        path: its file.
        line: the number of the line that is changed.
        way: where in the module's code the changed part is.
        number: which of the changes to this part it is.
    """

    path: Path
    line: int
    way: _Way = attrs.field(repr=False)
    number: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.change}"

    @property
    def module(self) -> str:
        """The name that the module is imported by."""
        return ".".join(self.path.with_suffix("").parts)

    @property
    def name(self) -> str:
        """What no other mutant is called."""
        return f"{self.path} {self.way} {self.number}"

    @property
    def change(self) -> str:
        """What the changed part was, and what it is now."""
        old = _at(ast.parse(self.path.read_text(encoding="utf-8")), self.way)
        return " → ".join(" ".join(ast.unparse(part).split())[:120] for part in (old, self._changed(old)))

    def tree(self) -> ast.Module:
        """The module's code with the change."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        parent, (name, index) = _at(tree, self.way[:-1]), self.way[-1]
        if index is None:
            setattr(parent, name, self._changed(getattr(parent, name)))
        else:
            getattr(parent, name)[index] = self._changed(getattr(parent, name)[index])
        return ast.fix_missing_locations(tree)

    def _changed(self, node: ast.AST) -> ast.AST:
        return [*_changes(node)][self.number](node)


def mutants(path: Path) -> Iterator[Mutant]:
    r"""All mutants of a file; annotations, docstrings, messages of errors and ``__all__`` stay as they are.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "one.py"
    ...     _ = path.write_text("def least(a: int, b: int) -> int:\n    return a if a < b else b\n")
    ...     [mutant.change for mutant in mutants(path)]
    ['a if a < b else b → b if a < b else a', 'a < b → a <= b']
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for way in _ways(tree):
        node = _at(tree, way)
        for number, _ in enumerate(_changes(node)):
            yield Mutant(path, node.lineno, way, number)


def _ways(node: ast.AST, way: _Way = ()) -> Iterator[_Way]:
    """The ways to all nodes that can be changed."""
    if way and isinstance(node, ast.expr | ast.stmt):
        yield way
    for name, value in ast.iter_fields(node):
        if name in _OF_TYPES or isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not _stays(child):
                yield from _ways(child, (*way, (name, index)))


def _stays(node: ast.AST) -> bool:
    """Whether a part says nothing that a program does: docstrings, what only type checkers read, lists of names."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _at(tree: Any, way: _Way) -> Any:
    for name, index in way:
        value = getattr(tree, name)
        tree = value if index is None else value[index]
    return tree


def _changes(node: ast.AST) -> Iterator[Callable[[Any], ast.AST]]:
    """What can be changed in a node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        yield lambda new: ast.Compare(new.left, [_COMPARISONS[type(new.ops[0])](), *new.ops[1:]], new.comparators)
    elif isinstance(node, ast.BoolOp):
        yield lambda new: ast.BoolOp(ast.Or() if isinstance(new.op, ast.And) else ast.And(), new.values)
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        yield lambda new: ast.BinOp(new.left, _OPERATORS[type(new.op)](), new.right)
    elif isinstance(node, ast.UnaryOp):
        yield lambda new: new.operand
    elif isinstance(node, ast.IfExp):
        yield lambda new: ast.IfExp(new.test, new.orelse, new.body)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda new: ast.Constant(not new.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield lambda new: ast.Constant(new.value + 1)
    elif isinstance(node, ast.Name) and node.id in _NAMES and isinstance(node.ctx, ast.Load):
        yield lambda new: ast.Name(_NAMES[new.id], ast.Load())
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        for index in range(len(node.elts)):
            if isinstance(node.elts[index], ast.Call):  # conditions, effects and losses of tables
                yield _without(index)
    elif isinstance(node, ast.Expr | ast.AugAssign):
        yield lambda new: ast.Pass()
    elif isinstance(node, ast.Break | ast.Continue):
        yield lambda new: ast.Continue() if isinstance(new, ast.Break) else ast.Break()


def _without(index: int) -> Callable[[Any], ast.AST]:
    """The change that takes an element out of a tuple."""

    def change(node: Any) -> ast.AST:
        return ast.Tuple([*node.elts[:index], *node.elts[index + 1 :]], node.ctx)

    return change


class _Loader(SourceFileLoader):
    """Loads a mutant."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path.resolve()))
        self._tree = mutant.tree()

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._tree, self.path, "exec")


class _Finder:
    """Finds a mutant where its module is looked for."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._mutant.module:
            return None
        return spec_from_file_location(name, self._mutant.path.resolve(), loader=_Loader(self._mutant))


def install(mutant: Mutant) -> None:
    """Import the mutant in the place of its module, which must not have been imported yet."""
    assert mutant.module not in sys.modules
    sys.meta_path.insert(0, _Finder(mutant))
    import_module(mutant.module)  # before pytest, which has a finder of its own for files that it is to look at
