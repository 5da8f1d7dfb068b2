from random import Random

import pytest

from deptrees import all_trees
from deptrees.trees.spanning_trees import best_heads

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
