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
    ArcEagerPartial,
    ArcEagerSpan,
    ArcHybrid,
    ArcHybridPartial,
    ArcHybridSpan,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    ArcSwift,
    Attardi,
    Configuration,
    EasyFirst,
    ListBasedNonProjective,
    ListBasedProjective,
    LossNotFound,
    LRSpines,
    NonMonotonicArcEager,
    Oracle,
    Swap,
    System,
    Transition,
    TwoPlanar,
    approximate_dynamic_oracle,
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
    ArcEagerPartial(),
    ArcHybridPartial(),
    ArcEagerSpan(10),
    ArcHybridSpan(10),
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


FUNCTIONS: dict[str, Any] = {
    "static": static_oracle,
    "nondeterministic": nondeterministic_oracle,
    "dynamic": dynamic_oracle,
    "approximate_dynamic": approximate_dynamic_oracle,
}


def first(cfg: Configuration, possible: tuple[Transition, ...], gold: tuple[Transition, ...]) -> Transition:
    """The policy that goes on with the first of an oracle's answers."""
    return gold[0]


def sentences_a_second(oracle: Oracle, trees: list[DependencyTree], seconds: float) -> tuple[float, int]:
    """How fast an oracle goes through the trees that it takes, and for how many a loss was not found.

    Where it goes on from a configuration is drawn at random from its answers. Where words are swapped it is the first
    of exact ones, along which losses are mostly found (see oracles_with_swaps.py). When the time is over, it stops.
    """
    searches = oracle.function in (nondeterministic_oracle, dynamic_oracle)
    policy = first if searches and Swap() in oracle.system.transition_space() else None
    fresh = [DependencyTree(tree.tokens) for tree in trees]
    taken = not_found = 0
    start = time.process_time()
    for tree in fresh:
        sequence = oracle(tree, policy)
        taken += bool(sequence)
        try:
            for _ in sequence:
                pass
        except LossNotFound:
            not_found += 1
        if time.process_time() - start > seconds:
            break
    return taken / (time.process_time() - start), not_found


def report(system: System, trees: list[DependencyTree], seconds: float) -> None:
    """One line for a system."""
    built = sum(system.obstacle(tree) is None for tree in trees) / len(trees)
    cells = []
    for name, function in FUNCTIONS.items():
        if getattr(system.oracles, name) is None:
            cells.append("-")
            continue
        speed, not_found = sentences_a_second(Oracle(system, function), trees, seconds)
        cells.append(f"{speed:,.0f}" + (f", {not_found} not found" if not_found else ""))
    print(f"  {system!r:36} {built:7.1%}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--seconds", type=float, default=5, help="how long to time each oracle at most")
    arguments = parser.parse_args()
    for path in arguments.treebanks:
        gold = list(Treebank(path))
        print(f"{Path(path).stem + f', {len(gold):,} trees':38}   built" + "".join(f"{name:>20}" for name in FUNCTIONS))
        for each in SYSTEMS:
            report(each, gold, arguments.seconds)
