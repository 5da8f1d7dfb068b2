"""Accuracy and speed of the tagger: trained on one file, tested on another.

python benchmarks/tagger_accuracy.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu
"""

import argparse
import time

from deptrees import DependencyTree, Treebank, tag_accuracy
from deptrees.tagger import Hyperparameters, Tagger

REPETITIONS = 3


def measure(train: list[DependencyTree], test: list[DependencyTree], settings: Hyperparameters, seeds: int) -> None:
    """Train with a few seeds, and test; speeds are the best of some repetitions, by the time of the processor."""
    train_words, test_words = sum(map(len, train)), sum(map(len, test))
    for seed in range(1, seeds + 1):
        start = time.process_time()
        tagger = Tagger.train(train, epochs=5, seed=seed, settings=settings)
        trained = 5 * train_words / (time.process_time() - start)
        accuracy = tag_accuracy(test, tagger.tag(test), settings.column)
        print(f"{settings.column}, seed {seed}: {accuracy:.2%}, {trained:,.0f} words learnt from a second", end="")
        seconds = []
        for _ in range(REPETITIONS):
            start = time.process_time()
            for _ in tagger.tag(test):
                pass
            seconds.append(time.process_time() - start)
        print(f", {test_words / min(seconds):,.0f} tagged a second, from tree to tree")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("train")
    arguments.add_argument("test")
    arguments.add_argument("--column", choices=["upos", "xpos", "feats"], default="upos")
    arguments.add_argument("--seeds", type=int, default=5)
    given = arguments.parse_args()
    trees, held_out = list(Treebank(given.train)), list(Treebank(given.test))
    measure(trees, held_out, Hyperparameters(column=given.column), given.seeds)
