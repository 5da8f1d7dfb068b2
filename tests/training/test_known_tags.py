"""Warnings of tags and labels that training never saw, or had in another form."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from deptrees import Parser, Treebank, TreebankWarning, load_parser, sample_treebank, to_conllu
from deptrees.file_parsing import FileParsing
from deptrees.training.known_tags import KnownTags, warn_of_labels
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns

TEXT = "".join(map(to_conllu, sample_treebank("dev")))


def with_column(number: int, change: Callable[[str], str]) -> str:
    """The sample treebank with other values in a column."""
    column = re.compile(rf"^(\d+\t(?:[^\t]*\t){{{number - 2}}})([^\t]*)", re.MULTILINE)
    return column.sub(lambda found: found[1] + change(found[2]), TEXT)


CHANGED = {
    "no UPOS": (with_column(4, lambda _: "_"), "UPOS, and 100% of 150 words have none: tag them"),
    "no FEATS": (with_column(6, lambda _: "_"), "FEATS, and 100% of 150 words have none: tag them"),
    "other UPOS": (with_column(4, lambda _: "NN"), "UPOS, and 100% of 150 words have one that training never .* 'NN'"),
    "another order": (
        with_column(6, lambda feats: "|".join(reversed(feats.split("|")))),
        "FEATS, and 37% of 150 words have it in another order than in training: sort it",
    ),
    "half without UPOS": (TEXT + with_column(4, lambda _: "_"), "UPOS, and 50% of 300 words have none"),
    "a thousand words": (with_column(4, lambda _: "_") * 40, "UPOS, and 100% of [1-5],[0-9]{3} words have none"),
}


@pytest.mark.parametrize(("text", "warning"), CHANGED.values(), ids=CHANGED)
def test_tags_that_are_not_those_of_training_are_warned_of_once(text: str, warning: str, parser: Parser) -> None:
    with pytest.warns(TreebankWarning, match=f"the model looks at {warning}") as warned:
        for _ in FileParsing()(parser, Treebank.from_bytes(text.encode()).batches()):
            pass
    assert len(warned) == 1


@pytest.mark.parametrize("parse", [Parser.parse, partial(Parser.parse, threads=2), partial(Parser.k_best, k=2)])
def test_there_is_one_warning_by_any_road(parse: Callable[..., Iterator[object]], parser: Parser) -> None:
    trees = [*Treebank.from_bytes(with_column(4, lambda _: "_").encode())]
    assert len([*parse(parser, trees[:4])]) == 4
    with pytest.warns(TreebankWarning, match="the model looks at UPOS, and 100% of 3,000 words have none") as warned:
        assert len([*parse(parser, trees * 20)]) == 320
    assert len(warned) == 1


def test_a_saved_parser_knows_its_tags(parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "model")
    assert load_parser(tmp_path / "model").known_tags == parser.known_tags is not None
    assert sum(map(len, FileParsing()(parser, sample_treebank("dev").batches()))) == 16


def test_labels_of_development_data_that_training_never_saw_are_warned_of() -> None:
    trees = list(sample_treebank("dev"))
    warn_of_labels(trees, Columns.encode(trees))
    others = [tree.reattach(tree.heads, [None if name == "nsubj" else name for name in tree.labels]) for tree in trees]
    with pytest.warns(TreebankWarning, match="of 150 words of the development data .* never saw, such as 'nsubj'"):
        warn_of_labels(trees, Columns.encode(others))
    with pytest.warns(TreebankWarning, match="100% of 150 words of the development data"):
        Parser.train([tree.reattach(tree.heads, ["x"] * len(tree)) for tree in trees], dev=trees, epochs=1)


@pytest.mark.filterwarnings("error")
def test_as_many_new_tags_as_are_to_be_expected_are_not_warned_of() -> None:
    """Trained on few words, a parser meets new tags in any other text of the same treebank."""
    trees = list(sample_treebank("train"))
    few = trees[::5]
    others = [tree for tree in trees if tree not in few]
    known = KnownTags.of(Columns.encode(few), ["feats"])
    feats = [token.feats or "_" for tree in others for token in tree]
    assert sum(values not in known.values["feats"] for values in feats) / len(feats) > 0.05
    for _ in known.watch([Batch.of(others)], fewest=1):
        pass
