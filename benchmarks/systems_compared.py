"""Parsers that run step by step beside arc-eager: accuracy, and words learnt from and parsed in a second.

Each is trained with default settings, as `deptrees train` does. Speed is by the time of the processor.

    python benchmarks/systems_compared.py path/to/treebanks en_ewt --seeds 1
"""

import argparse
import time
from pathlib import Path

from measuring import Timer, accuracy, run, train_and_test, with_seeds
from more_itertools import consume

from deptrees import Columns

SYSTEMS = ("arc-eager", "ArcSwift", "EasyFirst", "LRSpines")


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One table for a treebank."""
    train, gold = train_and_test(folder, name)
    columns = Columns.encode(train)
    print(f"\n{name}-test, {given.epochs} epochs, {given.seeds} seeds")
    print(f"{'':44} {'UAS':>13} {'LAS':>14} {'exact match':>14} {'training':>16} {'parsing':>16}")
    for system in SYSTEMS:
        before = time.process_time()
        scores, parser = with_seeds(columns, gold, given.seeds, system=system, epochs=given.epochs)
        learnt = given.seeds * given.epochs * len(columns.heads) / (time.process_time() - before)
        parsed = Timer().rate(str(system), lambda: consume(parser.parse(gold)), sum(map(len, gold)), repetitions=2)  # noqa: B023
        print(f"{parser.system!r:44} {accuracy(scores)} {learnt:8,.0f} words/s {parsed:8,.0f} words/s", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
