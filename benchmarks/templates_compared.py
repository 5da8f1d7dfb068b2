"""Ready-made sets of feature templates: labeled attachment score, the mean over seeds, and how fast they parse.

How fast is told by the time of the processor, the best of some repetitions.

    python benchmarks/templates_compared.py path/to/treebanks en_ewt fr_partut hu_szeged tr_imst
"""

import argparse
import time
from pathlib import Path

from over_treebanks import mean_and_deviation, run

from deptrees import Treebank, evaluate
from deptrees.engine import Trainer
from deptrees.features import DELEXICALIZED, FAST, MORPHOLOGICAL, WITH_FEATS, ZHANG_NIVRE
from deptrees.parser import Parser
from deptrees.transition import ArcEager
from deptrees.treebanks.columns import Columns

SETS = {
    "DELEXICALIZED": DELEXICALIZED,
    "ZHANG_NIVRE": ZHANG_NIVRE,
    "MORPHOLOGICAL": MORPHOLOGICAL,
    "WITH_FEATS": WITH_FEATS,
    "FAST": FAST,
}
REPETITIONS = 5


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One table for a treebank."""
    train = Columns.encode(Treebank(folder / f"{name}-train.conllu"))
    gold = list(Treebank(folder / f"{name}-test.conllu"))
    columns = Columns.encode(gold)
    print(f"\n{name}-test, LAS, {ArcEager(root='last')}, {given.epochs} epochs, {given.seeds} seeds")
    for label, templates in SETS.items():
        scores, seconds = [], []
        for seed in range(1, given.seeds + 1):
            trainer = Trainer(train, ArcEager(root="last"), templates, seed=seed)
            for _ in range(given.epochs):
                trainer.epoch()
            model = trainer.model()
            scores.append(evaluate(gold, Parser(model).parse(gold)).las)
            for _ in range(REPETITIONS):
                start = time.process_time()
                model.parse(columns)
                seconds.append(time.process_time() - start)
        rate = f"{len(columns.heads) / min(seconds):11,.0f} words/s"
        print(f"{label:16}{len(templates):5} templates   {mean_and_deviation(scores)} {rate}", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
