"""Parsing word by word: how accurate parsers are that look 0, 1 or 2 words ahead, and how long a word takes.

    python benchmarks/incremental.py treebanks en_ewt hu_szeged

Arc-hybrid parsers are trained with each lookahead, and evaluated with gold tags, beside the default parser. For each
the script prints the LAS of its parses and, with beams of several sizes, the LAS at the end of parses word by word, and
the milliseconds of the processor that ``feed`` takes: the mean and the 95th percentile, on one thread.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from measuring import run, train_and_test

from deptrees import DependencyTree, Parser, evaluate

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
    print(f"{name}: {len(gold):,} sentences; LAS word by word, ms of feed: mean, 95 %", flush=True)
    for parser_name, options in PARSERS.items():
        parser = Parser.train(train, epochs=given.epochs, **options)
        print(f"  {parser_name:14}  parsed {100 * evaluate(gold, parser.parse(gold)).las:6.2f}", flush=True)
        for beam in (1, 4, 8):
            trees, seconds = word_by_word(parser, gold, beam)
            mean, most = 1000 * np.mean(seconds), 1000 * np.quantile(seconds, 0.95)
            las = 100 * evaluate(gold, trees).las
            print(f"  {parser_name:14}  beam {beam} {las:6.2f}  {mean:5.2f}  {most:5.2f}", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
