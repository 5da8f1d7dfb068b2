"""Generative parsers: perplexity, the accuracy of their trees, what a beam does to surprisal, and how long it takes.

    python benchmarks/surprisal.py path/to/treebanks en_ewt --epochs 5

For arc-hybrid and arc-eager a parser learns from the first sentences of the training data of up to 30 words, and reads
those of the test data. Perplexity is that of a word, or of the end of a sentence, given all words before; unknown words
are one word. Beside it is that of words by their frequency alone. UAS is that of the most probable derivation and of
the tree of least risk. Then come the bits of surprisal of a word, and the milliseconds of the processor that it takes
to find them, exactly and with beams.
"""

import argparse
import math
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from statistics import fmean

import torch
from measuring import run

from deptrees import DependencyTree, Treebank, evaluate
from deptrees.torch import GenerativeParser
from deptrees.transition import ArcEager, ArcHybrid

LONGEST = 30
TRAIN, TEST = 2000, 300


def first(path: Path, count: int) -> list[DependencyTree]:
    """The first sentences that are not too long."""
    return list(islice((tree for tree in Treebank(path) if 0 < len(tree) <= LONGEST), count))


def frequencies(parser: GenerativeParser, train: list[DependencyTree], test: list[DependencyTree]) -> float:
    """The perplexity of words by their frequency, of the ends of sentences, too."""

    def words(trees: list[DependencyTree]) -> list[str]:
        forms = [[word.form.lower() for word in tree] for tree in trees]
        return [form if form in parser.forms else "" for tree in forms for form in tree] + ["the end"] * len(trees)

    counts, met = Counter(words(train)), words(test)
    return math.exp(-fmean(math.log(counts[word] / counts.total()) for word in met))


def report(folder: Path, name: str, given: argparse.Namespace) -> None:
    """Train and evaluate on one treebank."""
    train, test = first(folder / f"{name}-train.conllu", TRAIN), first(folder / f"{name}-test.conllu", TEST)
    torch.set_num_threads(1)
    words = sum(map(len, test))
    for system in (ArcHybrid(), ArcEager(root="last")):
        began = time.process_time()
        parser = GenerativeParser.train(train, system, epochs=given.epochs)
        seconds = time.process_time() - began
        perplexity = math.exp(-sum(parser.prefixes(tree)[-1] for tree in test) / (words + len(test)))
        best = [tree.reattach(parser.chart(tree).best().heads, [None] * len(tree)) for tree in test]
        uas = [100 * evaluate(test, trees).uas for trees in (best, parser.parse(test))]
        print(f"{name}: {len(train):,} and {len(test):,} sentences, {sum(map(len, train)):,} and {words:,} words")
        print(f"  {system}: {len(parser.forms):,} known words, {seconds:.0f} s, perplexity {perplexity:.1f}", end="")
        print(f" ({frequencies(parser, train, test):.1f} by frequency), UAS {uas[0]:.2f}, {uas[1]:.2f}")
        for beam in (None, 1, 8, 32):
            began = time.process_time()
            rows = list(parser.surprisals(test, beam))
            each = 1000 * (time.process_time() - began) / words
            known = fmean(row["known"] for row in rows)
            bits = fmean(row["surprisal"] for row in rows)
            print(f"    beam {beam}: {bits:.3f} bits, {each:.2f} ms a word, {known:.1%} known", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
