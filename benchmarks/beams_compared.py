"""Ways to train with a beam: labeled attachment score after each epoch, the mean over seeds.

Greedy training beside early update, max-violation and restarts (Huang, Fayong & Guo 2012; Aufrant, Wisniewski & Yvon
2017), with one correct derivation or all of them. The last column is the last epoch with its standard deviation.

    python benchmarks/beams_compared.py path/to/treebanks hu_szeged tr_imst fr_partut
"""

import argparse
from pathlib import Path
from statistics import fmean
from typing import Any

from measuring import mean_and_deviation, run, train_and_test

from deptrees import Columns, DependencyTree, Parser
from deptrees.features import WITH_FEATS
from deptrees.parser import Epoch
from deptrees.transition import ArcEager

SYSTEM = ArcEager(root="last")
STRATEGIES: dict[str, dict[str, Any]] = {
    "greedy, static": {"oracle": "static", "beam": 1},
    "greedy, dynamic": {"oracle": "dynamic", "beam": 1},
    "early, static": {"oracle": "static", "update": "early", "restart": False},
    "early, dynamic": {"oracle": "dynamic", "update": "early", "restart": False, "exploration": 0.0},
    "max-violation, static": {"oracle": "static", "update": "max_violation", "restart": False},
    "max-violation, dynamic": {"oracle": "dynamic", "update": "max_violation", "restart": False, "exploration": 0.0},
    "max-violation from error, static": {"oracle": "static", "update": "max_violation_from_error", "restart": False},
    "early, restart": {"oracle": "dynamic", "update": "early", "exploration": 0.0},
    "max-violation, restart": {"oracle": "dynamic", "update": "max_violation", "exploration": 0.0},
    "early, exploring": {"oracle": "dynamic", "update": "early"},
    "max-violation, exploring": {"oracle": "dynamic", "update": "max_violation"},
}


def scores(train: Columns, gold: list[DependencyTree], **options: Any) -> list[float]:
    """The labeled attachment score after each epoch."""
    found: list[float] = []

    def note(epoch: Epoch) -> None:
        assert epoch.scores
        found.append(epoch.scores.las)

    Parser.train(train, system=SYSTEM, dev=gold, templates=WITH_FEATS, on_epoch=note, **options)
    return found


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One table for a treebank."""
    train, gold = train_and_test(folder, name)
    columns = Columns.encode(train)
    print(f"\n{name}-test, LAS, {SYSTEM}, beam {given.beam}, {given.seeds} seeds")
    print(f"{'epoch':34}" + "".join(f"{epoch:7}" for epoch in range(1, given.epochs + 1)))
    for label, strategy in STRATEGIES.items():
        options = {"beam": given.beam, "epochs": given.epochs, **strategy}
        runs = [scores(columns, gold, seed=seed, **options) for seed in range(1, given.seeds + 1)]
        means = "".join(f"{100 * fmean(las):7.2f}" for las in zip(*runs, strict=True))
        print(f"{label:34}{means}   {mean_and_deviation(las[-1] for las in runs)}", flush=True)


if __name__ == "__main__":
    run(__doc__, report, beam=8)
