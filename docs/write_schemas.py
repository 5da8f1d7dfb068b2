"""Write docs/schemas: a JSON Schema of all that the library writes as JSON, from its types and its tables.

python docs/write_schemas.py
"""

import inspect
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints, is_typeddict

from deptrees import Predictions, analyze, compare, evaluate, sample_treebank, statistics
from deptrees.cli.oracle import Obstacle
from deptrees.cli.query import MatchCounts, MatchRecord
from deptrees.cli.train import EpochRecord, PartRecord
from deptrees.cli.validate import FaultRecord
from deptrees.drawing.displacy import Picture
from deptrees.engine.incremental import IncrementRecord
from deptrees.evaluation import (
    Column,
    Table,
    confidence_intervals,
    confusions,
    diagnose,
    evaluate_enhanced,
    evaluate_ud,
    most_different,
    paired_test,
    precision_and_recall,
)
from deptrees.suspects import suspects
from deptrees.transition.notation import DerivationRecord
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import TreeRecord

FOLDER = Path(__file__).parent / "schemas"

Schema = dict[str, Any]

GOLD = [tree.with_graph(DependencyGraph(tree, tree.arcs)) for tree in sample_treebank("dev")]
PARSED = [tree.reattach([0, *range(1, len(tree))]) for tree in GOLD]
"""Gold trees, and others of the same words, which are analysed for the names and kinds of columns."""


class Output(NamedTuple):
    """What commands print for programs.

    Args:
        kind: the type of what is printed, or a function that returns the table or, in a list, the rows of the table.
        commands: the commands, with files ``gold.conllu`` and ``parsed.conllu``, and a model ``model``.
        a_line: whether each line is one of this kind.
        by: whether rows are in as many objects within each other as ``--by`` names attributes.
    """

    kind: Any
    commands: tuple[str, ...]
    a_line: bool = False
    by: bool = False


def predictions() -> Predictions:
    """The words of both, compared."""
    return Predictions.of(GOLD, PARSED)


OUTPUTS: Mapping[str, Output] = {
    "tree": Output(TreeRecord, ("convert gold.conllu --format json",), a_line=True),
    "derivation": Output(
        DerivationRecord | Obstacle,
        ("oracle gold.conllu --format json", "oracle gold.conllu --format json --system arc-standard-swap --costs"),
        a_line=True,
    ),
    "picture": Output(Picture, ("draw gold.conllu --format displacy",), a_line=True),
    "fault": Output(FaultRecord, ("validate wrong.conllu --json",), a_line=True),
    "epoch": Output(
        EpochRecord | PartRecord,
        ("train gold.conllu --epochs 2 --dev gold.conllu --folds 2 -o new --json", "train gold.conllu -o new --json"),
        a_line=True,
    ),
    "word": Output(IncrementRecord, ("parse model gold.conllu --incremental",), a_line=True),
    "matches": Output(list[MatchRecord], ("query 'pattern { V -[nsubj]-> S }' gold.conllu --json",)),
    "match-counts": Output(MatchCounts, ("query 'pattern { V -[nsubj]-> S }' gold.conllu --count --json",)),
    "suspects": Output(lambda: [suspects(GOLD)], ("suspect gold.conllu --json",)),
    "diagnosis": Output(lambda: diagnose(GOLD), ("diagnose gold.conllu gold.conllu --json",)),
    "overview": Output(lambda: statistics(GOLD), ("stats gold.conllu --json",)),
    "counts": Output(lambda: statistics(GOLD, "tag"), ("stats gold.conllu --by tag,direction --json",), by=True),
    "scores": Output(lambda: evaluate(GOLD, PARSED).table(), ("evaluate gold.conllu parsed.conllu --json",)),
    "intervals": Output(
        lambda: confidence_intervals(predictions()), ("evaluate gold.conllu parsed.conllu --intervals --json",)
    ),
    "ud-scores": Output(lambda: evaluate_ud(GOLD, PARSED), ("evaluate gold.conllu parsed.conllu --ud --json",)),
    "enhanced-scores": Output(
        lambda: evaluate_enhanced(GOLD, GOLD), ("evaluate gold.conllu parsed.conllu --enhanced --json",)
    ),
    "analysis": Output(
        lambda: analyze(predictions(), "label"),
        ("analyze gold.conllu parsed.conllu --json", "analyze gold.conllu parsed.conllu --by tag,direction --json"),
        by=True,
    ),
    "precision": Output(
        lambda: precision_and_recall(predictions(), "label"),
        ("analyze gold.conllu parsed.conllu --show precision --json",),
        by=True,
    ),
    "confusions": Output(
        lambda: confusions(predictions(), "label"), ("analyze gold.conllu parsed.conllu --show confusions --json",)
    ),
    "comparison": Output(
        lambda: compare(predictions(), predictions(), "tag"),
        (
            "compare gold.conllu parsed.conllu gold.conllu --json",
            "compare gold.conllu parsed.conllu gold.conllu --by tag,direction --json",
        ),
        by=True,
    ),
    "most-different": Output(
        lambda: most_different(predictions(), predictions()),
        ("compare gold.conllu parsed.conllu gold.conllu --show sentences --json",),
    ),
    "paired-test": Output(
        lambda: paired_test(predictions(), predictions()),
        ("compare gold.conllu parsed.conllu gold.conllu --show test --json",),
    ),
}
"""What is printed, by the names of the schemas."""

PLAIN: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}

CELLS: Mapping[str, Schema] = {
    "key": {"type": ["string", "integer"]},
    "count": {"type": ["integer", "null"]},
    "share": {"type": ["number", "null"], "description": "a share, as a number up to 1"},
    "number": {"type": ["number", "null"]},
    "text": {"type": "string"},
}
"""What is in a column of each kind; ``null`` where there is no value."""


def texts() -> dict[Path, str]:
    """The path and the text of each schema."""
    return {FOLDER / f"{name}.json": f"{json.dumps(schema(name), indent=1, ensure_ascii=False)}\n" for name in OUTPUTS}


def schema(name: str) -> Schema:
    """The schema of what has this name."""
    output = OUTPUTS[name]
    told = " and ".join(f"`deptrees {command}`" for command in output.commands)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": f"{'A line' if output.a_line else 'All'} of what such commands print: {told}.",
        **(of_tables(output.kind(), output.by) if inspect.isfunction(output.kind) else of_type(output.kind)),
    }


def of_type(kind: Any) -> Schema:
    """The schema of a type of Python, as `json` writes it."""
    parts = get_args(kind)
    if is_typeddict(kind):
        return of_record(kind)
    if get_origin(kind) is Literal:
        return {"enum": [*parts]}
    if get_origin(kind) in (Union, UnionType):
        return {"type": [*map(PLAIN.__getitem__, parts)]} if {*parts} <= {*PLAIN} else {"anyOf": [*map(of_type, parts)]}
    if get_origin(kind) is tuple:
        return {"type": "array", "prefixItems": [*map(of_type, parts)], "items": False, "minItems": len(parts)}
    if get_origin(kind) in (list, Sequence):
        return {"type": "array", "items": of_type(*parts)}
    if get_origin(kind) is Mapping:
        return {"type": "object", "additionalProperties": of_type(parts[1])}
    return {} if kind is object else {"type": PLAIN[kind]}


def of_record(kind: Any) -> Schema:
    """The schema of a typed dictionary, with what its docstring says of it."""
    told = inspect.getdoc(kind) or ""
    meanings = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", told.partition("Args:\n")[2], re.MULTILINE)
    properties = {name: of_type(hint) for name, hint in get_type_hints(kind).items()}
    for name, meaning in meanings:
        properties[name]["description"] = " ".join(meaning.split())
    required = [name for name in properties if name in kind.__required_keys__]
    return {"title": told.partition("\n")[0], "type": "object", "properties": properties, "required": required}


def of_tables(found: Table | list[Table], by: bool) -> Schema:
    """The schema of a table, whose rows are in objects by their keys, or of a list of the rows of one."""
    if isinstance(found, list):
        return {"type": "array", "items": of_row(found[0].columns)}
    row = of_row([column for column in found.columns if column.kind != "key"])
    if found.sentences:
        row["properties"]["sentences"] = of_type(Sequence[int])
        row["required"].append("sentences")
    if by:
        within = {"type": "object", "additionalProperties": {"$ref": "#/$defs/rows"}}
        return {"$ref": "#/$defs/rows", "$defs": {"row": row, "rows": {"anyOf": [{"$ref": "#/$defs/row"}, within]}}}
    for _ in found.keys:
        row = {"type": "object", "additionalProperties": row}
    return row


def of_row(columns: Iterable[Column]) -> Schema:
    """The schema of a row of columns."""
    properties = {column.name: CELLS[column.kind] for column in columns}
    return {"type": "object", "properties": properties, "required": [*properties]}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")
