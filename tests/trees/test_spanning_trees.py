from itertools import product
from random import Random

import pytest

from deptrees import all_trees
from deptrees.trees.spanning_trees import Head, best_heads, ranked_heads

TREES = {n: [tree.heads for tree in all_trees(n)] for n in range(1, 6)}


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_best_heads_are_the_best_of_all_trees(n: int) -> None:
    random = Random(n)
    for _ in range(60):
        scores = [{head: random.randrange(9) for head in range(n + 1) if head != word} for word in range(1, n + 1)]

        def total(heads: tuple[int | None, ...], scores: list[dict[int, int]] = scores) -> int:
            return sum(found[head or 0] for found, head in zip(scores, heads, strict=True))

        found = tuple(best_heads(scores))  # type: ignore[arg-type]
        assert found in TREES[n]
        assert total(found) == max(map(total, TREES[n]))


def leads_to_root(heads: tuple[Head, ...]) -> bool:
    """Whether every word leads to ROOT, or to a word without a head."""
    for start in heads:
        head, steps = start, 0
        while head and steps <= len(heads):
            head, steps = heads[head - 1], steps + 1
        if steps > len(heads):
            return False
    return True


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_ranked_heads_are_all_trees_the_best_first(n: int, single_root: bool) -> None:
    random = Random(n)
    found_any = 0
    for _ in range(60):
        scores: list[dict[Head, float]] = [
            {
                head: random.randrange(9)
                for head in [None, *range(n + 1)]
                if head != word and random.random() < (0.3 if head is None else 0.7)
            }
            for word in range(1, n + 1)
        ]
        trees = [heads for heads in product(*scores) if leads_to_root(heads)]
        if single_root:
            trees = [heads for heads in trees if heads.count(0) == 1]
        found = [*ranked_heads(scores, single_root=single_root)]
        totals = [sum(of_word[head] for of_word, head in zip(scores, heads, strict=True)) for heads, _ in found]
        assert sorted(map(str, trees)) == sorted(str(tuple(heads)) for heads, _ in found)
        assert totals == [score for _, score in found] == sorted(totals, reverse=True)
        found_any += len(found) > 1
    assert found_any > (5 if n > 1 else 0) or n == 1
