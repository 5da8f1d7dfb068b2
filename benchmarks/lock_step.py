"""How many transitions a second are told, costed and taken in lock step, on one thread.

    python benchmarks/lock_step.py train.conllu --at-once 1000

Derivations go through the treebank with the cheapest transitions and, one step in ten, with any possible one. Of all
time that they take, what answers a question is measured by itself.
"""

import time
from collections import defaultdict

import numpy as np
from measuring import arguments

from deptrees import Columns, Treebank
from deptrees.engine import Derivations
from deptrees.transition import ArcEager, ArcHybrid, ArcStandard, System

NODES = ("s2", "s1", "s0", "b0")


def measure(columns: Columns, system: System, at_once: int) -> None:
    """Go through a treebank, and print how many transitions a second each question and each step tells of."""
    rng, seconds, transitions = np.random.default_rng(1), defaultdict[str, float](float), 0
    for start in range(0, len(columns), at_once):
        sentences = np.arange(start, min(start + at_once, len(columns)))
        derivations = Derivations.open(columns, system, sentences=sentences, nodes=NODES)
        while derivations:
            answers = {}
            for name in ("possible", "gold", "costs", "positions"):
                began = time.process_time()
                answers[name] = getattr(derivations, name)()
                seconds[name] += time.process_time() - began
            astray = rng.random((len(derivations.going), 1)) < 0.1
            choices = np.where(astray, answers["possible"], answers["gold"])
            chosen = np.argmax(choices * rng.random(choices.shape), axis=1)
            began = time.process_time()
            derivations.take(chosen)
            seconds["take"] += time.process_time() - began
            transitions += answers["possible"].size
    rates = "  ".join(f"{name} {transitions / spent / 1e6:6.1f}" for name, spent in seconds.items())
    print(f"{system!s:30} million transitions a second: {rates}")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("treebank")
    parser.add_argument("--at-once", type=int, default=1000)
    given = parser.parse_args()
    encoded = Columns.encode(Treebank(given.treebank))
    for each in (ArcHybrid(), ArcEager(), ArcStandard()):
        measure(encoded, each, given.at_once)
