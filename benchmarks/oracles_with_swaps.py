"""How often the exact oracle of a system that swaps words finds an answer, and how often the approximate one errs.

Each sentence is walked through along an oracle's path, off it at one step in ten: once along any transitions of the
approximate oracle, where its losses and its answers are compared with exact ones; and along the first and along any
transitions of the exact one, where it counts in how many sentences the search for an answer always came to an end.

    python benchmarks/oracles_with_swaps.py path/to/hu_szeged-dev.conllu path/to/grc_proiel-dev.conllu
"""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import process_time

from measuring import arguments

from deptrees import DependencyTree, Treebank
from deptrees.transition import (
    REGISTRY,
    LossNotFound,
    StackBufferConfiguration,
    StackBufferSystem,
    Transition,
    approximate_dynamic_oracle,
    dynamic_oracle,
)

COLUMNS = ("loss found", "loss too high", "misses some", "takes wrong ones")
ANSWERS = ("first: found", "a second", "any: found", "a second")

Oracle = Callable[[StackBufferConfiguration, DependencyTree], tuple[Transition, ...]]
Step = tuple[StackBufferConfiguration, tuple[Transition, ...]]


def walk(
    system: StackBufferSystem, oracle: Oracle, tree: DependencyTree, rng: Random, *, first: bool = False
) -> Iterator[Step]:
    """Configurations and the oracle's answers."""
    cfg = system.initial(tree)
    while not cfg.is_final:
        answer = oracle(cfg, tree)
        yield cfg, answer
        others = cfg.possible_transitions() if rng.random() < 0.1 else answer[:1] if first else answer
        cfg = rng.choice(others)(cfg)


def errors(system: StackBufferSystem, trees: list[DependencyTree]) -> tuple[float, ...]:
    """The share of configurations whose loss is found, and of these the shares in which the approximate oracle errs."""
    counts, rng = Counter[str](), Random(1)
    exact, estimate = system.loss(), system.estimated_loss()
    assert exact
    assert estimate
    for tree in trees:
        for cfg, answer in walk(system, approximate_dynamic_oracle, tree, rng):
            counts["all"] += 1
            try:
                free = dynamic_oracle(cfg, tree)
            except LossNotFound:
                continue
            counts["found"] += 1
            counts["too high"] += estimate(cfg, tree) > exact(cfg, tree)
            counts["misses"] += not {*free} <= {*answer}
            counts["wrong"] += not {*answer} <= {*free}
    found = counts["found"]
    return found / counts["all"], *(counts[name] / found for name in ("too high", "misses", "wrong"))


def answered(system: StackBufferSystem, trees: list[DependencyTree], *, first: bool) -> tuple[float, float]:
    """The share of sentences in which the exact oracle always has an answer, and how many it goes through in a second.

    It is processor time. Each sentence has random numbers of its own.
    """
    ended, start = 0, process_time()
    for number, tree in enumerate(trees):
        try:
            for _ in walk(system, dynamic_oracle, tree, Random(number), first=first):
                pass
            ended += 1
        except LossNotFound:
            pass
    return ended / len(trees), len(trees) / (process_time() - start)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument(
        "--sentences", type=int, default=50, help="how many of each treebank, drawn at random; 0 for all"
    )
    given = parser.parse_args()
    swapping = [
        system
        for each in REGISTRY.values()
        if isinstance(system := each.example, StackBufferSystem) and "approximate_dynamic" in each.oracles
    ]
    print(" " * 48 + "".join(f"{name:>18}" for name in (*COLUMNS, *ANSWERS)))
    for path in given.treebanks:
        everything = list(Treebank(path))
        count = min(given.sentences or len(everything), len(everything))
        sample = Random(1).sample(everything, count)
        for each in swapping:
            print(f"{Path(path).stem:16}{each!r:32}", end="")
            print(*(f"{share:18.2%}" for share in errors(each, sample)), sep="", end="")
            for is_first in (True, False):
                share, speed = answered(each, sample, first=is_first)
                print(f"{share:18.2%}{speed:18.1f}", end="", flush=True)
            print()
