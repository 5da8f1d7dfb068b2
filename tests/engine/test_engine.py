"""States, possible transitions, costs, oracles and features of the engine are those of the functional layer."""

from random import Random
from typing import Any

import attrs
import numpy as np
import pytest

from deptrees import Treebank, random_projective_tree
from deptrees.engine import batches
from deptrees.features import Templates
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    Oracle,
    StackBufferSystem,
    cost,
    dynamic_oracle,
    static_dynamic_oracle,
    static_oracle_lazy_swap,
)
from deptrees.transition.labels import typed
from deptrees.transition.losses.loss import Loss
from deptrees.transition.losses.tabular import TabularLoss
from deptrees.transition.table import S0, S1, Condition, before, gold
from deptrees.treebanks.columns import Columns
from tests.engine.engine import DEPTH, LABELS, TEMPLATES, derivations, sentences, walks
from tests.gold_trees import TREEBANKS, needs_treebanks
from tests.tiers import slow, variants_slow
from tests.transition.configurations import ATTARDI_SYSTEMS, SWAP_SYSTEMS, SYSTEMS, random_tree

SEARCHED = SWAP_SYSTEMS + ATTARDI_SYSTEMS
"""Systems whose costs are found by search."""
TABLES = [system for system in SYSTEMS if not system.has_any_k]
EVERY_SYSTEM = pytest.mark.parametrize("system", [*TABLES, *SEARCHED], ids=repr)


@EVERY_SYSTEM
@pytest.mark.parametrize("count", [12, slow(60)])
def test_configurations_and_possible_transitions_are_those_of_the_functional_layer(
    system: StackBufferSystem, count: int
) -> None:
    for walk in walks(system, sentences(count, 1, 15), 2):
        assert walk.engine.is_final == walk.cfg.is_final
        if not walk.cfg.is_final:
            assert walk.engine.stack == walk.cfg.stack[-DEPTH:]
            assert walk.engine.buffer == walk.cfg.buffer[:DEPTH]
            assert walk.engine.possible() == walk.bits(walk.cfg.possible_transitions())
            assert tuple(None if head < 0 else head for head in walk.engine.heads) == walk.cfg.heads
            labels = tuple(None if label < 0 else LABELS[label] for label in walk.engine.labels)
            assert labels == walk.cfg.labels


@EVERY_SYSTEM
@pytest.mark.parametrize("astray", [1.0, 0.1])
@pytest.mark.parametrize("count", [6, slow(30)])
def test_costs_are_those_of_the_functional_layer(system: StackBufferSystem, astray: float, count: int) -> None:
    for walk in walks(system, sentences(count, 3, 5 if system in SEARCHED else 9), 4, astray):
        if not walk.cfg.is_final:
            costs = {row: cost(walk.rows[row], walk.cfg, walk.tree) for row in walk.engine.costs()}
            assert walk.engine.costs() == costs
            assert walk.engine.gold("dynamic") == sum(1 << row for row, lost in costs.items() if lost == 0)


@EVERY_SYSTEM
@pytest.mark.parametrize("name", ["static", "static_prefer_shift", "nondeterministic", "dynamic"])
@pytest.mark.parametrize("count", [6, slow(30)])
def test_oracles_are_those_of_the_functional_layer(system: StackBufferSystem, name: str, count: int) -> None:
    oracle = getattr(system.oracles, name)
    if oracle is None:
        pytest.skip("the system has no such oracle")
    for walk in walks(system, sentences(count, 5, 5 if system in SEARCHED else 9), 6):
        if not walk.cfg.is_final:
            assert walk.engine.gold(name) == walk.bits(oracle(walk.cfg, walk.tree, typed))


@pytest.mark.parametrize("system", variants_slow(TABLES), ids=repr)
def test_costs_in_long_sentences_are_those_of_the_functional_layer(system: StackBufferSystem) -> None:
    for walk in walks(system, sentences(6, 9, 40), 10):
        if not walk.cfg.is_final:
            assert walk.engine.costs() == {
                row: cost(walk.rows[row], walk.cfg, walk.tree) for row in walk.engine.costs()
            }


@pytest.mark.parametrize("system", [ArcStandardSwap(), ArcStandardSwap(root="last")], ids=repr)
def test_lazy_oracles_are_those_of_the_functional_layer(system: StackBufferSystem) -> None:
    trees = [random_tree(7, Random(seed)) for seed in range(20)]
    columns = Columns.encode(trees)
    taken = np.concatenate(
        [batch.taken for batch in batches(columns, system, Templates([]), oracle="static_lazy_swap")]
    )
    space = system.transition_space()
    expected = [t for tree in trees for _, t in Oracle(system, static_oracle_lazy_swap)(tree)]
    assert [space[row] for row in taken] == expected


def losing_where(asked: Condition) -> StackBufferSystem:
    """Arc-hybrid, whose table loses arcs only where a condition holds."""

    class Conditional(StackBufferSystem):
        projective_only = True
        final = ArcHybrid.final
        rows = tuple(
            attrs.evolve(
                row,
                when=(*row.when, before(S1, S0) | ~before(S1, S0)),
                loses=[attrs.evolve(lost, when=(asked,)) for lost in row.loses or ()],
            )
            for row in ArcHybrid.rows
        )

        def loss(self) -> Loss:
            return TabularLoss(ArcHybrid.rows)

    return Conditional()


@pytest.mark.parametrize("asked", [before(S1, S0), gold(S1, S0)], ids=str)
def test_what_is_lost_may_depend_on_any_conditions(asked: Condition) -> None:
    for walk in walks(losing_where(asked), sentences(30, 12), 13, 0.5):
        if not walk.cfg.is_final:
            plain = {row: cost(walk.rows[row], walk.cfg, walk.tree) for row in walk.engine.costs()}
            assert walk.engine.costs() == plain
            for name in ("static", "nondeterministic", "dynamic"):
                assert walk.engine.gold(name) == walk.bits(getattr(walk.cfg.oracles, name)(walk.cfg, walk.tree, typed))


@pytest.mark.parametrize("system", [ArcHybridSwap(), ArcHybridSwap(single_root=True)], ids=repr)
@pytest.mark.parametrize("count", [40, slow(400)])
def test_the_static_dynamic_oracle_is_that_of_the_functional_layer(system: StackBufferSystem, count: int) -> None:
    trees, rng = sentences(count, 11), Random(11)
    engine, walking = derivations(system, trees, oracle="static_dynamic"), [system.initial(tree) for tree in trees]
    rows = system.transition_space()
    while going := [number for number, cfg in enumerate(walking) if not cfg.is_final]:
        gold = [static_dynamic_oracle(walking[number], trees[number]) for number in going]
        assert engine.gold("static_dynamic").tolist() == [[row in named for row in rows] for named in gold]
        taken = []
        for number, named in zip(going, gold, strict=True):
            taken.append(rng.choice(named if rng.random() < 0.7 else walking[number].possible_transitions()))
            walking[number] = taken[-1](walking[number])
        engine.take(np.array([rows.index(t) for t in taken]), np.full(len(taken), -1, np.int32))


@EVERY_SYSTEM
@pytest.mark.parametrize("count", [2, slow(12)])
def test_features_are_those_of_the_functional_layer(system: StackBufferSystem, count: int) -> None:
    for walk in walks(system, sentences(count, 7), 8):
        if not walk.cfg.is_final:
            assert walk.engine.features() == TEMPLATES.hashes(walk.cfg)


@needs_treebanks
@pytest.mark.parametrize("system", [ArcEager(), ArcHybrid(), ArcEager(root="last"), ArcStandard()], ids=repr)
def test_dynamic_oracles_on_a_treebank_are_those_of_the_functional_layer(system: StackBufferSystem) -> None:
    assert TREEBANKS is not None
    trees = [tree for tree in Treebank(TREEBANKS / "grc_proiel-dev.conllu") if len(tree) < 30][:200]
    steps = iter(
        (gold, taken)
        for batch in batches(Columns.encode(trees), system, Templates([]), oracle="dynamic", exploration=0.2, seed=5)
        for gold, taken in zip(batch.gold, batch.taken, strict=True)
    )
    space = system.transition_space()
    for tree in trees:
        cfg: Any = system.initial(tree)
        while not cfg.is_final:
            gold, taken = next(steps)
            assert tuple(t for t, is_gold in zip(space, gold, strict=True) if is_gold) == dynamic_oracle(cfg, tree)
            cfg = space[taken](cfg)
    assert next(steps, None) is None


@pytest.mark.parametrize("system", variants_slow(TABLES), ids=repr)
@pytest.mark.parametrize("lengths", [(64,), slow((62, 63, 64, 65, 127, 128, 130))], ids=["64", "62 to 130"])
def test_sentences_whose_sets_take_several_words_of_memory(system: StackBufferSystem, lengths: tuple[int, ...]) -> None:
    rng = Random(11)
    trees = [random_projective_tree(n, rng) for n in lengths]
    for walk in walks(system, trees, 12, 0.1):
        assert walk.engine.is_final == walk.cfg.is_final
        if not walk.cfg.is_final:
            assert walk.engine.stack == walk.cfg.stack[-DEPTH:]
            assert walk.engine.possible() == walk.bits(walk.cfg.possible_transitions())
            if rng.random() < 0.1:
                assert walk.engine.costs() == {
                    row: cost(walk.rows[row], walk.cfg, walk.tree) for row in walk.engine.costs()
                }
