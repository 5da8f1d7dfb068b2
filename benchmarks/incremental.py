"""Parsing word by word: how accurate parsers are that look 0, 1 or 2 words ahead, and how long a word takes.

    python benchmarks/incremental.py treebanks en_ewt hu_szeged

Arc-hybrid parsers are trained with each lookahead, and evaluated with gold tags, beside the default parser. For each
the script prints the LAS of its parses, which is that of parses word by word with a beam of 1. The first 200 sentences
are then parsed word by word with beams of several sizes: the LAS at the end, and the milliseconds of the processor that
``feed`` takes, the mean and the 95th percentile, on one thread.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from measuring import run, train_and_test

from deptrees import DependencyTree, Parser, evaluate

SENTENCES = 200
PARSERS: dict[str, dict[str, Any]] = {
    "default parser": {},
    **{f"lookahead {words}": {"system": "arc-hybrid", "lookahead": words} for words in (0, 1, 2)},
}


def word_by_word(parser: Parser, gold: list[DependencyTree], beam: int) -> tuple[list[DependencyTree], list[float]]:
    """The trees at the end, and the seconds that each word took."""
    trees, seconds = [], []
    for tree in gold:
        with parser.incremental(beam=beam) as state:
            for word in tree.words:
                began = time.process_time()
                state.feed(word)
                seconds.append(time.process_time() - began)
        trees.append(state.tree)
    return trees, seconds


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """Train and evaluate on one treebank."""
    train, gold = train_and_test(folder, name)
    print(f"{name}: LAS of {len(gold):,} sentences; of {SENTENCES}: LAS, ms of feed: mean, 95 %", flush=True)
    for parser_name, options in PARSERS.items():
        parser = Parser.train(train, epochs=given.epochs, **options)
        las = evaluate(gold, parser.parse(gold)).las
        for beam in (1, 4, 8):
            trees, seconds = word_by_word(parser, gold[:SENTENCES], beam)
            numbers = [las, evaluate(gold[:SENTENCES], trees).las]
            times = [1000 * np.mean(seconds), 1000 * np.quantile(seconds, 0.95)]
            shown = [*(f"{100 * value:6.2f}" for value in numbers), *(f"{value:5.2f}" for value in times)]
            print(f"  {parser_name:14}  beam {beam}  {'  '.join(shown)}", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
