"""Files parsed into a folder, each with a manifest that says what it was made from."""

from __future__ import annotations

import glob
import json
import os
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import deptrees
from deptrees.distributed.workers import Runner, Workers
from deptrees.file_parsing import FileParsing
from deptrees.files.checksums import checksum
from deptrees.files.output import MANIFEST, STANDARD_STREAM, file_of, open_output
from deptrees.files.records import from_record, to_record
from deptrees.packages.installed import model_file
from deptrees.parser import Parser, load_parser
from deptrees.transition.systems.registry import GivenSystem
from deptrees.treebanks.treebank import Treebank, document_name, write_batches

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.treebanks.batch import Batch

__all__ = ["FileChanged", "LoadedModel", "Manifest", "TargetError", "parse_file", "parse_files"]


class TargetError(ValueError):
    """A file cannot be parsed into a folder under its own name."""


class FileChanged(ValueError):
    """A file was changed while it was read, so that nobody knows what has been read."""


@attrs.frozen
class LoadedModel:
    """A parser, and all else that a parsed file depends on, besides its source.

    Args:
        parser: the parser.
        checksum: the SHA-256 of the file that it was loaded from.
        parsing: how files are parsed.
        threads: the number of threads for each file; the result does not depend on it.
    """

    parser: Parser
    checksum: str
    parsing: FileParsing = attrs.Factory(FileParsing)
    threads: int = 1

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        parsing: FileParsing = FileParsing(),  # noqa: B008
        threads: int = 1,
        system: GivenSystem | None = None,
    ) -> Self:
        """Load a parser that was saved, with its system if it is not the library's own: see `deptrees.load_parser`.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: the file is not a model.
            FileChanged: the file was replaced while it was read.
            ValueError: the parser cannot parse files like this.
        """
        path = model_file(path)
        before, parser = checksum(path), load_parser(path, system)
        _check_unchanged(path, before)
        parsing(parser, [], threads)  # which tells at once what is wrong with the options
        return cls(parser, before, parsing, threads)


@attrs.frozen
class Origin:
    """What makes the bytes of a parsed file: the SHA-256 of its source and of the model's file, how, which version."""

    source: str
    model: str
    parsing: FileParsing
    version: str

    def serves_as(self, other: Origin) -> bool:
        """Whether the bytes are those of another origin, too: where all is valid, nothing is skipped."""
        return other in (self, attrs.evolve(self, parsing=attrs.evolve(self.parsing, strict=False)))


@attrs.frozen
class Manifest:
    """What is known about a parsed file, saved beside it as JSON, with ``.manifest.json`` added to its name.

    Args:
        origin: what it was made from.
        target: its own SHA-256.
        sentences: how many sentences it has.
        words: how many words these have.
        warnings: warnings about the source, such as how many sentences were skipped.
        seconds: how long it took, by the clock.
        finished: when it was finished, in universal time.
    """

    origin: Origin
    target: str
    sentences: int
    words: int
    warnings: tuple[str, ...]
    seconds: float
    finished: str

    @classmethod
    def of(cls, target: str | os.PathLike[str]) -> Manifest | None:
        """The manifest of a file; ``None`` if it has none, or one that does not match the file."""
        with suppress(FileNotFoundError, ValueError):
            manifest = from_record(json.loads(_manifest_of(target).read_bytes()), cls)
            return manifest if manifest.target == checksum(target) else None
        return None


def parse_file(model: LoadedModel, source: str | os.PathLike[str], target: str | os.PathLike[str]) -> Manifest:
    """Parse a file into another one, unless that is already done; see `Parser.parse_file`.

    The target and its manifest are written whole or not at all, the manifest last, and an empty one before the target.
    So the same call can be repeated, whatever stopped the process, with the same result except for the times in the
    manifest. A file without a manifest is not replaced. The ids of the sentences of raw text begin with the target's
    name, so that they differ from those in the other files of its folder.

    Args:
        model: the model, with its options.
        source: the file; decompressed if its name ends in ``.gz``.
        target: where to write; compressed if it ends in ``.gz``.

    Returns:
        The manifest of the target, which has all warnings.

    Raises:
        ConlluError: a sentence is not valid; then nothing is written.
        FileChanged: the source was changed while it was read; then nothing is written.
        OSError: the source cannot be read, or the target cannot be written.
        TargetError: the target is there without a manifest.

    >>> from tempfile import TemporaryDirectory
    >>> from deptrees import Parser, sample_treebank, write_treebank
    >>> with TemporaryDirectory() as folder:
    ...     Parser.train(sample_treebank("train"), epochs=1).save(f"{folder}/model")
    ...     _ = write_treebank(f"{folder}/new.conllu", sample_treebank("dev"))
    ...     model = LoadedModel.load(f"{folder}/model")
    ...     manifest = parse_file(model, f"{folder}/new.conllu", f"{folder}/parsed.conllu")
    ...     manifest.sentences, parse_file(model, f"{folder}/new.conllu", f"{folder}/parsed.conllu") == manifest
    (16, True)
    """
    origin = Origin(checksum(source), model.checksum, model.parsing, deptrees.__version__)
    known = Manifest.of(target)
    if known is not None and known.origin.serves_as(origin):
        return known
    if os.path.exists(target) and not _manifest_of(target).exists():
        raise TargetError(f"{os.fspath(target)} was not made from {os.fspath(source)}: move it, or name another folder")
    began = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        treebank = model.parsing.treebank(model.parser, os.fspath(source), document=document_name(target))
        parsed = model.parsing(model.parser, treebank.batches(), model.threads)
        counts = write_batches(target, _claimed(target, _unless_changed(parsed, source, origin.source)))
    told = tuple(str(warning.message) for warning in caught)
    seconds, finished = time.perf_counter() - began, datetime.now(timezone.utc).isoformat(timespec="seconds")
    manifest = Manifest(origin, checksum(target), *counts, told, seconds, finished)
    with open_output(_manifest_of(target)) as stream:
        stream.write(json.dumps(to_record(manifest), indent=1).encode())
    return manifest


def _claimed(target: str | os.PathLike[str], batches: Iterator[Batch]) -> Iterator[Batch]:
    """The parses of a file; after them, a place for its manifest, without which a file is another's."""
    yield from batches
    if not _manifest_of(target).exists():
        with open_output(_manifest_of(target)) as stream:
            stream.write(b"null")


def _unless_changed(batches: Iterator[Batch], path: str | os.PathLike[str], before: str) -> Iterator[Batch]:
    yield from batches
    _check_unchanged(path, before)


def _check_unchanged(path: str | os.PathLike[str], before: str) -> None:
    if checksum(path) != before:
        raise FileChanged(f"{os.fspath(path)} was changed while it was read: try again")


def parse_files(
    model: LoadedModel,
    sources: Sequence[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    shard: tuple[int, int] = (1, 1),
    run: Runner = Workers(),  # noqa: B008  a value
) -> Iterator[Manifest | Exception]:
    """Parse files into a folder, where each keeps its name; see ``parse_file``. Called again, it continues.

    Matches of a pattern keep their path below its fixed part, too: of ``"corpus/*/*.conllu"`` that in ``corpus``. The
    names of files that are not in CoNLL-U end in ``.conllu`` there.

    Args:
        model: the model, with its options.
        sources: the files, by names and patterns as in `deptrees.Treebank`.
        folder: where to write; it is made if there is none.
        shard: which part of the files, from 1, and of how many: of three, the second has files 2, 5, 8 and so on.
        run: who does the work.

    Returns:
        For each file of the shard, in order, its manifest or, if it could not be parsed, the exception.

    Raises:
        TargetError: two sources have the same name, or one is in the folder itself.
        FileNotFoundError: there is no such file.
        ValueError: there is no such shard.
    """
    number, count = shard
    if not 1 <= number <= count:
        raise ValueError(f"there is no shard {number} of {count}: the first is 1, the last is {count}")
    chosen = _with_targets(sources, Path(folder), model.parsing)[number - 1 :: count]
    return run(_parse_pair, model, chosen)


def _parse_pair(model: LoadedModel, pair: tuple[str, str]) -> Manifest:
    return parse_file(model, *pair)


def _with_targets(given: Sequence[str | os.PathLike[str]], folder: Path, parsing: FileParsing) -> list[tuple[str, str]]:
    """The sources and their targets, by the names that errors call them."""
    sources = [(path, _place_of(path, os.fspath(each))) for each in given for path in Treebank(each).paths]
    own = {file_of(source): source for source, _ in sources}
    found, made = [], dict[str, str]()
    for source, place in sources:
        if source == STANDARD_STREAM:
            raise TargetError("standard input has no name for its target: give files")
        target = str(folder / _name_of_target(place, parsing))
        for path in (target, str(_manifest_of(target))):
            if path in made:
                raise TargetError(
                    f"{made[path]} and {source} would be parsed into the same file, {path}: give them other names, "
                    "or parse them into different folders"
                )
            if (replaced := own.get(file_of(path))) is not None:
                raise TargetError(f"{replaced} would be replaced by the parse of {source}: choose another folder")
            made[path] = source
        found.append((source, target))
    for place in {Path(target).parent for _, target in found} or {folder}:
        place.mkdir(parents=True, exist_ok=True)
    return found


def _place_of(path: str, given: str) -> Path:
    """The path of a match below the fixed part of its pattern, or the name of a file that was given as it is."""
    fixed = Path(*takewhile(lambda part: not glob.has_magic(part), Path(given).parts))
    return Path(path).relative_to(fixed) if fixed in Path(path).parents else Path(Path(path).name)


def _name_of_target(place: Path, parsing: FileParsing) -> Path:
    if not (parsing.text or parsing.words):
        return place
    packed = ".gz" if place.suffix == ".gz" else ""
    return Path(f"{Path(str(place).removesuffix(packed)).with_suffix('')}.conllu{packed}")


def _manifest_of(target: str | os.PathLike[str]) -> Path:
    return Path(f"{os.fspath(target)}{MANIFEST}")
