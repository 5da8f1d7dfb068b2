"""What is true of every system that builds graphs: its oracles and losses are those of exhaustive search."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pickle import dumps, loads
from random import Random
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
import pytest

from deptrees import DependencyGraph, DependencyTree, Parser, Token
from deptrees.explorer.states import state_of
from deptrees.explorer.walks import Setting, walk
from deptrees.search import BeamSearch, Ranking
from deptrees.training import GlobalTraining, LocalTraining
from deptrees.training.perceptron import Perceptron
from deptrees.transition import (
    GRAPH_REGISTRY,
    AddNode,
    ArcEagerGraph,
    EmptyNodeGraph,
    ExplorationPolicy,
    GraphSystem,
    LeftArc,
    ListBasedGraph,
    Oracle,
    PointerGraph,
    Shift,
    UnknownSystem,
    check_system,
    cost,
    count_derivations,
    derivations,
    dynamic_oracle,
    exhaustive_loss,
    exhaustive_oracle,
    explain,
    loss,
    reachable,
    reachable_heads,
    typed,
)
from deptrees.transition.notation import derivation_table
from deptrees.trees.enumeration import all_graphs
from tests.tiers import at_length, slow, variants_slow

SYSTEMS: Any = [system for registered in GRAPH_REGISTRY.values() for system in registered.variants]
WITH_LOSS = [system for system in SYSTEMS if system.oracles.loss is not None]
EVERY_SYSTEM = pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
EVERY_LOSS = pytest.mark.parametrize("system", variants_slow(WITH_LOSS), ids=repr)
Bits = npt.NDArray[np.bool_]

GRAPH = DependencyGraph(
    ["She", "sings", "and", Token("she", id="3.1"), "dances"],
    [(0, 2, "root"), (2, 1, "nsubj"), (2, 1, "agent"), (2, 5, "conj:and"), (5, 3, "cc"), (5, 4, "nsubj"), (2, 4, "x")],
)
"""An empty node, several heads, and two arcs between the same nodes; acyclic, and no arcs cross but those to 3."""


def as_bits(heads: Any) -> list[bool]:
    """Whether there is an arc from each element to each word."""
    return [head in of_word for of_word in heads for head in range(len(heads) + 1)]


def least_losses(cfg: Any, gold: Bits, known: Bits) -> list[int]:
    """The loss against each gold graph, by a comparison with every reachable graph."""
    within_reach = np.array([as_bits(heads) for heads in reachable_heads(cfg)], np.float32)
    costs = np.where(gold, -1, 1) * known  # of each arc that is there, beside what it costs to have none
    least = (within_reach @ costs.T.astype(np.float32)).min(0)
    return (least + (gold & known).sum(1)).astype(int).tolist()  # type: ignore[no-any-return]


def assert_losses_are_exact(system: GraphSystem, graphs: list[DependencyGraph], configurations: Iterable[Any]) -> None:
    gold, n = np.array([as_bits(graph.heads) for graph in graphs]), len(graphs[0])
    unknown = ~gold.reshape(len(graphs), n, n + 1).any(2) & system.empty_means_unknown
    known = np.repeat(~unknown, n + 1, axis=1)
    for cfg in configurations:
        assert [loss(cfg, graph) for graph in graphs] == least_losses(cfg, gold, known), cfg


def drawn(items: Iterable[Any], share: float) -> Iterator[Any]:
    rng = Random(1)
    return (item for item in items if rng.random() < share)


@EVERY_LOSS
@pytest.mark.parametrize(("n", "share"), [(1, 1), (2, 1), (3, 0.02), slow(3, 0.2), at_length(3, 1)])
def test_losses_are_exact_for_all_graphs(system: GraphSystem, n: int, share: float) -> None:
    assert_losses_are_exact(system, [*all_graphs(n)], drawn(reachable(system, n), share))


def acyclic_arcs(n: int) -> Iterator[list[tuple[int, int]]]:
    """The arcs of each acyclic graph over n words, without those from ROOT, which are in no cycle."""
    pairs = [(head, word) for word in range(1, n + 1) for head in range(1, n + 1) if head != word]

    def grow(arcs: list[tuple[int, int]], rest: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        if not rest:
            yield arcs
            return
        yield from grow(arcs, rest[1:])
        if DependencyGraph(["w"] * n, [*arcs, rest[0]]).is_acyclic:
            yield from grow([*arcs, rest[0]], rest[1:])

    return grow([], pairs)


def test_there_are_as_many_acyclic_graphs_as_counted() -> None:
    assert [sum(1 for _ in acyclic_arcs(n)) for n in range(1, 5)] == [1, 3, 25, 543]  # OEIS A003024


@pytest.mark.parametrize(
    "system",
    variants_slow(
        system
        for system in WITH_LOSS
        if (system.acyclic or system.planar_only) and not isinstance(system, EmptyNodeGraph)  # there are no places
    ),
    ids=repr,
)
@pytest.mark.parametrize(("of_graphs", "of_configurations"), [(0.03, 0.03), slow(1, 0.05), at_length(1, 1)])
def test_losses_are_exact_for_acyclic_graphs_of_four_words(
    system: GraphSystem, of_graphs: float, of_configurations: float
) -> None:
    graphs = [*drawn((DependencyGraph(list("abcd"), arcs) for arcs in acyclic_arcs(4)), of_graphs)]
    without_root = (cfg for cfg in reachable(system, 4) if all(head for head, _ in cfg.arcs))
    assert_losses_are_exact(system, graphs, drawn(without_root, of_configurations))


@EVERY_SYSTEM
@pytest.mark.parametrize("n", [2])
def test_oracles_are_exact(system: GraphSystem, n: int) -> None:
    assert check_system(system, n) > 0


@EVERY_LOSS
def test_dynamic_oracles_and_costs_are_those_of_exhaustive_search(system: GraphSystem) -> None:
    rng, graphs = Random(1), [*all_graphs(3)]
    for cfg in drawn(reachable(system, 3), 0.02):
        if not cfg.is_final:
            graph = rng.choice(graphs)
            assert {*dynamic_oracle(cfg, graph, typed)} == {*exhaustive_oracle(cfg, graph, typed)}
            for transition in cfg.possible_transitions():
                expected = exhaustive_loss(transition(cfg), graph) - exhaustive_loss(cfg, graph)
                assert cost(transition, cfg, graph) == expected


@attrs.frozen(repr=False)
class WithPlaces(EmptyNodeGraph):
    """The system over given words and places, whatever the sentence."""

    ids: tuple[str, ...] = attrs.field(kw_only=True)

    def initial(self, source: Any) -> Any:
        return super().initial(next(iter(self.structures(1))) if isinstance(source, list) else source)

    def structures(self, n: int) -> Iterator[DependencyGraph]:
        nodes = [Token(id_, id=id_ if "." in id_ else int(id_)) for id_ in self.ids]
        return (DependencyGraph(nodes, [arc[:2] for arc in graph.arcs]) for graph in all_graphs(len(nodes)))


PLACES = [("1", "1.1"), ("1", "1.1", "1.2"), ("1", "1.1", "2"), ("1", "2", "2.1")]
OPTIONS = [{}, {"acyclic": True}, {"empty_means_unknown": True}, {"acyclic": True, "empty_means_unknown": True}]


@pytest.mark.parametrize("options", [OPTIONS[0], *map(slow, OPTIONS[1:])], ids=repr)
@pytest.mark.parametrize("ids", PLACES, ids=",".join)
@pytest.mark.parametrize("share", [0.02, slow(0.3), at_length(1)])
def test_losses_and_oracles_are_exact_where_empty_nodes_are_made(
    ids: tuple[str, ...], share: float, options: Any
) -> None:
    system: Any = WithPlaces(ids=ids, **options)
    if len(ids) == 2:
        assert check_system(system, 1) == 16 * sum(not cfg.is_final for cfg in reachable(system, 1))
        return
    rng, graphs = Random(1), [*system.structures(1)]
    for cfg in drawn(reachable(system, 1), share):
        for graph in rng.sample(graphs, round(share * len(graphs))):
            assert loss(cfg, graph) == exhaustive_loss(cfg, graph), (cfg, graph)
            assert cfg.is_final or {*dynamic_oracle(cfg, graph)} == {*exhaustive_oracle(cfg, graph)}, (cfg, graph)
    for graph in drawn(graphs, share):
        for oracle in ("static", "nondeterministic"):
            steps = [*Oracle(system, oracle)(graph, lambda cfg, possible, gold: rng.choice(gold)).steps()]
            assert bool(steps) == (system.obstacle(graph) is None)
            assert not steps or not system.wrong_arcs(steps[-1].taken(steps[-1].config).heads, graph)


def test_empty_nodes_are_made_in_places_and_nowhere_else() -> None:
    system, source = EmptyNodeGraph(), DependencyGraph(["She", "sings"], []).with_places(2)
    cfg = AddNode()(system.initial(source))
    assert (cfg.buffer, [node.id for node in cfg.graph()]) == ((1, 2, 4), [1, "1.1", 2])
    cfg = AddNode()(cfg)
    assert (AddNode().is_possible(cfg), system.initial(["She"]).is_possible(AddNode())) == (False, False)
    early = DependencyGraph([Token("_", id="0.1"), "Sing"], [(2, 1)])
    assert system.obstacle(early) == "EmptyNodeGraph() makes no empty node before the first word, and the graph has one"
    assert loss(system.initial(early), early) == exhaustive_loss(system.initial(early), early) == 2
    places = GRAPH.with_places(2)
    *_, step = Oracle(system, "static", typed)(places).steps()
    assert step.taken(step.config).graph() == GRAPH
    assert "gives up: 2 → 1" in str(explain(Shift(), Shift()(system.initial(GRAPH)), GRAPH))


@EVERY_SYSTEM
@pytest.mark.parametrize("oracle", ["static", "nondeterministic"])
def test_gold_transitions_lead_to_the_gold_graph(system: GraphSystem, oracle: str) -> None:
    if oracle not in system.oracles.names:
        return
    rng = Random(1)
    for graph in [*all_graphs(3), GRAPH]:
        sequence = Oracle(system, oracle, typed)(graph, lambda cfg, possible, gold: rng.choice(gold))
        cfg = system.initial(graph)
        for step in sequence.steps():
            cfg = step.taken(cfg)
        assert bool(sequence) == (system.obstacle(graph) is None)
        assert not sequence or system.empty_means_unknown or cfg.graph() == graph


@EVERY_SYSTEM
def test_all_graphs_are_reachable_but_those_with_an_obstacle(system: GraphSystem) -> None:
    expected = {graph.heads for graph in all_graphs(2) if system.obstacle(graph) is None}
    assert reachable_heads(system.initial(["w1", "w2"])) == expected


def test_crossing_arcs_are_an_obstacle_where_arcs_are_built_over_a_stack() -> None:
    crossing = DependencyGraph(list("abcd"), [(1, 3), (4, 2)])
    assert ArcEagerGraph().obstacle(crossing) == (
        "ArcEagerGraph() builds graphs without crossing arcs only, and 1 → 3 crosses 4 → 2"
    )
    assert loss(ArcEagerGraph().initial(crossing), crossing) == 1


def test_several_losses_can_depend_on_one_arc() -> None:
    # 2 → 1 and 4 → 3 close two cycles with arcs to come, 1 → 5 → 2 and 3 → 5 → 4; 1 → 5 → 4 → 3 → 5 is a third.
    gold = DependencyGraph(list("abcde"), [(1, 5), (5, 2), (3, 5), (5, 4)])
    cfg = ListBasedGraph(acyclic=True).initial(gold)
    for transition in (Shift(), LeftArc(), Shift(), Shift(), LeftArc(), Shift()):
        cfg = transition(cfg)
    assert cfg.arcs == ((2, 1), (4, 3))
    assert loss(cfg, gold) == exhaustive_loss(cfg, gold) == 4


@pytest.mark.parametrize("system", [registered.example for registered in GRAPH_REGISTRY.values()], ids=repr)
def test_configurations_are_values(system: GraphSystem) -> None:
    for cfg in islice(reachable(system, 2), 20):
        assert loads(dumps(cfg)) == cfg
        assert hash(loads(dumps(cfg))) == hash(cfg)
        assert "<svg" in cfg._repr_html_()


def test_derivations_are_those_that_add_the_arcs_and_no_others() -> None:
    graph = DependencyGraph(["a", "b"], [(2, 1), (1, 2)])
    found = [*derivations(ListBasedGraph(), graph)]
    assert len(found) == count_derivations(ListBasedGraph(), graph) == 12
    assert count_derivations(PointerGraph(), graph) == 1


def test_what_a_transition_costs_is_explained() -> None:
    graph = DependencyGraph(["She", "sings", "dances"], [(0, 1), (2, 1), (3, 1), (2, 3)])
    sequence: Any = Oracle(ArcEagerGraph(), "dynamic")(graph)
    table = derivation_table(sequence, arcs=True, costs=True).text()
    assert "sings → She" in table
    assert "?" not in table
    cfg = Shift()(ArcEagerGraph().initial(graph))
    assert str(explain(Shift(), cfg, graph)).splitlines()[:2] == ["Shift() costs 1", "gives up: 2 → 1"]


@pytest.mark.parametrize("system", [registered.example for registered in GRAPH_REGISTRY.values()], ids=repr)
def test_walks_of_the_explorer_go_over_graphs(system: GraphSystem) -> None:
    if system.oracles.loss is not None:
        found = walk(Setting(system, "dynamic", GRAPH)).to_the_end()
        assert found.loss == loss(found.cfg, GRAPH)
        assert state_of(found)["final"]


def features(cfg: Any) -> list[str]:
    pair = cfg.list1[-1:] + cfg.buffer[:1]
    return [f"{pair} {pair in cfg.label_of} {pair[::-1] in cfg.label_of}"]


@pytest.mark.parametrize("system", [ListBasedGraph(), ListBasedGraph(acyclic=True)], ids=repr)
@pytest.mark.parametrize("global_", [False, True])
def test_strategies_and_beams_learn_graphs(system: GraphSystem, global_: bool) -> None:
    graph = DependencyGraph(["She", "sings", "dances"], [(2, 1, "a"), (3, 1, "b"), (0, 2, "r"), (2, 3, "c")])
    model = Perceptron(features, system.transition_space(["a", "b", "c", "r"]))
    ranking = Ranking(system, model, ("a", "b", "c", "r"))
    search = BeamSearch(ranking, 4, merge=True)
    oracle = Oracle(system, "dynamic", typed)
    strategy = (
        GlobalTraining(oracle, search, "max_violation")
        if global_
        else LocalTraining(oracle, ranking, ExplorationPolicy(k=1, p=0.5))
    )
    for epoch in range(1, 30):
        for update in strategy.at(epoch)(graph):
            model.update(update)
    assert search.best(graph).config.graph() == graph
    assert len({hypothesis.config.graph() for hypothesis in search.k_best(graph)}) > 1


def test_what_works_with_trees_only_refuses_systems_that_build_graphs() -> None:
    trees = [DependencyTree([(2, "Birds"), (0, "sing")])]
    for system in (ListBasedGraph(), "pointer-graph"):
        with pytest.raises(UnknownSystem, match="builds graphs, and a system that builds trees is needed here"):
            Parser.train(trees, system=system, epochs=1)


def test_oracles_of_graphs_refuse_trees() -> None:
    with pytest.raises(TypeError, match="tree is a gold graph, such as "):
        Oracle(ListBasedGraph(), "static")(DependencyTree([(0, "Sing")]))
