"""Accuracy and speed of a neural parser: trained on one file, tested on another.

    python benchmarks/neural_parser.py en_ewt-train.conllu en_ewt-test.conllu --dev en_ewt-dev.conllu

What the network is made of is changed by name: ``hidden=300 dropout=0.5``.
"""

import argparse
import time

import attrs
import torch
from measuring import Timer, arguments

from deptrees import DependencyTree, Treebank, evaluate
from deptrees.parser import Epoch
from deptrees.torch import BiLSTM, FeedForward, NeuralParser
from deptrees.torch.network import Architecture


def changed(architecture: Architecture, changes: list[str]) -> Architecture:
    """An architecture with some numbers changed, each given as ``name=value``."""
    values = dict(change.split("=", 1) for change in changes)
    return attrs.evolve(
        architecture, **{name: type(getattr(architecture, name))(value) for name, value in values.items()}
    )


def measure(given: argparse.Namespace) -> None:
    """Train and test."""
    architecture = changed({"BiLSTM": BiLSTM(), "FeedForward": FeedForward()}[given.network], given.changes)
    print(architecture, f"{given.epochs} epochs, seed {given.seed}, {torch.get_num_threads()} threads", flush=True)
    start = time.perf_counter()

    def report(epoch: Epoch) -> None:
        scores = f"  dev UAS {epoch.scores.uas:.2%}  LAS {epoch.scores.las:.2%}" if epoch.scores else ""
        seconds = time.perf_counter() - start
        print(f"epoch {epoch.number}, {seconds:.0f} s: {epoch.errors / epoch.steps:.2%} wrong{scores}", flush=True)

    parser = NeuralParser.train(
        Treebank(given.train),
        dev=given.dev and Treebank(given.dev),
        epochs=given.epochs,
        seed=given.seed,
        architecture=architecture,
        device=given.device,
        on_epoch=report,
    )
    gold = list(Treebank(given.test))
    parsed: list[DependencyTree] = []
    words = sum(map(len, gold))
    # By the clock: threads and accelerators work, too.
    speed = Timer().rate(
        "parsing", lambda: parsed.extend(parser.parse(gold)), words, repetitions=1, clock=time.perf_counter
    )
    scores = evaluate(gold, parsed)
    print(f"test UAS {scores.uas:.2%}  LAS {scores.las:.2%}  exact {scores.exact_match:.2%}  {speed:,.0f} words/s")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("changes", nargs="*", metavar="name=value")
    parser.add_argument("--dev")
    parser.add_argument("--network", choices=["BiLSTM", "FeedForward"], default="BiLSTM")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    measure(parser.parse_args())
