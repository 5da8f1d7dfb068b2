"""How many transitions a second are found, costed and taken in lock step: what part of a neural parser's time.

    python benchmarks/lock_step.py train.conllu --at-once 1000

Derivations go through the treebank with gold transitions and, one step in ten, with any possible one. Each question is
timed by itself, on one thread, for all gold trees and for the projective ones alone. Then a network with random weights
parses (the default BiLSTM), and the share of the derivations in the time of its steps is printed.
"""

import time
from collections import defaultdict
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import torch
from measuring import arguments

from deptrees import Columns, DependencyTree, Treebank
from deptrees.engine import walk
from deptrees.torch import Architecture
from deptrees.torch.vocabulary import Vocabulary
from deptrees.transition import ArcEager, ArcHybrid, ArcStandard, System

NODES = ("s2", "s1", "s0", "b0")

_Answer = TypeVar("_Answer")


class Stopwatch(defaultdict[str, float]):
    """The seconds that the processor spends on each kind of work."""

    def time(self, name: str, work: Callable[[], _Answer]) -> _Answer:
        began = time.process_time()
        answer = work()
        self[name] += time.process_time() - began
        return answer


def measure(columns: Columns, system: System, at_once: int) -> None:
    """Go through a treebank, and print for how many transitions a second each question is answered."""
    watch, transitions = Stopwatch(float), 0
    for derivations, _ in walk(columns, system, exploration=0.1, size=at_once, nodes=NODES):
        for name in ("possible", "gold", "costs", "positions"):
            watch.time(name, getattr(derivations, name))
        transitions += derivations.possible().size
    rates = "  ".join(f"{name} {transitions / spent / 1e6:5.1f}" for name, spent in watch.items())
    print(f"{system!s:26} {rates}")


def measure_network(trees: list[DependencyTree], at_once: int) -> None:
    """Parse with a network, and print how the time of its steps is shared out."""
    torch.set_num_threads(1)
    architecture = Architecture()
    vocabulary = Vocabulary.of(trees, architecture.encoder.columns)
    network = architecture.network(ArcHybrid(single_root=True), vocabulary).eval()
    watch = Stopwatch(float)
    with torch.inference_mode():
        for start in range(0, len(trees), at_once):
            some = trees[start : start + at_once]
            derivations = network.extractor.open(some, oracle=None)
            vectors = watch.time("words", lambda: network(derivations.columns))  # noqa: B023
            tables = watch.time("words", lambda vectors=vectors: network.tables(vectors))  # type: ignore[misc]
            while derivations:
                numbers = watch.time("derivations", lambda: network.extractor.numbers(derivations))  # noqa: B023
                scores = watch.time("scores", lambda: network.scores(tables, numbers).numpy())  # noqa: B023
                best = np.where(watch.time("derivations", derivations.possible), scores, -np.inf).argmax(1)
                watch.time("derivations", lambda: derivations.take(best))  # noqa: B023
    whole = sum(watch.values())
    print("  ".join(f"{name} {spent / whole:.1%}" for name, spent in watch.items()))


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("treebank")
    parser.add_argument("--at-once", type=int, default=1000)
    given = parser.parse_args()
    gold = list(Treebank(given.treebank))
    encoded = Columns.encode(gold)
    projective = Columns.encode(tree for tree, simple in zip(gold, encoded.projective, strict=True) if simple)
    for which, part in (("all trees", encoded), ("projective trees", projective)):
        print(f"{which}, in lock step {given.at_once}: million transitions a second")
        for each in (ArcHybrid(), ArcEager(), ArcStandard()):
            measure(part, each, given.at_once)
    print("a BiLSTM parser: shares of time")
    measure_network(gold[: 2 * given.at_once], given.at_once)
