"""Type checkers and editors know which configurations a system has; mypy checks what is asserted here of types."""

from typing import Any

from typing_extensions import assert_type

from deptrees import DependencyTree
from deptrees.search import BeamSearch, Ranking
from deptrees.transition import (
    ArcEagerBuffer,
    ArcEagerBufferConfiguration,
    ArcHybrid,
    Configuration,
    EasyFirst,
    EasyFirstConfiguration,
    NeverExplore,
    Oracle,
    Shift,
    StackBufferConfiguration,
    System,
    Transition,
    UnparsableTree,
    dynamic_oracle,
    static_oracle,
)

TREE = DependencyTree([(2, "Birds"), (0, "sing")])


def test_a_system_begins_with_its_own_configuration() -> None:
    assert isinstance(assert_type(ArcHybrid().initial(TREE), StackBufferConfiguration), StackBufferConfiguration)
    assert isinstance(assert_type(EasyFirst().initial(TREE), EasyFirstConfiguration), EasyFirstConfiguration)
    assert isinstance(Shift()(ArcHybrid().initial(TREE)).stack, tuple)


def test_an_oracle_yields_configurations_of_its_system() -> None:
    for cfg, gold in Oracle(ArcHybrid(), dynamic_oracle)(TREE):
        assert isinstance(assert_type(cfg, StackBufferConfiguration), StackBufferConfiguration)
        assert isinstance(assert_type(gold, tuple[Transition, ...]), tuple)
    for start, transition in Oracle(ArcEagerBuffer, static_oracle)(TREE):
        assert isinstance(assert_type(start, ArcEagerBufferConfiguration), ArcEagerBufferConfiguration)
        assert isinstance(assert_type(transition, Transition), Transition)
    for step in Oracle(EasyFirst(), dynamic_oracle)(TREE).steps():
        assert isinstance(assert_type(step.config, EasyFirstConfiguration), EasyFirstConfiguration)


def test_a_name_stands_for_any_system_and_any_oracle() -> None:
    sequence = Oracle("arc-hybrid", "dynamic")(TREE)
    assert not isinstance(sequence, UnparsableTree)
    for cfg, gold in sequence:
        assert assert_type(cfg, Any).stack
        assert assert_type(gold, Any)


def test_a_search_keeps_configurations_of_its_system() -> None:
    search = BeamSearch(Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations)))
    for beam in search(TREE):
        assert isinstance(assert_type(beam[0].config, StackBufferConfiguration), StackBufferConfiguration)
    [(cfg, _), *_] = search.best(TREE).derivation()
    assert isinstance(assert_type(cfg, StackBufferConfiguration), StackBufferConfiguration)


def test_several_systems_have_configurations_of_trees() -> None:
    systems = [ArcHybrid(), EasyFirst()]
    assert len(assert_type(systems, list[System[Configuration]])) == 2


class OfTheStack(NeverExplore):
    """A policy of one's own may say which configurations it looks at; mypy checks that it may."""

    def choose(
        self,
        cfg: StackBufferConfiguration,
        possible: tuple[Transition, ...],
        gold: tuple[Transition, ...],
        predicted: Transition | None,
    ) -> Transition:
        return gold[0] if cfg.stack else possible[0]


def test_a_policy_of_ones_own_names_its_configurations() -> None:
    assert [transition for _, transition in Oracle(ArcHybrid(), static_oracle)(TREE, OfTheStack())]
