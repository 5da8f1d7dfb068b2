"""A transition system of your own: in a language whose heads come last, two transitions are enough.

A word waits on the stack until its head reaches the front of the buffer. The table is all you write; oracles, costs,
training and parsing follow from it, and `check_system` checks it on all trees of up to three words. The parser also
learns from trees whose heads come first, as far as the system can get them right. To use your own treebanks, name two:
one to learn from, and one to evaluate on.

    $ python examples/own_system.py
    292 pairs of a configuration and a gold tree: no fault
    heads that come later, and ROOT: 67.3% of all
    heads found: 62.7% of all
"""

import sys

from deptrees import Parser, Treebank, evaluate, sample_treebank
from deptrees.transition import LeftArc, Shift, StackBufferSystem, check_system
from deptrees.transition.table import (
    B0,
    B1,
    BUFFER_REST,
    S0,
    STACK,
    Row,
    arc,
    dependents,
    drop,
    exists,
    head,
    missing,
    push,
    word,
)
from deptrees.trees import DependencyTree


class HeadFinal(StackBufferSystem):
    """Every word gets a head that comes later; ROOT is last."""

    projective_only = True
    builds_plain_trees = False
    rows = (
        Row(LeftArc, when=(word(S0), exists(B0)), do=(arc(B0, S0), drop(S0)), loses=(head(S0, BUFFER_REST),)),
        Row(Shift, when=(word(B0),), do=(push(B0),), loses=(dependents(B0, STACK),)),
    )
    final = (missing(S0), missing(B1))
    roots = ("last",)

    def obstacle(self, tree: DependencyTree) -> str | None:
        """Why it cannot build a tree."""
        early = [word for word, head in enumerate(tree.heads, 1) if head is not None and 0 < head < word]
        return f"the head of word {early[0]} comes before it" if early else super().obstacle(tree)


def main(paths: list[str]) -> None:
    """Check the table, and train a parser with it."""
    system = HeadFinal(root="last")
    print(f"{check_system(system, 3):,} pairs of a configuration and a gold tree: no fault")
    treebanks = [Treebank(path) for path in paths] or [sample_treebank("train"), sample_treebank("dev")]
    train, dev = map(list, treebanks)
    parser = Parser.train(train, system=system)
    parsed = [*parser.parse(dev)]
    later = [head for tree in dev for word, head in enumerate(tree.heads, 1) if head == 0 or (head or 0) > word]
    print(f"heads that come later, and ROOT: {len(later) / sum(map(len, dev)):.1%} of all")
    print(f"heads found: {evaluate(dev, parsed).uas:.1%} of all")


if __name__ == "__main__":
    main(sys.argv[1:])
