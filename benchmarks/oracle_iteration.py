"""Time per transition of ``for cfg, t in oracle(tree)``, over a treebank and as sentences grow.

Every tree is made anew before each repetition, so that whatever a tree remembers is paid for. The best of five
repetitions counts.

    python benchmarks/oracle_iteration.py path/to/en_ewt-dev.conllu
"""

import argparse
import time
from collections.abc import Iterable
from typing import Any

from deptrees import DependencyTree, Treebank, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Oracle,
    StackBufferSystem,
    dynamic_oracle,
    static_oracle,
    static_oracle_prefer_shift,
    typed,
)

AIM = 2.0  # microseconds a transition, static oracles
REPETITIONS = 5
WORDS = 20_000


def microseconds(oracle: Oracle, trees: Iterable[DependencyTree]) -> float:
    """The time that one transition takes."""
    best = float("inf")
    for _ in range(REPETITIONS):
        fresh = [DependencyTree(tree.tokens) for tree in trees]
        transitions = 0
        start = time.perf_counter()
        for tree in fresh:
            for _cfg, _transition in oracle(tree):
                transitions += 1
        best = min(best, (time.perf_counter() - start) / transitions)
    return best * 1e6


def over_a_treebank(path: str) -> None:
    """All oracles that the systems have."""
    trees = list(Treebank(path))
    print(f"{'µs a transition over ' + path:60}  µs    aim / µs")
    systems: list[StackBufferSystem] = [ArcEager(), ArcEager(root="last"), ArcHybrid(), ArcStandard()]
    functions: list[Any] = [static_oracle, static_oracle_prefer_shift, dynamic_oracle]
    for system in systems:
        for function in functions:
            if function is dynamic_oracle and system.initial([]).oracles.dynamic is None:
                continue
            time_taken = microseconds(Oracle(system, function, typed), trees)
            print(f"{f'{system!r}, {function.__name__}':60}  {time_taken:.2f}  {AIM / time_taken:.2f}")


def as_sentences_grow() -> None:
    """The static oracle of arc-eager on random trees; the ratio is to sentences of 20 words."""
    oracle = Oracle(ArcEager(), static_oracle)
    print("\nwords a sentence     µs    ratio to 20 words")
    of_twenty = None
    for length in (20, 100, 1000, 5000):
        trees = [random_projective_tree(length, seed) for seed in range(WORDS // length)]
        time_taken = microseconds(oracle, trees)
        of_twenty = of_twenty or time_taken
        print(f"{length:16}  {time_taken:6.2f}    {time_taken / of_twenty:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank")
    over_a_treebank(parser.parse_args().treebank)
    as_sentences_grow()
