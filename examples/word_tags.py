"""Trees as one tag a word: how many tags there are by each system, and how many trees they can say.

The last column is the share of trees that are the same after they were made tags and trees again. To count in your own
treebank, name its files.

    $ python examples/word_tags.py
                                labeled  unlabeled    trees
    arc-standard                    103         15    83.8%
    arc-eager                        98         12    83.8%
    arc-hybrid                       93         11    83.8%
    arc-swift                        97         19    83.8%
    attardi                         113         24    98.5%
    two-planar                      144         48   100.0%
    list-based-non-projective       152         55   100.0%
    stanza-attach                   182         86   100.0%
"""

import re
import sys
from collections.abc import Sequence

from deptrees import DependencyTree, Treebank, sample_treebank
from deptrees.transition import System, as_system, decode, encode

SYSTEMS = (
    "arc-standard",
    "arc-eager",
    "arc-hybrid",
    "arc-swift",
    "attardi",
    "two-planar",
    "list-based-non-projective",
    "stanza-attach",
)


def count(system: System, trees: Sequence[DependencyTree]) -> tuple[int, int, float]:
    """The numbers of tags with and without labels, and the share of trees that they can say."""
    encoded = [(tree, encode(system, tree)) for tree in trees if system.obstacle(tree) is None]
    labeled = {tag for _, tags in encoded for tag in tags}
    unlabeled = {re.sub(":[^+]*", "", tag) for tag in labeled}
    said = sum(decode(system, tags, tree).arcs == tree.arcs for tree, tags in encoded)
    return len(labeled), len(unlabeled), said / len(trees)


def main(files: Sequence[str]) -> None:
    """Print the counts of all systems."""
    trees = [*(Treebank(*files) if files else sample_treebank("train"))]
    print(f"{'':26}{'labeled':>9}{'unlabeled':>11}{'trees':>9}")
    for name in SYSTEMS:
        labeled, unlabeled, said = count(as_system(name), trees)
        print(f"{name:26}{labeled:9,}{unlabeled:11,}{said:9.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
