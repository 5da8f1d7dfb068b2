"""Constrained parsing: brackets in a sentence mark words that belong together, and ^ marks its root.

With the brackets, the garden is where the birds are; without them, it is where the gardener watched them. To parse your
own sentences, pass each as an argument.

    $ python examples/constrained_parsing.py
    The gardener watched the birds in the garden .
          ┌──────── 0 ROOT
          │  ┌────► 1 The       det
          │  └──┌─► 2 gardener  nsubj
    ┌──┌──└─►┌──└── 3 watched   root
    │  │     │  ┌─► 4 the       det
    │  │     └─►└── 5 birds     obj
    │  │     ┌────► 6 in        case
    │  │     │  ┌─► 7 the       det
    │  └────►└──└── 8 garden    obl
    └─────────────► 9 .         punct
    The gardener watched [ the birds in the garden ] .
       ┌──────── 0 ROOT
       │  ┌────► 1 The       det
       │  └──┌─► 2 gardener  nsubj
    ┌──└─►┌──└── 3 watched   root
    │     │  ┌─► 4 the       det
    │  ┌──└─►└── 5 birds     obj
    │  │  ┌────► 6 in        case
    │  │  │  ┌─► 7 the       det
    │  └─►└──└── 8 garden    nmod
    └──────────► 9 .         punct
"""

import sys

import attrs

from deptrees import DependencyTree, Parser, Token, sample_treebank
from deptrees.tagger import Tagger
from deptrees.transition import Constraints

SENTENCES = ("The gardener watched the birds in the garden .", "The gardener watched [ the birds in the garden ] .")


def read(line: str) -> tuple[list[Token], Constraints]:
    """The words of a line, and the constraints that its marks express."""
    words: list[Token] = []
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    root: dict[int, int] = {}
    for mark in line.split():
        if mark == "[":
            opened.append(len(words) + 1)
        elif mark == "]":
            spans.append((opened.pop(), len(words)))
        else:
            words.append(Token(mark.lstrip("^")))
            if mark.startswith("^"):
                root[len(words)] = 0
    return words, Constraints(heads=root, spans=spans)


def parse(parser: Parser, words: list[Token], known: Constraints) -> DependencyTree:
    """The tree of a sentence under constraints."""
    [tree] = parser.parse([words], constraints=lambda _: known)
    return tree


def main(lines: list[str]) -> None:
    """Parse each line under the constraints of its marks."""
    train = [*sample_treebank("train")]
    parser = attrs.evolve(Parser.train(train), tagger=Tagger.train(train))
    for line in lines or SENTENCES:
        print(line, parse(parser, *read(line)).draw(labels=True), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
