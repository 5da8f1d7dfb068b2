"""How long a step of the explorer takes, for every system: the processor time to make all that the page shows of it.

python benchmarks/explorer_steps.py path/to/treebank.conllu [--words 40] [--sentences 3]
"""

from __future__ import annotations

import argparse
import gc
import random
import time

from more_itertools import take

from deptrees import Treebank
from deptrees.explorer import Question, Sentence
from deptrees.explorer.questions import oracles_offered
from deptrees.explorer.states import state_of
from deptrees.transition.systems.registry import REGISTRY

OFF_THE_PATH = 0.1
"""How often a transition that the oracle does not name is taken."""


def seconds(question: Question, rng: random.Random) -> list[float]:
    """The seconds of each step of a walk."""
    gc.collect()
    gc.freeze()  # the walks before this one, which an explorer that has just been started has not
    found, walk = [], question.walk()
    while True:
        start = time.process_time()
        state_of(walk)
        found.append(time.process_time() - start)
        if walk.cfg.is_final:
            return found
        free = not walk.gold or rng.random() < OFF_THE_PATH
        choices = [choice.transition for choice in walk.options] if free else walk.gold
        walk = walk.after(repr(rng.choice(choices)))


def main() -> None:
    """Print the slowest and the mean step of each system, and how many steps there were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebank")
    parser.add_argument("--words", type=int, default=40)
    parser.add_argument("--sentences", type=int, default=3)
    options = parser.parse_args()
    gc.set_threshold(50_000)  # as every command has it
    trees = take(options.sentences, (tree for tree in Treebank(options.treebank) if len(tree) == options.words))
    for name, system in REGISTRY.items():
        rng = random.Random(1)
        asked = [Question(Sentence.of(tree), name, system.roots[0], False, oracles_offered(name)[-1]) for tree in trees]
        steps = [step for question in asked for step in seconds(question, rng)]
        slowest, mean = max(steps) * 1000, sum(steps) / len(steps) * 1000
        print(f"{name:28} slowest {slowest:6.1f} ms, mean {mean:5.1f} ms, {len(steps):5} steps", flush=True)


if __name__ == "__main__":
    main()
