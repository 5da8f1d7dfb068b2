"""Studies of how to train and to parse: a table for each treebank, with a row for each variant, the mean over seeds.

    python benchmarks/study.py oracles path/to/treebanks en_ewt tr_imst --seeds 5 --epochs 10

A folder has the files en_ewt-train.conllu and so on. Of several seeds, each figure has its standard deviation, and the
last column is the difference of the first figure to that of the first row, with an interval of 95 % by Student's t.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import re
import time
from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from itertools import product
from math import exp, isnan, nan
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, get_args

import attrs
import numpy as np
from measuring import Timer, arguments
from more_itertools import consume, take
from scipy import stats

from deptrees import Columns, DependencyTree, Ensemble, Parser, Treebank, evaluate, is_projective, load_parser
from deptrees.engine import Model, Trainer, core
from deptrees.evaluation import Reliability, reliability
from deptrees.evaluation.calibration import HEAD_CONFIDENCE, Bin
from deptrees.explorer import GoldTree, Question
from deptrees.explorer.questions import oracles_offered
from deptrees.explorer.states import state_of
from deptrees.features import DELEXICALIZED, FAST, WITH_FEATS, ready_made
from deptrees.parser import Epoch
from deptrees.training import LinearOptions
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    Constraints,
    LossNotFound,
    System,
)
from deptrees.transition.systems.registry import REGISTRY
from deptrees.trees.pseudo_projectivity import Encoding, deprojectivize, projectivize

Figures = Mapping[str, float]
Variants = Mapping[str, Callable[[int], Figures]]
"""The variants of a study by their names: functions of a seed."""

LAST = ArcEager(root="last")


@attrs.define(slots=False)
class Data:
    """A treebank, and what the command line says."""

    folder: Path
    name: str
    how: argparse.Namespace

    def part(self, part: str, name: str | None = None) -> list[DependencyTree]:
        """The trees of a part, of another treebank if one is named."""
        return list(Treebank(self.folder / f"{name or self.name}-{part}.conllu"))

    @cached_property
    def train(self) -> list[DependencyTree]:
        """The trees to learn from."""
        return self.part("train")

    @cached_property
    def columns(self) -> Columns:
        """The same as numbers."""
        return Columns.encode(self.train)

    @cached_property
    def gold(self) -> list[DependencyTree]:
        """The trees to evaluate on."""
        return self.part(self.how.part)

    def parser(self, seed: int, **options: Any) -> Parser:
        """A parser that has learned from the treebank."""
        return Parser.train(self.columns, seed=seed, **{"epochs": self.how.epochs, **options})

    def scores(self, seed: int, **options: Any) -> Figures:
        """How well it parses."""
        return scores(self.gold, self.parser(seed, **options).parse(self.gold))


def scores(gold: list[DependencyTree], parsed: Any) -> Figures:
    """The figures of most studies."""
    found = evaluate(gold, parsed)
    return {"LAS": 100 * found.las, "UAS": 100 * found.uas, "exact match": 100 * found.exact_match}


def las(gold: list[DependencyTree], parsed: Any) -> float:
    """The one that counts."""
    return 100 * evaluate(gold, parsed).las


def oracles(data: Data) -> Variants:
    """Which oracle to train with, as in Goldberg & Nivre 2013, table 1."""
    systems = ArcEager(), LAST, ArcHybrid(), ArcStandard()
    return {
        f"{system!r}, {oracle}": partial(data.scores, system=system, oracle=oracle, templates=WITH_FEATS)
        for system, oracle in product(systems, ("static", "nondeterministic", "dynamic"))
    }


def non_projective(data: Data) -> Variants:
    """What to do with non-projective trees.

    They are left out with the static oracle; exact with the dynamic one; or pseudo-projective (Nivre & Nilsson 2005).
    Systems that swap build them: with the eager and the lazy static oracle, or the static-dynamic one.
    """

    def pseudo_projective(system: System, encoding: Encoding, seed: int) -> Figures:
        columns = Columns.encode(projectivize(tree, encoding) for tree in data.train)
        how = {"epochs": data.how.epochs, "templates": WITH_FEATS}
        parser = Parser.train(columns, system=system, oracle="dynamic", seed=seed, **how)
        return scores(data.gold, [deprojectivize(tree, encoding) for tree in parser.parse(data.gold)])

    variants: dict[str, Callable[[int], Figures]] = {}
    for system, named in {
        LAST: {"left out": "static", "exact": "dynamic"},
        ArcHybrid(): {"left out": "static", "exact": "dynamic"},
        ArcStandardSwap(): {"eager": "static", "lazy": "static_lazy_swap"},
        ArcHybridSwap(): {"eager": "static", "static-dynamic": "static_dynamic"},
    }.items():
        for name, oracle in named.items():
            variants[f"{system!r}, {name}"] = partial(data.scores, system=system, oracle=oracle, templates=WITH_FEATS)
        for encoding in get_args(Encoding) if system.projective_only else ():
            variants[f"{system!r}, {encoding}"] = partial(pseudo_projective, system, encoding)
    return variants


def beams(data: Data) -> Variants:
    """Ways to train with a beam: the LAS after each epoch.

    Early update, max-violation and restarts (Huang, Fayong & Guo 2012; Aufrant, Wisniewski & Yvon 2017), with one
    correct derivation or all of them.
    """
    static, dynamic = {"oracle": "static"}, {"oracle": "dynamic"}
    early, violation = {"update": "early"}, {"update": "max_violation"}
    ways: dict[str, dict[str, Any]] = {
        "greedy, static": {**static, "beam": 1},
        "greedy, dynamic": {**dynamic, "beam": 1},
        "early, static": {**static, **early, "restart": False},
        "early, dynamic": {**dynamic, **early, "restart": False, "exploration": 0.0},
        "max-violation, static": {**static, **violation, "restart": False},
        "max-violation, dynamic": {**dynamic, **violation, "restart": False, "exploration": 0.0},
        "max-violation from error, static": {**static, "update": "max_violation_from_error", "restart": False},
        "early, restart": {**dynamic, **early, "exploration": 0.0},
        "max-violation, restart": {**dynamic, **violation, "exploration": 0.0},
        "early, exploring": {**dynamic, **early},
        "max-violation, exploring": {**dynamic, **violation},
    }

    def by_epoch(seed: int, **options: Any) -> Figures:
        epochs: list[Epoch] = []
        data.parser(seed, system=LAST, dev=data.gold, templates=WITH_FEATS, on_epoch=epochs.append, **options)
        return {f"epoch {epoch.number}": 100 * epoch.scores.las for epoch in epochs if epoch.scores}

    return {name: partial(by_epoch, **{"beam": data.how.beam, **way}) for name, way in ways.items()}


def templates(data: Data) -> Variants:
    """Ready-made sets of feature templates, and how fast they parse."""
    columns = Columns.encode(data.gold)

    def one(name: str, seed: int) -> Figures:
        parser = data.parser(seed, system=LAST, templates=getattr(ready_made, name))
        rate = Timer().rate(name, lambda: parser.model.parse(columns), len(columns.heads))
        return {"LAS": las(data.gold, parser.parse(data.gold)), "words/s": rate}

    return {name: partial(one, name) for name in ready_made.__all__}


def systems(data: Data) -> Variants:
    """Parsers that run step by step beside arc-eager, each with default settings, and their speed."""

    def one(system: Any, seed: int) -> Figures:
        start = time.process_time()
        parser = data.parser(seed, system=system)
        learned = data.how.epochs * len(data.columns.heads) / (time.process_time() - start)
        words = sum(map(len, data.gold))
        parsed = Timer().rate(str(system), lambda: consume(parser.parse(data.gold)), words, repetitions=2)
        found = scores(data.gold, parser.parse(data.gold))
        return {**found, "learned from, words/s": learned, "parsed, words/s": parsed}

    return {str(system): partial(one, system) for system in ("arc-eager", "ArcSwift", "EasyFirst", "LRSpines")}


def epochs(data: Data) -> Variants:
    """The seconds of the second epoch with each system of the registry, extrapolated from a random sample.

    The sample is twice as large each time, until an epoch takes the given seconds. It is processor time in user mode:
    the system clears memory for the weights, once only, and that would be extrapolated, too.
    """
    trees = random.Random(1).sample(data.train, len(data.train))

    def second_epoch(system: System, count: int) -> float:
        ends: list[float] = []
        Parser.train(trees[:count], system=system, epochs=3, on_epoch=lambda _: ends.append(os.times().user))
        return ends[1] - ends[0]

    def one(system: System, _: int) -> Figures:
        count = 32
        try:
            while (seconds := second_epoch(system, count)) < data.how.seconds and count < len(trees):
                count = min(2 * count, len(trees))
        except LossNotFound:
            return {"s": nan, "sentences measured": count}
        return {
            "s": seconds * len(data.columns.heads) / sum(map(len, trees[:count])),
            "sentences measured": min(count, len(trees)),
        }

    return {name: partial(one, registered.example) for name, registered in REGISTRY.items()}


def seeds(data: Data) -> Variants:
    """What the average of several seeds' weights gains."""
    how = {"beam": data.how.beam, "joint": data.how.joint}
    return {f"seeds={count}": partial(data.scores, seeds=count, **how) for count in range(1, 6)}


def transfer(data: Data) -> Variants:
    """A parser learns from another language without words, and then from a few sentences (Zeman & Resnik 2008)."""
    other = Columns.encode(data.part("train", data.how.other))
    delexicalized = cache(lambda seed: Parser.train(other, templates=DELEXICALIZED, epochs=data.how.epochs, seed=seed))

    def one(count: int, seed: int) -> Figures:
        how = {"templates": WITH_FEATS, "epochs": data.how.epochs, "seed": seed}
        start, some = delexicalized(seed), data.train[:count]
        if not some:
            return {"transferred": las(data.gold, start.parse(data.gold)), "alone": nan}
        after, alone = (Parser.train(some, start=first, **how) for first in (start, None))
        return {"transferred": las(data.gold, after.parse(data.gold)), "alone": las(data.gold, alone.parse(data.gold))}

    return {f"{count} sentences": partial(one, count) for count in (0, 10, 30, 100, 300)}


def neural(data: Data) -> Variants:
    """What each way to train neural parsers gains: a small BiLSTM parser, the best of its epochs on the same data."""
    import torch

    from deptrees.torch import BiLSTM, Learning, NeuralParser, Transitions, Words

    torch.set_num_threads(1)

    def encoder(**changes: Any) -> BiLSTM:
        sizes: dict[str, Any] = {"form": 64, "tags": 32, "character": 16, "spelling": 32, "dropout": 0.15}
        return BiLSTM(Words(**{**sizes, **changes}), hidden=100)

    def one(seed: int, **changes: Any) -> Figures:
        start = time.process_time()
        how = {"encoder": encoder(), "decoder": Transitions(hidden=100), "learning": Learning(), **changes}
        parser = NeuralParser.train(data.train, dev=data.gold, epochs=data.how.epochs, seed=seed, **how)
        return {"LAS": las(data.gold, parser.parse(data.gold)), "s": time.process_time() - start}

    changed: dict[str, dict[str, Any]] = {
        "as it is": {},
        "no dropout of words": {"encoder": encoder(dropout=0.0)},
        "forms are never taken for unknown": {"encoder": encoder(rare=0.0)},
        "no FEATS": {"encoder": encoder(columns=("upos", "xpos"))},
        "mixed precision": {"learning": Learning(mixed_precision=True)},
        "no average of weights": {"learning": Learning(averaging=0.0)},
        "1,000 words an update": {"learning": Learning(batch_words=1000)},
        "static oracle": {"oracle": "static", "exploration": 0.0},
        "no exploration": {"exploration": 0.0},
        "exploration grows": {"exploration": (0.0, 0.3, 0.6, 0.9)},
        "a beam of 4": {"beam": 4},
        "three seeds together": {"seeds": 3},
    }
    return {name: partial(one, **changes) for name, changes in changed.items()}


def voting(data: Data) -> Variants:
    """Parsers of files, by ``--models``, and the ensemble in which they vote on every arc."""
    parsers = [load_parser(path) for path in data.how.models]
    together = Parser(Ensemble(parsers, data.how.weights or [1] * len(parsers)))
    words = sum(map(len, data.gold))

    def one(parser: Parser, _: int) -> Figures:
        start = time.process_time()
        parsed = list(parser.parse(data.gold))
        return {**scores(data.gold, parsed), "words/s": words / (time.process_time() - start)}

    named = {**dict(zip(data.how.models, parsers, strict=True)), "all of them": together}
    return {name: partial(one, parser) for name, parser in named.items()}


def distillation(data: Data) -> Variants:
    """What a linear parser gains from the trees of an ensemble, which learned from those that some sentences keep.

    Three networks and a linear parser with a beam parse the other sentences, from which a greedy parser then learns.
    """
    kept, others = data.train[: data.how.kept], data.train[data.how.kept :]

    @cache
    def distilled() -> list[DependencyTree]:
        from deptrees.torch import NeuralParser

        networks = NeuralParser.train(kept, epochs=data.how.epochs, seeds=3)
        linear = Parser.train(kept, epochs=data.how.epochs, beam=8, joint=True, seeds=3)
        return list(Parser(Ensemble([networks, linear], [3, 1])).parse(others))

    def one(more: Callable[[], list[DependencyTree]], seed: int) -> Figures:
        parser = Parser.train([*kept, *more()], epochs=data.how.epochs, seed=seed)
        return scores(data.gold, parser.parse(data.gold))

    learned_from: dict[str, Callable[[], list[DependencyTree]]] = {
        "the trees kept": list,
        "and those of the ensemble": distilled,
        "and the others": lambda: others,
    }
    return {name: partial(one, more) for name, more in learned_from.items()}


def quantization(data: Data) -> Variants:
    """Parsing with quantized weights beside the floats that they are made of, both in lock step."""
    columns, timer = Columns.encode(data.gold), Timer()

    @cache
    def trained(seed: int) -> tuple[Model, dict[str, Any], dict[str, Callable[[], Any]]]:
        trainer = Trainer(data.columns, LinearOptions(system=LAST, templates=FAST, seed=seed))
        for _ in range(data.how.epochs):
            trainer.epoch()
        model = trainer.model()
        weights = {"floats": model.spec.weights(model.arrays), "quantized": model.spec.quantized(model.tables)}
        works = {name: parsing(model, each) for name, each in weights.items()}
        return model, {name: work().copy() for name, work in works.items()}, works

    def parsing(model: Model, weights: core.Weights) -> Callable[[], Any]:
        system, encoded = model.spec.assemble(columns)
        found = np.full((2, 1, len(columns.heads)), -1, np.int32)

        def parse() -> Any:
            core.parse(
                weights, system, encoded, 0, len(columns), found[0], found[1], None, None, -1, data.how.beam, False
            )
            return found[:, 0]

        return parse

    def one(name: str, seed: int) -> Figures:
        model, found, works = trained(seed)
        numbers = {label: number for number, label in enumerate(model.spec.labels)}
        gold = np.array([*(numbers.get(label, -2) for label in columns.vocabularies["deprel"]), -2])[columns.labels]
        return {
            "LAS": 100 * float(((found[name][0] == columns.heads) & (found[name][1] == gold)).mean()),
            "words that differ": 100 * float((found[name] != found["floats"]).any(axis=0).mean()),
            "words/s": timer.rates(works, len(columns.heads))[name],
        }

    return {name: partial(one, name) for name in ("floats", "quantized")}


def some_heads(tree: DependencyTree) -> Constraints:
    """Three heads in ten, if the parser can build the tree."""
    rng, possible = Random(tree.name), is_projective(tree) and len(tree.roots) == 1
    return Constraints(heads={word: head for head, word in tree.arcs if possible and rng.random() < 0.3})


def without_known(tree: DependencyTree) -> DependencyTree:
    """The tree without the heads that are known."""
    known = dict(some_heads(tree).heads)
    return tree.reattach([None if word in known else head for word, head in enumerate(tree.heads, 1)])


def calibration(data: Data) -> Variants:
    """Are the probabilities of heads and labels right? Parsers are calibrated on the dev part.

    The expected calibration error (Naeini, Cooper & Hauskrecht 2015) of heads and of labeled arcs, and that of heads
    without calibration: the share of a head in the 16 best trees, weighted by the softmax of their scores (Mejer &
    Crammer 2012). Then the wrong heads in the tenth of the words that have the least probable ones. The same errors for
    the other words where three heads in ten are known, calibrated without and with these constraints.
    """
    dev, gold = data.part("dev"), data.gold
    trained = cache(lambda beam, seed: data.parser(seed, beam=beam))

    def free(beam: int, seed: int) -> Figures:
        parser = trained(beam, seed).calibrate(dev)
        parsed = list(parser.parse(gold, confidence=True))
        words = [pair for trees in zip(gold, parsed, strict=True) for pair in zip(*trees, strict=True)]
        right, shares = [ours.head == theirs.head for ours, theirs in words], []
        for tree, found in zip(parsed, parser.k_best(gold, 16), strict=True):
            weights = [exp(score - found[0].score) for _, score in found]
            for word, head in enumerate(tree.heads):
                same = [w for w, (other, _) in zip(weights, found, strict=True) if other.heads[word] == head]
                shares.append(min(sum(same) / sum(weights), 1.0))
        words.sort(key=lambda pair: float(pair[1].misc_values[HEAD_CONFIDENCE]))
        tenth = words[: len(words) // 10]
        return {
            **errors(gold, parsed),
            "ECE without calibration": 100 * Reliability.of(iter(shares), right).expected_calibration_error,
            "wrong in the tenth": 100 * fmean(ours.head != theirs.head for ours, theirs in tenth),
        }

    def known(beam: int, seed: int, **how: Any) -> Figures:
        parser = trained(beam, seed).calibrate(dev, **how)
        return errors([*map(without_known, gold)], list(parser.parse(gold, constraints=some_heads, confidence=True)))

    def errors(gold: list[DependencyTree], parsed: list[DependencyTree]) -> Figures:
        found = [reliability(gold, parsed, labeled=labeled).expected_calibration_error for labeled in (False, True)]
        return {"UAS": 100 * evaluate(gold, parsed).uas, "ECE of heads": 100 * found[0], "ECE of arcs": 100 * found[1]}

    variants: dict[str, Callable[[int], Figures]] = {}
    for beam in 1, 8:
        variants[f"beam {beam}"] = partial(free, beam)
        variants[f"beam {beam}, some heads known"] = partial(known, beam)
        variants[f"beam {beam}, calibrated with them"] = partial(known, beam, constraints=some_heads)
    return variants


def diagram(data: Data) -> Variants:
    """The points of the reliability diagram of heads; parsers are calibrated on the dev part."""

    @cache
    def bins(beam: int, seed: int) -> Any:
        parser = data.parser(seed, beam=beam).calibrate(data.part("dev"))
        return reliability(data.gold, parser.parse(data.gold, confidence=True)).bins

    def one(beam: int, tenth: int, seed: int) -> Figures:
        [found] = [each for each in bins(beam, seed) if int(10 * each.confidence) == tenth] or [Bin(0, nan, nan)]
        return {"confidence": 100 * found.confidence, "accuracy": 100 * found.accuracy, "words": found.count}

    return {
        f"beam {beam}, {tenth / 10} to {(tenth + 1) / 10}": partial(one, beam, tenth)
        for beam, tenth in product((1, 8), range(10))
    }


def pseudo_projectivity(data: Data) -> Variants:
    """How many non-projective trees and lifted arcs come back from projectivizing, and how fast all trees go there."""
    crossing = [tree for tree in data.gold if not is_projective(tree)]

    def rate(function: Callable[[DependencyTree], DependencyTree], trees: list[DependencyTree]) -> float:
        return Timer().rate_with_fresh_trees(
            str(function), lambda fresh: consume(map(function, fresh)), trees, len(trees)
        )

    def one(encoding: Encoding, _: int) -> Figures:
        there, back = partial(projectivize, encoding=encoding), partial(deprojectivize, encoding=encoding)
        lifted = [(tree, found, back(found)) for tree in crossing for found in [there(tree)]]
        arcs = [(a, c) for trees in lifted for a, b, c in zip(*(tree.heads for tree in trees), strict=True) if a != b]
        return {
            "trees back": 100 * fmean(tree == again for tree, _, again in lifted) if lifted else nan,
            "arcs back": 100 * fmean(head == again for head, again in arcs) if arcs else nan,
            "projectivize/s": rate(there, data.gold),
            "deprojectivize/s": rate(back, [*map(there, data.gold)]),
        }

    return {encoding: partial(one, encoding) for encoding in get_args(Encoding)}


def explorer(data: Data) -> Variants:
    """How long a step of the explorer takes: the processor time to make all that the page shows of it.

    A transition in ten is random, as are all where the oracle is not defined.
    """
    gc.set_threshold(50_000)  # as every command has it
    trees = take(data.how.sentences, (tree for tree in data.gold if len(tree) == data.how.words))

    def steps(question: Question, rng: random.Random) -> list[float]:
        gc.collect()
        gc.freeze()  # the walks before this one, which an explorer that has just been started has not
        found, walk = [], question.walk()
        while True:
            start = time.process_time()
            state_of(walk)
            found.append(1000 * (time.process_time() - start))
            if walk.cfg.is_final:
                return found
            free = not walk.gold or rng.random() < 0.1
            choices = [choice.transition for choice in walk.options] if free else walk.gold
            walk = walk.after(repr(rng.choice(choices)))

    def one(name: str, seed: int) -> Figures:
        rng, oracle, root = random.Random(seed), oracles_offered(name)[-1], REGISTRY[name].roots[0]
        found = [ms for tree in trees for ms in steps(Question(GoldTree.of(tree), name, root, False, oracle), rng)]
        return {"mean, ms": fmean(found), "slowest, ms": max(found), "steps": len(found)}

    return {name: partial(one, name) for name in REGISTRY}


DEFAULTS = {"seeds": 5, "epochs": 10, "beam": 1, "part": "test"}
STUDIES: dict[Callable[[Data], Variants], dict[str, Any]] = {
    oracles: {},
    non_projective: {},
    beams: {"beam": 8},
    templates: {},
    systems: {"seeds": 1},
    epochs: {"seeds": 1},
    seeds: {},
    transfer: {},
    neural: {"epochs": 16, "part": "dev"},
    voting: {"seeds": 1},
    distillation: {"part": "dev"},
    quantization: {},
    calibration: {"seeds": 1},
    diagram: {"seeds": 1},
    pseudo_projectivity: {"seeds": 1, "part": "dev"},
    explorer: {"seeds": 1, "part": "train"},
}
"""Each with what differs from the defaults."""


def report(study: Callable[[Data], Variants], data: Data) -> None:
    """Print a table, row by row."""
    base, names = list[float](), list[str]()
    for name, variant in study(data).items():
        if not re.search(data.how.variants, name):
            continue
        found = [variant(seed) for seed in range(1, data.how.seeds + 1)]
        first = [next(iter(figures.values())) for figures in found]
        if not base:
            base, names = first, [*found[0]]
            print(f"\n{data.name}-{data.how.part}, {data.how.epochs} epochs, {data.how.seeds} seeds\n")
            print("| |", " | ".join([*names, "difference"]), "|")
            print("|---" * (len(names) + 2) + "|")
        columns = [shown([figures.get(figure, nan) for figures in found]) for figure in names]
        columns.append(difference([one - other for one, other in zip(first, base, strict=True)]))
        print(f"| {name} |", " | ".join(columns), "|", flush=True)


def shown(values: list[float]) -> str:
    """The mean of a figure, and its standard deviation."""
    if any(map(isnan, values)):
        return ""
    digits = 0 if abs(fmean(values)) >= 1000 else 2
    return f"{fmean(values):,.{digits}f}" + (f" ± {stdev(values):,.{digits}f}" if len(values) > 1 else "")


def difference(values: list[float]) -> str:
    """Its mean, and of several its interval of 95 %."""
    error = stats.sem(values) * stats.t.ppf(0.975, len(values) - 1) if len(values) > 1 else nan
    return (
        ""
        if not any(values) or any(map(isnan, values))
        else f"{fmean(values):+.2f}" + ("" if isnan(error) else f" ± {error:.2f}")
    )


def main(words: list[str] | None = None) -> None:
    """Report on each treebank that the command line names."""
    named = {study.__name__: study for study in STUDIES}
    parser = arguments(
        f"{__doc__}\nThe studies:\n\n" + "\n".join(f"{name}: {study.__doc__}" for name, study in named.items())
    )
    parser.add_argument("study", choices=named, metavar="study")
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", nargs="+")
    for number in "seeds", "epochs", "beam":
        parser.add_argument(f"--{number}", type=int, default=argparse.SUPPRESS)
    parser.add_argument("--part", choices=["train", "dev", "test"], default=argparse.SUPPRESS, help="to evaluate on")
    parser.add_argument("--variants", default="", help="only those in whose names this regular expression is found")
    parser.add_argument("--joint", action="store_true", help="seeds: labels are chosen with transitions")
    parser.add_argument("--other", default="en_ewt", help="transfer: the treebank to learn from first")
    parser.add_argument("--kept", type=int, default=2000, help="distillation: how many sentences keep their trees")
    parser.add_argument("--models", nargs="+", default=[], help="voting: files of parsers")
    parser.add_argument("--weights", nargs="+", type=float, help="voting: how much each counts; 1 if not given")
    parser.add_argument("--seconds", type=float, default=3, help="epochs: how long to measure")
    parser.add_argument("--words", type=int, default=40, help="explorer: the length of sentences")
    parser.add_argument("--sentences", type=int, default=3, help="explorer: how many")
    given = vars(parser.parse_args(words))
    study = named[given.pop("study")]
    folder, treebanks = given.pop("folder"), given.pop("treebanks")
    for treebank in treebanks:
        report(study, Data(folder, treebank, argparse.Namespace(**{**DEFAULTS, **STUDIES[study], **given})))


if __name__ == "__main__":
    main()
