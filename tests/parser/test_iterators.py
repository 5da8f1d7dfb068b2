"""Iterators that are asked for the next item while they are at one, as by two threads, raise; none comes to harm."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree, Parser, Tagger, Tokenizer, Treebank, sample_treebank, write_treebank
from deptrees.file_parsing import FileParsing
from deptrees.treebanks.batch import Batch

DEV = [*sample_treebank("dev")][:4]
TRAIN = sample_treebank("train")

ITERATORS: dict[str, Callable[[Parser, Iterator[DependencyTree]], Iterator[Any]]] = {
    "parse": lambda parser, trees: parser.parse(trees),
    "k best": lambda parser, trees: parser.k_best(trees, 2),
    "text": lambda parser, trees: parser.parse_text(f"{tree.text}\n\n" for tree in trees),
    "tokens": lambda parser, trees: Tokenizer.train(TRAIN, epochs=1).tokenize(f"{tree.text}\n\n" for tree in trees),
    "tags": lambda _, trees: Tagger.train(TRAIN, epochs=1).tag(trees),
    "files": lambda parser, trees: FileParsing(complete=True)(parser, (Batch.of([tree]) for tree in trees)),
}


@pytest.mark.parametrize("name", ITERATORS)
def test_an_iterator_that_is_at_work_raises_and_goes_on(name: str, parser: Parser) -> None:
    def trees() -> Iterator[DependencyTree]:
        for tree in DEV:
            with pytest.raises(ValueError, match="already executing"):
                next(found)
            yield tree

    found = ITERATORS[name](attrs.evolve(parser, tokenizer=Tokenizer.train(TRAIN, epochs=1)), trees())
    assert len([*found]) == len(DEV)


def test_a_treebank_that_is_being_read_raises_and_goes_on(tmp_path: Path) -> None:
    def keep(_: DependencyTree) -> bool:
        with pytest.raises(ValueError, match="already executing"):
            next(found)
        return True

    write_treebank(tmp_path / "dev", DEV)
    found = iter(Treebank(tmp_path / "dev", keep=keep))
    assert len([*found]) == len(DEV)


@pytest.mark.parametrize("how", [FileParsing(), FileParsing(k_best=2)], ids=["best", "k best"])
def test_a_number_of_threads_that_cannot_be_is_told_at_once(how: FileParsing, parser: Parser) -> None:
    with pytest.raises(ValueError, match="threads is a whole number, 1 or more, not 0"):
        how(parser, iter([]), threads=0)
