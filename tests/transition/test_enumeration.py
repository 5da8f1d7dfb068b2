import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

import pytest

from deptrees import DependencyTree, all_trees, random_projective_tree
from deptrees.transition import (
    MH4,
    ArcEager,
    ArcEagerBuffer,
    ArcEagerBufferNonProjective,
    ArcEagerPartial,
    ArcEagerRegisters,
    ArcEagerSpan,
    ArcEagerUnshift,
    ArcHybrid,
    ArcHybridPartial,
    ArcHybridSpan,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    ArcSwift,
    Attardi,
    AttardiAll,
    AttardiAllDegree1,
    Configuration,
    EasyFirst,
    LeftCorner,
    ListBasedNonLocal,
    ListBasedNonMonotonic,
    ListBasedNonProjective,
    ListBasedProjective,
    LossNotFound,
    LRSpines,
    NonMonotonicArcEager,
    PointerNonProjective,
    PointerProjective,
    SpacyArcEager,
    StackPointerNonProjective,
    StackPointerProjective,
    StanzaAttach,
    System,
    Transition,
    TwoPlanar,
    count_derivations,
    derivations,
    reachable,
)
from tests.tiers import slow

TREE = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
SHORT_TREE = DependencyTree([(2, "I"), (0, "saw"), (2, "her")])
LENGTHS: dict[System, tuple[Callable[[int], int], Callable[[int], int]]] = {
    ArcStandard(): (lambda n: 2 * n, lambda n: 2 * n),
    ArcStandard(root="last"): (lambda n: 2 * n + 1, lambda n: 2 * n + 1),
    ArcStandard(root="none"): (lambda n: 2 * n - 1, lambda n: 2 * n - 1),
    ArcEager(root="last"): (lambda n: 2 * n, lambda n: 2 * n),
    ArcEager(): (lambda n: n, lambda n: 2 * n - 1),
    ArcHybrid(): (lambda n: 2 * n, lambda n: 2 * n),
    ArcHybrid(root="none"): (lambda n: 2 * n - 1, lambda n: 2 * n - 1),
    NonMonotonicArcEager(): (lambda n: 2 * n, lambda n: 2 * n),
    NonMonotonicArcEager(root="none"): (lambda n: 2 * n - 1, lambda n: 2 * n - 1),
    SpacyArcEager(): (lambda n: 2 * n, lambda n: max(2 * n, 6 * n - 10)),
    SpacyArcEager(breaks=True): (lambda n: 2 * n, lambda n: max(2 * n, 6 * n - 10) + (n > 1)),
    ArcEagerBuffer(): (lambda n: n, lambda n: 2 * n),
    ArcEagerBufferNonProjective(): (lambda n: n, lambda n: 2 * n),
    ArcEagerRegisters(): (lambda n: n + 2, lambda n: 6 * n - 3),
    ArcEagerUnshift(): (lambda n: n, lambda n: 4 * n - 3),
    ArcEagerUnshift(root="none"): (lambda n: n, lambda n: 4 * n - 5),
    ArcSwift(): (lambda n: n, lambda n: 2 * n - 1),
    ArcSwift(root="last"): (lambda n: n + 1, lambda n: 2 * n),
    ArcEagerPartial(): (lambda n: 2 * n, lambda n: 2 * n),
    ArcHybridPartial(): (lambda n: 2 * n, lambda n: 2 * n),
    ArcEagerSpan(2): (lambda n: 2 * n, lambda n: 2 * n),
    ArcHybridSpan(2): (lambda n: 2 * n, lambda n: 2 * n),
    ArcStandardSwap(): (lambda n: 2 * n, lambda n: 2 * n + n * (n - 1)),
    ArcStandardSwap(root="last"): (lambda n: 2 * n + 1, lambda n: 2 * n + 1 + n * (n - 1)),
    ArcHybridSwap(): (lambda n: 2 * n, lambda n: 2 * n + n * (n - 1)),
    Attardi(): (lambda n: 2 * n, lambda n: 2 * n),
    Attardi(root="last"): (lambda n: 2 * n + 1, lambda n: 2 * n + 1),
    MH4(): (lambda n: 2 * n, lambda n: 2 * n),
    MH4(root="last"): (lambda n: 2 * n, lambda n: 2 * n),
    AttardiAllDegree1(): (lambda n: 2 * n, lambda n: 2 * n),
    AttardiAll(): (lambda n: 2 * n, lambda n: 2 * n),
    TwoPlanar(): (lambda n: 2 * n, lambda n: 8 * n - 7),
    TwoPlanar(root="last"): (lambda n: 2 * n, lambda n: 8 * n - 4),
    EasyFirst(): (lambda n: n, lambda n: n),
    ListBasedNonProjective(): (lambda n: n, lambda n: n * (n + 3) // 2),
    ListBasedNonMonotonic(): (lambda n: n, lambda n: n * (n + 3) // 2),
    ListBasedProjective(): (lambda n: n, lambda n: (n + 1) ** 2 // 4 + n - 1),
    LeftCorner(): (lambda n: 2 * n - 1, lambda n: 2 * n - 1),
    ListBasedNonLocal(): (lambda n: n, lambda n: 2 * n),
    LRSpines(): (lambda n: 2 * n, lambda n: 2 * n),
    PointerNonProjective(): (lambda n: n, lambda n: n),
    PointerProjective(): (lambda n: n, lambda n: n),
    PointerProjective("outside_in"): (lambda n: n, lambda n: n),
    StackPointerNonProjective(): (lambda n: n, lambda n: 2 * n - 1),
    StackPointerProjective(): (lambda n: n, lambda n: 2 * n - 1),
    StanzaAttach(): (lambda n: 2 * n - 1, lambda n: 2 * n - 1),
}
"""From the number of words to the least and to the greatest number of transitions."""


@pytest.mark.parametrize(
    ("system", "tree", "count"),
    [
        (ArcStandard(), TREE, 2),
        (ArcHybrid(), TREE, 1),
        (ArcEager(), TREE, 1),
        (NonMonotonicArcEager(), TREE, 4),
        (NonMonotonicArcEager(root="last"), TREE, 2),
        (SpacyArcEager(), TREE, 4),
        (ArcEagerBuffer(), TREE, 4),
        (ArcEagerBufferNonProjective(), TREE, 4),
        (ArcEagerRegisters(), TREE, 2997),
        (ArcEagerUnshift(), TREE, 3),
        (ArcEagerUnshift(root="none"), TREE, 2),
        (ArcSwift(), TREE, 1),
        (Attardi(), TREE, 2),
        (MH4(), TREE, 7),
        (AttardiAllDegree1(), TREE, 11),
        (AttardiAll(), TREE, 11),
        (ArcStandardSwap(), TREE, 93),
        (ArcHybridSwap(), TREE, 64),
        (EasyFirst(), TREE, 3),
        (LeftCorner(), TREE, 2),
        (LRSpines(), TREE, 3),
        (PointerNonProjective(), TREE, 1),
        (PointerProjective(), TREE, 1),
        (StackPointerNonProjective(), TREE, 1),
        (StackPointerProjective(), TREE, 1),
        (StanzaAttach(), TREE, 4),
        (ListBasedNonProjective(), TREE, 24),
        (ListBasedNonMonotonic(), TREE, 24),
        (ListBasedNonLocal(), TREE, 1),
        (ListBasedProjective(), TREE, 2),
        slow(TwoPlanar(), TREE, 11671),
        slow(TwoPlanar(root="last"), TREE, 24535),
        (TwoPlanar(), SHORT_TREE, 311),
        (TwoPlanar(root="last"), SHORT_TREE, 649),
    ],
    ids=repr,
)
def test_number_of_derivations(system: System, tree: DependencyTree, count: int) -> None:
    @cache
    def ways(cfg: Configuration) -> int:
        """How many sequences of transitions that add no other arcs lead to the tree."""
        if any(head not in (None, gold) for head, gold in zip(cfg.heads, tree.heads, strict=True)):
            return 0
        if cfg.is_final:
            return int(cfg.heads == tree.heads)
        return sum(ways(transition(cfg)) for transition in cfg.possible_transitions())

    assert ways(system.initial(tree)) == count_derivations(system, tree) == count
    assert len(set(derivations(system, tree))) == len(list(derivations(system, tree))) == count


@pytest.mark.parametrize(
    "system",
    [
        ArcStandard(),
        ArcHybrid(),
        ArcEager(root="last"),
        EasyFirst(),
        LeftCorner(),
        LRSpines(),
        PointerNonProjective(),
        PointerProjective(),
        PointerProjective("outside_in"),
        StackPointerNonProjective(order="left_to_right"),
        StackPointerProjective(order="left_to_right"),
        ListBasedProjective(),
        ListBasedNonProjective(),
        ListBasedNonLocal(),
        MH4(),
        TwoPlanar(),
        ArcStandardSwap(),
        ArcStandardSwap(root="last", single_root=True),
        ArcHybridSwap(),
    ],
    ids=repr,
)
def test_derivations_are_those_among_all_sequences_that_end_with_the_tree(system: System) -> None:
    every = list(sequences(system.initial(["w"] * 3)))
    for tree in all_trees(3):
        expected = {sequence for sequence, heads in every if heads == tree.heads}
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


@pytest.mark.parametrize("system", LENGTHS, ids=repr)
def test_a_sentence_takes_as_many_transitions_as_the_pages_say(system: System) -> None:
    @cache
    def lengths(cfg: Configuration) -> tuple[int, int]:
        """The lengths of the shortest and of the longest way to an end."""
        if cfg.is_final:
            return 0, 0
        shortest, longest = zip(*(lengths(transition(cfg)) for transition in cfg.possible_transitions()), strict=True)
        return 1 + min(shortest), 1 + max(longest)

    for n in (2, 3):
        assert lengths(system.initial(["w"] * n)) == tuple(length(n) for length in LENGTHS[system])


@pytest.mark.parametrize(
    ("system", "n", "count"),
    [
        (ArcStandardSwap(), 5, 1612),
        (ArcHybridSwap(), 5, 1010),
        slow(ArcStandardSwap(), 6, 31_928),
        slow(ArcHybridSwap(), 6, 21_123),
    ],
    ids=repr,
)
def test_derivations_of_systems_that_swap_words_are_counted_without_searches(
    system: System, n: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(sys.modules[derivations.__module__], "nondeterministic_oracle")
    assert count_derivations(system, random_projective_tree(n, 3)) == count


@pytest.mark.parametrize(
    ("system", "n", "count"),
    [(ArcStandardSwap(), 4, 93), (ArcHybridSwap(), 4, 64), (TwoPlanar(), 3, 311), slow(TwoPlanar(), 4, 11_671)],
    ids=repr,
)
def test_where_it_takes_too_long_to_tell_what_is_correct_all_is_tried(
    system: System, n: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_found(*_: object) -> None:
        raise LossNotFound

    monkeypatch.setattr(sys.modules[derivations.__module__], "nondeterministic_oracle", not_found)
    heads = (2, 0, 4, 2) if n == 4 else (2, 0, 2)
    tree = DependencyTree((head, "a") for head in heads)
    assert count_derivations(system, tree) == len(set(derivations(system, tree))) == count
