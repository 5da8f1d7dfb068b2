from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, Treebank, all_trees, is_projective, projective_trees, random_projective_tree
from deptrees.transition import (
    IllegalTransition,
    LeftArc,
    NeverExplore,
    Oracle,
    Reduce,
    RightArc,
    Shift,
    dynamic_oracle,
    nondeterministic_oracle,
    reachable,
    static_oracle,
    static_oracle_prefer_shift,
    typed,
)
from deptrees.transition.systems.list_based import ListBasedConfiguration, ListBasedNonProjective, ListBasedProjective
from deptrees.transition.transitions import NoArc
from tests.conftest import Compared
from tests.gold_trees import every_dev_treebank
from tests.tiers import slow
from tests.transition.configurations import (
    Losses,
    assert_costs_add_up,
    assert_oracles_are_exact,
    follow,
    partial_trees,
    random_tree,
    rebuilt,
)

NON_PROJECTIVE, PROJECTIVE = ListBasedNonProjective(), ListBasedProjective()
BOTH = pytest.mark.parametrize("system", [NON_PROJECTIVE, PROJECTIVE], ids=repr)
CROSSING = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])


def built(system: Any, n: int) -> set[tuple[int | None, ...]]:
    return {cfg.heads for cfg in reachable(system, n) if cfg.is_final}


def spans_descendants_only(tree: DependencyTree) -> bool:
    return all(
        between in tree.subtree(head)
        for head, dependent in tree.arcs
        for between in range(min(head, dependent) + 1, max(head, dependent))
    )


@pytest.mark.parametrize(("n", "count"), [(1, 2), (2, 8), (3, 50), (4, 432), (5, 4802)])
def test_the_non_projective_system_builds_every_forest(n: int, count: int) -> None:
    forests = {tree.heads for tree in partial_trees(n)}
    assert built(NON_PROJECTIVE, n) == forests
    assert len(forests) == count


@pytest.mark.parametrize(("n", "count"), [(1, 2), (2, 7), (3, 30), (4, 143), (5, 728)])
def test_the_projective_system_builds_every_forest_in_which_arcs_span_descendants_only(n: int, count: int) -> None:
    forests = {tree.heads for tree in partial_trees(n) if spans_descendants_only(tree)}
    assert built(PROJECTIVE, n) == forests
    assert len(forests) == count
    assert {heads for heads in forests if None not in heads} == {tree.heads for tree in projective_trees(n)}


@pytest.mark.parametrize(
    ("system", "configurations"), [(NON_PROJECTIVE, [5, 26, 180, 1687]), (PROJECTIVE, [3, 12, 53, 254])]
)
def test_number_of_configurations(system: Any, configurations: list[int]) -> None:
    assert [len(list(reachable(system, n))) for n in range(1, 5)] == configurations


@BOTH
@pytest.mark.parametrize(("n", "trees", "count"), [(4, 10, 40), slow(5, 40, 150)])
def test_oracles_are_exact_for_some_trees_annotated_in_part(
    system: Any, n: int, trees: int, count: int, compared: Compared
) -> None:
    rng = Random(5)
    losses = Losses(rng.sample(list(partial_trees(n)), trees))
    for cfg in rng.sample(list(reachable(system, n)), count):
        compared(assert_oracles_are_exact(cfg, losses))


@BOTH
@pytest.mark.parametrize(
    "function", [static_oracle, static_oracle_prefer_shift, nondeterministic_oracle, dynamic_oracle]
)
def test_oracles_rebuild_long_random_trees(system: Any, function: Any) -> None:
    for seed in range(6):
        tree = random_projective_tree(5 + 5 * seed, seed)
        assert rebuilt(Oracle(system, function), tree) == tree.heads


@pytest.mark.parametrize("function", [static_oracle, nondeterministic_oracle])
def test_non_projective_oracles_rebuild_random_crossing_trees(function: Any) -> None:
    rng = Random(1)
    for n in range(1, 30):
        tree = random_tree(n, rng)
        assert rebuilt(Oracle(NON_PROJECTIVE, function), tree) == tree.heads


@BOTH
@pytest.mark.parametrize("n", [10, 16])
def test_costs_of_random_crossing_trees_add_up_on_random_walks(system: Any, n: int) -> None:
    rng = Random(n)
    for _ in range(4):
        assert_costs_add_up(system, random_tree(n, rng), rng)


@every_dev_treebank
def test_the_static_oracle_rebuilds_every_tree_of_a_treebank(path: Any) -> None:
    for tree in Treebank(path):
        assert rebuilt(Oracle(NON_PROJECTIVE, static_oracle), tree) == tree.heads
        projective = Oracle(PROJECTIVE, static_oracle)
        assert rebuilt(projective, tree) == tree.heads if is_projective(tree) else not projective(tree)


def test_the_projective_dynamic_oracle_leads_to_the_best_tree_where_arcs_cross() -> None:
    heads = rebuilt(Oracle(PROJECTIVE, dynamic_oracle), CROSSING)
    assert sum(head != gold for head, gold in zip(heads, CROSSING.heads, strict=True)) == 1


@BOTH
def test_any_gold_transition_leads_to_the_tree(system: Any) -> None:
    tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    for seed in range(50):
        steps = list(Oracle(system, nondeterministic_oracle)(tree, NeverExplore(rng=Random(seed))).steps())
        assert steps[-1].taken(steps[-1].config).heads == tree.heads


@BOTH
def test_the_static_oracle_leaves_words_without_a_head_where_the_tree_does(system: Any) -> None:
    tree = DependencyTree([(0, "Go"), (1, "home"), (None, "er"), (None, "now")])
    assert rebuilt(Oracle(system, static_oracle), tree) == tree.heads


def test_the_projective_static_oracle_attaches_words_that_an_arc_must_span() -> None:
    for tree in partial_trees(4):
        if is_projective(tree):
            ours = rebuilt(Oracle(PROJECTIVE, static_oracle), tree)
            assert all(gold is None or gold == head for head, gold in zip(ours, tree.heads, strict=True))


@BOTH
def test_static_oracle_answers_something_possible_off_the_path(system: Any) -> None:
    for cfg in reachable(system, 3):
        for tree in all_trees(3):
            if cfg.is_final:
                with pytest.raises(IllegalTransition, match="final configuration"):
                    static_oracle(cfg, tree)
            else:
                assert static_oracle(cfg, tree).is_possible(cfg)


def test_labels_are_those_of_the_dependents() -> None:
    tree = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj")])
    steps = list(Oracle(PROJECTIVE, static_oracle, typed)(tree).steps())
    assert [step.taken for step in steps] == [Shift(), LeftArc("nsubj"), RightArc("root"), RightArc("obj")]
    assert steps[-1].taken(steps[-1].config).tree() == tree
    assert steps[0].config.dependent(Shift()) is None


@BOTH
def test_transition_space(system: Any) -> None:
    assert system.transition_space() == (LeftArc(), RightArc(), NoArc(), Shift())
    assert system.transition_space(["a"]) == (LeftArc("a"), RightArc("a"), NoArc(), Shift())
    assert repr(NoArc()) == "NoArc()"


def after(system: Any, *transitions: Any) -> Any:
    return follow(system.initial(["Birds", "can", "sing"]), transitions)


@pytest.mark.parametrize(
    ("cfg", "transition", "missing"),
    [
        (after(NON_PROJECTIVE), Reduce(), "it belongs to this system"),
        (after(NON_PROJECTIVE, Shift(), Shift(), Shift()), Shift(), "β ≠ []"),
        (after(NON_PROJECTIVE, NoArc()), NoArc(), "λ1 ≠ []"),
        (after(NON_PROJECTIVE), RightArc(k=2), "k = 1"),
        (after(NON_PROJECTIVE), LeftArc(), "i ≠ 0"),
        (after(NON_PROJECTIVE, RightArc(), Shift()), LeftArc(), "word 1 has no head"),
        (after(NON_PROJECTIVE, Shift(), RightArc()), RightArc(), "word 2 has no head"),
        (after(NON_PROJECTIVE, Shift(), RightArc(), Shift(), RightArc()), LeftArc(), "no path leads from 1 to 3"),
        (after(NON_PROJECTIVE, Shift(), LeftArc(), Shift(), LeftArc()), RightArc(), "no path leads from 3 to 1"),
        (after(PROJECTIVE), NoArc(), "0 has a head"),
        (after(PROJECTIVE, Shift()), NoArc(), "1 has a head"),
        (after(PROJECTIVE, RightArc()), LeftArc(), "word 1 has no head"),
    ],
)
def test_illegal_transitions_say_what_is_missing(cfg: Any, transition: Any, missing: str) -> None:
    assert not transition.is_possible(cfg)
    with pytest.raises(IllegalTransition) as error:
        transition(cfg)
    assert str(error.value) == f"{transition!r} requires that {missing}, in {cfg!r}"


@BOTH
def test_configurations_are_values(system: Any) -> None:
    one, same = after(system, Shift(), LeftArc()), after(system, Shift(), LeftArc())
    assert one == same
    assert hash(one) == hash(same)
    assert one != after(system, Shift())
    assert one != after(system, Shift(), LeftArc("nsubj"))
    assert one != LeftArc()(Shift()(system.initial(["Birds", "can", "fly"])))
    assert isinstance(one, ListBasedConfiguration)
    with pytest.raises(AttributeError):
        one.heads = ()  # type: ignore[misc]


def test_configurations_of_both_systems_are_not_equal() -> None:
    assert after(NON_PROJECTIVE) != after(PROJECTIVE)


def test_configurations_show_themselves() -> None:
    assert repr(after(NON_PROJECTIVE, Shift(), LeftArc())) == (
        "ListBasedNonProjective(): λ1 = (0,), λ2 = (1,), β = (2, 3), A = (2 → 1)"
    )


@BOTH
def test_an_empty_sentence_is_parsed_at_once(system: Any) -> None:
    assert system.initial([]).is_final
