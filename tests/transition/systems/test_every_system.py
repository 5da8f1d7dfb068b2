"""What is true of every system: checked by enumeration, for those that are no projective tables of their own.

`tests.transition.systems.test_systems` says more of the others.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

import pytest

from deptrees import DependencyTree, Treebank, all_trees, projective_trees
from deptrees.engine import Trainer
from deptrees.transition import (
    ArcHybridSwap,
    ArcStandardSwap,
    Attardi,
    Configuration,
    EasyFirst,
    ListBasedNonProjective,
    ListBasedProjective,
    LRSpines,
    Oracle,
    System,
    TwoPlanar,
    dynamic_oracle,
    nondeterministic_oracle,
    reachable,
    static_oracle,
    static_oracle_lazy_swap,
)
from deptrees.treebanks.columns import Columns
from tests.conftest import Compared
from tests.gold_trees import TREEBANKS, needs_treebanks
from tests.transition.configurations import (
    PARTIAL_SYSTEMS,
    PROJECTIVE_SYSTEMS,
    SINGLE_ROOT_SYSTEMS,
    Kinds,
    Losses,
    assert_oracles_are_exact,
    left,
    partial_trees,
)

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
TWO_PLANAR: list[System] = [TwoPlanar(), TwoPlanar(root="last")]
"""What they build is tested in `tests.transition.systems.test_two_planar`."""
SYSTEMS = PROJECTIVE + ALL_TREES + SOME_TREES + FORESTS
EVERY_SYSTEM = pytest.mark.parametrize("system", SYSTEMS, ids=repr)
BLOCK = 48
"""How many gold trees are compared at a time: oracles remember what they found out about the latest 64, or more."""
SHARES: dict[System, int] = {
    **dict.fromkeys(ALL_TREES, 8),
    TwoPlanar(): 4,
    TwoPlanar(root="last"): 2,
}
"""With how many trees of five words each configuration is compared if it is not with all."""


@EVERY_SYSTEM
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_there_are_no_dead_ends(system: System, n: int) -> None:
    assert all(cfg.is_final != bool(cfg.possible_transitions()) for cfg in reachable(system, n))


@pytest.mark.parametrize("system", PROJECTIVE + ALL_TREES, ids=repr)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_final_configurations_are_exactly_the_trees_that_the_system_is_for(system: System, n: int) -> None:
    trees = projective_trees(n) if system.projective_only else all_trees(n)
    expected = {tree.heads for tree in trees if len(tree.roots) == 1 or not system.has_single_root}
    assert {cfg.heads for cfg in reachable(system, n) if cfg.is_final} == expected


@pytest.mark.parametrize("system", SOME_TREES, ids=repr)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_final_configurations_are_exactly_the_trees_without_an_obstacle(system: System, n: int) -> None:
    built = {cfg.heads for cfg in reachable(system, n) if cfg.is_final}
    assert built == {tree.heads for tree in all_trees(n) if system.obstacle(tree) is None}


@pytest.mark.parametrize(
    ("system", "counts"), [(Attardi(), [1, 3, 16, 117, 1011]), (Attardi(1), [1, 3, 12, 55, 273])], ids=repr
)
def test_number_of_trees_that_attardi_s_system_builds(system: System, counts: list[int]) -> None:
    for n, count in enumerate(counts, 1):
        built = {cfg.heads for cfg in reachable(system, n) if cfg.is_final}
        assert len(built) == count


@pytest.mark.parametrize(
    ("system", "count"),
    [(Attardi(), 422), (ArcStandardSwap(), 1131), (ArcHybridSwap(), 1105), (EasyFirst(), 143), (LRSpines(), 183)],
    ids=repr,
)
def test_number_of_reachable_configurations_of_four_words(system: System, count: int) -> None:
    assert sum(1 for _ in reachable(system, 4)) == count


@pytest.mark.parametrize("system", SYSTEMS + TWO_PLANAR, ids=repr)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_oracles_agree_with_exhaustive_search_for_every_tree_annotated_or_in_part(
    system: System, n: int, compared: Compared
) -> None:
    _compare(_unfinished(system, n), Losses(list(partial_trees(n))), compared)


@pytest.mark.slow
@EVERY_SYSTEM
def test_oracles_agree_with_exhaustive_search_for_every_tree_of_four_words(system: System, compared: Compared) -> None:
    trees = all_trees(4) if system in ALL_TREES + SOME_TREES else partial_trees(4)
    _compare(_unfinished(system, 4), Losses(list(trees)), compared)


@pytest.mark.slow
@pytest.mark.parametrize("system", [EasyFirst(), EasyFirst(single_root=True)], ids=repr)
def test_oracles_agree_with_exhaustive_search_for_every_tree_of_five_words(system: System, compared: Compared) -> None:
    _compare(_unfinished(system, 5), Losses(list(all_trees(5))), compared)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "n"),
    [(system, 5) for system in [LRSpines(), LRSpines(single_root=True), *SOME_TREES, *FORESTS, *PARTIAL_SYSTEMS]]
    + [(system, 4) for system in TWO_PLANAR],
    ids=repr,
)
def test_oracles_agree_with_exhaustive_search_for_every_kind_of_tree(
    system: System, n: int, compared: Compared
) -> None:
    """What `Kinds` leaves out makes no difference: with fewer words it is compared, too."""
    losses = Losses(list(all_trees(n)))
    _compare(_unfinished(system, n), losses, compared, Kinds(losses))


@pytest.mark.slow
@pytest.mark.parametrize("system", SHARES, ids=repr)
def test_oracles_agree_with_exhaustive_search_for_a_share_of_the_trees_of_five_words(
    system: System, every_tree: bool, compared: Compared
) -> None:
    """Every configuration and every tree has its turn; with ``--every-tree`` all kinds of pairs are compared.

    Turns go by what is left to parse, for losses are found for all configurations that have the same left at once.
    """
    trees, share, configurations = list(all_trees(5)), SHARES[system], _unfinished(system, 5)
    losses = Losses(Random(5).sample(trees, len(trees)))
    if every_tree:
        return _compare(configurations, losses, compared, Kinds(losses, alike=configurations))
    turns, remains = len(trees) // share, sorted({left(cfg) for cfg in configurations})
    assert len(remains) >= turns
    first = {one: number % turns * share for number, one in enumerate(remains)}
    _compare(configurations, losses, compared, lambda cfg: range(first[left(cfg)], first[left(cfg)] + share))


def _unfinished(system: System, n: int) -> list[Configuration]:
    return [cfg for cfg in reachable(system, n) if not cfg.is_final]


def _compare(
    configurations: list[Configuration],
    losses: Losses,
    compared: Compared,
    chosen: Callable[[Configuration], Sequence[int]] | None = None,
) -> None:
    """Hold the oracles in configurations against exhaustive search, for all gold trees or for those chosen."""
    count = len(losses.trees)
    numbers = [range(count) if chosen is None else chosen(cfg) for cfg in configurations]
    for start in range(0, count, BLOCK):
        end = start + BLOCK
        for cfg, mine in zip(configurations, numbers, strict=True):
            if mine[0] < end and mine[-1] >= start:
                now = mine[bisect_left(mine, start) : bisect_left(mine, end)]
                compared(assert_oracles_are_exact(cfg, losses, now))


@EVERY_SYSTEM
@pytest.mark.parametrize(
    ("function", "n"),
    [
        (static_oracle, 5),
        (static_oracle_lazy_swap, 5),
        (nondeterministic_oracle, 4),
        (dynamic_oracle, 4),
    ],
)
def test_oracles_rebuild_every_tree_that_can_be_built(system: System, function: object, n: int) -> None:
    if function is static_oracle_lazy_swap and not system.oracles.static_lazy_swap:
        pytest.skip("the system has no such oracle")
    rebuilt = 0
    for tree in all_trees(n):
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
