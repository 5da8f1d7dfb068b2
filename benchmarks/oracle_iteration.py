"""Time per transition of ``for cfg, t in oracle(tree)``, over a treebank and as sentences grow.

Every tree is made anew before each repetition, so that whatever a tree remembers is paid for. The best repetition
counts.

    python benchmarks/oracle_iteration.py path/to/en_ewt-dev.conllu
"""

from functools import partial

from measuring import Timer, arguments
from more_itertools import consume, ilen

from deptrees import DependencyTree, Treebank, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Oracle,
    dynamic_oracle,
    static_oracle,
    static_oracle_prefer_shift,
    typed,
)

TARGET = 2.0  # microseconds a transition, static oracles
WORDS = 20_000


def follow(oracle: Oracle, trees: list[DependencyTree]) -> None:
    """Follow the derivations of trees and keep nothing."""
    for tree in trees:
        consume(oracle(tree))


def microseconds(timer: Timer, name: str, oracle: Oracle, trees: list[DependencyTree]) -> float:
    """The time that one transition takes."""
    transitions = sum(ilen(oracle(tree)) for tree in trees)
    return 1e6 / timer.rate_with_fresh_trees(name, partial(follow, oracle), trees, transitions)


def over_a_treebank(timer: Timer, path: str) -> None:
    """All oracles that the systems have."""
    trees = list(Treebank(path))
    print(f"{'µs a transition over ' + path:60}  µs    target / µs")
    for system in (ArcEager(), ArcEager(root="last"), ArcHybrid(), ArcStandard()):
        for function in (static_oracle, static_oracle_prefer_shift, dynamic_oracle):
            if function is dynamic_oracle and system.oracles.dynamic is None:
                continue
            title = f"{system!r}, {function.__name__}"
            time_taken = microseconds(timer, title, Oracle(system, function, typed), trees)
            print(f"{title:60}  {time_taken:.2f}  {TARGET / time_taken:.2f}", flush=True)


def as_sentences_grow(timer: Timer) -> None:
    """The static oracle of arc-eager on random trees; the ratio is to sentences of 20 words."""
    oracle = Oracle(ArcEager(), static_oracle)
    print("\nwords a sentence     µs    ratio to 20 words")
    of_twenty = None
    for length in (20, 100, 1000, 5000):
        trees = [random_projective_tree(length, seed) for seed in range(WORDS // length)]
        time_taken = microseconds(timer, f"sentences of {length} words", oracle, trees)
        of_twenty = of_twenty or time_taken
        print(f"{length:16}  {time_taken:6.2f}    {time_taken / of_twenty:.2f}", flush=True)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("treebank")
    parser.add_argument("--save", help="a file for the times, for python -m pyperf compare_to")
    given = parser.parse_args()
    over_a_treebank(Timer(given.save), given.treebank)
    as_sentences_grow(Timer(given.save))
