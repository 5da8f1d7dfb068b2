"""Partial and Span systems: which words to leave without a head, as Aufrant & Wisniewski 2017 state it."""

from pathlib import Path
from random import Random

import pytest

from deptrees import DependencyTree, Parser, evaluate, random_projective_tree, sample_treebank
from deptrees.training.records import TrainingError
from deptrees.transition import (
    ArcEagerPartial,
    ArcEagerSpan,
    ArcHybridPartial,
    Constraints,
    LeftArc,
    Reduce,
    RightArc,
    Shift,
    StackBufferSystem,
    Transition,
    cost,
    loss,
)
from tests.gold_trees import tree_of
from tests.tiers import variants_slow
from tests.transition.configurations import PARTIAL_SYSTEMS
from tests.transition.losses.test_long_sentences import assert_costs_agree, with_another_head

TABLE_12 = {
    Shift: {"σ → b0", "b0 → σ ∩ unattached"},
    LeftArc: {"empty meant: ∅ → s0", "β after b0 → s0", "s0 → β"},
    RightArc: {"empty meant: ∅ → b0", "β after b0 → b0", "σ below s0 → b0", "b0 → σ ∩ unattached"},
    Reduce: {"β → s0 if s0 has no head", "s0 → β"},
}
TABLE_14 = {
    Shift: {"σ below s0 → b0", "b0 → σ"},
    LeftArc: {"empty meant: ∅ → s0", "β after b0 → s0", "{s1} → s0", "s0 → β"},
    RightArc: {"empty meant: ∅ → s0", "β → s0", "s0 → β"},
    Reduce: {"β → s0 if s0 has no head", "{s1} → s0 if s0 has no head", "s0 → β"},
}
"""In arc-hybrid no element of the stack has a head, which the paper's table takes for granted."""


@pytest.mark.parametrize(
    ("system", "table"),
    [(ArcEagerPartial(), TABLE_12), (ArcHybridPartial(), TABLE_14)],
    ids=["ArcEagerPartial", "ArcHybridPartial"],
)
def test_rows_lose_what_the_paper_s_tables_say(
    system: StackBufferSystem, table: dict[type[Transition], set[str]]
) -> None:
    assert {row.transition: set(map(str, row.loses or ())) for row in system.rows} == table


def test_a_head_for_a_word_that_is_meant_to_have_none_costs_one() -> None:
    tree = tree_of((None, None))
    for empty_means_unknown in (False, True):
        cfg = Shift()(ArcEagerPartial(empty_means_unknown=empty_means_unknown).initial(tree))
        costs = {transition: cost(transition, cfg, tree) for transition in cfg.possible_transitions()}
        arc = int(not empty_means_unknown)
        assert costs == {LeftArc(): arc, RightArc(): arc, Shift(): 0, Reduce(): 0}


def test_words_whose_head_is_too_far_away_are_meant_to_have_none() -> None:
    tree = tree_of((3, 3, 0))
    system = ArcEagerSpan(1)
    assert system.gold_heads(tree) == (None, 3, None)
    start = system.initial(tree)
    assert loss(start, tree) == loss(start, tree_of((None, 3, None))) == 0
    assert cost(RightArc(), start, tree) == 1


@pytest.mark.parametrize("system", [ArcEagerPartial(), ArcHybridPartial(), ArcEagerSpan(2)], ids=repr)
def test_words_that_constraints_say_nothing_of_may_have_any_head_or_none(system: StackBufferSystem) -> None:
    constraints = Constraints(heads={2: 3})
    cfg = Shift()(system.initial(["one", "two", "three"]))
    assert constraints.transitions(cfg) == tuple(t for t in cfg.possible_transitions() if cfg.dependent(t) != 2)


@pytest.mark.parametrize("system", variants_slow(PARTIAL_SYSTEMS), ids=repr)
def test_costs_of_long_partial_trees_agree_with_a_second_computation(system: StackBufferSystem) -> None:
    rng = Random(3)
    for moved in (False, True):
        tree = random_projective_tree(10, rng)
        tree = with_another_head(tree, rng) if moved else tree
        assert_costs_agree(system, tree.reattach([head if rng.random() < 0.6 else None for head in tree.heads]), rng)


DETERMINERS = [
    [tree.reattach([None if token.upos == "DET" else token.head for token in tree]) for tree in sample_treebank(part)]
    for part in ("train", "dev")
]


@pytest.mark.parametrize("system", [ArcEagerPartial(), ArcHybridPartial(root="last")], ids=repr)
def test_parsers_learn_which_words_have_no_head(system: StackBufferSystem) -> None:
    train, dev = DETERMINERS
    scores = evaluate(dev, Parser.train(train, system=system, epochs=3).parse(dev))
    assert scores.empty_accuracy > 0.9
    assert scores.uas > 0.7


def test_parsers_learn_which_heads_are_too_far_away() -> None:
    system, dev = ArcEagerSpan(2), list(sample_treebank("dev"))
    near = [tree.reattach(system.gold_heads(tree)) for tree in dev]
    scores = evaluate(near, Parser.train(sample_treebank("train"), system=system, epochs=3).parse(dev))
    assert scores.empty_words == 56
    assert scores.empty_accuracy > 0.8


def test_what_empty_means_is_saved_with_the_model(tmp_path: Path) -> None:
    system = ArcEagerPartial(empty_means_unknown=True)
    Parser.train(DETERMINERS[0][:5], system=system, epochs=1).save(tmp_path / "model")
    assert Parser.load(tmp_path / "model").system == system


def test_heads_that_are_left_out_at_random_are_not_meant_to_be_empty() -> None:
    with pytest.raises(TrainingError, match="empty_means_unknown=True"):
        Parser.train(DETERMINERS[0], system=ArcEagerPartial(), epochs=1, subsample=0.5)
    Parser.train(DETERMINERS[0][:5], system=ArcEagerPartial(empty_means_unknown=True), epochs=1, subsample=0.5)


def test_what_empty_means_is_part_of_a_system_s_name() -> None:
    assert repr(ArcEagerPartial()) == "ArcEagerPartial(root='first')"
    assert repr(ArcEagerPartial(empty_means_unknown=True)) == "ArcEagerPartial(root='first', empty_means_unknown=True)"
    assert ArcEagerPartial().gold_heads(DependencyTree([(None, "Birds")])) == (None,)
