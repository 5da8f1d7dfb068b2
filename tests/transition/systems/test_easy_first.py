from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, Token, Treebank, is_projective, random_projective_tree
from deptrees.transition import (
    IllegalTransition,
    LeftArc,
    NeverExplore,
    Oracle,
    OracleNotDefined,
    RightArc,
    Shift,
    dynamic_oracle,
    nondeterministic_oracle,
    reachable,
    static_oracle,
    static_oracle_prefer_shift,
    typed,
)
from deptrees.transition.systems.easy_first import EasyFirst, EasyFirstConfiguration
from tests.conftest import Compared
from tests.gold_trees import every_dev_treebank
from tests.tiers import slow
from tests.transition.configurations import (
    Losses,
    assert_costs_add_up,
    assert_oracles_are_exact,
    partial_trees,
    random_tree,
    rebuilt,
)

TREE = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])


@pytest.mark.parametrize(("n", "trees", "count"), [(5, 10, 50), slow(6, 30, 400)])
def test_oracles_are_exact_for_some_trees_annotated_in_part(n: int, trees: int, count: int, compared: Compared) -> None:
    rng = Random(5)
    losses = Losses(rng.sample(list(partial_trees(n)), trees))
    for cfg in rng.sample(list(reachable(EasyFirst(), n)), count):
        compared(assert_oracles_are_exact(cfg, losses))


@pytest.mark.parametrize("function", [static_oracle, nondeterministic_oracle, dynamic_oracle])
def test_oracles_rebuild_long_random_trees(function: Any) -> None:
    for seed in range(5):
        tree = random_projective_tree(10 + 10 * seed, seed)
        assert rebuilt(Oracle(EasyFirst(), function), tree) == tree.heads


@pytest.mark.parametrize("n", [12, 25])
def test_costs_of_random_crossing_trees_add_up_on_random_walks(n: int) -> None:
    rng = Random(n)
    for _ in range(4):
        assert_costs_add_up(EasyFirst(), random_tree(n, rng), rng)


def test_costs_of_random_projective_trees_add_up_on_random_walks() -> None:
    for seed in range(20):
        assert_costs_add_up(EasyFirst(), random_projective_tree(40, seed), Random(seed))


@every_dev_treebank
def test_the_static_oracle_rebuilds_every_projective_tree_of_a_treebank(path: Any) -> None:
    oracle = Oracle(EasyFirst(), static_oracle)
    for tree in Treebank(path):
        assert rebuilt(oracle, tree) == tree.heads if is_projective(tree) else not oracle(tree)


def test_the_dynamic_oracle_leads_to_the_best_tree_where_arcs_cross() -> None:
    crossing = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    heads = rebuilt(Oracle(EasyFirst(), dynamic_oracle), crossing)
    assert sum(head != gold for head, gold in zip(heads, crossing.heads, strict=True)) == 1


def test_any_gold_transition_leads_to_the_tree() -> None:
    for seed in range(50):
        oracle = Oracle(EasyFirst(), nondeterministic_oracle)
        steps = list(oracle(TREE, NeverExplore(rng=Random(seed))).steps())
        assert steps[-1].taken(steps[-1].config).heads == TREE.heads


def test_static_oracle_answers_something_possible_off_the_path() -> None:
    tree = DependencyTree([(2, "Birds"), (0, "sing")])
    cfg = RightArc(k=2)(EasyFirst().initial(tree))
    assert static_oracle(cfg, tree).is_possible(cfg)
    cfg = RightArc(k=1)(cfg)
    with pytest.raises(IllegalTransition, match="final configuration"):
        static_oracle(cfg, tree)


def test_labels_are_those_of_the_dependents() -> None:
    steps = list(Oracle(EasyFirst(), static_oracle, typed)(TREE).steps())
    assert [step.taken for step in steps] == [
        LeftArc("nsubj", k=2),
        LeftArc("det", k=3),
        RightArc("obj", k=2),
        RightArc("root"),
    ]
    assert steps[-1].taken(steps[-1].config).tree() == TREE


def test_transition_space_lists_the_kinds_once_for_each_label() -> None:
    assert EasyFirst().transition_space() == (LeftArc(), RightArc())
    assert EasyFirst().transition_space(["a", "b"]) == (LeftArc("a"), LeftArc("b"), RightArc("a"), RightArc("b"))


@pytest.mark.parametrize(
    ("transition", "missing"),
    [
        (LeftArc(), "requires that λ[k-1] ≠ 0"),
        (LeftArc(k=3), "requires that λ[k-1] and λ[k] exist"),
        (RightArc(k=0), "requires that λ[k-1] and λ[k] exist"),
        (RightArc(k=-1), "requires that λ[k-1] and λ[k] exist"),
        (Shift(), "requires that it belongs to this system"),
    ],
)
def test_illegal_transitions_say_what_is_missing(transition: Any, missing: str) -> None:
    cfg = EasyFirst().initial(["Birds", "sing"])
    assert not transition.is_possible(cfg)
    with pytest.raises(IllegalTransition) as error:
        transition(cfg)
    assert str(error.value) == f"{transition!r} {missing}, in EasyFirst(): λ = (0, 1, 2), A = ()"


def test_configurations_are_values() -> None:
    start = EasyFirst().initial(["the", "old", "man"])
    one, other = LeftArc(k=2)(LeftArc(k=3)(start)), RightArc(k=2)(start)
    assert one == LeftArc(k=2)(LeftArc(k=3)(EasyFirst().initial([Token("the"), Token("old"), Token("man")])))
    assert hash(one) == hash(LeftArc(k=2)(LeftArc(k=3)(start)))
    assert one != other != start
    assert start != EasyFirst().initial(["the", "new", "man"])
    assert LeftArc("a", k=2)(start) != LeftArc("b", k=2)(start)
    assert repr(other) == "EasyFirst(): λ = (0, 1, 3), A = (1 → 2)"
    assert isinstance(start, EasyFirstConfiguration)
    with pytest.raises(AttributeError):
        start.pending = ()  # type: ignore[misc]


def test_an_empty_sentence_is_parsed_at_once() -> None:
    assert EasyFirst().initial([]).is_final


def test_there_is_no_oracle_that_prefers_shift() -> None:
    with pytest.raises(OracleNotDefined, match="it has: static, nondeterministic, dynamic"):
        static_oracle_prefer_shift(EasyFirst().initial(TREE), TREE)
