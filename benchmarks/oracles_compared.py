"""Which oracle to train with: accuracy on several treebanks, mean and standard deviation over seeds.

The comparison of Goldberg & Nivre 2013, table 1. Static and non-deterministic oracles leave out the trees that a system
cannot build, and do not explore; the dynamic oracle takes them all.

    python benchmarks/oracles_compared.py path/to/treebanks en_ewt tr_imst hu_szeged fr_partut
"""

import argparse
from pathlib import Path

from measuring import accuracy, run, train_and_test, with_seeds

from deptrees import Columns
from deptrees.features import WITH_FEATS
from deptrees.transition import ArcEager, ArcHybrid, ArcStandard

SYSTEMS = (ArcEager(), ArcEager(root="last"), ArcHybrid(), ArcStandard())
ORACLES = ("static", "nondeterministic", "dynamic")


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One table for a treebank."""
    train, gold = train_and_test(folder, name)
    columns = Columns.encode(train)
    share = columns.projective.mean()
    print(
        f"\n{name}-test, {given.epochs} epochs, {given.seeds} seeds; {share:.1%} of {len(train):,} trees are projective"
    )
    print(f"{'':26} {'':17} {'UAS':>13} {'LAS':>14} {'exact match':>14}")
    for system in SYSTEMS:
        for oracle in ORACLES:
            options = {"system": system, "oracle": oracle, "templates": WITH_FEATS, "epochs": given.epochs}
            scores, _ = with_seeds(columns, gold, given.seeds, **options)
            print(f"{system!r:26} {oracle:17} {accuracy(scores)}", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
