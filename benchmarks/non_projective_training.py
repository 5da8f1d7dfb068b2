"""What to do with non-projective trees: accuracy of projective systems, with several cures, and of systems that swap.

    python benchmarks/non_projective_training.py path/to/treebanks hu_szeged tr_imst

left out         the static oracle takes the projective trees only
exact            the dynamic oracle takes all: it leads to the best projective tree
head, path, ...  pseudo-projective parsing (Nivre & Nilsson 2005), with the dynamic oracle
eager, lazy      the static oracles of the systems that swap
static-dynamic   the oracle that is static for swaps only (de Lhoneux, Stymne & Nivre 2017)
"""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

from measuring import accuracy, run, train_and_test

from deptrees import Columns, DependencyTree, Parser, evaluate, is_projective
from deptrees.features import WITH_FEATS
from deptrees.parser import Epoch
from deptrees.transition import ArcEager, ArcHybrid, ArcHybridSwap, ArcStandardSwap, System
from deptrees.trees.pseudo_projectivity import Encoding, deprojectivize, projectivize

Change = Callable[[DependencyTree], DependencyTree]
Methods = dict[str, tuple[str, Change, Change]]
"""By their names: the oracle, what is done to the trees before training, and to the parsed ones."""


def same(tree: DependencyTree) -> DependencyTree:
    """The tree itself."""
    return tree


PLAIN: Methods = {
    "left out": ("static", same, same),
    "exact": ("dynamic", same, same),
    **{
        name: ("dynamic", partial(projectivize, encoding=name), partial(deprojectivize, encoding=name))
        for name in get_args(Encoding)
    },
}
EAGER: Methods = {"eager": ("static", same, same)}
METHODS: dict[System, Methods] = {
    ArcEager(root="last"): PLAIN,
    ArcHybrid(): PLAIN,
    ArcStandardSwap(): {**EAGER, "lazy": ("static_lazy_swap", same, same)},
    ArcHybridSwap(): {**EAGER, "static-dynamic": ("static_dynamic", same, same)},
}


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One table for a treebank."""
    train, test = train_and_test(folder, name)
    crossing = sum(not is_projective(tree) for tree in train) / len(train)
    print(f"\n{name}-test, {given.epochs} epochs, {given.seeds} seeds")
    print(f"{crossing:.1%} of {len(train):,} trees are not projective")
    print(f"{'':49} {'UAS':>11} {'LAS':>14} {'exact match':>14}   learnt from")
    for system, methods in METHODS.items():
        for method, (oracle, before, after) in methods.items():
            columns = Columns.encode(map(before, train))
            found, epochs = [], list[Epoch]()
            for seed in range(1, given.seeds + 1):
                options = {"epochs": given.epochs, "seed": seed, "templates": WITH_FEATS}
                parser = Parser.train(columns, system=system, oracle=oracle, on_epoch=epochs.append, **options)
                found.append(evaluate(test, map(after, parser.parse(test))))
            print(f"{system!r:32} {method:14} {accuracy(found)}   {epochs[-1].sentences:,} trees", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
