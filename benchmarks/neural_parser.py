"""Accuracy and speed of a neural parser: trained on one file, tested on another.

    python benchmarks/neural_parser.py en_ewt-train.conllu en_ewt-test.conllu --dev en_ewt-dev.conllu

What the parser is made of and how it learns is changed by name, as far as it is a number, a text or a list of texts:
``encoder.hidden=300 encoder.of.columns=upos,feats learning.batch_words=500``.
"""

import argparse
import time
from typing import Any

import attrs
import torch
from measuring import Timer, arguments

from deptrees import DependencyTree, Treebank, evaluate
from deptrees.parser import Epoch
from deptrees.torch import Architecture, LabeledTransitions, NeuralParser, Words

NETWORKS = {
    "BiLSTM": Architecture(),
    "feed-forward": Architecture(encoder=Words(), decoder=LabeledTransitions()),
}


def changed(part: Any, path: list[str], value: str) -> Any:
    """A part of an architecture in which one value is another one, given by the names that lead there."""
    name, *rest = path
    old = getattr(part, name)
    if rest:
        new = changed(old, rest, value)
    elif isinstance(old, bool):
        new = value == "True"
    else:
        new = tuple(value.split(",")) if isinstance(old, tuple) else type(old)(value)
    return attrs.evolve(part, **{name: new})


def measure(given: argparse.Namespace) -> None:
    """Train and test."""
    architecture: Architecture = NETWORKS[given.network]
    for change in given.changes:
        name, value = change.split("=", 1)
        architecture = changed(architecture, name.split("."), value)
    how = f"{given.epochs} epochs, beam {given.beam}, seed {given.seed}, {torch.get_num_threads()} threads"
    print(given.system, architecture, how, flush=True)
    start = time.process_time()

    def report(epoch: Epoch) -> None:
        scores = f"  dev UAS {epoch.scores.uas:.2%}  LAS {epoch.scores.las:.2%}" if epoch.scores else ""
        seconds = time.process_time() - start
        print(f"epoch {epoch.number}, {seconds:.0f} s: {epoch.errors / epoch.steps:.2%} wrong{scores}", flush=True)

    parser = NeuralParser.train(
        Treebank(given.train),
        system=given.system,
        dev=given.dev and Treebank(given.dev),
        epochs=given.epochs,
        seed=given.seed,
        beam=given.beam,
        **architecture.arguments(),
        device=given.device,
        on_epoch=report,
    )
    if given.output:
        parser.save(given.output)
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
    parser.add_argument("--network", choices=NETWORKS, default="BiLSTM")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--system", default="arc-hybrid")
    parser.add_argument("--beam", type=int, default=1, help="how many derivations to follow at a time")
    parser.add_argument("--output", help="save the parser to this file")
    parser.add_argument("--device")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_intermixed_args()
    torch.set_num_threads(given.threads)
    measure(given)
