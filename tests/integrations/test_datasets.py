"""Against Hugging Face's datasets: treebanks as datasets, and what its own reader of CoNLL-U makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, Features, List, Value, load_dataset

from deptrees import DependencyTree, Token, sample_treebank, to_conllu, write_treebank
from deptrees.integrations.datasets import FEATURES, from_dataset, to_dataset, to_iterable_dataset
from deptrees.integrations.pyarrow import write_parquet
from tests.integrations.sentences import every_text, nasty


@every_text
def test_trees_go_through_datasets(read: Callable[[], list[DependencyTree]]) -> None:
    trees = read()
    dataset = to_dataset(trees)
    assert dataset.features == FEATURES
    assert [*map(to_conllu, from_dataset(dataset))] == [*map(to_conllu, trees)]


def test_the_features_are_those_of_the_community() -> None:
    text, number = Value("string"), Value("uint16")
    columns = ["tokens", "lemmas", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
    of_empty_nodes = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
    assert (
        Features(
            {
                "sent_id": text,
                "text": text,
                "comments": List(text),
                **{name: List(number if name == "head" else text) for name in columns},
                "mwt": List(dict.fromkeys(("id", "form", "feats", "misc"), text)),
                "empty_nodes": List({name: number if name == "head" else text for name in of_empty_nodes}),
            }
        )
        == FEATURES
    )


def test_files_of_ours_and_of_datasets_are_read_by_both(tmp_path: Path) -> None:
    trees = nasty()
    write_parquet(tmp_path / "ours.parquet", trees)
    to_dataset(trees).to_parquet(tmp_path / "theirs.parquet")
    for name in ("ours", "theirs"):
        path = str(tmp_path / f"{name}.parquet")
        assert [*from_dataset(Dataset.from_parquet(path, cache_dir=str(tmp_path / "cache")))] == trees
        assert [*from_dataset(load_dataset("parquet", data_files=path, split="train", streaming=True))] == trees


def test_a_stream_is_read_anew_for_each_epoch() -> None:
    stream = to_iterable_dataset(sample_treebank("dev"))
    for _ in range(2):
        assert [*from_dataset(stream)] == [*sample_treebank("dev")]


def test_the_reader_of_datasets_gets_conllu_wrong(tmp_path: Path) -> None:
    """If this fails, that reader has been mended: then the page has to tell so."""
    tree = DependencyTree([Token("ab c", 0, "root", upos="X")], ["# text = ab c"])
    write_treebank(tmp_path / "one.conllu", [tree])

    def read(**options: Any) -> Any:
        return load_dataset("conll", data_files=str(tmp_path / "one.conllu"), split="train", streaming=True, **options)

    by_default = next(iter(read()))
    assert by_default["tokens"] == ["#", "1"]
    names = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
    named = next(iter(read(column_names=names, comment_prefix="#")))
    assert (named["form"], named["lemma"], named["head"]) == (["ab"], ["c"], ["_"])
    [row] = to_dataset([tree])
    assert (row["tokens"], row["lemmas"], row["head"]) == (["ab c"], [None], [0])


@pytest.mark.parametrize("form", ["numpy", "torch", "pandas", "arrow"])
def test_the_format_of_a_dataset_does_not_matter(form: str) -> None:
    dataset = to_dataset(nasty())
    assert [*from_dataset(dataset.with_format(form))] == nasty()
    assert [*from_dataset(dataset.to_iterable_dataset().with_format(form))] == nasty()


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"tokens": ["Go", "on"], "upos": ["VERB"]}, r"has 2 tokens, and 1 values in the column upos"),
        ({"tokens": ["Go"], "head": [0, 1]}, r"has 1 tokens, and 2 values in the column head"),
        ({"sent_id": "a-1", "head": [0]}, r"the row 'a-1' has no tokens"),
        ({"tokens": ["Go"], "upos": [16]}, r"\['Go'\] has 16 in the column upos, which the schema has texts in"),
        ({"tokens": ["Go"], "head": ["0"]}, r"has '0' in the column head, which the schema has whole numbers in"),
        ({"tokens": ["Go", None]}, r"has None in the column tokens"),
    ],
)
def test_rows_that_are_not_of_the_schema_are_errors_that_name_the_column(row: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        [*from_dataset([row])]


def test_columns_that_are_not_there_are_empty() -> None:
    trees = [*sample_treebank("dev")]
    partial = to_dataset(trees).select_columns(["tokens", "head"])
    assert [*from_dataset(partial)] == [
        DependencyTree([Token(token.form, token.head) for token in tree]) for tree in trees
    ]
