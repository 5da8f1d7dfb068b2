"""Accuracy and speed of the tagger: trained on one file, tested on another.

python benchmarks/tagger_accuracy.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu
"""

from functools import partial

from measuring import Timer, arguments
from more_itertools import consume

from deptrees import DependencyTree, Tagger, Treebank, tag_accuracy
from deptrees.tagger import Hyperparameters

EPOCHS = 5
COLUMNS = Hyperparameters().columns


def tag(tagger: Tagger, trees: list[DependencyTree]) -> None:
    """Tag trees and keep nothing."""
    consume(tagger.tag(trees))


def measure(train: list[DependencyTree], test: list[DependencyTree], settings: Hyperparameters, seeds: int) -> None:
    """Train with a few seeds, and test."""
    timer, words = Timer(), sum(map(len, train))
    for seed in range(1, seeds + 1):
        made: list[Tagger] = []

        def learn(seed: int = seed, made: list[Tagger] = made) -> None:
            made.append(Tagger.train(train, epochs=EPOCHS, seed=seed, hyperparameters=settings))

        learned = timer.rate(f"training, seed {seed}", learn, EPOCHS * words, repetitions=1)
        [tagger] = made
        tags = list(tagger.tag(test))
        shares = {column.upper(): tag_accuracy(test, tags, column) for column in tagger.columns}
        shares["all"] = tag_accuracy(test, tags, tagger.columns)
        accuracy = ", ".join(f"{name} {share:.2%}" for name, share in shares.items())
        tagged = timer.rate(f"tagging, seed {seed}", partial(tag, tagger, test), sum(map(len, test)))
        print(
            f"seed {seed}: {accuracy}; {learned:,.0f} words learned from a second,"
            f" {tagged:,.0f} tagged a second, from tree to tree",
            flush=True,
        )


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--columns", nargs="+", choices=COLUMNS, default=COLUMNS)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    trees, held_out = list(Treebank(given.train)), list(Treebank(given.test))
    measure(trees, held_out, Hyperparameters().only(given.columns), given.seeds)
