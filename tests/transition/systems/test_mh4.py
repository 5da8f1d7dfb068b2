"""MH₄ against the deductive parser of the same name (Gómez-Rodríguez, Shi & Lee 2018)."""

from collections.abc import Iterator
from functools import cache

import pytest

from deptrees import DependencyTree, all_trees
from deptrees.transition import MH4
from tests.tiers import slow

Arcs = frozenset[tuple[int, int]]


def trees_of_the_deduction(n: int) -> Iterator[tuple[int, ...]]:
    """The heads of all trees that can be deduced.

    An item has two to four heads, of which all that stands between depends on one. At first, they are neighbors. Two
    items can be combined that share a head, and a head between the others can be made a dependent of another. The last
    head is the end of the sentence.
    """
    end = n + 1

    @cache
    def deduced(item: tuple[int, ...]) -> frozenset[Arcs]:
        first, last = item[0], item[-1]
        found = {Arcs()} if item == (first, first + 1) else set()
        for middle in range(1, len(item) - 1):
            found |= {one | other for one in deduced(item[: middle + 1]) for other in deduced(item[middle:])}
        for word in {*range(first + 1, last)} - {*item} if len(item) < 4 else ():
            linked = deduced(tuple(sorted((*item, word))))
            found |= {arcs | {(word, head)} for arcs in linked for head in item if head != end}
        return frozenset(found)

    for arcs in deduced((0, end)):
        yield tuple(head for _, head in sorted(arcs))


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 3), (3, 16), (4, 118), slow(5, 1019)])
def test_the_transitions_build_every_tree_of_the_deduction(n: int, count: int) -> None:
    trees = [DependencyTree((head, "w") for head in heads) for heads in trees_of_the_deduction(n)]
    assert len({tree.heads for tree in trees}) == len(trees) == count
    assert [tree.heads for tree in trees if MH4().obstacle(tree)] == []


def test_the_deduction_misses_one_tree_of_four_words_that_the_transitions_build() -> None:
    built = {tree.heads for tree in all_trees(4) if MH4().obstacle(tree) is None}
    assert built - {*trees_of_the_deduction(4)} == {(3, 0, 0, 1)}
