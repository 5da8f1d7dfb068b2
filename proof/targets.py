"""What is fuzzed: functions of bytes, which raise an error where anything but a clear answer comes of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from zlib import crc32

import attrs
from typer.testing import CliRunner

from deptrees import Columns, Parser, Treebank, sample_treebank
from deptrees.cli import app
from deptrees.engine import EngineError, Model, batches, train
from deptrees.engine.lock_step import Derivations
from deptrees.features import FAST, TemplateError, Templates
from deptrees.files.models import ModelError
from deptrees.transition import IllegalTransition
from deptrees.transition.systems.registry import REGISTRY, UnknownSystem, as_system
from deptrees.treebanks import ConlluError
from tests.hostile.__main__ import complaint
from tests.treebanks.test_encoded_text import check

__all__ = ["TARGETS", "Target", "seeds"]

Target = Callable[[bytes], object]
"""What is fuzzed."""

CORPUS = Path(__file__).parent / "corpus"


def reader(content: bytes) -> None:
    """Both readers find the same trees, or the same error."""
    check(Treebank.from_bytes(content))
    with suppress(ConlluError):
        check(Treebank.from_bytes(content, strict=False))


def templates(content: bytes) -> None:
    """Lines of the template language are read, and read back as they are written, or a `TemplateError`."""
    with suppress(TemplateError):
        made = Templates(content.decode(errors="replace").split("\n"))
        assert Templates(map(str, made)) == made


def systems(content: bytes) -> None:
    """Names are those of systems, or an `UnknownSystem`."""
    with suppress(UnknownSystem):
        named = as_system(content.decode(errors="replace"))
        assert as_system(repr(named)) == named


def models(content: bytes) -> None:
    """A model file parses or is a `ModelError`: with its own checksum, and with that of what is in it."""
    folder = _folder()
    for name, edited in ("as it is", content), ("checked", _with_checksum(content)):
        path = folder / name
        path.write_bytes(edited)
        with suppress(ModelError):
            list(Parser.load(path).parse(list(sample_treebank("dev"))[:2]))


def command_line(content: bytes) -> None:
    """Words on the command line, one a line, end in a documented exit code and a few lines."""
    words = content.decode(errors="replace").replace("/", "_").split("\n")
    if any(word.startswith(_NOT_RUN) for word in words):
        return
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)  # whatever is written
        try:
            Path("treebank").write_bytes(seeds("reader")[0])
            result = CliRunner().invoke(app, words)
        finally:
            os.chdir(before)
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert not complaint(result.exit_code, result.stderr), complaint(result.exit_code, result.stderr)


_NOT_RUN = ("exp", "--ra", "--wo", "--ep", "--install", "--show-c")
"""How words begin that make a command serve until it is stopped, start processes, take long or change the shell."""


def engine(content: bytes) -> None:
    """The engine walks, trains and parses on any arrays, or tells what is wrong with them.

    The first byte chooses a system and an oracle; each four bytes after it are a change: which array, where, to what.
    """
    choice, changes = content[0] if content else 0, content[1:]
    system = _SYSTEMS[choice % len(_SYSTEMS)]
    oracles = [name for name in REGISTRY[system].oracles if name != "approximate_dynamic"]  # that takes single steps
    oracle = oracles[choice // 8 % len(oracles)]
    columns = _changed(_treebank(), changes)
    with suppress(*_OF_ARRAYS):
        derivations = Derivations.open(columns, system, oracle=oracle, templates=FAST)
        numbers = cycle(changes or b"\0")
        while len(derivations.going):
            derivations.gold()
            possible = derivations.possible()
            derivations.take([row.nonzero()[0][next(numbers) % row.sum()] for row in possible])
        derivations.arcs()
    with suppress(*_OF_ARRAYS):
        list(batches(columns, system, FAST, oracle=oracle, size=1 + choice))
    if choice % 13:  # training takes ten times longer than all else
        return
    with suppress(*_OF_ARRAYS):
        model = train(columns, system=system, epochs=1, beam=1 + choice % 3, bits=_SMALL)
        assert isinstance(model, Model)
        model.parse(columns, beam=1 + choice % 2)


TARGETS: dict[str, Target] = {
    target.__name__: target for target in (reader, templates, systems, models, command_line, engine)
}
"""The targets by their names."""


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """The files that fuzzing a target begins with: the corpus that is kept, and a model file, which is made anew."""
    kept = [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]
    return (*kept, _model_file()) if name == "models" else tuple(kept)


_SYSTEMS = (
    "ArcEager",
    "ArcHybrid",
    "ArcStandard",
    "Attardi",
    "ArcStandardSwap",
    "NonMonotonicArcEager",
    "ArcEagerPartial",
    "ArcHybridSwap",
)
_SMALL = (10, 8)
"""The size of tables of weights, so that most of the time is not spent on clearing and averaging them."""
_OF_ARRAYS = (ValueError, IndexError, EngineError, IllegalTransition)
_ARRAYS = ("offsets", "heads", "labels", "projective", "form", "upos", "feats")


@cache
def _treebank() -> Columns:
    return Columns.encode(list(sample_treebank("dev"))[:3])


def _changed(columns: Columns, changes: bytes) -> Columns:
    """A treebank with other numbers in its arrays."""
    for at in range(0, len(changes) - 3, 4):
        which, place, low, high = changes[at : at + 4]
        name = _ARRAYS[which % len(_ARRAYS)]
        array: Any = (columns.words[name] if name in columns.words else getattr(columns, name)).copy()
        number = (low | high << 8) - (1 << 15)
        if len(array):
            array[place % len(array)] = number if which < 128 else low % 8 - 1
        if which % 16 == 15:
            array = array[:-1]
        if name in columns.words:
            columns = attrs.evolve(columns, words={**columns.words, name: array})
        else:
            columns = attrs.evolve(columns, **{name: array})
    return columns


@cache
def _folder() -> Path:
    return Path(mkdtemp())


@cache
def _model_file() -> bytes:
    path = _folder() / "model"
    Parser.train(list(sample_treebank("train"))[:4], epochs=1).save(path)
    return path.read_bytes()


def _with_checksum(content: bytes) -> bytes:
    """A file that ends in the checksum of what comes before."""
    return content[:-4] + crc32(content[:-4]).to_bytes(4, "little")
