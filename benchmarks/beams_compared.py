"""Ways to train with a beam: labeled attachment score after each epoch, the mean over seeds.

Greedy training beside early update, max-violation and restarts (Huang, Fayong & Guo 2012; Aufrant, Wisniewski & Yvon
2017), with one correct derivation or all of them. The last column is the standard deviation in the last epoch.

    python benchmarks/beams_compared.py path/to/treebanks hu_szeged tr_imst fr_partut
"""

import argparse
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from deptrees import DependencyTree, Treebank, evaluate
from deptrees.engine import Columns, Trainer
from deptrees.parser import Parser
from deptrees.templates import WITH_FEATS
from deptrees.transition import ArcEager

SYSTEM = ArcEager(root="last")
STRATEGIES: dict[str, dict[str, Any]] = {
    "greedy, static": {"oracle": "static", "beam": 1},
    "greedy, dynamic": {"oracle": "dynamic", "beam": 1},
    "early, static": {"oracle": "static", "update": "early", "restart": False},
    "early, dynamic": {"oracle": "dynamic", "update": "early", "restart": False, "exploration": 0.0},
    "max-violation, static": {"oracle": "static", "update": "max_violation", "restart": False},
    "max-violation, dynamic": {"oracle": "dynamic", "update": "max_violation", "restart": False, "exploration": 0.0},
    "early, restart": {"oracle": "dynamic", "update": "early", "exploration": 0.0},
    "max-violation, restart": {"oracle": "dynamic", "update": "max_violation", "exploration": 0.0},
    "early, exploring": {"oracle": "dynamic", "update": "early"},
    "max-violation, exploring": {"oracle": "dynamic", "update": "max_violation"},
}


def scores(train: Columns, gold: list[DependencyTree], strategy: dict[str, Any], seed: int, epochs: int) -> list[float]:
    """The labeled attachment score after each epoch."""
    found = []
    trainer = Trainer(train, SYSTEM, WITH_FEATS, seed=seed, **strategy)
    for _ in range(epochs):
        trainer.epoch()
        found.append(evaluate(gold, Parser(trainer.model()).parse(gold)).las)
    return found


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One table for a treebank."""
    train = Columns.encode(Treebank(folder / f"{name}-train.conllu"))
    gold = list(Treebank(folder / f"{name}-test.conllu"))
    print(f"\n{name}-test, LAS, {SYSTEM}, beam {given.beam}, {given.seeds} seeds")
    print(f"{'epoch':26}" + "".join(f"{epoch:7}" for epoch in range(1, given.epochs + 1)))
    for label, strategy in STRATEGIES.items():
        options = {"beam": given.beam, **strategy}
        runs = [scores(train, gold, options, seed, given.epochs) for seed in range(1, given.seeds + 1)]
        means = "".join(f"{100 * fmean(las):7.2f}" for las in zip(*runs, strict=True))
        last = [run[-1] for run in runs]
        print(f"{label:26}{means} ± {100 * stdev(last) if len(last) > 1 else 0:.2f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--beam", type=int, default=8)
    arguments = parser.parse_args()
    for treebank in arguments.treebanks:
        report(arguments.folder, treebank, arguments)
