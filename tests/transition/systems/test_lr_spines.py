from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deptrees import (
    DependencyTree,
    Token,
    Treebank,
    is_projective,
    projective_trees,
    random_projective_tree,
)
from deptrees.transition import (
    IllegalTransition,
    LeftArc,
    Oracle,
    OracleNotDefined,
    Reduce,
    RightArc,
    Shift,
    Transition,
    cost,
    dynamic_oracle,
    exhaustive_loss,
    exhaustive_oracle,
    loss,
    nondeterministic_oracle,
    reachable_heads,
    static_oracle,
    static_oracle_prefer_shift,
    typed,
)
from deptrees.transition.systems.lr_spines import LRSpines, LRSpinesConfiguration
from tests.gold_trees import every_treebank, trees
from tests.tiers import slow
from tests.transition.configurations import follow, words

SIZES = [0, 1, 2, 3, 4, slow(5)]
SYSTEM = LRSpines()
DOG = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])


def after(start: list[str], *transitions: Transition) -> LRSpinesConfiguration:
    found: LRSpinesConfiguration = follow(SYSTEM.initial(start), transitions)
    return found


def reachable(n: int) -> set[LRSpinesConfiguration]:
    found = {SYSTEM.initial(words(n))}
    todo = list(found)
    while todo:
        cfg = todo.pop()
        new = {transition(cfg) for transition in cfg.possible_transitions()} - found
        found |= new
        todo += new
    return found


def random_walk(source: DependencyTree, rng: Random) -> Iterator[tuple[LRSpinesConfiguration, Transition]]:
    cfg = SYSTEM.initial(source)
    while not cfg.is_final:
        transition = rng.choice(cfg.possible_transitions())
        yield cfg, transition
        cfg = transition(cfg)


# Configurations and transitions


def test_root_is_alone_on_the_stack_at_the_start() -> None:
    cfg = SYSTEM.initial(words(2))
    assert (cfg.spines, cfg.buffer, cfg.heads, cfg.labels) == ((((0,), (0,)),), (1, 2), (None, None), (None, None))
    assert cfg.possible_transitions() == (Shift(),)
    assert SYSTEM.initial([]).is_final


def test_initial_sees_the_words_of_a_tree_only() -> None:
    assert SYSTEM.initial(DOG).tokens == tuple(Token(token.form, id=token.id) for token in DOG)
    assert SYSTEM.initial(DOG) == SYSTEM.initial(["I", Token("saw"), "a", "dog"])


def test_left_arc_keeps_the_spine_down_to_the_head_and_adds_the_dependent_s() -> None:
    cfg = after(words(6), Shift(), Shift(), LeftArc(), Shift(), Shift(), Shift())
    cfg = LeftArc()(LeftArc(k=1)(cfg))
    assert cfg.spines[1:] == (((2, 1), (2,)), ((5, 3), (5,)))
    cfg = LeftArc()(Shift()(cfg))
    assert cfg.spines[1:] == (((2, 1), (2,)), ((6, 5, 3), (6,)))
    assert LeftArc(k=1)(cfg).spines[1:] == (((6, 2, 1), (6,)),)
    assert LeftArc(k=2)(cfg).spines[1:] == (((6, 5, 2, 1), (6,)),)
    assert LeftArc(k=3)(cfg).spines[1:] == (((6, 5, 3, 2, 1), (6,)),)
    assert LeftArc(k=3)(cfg).heads == (2, 3, 5, 5, 6, None)


def test_right_arc_keeps_the_spine_down_to_the_head_and_adds_the_dependent_s() -> None:
    cfg = after(words(4), Shift(), Shift(), RightArc(), Shift(), Shift(), RightArc())
    assert cfg.spines[1:] == (((1,), (1, 2)), ((3,), (3, 4)))
    assert RightArc(k=1)(cfg).spines[1:] == (((1,), (1, 3, 4)),)
    assert RightArc(k=2)(cfg).spines[1:] == (((1,), (1, 2, 3, 4)),)
    assert RightArc(k=2)(cfg).arcs == ((1, 2), (2, 3), (3, 4))


@pytest.mark.parametrize(
    ("cfg", "transition", "message"),
    [
        (after(words(1), Shift()), Shift(), r"Shift\(\) requires that the buffer has a word, in LRSpines\(\): σ = "),
        (after(words(1)), LeftArc("x"), r"LeftArc\('x'\) requires that there are two trees on the stack"),
        (after(words(1)), RightArc(), "requires that there are two trees on the stack"),
        (after(words(1), Shift()), LeftArc(), "requires that the dependent is not ROOT"),
        (after(words(1), Shift()), RightArc(k=2), r"RightArc\(k=2\) requires that 1 ≤ k ≤ 1, in"),
        (after(words(1), Shift()), RightArc(k=0), "requires that 1 ≤ k ≤ 1, in"),
        (after(words(3), Shift(), Shift(), Shift(), LeftArc()), LeftArc(k=3), "requires that 1 ≤ k ≤ 2, in"),
        (after(words(1)), Reduce(), r"Reduce\(\) requires that it belongs to this system, in LRSpines\(\)"),
    ],
)
def test_impossible_transitions_name_what_is_missing(
    cfg: LRSpinesConfiguration, transition: Transition, message: str
) -> None:
    assert not transition.is_possible(cfg)
    with pytest.raises(IllegalTransition, match=message):
        transition(cfg)


def test_configurations_are_equal_by_content() -> None:
    cfg = after(words(3), Shift(), Shift(), LeftArc("a"), Shift(), LeftArc("b"))
    by_another_way = after(words(3), Shift(), Shift(), Shift(), LeftArc("b"), LeftArc("a", k=2))
    assert cfg == by_another_way
    assert hash(cfg) == hash(by_another_way)
    assert cfg != after(["other", "w2", "w3"], Shift(), Shift(), LeftArc("a"), Shift(), LeftArc("b"))
    assert cfg != after(words(3), Shift(), Shift(), LeftArc("c"), Shift(), LeftArc("b"))
    assert cfg != after(words(3), Shift(), Shift(), Shift(), LeftArc("b"), LeftArc("a"))
    assert cfg != 1


def test_repr_and_tree() -> None:
    cfg = after(["Birds", "sing"], Shift(), Shift(), LeftArc("nsubj"))
    assert repr(cfg) == "LRSpines(): σ = (((0,), (0,)), ((2, 1), (2,))), β = (), A = (2 → 1)"
    assert cfg.tree() == DependencyTree([(2, "Birds", "nsubj"), (None, "sing")])
    assert RightArc("root")(cfg).labels == ("nsubj", "root")


def test_transition_space_lists_every_kind_with_every_label() -> None:
    assert SYSTEM.transition_space() == (LeftArc(), RightArc(), Shift())
    assert SYSTEM.transition_space(["a", "b"]) == (LeftArc("a"), LeftArc("b"), RightArc("a"), RightArc("b"), Shift())


# What the system builds


@pytest.mark.parametrize("n", SIZES)
def test_final_configurations_are_exactly_the_projective_trees(n: int) -> None:
    configurations = reachable(n)
    assert all(cfg.is_final or cfg.possible_transitions() for cfg in configurations)
    assert not any(cfg.is_final and cfg.possible_transitions() for cfg in configurations)
    built = {cfg.heads for cfg in configurations if cfg.is_final}
    assert built == {tree.heads for tree in projective_trees(n)}


def test_number_of_reachable_configurations_of_four_words() -> None:
    assert len(reachable(4)) == 183


def test_spines_lead_from_the_roots_of_the_trees_along_their_outermost_dependents() -> None:
    for cfg in reachable(4):
        tree = cfg.tree()
        for left, right in cfg.spines:
            assert left[0] == right[0]
            for word, below in zip(left, [*left[1:], None], strict=True):
                assert tree.left_dependents(word)[:1] == (() if below is None else (below,))
            for word, below in zip(right, [*right[1:], None], strict=True):
                assert tree.right_dependents(word)[-1:] == (() if below is None else (below,))


# Oracles


@settings(deadline=None)
@given(trees(6, 7, annotated=False), st.integers(0, 2**32), st.integers(5, 12))
def test_dynamic_oracle_agrees_with_exhaustive_search_for_random_trees(
    tree: DependencyTree, seed: int, steps: int
) -> None:
    for step, (cfg, taken) in enumerate(random_walk(tree, Random(seed))):
        if step >= steps:
            assert dynamic_oracle(cfg, tree) == exhaustive_oracle(cfg, tree)
            assert cost(taken, cfg, tree) == exhaustive_loss(taken(cfg), tree) - exhaustive_loss(cfg, tree)
            assert loss(cfg, tree) == exhaustive_loss(cfg, tree)


def test_reachable_heads_of_the_start_are_the_projective_trees() -> None:
    assert reachable_heads(SYSTEM.initial(words(4))) == {tree.heads for tree in projective_trees(4)}


@pytest.mark.parametrize("projective", [True, False])
def test_costs_add_up_to_the_loss_on_long_random_walks(projective: bool) -> None:
    rng = Random(7)
    for seed in range(4):
        tree = random_projective_tree(40, seed)
        if not projective:
            tree = tree.reattach([rng.randrange(word) for word in range(1, 41)])
        at_start = loss(SYSTEM.initial(tree), tree)
        assert (at_start == 0) == is_projective(tree) == projective
        total = at_start
        for cfg, transition in random_walk(tree, rng):
            total += cost(transition, cfg, tree)
            last = transition(cfg)
        assert total == sum(head != gold for head, gold in zip(last.heads, tree.heads, strict=True)) > 0


def test_static_oracle_attaches_as_soon_as_the_gold_head_is_in_reach() -> None:
    for seed in range(20):
        tree = random_projective_tree(30, seed)
        for cfg, transition in Oracle(SYSTEM, static_oracle)(tree):
            gold = [arc for arc in cfg.possible_transitions() if (set(arc(cfg).arcs) - set(cfg.arcs)) & set(tree.arcs)]
            assert [transition] == (gold or [Shift()])


@pytest.mark.parametrize("function", [static_oracle, nondeterministic_oracle, dynamic_oracle])
def test_oracles_rebuild_long_random_trees(function: Any) -> None:
    for seed in range(10):
        tree = random_projective_tree(10 + 10 * seed, seed)
        *_, last = Oracle(SYSTEM, function)(tree).steps()
        assert last.taken(last.config).heads == tree.heads


@every_treebank
def test_static_oracle_rebuilds_projective_trees_of_a_treebank_with_labels(path: str) -> None:
    oracle = Oracle(SYSTEM, static_oracle, typed)
    for tree in list(Treebank(path))[:300]:
        if is_projective(tree):
            *_, last = oracle(tree).steps()
            final = last.taken(last.config)
            assert (final.heads, final.labels) == (tree.heads, tree.labels)
        else:
            assert not oracle(tree)


def test_gold_transitions_carry_the_gold_label_of_the_dependent() -> None:
    cfg = after([token.form for token in DOG], Shift(), Shift(), LeftArc(), RightArc(), Shift(), Shift(), LeftArc())
    assert dynamic_oracle(cfg, DOG, typed) == (RightArc("obj", k=2),)
    assert [cfg.dependent(transition) for transition in (RightArc(k=1), Shift())] == [4, None]
    wrong = after([token.form for token in DOG], Shift(), Shift(), RightArc(), Shift(), Shift())
    assert wrong.dependent(LeftArc()) == 3
    assert dynamic_oracle(wrong, DOG, typed) == (LeftArc("det"),)


def test_there_is_no_static_oracle_that_prefers_shift() -> None:
    with pytest.raises(OracleNotDefined, match="static, nondeterministic, dynamic"):
        static_oracle_prefer_shift(SYSTEM.initial(DOG), DOG)


def test_final_configurations_have_no_gold_transitions() -> None:
    cfg = after(["Go"], Shift(), RightArc())
    tree = DependencyTree([(0, "Go")])
    assert dynamic_oracle(cfg, tree) == ()
    with pytest.raises(IllegalTransition, match="no transition from the final configuration"):
        static_oracle(cfg, tree)
