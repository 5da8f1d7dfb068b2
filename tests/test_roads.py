"""All calls that parse give the same trees, written as the same bytes, and none of them makes tokens of words."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import (
    DependencyTree,
    Parser,
    Tagger,
    Token,
    Tokenizer,
    Treebank,
    sample_treebank,
    to_conllu,
    write_treebank,
)
from deptrees.distributed import LoadedModel, parse_file
from deptrees.file_parsing import FileParsing
from deptrees.treebanks.raw_text import raw_text
from deptrees.treebanks.treebank import write_batches
from tests.cli.running import run

DEV = sample_treebank("dev")
SOURCE = Path(DEV.paths[0])


@pytest.fixture(scope="module")
def pipeline(parser: Parser, tagger: Tagger, tokenizer: Tokenizer) -> Parser:
    return attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer).calibrate(DEV)


def written(trees: Iterable[DependencyTree]) -> bytes:
    return "".join(map(to_conllu, trees)).encode()


def by_file(pipeline: Parser, folder: Path) -> bytes:
    pipeline.parse_file(SOURCE, folder / "parsed")
    return (folder / "parsed").read_bytes()


def by_trees(pipeline: Parser, folder: Path) -> bytes:
    write_treebank(folder / "parsed", pipeline.parse(Treebank(SOURCE)))
    return (folder / "parsed").read_bytes()


def by_tagged_trees(pipeline: Parser, _: Path) -> bytes:
    assert pipeline.tagger is not None
    return written(attrs.evolve(pipeline, tagger=None).parse(pipeline.tagger.tag(Treebank(SOURCE))))


def by_worker(pipeline: Parser, folder: Path) -> bytes:
    parse_file(LoadedModel(pipeline, "checksum"), SOURCE, folder / "parsed")
    return (folder / "parsed").read_bytes()


ROADS: dict[str, Callable[[Parser, Path], bytes]] = {
    "file": by_file,
    "trees": by_trees,
    "list of trees": lambda pipeline, _: written(pipeline.parse(list(DEV))),
    "each tree": lambda pipeline, _: written(map(pipeline.parse, DEV)),
    "threads": lambda pipeline, _: written(pipeline.parse(DEV, threads=3)),
    "tagged trees": by_tagged_trees,
    "bytes": lambda pipeline, _: pipeline.parse_bytes(SOURCE.read_bytes()),
    "batches": lambda pipeline, _: b"".join(batch.conllu() for batch in pipeline.parse_batches(DEV.batches())),
    "worker": by_worker,
}


@pytest.mark.parametrize("road", ROADS)
def test_all_roads_give_the_same_bytes_without_tokens(
    road: str, pipeline: Parser, tmp_path: Path, made_tokens: list[str]
) -> None:
    found = ROADS[road](pipeline, tmp_path)
    assert made_tokens == []
    # With tokens made of all words, and one sentence at a time:
    used = [attrs.evolve(tree, tokens=tree.tokens) for tree in DEV]
    assert made_tokens
    assert found == b"".join(written([pipeline.parse(tree)]) for tree in used)


@pytest.mark.parametrize(
    "options", [{"confidence": True}, {"k_best": 3}, {"complete": True}, {"beam": 4}, {"strict": False}], ids=str
)
def test_options_make_no_tokens(
    options: dict[str, Any], pipeline: Parser, tmp_path: Path, made_tokens: list[str]
) -> None:
    parsing = FileParsing(**options)
    write_batches(tmp_path / "parsed", parsing(pipeline, DEV.batches()))
    assert made_tokens == []
    assert len(list(Treebank(tmp_path / "parsed"))) >= 16


def test_raw_text_gives_the_same_bytes_by_all_roads_without_tokens(
    pipeline: Parser, tmp_path: Path, made_tokens: list[str]
) -> None:
    text = raw_text(DEV)
    del made_tokens[:]
    source, model = tmp_path / "notes.txt", tmp_path / "model"
    source.write_text(text, encoding="utf-8")
    found = written(pipeline.parse_text(text))
    pipeline.parse_file(Treebank(source, tokenizer=pipeline.tokenizer), tmp_path / "parsed")
    pipeline.save(model)
    assert (tmp_path / "parsed").read_bytes() == found
    for options in (["-o", tmp_path / "parsed"], ["--workers", 1, "-o", tmp_path / "folder"]):
        assert run("parse", model, "--text", source, *options).exit_code == 0
    assert (tmp_path / "parsed").read_bytes() == found
    named = found.replace(b"# newdoc", b"# newdoc id = notes", 1).replace(b"# sent_id = ", b"# sent_id = notes-")
    assert (tmp_path / "folder" / "notes.conllu").read_bytes() == named
    assert made_tokens == []


def test_tagging_makes_no_tokens(tagger: Tagger, tmp_path: Path, made_tokens: list[str]) -> None:
    tagger.save(tmp_path / "tagger")
    assert run("tag", tmp_path / "tagger", SOURCE, "-o", tmp_path / "tagged").exit_code == 0
    assert (tmp_path / "tagged").read_bytes() == written(tagger.tag(DEV))
    assert made_tokens == []


def test_each_form_of_sentences_is_made_once(pipeline: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a file to a parsed one nothing is read a second time, and no tree is made."""
    made: list[str] = []
    monkeypatch.setattr("deptrees.treebanks.batch.read_text", lambda _: made.append("text"))
    monkeypatch.setattr("deptrees.treebanks.batch.tree_of_lines", lambda *_: made.append("tree"))
    assert b"".join(batch.conllu() for batch in pipeline.parse_batches(DEV.batches()))
    assert made == []


@pytest.fixture
def made_tokens(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The forms of all tokens that are made."""
    made: list[str] = []
    make = Token.__init__

    def counted(self: Token, form: str, *args: Any, **columns: Any) -> None:
        made.append(form)
        make(self, form, *args, **columns)

    monkeypatch.setattr(Token, "__init__", counted)
    return made
