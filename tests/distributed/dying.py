"""Work whose process is killed in the middle of it, for tests of who does it again."""

import os
import signal
import time
from pathlib import Path

import attrs

from deptrees import sample_treebank, to_conllu
from deptrees.distributed import LoadedModel, Manifest, Runner, parse_file, parse_files
from deptrees.files.output import open_output

SIZES = [3, 40, 0, 90, 1, 60]
"""How many sentences the files of `corpus` have."""


@attrs.frozen
class Dying:
    """A model with which the process that parses a file dies in the middle of it, the first times.

    Args:
        model: the model.
        deaths: how often, for each file.
        folder: where the deaths so far are counted.
    """

    model: LoadedModel
    deaths: int
    folder: Path


def parse_dying(dying: Dying, pair: tuple[Path, Path]) -> Manifest:
    """Parse a file, or die with half of it written."""
    source, target = pair
    died = sorted(dying.folder.glob(f"{source.name}.*"))
    if len(died) < dying.deaths:
        Path(dying.folder, f"{source.name}.{len(died)}").touch()
        with open_output(target) as stream:
            stream.write(source.read_bytes()[: source.stat().st_size // 2])
            stream.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    return parse_file(dying.model, source, target)


def number_of(_: object, number: int) -> int:
    """The number, after the longer, the smaller it is; or an error."""
    time.sleep(max(0, 5 - number) / 20)
    if number == 3:
        raise ValueError("three")
    return number


def corpus(folder: Path) -> list[Path]:
    """Files of several sizes; one is empty."""
    folder.mkdir()
    trees = [*sample_treebank("train")]
    paths = [folder / f"{number}.conllu" for number in range(len(SIZES))]
    for path, size in zip(paths, SIZES, strict=True):
        path.write_text("".join(map(to_conllu, trees[:size])), encoding="utf-8")
    return paths


def check_that_deaths_change_nothing(model: LoadedModel, run: Runner, deaths: int, folder: Path) -> None:
    """Parse a corpus with processes that die, and compare with what one process that does not makes of it."""
    sources = corpus(folder / "sources")
    for name in ("once", "again", "deaths"):
        Path(folder, name).mkdir()
    expected = [*parse_files(model, sources, folder / "once")]
    pairs = [(source, folder / "again" / source.name) for source in sources]
    found = [*run(parse_dying, Dying(model, deaths, folder / "deaths"), pairs)]
    assert list(map(said, found)) == list(map(said, expected))
    assert contents(folder / "again") == contents(folder / "once")
    assert len([*Path(folder, "deaths").iterdir()]) == deaths * len(sources)


def said(manifest: object) -> tuple[object, ...]:
    """What a manifest says but for the times, which are different each time."""
    assert isinstance(manifest, Manifest), manifest
    return manifest.origin, manifest.target, manifest.sentences, manifest.words, manifest.warnings


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder; of manifests only that they are there."""
    return {path.name: b"" if path.suffix == ".json" else path.read_bytes() for path in folder.iterdir()}
