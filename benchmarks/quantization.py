"""Parsing with quantized weights beside parsing with the floats that they are made of: accuracy, differences and speed.

The floats are what training leaves; models parse with weights of 16 bits for transitions and 8 bits for labels. Speeds
are those of one thread from arrays to arrays, one after the other in each round, so that both find the machine equally
busy. The floats, too, are parsed with in lock step: what quantizing gives is less memory to read.

    python benchmarks/quantization.py path/to/treebanks en_ewt fr_partut hu_szeged tr_imst
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import numpy as np
import numpy.typing as npt
from measuring import Timer, mean_and_deviation, run, train_and_test

from deptrees.engine import Model, Trainer, core
from deptrees.features import FAST
from deptrees.transition import ArcEager
from deptrees.treebanks.columns import Columns

_Integers = npt.NDArray[np.int32]

SYSTEM = ArcEager(root="last")


def parser_with(weights: core.Weights, model: Model, columns: Columns, beam: int) -> Callable[[], _Integers]:
    """What parses a treebank and tells heads and labels."""
    system, data = model.shape.assemble(columns)
    found = np.full((2, 1, len(columns.heads)), -1, np.int32)

    def parse() -> _Integers:
        core.parse(weights, system, data, 0, len(columns), found[0], found[1], None, None, -1, beam, False)
        return found[:, 0]

    return parse


def attachment(found: _Integers, columns: Columns, labels: tuple[str, ...]) -> float:
    """The labeled attachment score."""
    numbers = {label: number for number, label in enumerate(labels)}
    gold = np.array([*(numbers.get(label, -2) for label in columns.vocabularies["deprel"]), -2])[columns.labels]
    return float(((found[0] == columns.heads) & (found[1] == gold)).mean())


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """One line for a treebank and a beam."""
    train, test = map(Columns.encode, train_and_test(folder, name))
    scores: dict[str, list[float]] = {"floats": [], "quantized": []}
    differing, timer = [], Timer()
    for seed in range(1, given.seeds + 1):
        trainer = Trainer(train, SYSTEM, FAST, seed=seed)
        for _ in range(given.epochs):
            trainer.epoch()
        model = trainer.model()
        works: dict[str, Callable[[], object]] = {
            "floats": parser_with(model.shape.weights(model.arrays), model, test, given.beam),
            "quantized": parser_with(model.shape.quantized(model.tables), model, test, given.beam),
        }
        found = {kind: np.array(work()) for kind, work in works.items()}
        for kind, parsed in found.items():
            scores[kind].append(attachment(parsed, test, model.shape.labels))
        differing.append(float((found["floats"] != found["quantized"]).any(axis=0).mean()))
    rates = timer.rates(works, len(test.heads))
    lost = fmean(scores["quantized"]) - fmean(scores["floats"])
    print(
        f"{name:12} beam {given.beam}  LAS {'   '.join(map(mean_and_deviation, scores.values()))}  {100 * lost:+.3f}"
        f"   words that differ {100 * fmean(differing):.2f} %   speed {rates['quantized'] / rates['floats']:.2f} times",
        flush=True,
    )


if __name__ == "__main__":
    run(__doc__, report, beam=1)
