"""Exactness: losses, costs and oracles of arc-decomposable systems against exhaustive search.

    python -m proof.exactness                   # sentences of 4 words
    python -m proof.exactness --words 6

Every configuration of so many words is compared with every projective tree, in as many systems at once as there are
processors. Which systems are arc-decomposable is found out by enumeration, too
(`deptrees.transition.is_arc_decomposable`). What systems of all kinds are compared with, up to
five words, is in the tests: ``pytest -m "" tests/transition --every-tree``.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import cache, partial

from deptrees import projective_trees
from deptrees.transition import System, is_arc_decomposable, reachable
from proof.processes import in_processes
from tests.transition.configurations import (
    PROJECTIVE_SYSTEMS,
    SINGLE_ROOT_SYSTEMS,
    Losses,
    assert_oracles_are_exact,
)

__all__ = ["main", "pairs", "systems"]

_AT_ONCE = 48


@cache
def systems() -> list[System]:
    """The arc-decomposable tables, with all of their options."""
    return [system for system in PROJECTIVE_SYSTEMS + SINGLE_ROOT_SYSTEMS if is_arc_decomposable(system, 4)]


def pairs(system: System, words: int) -> int:
    """How many pairs of a configuration and a gold tree were compared.

    Raises:
        AssertionError: a loss, a cost or an oracle differs from what exhaustive search finds.
    """
    trees = [tree for tree in projective_trees(words) if len(tree.roots) == 1 or not system.has_single_root]
    configurations, losses = [*reachable(system, words)], Losses(trees)
    count = 0
    for start in range(0, len(trees), _AT_ONCE):  # oracles remember what they found out about the latest trees
        chosen = range(start, min(start + _AT_ONCE, len(trees)))
        count += sum(assert_oracles_are_exact(cfg, losses, chosen) for cfg in configurations)
    return count


def _line(words: int, system: System) -> tuple[str, int]:
    """What is printed of a system, and how many pairs were compared."""
    begin = time.process_time()
    count = pairs(system, words)
    return f"{system}: {count:,} pairs of {words} words, {time.process_time() - begin:.0f} s", count


def main(arguments: list[str] | None = None) -> int:
    """Compare as the command line says; how many pairs there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=4)
    given = parser.parse_args(arguments)
    total = 0
    for line, count in in_processes(partial(_line, given.words), systems()):
        print(line, flush=True)
        total += count
    print(f"all: {total:,} pairs")
    return total


if __name__ == "__main__":
    main()
    sys.exit(0)
