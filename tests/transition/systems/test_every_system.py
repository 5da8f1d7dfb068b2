"""What is true of every system, checked by enumeration.

`tests.transition.systems.test_systems` says more of those that are tables and build projective trees.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

import pytest

from deptrees import Treebank, all_trees, projective_trees
from deptrees.engine import Trainer
from deptrees.training import LinearOptions
from deptrees.transition import (
    MH4,
    ArcEagerBuffer,
    ArcEagerBufferNonProjective,
    ArcEagerEdit,
    ArcEagerRegisters,
    ArcHybridSwap,
    ArcStandardSwap,
    Attardi,
    AttardiAll,
    AttardiAllDegree1,
    Configuration,
    EasyFirst,
    LeftCorner,
    ListBasedNonMonotonic,
    LRSpines,
    Oracle,
    SpacyArcEager,
    StanzaAttach,
    System,
    TwoPlanar,
    reachable,
)
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.systems.registry import REGISTRY
from deptrees.treebanks.columns import Columns
from tests.conftest import Compared
from tests.gold_trees import TREEBANKS, needs_treebanks
from tests.tiers import at_length, slow
from tests.transition import configurations
from tests.transition.configurations import (
    ATTARDI_SYSTEMS,
    BUFFER_SYSTEMS,
    EDIT_SYSTEMS,
    EMPTY_MEANT,
    EMPTY_UNKNOWN,
    EVERY_SYSTEM,
    LIST_SYSTEMS,
    OTHER_NON_PROJECTIVE_SYSTEMS,
    OTHER_PROJECTIVE_SYSTEMS,
    PARTIAL_SYSTEMS,
    PROJECTIVE_SYSTEMS,
    REGISTER_SYSTEMS,
    SEARCHED,
    SINGLE_ROOT_SYSTEMS,
    SWAP_SYSTEMS,
    TWO_PLANAR_SYSTEMS,
    Kinds,
    Losses,
    assert_oracles_are_exact,
    every_configuration,
    left,
    losses_of_partial_trees,
    partial_trees,
    rebuilt,
    trees_of,
)

SIZES = pytest.mark.parametrize("n", [1, 2, 3, slow(4), slow(5)])
SYSTEMS = [system for system in EVERY_SYSTEM if system not in TWO_PLANAR_SYSTEMS + REGISTER_SYSTEMS]
"""What the others build is tested in `test_two_planar` and `test_arc_eager_registers`."""
EXAMPLES = [registered.example for registered in REGISTRY.values()]
PROJECTIVE = PROJECTIVE_SYSTEMS + SINGLE_ROOT_SYSTEMS
FOR_GOOD = [system for system in LIST_SYSTEMS if not isinstance(system, ListBasedNonMonotonic)]
"""Systems with lists in which a head stays."""
BLOCK = 48
"""How many gold trees are compared at a time: oracles remember what they found out about the latest 64, or more."""
SHARES: dict[System, int] = {
    **dict.fromkeys(SWAP_SYSTEMS, 8),
    TwoPlanar(): 4,
    TwoPlanar(root="last"): 2,
    ArcEagerRegisters(): 5,
}
"""With how many trees of five words each configuration is compared if it is not with all."""


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
@SIZES
def test_there_are_no_dead_ends(system: System, n: int) -> None:
    for cfg in reachable(system, n):
        assert cfg.is_final or cfg.possible_transitions()
        if system not in configurations.SYSTEMS:  # where words may be reduced to the end
            assert not (cfg.is_final and cfg.possible_transitions())


@pytest.mark.parametrize(
    "system",
    [*PROJECTIVE, *OTHER_PROJECTIVE_SYSTEMS, *OTHER_NON_PROJECTIVE_SYSTEMS, *SWAP_SYSTEMS],
    ids=repr,
)
@SIZES
def test_final_configurations_are_exactly_the_trees_that_the_system_is_for(system: System, n: int) -> None:
    trees = projective_trees(n) if system.projective_only else all_trees(n)
    expected = {tree.heads for tree in trees if len(tree.roots) == 1 or not system.has_single_root}
    assert {cfg.heads for cfg in reachable(system, n) if cfg.is_final} == expected


@pytest.mark.parametrize("system", [*ATTARDI_SYSTEMS, *BUFFER_SYSTEMS], ids=repr)
@SIZES
def test_final_configurations_are_exactly_the_trees_without_an_obstacle(system: System, n: int) -> None:
    built = {cfg.heads for cfg in reachable(system, n) if cfg.is_final}
    assert built == {tree.heads for tree in all_trees(n) if system.obstacle(tree) is None}


@pytest.mark.parametrize(
    ("system", "counts"),
    [
        (Attardi(), [1, 3, 16, 117, 1011]),
        (Attardi(1), [1, 3, 12, 55, 273]),
        (MH4(), [1, 3, 16, 119, 1069]),
        (AttardiAllDegree1(), [1, 3, 16, 119, 1067]),
        (AttardiAll(), [1, 3, 16, 122, 1177]),
        (ArcEagerBufferNonProjective(), [1, 3, 16, 114, 945]),
    ],
    ids=repr,
)
def test_number_of_trees_that_systems_with_arcs_over_waiting_words_build(system: System, counts: list[int]) -> None:
    for n, count in enumerate(counts, 1):
        built = {cfg.heads for cfg in reachable(system, n) if cfg.is_final}
        assert len(built) == count


@pytest.mark.parametrize(
    ("system", "count"),
    [
        (Attardi(), 422),
        (MH4(), 511),
        (AttardiAllDegree1(), 495),
        (AttardiAll(), 526),
        (ArcStandardSwap(), 1131),
        (ArcHybridSwap(), 1105),
        (EasyFirst(), 143),
        (ArcEagerBuffer(), 260),
        (ArcEagerEdit(), 491),
        (ArcEagerBufferNonProjective(), 654),
        (ArcEagerRegisters(), 13_782),
        (LeftCorner(), 97),
        (ListBasedNonMonotonic(), 1687),
        (LRSpines(), 183),
        (SpacyArcEager(), 297),
        (SpacyArcEager(breaks=True), 590),
        (StanzaAttach(), 146),
    ],
    ids=repr,
)
def test_number_of_reachable_configurations_of_four_words(system: System, count: int) -> None:
    assert len(every_configuration(system, 4)) == count


@pytest.mark.parametrize(
    ("system", "n"),
    [
        *[(system, n) for system in EVERY_SYSTEM for n in (1, 2)],
        *[(system, 3) if system in EXAMPLES and system not in SEARCHED else slow(system, 3) for system in EVERY_SYSTEM],
    ],
    ids=repr,
)
def test_oracles_agree_with_exhaustive_search_for_every_tree_annotated_or_in_part(
    system: System, n: int, compared: Compared
) -> None:
    _compare(every_configuration(system, n), losses_of_partial_trees(n), compared)


@pytest.mark.parametrize(
    ("system", "n"),
    [
        *[(system, 3) for system in EXAMPLES if system in SYSTEMS],
        *[
            at_length(system, 4) if system in SWAP_SYSTEMS and system not in EXAMPLES else slow(system, 4)
            for system in SYSTEMS
            if system not in EMPTY_UNKNOWN
        ],
        *[at_length(system, 5) for system in [*PROJECTIVE, EasyFirst(), EasyFirst(single_root=True), SpacyArcEager()]],
    ],
    ids=repr,
)
def test_oracles_agree_with_exhaustive_search_for_every_tree(
    system: System, n: int, every_tree: bool, compared: Compared
) -> None:
    """With ``--every-tree``, those of four words that are annotated in part are among them."""
    if system in PROJECTIVE and n == 5:
        trees = trees_of(system, n)
    elif every_tree and system in [*OTHER_PROJECTIVE_SYSTEMS, *LIST_SYSTEMS, *EMPTY_MEANT, *EDIT_SYSTEMS] and n == 4:
        trees = list(partial_trees(n))
    else:
        trees = list(all_trees(n))
    _compare(list(reachable(system, n)), Losses(trees), compared)


@pytest.mark.parametrize(
    ("system", "n"),
    [
        *[(system, 2) for system in [TwoPlanar(), *REGISTER_SYSTEMS]],
        *[
            (system, 3)
            for system in [*BUFFER_SYSTEMS, LeftCorner(), LRSpines(), StanzaAttach(), *FOR_GOOD, *PARTIAL_SYSTEMS]
        ],
        *[(system, 3) for system in EXAMPLES if system in ATTARDI_SYSTEMS],
        *[slow(system, 3) for system in TWO_PLANAR_SYSTEMS + REGISTER_SYSTEMS],
        *[slow(system, 4) for system in REGISTER_SYSTEMS],
        *[at_length(system, 4) for system in TWO_PLANAR_SYSTEMS],
        *[
            at_length(system, 5)
            for system in [
                ArcEagerBufferNonProjective(),
                LeftCorner(),
                LRSpines(),
                LRSpines(single_root=True),
                StanzaAttach(),
                *(system for system in ATTARDI_SYSTEMS if getattr(system, "degree", 2) == 2),
                Attardi(1),
                Attardi(3),
                *FOR_GOOD,
                *EMPTY_MEANT,
            ]
        ],
    ],
    ids=repr,
)
def test_oracles_agree_with_exhaustive_search_for_every_kind_of_tree(
    system: System, n: int, compared: Compared
) -> None:
    """What `Kinds` leaves out makes no difference: with fewer words it is compared, too."""
    losses = Losses(list(all_trees(n)))
    _compare(_unfinished(system, n), losses, compared, Kinds(losses))


@pytest.mark.parametrize(
    ("system", "n"),
    [
        *[(kind(), 3) for kind in (ArcStandardSwap, ArcHybridSwap, TwoPlanar, ArcEagerRegisters)],
        *[at_length(system, 5) for system in SHARES],
    ],
    ids=repr,
)
def test_oracles_agree_with_exhaustive_search_for_a_share_of_the_trees(
    system: System, n: int, every_tree: bool, compared: Compared
) -> None:
    """Every configuration and every tree has its turn; with ``--every-tree`` all kinds of pairs are compared.

    Turns go by what is left to parse, for losses are found for all configurations that have the same left at once.
    """
    trees, share, configurations = list(all_trees(n)), SHARES[system], _unfinished(system, n)
    losses = Losses(Random(n).sample(trees, len(trees)))
    if every_tree:
        return _compare(configurations, losses, compared, Kinds(losses, alike=configurations))
    turns, remains = len(trees) // share, sorted({left(cfg) for cfg in configurations})
    assert len(remains) >= turns
    first = {one: number % turns * share for number, one in enumerate(remains)}
    _compare(configurations, losses, compared, lambda cfg: range(first[left(cfg)], first[left(cfg)] + share))


def _unfinished(system: System, n: int) -> list[Configuration]:
    return [cfg for cfg in reachable(system, n) if not cfg.is_final]


def _compare(
    configurations: Sequence[Configuration],
    losses: Losses,
    compared: Compared,
    chosen: Callable[[Configuration], Sequence[int]] | None = None,
) -> None:
    """Compare the oracles in configurations with exhaustive search, for all gold trees or for those chosen."""
    count = len(losses.trees)
    numbers = [range(count) if chosen is None else chosen(cfg) for cfg in configurations]
    for start in range(0, count, BLOCK):
        end = start + BLOCK
        for cfg, mine in zip(configurations, numbers, strict=True):
            if mine[0] < end and mine[-1] >= start:
                now = mine[bisect_left(mine, start) : bisect_left(mine, end)]
                compared(assert_oracles_are_exact(cfg, losses, now))


WITH_ORACLES = [
    (system, oracle)
    for system in EVERY_SYSTEM
    if getattr(system, "longest_arc", None) is None
    for oracle in BY_NAME
    if getattr(system.oracles, oracle) is not None
]


@pytest.mark.parametrize(
    ("system", "oracle", "n"),
    [
        *[(system, oracle, 3) for system, oracle in WITH_ORACLES],
        *[slow(system, oracle, 4) for system, oracle in WITH_ORACLES],
        *[slow(system, oracle, 5) for system, oracle in WITH_ORACLES if oracle.startswith("static")],
    ],
    ids=repr,
)
def test_oracles_rebuild_every_tree_that_can_be_built(system: System, oracle: str, n: int) -> None:
    trees = [tree for tree in all_trees(n) if system.obstacle(tree) is None]
    assert trees
    for tree in trees:
        assert rebuilt(Oracle(system, BY_NAME[oracle]), tree) == tree.heads


@needs_treebanks
@pytest.mark.parametrize("name", ["hu_szeged-dev", "grc_proiel-dev"])
def test_training_of_projective_systems_uses_sentences_with_crossing_arcs_too(name: str) -> None:
    assert TREEBANKS
    columns = Columns.encode(list(islice(Treebank(TREEBANKS / f"{name}.conllu"), 200)))
    assert not columns.projective.all()
    for system in PROJECTIVE_SYSTEMS + SINGLE_ROOT_SYSTEMS:
        if not system.has_any_k:
            epoch = Trainer(columns, LinearOptions(system=system, oracle="dynamic"), bits=(18, 16)).epoch()
            assert (epoch.sentences, epoch.skipped) == (200, 0)
