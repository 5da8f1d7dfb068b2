"""All of it, and a report: ``python -m proof``, or ``python -m proof --quick`` for what takes five minutes."""

from __future__ import annotations

import argparse
import importlib.util
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import attrs

from deptrees import __version__
from deptrees.transition import System
from proof import exactness, fuzzing, layers, mutation, sanitizers
from proof.names import one_of
from proof.processes import in_processes

REPORT = Path("build") / "proof" / "report.md"

Section = Callable[[bool], Iterator["Row"]]
"""A part of the proof, in its short form or not."""


@attrs.frozen
class Row:
    """A row of the report.

    Args:
        what: what was tried.
        count: how often, and on what.
        findings: what is wrong.
        result: what else came of it.
    """

    what: str
    count: str
    findings: Sequence[str] = ()
    result: str = ""


def sanitized(quick: bool) -> Iterator[Row]:
    """Tests of what is compiled under sanitizers, and the reader and the engine fuzzed with them."""
    tests = ["tests/engine/test_border.py", "tests/treebanks/test_encoded_text.py"] if quick else []
    code = sanitizers.main(tests)
    yield Row("tests", ", ".join(tests or sanitizers.TESTS), [f"pytest ended with {code}"] if code else ())
    for name, inputs in ("reader", 500 if quick else 100_000), ("engine", 20 if quick else 2_000):
        code = sanitizers.main(["--python", "-m", "proof.fuzzing", name, "--inputs", str(inputs)])
        yield Row(f"fuzzing: {name}", f"{inputs:,} inputs", [f"ended with {code}"] if code else ())


INPUTS = {
    "reader": (5_000, 1_000_000),
    "templates": (20_000, 1_000_000),
    "systems": (20_000, 1_000_000),
    "models": (1_000, 200_000),
    "command_line": (100, 20_000),
    "engine": (100, 20_000),
}
"""How many inputs there are of each target in the short form, and in the long one."""


def fuzzed(quick: bool) -> Iterator[Row]:
    """Inputs that nobody should give, at random and by coverage."""
    for name, (few, many) in INPUTS.items():
        found = fuzzing.fuzz(name, few if quick else many)
        yield Row(name, f"{found.inputs:,} inputs", found.findings)
    if importlib.util.find_spec("atheris"):
        for name in ("reader", "templates", "systems", "models"):
            found = fuzzing.fuzz_guided(name, INPUTS[name][0] if quick else INPUTS[name][1] // 10)
            yield Row(f"{name}, by coverage", f"{found.inputs:,} inputs", found.findings, f"{found.reached:,} edges")


def hostile(quick: bool) -> Iterator[Row]:
    """The command line attacked from outside, in the long form only: a little of it is among the tests."""
    if not quick:
        code = subprocess.run([sys.executable, "-m", "tests.hostile"], check=False).returncode
        yield Row("attacks", "50 rounds", [f"ended with {code}"] if code else ())


def compared(quick: bool) -> Iterator[Row]:
    """The functional layer and the engine, on random walks and on treebanks."""
    for found in in_processes(partial(layers.on_walks, count=5 if quick else 16_130), layers.SYSTEMS):
        yield Row(f"walks: {found.system}", f"{found.derivations:,} walks, {found.steps:,} steps", found.findings)
    for found in in_processes(partial(layers.on_treebanks, every=1), [] if quick else layers.SYSTEMS):
        steps = f"{found.derivations:,} sentences, {found.steps:,} steps"
        yield Row(f"treebanks: {found.system}", steps, found.findings)


def exact(quick: bool) -> Iterator[Row]:
    """Arc-decomposable systems against exhaustive search, of more words than in the tests; these in the long form."""
    yield from in_processes(partial(_pairs, 4 if quick else 6), exactness.systems())
    if not quick:
        command = [sys.executable, "-m", "pytest", "-m", "", "--every-tree", "tests/transition"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        pairs = [line for line in done.stdout.splitlines() if "pairs of configuration" in line]
        yield Row("all systems", " ".join(pairs), [done.stdout[-500:]] if done.returncode else ())


def _pairs(words: int, system: System) -> Row:
    try:
        return Row(repr(system), f"{exactness.pairs(system, words):,} pairs of {words} words")
    except AssertionError as error:
        return Row(repr(system), f"{words} words", [str(error)])


def mutated(quick: bool) -> Iterator[Row]:
    """Mutants of the library. What survives is told, and is no finding: it may make no difference."""
    for name in ("policies",) if quick else mutation.GROUPS:
        command = [sys.executable, "-m", "proof.mutation", name, "--mutants", "5" if quick else "10000"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # nothing is imported there yet
        summary, *survivors = done.stdout.splitlines() or [""]
        told = "; ".join(survivor.strip().replace("|", "\\|") for survivor in survivors)
        yield Row(name, summary, [done.stderr[-500:]] if done.returncode else (), told)


SECTIONS: dict[str, Section] = {
    section.__name__: section for section in (sanitized, fuzzed, hostile, compared, exact, mutated)
}


def main(arguments: list[str] | None = None) -> int:
    """Try what the command line names, and write the report; how many findings there were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", type=one_of(SECTIONS), metavar="section", help=", ".join(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="the short form")
    given = parser.parse_args(arguments)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    found = 0
    machine = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    with REPORT.open("w", encoding="utf-8") as report:

        def write(*lines: str) -> None:
            for line in lines:
                print(line, flush=True)
                print(line, file=report, flush=True)

        write(f"# deptrees {__version__}: proof, {'short' if given.quick else 'long'} form", "", machine)
        names = given.sections or [*SECTIONS]
        for number, name in enumerate(names, 1):
            section, begin = SECTIONS[name], time.monotonic()
            write("", f"## {number} of {len(names)}: {name}", "", str(section.__doc__))
            write("", "| what | how much | findings | result |", "|---|---|---|---|")
            for row in section(given.quick):
                found += len(row.findings)
                write(f"| {row.what} | {row.count} | {'; '.join(row.findings) or 'none'} | {row.result} |")
            write("", f"{time.monotonic() - begin:.0f} s")
        write("", f"{found} findings in all")
    return found


if __name__ == "__main__":
    sys.exit(bool(main()))
