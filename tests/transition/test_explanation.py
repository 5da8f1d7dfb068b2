"""Explanations: the arcs that rows lose add up to the cost, and the best trees are the best."""

import pytest

from deptrees import is_projective
from deptrees.transition import (
    ArcEager,
    ArcEagerPartial,
    ArcSwift,
    AttardiAll,
    AttardiAllDegree1,
    EasyFirst,
    IllegalTransition,
    LeftArc,
    RightArc,
    Shift,
    System,
    cost,
    explain,
    is_arc_decomposable,
    loss,
)
from tests.gold_trees import tree_of
from tests.tiers import variants_slow
from tests.transition.configurations import EVERY_SYSTEM, SEARCHED, TABLES, every_configuration, partial_trees

DECOMPOSABLE = {
    "ArcEager": {"last", "none"},
    "ArcHybrid": {"first", "last", "none"},
    "NonMonotonicArcEager": {"first", "last", "none"},
    "ArcEagerBuffer": {"first"},
    "SpacyArcEager": {"first"},
    "ArcSwift": {"last", "none"},
    "ArcEagerPartial": {"first", "last"},
    "ArcHybridPartial": {"first", "last"},
    "ArcEagerSpan": {"first", "last"},
    "ArcHybridSpan": {"first", "last"},
    "EasyFirst": {"first"},
    "ListBasedProjective": {"first"},
    "PointerProjective": {"first"},
    "StackPointerNonProjective": {"first"},
    "StackPointerProjective": {"first"},
}
"""Where ROOT may stand in the systems that are arc-decomposable (Goldberg & Nivre 2013; Aufrant & Wisniewski 2017)."""


@pytest.mark.parametrize("system", EVERY_SYSTEM, ids=repr)
def test_which_systems_are_arc_decomposable(system: System) -> None:
    root = getattr(system, "root", "first")
    n = 4 if isinstance(system, AttardiAll | AttardiAllDegree1) else 3  # their conflicts have four words
    assert is_arc_decomposable(system, n) == (root in DECOMPOSABLE.get(type(system).__name__, set()))


EXPLAINED = [system for system in EVERY_SYSTEM if system not in SEARCHED]


@pytest.mark.parametrize("system", variants_slow(EXPLAINED), ids=repr)
def test_explanations_agree_with_costs(system: System) -> None:
    rows_tell = system in TABLES and not system.has_single_root and system.conflicts() is None  # type: ignore[attr-defined]
    rows_tell &= all(row.loses is not None for row in getattr(system, "rows", []))
    for tree in partial_trees(2):
        for cfg in every_configuration(system, 2):
            for transition in cfg.possible_transitions():
                found = explain(transition, cfg, tree)
                assert found.cost == cost(transition, cfg, tree)
                assert len(system.wrong_words(found.before.heads, tree)) == loss(cfg, tree)
                assert len(system.wrong_words(found.after.heads, tree)) == loss(transition(cfg), tree)
                assert len(found.given_up) >= found.cost
                if rows_tell and is_projective(tree):
                    assert sum(map(len, found.lost.values())) == found.cost


def test_lost_arcs_are_told_by_the_row_that_loses_them() -> None:
    tree = tree_of((2, 0, 2, 2))
    cfg = Shift()(Shift()(ArcEager(root="last").initial(tree)))
    told = explain(LeftArc(), cfg, tree)
    assert told.lost == {"s0 → β": ((2, 3), (2, 4)), "β after b0 → s0": ((0, 2),)}
    assert "gives up" not in str(told)
    swift = Shift()(ArcSwift(root="last").initial(tree))
    assert explain(Shift(), swift, tree).lost
    meant = tree_of((None, None))
    partial = explain(LeftArc(), Shift()(ArcEagerPartial().initial(meant)), meant)
    assert partial.lost == {"empty meant: ∅ → s0": ((None, 1),)}
    assert "∅ → 1" in str(partial)


def test_systems_without_such_rows_are_explained_by_their_best_trees() -> None:
    tree = tree_of((2, 0))
    found = explain(RightArc(k=2), EasyFirst().initial(tree), tree)
    assert (found.lost, found.given_up) == ({}, ((2, 1), (0, 2)))
    assert (found.before.heads, found.after.heads) == ((2, 0), (0, 1))
    assert "gives up: 2 → 1, 0 → 2" in str(found)


def test_impossible_transitions_are_not_explained() -> None:
    tree = tree_of((0,))
    with pytest.raises(IllegalTransition):
        explain(LeftArc(), ArcEager().initial(tree), tree)
