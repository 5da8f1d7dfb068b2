"""What the scripts share: their arguments, timing, training with several seeds, and how means are shown.

``timeit`` repeats and times, ``pyperf`` keeps the values and compares those of two runs:

    python benchmarks/engine_speed.py train.conllu test.conllu --save before.json
    python -m pyperf compare_to before.json after.json

``pyperf``'s own runner starts a script anew for every benchmark, many times over. These scripts compare parsers that
take minutes to train, in one run, so they time in their own process.
"""

import argparse
import time
import timeit
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pyperf
from scipy import stats

from deptrees import Columns, DependencyTree, Parser, Scores, Treebank, evaluate

REPETITIONS = 5


def arguments(description: str | None) -> argparse.ArgumentParser:
    """A parser of arguments that shows what the script does."""
    return argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


class Timer:
    """Times work, and saves the times if asked.

    Args:
        path: a file for the times, for ``python -m pyperf compare_to``.
    """

    def __init__(self, path: str | None = None) -> None:
        self._path = path

    def time(
        self,
        name: str,
        work: Callable[[], object],
        count: int = 1,
        *,
        before: Callable[[], object] = lambda: None,
        repetitions: int = REPETITIONS,
        clock: Callable[[], float] = time.process_time,
    ) -> pyperf.Benchmark:
        """The seconds that each of some things takes, once for each repetition.

        Args:
            name: what is timed.
            work: does all of it.
            count: how many things it does.
            before: is called before each repetition, and not timed.
            repetitions: the number of repetitions.
            clock: the time of the processor, so that other processes on the same machine matter little. Give
                ``time.perf_counter`` where several threads or processes work.
        """
        seconds = timeit.repeat(work, before, clock, repetitions, number=1)
        run = pyperf.Run([value / count for value in seconds], metadata={"name": name}, collect_metadata=False)
        benchmark = pyperf.Benchmark([run])
        if self._path:
            pyperf.add_runs(self._path, benchmark)
        return benchmark

    def rate(self, name: str, work: Callable[[], object], count: int, **options: Any) -> float:
        """How many things are done in a second, at best."""
        return 1 / float(min(self.time(name, work, count, **options).get_values()))

    def rates(self, works: dict[str, Callable[[], object]], count: int) -> dict[str, float]:
        """The same for several kinds of work, one after the other, so that all find the machine equally busy."""
        rounds = [{name: self.rate(name, work, count) for name, work in works.items()} for _ in range(REPETITIONS)]
        return {name: max(found[name] for found in rounds) for name in works}

    def rate_with_fresh_trees(
        self,
        name: str,
        work: Callable[[list[DependencyTree]], object],
        trees: Iterable[DependencyTree],
        count: int,
        **options: Any,
    ) -> float:
        """The same for work on trees that are made anew for each repetition: what a tree remembers is paid for."""
        fresh: list[DependencyTree] = []

        def remake() -> None:
            fresh[:] = [DependencyTree(tree.tokens) for tree in trees]

        return self.rate(name, lambda: work(fresh), count, before=remake, **options)


def with_seeds(train: Columns, gold: list[DependencyTree], seeds: int, **options: Any) -> tuple[list[Scores], Parser]:
    """The scores of parsers trained with one seed after the other, and the last of these parsers."""
    parsers = [Parser.train(train, seed=seed, **options) for seed in range(1, seeds + 1)]
    return [evaluate(gold, parser.parse(gold)) for parser in parsers], parsers[-1]


def mean_and_deviation(values: Iterable[float]) -> str:
    """Both as percentages."""
    values = list(values)
    return f"{100 * fmean(values):6.2f} ± {100 * stdev(values) if len(values) > 1 else 0:4.2f}"


def interval(values: Sequence[float]) -> str:
    """A mean as a percentage, with its interval of 95 % by Student's t."""
    error = stats.sem(values) * stats.t.ppf(0.975, len(values) - 1)
    return f"{fmean(values):7.2%} ± {error:.2%}"


def accuracy(scores: Iterable[Scores]) -> str:
    """The means of UAS, LAS and exact match."""
    columns = zip(*((each.uas, each.las, each.exact_match) for each in scores), strict=True)
    return "  ".join(map(mean_and_deviation, columns))


def run(description: str | None, report: Callable[[Path, str, argparse.Namespace], None], **more: int) -> None:
    """Report on each treebank that is named on the command line.

    Args:
        description: what the script does.
        report: is given the folder, the name of a treebank, and the other arguments.
        more: names of other arguments that are numbers, with their defaults.
    """
    parser = arguments(description)
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", nargs="+")
    for name, default in {"seeds": 5, "epochs": 10, **more}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    for treebank in given.treebanks:
        report(given.folder, treebank, given)


def train_and_test(folder: Path, name: str) -> tuple[list[DependencyTree], list[DependencyTree]]:
    """Two parts of a treebank."""
    train, test = (list(Treebank(folder / f"{name}-{part}.conllu")) for part in ("train", "test"))
    return train, test
