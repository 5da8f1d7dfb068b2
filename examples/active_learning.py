"""Active learning with partial annotation: ask only for the heads of which the parser is least sure.

An annotator answers questions about single words. A dynamic oracle lets the parser learn from trees with some heads
only; the parser says how sure it is of each head, and the next questions are about the words of which it is least sure.
For comparison, the second line asks as many questions about random words. Gold trees play the annotator. To use your
own treebanks, name three: one to ask about, one to calibrate on, and one to evaluate on.

    $ python examples/active_learning.py
    least sure  54.7% 78.0% 75.3% 70.0%
    at random   54.7% 70.0% 69.3% 70.7%
"""

import sys
from collections.abc import Callable, Iterator
from random import Random

from deptrees import DependencyTree, Parser, Treebank, evaluate, sample_treebank

ROUNDS, BEGIN, SHARE = 4, 10, 30
"""A tenth of the sentences is annotated at first; each round asks about a thirtieth of the words."""
Word = tuple[int, int]
"""The number of a sentence, and a word in it."""
Choice = Callable[[Parser, list[Word]], list[Word]]
"""Sorts the words without annotation into the order in which to ask about them."""


def annotated(gold: list[DependencyTree], known: set[Word]) -> list[DependencyTree]:
    """The trees with only the known heads and labels."""
    return [
        tree.reattach(
            [head if (number, word) in known else None for word, head in enumerate(tree.heads, 1)],
            [label if (number, word) in known else None for word, label in enumerate(tree.labels, 1)],
        )
        for number, tree in enumerate(gold)
    ]


def learn(
    gold: list[DependencyTree], held_out: list[DependencyTree], dev: list[DependencyTree], choose: Choice
) -> Iterator[float]:
    """The UAS after each round of training and asking."""
    words = [(number, word) for number, tree in enumerate(gold) for word in range(1, len(tree) + 1)]
    known = {word for word in words if word[0] < len(gold) // BEGIN}
    for _ in range(ROUNDS):
        parser = Parser.train([tree for tree in annotated(gold, known) if tree.arcs])
        yield evaluate(dev, parser.parse(dev)).uas
        unknown = [word for word in words if word not in known]
        known.update(choose(parser.calibrate(held_out), unknown)[: len(words) // SHARE])


def main(paths: list[str]) -> None:
    """Compare both ways of asking."""
    if paths:
        gold, held_out, dev = ([*Treebank(path)] for path in paths)
    else:
        sentences, dev = [*sample_treebank("train")], [*sample_treebank("dev")]
        gold, held_out = sentences[12:], sentences[:12]

    def least_sure(parser: Parser, words: list[Word]) -> list[Word]:
        parsed = [*parser.parse(gold, confidence=True)]
        return sorted(words, key=lambda word: float(parsed[word[0]][word[1]].misc_values["HeadConfidence"] or 0))

    def at_random(parser: Parser, words: list[Word]) -> list[Word]:
        return Random(1).sample(words, len(words))

    for name, choose in {"least sure": least_sure, "at random": at_random}.items():
        print(f"{name:11}", *(f"{uas:.1%}" for uas in learn(gold, held_out, dev, choose)))


if __name__ == "__main__":
    main(sys.argv[1:])
