"""Derivations in lock step are those of the functional layer, in every array, for every system."""

from random import Random
from typing import Any

import numpy as np
import pytest

from deptrees import Columns, DependencyGraph, DependencyTree, Token, random_projective_tree
from deptrees.engine import Derivations, StepwiseWarning, walk
from deptrees.features import Node, Templates
from deptrees.features.embeddings import Embeddings
from deptrees.features.values import View
from deptrees.search import Space
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    Constraints,
    EasyFirst,
    HammingLoss,
    IllegalTransition,
    ListBasedGraph,
    OracleNotDefined,
    System,
    cost,
    dynamic_oracle,
    typed,
)
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.systems.registry import GRAPH_REGISTRY, REGISTRY
from tests.engine.engine import LABELS, TEMPLATES, sentences
from tests.tiers import slow

SYSTEMS = [
    variant if number == 0 else slow(variant)
    for registered in REGISTRY.values()
    for number, variant in enumerate(dict.fromkeys([registered.example, *registered.variants]))
]
NODES = [Node.read(node) for node in ("s0", "b0", "s1", "b1.left", "s0.right2.head", "s0.beyond", "s3", "b0.left.left")]

NUMBERS: dict[str | None, int] = {None: -1, "root": -1, **{label: number for number, label in enumerate(LABELS)}}
"""Of labels; systems without ROOT give the label of its dependent themselves."""

DTYPES = {
    **dict.fromkeys(("possible", "gold"), "bool"),
    **dict.fromkeys(("costs", "gold labels"), "int32"),
    **dict.fromkeys(("dependents", "positions", "features", "labels at"), "int64"),
}


class Configurations:
    """What derivations should answer, from configurations in a list."""

    def __init__(self, system: System, trees: list[DependencyTree], labeled: bool) -> None:
        self.trees, self.labeled = [*trees], labeled
        self.space = Space(system.transition_space(LABELS if labeled else ()))
        self.all: list[Any] = [system.initial(tree) for tree in trees]

    def going(self) -> list[int]:
        return [number for number, cfg in enumerate(self.all) if not cfg.is_final]

    def row(self, cfg: Any, blocks: int, answers: dict[Any, Any], otherwise: Any) -> list[Any]:
        row = [otherwise] * (blocks * len(self.space))
        for transition, answer in answers.items():
            for column in self.space.columns(transition):
                row[column] = answer
        return row

    def compare(self, derivations: Derivations) -> None:
        """Make sure that every array is what it should be."""
        assert derivations.going.tolist() == self.going()
        assert derivations.is_final.tolist() == [cfg.is_final for cfg in self.all]
        configurations = [self.all[number] for number in self.going()]
        possible = [cfg.possible_transitions() for cfg in configurations]
        blocks = max(map(self.space.blocks, possible), default=1)
        found = {
            "possible": derivations.possible(),
            "dependents": derivations.dependents(),
            "gold labels": derivations.gold_labels(),
            "positions": derivations.positions(),
            "features": derivations.features(),
            "labels at": derivations.labels_at(derivations.positions()),
            "costs": derivations.costs(),
            "gold": derivations.gold(),
        }
        assert {name: str(array.dtype) for name, array in found.items()} == DTYPES
        for row, (number, cfg, moves) in enumerate(zip(self.going(), configurations, possible, strict=True)):
            tree = self.trees[number]
            views = [View(cfg, k + 1, TEMPLATES.clusters) for k in range(blocks)]
            own = self.space.blocks(moves)
            positions = [view.position(node) for view in views[:own] for node in NODES] + [-1] * len(NODES) * (
                blocks - own
            )
            features = [found >> 1 for k in range(own) for found in TEMPLATES.hashes(cfg, k=k + 1)]
            words = {one: cfg.dependent(one) for one in moves}
            of_words = {one: -1 if word is None else NUMBERS[tree[word].label] for one, word in words.items()}
            gold = dynamic_oracle(cfg, tree, typed)
            expected = {
                "possible": self.row(cfg, blocks, dict.fromkeys(moves, True), False),
                "dependents": self.row(cfg, blocks, {one: -1 if w is None else w for one, w in words.items()}, -1),
                "gold labels": self.row(cfg, blocks, of_words, -1),
                "positions": positions,
                "features": features + [0] * len(TEMPLATES) * (blocks - own),
                "labels at": [NUMBERS[cfg.labels[at - 1]] if at > 0 else -1 for at in positions],
                "costs": self.row(cfg, blocks, {one: cost(one, cfg, tree) for one in moves}, -1),
                "gold": self.row(cfg, blocks, dict.fromkeys(gold, True), False),
            }
            for name, answer in expected.items():
                assert found[name][row].tolist() == answer, (name, cfg)
        heads, labels = derivations.arcs()
        assert heads.tolist() == [-1 if head is None else head for cfg in self.all for head in cfg.heads]
        assert labels.tolist() == [NUMBERS[label] for cfg in self.all for label in cfg.labels]
        if all(cfg.is_final for cfg in self.all):
            assert [tree.heads for tree in derivations.trees()] == [cfg.tree().heads for cfg in self.all]

    def take(self, transitions: list[int], labels: list[int]) -> None:
        for number, column, label in zip(self.going(), transitions, labels, strict=True):
            transition: Any = self.space.transition(column)
            if not self.labeled and label >= 0 and self.all[number].dependent(transition) is not None:
                transition = type(transition)(LABELS[label], k=transition.k)
            self.all[number] = self.all[number].take(transition)


@pytest.mark.parametrize("labeled", [False, True])
@pytest.mark.parametrize(("count", "longest"), [(3, 5), slow(6, 6)])
@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_every_array_is_that_of_the_functional_layer(system: System, count: int, longest: int, labeled: bool) -> None:
    trees = sentences(count, 1, longest)
    trees = [tree for tree in trees if system.oracles.take_any_tree or system.obstacle(tree) is None]
    rng = Random(1)
    derivations = Derivations.open(trees, system, nodes=NODES, templates=TEMPLATES, labels=LABELS, labeled=labeled)
    expected = Configurations(system, trees, labeled)
    while derivations:
        expected.compare(derivations)
        chosen = [rng.choice(np.flatnonzero(row).tolist()) for row in derivations.possible()]
        labels = [rng.randrange(-1, len(LABELS)) for _ in chosen]
        derivations.take(chosen, None if labeled else labels)
        expected.take(chosen, labels)
        if rng.random() < 0.2:
            kept = rng.choices(range(len(derivations)), k=rng.randint(1, count + 1))
            derivations.keep(kept)
            expected.all = [expected.all[number] for number in kept]
            expected.trees = [expected.trees[number] for number in kept]
        elif rng.random() < 0.1:
            derivations.restart([1 % len(trees)], [0])
            expected.all[0] = system.initial(trees[1 % len(trees)])
            expected.trees[0] = trees[1 % len(trees)]
    expected.compare(derivations)

    derivations.restart([0, 0])
    expected.trees = [trees[0]] * 2
    expected.all = [system.initial(tree) for tree in expected.trees]
    expected.compare(derivations)


LOSSES = [
    HammingLoss(),
    HammingLoss(labeled=True),
    HammingLoss(lambda token: len(token.form), labeled=True),
    HammingLoss(lambda token: token.label == "a"),
]


@pytest.mark.filterwarnings("ignore::deptrees.engine.StepwiseWarning")
@pytest.mark.parametrize("labeled", [False, True])
@pytest.mark.parametrize("loss", LOSSES, ids=["plain", "labels", "weights and labels", "weights"])
@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_costs_with_weights_and_labels_are_those_of_the_loss(system: System, loss: HammingLoss, labeled: bool) -> None:
    trees, rng = sentences(3, 2, 5), Random(1)
    # A label that no transition has is wrong, too.
    known = LABELS[:2]
    derivations = Derivations.open(trees, system, labels=known, labeled=labeled, cost=loss.cost)
    space = Space(system.transition_space(known if labeled else ()))
    configurations: list[Any] = [system.initial(tree) for tree in trees]
    while derivations:
        costs, possible = derivations.costs(), derivations.possible()
        assert (costs[~possible] == -1).all()
        chosen = [rng.choice(np.flatnonzero(row).tolist()) for row in possible]
        labels = [rng.randrange(-1, len(known)) for _ in chosen]
        for row, number, column, label in zip(costs, derivations.going, chosen, labels, strict=True):
            cfg = configurations[number]
            for transition in cfg.possible_transitions():
                for of_label in space.columns(transition).tolist():
                    expected = loss.cost(space.transition(of_label), cfg, trees[number])
                    assert row[of_label] == expected, (space.transition(of_label), cfg, trees[number])
            taken: Any = space.transition(column)
            if not labeled and label >= 0 and cfg.dependent(taken) is not None:
                taken = type(taken)(known[label], k=taken.k)
            configurations[number] = cfg.take(taken)
        derivations.take(chosen, None if labeled else labels)


def test_the_engine_counts_labels_and_says_that_it_does_not_weigh_words() -> None:
    trees = sentences(3, 2, 5)
    for loss in HammingLoss(), HammingLoss(labeled=True):
        assert type(Derivations.open(trees, ArcHybrid(), cost=loss.cost)).__name__ == "CompiledDerivations"
    with pytest.warns(StepwiseWarning, match=r"HammingLoss.cost has no compiled form"):
        Derivations.open(trees, ArcHybrid(), cost=LOSSES[2].cost)
    with pytest.raises(TypeError, match=r"is no function that tells costs, as HammingLoss\(labeled=True\).cost is"):
        Derivations.open(trees, ArcHybrid(), cost=LOSSES[2])  # type: ignore[arg-type]


TREES = [DependencyTree([(2, "Birds", "a"), (0, "sing", "b")]), DependencyTree([(0, "Sing", "b")])]


@pytest.mark.parametrize("system", [ArcHybrid(), EasyFirst()], ids=repr)
def test_what_is_not_there_is_an_error(system: System) -> None:
    derivations = Derivations.open(TREES, system, labels=LABELS)
    for wrong in (0, 99, -1):
        with pytest.raises(IllegalTransition, match="is not possible in derivation 1"):
            derivations.take([int(derivations.possible()[0].argmax()), wrong])
    assert not derivations.is_final.any()
    with pytest.raises(ValueError, match="2 derivations are not final: give as many"):
        derivations.take([0])
    for call, message in (
        (lambda: derivations.take([2, 2], [0, 3]), "no label 3: there are 3"),
        (lambda: derivations.restart([0], [2]), "no derivation 2: there are 2"),
        (lambda: derivations.restart([2], [0]), "no sentence 2: there are 2"),
        (lambda: derivations.keep([-1]), "no derivation -1: there are 2"),
        (lambda: Derivations.open(TREES, system, sentences=[5]), "no sentence 5: there are 2"),
    ):
        with pytest.raises(IndexError, match=message):
            call()
    with pytest.raises(ValueError, match="without an oracle"):
        Derivations.open(TREES, system, oracle=None).gold()
    with pytest.raises(OracleNotDefined, match="no static_lazy_swap oracle"):
        Derivations.open(TREES, system, oracle="static_lazy_swap")


@pytest.mark.parametrize("oracle", ["static", "nondeterministic", "static_prefer_shift"])
def test_oracles_lead_to_the_gold_trees(oracle: str) -> None:
    trees = [tree for tree in sentences(20, 3) if ArcEager().obstacle(tree) is None and None not in tree.heads]
    derivations = Derivations.open(trees, ArcEager(), oracle=oracle, labeled=True)
    while derivations:
        gold = derivations.gold()
        if oracle != "nondeterministic":
            labels = derivations.gold_labels()[gold]
            assert (gold.sum(axis=1) == 1).all() or (labels < 0).any()
        derivations.take(gold.argmax(axis=1))
    for tree, found in zip(trees, derivations.trees(), strict=True):
        assert found.heads == tree.heads
        assert all(label in (None, other) for label, other in zip(tree.labels, found.labels, strict=True))


GRAPHS = [
    DependencyGraph(["She", "sings"], [(0, 2, "b"), (2, 1, "a"), (2, 1, "b")]),
    DependencyGraph(["Sing", Token("sing", id="1.1"), "it"], [(0, 1, "b"), (1, 2, "a"), (2, 3, "a"), (1, 3, "a")]),
]


@pytest.mark.parametrize("labeled", [False, True])
@pytest.mark.parametrize("system", [registered.example for registered in GRAPH_REGISTRY.values()], ids=repr)
def test_graphs_are_built_in_lock_step_as_in_the_functional_layer(system: System, labeled: bool) -> None:
    rng, oracle = Random(1), "dynamic" if system.oracles.loss else "static"
    trees = [DependencyTree([(None, it.form) for it in graph if isinstance(it.id, int)]) for graph in GRAPHS]
    given = [tree.with_graph(graph) for tree, graph in zip(trees, GRAPHS, strict=True)]
    derivations = Derivations.open(given, system, oracle=oracle, labeled=labeled, nodes=NODES[:2])
    assert derivations.labels == ("a", "a|b", "b")
    expected: list[Any] = list(map(system.initial, GRAPHS))
    while derivations:
        going = [(number, cfg) for number, cfg in enumerate(expected) if not cfg.is_final]
        assert derivations.going.tolist() == [number for number, _ in going]
        labels, space = derivations.gold_labels(), derivations.space
        gold, dependents, chosen = derivations.gold(), derivations.dependents(), []
        for row, (number, cfg) in enumerate(going):
            answer = BY_NAME[oracle](cfg, GRAPHS[number], typed)
            assert np.flatnonzero(gold[row]).tolist() == space.columns(answer).tolist()
            assert derivations.positions()[row, :2].tolist() == [View(cfg, 1).position(node) for node in NODES[:2]]
            for transition in cfg.possible_transitions():
                [*columns] = space.columns(transition)
                token = cfg.gold_token(transition, GRAPHS[number])
                assert {*dependents[row, columns]} == {-1 if token is None else cfg.added(transition)[1]}
                assert (
                    token is None
                    or {*labels[row, columns]} == {derivations.labels.index(token.label or "a")}
                    or (token.label is None and {*labels[row, columns]} == {-1})
                )
            chosen.append(rng.choice(np.flatnonzero(gold[row]).tolist()))
            taken: Any = space.transition(chosen[-1])
            label = labels[row, chosen[-1]]
            if not labeled and label >= 0:
                taken = type(taken)(derivations.labels[label], k=taken.k)
            expected[number] = taken(cfg)
        derivations.take(chosen, None if labeled else labels[np.arange(len(chosen)), chosen])
    assert derivations.trees() == [cfg.graph() for cfg in expected]
    assert system.obstacle(GRAPHS[1]) is not None or derivations.trees()[1] == GRAPHS[1]
    for call in (derivations.arcs, lambda: derivations.labels_at(np.zeros((0, 1), np.int64))):
        with pytest.raises(TypeError, match="builds graphs, in which words have several"):
            call()


def test_what_is_about_trees_is_refused_where_graphs_are_built() -> None:
    with pytest.raises(TypeError, match="there are no graphs: give graphs, or trees with DEPS"):
        Derivations.open(Columns.encode(TREES), "list-based-graph")
    with pytest.raises(ValueError, match="builds graphs, and constraints are about trees"):
        Derivations.open(GRAPHS, "list-based-graph", constraints=[Constraints(), Constraints()])


def test_walks_leave_out_graphs_that_cannot_be_built() -> None:
    cyclic = DependencyGraph(["Round", "and"], [(1, 2), (2, 1)])
    steps = [*walk([cyclic, GRAPHS[0]], ListBasedGraph(acyclic=True), oracle="static")]
    assert {*np.concatenate([derivations.sentences for derivations, _ in steps]).tolist()} == {1}
    assert steps[-1][0].trees() == [GRAPHS[0]]


def test_constraints_narrow_what_is_possible() -> None:
    derivations = Derivations.open(
        TREES, ArcEager(), oracle=None, constraints=[Constraints(heads={1: 0}), Constraints()]
    )
    while derivations:
        derivations.take(derivations.possible().argmax(axis=1))
    assert derivations.trees()[0].heads[0] == 0


def test_no_sentences_are_no_derivations() -> None:
    derivations = Derivations.open([], ArcEager())
    assert (len(derivations), bool(derivations), derivations.trees()) == (0, False, [])
    assert derivations.possible().shape == (0, 4)
    empty = Derivations.open([DependencyTree([]), *TREES], ArcHybrid())
    assert empty.going.tolist() == [1, 2]


def test_long_sentences_are_gone_through_and_copied() -> None:
    rng = Random(5)
    trees = [random_projective_tree(n, rng) for n in (64, 130, 3)]
    derivations = Derivations.open(trees, ArcHybrid(), nodes=["s0", "b0"], templates=TEMPLATES)
    derivations.keep([0, 1, 2, 1, 1])
    while derivations:
        derivations.take(derivations.gold().argmax(axis=1))
    assert [tree.heads for tree in derivations.trees()] == [trees[number].heads for number in (0, 1, 2, 1, 1)]


def test_features_with_values_have_no_place_in_arrays() -> None:
    embedded = Templates(["s0.embedding"], embeddings=Embeddings(["sing"], [[0.5, 1]]))
    with pytest.raises(ValueError, match=r"leave out the template 's0.embedding'"):
        Derivations.open(TREES, ArcHybrid(), templates=embedded)


@pytest.mark.parametrize("system", [ArcHybrid(), EasyFirst()], ids=repr)
def test_arrays_stay_as_they_are_when_derivations_go_on(system: System) -> None:
    derivations = Derivations.open(TREES, system, nodes=["s0"])
    kept = [derivations.sentences, derivations.going, derivations.possible(), derivations.positions()]
    before = [array.tolist() for array in kept]
    derivations.take(derivations.gold().argmax(axis=1))
    derivations.restart([1], [0])
    assert derivations.sentences.tolist() == [1, 1]
    assert [array.tolist() for array in kept] == before


def test_derivations_stay_as_they_are_when_an_array_of_sentences_changes() -> None:
    wanted = np.array([0, 1])
    derivations = Derivations.open(TREES, ArcHybrid(), sentences=wanted)
    wanted[0] = 1
    assert derivations.sentences.tolist() == [0, 1]
