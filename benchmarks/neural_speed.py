"""How fast a neural parser learns and parses: words a second, and ratios to another commit.

    git worktree add ../before COMMIT && make -C ../before .venv/dev
    python benchmarks/neural_speed.py en_ewt-train.conllu en_ewt-dev.conllu --before ../before

The default parser learns for one epoch from some of the sentences and parses all those of the other file, in one
thread, by the time of the processor. Both commits run in turn, each in a process of its own, and the best of all rounds
counts.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import deque
from functools import partial
from itertools import islice

import torch
from measuring import Timer, arguments

from deptrees import DependencyTree, Treebank
from deptrees.torch import Learning, NeuralParser


def rates(train: str, test: str, sentences: int) -> dict[str, float]:
    """Words a second, by what is done with them."""
    torch.set_num_threads(1)
    learnt, trees, timer = list(islice(Treebank(train), sentences)), list(Treebank(test)), Timer()
    parsers, found = list[NeuralParser](), dict[str, float]()

    def learn(mixed: bool) -> None:
        parsers.append(NeuralParser.train(learnt, epochs=1, learning=Learning(mixed_precision=mixed), device="cpu"))

    def parse(trees: list[DependencyTree]) -> None:
        deque(parsers[-1].parse(trees), maxlen=0)

    for name, mixed in (("", False), (", mixed precision", True)):
        found[f"learning{name}"] = timer.rate("learning", partial(learn, mixed), sum(map(len, learnt)), repetitions=1)
        found[f"parsing{name}"] = timer.rate_with_fresh_trees("parsing", parse, trees, sum(map(len, trees)))
    return found


def measured(checkout: str | None, given: argparse.Namespace) -> dict[str, float]:
    """What a process finds that uses the library in a checkout, or this one."""
    command = [sys.executable, __file__, given.train, given.test, f"--sentences={given.sentences}", "--here"]
    environment = {**os.environ, **({} if checkout is None else {"PYTHONPATH": checkout})}
    answer = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    found: dict[str, float] = json.loads(answer)
    return found


def compare(given: argparse.Namespace) -> None:
    """Measure in turn, and print the best of each."""
    checkouts = [None, given.before] if given.before else [None]
    rounds = [[measured(checkout, given) for checkout in checkouts] for _ in range(given.rounds)]
    for name in rounds[0][0]:
        now, *before = (max(found[name] for found in of_one) for of_one in zip(*rounds, strict=True))
        print(f"{name:26} {now:8,.0f} words/s", *(f"  {now / rate:.2f} times {rate:,.0f}" for rate in before))


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--before", help="a checkout of the other commit")
    parser.add_argument("--sentences", type=int, default=600, help="how many to learn from")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        print(json.dumps(rates(given.train, given.test, given.sentences)))
    else:
        compare(given)
