from collections.abc import Iterator
from itertools import islice

import pytest

from deptrees import DependencyTree, all_trees, random_projective_tree
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Configuration,
    EasyFirst,
    ListBasedNonProjective,
    ListBasedProjective,
    LRSpines,
    NonMonotonicArcEager,
    System,
    Transition,
    count_derivations,
    derivations,
    reachable,
)

TREE = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])


@pytest.mark.parametrize(
    ("system", "count"),
    [
        (ArcStandard(), 2),
        (ArcHybrid(), 1),
        (ArcEager(), 1),
        (NonMonotonicArcEager(), 4),
        (NonMonotonicArcEager(root="last"), 2),
        (EasyFirst(), 3),
        (LRSpines(), 3),
        (ListBasedNonProjective(), 24),
    ],
    ids=repr,
)
def test_number_of_derivations_of_the_reference_example(system: System, count: int) -> None:
    assert count_derivations(system, TREE) == count
    assert len(set(derivations(system, TREE))) == len(list(derivations(system, TREE))) == count


@pytest.mark.parametrize(
    "system",
    [ArcStandard(), ArcHybrid(), ArcEager(root="last"), EasyFirst(), LRSpines(), ListBasedProjective()],
    ids=repr,
)
def test_derivations_are_those_among_all_sequences_that_end_with_the_tree(system: System) -> None:
    for tree in all_trees(3):
        expected = {sequence for sequence, heads in sequences(system.initial(tree)) if heads == tree.heads}
        if system.obstacle(tree) is None:
            assert set(derivations(system, tree)) == expected
            assert count_derivations(system, tree) == len(expected) > 0
        else:
            assert not expected


def sequences(cfg: Configuration) -> Iterator[tuple[tuple[Transition, ...], tuple[int | None, ...]]]:
    if cfg.is_final:
        yield (), cfg.heads
        return
    for transition in cfg.possible_transitions():
        for rest, heads in sequences(transition(cfg)):
            yield (transition, *rest), heads


def test_derivations_are_found_one_by_one_and_counted_without_being_made() -> None:
    flat = DependencyTree([(2, "a"), (4, "b"), (4, "c"), (0, "d"), (4, "e"), (5, "f"), (4, "g")])
    assert len(list(islice(derivations(ListBasedNonProjective(), flat), 5))) == 5
    for system, tree in (EasyFirst(), random_projective_tree(10, 3)), (ArcStandard(), random_projective_tree(40, 1)):
        assert count_derivations(system, tree) == len(set(derivations(system, tree))) > 1


def test_reachable_yields_each_configuration_once() -> None:
    configurations = list(reachable(ArcStandard(), 4))
    assert len(configurations) == len(set(configurations)) == 183
    assert configurations[0] == ArcStandard().initial(["w1", "w2", "w3", "w4"])
