"""What each way to train neural parsers gains, one by one: LAS with several seeds, and the difference by seed.

A small BiLSTM parser learns from one file, with gold tags, and the best of its epochs on development data counts. A
variant differs from it in one thing. Differences are the means over seeds, with an interval of 95 % by Student's t.

    python benchmarks/neural_tricks.py hu_szeged-train.conllu hu_szeged-dev.conllu
"""

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import torch
from measuring import arguments, interval

from deptrees import DependencyTree, Treebank, evaluate
from deptrees.torch import BiLSTM, Learning, NeuralParser, Transitions, Words


def encoder(**changes: Any) -> BiLSTM:
    """A small encoder."""
    sizes: dict[str, Any] = {"form": 64, "tags": 32, "character": 16, "spelling": 32, "dropout": 0.15}
    return BiLSTM(Words(**{**sizes, **changes}), hidden=100)


BASE: Mapping[str, Any] = MappingProxyType(
    {"encoder": encoder(), "decoder": Transitions(hidden=100), "learning": Learning()}
)
VARIANTS: Mapping[str, Mapping[str, Any]] = {
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


def las(train: list[DependencyTree], dev: list[DependencyTree], epochs: int, seed: int, **how: Any) -> float:
    """The LAS of a parser."""
    parser = NeuralParser.train(train, dev=dev, epochs=epochs, seed=seed, **{**BASE, **how})
    return evaluate(dev, parser.parse(dev)).las


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
    given = parser.parse_args()
    torch.set_num_threads(1)
    train, dev = list(Treebank(given.train)), list(Treebank(given.dev))
    base: list[float] = []
    for name, how in {"as it is": {}, **{name: VARIANTS[name] for name in given.variants}}.items():
        start = time.process_time()
        found = [las(train, dev, given.epochs, seed, **how) for seed in range(1, given.seeds + 1)]
        base = base or found
        difference = interval([one - other for one, other in zip(found, base, strict=True)]) if how else ""
        seconds = (time.process_time() - start) / given.seeds
        print(f"{name:36} {interval(found)}  {seconds:5.0f} s  {difference}", flush=True)
