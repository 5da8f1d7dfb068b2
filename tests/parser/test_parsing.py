"""Parsing with a parser that is trained: trees, words, files and texts."""

import gzip
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import ConlluError, Treebank, evaluate, sample_treebank, tag_accuracy, to_conllu
from deptrees.parser import Parser
from deptrees.tagger import Hyperparameters, Tagger
from deptrees.treebanks.batch import Batch
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))


def test_the_result_does_not_depend_on_the_number_of_threads(parser: Parser) -> None:
    assert list(parser.parse(DEV, threads=3)) == list(parser.parse(DEV))


@pytest.mark.parametrize("name", ["beam", "threads", "k"])
def test_numbers_that_are_to_be_whole_are_not_rounded(name: str, parser: Parser) -> None:
    options: dict[str, Any] = {"k": 1, name: 2.5}
    with pytest.raises(TypeError, match=rf"^{name} is a whole number, not 2.5"):
        parser.k_best(DEV, **options)


def test_a_beam_parses(parser: Parser) -> None:
    assert evaluate(TRAIN, parser.parse(TRAIN, beam=4)).uas > 0.8


def test_impossible_beams_and_threads_are_told_at_once(parser: Parser) -> None:
    for threads, beam in ((1, 65), (1, 0), (0, 1)):
        with pytest.raises(ValueError, match=r"(beam|threads) is a whole number, "):
            parser.parse(DEV, threads=threads, beam=beam)


def test_parsed_trees_have_a_single_root_unless_another_system_is_chosen(parser: Parser) -> None:
    assert {len(tree.roots) for tree in parser.parse([*TRAIN, *DEV])} == {1}


def test_a_parser_with_a_tagger_parses_words_alone(parser: Parser, tagger: Tagger, tmp_path: Path) -> None:
    parser = attrs.evolve(parser, tagger=tagger)
    words = [[token.form for token in tree] for tree in DEV]
    parsed = list(parser.parse(words))
    assert tag_accuracy(DEV, parsed) > 0.8
    assert evaluate(DEV, parsed).las > 0.5
    parser.save(tmp_path / "model")
    assert list(Parser.load(tmp_path / "model").parse(words)) == parsed
    assert list(Tagger.load(tmp_path / "model").tag(words)) == list(tagger.tag(words))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *[("plain", {}), ("plain", {"threads": 3}), ("plain", {"beam": 2}), ("tagger", {}), ("partial", {})],
        *[slow("tagger", {"threads": 3}), slow("tagger of FEATS", {}), slow("step by step", {"threads": 2})],
    ],
)
def test_files_are_parsed_as_their_trees_are(
    kind: str, options: Any, parser: Parser, tagger: Tagger, tmp_path: Path
) -> None:
    if kind == "tagger":
        parser = attrs.evolve(parser, tagger=tagger)
    elif kind == "tagger of FEATS":
        hyperparameters = Hyperparameters().only(["feats"])
        own = Tagger.train(sample_treebank("train"), epochs=1, hyperparameters=hyperparameters)
        parser = attrs.evolve(parser, tagger=own)
    elif kind != "plain":
        system = "ArcEagerPartial" if kind == "partial" else "EasyFirst"
        parser = Parser.train(TRAIN[:10], system=system, epochs=1)
    treebank, parsed = sample_treebank("dev"), tmp_path / "parsed.conllu.gz"
    parser.parse_file(treebank, parsed, **options)
    expected = [*parser.parse(treebank, **options)]
    assert [*Treebank(parsed)] == expected
    text = "".join(map(to_conllu, expected)).encode()
    assert gzip.decompress(parsed.read_bytes()) == text
    assert parser.parse_bytes(Path(treebank.paths[0]).read_bytes(), **options) == text


@pytest.mark.parametrize("threads", [1, 2])
def test_what_comes_before_an_error_is_parsed_and_no_file_is_written(
    threads: int, parser: Parser, tmp_path: Path
) -> None:
    source = tmp_path / "bad.conllu"
    source.write_bytes(Path(sample_treebank("dev").paths[0]).read_bytes() + b"1\tGo\n\n")
    batches = parser.parse_batches(Treebank(source).batches(), threads=threads)
    found: list[Batch] = []
    with pytest.raises(ConlluError, match=r"bad.conllu:.*expected 10 columns, found 2"):
        found.extend(batches)
    assert sum(map(len, found)) == 16
    with pytest.raises(ConlluError):
        parser.parse_file(source, tmp_path / "parsed.conllu", threads=threads)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.conllu"]


def test_a_text_that_is_not_bytes_is_told_so(parser: Parser) -> None:
    with pytest.raises(TypeError, match=r"give bytes, such as those of text.encode\(\)"):
        parser.parse_bytes("1\tGo")  # type: ignore[arg-type]
