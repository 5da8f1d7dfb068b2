"""An afternoon of attacks on the command line: ``python -m tests.hostile``, or ``... ROUNDS SEED`` for more of them.

Whatever it is given, a command ends with a documented exit code, in time, with at most a few lines on standard error,
without a traceback, without a control character, and without an unfinished file. Each kind of attack is a function
that yields what it has found; the counts are printed.
"""

from __future__ import annotations

import gzip
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from typer.main import get_command
from typer.testing import CliRunner

from deptrees import DependencyTree, Parser, Tagger, sample_treebank, to_conllu
from deptrees.cli import app
from deptrees.training import Checkpoint
from tests.files.edits import ModelContent, array_edits, byte_edits, record_edits, without_checksum
from tests.tiers import PATIENCE
from tests.training.kills import Train, killed

CODES = {0, 1, 2, *(128 + number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM))}
PROGRAM = [sys.executable, "-m", "deptrees"]
SAMPLE = "".join(map(to_conllu, [*sample_treebank("dev")][:4]))
WORDS = ["", "-", "--", "-1", "0", "1e9", "nan", "9" * 400, "\x1b[31m", "…", "é" * 300, "..", "/dev/null", "model"]
SPITE = [
    "\0",
    "\t",
    "\n",
    "\r",
    "\x1b[2J",
    "\x9b",
    "\u202e",
    "\u2028",
    "\ufeff",
    "_",
    "0",
    "-1",
    "1-2",
    "9" * 5000,
    "#",
]
SYSTEMS = ["arc-eager", "EasyFirst", "ArcEagerPartial", "Attardi(2)", "ArcStandardSwap", "TwoPlanar", "LRSpines"]

GOOD, BAD = object(), object()
READERS: list[list[object]] = [
    ["draw", BAD, "--labels", "--skip-invalid"],
    ["draw", BAD, "--gold", GOOD, "--format", "html"],
    ["oracle", BAD, "--costs"],
    ["evaluate", GOOD, BAD],
    ["evaluate", BAD, GOOD, "--json", "--intervals"],
    ["analyze", GOOD, BAD, "--by", "label,distance"],
    ["compare", GOOD, GOOD, BAD],
    ["stats", BAD, "--json"],
    ["validate", BAD],
    ["convert", BAD, "--format", "conllx"],
    ["convert", BAD, "--words", "--format", "text"],
    ["projectivize", BAD],
    ["deprojectivize", BAD],
]
"""Commands that read a treebank."""

Complaint = str
"""What is wrong with how a command has ended; empty if nothing is."""

Attack = Callable[[Path, random.Random, int], Iterator[Complaint]]
"""A kind of attack, with a folder, what is random in it, and how much of it there is to be."""


def complaint(code: int, errors: str) -> Complaint:
    """What is wrong with an exit code and with what is on standard error."""
    if code not in CODES:
        return f"exit code {code}: {errors[-300:]}"
    if "Traceback" in errors or len(errors) > 5000 or re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", errors):
        return f"standard error is no line of text: {errors[-300:]!r}"
    return ""


def inside(*arguments: object) -> Complaint:
    """Run a command in this process."""
    result = CliRunner().invoke(app, [*map(str, arguments)])
    if not isinstance(result.exception, SystemExit | None):
        return f"{result.exception!r}: {arguments}"
    return complaint(result.exit_code, result.stderr)


def spoiled(text: bytes, chance: random.Random) -> bytes:
    """A file that somebody has worked on."""
    for _ in range(chance.randint(1, 4)):
        start, length = chance.randrange(len(text) + 1), chance.choice([0, 1, 1, 20, 500])
        middle = chance.choice([b"", chance.randbytes(3), chance.choice(SPITE).encode(), text[start : start + 30] * 2])
        text = text[:start] + middle + text[start + length :]
    return text


def files(folder: Path, chance: random.Random, rounds: int) -> Iterator[Complaint]:
    """Treebanks that are not valid."""
    good = folder / "good.conllu"
    for _ in range(rounds):
        zipped = chance.random() < 0.2
        path = folder / ("bad.conllu.gz" if zipped else "bad.conllu")
        text = SAMPLE.encode()
        path.write_bytes(spoiled(gzip.compress(text), chance) if zipped else spoiled(text, chance))
        skip = chance.choice([[], ["--skip-invalid"]])
        yield inside("parse", folder / "model", path, *skip, *chance.choice([[], ["--complete"], ["--k-best", "2"]]))
        yield inside("train", path, "-o", folder / "new", "--epochs", 1, "--system", chance.choice(SYSTEMS), *skip)
        for name, *others in chance.sample(READERS, 5):
            yield inside(name, *[good if word is GOOD else path if word is BAD else word for word in others])


def models(folder: Path, chance: random.Random, rounds: int) -> Iterator[Complaint]:
    """Model files that are edited, cut off or have other bytes, with checksums that are right and wrong."""
    saved, edited = folder / "model", folder / "edited"
    content = ModelContent.read(saved)
    edits = [*record_edits(content.record), *array_edits(content), *byte_edits(saved.stat().st_size, 100)]
    for edit in chance.sample([*edits, *map(without_checksum, edits)], min(10 * rounds, len(edits))):
        edited.write_bytes(saved.read_bytes())
        edit(edited)
        name, *others = chance.choice([["parse"], ["parse", "--confidence"], ["parse", "--beam", "4"]])
        yield inside(name, edited, folder / "good.conllu", *others)


def command_lines(folder: Path, chance: random.Random, rounds: int) -> Iterator[Complaint]:
    """Arguments that nobody would give."""
    # but explore, which serves until it is stopped
    names = sorted({*get_command(app).commands} - {"explore"})  # type: ignore[attr-defined]
    helps = {name: CliRunner().invoke(app, [name, "--help"]).stdout for name in names}
    before = Path.cwd()
    os.chdir(folder)  # whatever is written
    try:
        for name in names * rounds:
            options = chance.choices(re.findall(r"--[a-z][a-z-]+", helps[name]), k=chance.randrange(4))
            pairs = [word for option in options for word in [option, chance.choice(WORDS)]]
            yield inside(name, *chance.choices(WORDS, k=chance.randrange(3)), *pairs)
    finally:
        os.chdir(before)


def targets(folder: Path, chance: random.Random, rounds: int) -> Iterator[Complaint]:
    """Outputs that cannot be written: known before training, so that none of it is reported."""
    (folder / "folder").mkdir()
    (folder / "read-only").write_text("mine")
    (folder / "read-only").chmod(0o444)
    (folder / "loop").symlink_to("loop")
    for name in "folder", "folder/", "", "nowhere/x", "read-only", "loop", "x" * 256, "/dev/full", "loop/x", "/proc/x":
        target = f"{folder}/{name}" if name and not name.startswith("/") else name
        result = CliRunner().invoke(app, ["train", str(folder / "good.conllu"), "-o", target])
        ended = result.exit_code == 1 and isinstance(result.exception, SystemExit) and "epoch" not in result.stderr
        yield complaint(result.exit_code, result.stderr) or ("" if ended else f"{name!r}: {result.stderr}")
    yield "" if (folder / "read-only").read_text() == "mine" else "a read-only file has been replaced"


def signals(folder: Path, chance: random.Random, rounds: int) -> Iterator[Complaint]:
    """Signals at any moment; what is left of those that kill is gone after the next run."""
    treebank, output = folder / "good.conllu", folder / "signalled"
    before = time.monotonic()
    subprocess.run([*PROGRAM, "--version"], stdout=subprocess.DEVNULL, check=True)
    started = time.monotonic() - before
    for _ in range(max(rounds // 5, 4)):
        number = chance.choice([signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
        command = [*PROGRAM, "train", str(treebank), "-o", str(output), "--epochs", "3000"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(chance.uniform(started, started + 2))  # after Python's own start
            process.send_signal(number)
            errors = re.sub(r"^epoch .*\n", "", process.communicate(timeout=PATIENCE)[1], flags=re.MULTILINE)
        code = process.returncode
        yield "" if number is signal.SIGKILL else complaint(128 - code if code < 0 else code, errors)
        yield "" if number is signal.SIGKILL or not unfinished(folder) else f"{number.name} left an unfinished file"
    yield inside("train", treebank, "-o", output, "--epochs", 1)
    yield "" if not unfinished(folder) else "an unfinished file of a killed process is still there"


def unfinished(folder: Path) -> list[Path]:
    """The unfinished files in a folder."""
    return [*folder.glob(".*.unfinished")]


def pipes(folder: Path, chance: random.Random, rounds: int) -> Iterator[Complaint]:
    """Streams that are closed, full, or cut off at both ends at any byte."""
    model, treebank = folder / "model", folder / "good.conllu"
    for redirection in "> /dev/full", ">&-", "2>&-", "<&-", "<&- >&- 2>&-", "2> /dev/full", "| head -c 1":
        for command in ["--help"], ["sample"], ["draw", treebank], ["parse", model, "-"], ["oracle", treebank]:
            shell = ["sh", "-c", f'"$@" {redirection}', "sh", *PROGRAM, *map(str, command)]
            done = subprocess.run(shell, input=SAMPLE, capture_output=True, text=True, timeout=PATIENCE, check=False)
            yield complaint(done.returncode, done.stderr)
    for _ in range(max(rounds // 5, 4)):
        part = SAMPLE.encode()[: chance.randrange(len(SAMPLE))]
        with subprocess.Popen(
            [*PROGRAM, "parse", str(model), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(part)
            process.stdin.flush()
            for _ in range(part.count(b"\n\n")):  # answered although the input is open
                while process.stdout.readline() not in (b"\n", b""):
                    pass
            errors = process.communicate(timeout=PATIENCE)[1]
        yield complaint(process.returncode, errors.decode())


def kills(folder: Path, chance: random.Random, rounds: int) -> Iterator[Complaint]:
    """Training that is killed at any moment, and goes on from its checkpoint: the same model to the last byte."""
    trees, dev = [*sample_treebank("train")][:12], [*sample_treebank("dev")][:4]
    trainings: dict[str, Train] = {
        "parser": lambda checkpoint: Parser.train(trees, dev=dev, epochs=3, checkpoint=checkpoint),
        "parser with a beam": lambda checkpoint: Parser.train(trees, dev=dev, epochs=3, beam=4, checkpoint=checkpoint),
        "tagger": lambda checkpoint: Tagger.train(trees, dev=dev, epochs=3, checkpoint=checkpoint),
        **neural_trainings(trees[:6], dev[:2]),
    }
    for name, train in trainings.items():
        (folder / name).mkdir()
        for found in killed(train, max(rounds // 5, 4), folder / name, chance):
            yield found and f"{name}: {found}"


def neural_trainings(trees: list[DependencyTree], dev: list[DependencyTree]) -> dict[str, Train]:
    """Those of neural parsers, where PyTorch is installed."""
    if find_spec("torch") is None:
        return {}
    import torch

    from deptrees.torch import Architecture, BiLSTM, LabeledTransitions, NeuralParser, Transitions, Words

    torch.set_num_threads(1)  # a forked process has no others

    def train(architecture: Architecture, checkpoint: Checkpoint | None) -> Parser:
        return NeuralParser.train(trees, dev=dev, epochs=2, checkpoint=checkpoint, **architecture.arguments())

    words = Words(form=4, tags=4, character=4, spelling=4)
    return {
        f"neural parser, {type(architecture.encoder).__name__}": partial(train, architecture)
        for architecture in (
            Architecture(encoder=BiLSTM(words, hidden=4, layers=1), decoder=Transitions(hidden=4)),
            Architecture(encoder=words, decoder=LabeledTransitions(label=4, hidden=4)),
        )
    }


KINDS: list[Attack] = [files, models, command_lines, targets, signals, pipes, kills]


def attack(kind: Attack, rounds: int, seed: int = 1) -> int:
    """Attack, and print how often, and what was found; the number of complaints."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "good.conllu").write_text(SAMPLE, encoding="utf-8")
        Parser.train(sample_treebank("train"), epochs=2).save(f"{folder}/model")
        found = [*kind(Path(folder), random.Random(seed), rounds)]
    wrong = [*filter(None, found)]
    print(f"{kind.__name__:15} {len(found):6,} attacks, {len(wrong)} complaints", *wrong[:5], sep="\n    ")
    return len(wrong)


def main(rounds: int = 50, seed: int = 1) -> int:
    """All kinds of attacks; the number of complaints."""
    return sum([attack(kind, rounds, seed) for kind in KINDS])


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
