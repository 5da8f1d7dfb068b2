"""The same network trained by steps and exactly, and decoded greedily and exactly: what is best, and how sure it is.

Both see s0 and b0 alone. One learns the oracle's transitions, exploring; the other learns from all derivations. Each
parses greedily, and with the best derivation of all by the same scores. They learn from the first ``--sentences`` of
the training data, and choose the best epoch, by their own way of decoding, from a quarter as many of the development
data. Scores are means over seeds on the test data, from gold tags; p is that of the paired t-test over seeds against
the first row. The last column is the expected calibration error of heads in percent: of the marginal probabilities of
the one that learned exactly, and of the other one's, learned from development data.

    python benchmarks/exact_training.py path/to/treebanks en_ewt fr_partut hu_szeged tr_imst --epochs 8
"""

import argparse
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import torch
from measuring import run, train_and_test
from scipy import stats

from deptrees import DependencyTree, Parser, Treebank, evaluate
from deptrees.evaluation import reliability
from deptrees.torch import ExactTransitions, NeuralParser, Transitions

DECODERS: dict[str, Any] = {"greedy": Transitions(nodes=("s0", "b0")), "exact": ExactTransitions()}
"""By how they decode. What they learn is a network of the same form."""
LEARNED = {"greedy": "by steps", "exact": "exactly"}


def decoding(parser: Parser, how: str) -> Parser:
    """The same parser, which decodes in one of the ways."""
    model: Any = parser.model
    architecture = attrs.evolve(model.architecture, decoder=DECODERS[how])
    return attrs.evolve(parser, model=attrs.evolve(model, architecture=architecture))


def measured(parser: Parser, own: str, gold: list[DependencyTree]) -> dict[str, tuple[float, float, float]]:
    """UAS, LAS and, in its own way of decoding, the expected calibration error of heads, in percent."""
    found = {}
    for how in DECODERS:
        parsed = list(decoding(parser, how).parse(gold, confidence=how == own))
        scores = evaluate(gold, parsed)
        error = reliability(gold, parsed).expected_calibration_error if how == own else np.nan
        found[how] = (100 * scores.uas, 100 * scores.las, 100 * error)
    return found


def report(folder: Path, treebank: str, given: argparse.Namespace) -> None:
    """Print the rows of a treebank."""
    train, gold = train_and_test(folder, treebank)
    train = train[: given.sentences]
    dev = list(islice(Treebank(folder / f"{treebank}-dev.conllu"), given.sentences // 4))
    torch.set_num_threads(1)
    found: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for seed in range(1, given.seeds + 1):
        for own, decoder in DECODERS.items():
            parser = NeuralParser.train(train, dev=dev, decoder=decoder, epochs=given.epochs, seed=seed)
            for how, scores in measured(parser, own, gold).items():
                found.setdefault((own, how), []).append(scores)
    first = [las for _, las, _ in found["greedy", "greedy"]]
    for (own, how), rows in found.items():
        uas, las, error = np.mean(rows, axis=0)
        other = [row[1] for row in rows]
        p = stats.ttest_rel(other, first).pvalue if other != first and given.seeds > 1 else np.nan
        cells = f"{uas:.2f}", f"{las:.2f}", f"{p:.4f}".replace("nan", ""), f"{error:.2f}".replace("nan", "")
        print(f"| {treebank} | {LEARNED[own]} | {how} |", *(f"{cell} |" for cell in cells), flush=True)


if __name__ == "__main__":
    heads = "treebank", "learned", "decoding", "UAS", "LAS", "p", "calibration error"
    print(f"| {' | '.join(heads)} |\n" + "|---" * len(heads) + "|", flush=True)
    run(__doc__, report, sentences=1000)
