"""Does it matter in training that costs are exact? A study, and the page that says what came of it.

    python benchmarks/exactness.py path/to/treebanks --output docs/measurements/exactness.md

Parsers learn in five ways, with everything else the same. What is found of each seed is kept in a file, so that a run
that was cut off goes on where it was; to begin anew, delete the file.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice, product
from math import isnan
from pathlib import Path
from random import Random
from statistics import fmean
from textwrap import fill
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
from measuring import arguments
from scipy import stats
from study import difference, shown

from deptrees import DependencyTree, Parser, Predictions, Treebank, is_projective
from deptrees.engine import Trainer, core
from deptrees.engine.stepwise.trainer import StepwiseTrainer
from deptrees.evaluation import SentenceCounts, paired_test
from deptrees.training import LinearOptions, subsample
from deptrees.transition import ArcEager, ArcHybrid, EasyFirst, LossNotFound, System, Transition
from deptrees.transition.losses.easy_first import EasyFirstLoss

TREEBANKS = "en_ewt", "fr_partut", "grc_proiel", "hu_szeged", "tr_imst"
LARGEST = "en_ewt"
"""From which easy-first does not learn, for that would take longest."""


class CountingTrainer(Trainer):
    """Training on the engine in which a cost is how many gold arcs a transition loses, each counted by itself.

    The dynamic oracle names the transitions that lose fewest.
    """

    counts_by = "static_dynamic"
    """The oracle of the core that answers so: without swaps, it is nothing else."""

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        seed = int(self._random.integers(1 << 62))
        how = (self.counts_by, self.options, self._rate, seed)
        return core.learn(self._weights, self._system, self._data, portion, *how)


class LeavingTrainer(CountingTrainer):
    """The same, but a sentence is left in a configuration in which every transition loses some."""

    counts_by = "nondeterministic"  # which the core, unlike the functional layer, asks off the path, too


class CountedLoss(EasyFirstLoss):
    """The same for easy-first."""

    leaves = False

    def cost(self, transition: Transition, cfg: Any, tree: DependencyTree) -> int:
        head, dependent = cfg.arc(transition)
        arcs = tree.head_bits[dependent] & ~(1 << head) | tree.dependent_bits[dependent]
        return int(arcs & cfg.pending_bits).bit_count()

    def is_free(self, transition: Transition, cfg: Any, tree: DependencyTree, now: int) -> bool:
        least = min(self.cost(one, cfg, tree) for one in cfg.possible_transitions())
        if least and self.leaves:
            raise LossNotFound
        return self.cost(transition, cfg, tree) == least


class LeavingLoss(CountedLoss):
    """The same, with sentences left."""

    leaves = True


class CountedEasyFirst(EasyFirst):
    """Easy-first with such costs."""

    loss = CountedLoss


class LeavingEasyFirst(EasyFirst):
    """The same, with sentences left."""

    loss = LeavingLoss


SYSTEMS: dict[str, System] = {
    "arc-eager, ROOT last": ArcEager(root="last"),
    "arc-eager, ROOT first": ArcEager(root="first"),
    "arc-hybrid": ArcHybrid(),
    "easy-first": EasyFirst(),
}
WAYS = {
    "static": "the static oracle, without the trees that a system cannot build",
    "projective": "the dynamic oracle, without the trees that a system cannot build",
    "left": "counted costs: a sentence is left where every transition loses a gold arc",
    "least": "counted costs: those transitions are right that lose the fewest (Aufrant, Wisniewski & Yvon 2018)",
    "exact": "exact costs",
}
"""The ways to learn. The last two differ in nothing but the costs."""
STEPWISE = {"left": LeavingEasyFirst(), "least": CountedEasyFirst()}
COMPILED = {"left": LeavingTrainer, "least": CountingTrainer}


ABOUT = """
{known}Parsers learn with `FAST` in {epochs} epochs, exploring from the second on. Easy-first, which runs step by step,
takes {few} epochs of the first {learned} sentences with `on_error="aggressive"`, is tested on the first {tested}, and
learns no English, for that would take longest. Everything is the same for all ways to learn, seeds included. The LAS is
that on the test data, the mean of {seeds} seeds. Ancient Greek has no training data, and its development data are
learned from. *p* of a difference to exact costs is that of the paired t-test over seeds, and that of the paired
permutation test over sentences, each of which has the words of all seeds. They are not corrected in the last table. How
many are significant (p < 0.05) is counted after Holm's correction for all comparisons with a way to learn.
"""
KNOWN = """
Of the heads of the first {sentences} sentences of each treebank, {share:.0%} are known, drawn at random. The static
oracle and sentences that are left are not made for that.
"""


@attrs.frozen
class Setting:
    """What is compared: a treebank and a system, with so many of the heads known that are learned from."""

    treebank: str
    system: str
    share: float

    @property
    def is_stepwise(self) -> bool:
        """Whether training runs step by step."""
        return self.system == "easy-first"

    @property
    def ways(self) -> list[str]:
        """The ways to learn: where heads are missing, not those that are not made for that.

        These are the static oracle, and counted arcs with sentences left, for which the core asks its static oracles.
        """
        return [*WAYS] if self.share == 1 else ["projective", "least", "exact"]


def trained(
    setting: Setting, way: str, train: Sequence[DependencyTree], seed: int, given: argparse.Namespace
) -> Parser:
    """A parser that has learned in one of the ways."""
    rng = Random(1)
    trees = [subsample(tree, setting.share, rng) for tree in islice(train, given.sentences)]
    how: dict[str, Any] = {"system": SYSTEMS[setting.system], "epochs": given.epochs, "seed": seed}
    kind: Any = COMPILED.get(way, Trainer)
    if setting.is_stepwise:
        kind, trees = StepwiseTrainer, trees[: given.stepwise_sentences[0]]
        how |= {"system": STEPWISE.get(way, EasyFirst()), "epochs": given.stepwise_epochs, "on_error": "aggressive"}
    if way in ("static", "projective"):
        trees = [*filter(is_projective, trees)]
    trainer = kind(trees, LinearOptions.chosen(oracle="static" if way == "static" else "dynamic", **how))
    for _ in range(how["epochs"]):
        trainer.epoch()
    return Parser(trainer.model())


def right(given: argparse.Namespace, job: tuple[Setting, int]) -> dict[str, list[int]]:
    """How many words of each sentence are right in each way, with one seed, and how many there are."""
    setting, seed = job
    parts = {part: given.folder / f"{setting.treebank}-{part}.conllu" for part in ("train", "dev", "test")}
    train, gold = (list(Treebank(parts[part])) for part in ("train" if parts["train"].exists() else "dev", "test"))
    if setting.is_stepwise:
        gold = gold[: given.stepwise_sentences[1]]
    found = dict[str, list[int]]()
    for way in setting.ways:
        parsed = trained(setting, way, train, seed, given).parse(gold)
        counts = SentenceCounts.of(Predictions.of(gold, parsed))
        row = counts.scores.index("LAS")
        found |= {way: counts.right[row].tolist(), "words": counts.whole[row].tolist()}
    return found


def measured(given: argparse.Namespace) -> Iterator[tuple[Setting, list[dict[str, list[int]]]]]:
    """What is found in each setting with all seeds."""
    settings = [Setting(treebank, system, given.share) for system, treebank in product(SYSTEMS, given.treebanks)]
    settings = [one for one in settings if not (one.is_stepwise and one.treebank == LARGEST)]
    jobs = [(setting, seed) for setting in settings for seed in range(1, given.seeds + 1)]
    sizes = {False: [given.epochs], True: [given.stepwise_epochs, *given.stepwise_sentences]}
    if given.sentences:
        sizes[False].append(given.sentences)
    keys = {job: [*attrs.astuple(job[0]), job[1], *sizes[job[0].is_stepwise]] for job in jobs}
    known = resumed(keys, partial(right, given), given)
    for setting in settings:
        yield setting, [known[setting, seed] for seed in range(1, given.seeds + 1)]


def resumed(keys: Mapping[Any, list[Any]], find: Callable[[Any], Any], given: argparse.Namespace) -> dict[Any, Any]:
    """What is found of each job, in the order of the jobs: what was kept under its key, or else by finding it."""
    given.kept.parent.mkdir(parents=True, exist_ok=True)
    given.kept.touch()
    kept = [json.loads(line) for line in given.kept.read_text(encoding="utf-8").splitlines()]
    known = {job: found for job in keys for key, found in kept if key == keys[job]}
    new = [job for job in keys if job not in known]
    with ProcessPoolExecutor(given.processes) as pool, given.kept.open("a", encoding="utf-8") as file:
        for job, found in zip(new, pool.map(find, new), strict=True):
            known[job] = found
            print(json.dumps([keys[job], found]), file=file, flush=True)
    return known


@attrs.frozen
class Compared:
    """What came of a setting: the LAS of each way with each seed, and how probable its difference to exact costs is.

    Args:
        las: for each way, the LAS with each seed.
        over_seeds: for each way but the last, p by the paired t-test over seeds.
        over_sentences: the same by the paired permutation test over sentences, of which each has all seeds.
    """

    setting: Setting
    las: Mapping[str, list[float]]
    over_seeds: Mapping[str, float]
    over_sentences: Mapping[str, float]

    @classmethod
    def of(cls, setting: Setting, found: Sequence[Mapping[str, list[int]]]) -> Compared:
        """From what was found with each seed."""
        words = np.array(found[0]["words"])
        las = {way: [100 * sum(one[way]) / int(words.sum()) for one in found] for way in setting.ways}
        sums = {
            way: SentenceCounts(("LAS",), np.array([one[way] for one in found]).sum(0)[None], len(found) * words[None])
            for way in setting.ways
        }
        *others, exact = setting.ways
        return cls(
            setting,
            las,
            {way: _p(las[exact], las[way]) for way in others},
            {way: float(paired_test(sums[way], sums[exact]).row("LAS")["p"]) for way in others},
        )

    def differences(self, way: str) -> list[float]:
        """What exact costs gain over another way, with each seed."""
        return [one - other for one, other in zip(self.las["exact"], self.las[way], strict=True)]


def _p(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How probable differences are by Student's t; there may be none."""
    found = float(stats.ttest_rel(ours, theirs).pvalue) if len(ours) > 1 else 1.0
    return 1.0 if isnan(found) else found


def corrected(values: Sequence[float]) -> list[float]:
    """Probabilities of several comparisons, corrected by Holm's method."""
    order, found, greatest = np.argsort(values), [0.0] * len(values), 0.0
    for rank, index in enumerate(order.tolist()):
        greatest = found[index] = max(greatest, min(1.0, (len(values) - rank) * values[index]))
    return found


def page(compared: Sequence[Compared], given: argparse.Namespace) -> str:
    """The page in Markdown."""
    ways, is_partial = compared[0].setting.ways, given.share < 1
    of_heads = f", where {given.share:.0%} of the heads are known" if is_partial else ""
    learned, tested = given.stepwise_sentences
    options = "--output docs/measurements/exactness.md"
    if is_partial:
        options = f"--share {given.share:g} --sentences {given.sentences} --stepwise-sentences {learned} {tested}"
        options += " --output docs/measurements/exactness-partial.md"
    about = ABOUT.format(
        known=KNOWN.format(share=given.share, sentences=given.sentences) if is_partial else "",
        seeds=given.seeds,
        epochs=given.epochs,
        few=given.stepwise_epochs,
        learned=learned,
        tested=tested,
    )
    return "\n".join(
        [
            f"# Exact costs in training{of_heads}\n",
            "Does it matter that costs are exact? One command measures it and writes this page:\n",
            f"    python benchmarks/exactness.py path/to/treebanks {options}\n",
            *(f"* *{way}*: {WAYS[way]}" for way in ways),
            "",
            fill(about.strip(), 120) + "\n",
            "## What came of it\n",
            fill(verdict(compared), 120) + "\n",
            "| exact costs against | comparisons | mean difference | smallest | largest | significant over seeds "
            "| over sentences | in both |",
            "|---" * 8 + "|",
            *(summary(compared, way) for way in ways if way != "exact"),
            "",
            *table(compared),
            "",
        ]
    )


def comparisons(compared: Sequence[Compared], way: str) -> list[tuple[float, float, float]]:
    """The difference of each comparison with a way to learn, and both probabilities, corrected."""
    some = [one for one in compared if way in one.over_seeds]
    probabilities = [
        corrected([one.over_seeds[way] for one in some]),
        corrected([one.over_sentences[way] for one in some]),
    ]
    return [*zip((fmean(one.differences(way)) for one in some), *probabilities, strict=True)]


def significant(found: Sequence[tuple[float, float, float]]) -> tuple[int, int, int]:
    """How many comparisons are significant over seeds, over sentences and in both ways."""
    both = [(over_seeds < 0.05, over_sentences < 0.05) for _, over_seeds, over_sentences in found]
    return sum(one for one, _ in both), sum(other for _, other in both), sum(one and other for one, other in both)


def summary(compared: Sequence[Compared], way: str) -> str:
    """The row of a way to learn."""
    found = comparisons(compared, way)
    gains = [gain for gain, *_ in found]
    numbers = [fmean(gains), min(gains), max(gains)]
    cells = [way, str(len(found)), *(f"{number:+.2f}" for number in numbers), *map(str, significant(found))]
    return f"| {' | '.join(cells)} |"


def verdict(compared: Sequence[Compared]) -> str:
    """In words, whether exact costs are better than counted ones."""
    found = comparisons(compared, "least")
    *_, both = significant(found)
    better = sum(gain > 0 for gain, *_ in found)
    mean = fmean(gain for gain, *_ in found)
    return (
        f"Exact costs have the better LAS in {better} of {len(found)} comparisons with counted ones, by {mean:+.2f} on "
        f"average; in {both or 'none'} of them is the difference significant both over seeds and over sentences."
    )


def table(compared: Sequence[Compared], way: str = "least") -> Iterator[str]:
    """All settings, with what exact costs gain over another way to learn."""
    ways = compared[0].setting.ways
    yield "## Each system and treebank\n"
    yield f"| system | treebank | {' | '.join(ways)} | exact - {way} | p, seeds | p, sentences |"
    yield "|---" * (len(ways) + 5) + "|"
    for one in compared:
        cells = [one.setting.system, one.setting.treebank, *(shown(one.las[other]) for other in ways)]
        cells += [difference(one.differences(way)) or "0"]
        cells += [f"{p:.4f}" for p in (one.over_seeds[way], one.over_sentences[way])]
        yield f"| {' | '.join(cells)} |"


def main(words: list[str] | None = None) -> None:
    """Measure, and write the page or print it."""
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--treebanks", nargs="+", default=[*TREEBANKS])
    parser.add_argument("--output", type=Path, help="the page")
    parser.add_argument("--kept", type=Path, default=Path("build") / "exactness.jsonl", help="what was found before")
    parser.add_argument("--share", type=float, default=1.0, help="of the heads to learn from that are known")
    parser.add_argument("--sentences", type=int, help="learn from the first ones of each treebank only")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--stepwise-epochs", type=int, default=3)
    parser.add_argument("--stepwise-sentences", type=int, nargs=2, default=[150, 500], help="to learn from, to test on")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(words)
    text = page([Compared.of(setting, found) for setting, found in measured(given)], given)
    if given.output:
        given.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
