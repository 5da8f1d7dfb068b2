"""Which oracle to train with: accuracy on several treebanks, mean and standard deviation over seeds.

The comparison of Goldberg & Nivre 2013, table 1. Static and non-deterministic oracles leave out the trees that a system
cannot build, and do not explore; the dynamic oracle takes them all.

    python benchmarks/oracles_compared.py path/to/treebanks en_ewt tr_imst hu_szeged fr_partut
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from over_treebanks import mean_and_deviation, run

from deptrees import DependencyTree, Treebank, evaluate
from deptrees.engine import Trainer
from deptrees.features import WITH_FEATS
from deptrees.parser import Parser
from deptrees.transition import ArcEager, ArcHybrid, ArcStandard, StackBufferSystem
from deptrees.treebanks.columns import Columns

SYSTEMS = (ArcEager(), ArcEager(root="last"), ArcHybrid(), ArcStandard())
ORACLES = ("static", "nondeterministic", "dynamic")

Accuracy = tuple[float, float, float]
"""UAS, LAS, exact match."""


def accuracies(
    train: Columns, gold: list[DependencyTree], system: StackBufferSystem, oracle: str, seeds: int, epochs: int
) -> Iterator[Accuracy]:
    """The accuracy for each seed."""
    for seed in range(1, seeds + 1):
        trainer = Trainer(train, system, WITH_FEATS, oracle=oracle, seed=seed)
        for _ in range(epochs):
            trainer.epoch()
        scores = evaluate(gold, Parser(trainer.model()).parse(gold))
        yield scores.uas, scores.las, scores.exact_match


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One table for a treebank."""
    train = Columns.encode(Treebank(folder / f"{name}-train.conllu"))
    gold = list(Treebank(folder / f"{name}-test.conllu"))
    share = train.projective.mean()
    print(
        f"\n{name}-test, {given.epochs} epochs, {given.seeds} seeds; {share:.1%} of {len(train):,} trees are projective"
    )
    print(f"{'':24} {'':17} {'UAS':>13} {'LAS':>14} {'exact match':>14}")
    for system in SYSTEMS:
        for oracle in ORACLES:
            columns = zip(*accuracies(train, gold, system, oracle, given.seeds, given.epochs), strict=True)
            print(
                f"{system!r:24} {oracle:17} {'  '.join(mean_and_deviation([*values]) for values in columns)}",
                flush=True,
            )


if __name__ == "__main__":
    run(__doc__, report)
