"""Fuzzing: files, words and arrays that nobody should give, by chance, from a kept corpus of nasty ones.

    python -m proof.fuzzing                     # every target, 1,000 inputs each
    python -m proof.fuzzing reader --inputs 1000000 --seed 2
    python -m proof.fuzzing templates --guided --inputs 100000

Without ``--guided`` inputs are those of the corpus, changed and put together at random. With it, atheris chooses them
by which lines of the library they reach. What is found is kept in ``build/proof``; an input that told of an error has
its place in ``proof/corpus`` when the error is mended.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from proof.kept import FOLDER
from proof.names import one_of
from proof.processes import answers
from proof.targets import TARGETS, seeds

__all__ = ["Fuzzed", "fuzz", "fuzz_guided", "main"]

ROOT = Path(__file__).resolve().parent.parent
_PATIENCE = 60.0
"""How many seconds an input may take."""
_MOST_FINDINGS = 10
BYTES = [0, 1, 9, 10, 13, 32, 35, 45, 46, 48, 49, 95, 127, 128, 255]


@attrs.frozen
class Fuzzed:
    """What came of fuzzing a target.

    Args:
        target: its name.
        inputs: how many inputs there were.
        seconds: how long it took.
        findings: for each input that ended in something else than a clear answer, where it is kept, and in what.
        reached: the edges of the library's code that were reached, if they were counted.
    """

    target: str
    inputs: int
    seconds: float
    findings: tuple[str, ...]
    reached: int | None = None


def mutated(known: tuple[bytes, ...], chance: random.Random) -> bytes:
    """An input made of those that are known."""
    content = chance.choice(known)
    for _ in range(chance.choice([1, 1, 1, 2, 4, 8])):
        start, length = chance.randrange(len(content) + 1), chance.choice([0, 0, 1, 1, 2, 4, 30, 300])
        other = chance.choice(known)
        place = chance.randrange(len(other) + 1)
        middle = chance.choice(
            [
                b"",
                bytes([chance.choice(BYTES)]),
                chance.randbytes(chance.choice([1, 2, 4])),
                other[place : place + chance.choice([1, 4, 20, 100])],
                content[start : start + 10] * chance.choice([2, 50]),
            ]
        )
        content = content[:start] + middle + content[start + length :]
    return content


def fuzz(name: str, inputs: int, seed: int = 1) -> Fuzzed:
    """Fuzz a target with the corpus, and with so many inputs made of it; stops after ten findings."""
    begin, count, findings = time.monotonic(), 0, list[str]()
    for error in _errors(name, inputs, seed):
        count += 1
        findings += [error] if error else []
        if len(findings) == _MOST_FINDINGS:
            break
    return Fuzzed(name, count, time.monotonic() - begin, tuple(findings))


def _errors(name: str, inputs: int, seed: int) -> Iterator[str]:
    """What is wrong with the answer to each input, which is kept then; nothing, if it is clear."""
    found = answers(partial(_try, name, inputs, seed), len(seeds(name)) + inputs, _PATIENCE)
    for content, error in zip(_inputs(name, inputs, seed), found, strict=True):
        yield error and _keep(name, content, error)


def _inputs(name: str, inputs: int, seed: int) -> Iterator[bytes]:
    """The corpus, and so many inputs made of it."""
    known, chance = seeds(name), random.Random(seed)
    yield from known
    for _ in range(inputs):
        yield mutated(known, chance)


def _try(name: str, inputs: int, seed: int, first: int) -> Iterator[str]:
    """What is wrong with the answers to the inputs from a number on."""
    target = TARGETS[name]
    for content in islice(_inputs(name, inputs, seed), first, None):
        try:
            target(content)
        except Exception as error:
            yield traceback.format_exception_only(error)[-1].strip()[:300]
        else:
            yield ""


def _keep(name: str, content: bytes, error: str) -> str:
    """Keep an input, and tell where it is and what is wrong."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}-{sha256(content).hexdigest()[:12]}"
    path.write_bytes(content)
    return f"{path}: {error}"


def fuzz_guided(name: str, inputs: int, seed: int = 1) -> Fuzzed:
    """Fuzz a target by atheris, which looks for inputs that reach other lines of the library; stops at a finding."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    with TemporaryDirectory() as folder:
        for number, content in enumerate(seeds(name)):
            (Path(folder) / str(number)).write_bytes(content)
        limits = [f"-runs={inputs}", f"-seed={seed}", f"-artifact_prefix={FOLDER.resolve()}/{name}-", "-timeout=60"]
        command = [
            sys.executable,
            "-m",
            "proof.guided",
            name,
            *limits,
            f"-max_len={2 * max(map(len, seeds(name)))}",
            folder,
        ]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    progress = re.findall(r"^#(\d+)\s.*cov: (\d+)", done.stderr, re.MULTILINE)
    count, reached = map(int, progress[-1]) if progress else (0, 0)
    findings = () if done.returncode == 0 else (done.stderr[-2000:],)
    return Fuzzed(name, count, time.monotonic() - begin, findings, reached)


def main(arguments: list[str] | None = None) -> int:
    """Fuzz what the command line names; how many findings there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", type=one_of(TARGETS), metavar="target", help=", ".join(TARGETS))
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guided", action="store_true")
    given = parser.parse_args(arguments)
    found = 0
    for name in given.targets or TARGETS:
        result = (fuzz_guided if given.guided else fuzz)(name, given.inputs, given.seed)
        print(f"{name}: {result.inputs:,} inputs, {result.seconds:.0f} s, {len(result.findings)} findings", flush=True)
        for finding in result.findings:
            print(f"    {finding}")
        found += len(result.findings)
    return found


if __name__ == "__main__":
    sys.exit(bool(main()))
