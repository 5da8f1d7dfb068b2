from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, Treebank, all_trees, is_projective, random_projective_tree
from deptrees.transition import (
    ExplorationPolicy,
    IllegalTransition,
    LeftArc,
    NeverExplore,
    NoArc,
    Oracle,
    Reduce,
    RightArc,
    Shift,
    Switch,
    TwoPlanar,
    cost,
    dynamic_oracle,
    loss,
    nondeterministic_oracle,
    reachable,
    static_oracle,
    static_oracle_prefer_shift,
    typed,
)
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
    words,
)

FIRST, LAST = TwoPlanar(), TwoPlanar(root="last")
BOTH = pytest.mark.parametrize("system", [FIRST, LAST], ids=repr)
EVERY_ORACLE = pytest.mark.parametrize(
    "function", [static_oracle, static_oracle_prefer_shift, nondeterministic_oracle, dynamic_oracle]
)
TOO_MANY_CROSSINGS = DependencyTree([(0, "a"), (0, "b"), (0, "c"), (1, "d"), (2, "e")])


def is_two_planar(tree: DependencyTree) -> bool:
    """Whether the arcs, with those from ROOT, can be put into two planes so that none cross in the same plane."""
    arcs = [(min(arc), max(arc)) for arc in tree.arcs]
    crossing = [
        (one, other)
        for one, other in combinations(range(len(arcs)), 2)
        if arcs[one][0] < arcs[other][0] < arcs[one][1] < arcs[other][1]
        or arcs[other][0] < arcs[one][0] < arcs[other][1] < arcs[one][1]
    ]
    return any(
        all(planes[one] != planes[other] for one, other in crossing) for planes in product((0, 1), repeat=len(arcs))
    )


@pytest.mark.parametrize(("system", "n"), [*product([FIRST, LAST], [1, 2, 3]), slow(LAST, 4), slow(FIRST, 5)], ids=repr)
def test_final_configurations_are_exactly_the_two_planar_trees(system: TwoPlanar, n: int) -> None:
    built = set()
    for cfg in reachable(system, n):
        assert cfg.is_final != bool(cfg.possible_transitions())
        if cfg.is_final:
            built.add(cfg.heads)
    assert built == {tree.heads for tree in all_trees(n) if is_two_planar(tree)}


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 3), (3, 16), (4, 125), slow(5, 1242)])
def test_the_system_takes_exactly_the_two_planar_trees(n: int, count: int) -> None:
    taken = [tree for tree in all_trees(n) if FIRST.obstacle(tree) is None]
    assert taken == [tree for tree in all_trees(n) if is_two_planar(tree)]
    assert taken == [tree for tree in all_trees(n) if LAST.obstacle(tree) is None]
    assert len(taken) == count


@BOTH
@pytest.mark.parametrize("count", [20, slow(200)])
def test_a_partially_annotated_tree_is_taken_if_it_can_be_completed(system: TwoPlanar, count: int) -> None:
    complete = [tree.heads for tree in all_trees(5) if is_two_planar(tree)]
    only_root_can_be_the_head = DependencyTree(zip((4, 5, None, 3, 1), words(5), strict=True))
    for tree in [only_root_can_be_the_head, *Random(1).sample(list(partial_trees(5)), count)]:
        completions = (
            heads
            for heads in complete
            if all(gold in (None, head) for gold, head in zip(tree.heads, heads, strict=True))
        )
        assert (system.obstacle(tree) is None) == any(True for _ in completions)
    assert system.obstacle(only_root_can_be_the_head) is not None


@pytest.mark.parametrize(("system", "configurations"), [(FIRST, [3, 41, 698]), (LAST, [6, 103, 2023])], ids=repr)
def test_number_of_configurations(system: TwoPlanar, configurations: list[int]) -> None:
    assert [len(list(reachable(system, n))) for n in (1, 2, 3)] == configurations


@BOTH
@pytest.mark.parametrize(("n", "count"), [(3, 20), slow(4, 60)])
def test_oracles_are_exact_for_some_trees_annotated_in_part(
    system: TwoPlanar, n: int, count: int, compared: Compared
) -> None:
    rng = Random(4)
    losses = Losses(rng.sample(list(partial_trees(n)), count))
    for cfg in rng.sample(list(reachable(system, n)), count):
        compared(assert_oracles_are_exact(cfg, losses))


@BOTH
@EVERY_ORACLE
@pytest.mark.parametrize("n", [3, slow(4)])
def test_oracles_rebuild_every_two_planar_tree(system: TwoPlanar, function: Any, n: int) -> None:
    for tree in all_trees(n):
        assert rebuilt(Oracle(system, function), tree) == tree.heads


@BOTH
@pytest.mark.parametrize("count", [20, slow(300)])
def test_the_static_oracle_rebuilds_two_planar_trees_of_five_words(system: TwoPlanar, count: int) -> None:
    oracle = Oracle(system, static_oracle)
    for tree in Random(5).sample(list(all_trees(5)), count):
        assert rebuilt(oracle, tree) == tree.heads if is_two_planar(tree) else not oracle(tree)


@BOTH
@EVERY_ORACLE
@pytest.mark.parametrize("n", [5, 15, slow(25), slow(35)])
def test_oracles_rebuild_long_random_trees(system: TwoPlanar, function: Any, n: int) -> None:
    for seed in range(2):
        tree = random_projective_tree(n, seed)
        assert rebuilt(Oracle(system, function), tree) == tree.heads


@BOTH
def test_projective_trees_need_no_switch(system: TwoPlanar) -> None:
    for seed in range(3):
        tree = random_projective_tree(20, seed)
        assert Switch() not in [transition for _, transition in Oracle(system, static_oracle)(tree)]


@BOTH
def test_switch_does_not_follow_switch(system: TwoPlanar) -> None:
    for cfg in reachable(system, 3):
        if cfg.is_possible(Switch()):
            assert Switch() not in Switch()(cfg).possible_transitions()


@BOTH
@every_dev_treebank
def test_the_static_oracle_rebuilds_trees_of_a_treebank(system: TwoPlanar, path: Path) -> None:
    trees = list(Treebank(path))
    crossing = [tree for tree in trees if not is_projective(tree)]
    for tree in Random(1).sample(crossing, min(25, len(crossing))) + trees[:15]:
        if system.obstacle(tree) is None:
            assert rebuilt(Oracle(system, static_oracle), tree) == tree.heads


@BOTH
@every_dev_treebank
def test_costs_add_up_where_a_parser_strays_from_trees_of_a_treebank(system: TwoPlanar, path: Path) -> None:
    rng = Random(2)
    trees = [tree for tree in Treebank(path) if len(tree) <= 25]
    for tree in rng.sample(trees, 10):
        total = loss(system.initial(tree), tree)
        policy = ExplorationPolicy(k=0, p=0.2, rng=rng)
        for step in Oracle(system, dynamic_oracle)(tree, policy).steps():
            cfg: Any = step.config
            total += cost(step.taken, cfg, tree)
        heads = step.taken(cfg).heads
        assert total == sum(gold is not None and head != gold for head, gold in zip(heads, tree.heads, strict=True))


@BOTH
@pytest.mark.parametrize("n", [6, 10])
def test_costs_of_random_crossing_trees_add_up_on_random_walks(system: TwoPlanar, n: int) -> None:
    rng = Random(n)
    for _ in range(5):
        assert_costs_add_up(system, random_tree(n, rng), rng)


@BOTH
def test_the_dynamic_oracle_leads_to_the_best_tree_where_arcs_cross_too_much(system: TwoPlanar) -> None:
    assert not is_two_planar(TOO_MANY_CROSSINGS)
    assert not Oracle(system, static_oracle)(TOO_MANY_CROSSINGS)
    assert system.obstacle(TOO_MANY_CROSSINGS) == f"{system} builds 2-planar trees only, and the tree is not 2-planar"
    heads = rebuilt(Oracle(system, dynamic_oracle), TOO_MANY_CROSSINGS)
    assert sum(head != gold for head, gold in zip(heads, TOO_MANY_CROSSINGS.heads, strict=True)) == 1


@BOTH
def test_any_gold_transition_leads_to_the_tree(system: TwoPlanar) -> None:
    tree = DependencyTree([(3, "Who"), (0, "did"), (2, "you"), (1, "say")])
    for seed in range(30):
        steps = list(Oracle(system, nondeterministic_oracle)(tree, NeverExplore(rng=Random(seed))).steps())
        assert steps[-1].taken(steps[-1].config).heads == tree.heads


@BOTH
def test_labels_are_those_of_the_dependents(system: TwoPlanar) -> None:
    tree = DependencyTree([(3, "Who", "obl"), (0, "did", "root"), (2, "you", "obj"), (1, "say", "acl")])
    steps = list(Oracle(system, static_oracle, typed)(tree).steps())
    assert steps[-1].taken(steps[-1].config).tree() == tree
    assert steps[0].config.dependent(Shift()) is None
    assert steps[0].config.dependent(Switch()) is None


@BOTH
def test_transition_space(system: TwoPlanar) -> None:
    assert system.transition_space() == (LeftArc(), RightArc(), Shift(), Reduce(), Switch())
    assert system.transition_space(["a", "b"])[:3] == (LeftArc("a"), LeftArc("b"), RightArc("a"))
    assert repr(Switch()) == "Switch()"


def after(system: TwoPlanar, *transitions: Any) -> Any:
    return follow(system.initial(["Birds", "can", "sing"]), transitions)


@pytest.mark.parametrize(
    ("cfg", "transition", "missing"),
    [
        (after(FIRST), NoArc(), "it belongs to this system"),
        (after(FIRST), RightArc(k=2), "k = 1"),
        (after(FIRST), LeftArc(), "the dependent is not ROOT"),
        (after(LAST), LeftArc(), "s0 exists"),
        (after(LAST, Shift(), Shift(), Shift()), RightArc(), "the dependent is not ROOT"),
        (after(LAST, Shift(), Shift(), Shift()), Shift(), "b0 ≠ 0"),
        (after(FIRST, RightArc()), RightArc(), "word 1 has no head"),
        (after(FIRST, RightArc(), Shift()), LeftArc(), "word 1 has no head"),
        (after(FIRST, Shift(), LeftArc()), RightArc(), "no path leads from 2 to 1"),
        (after(FIRST, Shift(), RightArc()), LeftArc(), "no path leads from 1 to 2"),
        (
            after(FIRST, Shift(), Shift()),
            RightArc(),
            "a path leads from 0 to 2, because nothing else is left to be the head of word 2",
        ),
        (after(FIRST, Shift(), Shift()), Shift(), "every word has a head"),
        (after(FIRST), Reduce(), "s0 ≠ 0"),
        (after(FIRST, Shift(), Reduce(), Switch()), Reduce(), "word 1 has a head or is on the other stack"),
        (after(FIRST, Shift()), Switch(), "the stacks differ"),
        (after(FIRST, Shift(), Reduce(), Switch()), Switch(), "another transition comes before it"),
        (
            after(FIRST, Shift(), Shift(), Reduce(), Reduce(), RightArc(), Switch(), LeftArc(), Reduce()),
            Switch(),
            "another transition is possible after it",
        ),
        (
            after(FIRST, RightArc(), Shift(), RightArc(), Shift(), RightArc(), Shift()),
            Shift(),
            "the configuration is not final",
        ),
    ],
)
def test_illegal_transitions_say_what_is_missing(cfg: Any, transition: Any, missing: str) -> None:
    assert not transition.is_possible(cfg)
    with pytest.raises(IllegalTransition) as error:
        transition(cfg)
    assert str(error.value).startswith(f"{transition!r} requires that {missing}")
    assert str(error.value).endswith(f" in {cfg!r}")
