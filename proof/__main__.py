"""All of it, and a report: ``python -m proof``, or ``python -m proof --quick`` for what takes five minutes.

What each part finds is kept until the report is complete, so that a run that was cut off goes on where it was.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from graphlib import CycleError
from itertools import combinations, islice, product
from random import Random
from typing import Any

import attrs

from deptrees import __version__
from deptrees.transition import IllegalTransition, StackBufferSystem, System
from proof import exactness, fuzzing, layers, mutation, odd, reduction, sanitizers
from proof.kept import FOLDER, Kept
from proof.names import one_of
from proof.processes import in_processes

REPORT = FOLDER / "report.md"


@attrs.frozen
class Found:
    """What a part found.

    Args:
        count: how much was tried.
        findings: what is wrong.
        result: what else came of it.
        seconds: how long it took.
    """

    count: str
    findings: Sequence[str] = ()
    result: str = ""
    seconds: float = 0.0


Part = tuple[str, Callable[[], Found]]
"""What is tried, and a function that does it, in a process of its own."""
Section = Callable[[bool], Iterable[Part]]
"""Parts of the proof, in their short form or not."""


def sanitized(quick: bool) -> Iterator[Part]:
    """Tests of what is compiled under sanitizers, and the reader and the engine fuzzed with them."""
    tests = ["tests/engine/test_border.py", "tests/treebanks/test_encoded_text.py"] if quick else [*sanitizers.TESTS]
    yield "tests, reader, engine", partial(_sanitized, tests, *((500, 20) if quick else (30_000, 15_000)))


def _sanitized(tests: Sequence[str], of_reader: int, of_engine: int) -> Found:
    """One after the other, for all of them make the same copy of the source code."""
    fuzzing = ["--python", "-m", "proof.fuzzing"]
    commands = [
        tests,
        [*fuzzing, "reader", "--inputs", str(of_reader)],
        [*fuzzing, "engine", "--inputs", str(of_engine)],
    ]
    findings = [f"{' '.join(command)}: ended with {code}" for command in commands if (code := sanitizers.main(command))]
    return Found(f"{', '.join(tests)}; {of_reader:,} and {of_engine:,} inputs", findings)


INPUTS = {
    "reader": (5_000, 200_000),
    "templates": (20_000, 300_000),
    "systems": (20_000, 300_000),
    "models": (1_000, 100_000),
    "command_line": (100, 5_000),
    "engine": (1_000, 150_000),
}
"""How many inputs there are of each target in the short form, and in the long one."""


def fuzzed(quick: bool) -> Iterator[Part]:
    """Inputs that nobody should give, at random and by coverage."""
    for name, (few, many) in INPUTS.items():
        yield name, partial(_fuzzed, fuzzing.fuzz, name, few if quick else many)
    if importlib.util.find_spec("atheris"):
        for name, (few, many) in INPUTS.items():
            inputs = few // 10 if quick else many // 10
            yield f"{name}, by coverage", partial(_fuzzed, fuzzing.fuzz_guided, name, inputs)


def _fuzzed(how: Callable[[str, int], fuzzing.Fuzzed], name: str, inputs: int) -> Found:
    found = how(name, inputs)
    reached = "" if found.reached is None else f"{found.reached:,} edges"
    return Found(f"{found.inputs:,} inputs", found.findings, reached)


def called(quick: bool) -> Iterator[Part]:
    """Public names called with odd arguments. The commands are among what is fuzzed and attacked."""
    for package in odd.CLEAR if quick else odd.NAMES:
        yield package, partial(_called, package, 20 if quick else 200)


def _called(package: str, calls: int) -> Found:
    found = odd.call_oddly(package, calls)
    unknown = f"{len(found.unknown)} more names have no example" if found.unknown else ""
    return Found(f"{found.calls:,} calls of {found.names} names", found.findings, unknown)


def hostile(quick: bool) -> Iterator[Part]:
    """The command line attacked from outside, in the long form only: a little of it is among the tests."""
    if not quick:
        yield "attacks", _attacked


def _attacked() -> Found:
    code = subprocess.run([sys.executable, "-m", "tests.hostile"], check=False).returncode
    return Found("50 rounds", [f"ended with {code}"] if code else [])


def compared(quick: bool) -> Iterator[Part]:
    """The functional layer and the engine, on random walks and on treebanks."""
    walks = partial(layers.on_walks, count=5 if quick else 16_130)
    for system in layers.SYSTEMS:
        yield f"walks: {system}", partial(_compared, "walks", walks, system)
    for name in [] if quick else layers.VARIANTS:
        yield f"treebanks: {name}", partial(_compared, "sentences", partial(layers.on_treebanks, every=1), name)


def _compared(what: str, how: Callable[[Any], layers.Agreement], system: Any) -> Found:
    found = how(system)
    return Found(f"{found.derivations:,} {what}, {found.steps:,} steps", found.findings)


PAIRS = tuple(f"tests/transition/systems/test_{name}.py" for name in ("every_system", "graph_systems", "systems"))
"""The tests that compare systems with exhaustive search: those that take minutes are run here only."""
_SEARCHES = {
    "ArcStandardSwap": "share_of_the_trees and ArcStandardSwap",
    "ArcHybridSwap": "share_of_the_trees and ArcHybridSwap",
    "all other systems": "not share_of_the_trees",
}
"""Which of the tests that compare systems with exhaustive search are run with all kinds of pairs of five words."""


def exact(quick: bool) -> Iterator[Part]:
    """Systems against exhaustive search: all of them up to five words, arc-decomposable ones of six in the long form.

    In the 2-planar system and that with registers, pairs of five words are compared in part only, by the tests.
    """
    for what, tests in {} if quick else _SEARCHES.items():
        yield what, partial(_every_tree, tests)
    for system in exactness.systems():
        yield repr(system), partial(_pairs, 4 if quick else 6, system)


def _pairs(words: int, system: System) -> Found:
    try:
        return Found(f"{exactness.pairs(system, words):,} pairs of {words} words")
    except AssertionError as error:
        return Found(f"{words} words", [str(error)])


def _every_tree(tests: str) -> Found:
    command = [sys.executable, "-m", "pytest", "-m", "", "--every-tree", "-k", tests, *PAIRS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    pairs = [line for line in done.stdout.splitlines() if "pairs of configuration" in line]
    return Found(" ".join(pairs), [done.stdout[-500:]] if done.returncode else [])


def reduced(quick: bool) -> Iterator[Part]:
    """The reduction behind the conjecture that losses are NP-hard where words swap, built and replayed."""
    yield "random words, with sweepers and without a stack", partial(_agreeing, 400 if quick else 20_000)
    yield "random formulas, without a stack", partial(_replayed, 100 if quick else 4_000)
    clauses = [*product((1, -1), (2, -2))]
    for system in reduction.SYSTEMS:
        formulas = [some for count in range(1, 2 if quick else 4) for some in combinations(clauses, count)]
        yield f"formulas of two variables in {system}", partial(_derived, system, formulas)


def _agreeing(count: int) -> Found:
    rng = Random(1)
    wrong = sum(not reduction.sweepers_agree(rng) for _ in range(count))
    return Found(f"{count:,} orders and trees", [f"{wrong:,} differ"] if wrong else [])


def _replayed(count: int) -> Found:
    try:
        return Found(f"{count:,} formulas", result=f"up to {reduction.main(['--formulas', str(count)]):,} words")
    except (AssertionError, CycleError) as error:
        return Found(f"{count:,} formulas", [str(error)])


def _derived(system: StackBufferSystem, formulas: Sequence[reduction.Formula]) -> Found:
    solved = [(formula, reduction.solved(formula)) for formula in formulas]
    try:
        steps = sum(reduction.derived(system, formula, values) for formula, values in solved if values)
    except (AssertionError, CycleError, IllegalTransition) as error:
        return Found(f"{len(formulas)} formulas", [str(error)])
    return Found(f"{len(formulas)} formulas", result=f"{steps:,} transitions")


def mutated(quick: bool) -> Iterator[Part]:
    """Mutants of the library, a few of each group. What survives is told, and is no finding: it may change nothing."""
    for name in ("policies",) if quick else mutation.GROUPS:
        yield name, partial(_mutated, name, 5 if quick else 12)


def _mutated(name: str, mutants: int) -> Found:
    command = [sys.executable, "-m", "proof.mutation", name, "--mutants", str(mutants)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # nothing is imported there yet
    summary, *survivors = done.stdout.splitlines() or [""]
    told = "; ".join(survivor.strip().replace("|", "\\|") for survivor in survivors)
    return Found(summary, [done.stderr[-500:]] if done.returncode else [], told)


SECTIONS: dict[str, Section] = {
    section.__name__: section for section in (sanitized, fuzzed, called, hostile, compared, exact, reduced, mutated)
}


def main(arguments: list[str] | None = None) -> int:
    """Try what the command line names, and write the report; how many findings there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", type=one_of(SECTIONS), metavar="section", help=", ".join(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="the short form")
    given = parser.parse_args(arguments)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    names, form = given.sections or [*SECTIONS], "short" if given.quick else "long"
    kept = {name: Kept(REPORT.parent / f"{form}-{name}.jsonl") for name in names}
    found, begin = 0, time.monotonic()
    machine = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    with REPORT.open("w", encoding="utf-8") as report:

        def write(*lines: str) -> None:
            for line in lines:
                print(line, flush=True)
                print(line, file=report, flush=True)

        write(f"# deptrees {__version__}: proof, {form} form", "", machine)
        parts = {name: [*SECTIONS[name](given.quick)] for name in names}
        done = in_processes(partial(_found, kept), [(name, part) for name in names for part in parts[name]])
        for number, name in enumerate(names, 1):
            write("", f"## {number} of {len(names)}: {name}", "", str(SECTIONS[name].__doc__))
            write("", "| what | how much | findings | result | seconds |", "|---|---|---|---|---|")
            for what, part in islice(done, len(parts[name])):
                found += len(part.findings)
                findings = "; ".join(part.findings) or "none"
                write(f"| {what} | {part.count} | {findings} | {part.result} | {part.seconds:.0f} |")
        write("", f"{found} findings in all, {time.monotonic() - begin:.0f} s")
    for results in kept.values():
        results.forget()
    return found


def _found(kept: Mapping[str, Kept], named: tuple[str, Part]) -> tuple[str, Found]:
    """What is known of a part of a section, found by now if it was not."""
    section, (what, find) = named

    def find_now() -> dict[str, Any]:
        begin, found = time.monotonic(), find()
        return attrs.asdict(attrs.evolve(found, seconds=time.monotonic() - begin))

    return what, Found(**kept[section](what, find_now))


if __name__ == "__main__":
    sys.exit(bool(main()))
