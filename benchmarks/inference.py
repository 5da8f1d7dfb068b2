"""Words a second of each question to a chart, compiled and readable, and of the loss that is its min-plus case.

Scores are random, and given by s0 and b0; building the chart is part of the time. The last two lines find the least
cost of each sentence's gold tree from the beginning: by the chart, whose costs are scores of heads, and by the
algorithm of the losses.

    python benchmarks/inference.py path/to/en_ewt-dev.conllu
"""

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from measuring import Timer, arguments
from more_itertools import consume

from deptrees import DependencyTree, Treebank
from deptrees.inference import ENTROPY, LOG_SUM, MAX_PLUS, MIN_PLUS, Chart, chart, sums
from deptrees.transition import ArcEager, ArcHybrid, StackBufferSystem
from deptrees.transition.losses.arc_costs import gold_costs

FEW = 200
"""The number of sentences for what takes long."""
QUESTIONS: dict[str, Callable[[Chart], object]] = {
    "log-sum": lambda found: found.value(LOG_SUM),
    "max-plus": lambda found: found.value(MAX_PLUS),
    "best derivation": Chart.best,
    "marginals": Chart.marginals,
    "a sample": lambda found: next(found.samples(seed=1)),
    "10 best derivations": lambda found: list(islice(found.ranked(), 10)),
    "entropy": lambda found: found.value(ENTROPY),
    "least risk": Chart.least_risk,
}


def ask(system: StackBufferSystem, question: Callable[[Chart], object], given: list[Any]) -> None:
    """Make a chart for each array of scores, and ask it."""
    for scores in given:
        question(chart(system, scores))


def questions(timer: Timer, system: StackBufferSystem, trees: list[DependencyTree]) -> None:
    """Words a second of all questions."""
    random = np.random.default_rng(1)
    scores = [random.normal(size=(len(tree) + 2, len(tree) + 2, len(system.rows))) for tree in trees]
    print(f"{system!r:30}   words/s   readable   ratio")
    for name, question in QUESTIONS.items():
        rates = []
        kept: Any = sums.compiled
        for module in (kept, None):
            sums.compiled = module
            words = sum(map(len, trees[:FEW]))
            rates.append(timer.rate(f"{system}, {name}", partial(ask, system, question, scores[:FEW]), words))
        sums.compiled = kept
        print(f"  {name:28} {rates[0]:9,.0f}  {rates[1]:9,.0f}   {rates[0] / rates[1]:5.1f}", flush=True)


def least_cost(system: StackBufferSystem, tree: DependencyTree) -> float:
    """The loss at the beginning, by the chart."""
    costs = gold_costs(system.gold_heads(tree), system.empty_means_unknown)
    scores = np.zeros((len(tree) + 2, len(tree) + 2, len(system.rows)))
    return float(chart(system, scores, heads=-costs).value(MIN_PLUS))


def losses(timer: Timer, system: StackBufferSystem, trees: list[DependencyTree]) -> None:
    """Words a second of losses at the beginning."""
    loss, words = system.oracles.loss, sum(map(len, trees))
    assert loss is not None

    def of_algorithm(tree: DependencyTree) -> float:
        costs = gold_costs(system.gold_heads(tree), system.empty_means_unknown)
        least_costs = loss.least_costs(costs, system)
        assert least_costs is not None
        return least_costs(system.initial(tree))

    for name, find in (("loss, chart", partial(least_cost, system)), ("loss, TabularLoss", of_algorithm)):
        rate = timer.rate(f"{system}, {name}", lambda: consume(map(find, trees)), words)  # noqa: B023
        print(f"  {name:28} {rate:9,.0f}", flush=True)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("treebank")
    given = parser.parse_args()
    trees = list(islice(Treebank(given.treebank), FEW))
    for system in (ArcHybrid(), ArcEager(root="last", single_root=True)):
        questions(Timer(), system, trees)
        losses(Timer(), system, trees)
