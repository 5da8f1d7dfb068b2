"""Accuracy of parsers, and of the ensemble in which they vote on every arc.

    python benchmarks/voting.py en_ewt-dev.conllu first.model second.model third.model --weights 1.1 1 1

The models are files of ``deptrees train`` or ``benchmarks/neural_parser.py --output``.
"""

import argparse
import time

from measuring import arguments

from deptrees import DependencyTree, Ensemble, Parser, Treebank, evaluate, load_parser


def report(name: str, parser: Parser, gold: list[DependencyTree]) -> None:
    """Parse, and tell how well and how fast."""
    start = time.process_time()
    parsed = list(parser.parse(gold))
    speed = sum(map(len, gold)) / (time.process_time() - start)
    scores = evaluate(gold, parsed)
    print(f"{name}: UAS {scores.uas:.2%}  LAS {scores.las:.2%}, {speed:,.0f} words/s of processor time", flush=True)


def measure(given: argparse.Namespace) -> None:
    """The parsers one by one, and then together."""
    gold = list(Treebank(given.gold))
    parsers = [load_parser(path) for path in given.models]
    for path, parser in zip(given.models, parsers, strict=True):
        report(path, parser, gold)
    report("all of them", Parser(Ensemble(parsers, given.weights or [1] * len(parsers))), gold)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("gold")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--weights", nargs="+", type=float, help="how much the vote of each counts; 1 if not given")
    measure(parser.parse_args())
