"""Trees in Arrow tables and Parquet files, and steps in files that are mapped into memory."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deptrees import DependencyTree, Token, from_conllu, sample_treebank, to_conllu
from deptrees.engine import Batch, batches
from deptrees.integrations.pyarrow import (
    SCHEMA,
    STEPS_SCHEMA,
    from_row,
    from_table,
    read_parquet,
    read_steps,
    to_row,
    to_table,
    write_parquet,
    write_steps,
)
from tests.integrations.sentences import every_text, nasty


@every_text
def test_trees_go_through_parquet(read: Callable[[], list[DependencyTree]], tmp_path: Path) -> None:
    trees = read()
    paths = tmp_path / "one.parquet", tmp_path / "two.parquet"
    for path in paths:
        write_parquet(path, iter(trees))
    assert [*map(to_conllu, read_parquet(*paths))] == [*map(to_conllu, trees * 2)]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    table = pq.read_table(paths[0])
    assert table.schema.equals(SCHEMA)
    assert [*map(to_conllu, from_table(table))] == [*map(to_conllu, trees)]


def test_rows_are_those_of_the_community() -> None:
    """The values as its tools make them."""
    tree = from_conllu(
        "# newdoc id = d\n# sent_id = 1\n# text = Au loin\n1-2\tAu\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tà\tà\tADP\t_\t_\t3\tcase\t_\t_\n2\tle\tle\tDET\t_\tGender=Masc\t3\tdet\t_\t_\n"
        "3\tloin\tloin\tNOUN\tN\t_\t0\troot\t_\tSpaceAfter=No\n3.1\tx\t_\t_\t_\t_\t_\t_\t3:dep\t_\n"
    )
    assert to_row(tree) == {
        "sent_id": "1",
        "text": "Au loin",
        "comments": ["newdoc id = d", "__SENT_ID__", "__TEXT__"],
        "tokens": ["à", "le", "loin"],
        "lemmas": ["à", "le", "loin"],
        "upos": ["ADP", "DET", "NOUN"],
        "xpos": [None, None, "N"],
        "feats": [None, "Gender=Masc", None],
        "head": [3, 3, 0],
        "deprel": ["case", "det", "root"],
        "deps": [None, None, None],
        "misc": [None, None, "SpaceAfter=No"],
        "mwt": [{"id": "1-2", "form": "Au", "feats": None, "misc": None}],
        "empty_nodes": [
            {
                "id": "3.1",
                "form": "x",
                "deps": "3:dep",
                **dict.fromkeys(["lemma", "upos", "xpos", "feats", "head", "deprel", "misc"]),
            }
        ],
    }


def test_rows_of_others_are_read() -> None:
    row = {"sent_id": "1", "text": "Go", "comments": [], "tokens": ["Go"], "lemmas": ["_"], "head": [0]}
    assert from_row(row) == DependencyTree([(0, "Go")], ["# sent_id = 1", "# text = Go"])


COMMENTS = ["# sent_id = 1", "#sent_id = 1", "# __TEXT__", "__x", "# text =", "# # a", "#", "# ", "## sent_id = 1"]


def test_comments_come_back_as_they_are_written() -> None:
    for first in COMMENTS:
        for second in COMMENTS:
            comments = [line for line in (first, second) if line.startswith("#")]
            tree = DependencyTree([(0, "Go")], comments)
            assert from_row(to_row(tree)) == tree


def test_what_the_schema_cannot_hold_is_refused() -> None:
    two: list[tuple[int | None, str]] = [(0, "a"), (1, "b")]
    for extra in ([(0, Token("ab", lemma="x", id="1-2"))], [(1, Token("b", id="2-2")), (1, Token("x", id="1.1"))]):
        with pytest.raises(ValueError, match="the schema cannot hold sentence 'a b': it has a multiword token with"):
            to_row(DependencyTree(two, extra_tokens=extra))
    with pytest.raises((pa.ArrowInvalid, OverflowError)):
        to_table([DependencyTree([(0, "w"), *[(1, "w")] * 65_535, (65_536, "w")])])


def equal(one: Batch, other: Batch) -> bool:
    pairs = [(getattr(one, name), getattr(other, name)) for name in STEPS_SCHEMA.names]
    return all(a.dtype == b.dtype and a.shape == b.shape and (a == b).all() for a, b in pairs)


@pytest.mark.parametrize("system", ["arc_hybrid", "easy_first"])
def test_steps_are_mapped_into_memory(system: str, tmp_path: Path) -> None:
    made = [*batches(sample_treebank("dev"), system, size=50)]
    paths = tmp_path / "one.arrow", tmp_path / "two.arrow"
    for path in paths:
        write_steps(path, iter(made))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    before = pa.total_allocated_bytes()
    found = [*read_steps(paths[0])]
    assert pa.total_allocated_bytes() - before < 10_000 < paths[0].stat().st_size
    assert len(found) > 1
    assert all(map(equal, made, found))
    assert not any(array.flags.writeable for array in (found[0].features, found[0].gold))
    assert np.shares_memory(found[0].gold, found[0].gold.view(np.uint8))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    wrong = DependencyTree([(0, "a")], extra_tokens=[(0, Token("a", lemma="x", id="1-1"))])
    with pytest.raises(ValueError, match="the schema cannot hold"):
        write_parquet(tmp_path / "x.parquet", chain(nasty(), [wrong]))
    assert not [*tmp_path.iterdir()]
