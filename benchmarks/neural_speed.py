"""How fast a neural parser learns and parses: words a second, and ratios to another commit.

    git worktree add ../before COMMIT && make -C ../before .venv/dev
    python benchmarks/neural_speed.py en_ewt-train.conllu en_ewt-dev.conllu --before ../before

The default parser learns from the sentences of one file, and parses those of the other. Learning is timed in its second
epoch, the first that explores, and parsing when it has been done once before. Rates are by the clock with PyTorch's own
number of threads, or by the time of the processor with one thread (``--threads 1``). Both commits run in turn, each in
a process of its own, and the best of all rounds counts.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from itertools import islice
from typing import Any

import torch
from measuring import Timer, arguments
from more_itertools import consume

from deptrees import DependencyTree, Treebank
from deptrees.torch import NeuralParser

PRECISIONS = {", full precision": False, ", mixed precision": True}


def rates(given: argparse.Namespace) -> dict[str, float]:
    """Words a second, by what is done with them."""
    if given.threads:
        torch.set_num_threads(given.threads)
    found = rates_of_parser("", given)
    if given.precisions:
        from deptrees.torch import Learning

        for name, mixed in PRECISIONS.items():
            found |= rates_of_parser(name, given, learning=Learning(mixed_precision=mixed))
    return found


def rates_of_parser(name: str, given: argparse.Namespace, **how: Any) -> dict[str, float]:
    """Words a second of one parser."""
    clock = time.process_time if given.threads == 1 else time.perf_counter
    trees, ends = list(islice(Treebank(given.train), given.sentences)), list[float]()
    parser = NeuralParser.train(trees, epochs=2, device="cpu", on_epoch=lambda _: ends.append(clock()), **how)
    found = {f"learning{name}": sum(map(len, trees)) / (ends[1] - ends[0])}
    fresh = list[DependencyTree]()

    def read() -> None:
        fresh[:] = Treebank(given.test)

    words = sum(map(len, Treebank(given.test)))
    found[f"parsing{name}"] = Timer().rate(
        "parsing", lambda: consume(parser.parse(fresh)), words, repetitions=3, before=read, clock=clock
    )
    return found


def measured(checkout: str | None) -> dict[str, float]:
    """What a process finds that uses the library in a checkout, or this one."""
    precisions = [] if checkout else ["--precisions"]
    environment = {**os.environ, **({"PYTHONPATH": checkout} if checkout else {})}
    command = [sys.executable, *sys.argv, "--here", *precisions]
    answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout
    found: dict[str, float] = json.loads(answer)
    return found


def compare(given: argparse.Namespace) -> None:
    """Measure in turn, and print the best of each."""
    checkouts = [None, given.before] if given.before else [None]
    rounds = [[measured(checkout) for checkout in checkouts] for _ in range(given.rounds)]
    best = [{name: max(found[name] for found in of_one) for name in of_one[0]} for of_one in zip(*rounds, strict=True)]
    for name, rate in best[0].items():
        ratios = (rate / before[name.partition(",")[0]] for before in best[1:])
        print(f"{name:26} {rate:8,.0f} words/s", *(f"  {ratio:.2f} times {rate / ratio:,.0f}" for ratio in ratios))


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--before", help="a checkout of the other commit")
    parser.add_argument("--sentences", type=int, help="learn from the first ones only")
    parser.add_argument("--threads", type=int, help="threads of PyTorch")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--precisions", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        print(json.dumps(rates(given)))
    else:
        compare(given)
