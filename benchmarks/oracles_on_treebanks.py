"""For each system, the share of trees that it can build and the sentences a second that its oracles handle.

python benchmarks/oracles_on_treebanks.py path/to/*-dev.conllu
"""

from pathlib import Path
from typing import Any

import attrs
from measuring import Timer, arguments
from more_itertools import consume

from deptrees import DependencyTree, Treebank
from deptrees.transition import (
    REGISTRY,
    Configuration,
    LossNotFound,
    Oracle,
    Swap,
    System,
    Transition,
    approximate_dynamic_oracle,
    dynamic_oracle,
    nondeterministic_oracle,
    static_oracle,
)

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "ArcEagerSpan": {"max_span": (10,)},
    "ArcHybridSpan": {"max_span": (10,)},
    "JointTags": {"untagged": ("arc-standard",)},
}
"""Where those of the registry suit shorter sentences, or have fewer tags than words do."""


def systems() -> list[System]:
    """All systems, with all places of ROOT and all other options, except for those that only restrict trees."""
    found = [attrs.evolve(each, options=OPTIONS.get(each.name, each.options)) for each in REGISTRY.values()]
    return [
        system
        for each in found
        for system in each.variants
        if not getattr(system, "single_root", False)
        and getattr(system, "root", "") != "none"
        and not ("empty_means_unknown" in each.options and system.empty_means_unknown)
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


def sentences_a_second(oracle: Oracle, trees: list[DependencyTree]) -> tuple[float, int]:
    """How fast an oracle goes through the trees that it takes, and for how many a loss was not found.

    Where it goes on from a configuration is drawn at random from its answers. Where words are swapped it is the first
    of exact ones, along which losses are mostly found (see oracles_with_swaps.py).
    """
    searches = oracle.function in (nondeterministic_oracle, dynamic_oracle)
    policy = first if searches and Swap() in oracle.system.transition_space() else None
    taken = not_found = 0

    def work(fresh: list[DependencyTree]) -> None:
        nonlocal taken, not_found
        for tree in fresh:
            sequence = oracle(tree, policy)
            taken += bool(sequence)
            try:
                consume(sequence)
            except LossNotFound:
                not_found += 1

    a_second = Timer().rate_with_fresh_trees(repr(oracle.system), work, trees, 1, repetitions=1)
    return taken * a_second, not_found


def report(system: System, trees: list[DependencyTree], count: int) -> None:
    """One line for a system.

    Oracles are timed on so many trees from everywhere in the treebank, the same for all: sentences differ in how long
    they take, by far.
    """
    timed = trees[:: max(1, len(trees) // count)][:count]
    built = sum(system.obstacle(tree) is None for tree in trees) / len(trees)
    cells = []
    for name, function in FUNCTIONS.items():
        if getattr(system.oracles, name) is None:
            cells.append("-")
            continue
        speed, not_found = sentences_a_second(Oracle(system, function), timed)
        cells.append(f"{speed:,.0f}" + (f", {not_found} not found" if not_found else ""))
    print(f"  {system!r:42} {built:7.1%}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--sentences", type=int, default=100, help="how many to time each oracle on")
    given = parser.parse_args()
    for path in given.treebanks:
        gold = list(Treebank(path))
        print(f"{Path(path).stem + f', {len(gold):,} trees':44}   built" + "".join(f"{name:>20}" for name in FUNCTIONS))
        for each in systems():
            report(each, gold, given.sentences)
