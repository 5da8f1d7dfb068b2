"""Seconds that an epoch of training takes with each system of the registry.

Each system is trained for three epochs with default settings by `Parser.train`. What counts is the second epoch, which
explores if the oracle is dynamic; after the last the model is made. It is measured on random sentences, twice as many
each time, until it takes the given seconds or there are no more. The seconds of the whole treebank are extrapolated by
the number of words: from few sentences they come out too high, for what an epoch costs anyway is counted many times.
All is processor time in user mode: the system clears memory for the weights, once only, and that would be extrapolated,
too.

    python benchmarks/epochs.py path/to/treebanks/en_ewt-train.conllu --seconds 3
"""

import os
import random

from measuring import arguments

from deptrees import Columns, DependencyTree, Parser, Treebank
from deptrees.transition import System
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.systems.registry import REGISTRY

FEWEST = 32


def second_epoch(system: System, trees: list[DependencyTree]) -> float:
    """The seconds of the second epoch."""
    ends = []
    Parser.train(Columns.encode(trees), system=system, epochs=3, on_epoch=lambda _: ends.append(os.times().user))
    return ends[1] - ends[0]


def main() -> None:
    """Print a row for each system."""
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--systems", nargs="*", default=list(REGISTRY))
    given = parser.parse_args()
    trees = list(Treebank(given.train))
    random.Random(1).shuffle(trees)
    words = sum(map(len, trees))
    print("| system | compiled | sentences | measured, s | whole treebank, s |")
    print("|---|---|---|---|---|")
    for name in given.systems:
        registered = REGISTRY[name]
        count = FEWEST
        begin = f"| `{registered.example!r}` | {'yes' if registered.is_compiled else 'no'} |"
        try:
            while (seconds := second_epoch(registered.example, trees[:count])) < given.seconds and count < len(trees):
                count = min(2 * count, len(trees))
        except LossNotFound:
            print(f"{begin} {count:,} | no answer | no answer |", flush=True)
            continue
        count = min(count, len(trees))
        whole = seconds * words / sum(map(len, trees[:count]))
        print(f"{begin} {count:,} | {seconds:.2f} | {whole:,.1f} |", flush=True)


if __name__ == "__main__":
    main()
