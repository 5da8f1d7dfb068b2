"""Walks: what the explorer says of a step is what the oracles, the costs and the exhaustive search say."""

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from deptrees import DependencyTree, TreeError
from deptrees.explorer import GoldTree, Question, WalkError
from deptrees.explorer.graphs import graph_of
from deptrees.explorer.questions import oracles_offered
from deptrees.explorer.states import state_of
from deptrees.explorer.walks import Setting, walk
from deptrees.transition import Attardi, Oracle, System, TwoPlanar, cost, exhaustive_loss, static_oracle
from deptrees.transition.losses.attardi import BuildableArcs
from deptrees.transition.losses.shortest_path import SearchProblem
from deptrees.transition.losses.two_planar import TwoPlanarLoss
from deptrees.transition.notation import choices
from deptrees.transition.systems.registry import REGISTRY, UnknownSystem
from tests.tiers import variants_slow
from tests.transition.configurations import random_tree

TREE = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
CROSSING = DependencyTree([(3, "What"), (0, "did"), (2, "you"), (2, "see")])
EVERY_SYSTEM = variants_slow(variant for system in REGISTRY.values() for variant in system.variants)


@pytest.mark.parametrize(
    "tree", [TREE, CROSSING, TREE.reattach([2, 0, None, 2])], ids=["projective", "crossing", "partial"]
)
@pytest.mark.parametrize("system", EVERY_SYSTEM, ids=repr)
def test_costs_and_losses_are_those_of_all_trees_within_reach(system: System, tree: DependencyTree) -> None:
    rng, found = random.Random(1), walk(Setting(system, oracles_offered(type(system).__name__)[-1], tree))
    while not found.cfg.is_final:
        exact = exhaustive_loss(found.cfg, tree)
        assert found.loss is not None
        assert found.loss >= exact if found.setting.is_estimated else found.loss == exact
        if not found.setting.is_estimated:
            assert {choice.transition: choice.cost for choice in found.options} == {
                transition: cost(transition, found.cfg, tree) for transition in found.cfg.possible_transitions()
            }
        found = found.after(repr(rng.choice(found.options).transition))
    assert not found.options
    assert not found.gold


@pytest.mark.parametrize("name", REGISTRY)
def test_to_follow_the_oracle_is_its_derivation(name: str) -> None:
    system = REGISTRY[name].example
    tree = TREE if system.obstacle(CROSSING) else CROSSING
    found = walk(Setting(system, "static", tree)).to_the_end()
    expected = [repr(transition) for _, transition in Oracle(system, static_oracle)(tree)]
    assert [*found.names] == expected
    assert found.loss == 0
    assert found.lost == ()


def test_an_incomplete_oracle_has_no_answer_off_its_path() -> None:
    names = ["Shift()", "Shift()"]
    static, dynamic = [
        walk(Setting(REGISTRY["ArcEager"].example, oracle, TREE), names) for oracle in ("static", "dynamic")
    ]
    assert not static.gold
    assert dynamic.gold


@pytest.mark.parametrize("name", REGISTRY)
def test_each_transition_loses_the_arcs_that_derivations_tell_of(name: str) -> None:
    system, walked = REGISTRY[name].example, list[str]()
    for step in Oracle(system, static_oracle)(TREE).steps():
        state = state_of(walk(Setting(system, oracles_offered(name)[-1], TREE), walked))
        shown = {
            choice["name"]: {arc for lost in choice["lost"] for arc in lost["arcs"]} for choice in state["transitions"]
        }
        told = {repr(choice.transition): {*choice.lost} for choice in choices(step, TREE, costs=True)}
        assert shown == told
        walked.append(repr(step.taken))


def test_arc_standard_tells_which_gold_arcs_a_transition_loses() -> None:
    state = state_of(walk(Setting(REGISTRY["ArcStandard"].example, "dynamic", TREE), ["Shift()", "RightArc()"]))
    assert state["lost"] == [{"row": None, "arcs": ((2, 1),)}]


def test_lost_arcs_are_those_of_rows_and_of_words_with_another_head() -> None:
    found = walk(Setting(REGISTRY["ArcEager"].example, "dynamic", TREE), ["RightArc()", "RightArc()"])
    assert found.cfg.arcs == ((0, 1), (1, 2))
    assert found.lost == ((2, 1), (0, 2))
    state = state_of(found)
    assert [(choice["cost"], choice["right"]) for choice in state["taken"]] == [(1, False), (1, False)]
    assert 'class="arc wrong"' in state["drawing"]
    assert 'class="arc missed"' in state["drawing"]


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The configurations of which searches have asked what can be built."""
    found: list[object] = []

    def noting(ask: Callable[..., Any]) -> Callable[..., Any]:
        def asked(self: object, cfg: object, *others: object) -> Any:
            found.append(cfg)
            return ask(self, cfg, *others)

        return asked

    problem: type[SearchProblem] = type(TwoPlanarLoss().gold_problem((0,), TwoPlanar()))
    monkeypatch.setattr(problem, "bound", noting(problem.bound))
    monkeypatch.setattr(problem, "is_attained", noting(problem.is_attained))
    monkeypatch.setattr(BuildableArcs, "can_build", noting(BuildableArcs.can_build))
    return found


@pytest.mark.parametrize("oracle", ["static", "dynamic"])
@pytest.mark.parametrize("system", [TwoPlanar(), Attardi()], ids=repr)
def test_where_nearly_all_arcs_cross_a_step_takes_little_work_and_says_what_is_not_known(
    system: System, oracle: str, looked_at: list[object]
) -> None:
    tree = random_tree(40, random.Random(3))
    for names in [], ["Shift()"]:
        looked_at.clear()
        state = state_of(walk(Setting(system, oracle, tree), names))
        assert len(looked_at) < 1000
        assert state["loss"] is None
        assert {choice["cost"] for choice in state["transitions"] + state["taken"]} == {None}
        assert state["gives_up"] == (oracle == "dynamic")
        assert state["following"] is None


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", ["EasyFirst", "PointerProjective", "StackPointerProjective"])
def test_a_step_with_as_many_options_as_words_takes_little_work(
    name: str, single_root: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, charts = import_module("deptrees.trees.eisner"), list[object]()
    eisner = module.eisner

    def noted(cost: object) -> object:
        charts.append(cost)
        return eisner(cost)

    monkeypatch.setattr(module, "eisner", noted)
    kind: Any = REGISTRY[name].kind
    state = state_of(walk(Setting(kind(single_root=single_root), "dynamic", random_tree(100, random.Random(3)))))
    assert len(charts) < 30
    assert state["gives_up"] == (name == "StackPointerProjective")
    assert {type(choice["cost"]) for choice in state["transitions"]} <= {int, type(None)}


def test_a_step_after_steps_of_unknown_cost_takes_no_more_work(looked_at: list[object]) -> None:
    found = walk(Setting(TwoPlanar(), "dynamic", random_tree(40, random.Random(4))), ["Shift()"] * 30)
    state_of(found)
    assert len(looked_at) < 1000


@pytest.mark.parametrize("system", [TwoPlanar(), Attardi()], ids=repr)
def test_derivations_where_nearly_all_arcs_cross_take_little_work(
    system: System, looked_at: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.explorer.graphs._WORK", 100_000)
    monkeypatch.setattr("deptrees.explorer.graphs._MOST_SEEN", 200)
    with pytest.raises(ValueError, match=r"cannot build|more than"):
        graph_of(walk(Setting(system, "static", random_tree(40, random.Random(3)))))
    assert len(looked_at) < 1000


@pytest.mark.parametrize("system", [TwoPlanar(), Attardi()], ids=repr)
def test_what_is_known_with_little_work_is_exact(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    tree, rng = random_tree(10, random.Random(5)), random.Random(5)
    monkeypatch.setattr("deptrees.explorer.walks.WORK", 2000)
    found, known = walk(Setting(system, "static", tree)), []
    while not found.cfg.is_final:
        known += [(option, option.cost) for option in found.options]
        found = found.after(repr(rng.choice(found.options).transition))
    costs = [price for _, price in known]
    assert None in costs
    assert any(costs)
    for option, price in known:
        assert price in (None, cost(option.transition, option.before.cfg, tree))


def test_impossible_transitions_say_what_is_missing() -> None:
    for name, system in REGISTRY.items():
        oracle = oracles_offered(name)[-1]
        for told in state_of(walk(Setting(system.example, oracle, TREE)))["impossible"]:
            assert told["missing"], (name, told)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"taken": ("Fly()",)}, WalkError),
        ({"taken": ("Reduce()",)}, WalkError),
        ({"system": "ArcLazy"}, UnknownSystem),
        ({"oracle": "psychic"}, WalkError),
        ({"sentence": GoldTree((), ())}, WalkError),
        ({"sentence": GoldTree(("a",) * 201, (None,) * 201)}, WalkError),
        ({"sentence": GoldTree(("a", "b"), (2, 1))}, TreeError),
        ({"sentence": GoldTree(("a", "b"), (2,))}, WalkError),
    ],
)
def test_questions_without_an_answer_say_why(changes: dict[str, object], error: type[Exception]) -> None:
    asked = {"sentence": GoldTree.of(TREE), "system": "ArcEager", "root": "first", "single_root": False}
    with pytest.raises(error):
        Question(**{**asked, "oracle": "dynamic", **changes}).walk()  # type: ignore[arg-type]
