"""Probabilities of heads and labels: are they right? Parsers calibrated on the dev data, measured on the test data.

The expected calibration error (Naeini et al. 2015) of heads and of labeled arcs, and, for comparison, that of heads
without calibration: the share of a head in the 16 best trees, weighted by the softmax of their scores (Mejer & Crammer
2012). Then how many heads are wrong in the tenth of the words that have the least probable ones, and the points of the
reliability diagram. Then the same errors for the other words where three heads in ten are known, calibrated without and
with these constraints.

    python benchmarks/calibration.py path/to/treebanks fr_partut tr_imst hu_szeged en_ewt --epochs 5
"""

import argparse
from collections.abc import Iterator
from math import exp
from pathlib import Path
from random import Random

from measuring import run, train_and_test

from deptrees import DependencyTree, Parser, Treebank, evaluate, is_projective
from deptrees.evaluation import Reliability, reliability
from deptrees.evaluation.calibration import HEAD_CONFIDENCE
from deptrees.transition import Constraints

BEAMS = {"greedy": 1, "beam 8": 8}
ALTERNATIVES = 16


def softmax_of_trees(parser: Parser, gold: list[DependencyTree], parsed: list[DependencyTree]) -> Reliability:
    """The reliability of what the scores of the best trees say, taken as they are."""

    def shares() -> Iterator[float]:
        for tree, found in zip(parsed, parser.k_best(gold, ALTERNATIVES), strict=True):
            weights = [exp(score - found[0].score) for _, score in found]
            for word, head in enumerate(tree.heads):
                same = [w for w, (other, _) in zip(weights, found, strict=True) if other.heads[word] == head]
                yield sum(same) / sum(weights)

    right = [a.head == b.head for trees in zip(gold, parsed, strict=True) for a, b in zip(*trees, strict=True)]
    return Reliability.of((min(share, 1.0) for share in shares()), right)


def least_certain(gold: list[DependencyTree], parsed: list[DependencyTree]) -> float:
    """How many heads are wrong in the tenth of the words with the least probable ones."""
    words = [pair for trees in zip(gold, parsed, strict=True) for pair in zip(*trees, strict=True)]
    words.sort(key=lambda pair: float(pair[1].misc_values[HEAD_CONFIDENCE]))
    tenth = words[: len(words) // 10]
    return sum(ours.head != theirs.head for ours, theirs in tenth) / len(tenth)


def some_heads(tree: DependencyTree) -> Constraints:
    """Three heads in ten, if the parser can build the tree."""
    rng, possible = Random(tree.name), is_projective(tree) and len(tree.roots) == 1
    return Constraints(heads={word: head for head, word in tree.arcs if possible and rng.random() < 0.3})


def without_known(tree: DependencyTree) -> DependencyTree:
    """The tree without the heads that are known."""
    known = dict(some_heads(tree).heads)
    return tree.reattach([None if word in known else head for word, head in enumerate(tree.heads, 1)], tree.labels)


def report_constrained(parser: Parser, gold: list[DependencyTree]) -> None:
    """A line for parsing with some heads known."""
    parsed = list(parser.parse(gold, constraints=some_heads, confidence=True))
    found = list(map(without_known, gold))
    errors = [reliability(found, parsed, labeled=labeled).expected_calibration_error for labeled in (False, True)]
    print("  known  ", *(f"{100 * number:7.2f}" for number in (evaluate(found, parsed).uas, *errors)), flush=True)


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """A table for a treebank, and the points of the diagrams."""
    train, gold = train_and_test(folder, name)
    dev = list(Treebank(folder / f"{name}-dev.conllu"))
    print(
        f"\n{name}-test, {given.epochs} epochs: UAS, LAS; ECE of heads: softmax of trees, calibrated; of labeled arcs;"
    )
    print("wrong heads: of all, of the tenth that is least certain")
    for label, beam in BEAMS.items():
        parser = Parser.train(train, epochs=given.epochs, beam=beam).calibrate(dev)
        parsed = list(parser.parse(gold, confidence=True))
        scores, heads = evaluate(gold, parsed), reliability(gold, parsed)
        raw, arcs = softmax_of_trees(parser, gold, parsed), reliability(gold, parsed, labeled=True)
        errors = [each.expected_calibration_error for each in (raw, heads, arcs)]
        numbers = [scores.uas, scores.las, *errors, 1 - scores.uas, least_certain(gold, parsed)]
        print(f"{label:8}", *(f"{100 * number:7.2f}" for number in numbers), flush=True)
        for one in heads.bins:
            print(f"  {one.confidence:.3f} {one.accuracy:.3f} {one.count:6}", flush=True)
        report_constrained(parser, gold)
        report_constrained(parser.calibrate(dev, constraints=some_heads), gold)


if __name__ == "__main__":
    run(__doc__, report)
