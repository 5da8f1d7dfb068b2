"""Mutation: whether tests tell small changes to the library from what was written.

    python -m proof.mutation                    # 20 mutants of each group of modules, chosen at random
    python -m proof.mutation policies --mutants 1000 --seed 2
    python -m proof.mutation losses --modules releases precedences --mutants 1000

Each mutant is imported in a process of its own, which runs the tests of its module, those of the quick tier and the
examples in docstrings. It is killed if one of them fails, or takes four times as long as without it. What survives is
printed: a test is missing, or the change makes no difference to anybody. What became of each is kept until the whole
group is done, so that a run that was cut off goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

import attrs

from proof.kept import FOLDER, Kept
from proof.mutants import Mutant, install, mutants
from proof.names import one_of

__all__ = ["GROUPS", "Group", "Mutated", "main", "mutate"]


@attrs.frozen
class Group:
    """Modules, as patterns of their files, and what tests them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def files(self) -> list[Path]:
        """The files of the modules."""
        return sorted(path for pattern in self.modules for path in Path().glob(pattern))


_SYSTEMS = ("tests/transition/systems", "tests/transition/table", "tests/transition/losses")
_ANY_SYSTEM = tuple(
    f"tests/transition/test_{name}.py"
    for name in ("configurations", "sequences", "enumeration", "explanation", "description")
)
GROUPS = {
    "table": Group(("deptrees/transition/table/*.py",), (*_ANY_SYSTEM, *_SYSTEMS, "tests/engine/test_engine.py")),
    "systems": Group(("deptrees/transition/systems/*.py",), _SYSTEMS),
    "losses": Group(
        ("deptrees/transition/losses/*.py",),
        ("tests/transition/losses", "tests/transition/test_constraints.py", *_SYSTEMS),
    ),
    "policies": Group(
        ("deptrees/transition/policies.py", "deptrees/messages.py"),
        ("tests/transition/test_policies.py", "tests/transition/test_sequences.py", "tests/test_arguments.py"),
    ),
    "readers": Group(("deptrees/treebanks/[clpt]*.py",), ("tests/treebanks",)),
}
"""The groups of modules by their names."""
_OF_TESTS = ("pytest", "sklearn.cluster")
"""What tests import, and no mutant has to: once for all of them."""
_PATIENCE = 10
"""How many times the seconds of the processor tests may take by the clock."""


@attrs.frozen
class Mutated:
    """What became of mutants of a group.

    Args:
        group: its name.
        mutants: how many there were.
        survivors: those that no test told from what was written.
        seconds: how long it took.
    """

    group: str
    mutants: int
    survivors: tuple[Mutant, ...]
    seconds: float


def mutate(name: str, count: int, seed: int = 1, modules: Sequence[str] = ()) -> Mutated:
    """Run the tests of a group with so many of its mutants, chosen at random.

    Args:
        name: the name of the group.
        count: how many mutants, at most.
        seed: what chooses them.
        modules: the names of those of its modules that are mutated; all, if there are none.

    Raises:
        RuntimeError: the tests fail without a mutant, or this process has imported the library.
    """
    if "deptrees" in sys.modules:
        raise RuntimeError("the library has been imported: mutants can no longer take the place of its modules")
    for package in _OF_TESTS:
        import_module(package)
    group = GROUPS[name]
    begin, before = time.monotonic(), _processor_seconds()
    if not _passes(None, group.tests, 600):
        raise RuntimeError(f"the tests of {name} fail as they are")
    limit = 4 * (_processor_seconds() - before) + 10
    paths = [path for path in group.files if not modules or path.stem in modules]
    found = [mutant for path in paths for mutant in mutants(path)]
    chosen = random.Random(seed).sample(found, min(count, len(found)))
    kept = Kept(FOLDER / f"mutants-{name}.jsonl")

    def survives(mutant: Mutant) -> bool:
        return _passes(mutant, (str(mutant.path), *group.tests), limit)

    survivors = [mutant for mutant in chosen if kept(mutant.name, partial(survives, mutant))]
    kept.forget()
    return Mutated(name, len(chosen), tuple(survivors), time.monotonic() - begin)


def _processor_seconds() -> float:
    """How much of the processor the tests have taken so far."""
    used = os.times()
    return used.children_user + used.children_system


def _passes(mutant: Mutant | None, tests: Sequence[str], limit: float) -> bool:
    """Whether tests pass in a process of their own, with a mutant if there is one, within some processor seconds."""
    import resource

    process = os.fork()
    if process:
        return os.waitpid(process, 0)[1] == 0
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit)))
        signal.alarm(_PATIENCE * int(limit))  # one that waits for what never comes takes no time of the processor
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        if mutant is not None:
            install(mutant)
        import pytest

        code = int(pytest.main(["-x", "-p", "no:cacheprovider", "-p", "no:xdist", *dict.fromkeys(tests)]))
    finally:
        os._exit(code)


def main(arguments: list[str] | None = None) -> int:
    """Mutate what the command line names; how many survivors there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", type=one_of(GROUPS), metavar="group", help=", ".join(GROUPS))
    parser.add_argument("--modules", nargs="+", default=[], help="the names of those of their modules that are mutated")
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    survivors = 0
    for name in given.groups or GROUPS:
        found = mutate(name, given.mutants, given.seed, given.modules)
        killed = found.mutants - len(found.survivors)
        print(f"{name}: {killed} of {found.mutants} mutants killed, {found.seconds:.0f} s", flush=True)
        for mutant in found.survivors:
            print(f"    {mutant}", flush=True)
        survivors += len(found.survivors)
    return survivors


if __name__ == "__main__":
    main()
    sys.exit(0)
