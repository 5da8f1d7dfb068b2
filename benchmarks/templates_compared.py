"""Ready-made sets of feature templates: labeled attachment score, the mean over seeds, and how fast they parse.

Speed is measured in processor time, as the best of several repetitions.

    python benchmarks/templates_compared.py path/to/treebanks en_ewt fr_partut hu_szeged tr_imst
"""

import argparse
from functools import partial
from pathlib import Path

from measuring import Timer, mean_and_deviation, run, train_and_test, with_seeds

from deptrees import Columns
from deptrees.features import ready_made
from deptrees.transition import ArcEager

SYSTEM = ArcEager(root="last")


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One table for a treebank."""
    train, gold = train_and_test(folder, name)
    train_columns, columns = Columns.encode(train), Columns.encode(gold)
    print(f"\n{name}-test, LAS, {SYSTEM}, {given.epochs} epochs, {given.seeds} seeds")
    for label in ready_made.__all__:
        templates = getattr(ready_made, label)
        options = {"system": SYSTEM, "templates": templates, "epochs": given.epochs}
        scores, parser = with_seeds(train_columns, gold, given.seeds, **options)
        rate = Timer().rate(label, partial(parser.model.parse, columns), len(columns.heads))
        las = mean_and_deviation(each.las for each in scores)
        print(f"{label:16}{len(templates):5} templates   {las} {rate:11,.0f} words/s", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
