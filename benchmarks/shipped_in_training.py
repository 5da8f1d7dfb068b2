r"""Are exact oracles better to learn from than those that spaCy and Stanza ship? A study, and the page of what came.

    PYTHONPATH=path/to/stanza python benchmarks/shipped_in_training.py path/to/treebanks \
        --output docs/measurements/shipped.md

Parsers with the systems of spaCy and of Stanza learn in two ways, with everything else the same. What is found of
each training is kept in a file, as in ``exactness.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path
from statistics import fmean
from textwrap import fill
from typing import Any

import exactness
from exactness import Compared, comparisons, resumed, significant, summary, table
from measuring import arguments
from shipped import OfSpacy, OfStanza, WhereRepaired

from deptrees import DependencyTree, Parser, Predictions, Treebank, is_projective
from deptrees.engine.stepwise.trainer import StepwiseTrainer
from deptrees.evaluation import SentenceCounts
from deptrees.training import LinearOptions
from deptrees.transition import ExplorationPolicy, SpacyArcEager, StanzaAttach, System

TREEBANKS = "en_ewt", "fr_partut", "hu_szeged", "tr_imst"
SYSTEMS: dict[str, System] = {"SpacyArcEager": SpacyArcEager(), "StanzaAttach": StanzaAttach()}
WAYS = {
    "shipped": "the oracle that spaCy or Stanza ships",
    "exact": "exact costs",
}
SHORT = 15
"""The length of the longest sentences for StanzaAttach, whose losses off the path to the gold tree take long."""

BITS = 17, 17
"""The size of the tables of weights: small, as the treebanks are, and quickly cleared."""

INTRODUCTION = (
    "The oracles that spaCy and Stanza ship differ from exact ones, as [the errata](../errata.md) say. Does it matter "
    "in training? One command measures it and writes this page:"
)
ABOUT = """
Parsers learn with a perceptron step by step, in {epochs} epochs of the first {learned} sentences, exploring from the
second epoch on, with `on_error="aggressive"`, and are tested on the first {tested}. `SpacyArcEager` learns from
projective trees only, for which spaCy's oracle is made, and `StanzaAttach` learns from sentences of at most {short}
words, and is tested on such, for its losses off the path to the gold tree take long. Of spaCy's oracle all transitions
are right that it calls free; what it says of labels is not asked. Stanza's names one transition, and where it knows no
repair of a wrong one, that is not explored. Everything else is the same for all ways to learn, seeds included. The LAS
is that on the test data, the mean of {seeds} seeds. *p* of a difference to exact costs is that of the paired t-test
over seeds, and that of the paired permutation test over sentences, each of which has the words of all seeds. They are
not corrected in the last table. How many are significant (p < 0.05) is counted after Holm's correction for all
comparisons with a way to learn. [What parsers do](training.md#exact-costs-and-repairs) that learn from each oracle of
`SpacyArcEager` is another measurement.
"""


class Setting(exactness.Setting):
    """What is compared: a treebank and a system."""

    @property
    def ways(self) -> list[str]:
        """The ways to learn."""
        return [*WAYS]

    def sentences(self, path: Path, count: int) -> list[DependencyTree]:
        """The first sentences of a file that this system is learned from or tested on."""
        trees: Iterable[DependencyTree] = (
            tree for tree in Treebank(path) if len(tree) <= SHORT or self.system != "StanzaAttach"
        )
        if self.system == "SpacyArcEager" and path.stem.endswith("train"):
            trees = filter(is_projective, trees)
        return list(islice(trees, count))


def shipped(system: str) -> dict[str, Any]:
    """The options of training with the oracle that is shipped with a system."""
    if system == "SpacyArcEager":
        return {"oracle": OfSpacy(), "policy": ExplorationPolicy(k=1, p=0.9)}  # one's own oracle explores only so
    oracle = OfStanza()
    return {"oracle": oracle, "policy": WhereRepaired(k=1, p=0.9, oracle=oracle)}


def right(given: argparse.Namespace, job: tuple[Setting, int, str]) -> dict[str, list[int]]:
    """How many words of each sentence are right in one way with one seed, and how many there are."""
    setting, seed, way = job
    learned, tested = given.sentences
    train = setting.sentences(given.folder / f"{setting.treebank}-train.conllu", learned)
    gold = setting.sentences(given.folder / f"{setting.treebank}-test.conllu", tested)
    how = shipped(setting.system) if way == "shipped" else {"oracle": "dynamic"}
    how |= {"system": SYSTEMS[setting.system], "epochs": given.epochs, "seed": seed, "on_error": "aggressive"}
    trainer = StepwiseTrainer(train, LinearOptions.chosen(**how), bits=BITS)
    for _ in range(given.epochs):
        trainer.epoch()
    counts = SentenceCounts.of(Predictions.of(gold, Parser(trainer.model()).parse(gold)))
    row = counts.scores.index("LAS")
    return {"right": counts.right[row].tolist(), "words": counts.whole[row].tolist()}


def measured(given: argparse.Namespace) -> Iterator[Compared]:
    """What came of each system and treebank."""
    settings = [Setting(treebank, system, 1.0) for system, treebank in product(given.systems, given.treebanks)]
    seeds = range(1, given.seeds + 1)
    keys = {
        (setting, seed, way): [setting.system, setting.treebank, way, seed, given.epochs, *given.sentences]
        for seed, setting, way in product(seeds, settings, WAYS)
    }
    known = resumed(keys, partial(right, given), given)
    for setting in settings:
        found = [{way: known[setting, seed, way]["right"] for way in WAYS} for seed in seeds]
        yield Compared.of(setting, [one | {"words": known[setting, 1, "exact"]["words"]} for one in found])


def page(compared: Sequence[Compared], given: argparse.Namespace) -> str:
    """The page in Markdown."""
    learned, tested = given.sentences
    about = ABOUT.format(epochs=given.epochs, learned=learned, tested=tested, short=SHORT, seeds=given.seeds)
    return "\n".join(
        [
            "# Shipped oracles in training\n",
            fill(INTRODUCTION, 120) + "\n",
            "    PYTHONPATH=path/to/stanza python benchmarks/shipped_in_training.py path/to/treebanks \\",
            "        --output docs/measurements/shipped.md\n",
            *(f"* *{way}*: {WAYS[way]}" for way in WAYS),
            "",
            fill(about.strip(), 120) + "\n",
            "## What came of it\n",
            *(fill(verdict(name, compared), 120) + "\n" for name in given.systems),
            "| system | exact costs against | comparisons | mean difference | smallest | largest | significant over "
            "seeds | over sentences | in both |",
            "|---" * 9 + "|",
            *(f"| {name} {summary(of_system(name, compared), 'shipped')}" for name in given.systems),
            "",
            *table(compared, "shipped"),
            "",
        ]
    )


def of_system(name: str, compared: Sequence[Compared]) -> list[Compared]:
    """What came of one system."""
    return [one for one in compared if one.setting.system == name]


def verdict(name: str, compared: Sequence[Compared]) -> str:
    """In words, whether exact costs are better than the oracle that is shipped with a system."""
    found = comparisons(of_system(name, compared), "shipped")
    better, mean = sum(gain > 0 for gain, *_ in found), fmean(gain for gain, *_ in found)
    *_, both = significant(found)
    return (
        f"In `{name}`, exact costs have the better LAS than the shipped oracle in {better} of {len(found)} treebanks, "
        f"by {mean:+.2f} on average; in {both or 'none'} of them is the difference significant both over seeds and "
        "over sentences."
    )


def main(words: list[str] | None = None) -> None:
    """Measure, and write the page or print it."""
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", nargs="+", default=[*SYSTEMS], choices=[*SYSTEMS])
    parser.add_argument("--treebanks", nargs="+", default=[*TREEBANKS])
    parser.add_argument("--output", type=Path, help="the page")
    parser.add_argument("--kept", type=Path, default=Path("build") / "shipped.jsonl", help="what was found before")
    parser.add_argument("--sentences", type=int, nargs=2, default=[200, 300], help="to learn from, to test on")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(words)
    text = page([*measured(given)], given)
    if given.output:
        given.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
