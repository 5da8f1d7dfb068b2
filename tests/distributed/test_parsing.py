"""Files parsed into a folder: made once, made again if anything is other than it was."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import ConlluError, Parser, Treebank, write_treebank
from deptrees.distributed import FileChanged, LoadedModel, Manifest, TargetError, Workers, parse_file, parse_files
from deptrees.file_parsing import FileParsing
from deptrees.treebanks.batch import Batch
from tests.distributed.dying import contents, corpus, said


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.conllu"
    path.write_bytes(b"1\tBirds\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tsing\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n")
    return path


def test_a_target_that_is_whole_is_not_made_again(model: LoadedModel, source: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    manifest = parse_file(model, source, target)
    written = target.stat().st_mtime_ns, target.stat().st_ino
    assert parse_file(model, source, target) == manifest == Manifest.of(target)
    assert (target.stat().st_mtime_ns, target.stat().st_ino) == written
    assert (manifest.sentences, manifest.words) == (1, 2)


@pytest.mark.parametrize("change", ["source", "target", "no target", "manifest", "model", "beam", "complete"])
def test_a_target_is_made_again_if_anything_is_other_than_it_was(
    change: str, model: LoadedModel, source: Path, tmp_path: Path
) -> None:
    target, beside = tmp_path / "target", tmp_path / "target.manifest.json"
    parse_file(model, source, target)
    before = target.stat().st_ino, target.read_bytes()
    changes: dict[str, Callable[[], object]] = {
        "source": lambda: source.write_bytes(source.read_bytes() * 2),
        "target": lambda: target.write_bytes(before[1][:-10]),
        "no target": target.unlink,
        "manifest": lambda: beside.write_bytes(beside.read_bytes()[:-10]),
    }
    options: dict[str, dict[str, Any]] = {
        "model": {"checksum": "other"},
        "beam": {"parsing": FileParsing(beam=2)},
        "complete": {"parsing": FileParsing(complete=True)},
    }
    if change in changes:
        changes[change]()
    manifest = parse_file(attrs.evolve(model, **options.get(change, {})), source, target)
    assert manifest == Manifest.of(target)
    assert change == "no target" or target.stat().st_ino != before[0]
    assert target.read_bytes() == before[1] * manifest.sentences or change == "beam"


def test_what_is_valid_is_not_parsed_again_to_skip_what_is_not(
    model: LoadedModel, source: Path, tmp_path: Path
) -> None:
    lenient, target = attrs.evolve(model, parsing=FileParsing(strict=False)), tmp_path / "target"
    manifest = parse_file(model, source, target)
    assert parse_file(lenient, source, target) == manifest
    target.unlink()
    assert parse_file(lenient, source, target).origin != manifest.origin
    assert parse_file(model, source, target).origin == manifest.origin


def test_a_file_without_a_manifest_is_not_replaced(model: LoadedModel, source: Path, tmp_path: Path) -> None:
    target = tmp_path / "parsed" / source.name
    target.parent.mkdir()
    target.write_text("mine")
    [refused] = parse_files(model, [source], target.parent)
    assert isinstance(refused, TargetError)
    assert (target.read_text(), [*contents(target.parent)]) == ("mine", [source.name])


def test_a_process_that_dies_before_the_manifest_is_repeated(
    model: LoadedModel, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Manifest, "__init__", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            parse_file(model, source, tmp_path / "target")
    assert Manifest.of(tmp_path / "target") is None
    assert parse_file(model, source, tmp_path / "target") == Manifest.of(tmp_path / "target")


def test_a_file_that_is_changed_while_it_is_read_has_no_target(
    model: LoadedModel, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse(parsing: FileParsing, parser: Parser, batches: Iterator[Batch], threads: int) -> Iterator[Batch]:
        source.write_bytes(source.read_bytes() * 2)
        return parser.parse_batches(batches)

    monkeypatch.setattr(FileParsing, "__call__", parse)
    with pytest.raises(FileChanged, match="was changed while it was read: try again"):
        parse_file(model, source, tmp_path / "target")
    assert {*contents(tmp_path)} == {"model", source.name}


def test_a_model_that_is_replaced_while_it_is_loaded_is_an_error(
    parser: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(path: str, system: object) -> Parser:
        with Path(path).open("ab") as stream:
            stream.write(b"?")
        return parser

    parser.save(tmp_path / "model")
    monkeypatch.setattr("deptrees.distributed.parsing.load_parser", load)
    with pytest.raises(FileChanged, match="model was changed"):
        LoadedModel.load(tmp_path / "model")


def test_compressed_files_keep_their_names(model: LoadedModel, source: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed.conllu.gz"
    write_treebank(packed, Treebank(source))
    (tmp_path / "folder").mkdir()
    (manifest,) = parse_files(model, [packed], tmp_path / "folder")
    assert isinstance(manifest, Manifest)
    parse_file(model, source, tmp_path / "plain")
    assert [*Treebank(tmp_path / "folder" / "packed.conllu.gz")] == [*Treebank(tmp_path / "plain")]


def test_matches_keep_their_path_below_the_fixed_part_of_a_pattern(
    model: LoadedModel, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("2024/01.conllu", "2025/01.conllu", "2025/02.conllu"):
        (tmp_path / "corpus" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "corpus" / name).write_bytes(source.read_bytes())
    places = {
        "corpus/*/*": ["2024/01.conllu", "2025/01.conllu", "2025/02.conllu"],
        f"{tmp_path}/corpus/**/*.conllu": ["2024/01.conllu", "2025/01.conllu", "2025/02.conllu"],
        "c*/**/02.conllu": ["corpus/2025/02.conllu"],
        "corpus/2025/*": ["01.conllu", "02.conllu"],
        "corpus/2025/02.conllu": ["02.conllu"],
    }
    for number, (pattern, expected) in enumerate(places.items()):
        for shard in (1, 2), (2, 2), (1, 1):
            list(parse_files(model, [pattern], f"parsed{number}", shard))
        parsed = Path(f"parsed{number}")
        found = [path.relative_to(parsed).as_posix() for path in parsed.rglob("*.conllu")]
        assert sorted(found) == expected
        assert all(Manifest.of(parsed / name) for name in expected)
    text = attrs.evolve(model, parsing=FileParsing(words=True))
    Path("corpus/2024/v1.2.txt").write_text("Birds sing\n")
    [manifest] = parse_files(text, ["corpus/*/*.txt"], "words")
    assert manifest == Manifest.of("words/2024/v1.2.conllu")


def test_a_pattern_matches_no_manifest(model: LoadedModel, source: Path, tmp_path: Path) -> None:
    target = tmp_path / "parsed.conllu"
    parse_file(model, source, target)
    assert Treebank(tmp_path / "parsed.conllu*").paths == (str(target),)


def test_shards_together_are_the_whole(model: LoadedModel, tmp_path: Path) -> None:
    sources = corpus(tmp_path / "sources")
    for name in ("whole", "shards"):
        (tmp_path / name).mkdir()
    whole = [*parse_files(model, sources, tmp_path / "whole")]
    shards = [[*parse_files(model, sources, tmp_path / "shards", (number, 4))] for number in (1, 2, 3, 4)]
    assert [len(shard) for shard in shards] == [2, 2, 1, 1]
    assert [said(shards[number % 4][number // 4]) for number in range(6)] == list(map(said, whole))
    assert contents(tmp_path / "shards") == contents(tmp_path / "whole")


def test_the_others_are_parsed_if_a_file_is_not_valid(model: LoadedModel, source: Path, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"1 Go\n\n" + source.read_bytes())
    (tmp_path / "folder").mkdir()
    error, manifest = parse_files(model, [tmp_path / "bad", source], tmp_path / "folder")
    assert isinstance(error, ConlluError)
    assert isinstance(manifest, Manifest)
    assert {*contents(tmp_path / "folder")} == {"source.conllu", "source.conllu.manifest.json"}
    lenient = attrs.evolve(model, parsing=FileParsing(strict=False))
    (skipped,) = parse_files(lenient, [tmp_path / "bad"], tmp_path / "folder")
    assert isinstance(skipped, Manifest)
    assert skipped.sentences == 1
    assert "skipped 1 of 2" in skipped.warnings[0]
    assert json.loads((tmp_path / "folder" / "bad.manifest.json").read_bytes())["warnings"] == list(skipped.warnings)


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.processes)])
def test_files_are_called_as_they_were_given(
    count: int, model: LoadedModel, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.conllu").write_bytes(b"1 Go\n\n")
    Path("parsed").mkdir()
    found = [*parse_files(model, ["bad.conllu", source.name], "parsed", run=Workers(count))]
    assert str(found[0]).startswith("bad.conllu:1: ")
    assert isinstance(found[1], Manifest)


def test_targets_that_would_overwrite_each_other_or_a_source_are_an_error(
    model: LoadedModel, source: Path, tmp_path: Path
) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.conllu").write_bytes(source.read_bytes())
    with pytest.raises(TargetError, match=r"one/same\.conllu and .*other/same\.conllu would be parsed into the same"):
        parse_files(model, [tmp_path / "one" / "same.conllu", tmp_path / "other" / "same.conllu"], tmp_path)
    with pytest.raises(TargetError, match="would be replaced by the parse of"):
        parse_files(model, [source], tmp_path)
    (tmp_path / "parsed").mkdir()
    (tmp_path / "parsed" / "same.conllu").hardlink_to(source)
    with pytest.raises(TargetError, match=r"source\.conllu would be replaced by the parse of .*same\.conllu"):
        parse_files(model, [source, tmp_path / "one" / "same.conllu"], tmp_path / "parsed")
    for names in (["a", "a.manifest.json"], ["a.manifest.json", "a"]):
        paths = [tmp_path / name for name in names]
        for path in paths:
            path.write_bytes(source.read_bytes())
        with pytest.raises(TargetError, match=r"would be parsed into the same file, .*a\.manifest\.json"):
            parse_files(model, paths, tmp_path / "parsed")
    with pytest.raises(TargetError, match="standard input has no name"):
        parse_files(model, ["-"], tmp_path)
    with pytest.raises(ValueError, match="there is no shard 3 of 2"):
        parse_files(model, [source], tmp_path / "one", (3, 2))
