"""Arrow and Parquet: treebanks in the schema in which the UD community publishes them, and steps of oracles."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
from more_itertools import chunked

from deptrees.extras import require

require("pyarrow", "deptrees.integrations.pyarrow needs Arrow", "pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq

from deptrees.engine.batch import Batch, batches
from deptrees.files.output import open_output
from deptrees.messages import quoted
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.conllu import ConlluError
from deptrees.treebanks.treebank import Treebank
from deptrees.trees.extra_tokens import words_before
from deptrees.trees.token import COLUMNS, Token
from deptrees.trees.tree import DependencyTree, comment_value

Row = Mapping[str, Any]
"""A row of the schema: its values by the names of its columns."""

__all__ = [
    "SCHEMA",
    "STEPS_SCHEMA",
    "ParquetError",
    "from_row",
    "from_table",
    "read_parquet",
    "read_steps",
    "steps_of_rows",
    "text_of",
    "to_row",
    "to_table",
    "write_parquet",
    "write_steps",
]

_COLUMNS = {{"form": "tokens", "lemma": "lemmas"}.get(name, name): it for name, it in COLUMNS.items() if name != "id"}
"""The columns of words, and the attributes of a token that they hold."""
_OF_MULTIWORD_TOKENS = {name: name for name in ("id", "form", "feats", "misc")}


class ParquetError(ValueError):
    """A file is not one of a treebank in Parquet."""


def _type(name: str) -> pa.DataType:
    return pa.uint16() if name == "head" else pa.string()


SCHEMA = pa.schema(
    {
        "sent_id": pa.string(),
        "text": pa.string(),
        "comments": pa.list_(pa.string()),
        **{name: pa.list_(_type(name)) for name in _COLUMNS},
        "mwt": pa.list_(pa.struct({name: _type(name) for name in _OF_MULTIWORD_TOKENS})),
        "empty_nodes": pa.list_(pa.struct({name: _type(name) for name in COLUMNS})),
    }
)
"""The schema of ``universal_dependencies`` on the Hugging Face hub: a row for each sentence.

``comments`` are without ``# `` at their beginning, and ``__SENT_ID__`` and ``__TEXT__`` say where those two stand. A
comment that does not begin so, or would be taken for one of these, is there as a whole.
"""

_MARKERS = {"sent_id": "__SENT_ID__", "text": "__TEXT__"}
_ROWS = 1 << 10
"""How many sentences are made, written and read at a time."""


def to_row(tree: DependencyTree) -> dict[str, Any]:
    """A tree as a row of the schema.

    Raises:
        ValueError: the schema cannot hold a multiword token with more than FORM, FEATS and MISC, or before an empty
            node at the same place.

    >>> row = to_row(DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")], ["# sent_id = a-1"]))
    >>> row["sent_id"], row["comments"], row["tokens"], row["head"]
    ('a-1', ['__SENT_ID__'], ['Birds', 'sing'], [2, 0])
    """
    extra = [token for _, token in tree.extra_tokens]
    several = [token for token in extra if "-" in str(token.id)]
    row = {
        "sent_id": tree.sent_id,
        "text": tree.text,
        "comments": [*_shortened(tree)],
        **{name: [getattr(token, attribute) for token in tree] for name, attribute in _COLUMNS.items()},
        "mwt": [_values(token, _OF_MULTIWORD_TOKENS) for token in several],
        "empty_nodes": [_values(token, COLUMNS) for token in extra if token not in several],
    }
    if _extra_tokens(row) != tree.extra_tokens:
        reason = "with more than FORM, FEATS and MISC, or before an empty node at the same place"
        raise ValueError(f"the schema cannot hold {tree.name}: it has a multiword token {reason}")
    return row


def _shortened(tree: DependencyTree) -> Iterator[str]:
    markers = {f"# {key} = {comment_value(tree.comments, key)}": marker for key, marker in _MARKERS.items()}
    for line in tree.comments:
        short = line.removeprefix("# ")
        kept = line if short.startswith("#") or short in _MARKERS.values() else short
        yield markers.pop(line, kept)


def _values(token: Token, columns: Mapping[str, str]) -> dict[str, object]:
    return {name: getattr(token, attribute) for name, attribute in columns.items()}


def from_row(row: Row) -> DependencyTree:
    """The tree of a row of the schema; columns of words that are not there, or null, are empty.

    Raises:
        ValueError: the row has no tokens, a column has more or fewer values than these, or values of another type, as
            in the older schema of ``universal_dependencies``, where UPOS is a number and HEAD a text.

    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")], ["# text = Birds sing", "# checked"])
    >>> from_row(to_row(tree)) == tree
    True
    """
    columns = [_values_of_words(row, name) for name in _COLUMNS]
    words = [Token(**dict(zip(_COLUMNS.values(), values, strict=True))) for values in zip(*columns, strict=True)]
    return DependencyTree(words, _comments(row), _extra_tokens(row))


def _values_of_words(row: Row, name: str) -> Sequence[Any]:
    """A column of words, checked; a ValueError names it and the sentence."""
    tokens, values = row.get("tokens"), row.get(name)
    sentence = f"the row {quoted(row.get('sent_id') or row.get('text') or tokens)}"
    if tokens is None:
        raise ValueError(f"{sentence} has no tokens: give rows of the schema deptrees.integrations.pyarrow.SCHEMA")
    if values is None or not len(values):
        return [None] * len(tokens)
    if len(values) != len(tokens):
        raise ValueError(f"{sentence} has {len(tokens)} tokens, and {len(values)} values in the column {name}")
    kind = Integral if name == "head" else str
    for value in values:
        if not isinstance(value, kind) and (value is not None or name == "tokens"):
            what = "whole numbers" if name == "head" else "texts"
            raise ValueError(f"{sentence} has {quoted(value)} in the column {name}, which the schema has {what} in")
    return values


def _comments(row: Row) -> Sequence[str]:
    comments = row.get("comments") or []
    values = {marker: f"# {key} = {row.get(key)}" for key, marker in _MARKERS.items()}
    lines = [values.get(short) or (short if short.startswith("#") else f"# {short}") for short in comments]
    told = [key for key in _MARKERS if comment_value(lines, key) is None and row.get(key) is not None]
    return [*(f"# {key} = {row[key]}" for key in told), *lines]


def _extra_tokens(row: Row) -> tuple[tuple[int, Token], ...]:
    found = []
    for name, columns in (("empty_nodes", COLUMNS), ("mwt", _OF_MULTIWORD_TOKENS)):
        for values in row.get(name) or []:
            token = Token(**{attribute: values.get(name) for name, attribute in columns.items()})
            found.append((words_before(str(token.id)), token))
    return tuple(sorted(found, key=lambda pair: pair[0]))


def to_table(trees: Iterable[DependencyTree]) -> pa.Table:
    """Trees as a table in memory.

    >>> to_table([DependencyTree([(0, "Sing", "root")])]).column("head").to_pylist()
    [[0]]
    """
    return pa.Table.from_batches(_record_batches(trees), SCHEMA)


def _record_batches(trees: Iterable[DependencyTree]) -> Iterator[pa.RecordBatch]:
    for some in chunked(trees, _ROWS):
        yield pa.RecordBatch.from_pylist([*map(to_row, some)], SCHEMA)


def from_table(table: pa.Table) -> Iterator[DependencyTree]:
    """The trees of a table, one by one.

    >>> trees = [DependencyTree([(0, "Sing", "root")])]
    >>> list(from_table(to_table(trees))) == trees
    True
    """
    for batch in table.to_batches(_ROWS):
        yield from map(from_row, batch.to_pylist())


def write_parquet(path: str | os.PathLike[str], trees: Iterable[DependencyTree]) -> None:
    """Write trees to a Parquet file, as a stream, completely or not at all; the same trees give the same bytes.

    Raises:
        ValueError: the schema cannot hold one of the trees; see ``to_row``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_parquet(f"{folder}/one.parquet", [DependencyTree([(0, "Sing", "root")])])
    ...     list(read_parquet(f"{folder}/one.parquet"))
    [DependencyTree([(0, 'Sing', 'root')])]
    """
    with open_output(path) as file, pq.ParquetWriter(file, SCHEMA, compression="zstd") as writer:
        for batch in _record_batches(trees):
            writer.write_batch(batch)


def read_parquet(*paths: str | os.PathLike[str]) -> Iterator[DependencyTree]:
    """The trees of Parquet files, those of the UD community, too, read as a stream.

    Raises:
        FileNotFoundError: there is no such file.
        ParquetError: a file has another format, is damaged, or lacks columns.
    """
    for path in paths:
        try:
            with pq.ParquetFile(path) as file:
                if missing := [name for name in SCHEMA.names if name not in file.schema_arrow.names]:
                    raise ParquetError(f"{path} is no treebank: it lacks the columns {', '.join(missing)}")
                for batch in file.iter_batches(_ROWS):
                    yield from map(from_row, batch.to_pylist())
        except pa.ArrowInvalid as error:
            raise ParquetError(f"{path} is no Parquet file, or damaged: {error}") from None


STEPS_SCHEMA = pa.schema(
    {
        "features": pa.list_(pa.int64()),
        **dict.fromkeys(("gold", "possible"), pa.list_(pa.uint8())),
        **dict.fromkeys(("taken", "labels", "sentence", "step"), pa.int32()),
    }
)
"""The schema of steps: a row for each, with the arrays of a `deptrees.engine.Batch` as columns.

``gold`` and ``possible`` are 0 or 1 for each transition, in bytes, which arrays look at without a copy.
"""


def write_steps(path: str | os.PathLike[str], batches: Iterable[Batch]) -> None:
    """Write steps to an Arrow file, as a stream, completely or not at all; the same steps give the same bytes.

    Each batch, such as `deptrees.engine.batches` gives, is a record batch of the file.

    >>> from tempfile import TemporaryDirectory
    >>> from deptrees.engine import batches
    >>> with TemporaryDirectory() as folder:
    ...     write_steps(f"{folder}/steps.arrow", batches([DependencyTree([(0, "Sing", "root")])], oracle="static"))
    ...     [batch.taken.tolist() for batch in read_steps(f"{folder}/steps.arrow")]
    [[3, 0]]
    """
    with open_output(path) as file, pa.ipc.new_file(file, STEPS_SCHEMA) as writer:
        for batch in batches:
            writer.write_batch(_steps(batch))


def steps_of_rows(rows: pa.Table, column: str = "conllu", **how: Any) -> pa.Table:
    r"""The steps of an oracle for the texts in a column of a table, a row for each step.

    The other columns are repeated for the steps of their row. Those of the steps are as in ``STEPS_SCHEMA``, but for
    ``label`` in the place of ``labels``: the gold label itself, null for none, so that rows can be put together that
    were made apart. Sentences are numbered within their text.

    Args:
        rows: the table, with one text in CoNLL-U a row, such as a document.
        column: the name of the column with the texts.
        how: what `deptrees.engine.batches` takes besides the treebank, such as ``system`` and ``oracle``.

    Raises:
        ConlluError: a sentence is not valid; the error names the row by its other columns.
        TypeError: a row has no text, in the same way.

    >>> texts = ["1\tSing\t_\t_\t_\t_\t0\troot\t_\t_\n\n"] * 2
    >>> steps = steps_of_rows(pa.table({"document": ["a", "b"], "conllu": texts}), system="ArcHybrid", oracle="static")
    >>> steps.select(["document", "taken", "label"]).to_pydict()
    {'document': ['a', 'a', 'b', 'b'], 'taken': [2, 1, 2, 1], 'label': [None, 'root', None, 'root']}
    """
    others = rows.drop_columns([column])
    place, label = STEPS_SCHEMA.get_field_index("labels"), pa.field("label", pa.string())
    schema = pa.schema([*STEPS_SCHEMA.set(place, label), *others.schema])
    found = [schema.empty_table()]
    for number, row in enumerate(rows.to_pylist()):
        with text_of(row, column) as text:
            columns = Columns.encode(Treebank.from_bytes(text))
        names = pa.array([*columns.vocabularies["deprel"], None], pa.string())
        for batch in batches(columns, **how):
            steps = [*_steps(batch).columns, *others.take(np.full(len(batch.labels), number)).columns]
            steps[place] = names.take(pa.array(batch.labels % len(names)))  # -1 is the last
            found.append(pa.Table.from_arrays(steps, schema=schema))
    return pa.concat_tables(found)


@contextmanager
def text_of(row: Row, column: str) -> Iterator[bytes]:
    """The text in a column of a row; errors in it name the row by its other columns.

    >>> with text_of({"document": 7, "conllu": None}, "conllu") as text:
    ...     pass
    Traceback (most recent call last):
    TypeError: the row {'document': 7} has None in the column conllu: give a text
    """
    name = f"the row {quoted({key: value for key, value in row.items() if key != column})}"
    if not isinstance(row[column], str):
        raise TypeError(f"{name} has {quoted(row[column])} in the column {column}: give a text")
    try:
        yield row[column].encode()
    except ConlluError as error:
        raise ConlluError(name, error.line, error.sent_id, error.reason) from None


def _steps(batch: Batch) -> pa.RecordBatch:
    columns = [_column(getattr(batch, name)) for name in STEPS_SCHEMA.names]
    return pa.RecordBatch.from_arrays(columns, schema=STEPS_SCHEMA)


def _column(values: npt.NDArray[np.generic]) -> pa.Array:
    """An array as a column without a copy: of two dimensions a list in each row."""
    if values.ndim == 1:
        return pa.array(values)
    flat = np.ascontiguousarray(values).reshape(-1)
    offsets = np.arange(len(values) + 1, dtype=np.int32) * values.shape[1]
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat.view(np.uint8) if flat.dtype == bool else flat))


def read_steps(path: str | os.PathLike[str]) -> Iterator[Batch]:
    """The steps of an Arrow file: arrays that look into the file, which is mapped into memory, without a copy."""
    with pa.memory_map(os.fspath(path)) as file:
        reader = pa.ipc.open_file(file)
        for number in range(reader.num_record_batches):
            batch = reader.get_batch(number)
            yield Batch(*(_array(batch.column(name), name) for name in STEPS_SCHEMA.names))


def _array(column: pa.Array, name: str) -> npt.NDArray[Any]:
    if not pa.types.is_list(column.type):
        return column.to_numpy()
    values = column.flatten().to_numpy().reshape(len(column), -1)
    return values.view(np.bool_) if name in ("gold", "possible") else values
