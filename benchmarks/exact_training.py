"""The same network trained by steps and exactly: which parses better, and whether it knows how sure it is.

Both see s0 and b0 alone. One learns the oracle's transitions, exploring, and parses greedily; the other learns from all
derivations, and finds the best of all. They learn from the first ``--sentences`` of the training data, and choose the
best epoch by a quarter as many of the development data. Scores are means over seeds on the test data, from gold tags; p
is that of the paired t-test over seeds. The last columns are the expected calibration error of heads in percent: of the
marginal probabilities of the one that learned exactly, and of the other one's, learned from development data.

    python benchmarks/exact_training.py path/to/treebanks en_ewt fr_partut hu_szeged tr_imst --epochs 8
"""

import argparse
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import torch
from measuring import run, train_and_test
from scipy import stats

from deptrees import DependencyTree, Parser, Treebank, evaluate
from deptrees.evaluation import reliability
from deptrees.torch import ExactTransitions, NeuralParser, Transitions

DECODERS: dict[str, Any] = {"by steps": Transitions(nodes=("s0", "b0")), "exactly": ExactTransitions()}


def measured(parser: Parser, gold: list[DependencyTree]) -> tuple[float, float, float]:
    """UAS, LAS and the expected calibration error of heads, in percent."""
    parsed = list(parser.parse(gold, confidence=True))
    scores = evaluate(gold, parsed)
    return 100 * scores.uas, 100 * scores.las, 100 * reliability(gold, parsed).expected_calibration_error


def report(folder: Path, treebank: str, given: argparse.Namespace) -> None:
    """Print the rows of a treebank."""
    train, gold = train_and_test(folder, treebank)
    train = train[: given.sentences]
    dev = list(islice(Treebank(folder / f"{treebank}-dev.conllu"), given.sentences // 4))
    torch.set_num_threads(1)
    found = {
        name: np.array(
            [
                measured(NeuralParser.train(train, dev=dev, decoder=decoder, epochs=given.epochs, seed=seed), gold)
                for seed in range(1, given.seeds + 1)
            ]
        )
        for name, decoder in DECODERS.items()
    }
    p = stats.ttest_rel(found["exactly"][:, 1], found["by steps"][:, 1]).pvalue if given.seeds > 1 else 1.0
    for name, rows in found.items():
        print(f"| {treebank} | {name} |", *(f"{fmean(column):.2f} |" for column in rows.T), f"{p:.4f} |", flush=True)


if __name__ == "__main__":
    print("| treebank | learned | UAS | LAS | calibration error | p, LAS |\n" + "|---" * 6 + "|", flush=True)
    run(__doc__, report, sentences=1000)
