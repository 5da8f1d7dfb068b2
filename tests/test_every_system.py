"""What is true of every system: checked by enumeration, for those that are no projective tables of their own.

`tests.test_systems` says more of the others.
"""

from itertools import islice
from random import Random

import pytest

from deptrees import DependencyTree, Treebank, all_trees, projective_trees
from deptrees.engine import Columns, Trainer
from deptrees.transition import (
    ArcHybridSwap,
    ArcStandardSwap,
    Attardi,
    EasyFirst,
    ListBasedNonProjective,
    ListBasedProjective,
    LRSpines,
    Oracle,
    System,
    cost,
    dynamic_oracle,
    nondeterministic_oracle,
    reachable,
    static_oracle,
    static_oracle_lazy_swap,
)
from tests.configurations import PROJECTIVE_SYSTEMS, SINGLE_ROOT_SYSTEMS, Losses, partial_trees
from tests.conftest import Compared
from tests.treebanks import TREEBANKS, needs_treebanks

PROJECTIVE: list[System] = [
    kind(single_root=single_root) for kind in (EasyFirst, LRSpines) for single_root in (False, True)
]
ALL_TREES: list[System] = [
    ArcStandardSwap(),
    ArcStandardSwap(root="last"),
    ArcStandardSwap(single_root=True),
    ArcStandardSwap(root="last", single_root=True),
    ArcHybridSwap(),
    ArcHybridSwap(single_root=True),
]
SOME_TREES: list[System] = [
    Attardi(),
    Attardi(root="last"),
    Attardi(single_root=True),
    Attardi(root="last", single_root=True),
    Attardi(1),
    Attardi(3),
]
FORESTS: list[System] = [ListBasedNonProjective(), ListBasedProjective()]
EVERY_SYSTEM = pytest.mark.parametrize("system", PROJECTIVE + ALL_TREES + SOME_TREES + FORESTS, ids=repr)
SIZES = [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)]


@EVERY_SYSTEM
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_there_are_no_dead_ends(system: System, n: int) -> None:
    for cfg in reachable(system, n):
        assert cfg.is_final or cfg.possible_transitions()


@pytest.mark.parametrize("system", PROJECTIVE + ALL_TREES, ids=repr)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_final_configurations_are_exactly_the_trees_that_the_system_is_for(system: System, n: int) -> None:
    trees = projective_trees(n) if system.projective_only else all_trees(n)
    expected = {tree.heads for tree in trees if len(tree.roots) == 1 or not system.has_single_root}
    assert {cfg.heads for cfg in reachable(system, n) if cfg.is_final} == expected


@pytest.mark.parametrize(("system", "counts"), [(Attardi(), [1, 3, 16, 117]), (Attardi(1), [1, 3, 12, 55])], ids=repr)
def test_number_of_trees_that_attardi_s_system_builds(system: System, counts: list[int]) -> None:
    for n, count in enumerate(counts, 1):
        built = {cfg.heads for cfg in reachable(system, n) if cfg.is_final}
        assert len(built) == count
        assert built == {tree.heads for tree in all_trees(n) if system.obstacle(tree) is None}


@pytest.mark.parametrize(
    ("system", "count"),
    [(Attardi(), 422), (ArcStandardSwap(), 1131), (ArcHybridSwap(), 1105), (EasyFirst(), 143), (LRSpines(), 183)],
    ids=repr,
)
def test_number_of_reachable_configurations_of_four_words(system: System, count: int) -> None:
    assert sum(1 for _ in reachable(system, 4)) == count


@EVERY_SYSTEM
@pytest.mark.parametrize("n", SIZES)
def test_oracles_agree_with_exhaustive_search_for_every_tree(system: System, n: int, compared: Compared) -> None:
    trees = list(partial_trees(n) if n < 4 else all_trees(n))
    losses = Losses(trees)
    for cfg in reachable(system, n):
        if cfg.is_final:
            continue
        after = [(transition, losses[transition(cfg)]) for transition in cfg.possible_transitions()]
        for index, tree in enumerate(trees):
            least = losses[cfg][index]
            best = tuple(transition for transition, left in after if left[index] == least)
            assert dynamic_oracle(cfg, tree) == best, (cfg, tree)
            if least == 0:
                assert nondeterministic_oracle(cfg, tree) == best, (cfg, tree)
            assert all(cost(transition, cfg, tree) == left[index] - least for transition, left in after), (cfg, tree)
        compared(len(trees))


@pytest.mark.slow
@EVERY_SYSTEM
def test_dynamic_oracles_agree_with_exhaustive_search_for_trees_of_five_words(
    system: System, compared: Compared
) -> None:
    rng = Random(5)
    trees = rng.sample(list(all_trees(5)), 100)
    losses = Losses(trees)
    configurations = [cfg for cfg in reachable(system, 5) if not cfg.is_final]
    for cfg in rng.sample(configurations, min(300, len(configurations))):
        after = [(transition, losses[transition(cfg)]) for transition in cfg.possible_transitions()]
        for index, tree in enumerate(trees):
            best = tuple(transition for transition, left in after if left[index] == losses[cfg][index])
            assert dynamic_oracle(cfg, tree) == best, (cfg, tree)
        compared(len(trees))


@EVERY_SYSTEM
@pytest.mark.parametrize("function", [static_oracle, nondeterministic_oracle, dynamic_oracle, static_oracle_lazy_swap])
def test_oracles_rebuild_every_tree_that_can_be_built(system: System, function: object) -> None:
    if function is static_oracle_lazy_swap and not system.oracles.static_lazy_swap:
        pytest.skip("the system has no such oracle")
    rebuilt = 0
    for tree in all_trees(4):
        if system.obstacle(tree) is None:
            assert _last(Oracle(system, function), tree) == tree.heads  # type: ignore[arg-type]
            rebuilt += 1
    assert rebuilt


def _last(oracle: Oracle, tree: DependencyTree) -> tuple[int | None, ...]:
    *_, step = oracle(tree).steps()
    return step.taken(step.config).heads


@needs_treebanks
@pytest.mark.parametrize("name", ["hu_szeged-dev", "grc_proiel-dev"])
def test_training_of_projective_systems_uses_sentences_with_crossing_arcs_too(name: str) -> None:
    assert TREEBANKS
    columns = Columns.encode(list(islice(Treebank(TREEBANKS / f"{name}.conllu"), 200)))
    assert not columns.projective.all()
    for system in PROJECTIVE_SYSTEMS + SINGLE_ROOT_SYSTEMS:
        if not system.has_any_k:
            epoch = Trainer(columns, system, oracle="dynamic", bits=(18, 16)).epoch()
            assert (epoch.sentences, epoch.skipped) == (200, 0)
