"""For each system, the share of trees that it can build and the sentences a second that its oracles handle.

python benchmarks/oracles_on_treebanks.py path/to/*-dev.conllu
"""

import argparse
import time
from pathlib import Path
from typing import Any

from deptrees import DependencyTree, Treebank
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    ArcSwift,
    Attardi,
    EasyFirst,
    ListBasedNonProjective,
    ListBasedProjective,
    LRSpines,
    NonMonotonicArcEager,
    Oracle,
    System,
    TwoPlanar,
    dynamic_oracle,
    nondeterministic_oracle,
    static_oracle,
)

SYSTEMS: list[System] = [
    ArcStandard(),
    ArcHybrid(),
    ArcHybrid(root="last"),
    ArcEager(),
    ArcEager(root="last"),
    NonMonotonicArcEager(),
    ArcSwift(),
    EasyFirst(),
    LRSpines(),
    ListBasedProjective(),
    ListBasedNonProjective(),
    Attardi(1),
    Attardi(2),
    Attardi(3),
    TwoPlanar(),
    ArcStandardSwap(),
    ArcHybridSwap(),
]


def sentences_a_second(oracle: Oracle, trees: list[DependencyTree]) -> float:
    """How fast an oracle goes through the trees that it takes."""
    fresh = [DependencyTree(tree.tokens) for tree in trees]
    start = time.perf_counter()
    taken = 0
    for tree in fresh:
        sequence = oracle(tree)
        taken += bool(sequence)
        for _ in sequence:
            pass
    return taken / (time.perf_counter() - start)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--sentences", type=int, help="how many to time the oracles on; all for coverage")
    functions: list[Any] = [static_oracle, nondeterministic_oracle, dynamic_oracle]
    arguments = parser.parse_args()
    for path in arguments.treebanks:
        trees = list(Treebank(path))
        print(f"{Path(path).stem + f', {len(trees):,} trees':40} built   static  nondeterministic  dynamic (all trees)")
        for system in SYSTEMS:
            built = sum(system.obstacle(tree) is None for tree in trees) / len(trees)
            speeds = [
                sentences_a_second(Oracle(system, function), trees[: arguments.sentences]) for function in functions
            ]
            print(f"  {system!r:36} {built:7.1%} {speeds[0]:8,.0f} {speeds[1]:17,.0f} {speeds[2]:8,.0f}")
