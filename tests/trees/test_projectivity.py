from collections import Counter
from itertools import chain, combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import (
    DependencyTree,
    TreeError,
    all_trees,
    crossing_arcs,
    crossing_interval_degree,
    gap_degree,
    is_projective,
    non_projective_arcs,
    random_projective_tree,
)
from tests.gold_trees import Heads, ancestors, tree_of, trees
from tests.tiers import slow


def every_arc_spans_descendants_only(heads: Heads) -> bool:
    arcs = [(head, word) for word, head in enumerate(heads, 1) if head is not None]
    return all(head in ancestors(heads, between) for head, word in arcs for between in range(*sorted((head, word))))


def gaps(heads: Heads, position: int) -> int:
    below = [position in ancestors(heads, word) for word in range(len(heads) + 1)]
    starts = sum(inside and not before for before, inside in zip([False, *below], below, strict=False))
    return starts - 1


@pytest.mark.parametrize(
    ("heads", "projective"),
    [
        ((), True),
        ((0,), True),
        ((2, 0, 4, 2), True),
        ((0, 0, 0), True),
        ((2, 0, 1), False),
        ((3, 0, 2), False),
        ((4, 4, 4, 0, 1), False),
        ((3, 4, 0, 3), False),
    ],
)
def test_hand_made_trees(heads: Heads, projective: bool) -> None:
    assert is_projective(tree_of(heads)) is projective


@pytest.mark.parametrize("n", range(6))
def test_projective_gap_degree_and_crossings_agree_with_the_definition(n: int) -> None:
    for tree in all_trees(n):
        projective = every_arc_spans_descendants_only(tree.heads)
        assert is_projective(tree) is projective, tree.heads
        assert (gap_degree(tree) == 0) is projective, tree.heads
        assert (not crossing_arcs(tree)) is projective, tree.heads


@pytest.mark.parametrize("n", range(5))
def test_a_partial_tree_is_projective_exactly_if_some_completion_is(n: int) -> None:
    projective = [tree.heads for tree in all_trees(n) if every_arc_spans_descendants_only(tree.heads)]
    checked = 0
    for heads in product([None, *range(n + 1)], repeat=n):
        try:
            tree = tree_of(heads)
        except TreeError:
            continue
        completes = any(
            all(given is None or given == head for given, head in zip(heads, full, strict=True)) for full in projective
        )
        assert is_projective(tree) is completes, heads
        checked += 1
    assert checked == (2 * (n + 2) ** (n - 1) if n else 1)


@given(trees(max_words=25))
def test_random_trees_agree_with_the_definition(tree: DependencyTree) -> None:
    projective = every_arc_spans_descendants_only(tree.heads)
    assert is_projective(tree) is projective
    assert (gap_degree(tree) == 0) is projective


@given(st.integers(0, 40), st.integers(0, 10**6), st.floats(0, 1))
def test_a_projective_tree_stays_projective_when_heads_are_lost(n: int, seed: int, lost: float) -> None:
    rng = Random(seed)
    tree = random_projective_tree(n, rng)
    assert is_projective(tree)
    assert is_projective(tree.reattach([None if rng.random() < lost else head for head in tree.heads]))


# Of the kind of Sartorio's figure 2.3: the spans of the words 5, 2 and 3 are 5-7, 1 2 5-7 and 1-9.
ONE_GAP: Heads = (2, 3, 0, 3, 2, 5, 6, 9, 3)
TWO_GAPS: Heads = (3, 0, 2, 2, 3)  # below the word 3 are 1, 3 and 5: gaps at 2 and 4


@pytest.mark.parametrize(
    ("heads", "position", "degree"),
    [
        (ONE_GAP, 5, 0),
        (ONE_GAP, 2, 1),
        (ONE_GAP, 3, 0),
        (ONE_GAP, 0, 0),
        (ONE_GAP, None, 1),
        (TWO_GAPS, 3, 2),
        (TWO_GAPS, 2, 0),
        (TWO_GAPS, None, 2),
        ((2, 0, 1), 1, 1),
        ((), None, 0),
    ],
)
def test_gap_degree_by_hand(heads: Heads, position: int | None, degree: int) -> None:
    assert gap_degree(tree_of(heads), position) == degree


@given(trees(max_words=12, annotated=False))
def test_gap_degree_counts_the_gaps(tree: DependencyTree) -> None:
    degrees = [gaps(tree.heads, position) for position in range(len(tree) + 1)]
    assert [gap_degree(tree, position) for position in range(len(tree) + 1)] == degrees
    assert gap_degree(tree) == max(degrees)


def test_crossing_arcs_by_hand() -> None:
    assert crossing_arcs(tree_of((3, 0, 2))) == [((0, 2), (3, 1))]
    assert crossing_arcs(tree_of((2, 0, 2))) == []
    assert set(crossing_arcs(tree_of((3, 4, 0, 3)))) == {((3, 1), (4, 2)), ((0, 3), (4, 2))}


@given(trees(max_words=12, annotated=False))
def test_crossing_arcs_are_all_pairs_that_cross(tree: DependencyTree) -> None:
    def cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return min(one) < min(other) < max(one) < max(other)

    expected = {pair for arcs in combinations(tree.arcs, 2) for pair in (arcs, arcs[::-1]) if cross(*pair)}
    found = crossing_arcs(tree)
    assert set(found) == expected
    assert len(found) == len(expected)


@pytest.mark.parametrize("heads", [range(3000), [0, *[1] * 2999], [*range(2, 3001), 0]], ids=["right", "flat", "left"])
def test_long_sentences_are_no_problem(heads: list[int]) -> None:
    tree = tree_of(tuple(heads))
    assert is_projective(tree)
    assert is_projective(tree.reattach([None, *tree.heads[1:]]))
    assert not is_projective(tree.reattach([3, 0, 2, *[0] * 2997]))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_tree_is_projective_if_and_only_if_all_its_arcs_are(n: int) -> None:
    for tree in all_trees(n):
        found = non_projective_arcs(tree)
        assert is_projective(tree) == (not found)
        for head, word in tree.arcs:
            spanned = {*range(*sorted((head, word)))} - {head}
            assert ((head, word) in found) == (not spanned <= {*tree.subtree(head)})


def test_what_is_not_known_makes_no_arc_non_projective() -> None:
    assert non_projective_arcs(DependencyTree([(3, "a"), (None, "b"), (0, "c")])) == []
    assert non_projective_arcs(DependencyTree([(3, "a"), (0, "b"), (None, "c")])) == [(3, 1)]


def test_long_partial_chains_take_linear_time() -> None:
    n = 20_000  # to follow each chain to its end would take 200 million steps
    assert is_projective(tree_of((None, *range(1, n))))
    assert not is_projective(tree_of((*range(2, n // 2 + 1), None, *range(1, n - n // 2), n // 2 - 1)))


def is_between(position: int, arc: tuple[int, ...]) -> bool:
    return min(arc) < position < max(arc)


def cross(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    ends = {is_between(end, one) for end in other if end not in one}
    return ends == {True, False} and not {*one} & {*other}


def crossing_intervals(heads: Heads) -> set[tuple[int, int]]:
    """The crossing intervals by the definition: arcs that cross, with all that cross these, and so on."""
    arcs = [(head, word) for word, head in enumerate(heads, 1) if head is not None]
    found = set()
    for start in arcs:
        group = [start]
        for arc in group:  # which becomes longer
            group += [other for other in arcs if other not in group and (cross(arc, other) or joins_beyond(arc, other))]
        if len(group) > 1:
            found.add((min(chain(*group)), max(chain(*group))))
    return found


def joins_beyond(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether one of two arcs leads to the head of the other and from beyond its word, or the reverse."""
    return any(below[0] == above[1] and is_between(above[0], below) for below, above in ((one, other), (other, one)))


def degree_by_subsets(heads: Heads) -> int:
    """The degree by trying all sets of positions for each crossing interval."""
    arcs = [(head, word) for word, head in enumerate(heads, 1) if head is not None]

    def suffice(vertices: tuple[int, ...], first: int, last: int) -> bool:
        def is_inside(position: int) -> bool:
            return first <= position <= last

        return all(
            {*arc} & {*vertices} or not all(map(is_inside, arc)) or not any(cross(arc, other) for other in arcs)
            for arc in arcs
        ) and all(
            below[0] in vertices or below[0] != above[1] or not is_between(above[0], below)
            for above, below in product(arcs, repeat=2)
            if is_inside(above[1]) and is_inside(above[0])
        )

    positions = range(len(heads) + 1)
    return max(
        (
            next(k for k in positions if any(suffice(found, *interval) for found in combinations(positions, k)))
            for interval in crossing_intervals(heads)
        ),
        default=0,
    )


@pytest.mark.parametrize("n", [*range(5), slow(5)])
def test_crossing_interval_degree_agrees_with_the_definition(n: int) -> None:
    for tree in all_trees(n):
        assert crossing_interval_degree(tree) == degree_by_subsets(tree.heads), tree.heads
        rootless = tuple(head or None for head in tree.heads)
        assert crossing_interval_degree(tree_of(rootless)) == degree_by_subsets(rootless), rootless


@given(trees(max_words=8, annotated=False))
def test_crossing_interval_degree_of_random_trees(tree: DependencyTree) -> None:
    assert crossing_interval_degree(tree) == degree_by_subsets(tree.heads)
    assert (crossing_interval_degree(tree) == 0) is is_projective(tree)


def test_number_of_crossing_interval_trees() -> None:
    degrees = Counter(map(crossing_interval_degree, all_trees(5)))
    assert degrees == {0: 273, 2: 745, 3: 272, 4: 6}
