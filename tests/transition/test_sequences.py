from random import Random
from typing import Any

import attrs
import numpy as np
import pytest
from more_itertools import consume

from deptrees import DependencyTree, Parser, Token, projective_trees, random_projective_tree
from deptrees.engine import batches
from deptrees.transition import (
    AlwaysExplore,
    ArcEager,
    ArcHybrid,
    ArcStandard,
    ExplorationPolicy,
    LeftArc,
    NeverExplore,
    Oracle,
    OracleNotDefined,
    OracleSequence,
    Policy,
    Reduce,
    RightArc,
    Shift,
    StackBufferSystem,
    Transition,
    UnparsableTree,
    WrongDerivation,
    cost,
    dynamic_oracle,
    exhaustive_oracle,
    loss,
    nondeterministic_oracle,
    static_oracle,
    static_oracle_prefer_shift,
    typed,
    untyped,
)
from tests.transition.configurations import PROJECTIVE_SYSTEMS

TREE = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
CROSSING = DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")])
Taken = list[Transition]


def taken(oracle: Oracle, tree: DependencyTree, policy: Policy | None = None) -> Taken:
    return [step.taken for step in oracle(tree, policy).steps()]


def test_arc_eager_derivation_of_the_reference_example() -> None:
    sequence = Oracle(ArcEager(), static_oracle)(TREE)
    assert [gold for _, gold in sequence] == [Shift(), LeftArc(), RightArc(), Shift(), LeftArc(), RightArc()]


def test_arc_standard_derivation_of_the_reference_example() -> None:
    expected = [Shift(), Shift(), LeftArc(), Shift(), Shift(), LeftArc(), RightArc(), RightArc()]
    assert [gold for _, gold in Oracle(ArcStandard(), static_oracle)(TREE)] == expected


def test_arc_hybrid_derivation_of_the_reference_example() -> None:
    expected = [Shift(), LeftArc(), Shift(), Shift(), LeftArc(), Shift(), RightArc(), RightArc()]
    assert [gold for _, gold in Oracle(ArcHybrid(), static_oracle)(TREE)] == expected


def test_prefer_shift_leaves_words_on_the_stack() -> None:
    tree = DependencyTree([(0, "Eat"), (1, "fish"), (4, "and"), (1, "rice")])
    assert taken(Oracle(ArcEager(), static_oracle), tree)[2:4] == [Reduce(), Shift()]
    assert taken(Oracle(ArcEager(), static_oracle_prefer_shift), tree)[2:4] == [Shift(), LeftArc()]


def test_labels_come_from_the_gold_token_of_the_dependent_whatever_its_head() -> None:
    oracle = Oracle(ArcEager(), dynamic_oracle, label=typed)
    wrong = RightArc("nsubj")(oracle.system.initial(TREE))  # "I" under ROOT, where it does not belong
    assert dynamic_oracle(wrong, TREE, typed) == (Reduce(),)
    step = next(oracle(TREE).steps())
    assert set(step.possible) == {Shift(), RightArc("nsubj")}
    assert {
        t.label for _, t in Oracle(ArcEager(), static_oracle, typed)(TREE) if isinstance(t, LeftArc | RightArc)
    } == {
        "nsubj",
        "root",
        "det",
        "obj",
    }


def test_any_function_may_label() -> None:
    def initial_and_label(token: Token) -> tuple[str | None, ...]:
        return token.form[0], token.label

    golds = [gold for _, gold in Oracle(ArcHybrid(), static_oracle, initial_and_label)(TREE)]
    assert golds[1] == LeftArc("I", "nsubj")
    assert untyped(TREE[1]) == ()


def test_any_function_may_be_the_oracle() -> None:
    def shift_then_attach(cfg: Any, tree: DependencyTree, label: Any) -> Transition:
        return Shift() if Shift().is_possible(cfg) else RightArc(*label(tree[cfg.dependent(RightArc())]))

    golds = [gold for _, gold in Oracle(ArcHybrid(), shift_then_attach, typed)(TREE)]
    assert golds == [Shift()] * 4 + [RightArc("obj"), RightArc("det"), RightArc("root"), RightArc("nsubj")]


def test_sequences_are_lazy_and_can_be_iterated_again() -> None:
    sequence = Oracle(ArcEager(), static_oracle)(TREE)
    assert isinstance(sequence, OracleSequence)
    first, once, again = next(iter(sequence)), list(sequence), list(sequence)
    assert once == again
    assert once[0] == first


def test_iterating_again_gives_the_same_derivation_also_where_there_is_a_choice() -> None:
    tree = random_projective_tree(40, 1)
    sequence = Oracle(ArcStandard(), nondeterministic_oracle)(tree)
    once, again = list(sequence), list(sequence)
    assert any(len(gold) > 1 for _, gold in once)
    assert once == again
    assert [step.config for step in sequence.steps()] == [cfg for cfg, _ in once]


@pytest.mark.parametrize("function", [static_oracle, static_oracle_prefer_shift, nondeterministic_oracle])
def test_crossing_arcs_are_unparsable_for_projective_systems(function: Any) -> None:
    unparsable = Oracle(ArcEager(), function)(CROSSING)
    assert isinstance(unparsable, UnparsableTree)
    assert not unparsable
    assert not list(unparsable)
    assert not list(unparsable.steps())
    assert "not projective" in unparsable.error
    assert unparsable.tree is CROSSING


@pytest.mark.parametrize("system", PROJECTIVE_SYSTEMS, ids=repr)
def test_dynamic_oracles_lead_to_the_best_tree_where_arcs_cross(system: ArcEager) -> None:
    steps = list(Oracle(system, dynamic_oracle)(CROSSING).steps())
    heads = steps[-1].taken(steps[-1].config).heads
    assert sum(ours != gold for ours, gold in zip(heads, CROSSING.heads, strict=True)) == 1


def test_an_oracle_that_gives_no_transition_is_told_so() -> None:
    with pytest.raises(ValueError, match="must give at least one"):
        list(Oracle(ArcEager(), lambda cfg, tree, label: ())(TREE))


class WithoutDynamicOracle(StackBufferSystem):
    """A table that says what is correct, and nobody knows its losses."""

    projective_only = True
    rows = ArcStandard.rows
    final = ArcStandard.final


def test_without_costs_every_gold_head_is_needed() -> None:
    unparsable = Oracle(WithoutDynamicOracle(), static_oracle)(DependencyTree([(0, "Go"), (None, "on")]))
    assert isinstance(unparsable, UnparsableTree)
    assert "word 2 has no gold head" in unparsable.error


def test_a_derivation_that_ends_in_another_tree_says_so() -> None:
    class TooGenerous(StackBufferSystem):
        """Arc-standard that attaches words before they have their dependents, and says that it builds all trees."""

        rows = tuple(attrs.evolve(row, correct=row.correct[:1] if row.dependent else ()) for row in ArcStandard.rows)  # type: ignore[index]
        final = ArcStandard.final

    system, tree = TooGenerous(), TREE
    says = (
        r"static_oracle of TooGenerous\(root='first'\) does not lead to .* 'I saw a dog': word 4 has the head 0, not 2;"
    )
    for policy in (None, NeverExplore(), ExplorationPolicy(k=0, p=0.0)):
        sequence = Oracle(system, static_oracle)(tree, policy)
        for steps in (iter(sequence), sequence.steps()):
            with pytest.raises(WrongDerivation, match=says):
                consume(steps)
    for beam in (1, 2):
        with pytest.raises(WrongDerivation, match=says):
            Parser.train([tree], system=system, oracle=static_oracle, epochs=1, beam=beam)
    with pytest.raises(WrongDerivation, match="nondeterministic_oracle of TooGenerous"):
        Parser.train([tree] * 20, system=system, oracle=nondeterministic_oracle, epochs=1)
    with pytest.raises(WrongDerivation, match=says):
        consume(batches([tree], system, oracle=static_oracle))


def test_what_a_policy_gets_wrong_is_not_the_oracle_s_fault() -> None:
    consume(Oracle(ArcHybrid(), static_oracle)(TREE, AlwaysExplore()).steps())


def test_an_oracle_that_the_system_does_not_have_is_refused_when_it_is_made() -> None:
    for name in ("dynamic", "static_lazy_swap", "approximate_dynamic"):
        with pytest.raises(OracleNotDefined, match=f"no {name} oracle.*; it has: static"):
            Oracle(WithoutDynamicOracle(), name)
    assert Oracle(WithoutDynamicOracle(), exhaustive_oracle)(TREE)


def test_oracles_and_sequences_are_written_the_same_in_every_run() -> None:
    oracle = Oracle(ArcHybrid(), dynamic_oracle, typed)
    assert repr(oracle) == "Oracle(system=ArcHybrid(root='first'), function=dynamic_oracle, label=typed)"
    policy = ExplorationPolicy(k=1, p=0.9, model=taken, rng=Random(1))  # type: ignore[arg-type]
    sequence = oracle(DependencyTree([(0, "Go")]), policy)
    assert repr(sequence) == (
        f"OracleSequence(oracle={oracle!r}, tree=DependencyTree([(0, 'Go')]), "
        "policy=ExplorationPolicy(model=taken, k=1, p=0.9))"
    )
    assert "at 0x" not in repr(oracle(TREE, lambda cfg, possible, gold: gold[0]))


def test_missing_oracles_are_named() -> None:
    cfg = WithoutDynamicOracle().initial(TREE)
    for call in (lambda: dynamic_oracle(cfg, TREE), lambda: cost(Shift(), cfg, TREE), lambda: loss(cfg, TREE)):
        with pytest.raises(
            OracleNotDefined,
            match=r"no dynamic oracle .LeftArc does .*; it has: static, .*exhaustive_oracle",
        ):
            call()


def test_exhaustive_oracle_serves_every_system() -> None:
    golds = [gold for _, gold in Oracle(ArcStandard(), exhaustive_oracle, typed)(TREE)]
    assert golds[2] == (LeftArc("nsubj"), Shift())


def first_possible(cfg: Any, possible: Any, gold: Any) -> Transition:
    choice: Transition = possible[0]
    return choice


def test_never_explore_takes_the_prediction_only_if_it_is_gold() -> None:
    tree = random_projective_tree(20, 3)
    oracle = Oracle(ArcEager(), dynamic_oracle)
    agreed = 0
    for step in oracle(tree, NeverExplore(model=first_possible)).steps():
        assert step.predicted == step.possible[0]
        assert step.taken in step.gold
        if step.predicted in step.gold:
            assert step.taken == step.predicted
            agreed += 1
    assert agreed


def test_always_explore_follows_the_model_or_draws_among_the_possible() -> None:
    oracle = Oracle(ArcEager(), dynamic_oracle)
    assert all(step.taken == step.possible[0] for step in oracle(TREE, AlwaysExplore(model=first_possible)).steps())
    impossible = AlwaysExplore(model=lambda cfg, possible, gold: Reduce(), rng=Random(1))
    assert all(step.taken in step.possible for step in oracle(TREE, impossible).steps())
    silent = AlwaysExplore(model=lambda cfg, possible, gold: None, rng=Random(1))
    assert all(step.taken in step.possible for step in oracle(TREE, silent).steps())


def test_exploration_leaves_the_gold_path_and_the_dynamic_oracle_follows() -> None:
    tree = random_projective_tree(30, 1)
    steps = list(Oracle(ArcHybrid(), dynamic_oracle)(tree, AlwaysExplore(rng=Random(5))).steps())
    assert any(step.taken not in step.gold for step in steps)
    assert all(step.gold for step in steps)


def test_the_same_seed_gives_the_same_run() -> None:
    tree = random_projective_tree(40, 2)
    oracle = Oracle(ArcEager(), dynamic_oracle)
    runs = [taken(oracle, tree, ExplorationPolicy(0, 0.5, rng=Random(seed))) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    assert taken(oracle, tree, AlwaysExplore()) == taken(oracle, tree, AlwaysExplore())
    numpy_runs = [taken(oracle, tree, AlwaysExplore(rng=np.random.default_rng(3))) for _ in range(2)]
    assert numpy_runs[0] == numpy_runs[1]


def test_any_function_may_be_the_policy() -> None:
    def last_gold(cfg: Any, possible: Any, gold: tuple[Transition, ...]) -> Transition:
        return gold[-1]

    steps = list(Oracle(ArcEager(), nondeterministic_oracle)(TREE, last_gold).steps())
    assert all(step.taken == step.gold[-1] and step.predicted is None for step in steps)
    pairs = list(Oracle(ArcEager(), nondeterministic_oracle)(TREE, last_gold))
    assert [cfg for cfg, _ in pairs] == [step.config for step in steps]


def test_random_gold_paths_all_rebuild_the_tree() -> None:
    seen = set()
    for seed in range(40):
        for tree in projective_trees(3):
            steps = list(Oracle(ArcStandard(), nondeterministic_oracle)(tree, NeverExplore(rng=Random(seed))).steps())
            assert steps[-1].taken(steps[-1].config).heads == tree.heads
            seen.add((tree, tuple(step.taken for step in steps)))
    assert len(seen) > 12  # some trees have several derivations, and they are found


def test_models_are_not_asked_for_where_there_is_no_choice_to_make() -> None:
    def never(cfg: Any, possible: Any, gold: Any) -> Transition | None:
        raise AssertionError

    with pytest.raises(AssertionError):
        list(Oracle(ArcEager(), static_oracle)(TREE, NeverExplore(model=never)))
    assert len(list(Oracle(ArcEager(), static_oracle)(TREE, NeverExplore()))) == 6
