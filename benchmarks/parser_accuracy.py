"""Accuracy and speed of the ready-made parser: trained on one file, tested on another.

python benchmarks/parser_accuracy.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu
"""

import argparse
import time

from deptrees import Treebank, evaluate
from deptrees.parser import Epoch, Parser
from deptrees.transition import ArcEager, ArcHybrid, dynamic_oracle, static_oracle


def report(epoch: Epoch) -> None:
    """One line an epoch."""
    print(f"  epoch {epoch.number}: {epoch.errors / epoch.transitions:.1%} of {epoch.transitions:,} predictions wrong")


def measure(train: str, test: str, epochs: int, seed: int) -> None:
    """Train and test each configuration of the parser."""
    gold = list(Treebank(test))
    words = sum(map(len, gold))
    for system, oracle in ((ArcEager(), dynamic_oracle), (ArcEager(), static_oracle), (ArcHybrid(), dynamic_oracle)):
        print(f"{system!r}, {oracle.__name__}, {epochs} epochs, seed {seed}")
        start = time.perf_counter()
        parser = Parser.train(Treebank(train), system, oracle, epochs=epochs, seed=seed, on_epoch=report)
        trained = time.perf_counter()
        scores = evaluate(gold, parser.parse(gold))
        parsed = time.perf_counter()
        print(
            f"  UAS {scores.uas:.2%}  LAS {scores.las:.2%}  exact {scores.exact_match:.2%}"
            f"  trained in {trained - start:.0f} s, {words / (parsed - trained):,.0f} words parsed a second"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    measure(arguments.train, arguments.test, arguments.epochs, arguments.seed)
