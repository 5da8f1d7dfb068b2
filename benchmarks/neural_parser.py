"""Accuracy and speed of a neural parser: trained on one file, tested on another.

python benchmarks/neural_parser.py en_ewt-train.conllu en_ewt-test.conllu --dev en_ewt-dev.conllu

Settings are changed by name: ``hidden=300 dropout=0.5``.
"""

import argparse
import time

import attrs
import torch

from deptrees import Treebank, evaluate
from deptrees.parser import Epoch
from deptrees.torch import BiLSTM, FeedForward, NeuralParser
from deptrees.torch.network import Settings


def changed(settings: Settings, changes: list[str]) -> Settings:
    """Settings with some numbers changed, each given as ``name=value``."""
    values = dict(change.split("=", 1) for change in changes)
    return attrs.evolve(settings, **{name: type(getattr(settings, name))(value) for name, value in values.items()})


def measure(arguments: argparse.Namespace) -> None:
    """Train and test."""
    settings = changed({"BiLSTM": BiLSTM(), "FeedForward": FeedForward()}[arguments.network], arguments.settings)
    print(settings, f"{arguments.epochs} epochs, seed {arguments.seed}, {torch.get_num_threads()} threads", flush=True)
    start = time.perf_counter()

    def report(epoch: Epoch) -> None:
        scores = f"  dev UAS {epoch.scores.uas:.2%}  LAS {epoch.scores.las:.2%}" if epoch.scores else ""
        seconds = time.perf_counter() - start
        print(
            f"epoch {epoch.number}, {seconds:.0f} s: {epoch.errors / epoch.transitions:.2%} wrong{scores}", flush=True
        )

    parser = NeuralParser.train(
        Treebank(arguments.train),
        dev=arguments.dev and Treebank(arguments.dev),
        epochs=arguments.epochs,
        seed=arguments.seed,
        settings=settings,
        device=arguments.device,
        on_epoch=report,
    )
    gold = list(Treebank(arguments.test))
    trained = time.perf_counter()
    scores = evaluate(gold, parser.parse(gold))
    speed = sum(map(len, gold)) / (time.perf_counter() - trained)
    print(f"test UAS {scores.uas:.2%}  LAS {scores.las:.2%}  exact {scores.exact_match:.2%}  {speed:,.0f} words/s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("settings", nargs="*", metavar="name=value")
    parser.add_argument("--dev")
    parser.add_argument("--network", choices=["BiLSTM", "FeedForward"], default="BiLSTM")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    measure(parser.parse_args())
