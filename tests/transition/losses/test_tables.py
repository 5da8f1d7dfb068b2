"""Tables of all kinds: their losses are exact, or they have none."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree, all_trees
from deptrees.transition import (
    MH4,
    REGISTRY,
    ArcHybrid,
    LeftArc,
    OracleNotDefined,
    Reduce,
    RightArc,
    Shift,
    StackBufferSystem,
    exhaustive_loss,
    loss,
    reachable,
)
from deptrees.transition.losses.tabular import TabularLoss, exits, loss_obstacle
from deptrees.transition.table.language import (
    B0,
    B1,
    S0,
    S1,
    STACK,
    UNATTACHED,
    Condition,
    Row,
    arc,
    attached,
    drop,
    empty,
    exists,
    missing,
    push,
    single,
    unattached,
    word,
)
from tests.tiers import slow

PLACES = (S0, S1, B0, B1)
CONDITIONS: list[Condition] = [
    *[condition(place) for place in PLACES for condition in (word, exists, missing)],
    attached(S0),
    unattached(S0),
    empty(STACK & UNATTACHED),
    single(STACK & UNATTACHED),
    exists(B1) | empty(STACK & UNATTACHED),
    exists(B1) | single(STACK & UNATTACHED),
    word(B1) | empty(STACK & UNATTACHED),
    word(B1) | single(STACK & UNATTACHED),
    word(S1) | missing(B0),
    exists(B1) | missing(S1),
]
EFFECTS: list[tuple[Any, tuple[Condition, ...], Any]] = [
    (Shift, (word(B0),), (push(B0),)),
    (RightArc, (exists(S0), word(B0)), (arc(S0, B0), push(B0))),
    (LeftArc, (word(S0), exists(B0)), (arc(B0, S0), drop(S0))),
    (RightArc, (exists(S1),), (arc(S1, S0), drop(S0))),
    (Reduce, (word(S0),), (drop(S0),)),
]


QUALIFYING = [
    system
    for registered in REGISTRY.values()
    for system in registered.variants
    if isinstance(system, StackBufferSystem) and exits(system.rows)
]


class _Made(StackBufferSystem):
    rows = ()
    roots = ("first", "last", "none")
    can_have_single_root = True


def made(
    rows: Sequence[Row], final: Sequence[Condition], longest_arc: int | None = None, **variant: Any
) -> StackBufferSystem:
    """A system of this table."""
    table = {"rows": tuple(rows), "final": tuple(final), "longest_arc": longest_arc}
    kind: type[_Made] = type("Made", (_Made,), table)
    return kind(**variant)


def random_system(random: Random) -> StackBufferSystem:
    """A system whose rows push b0 and remove s0, under the usual conditions or others, with ROOT in any place."""
    rows = {}
    for transition, needed, do in [EFFECTS[0], *random.sample(EFFECTS[1:], random.randint(1, 4))]:
        asked = [*needed, *random.sample(CONDITIONS, random.choice((0, 0, 0, 0, 1)))]
        if do[-1] == drop(S0):
            asked += random.sample([attached(S0), unattached(S0)], random.choice((0, 0, 1)))
        rows[transition] = Row(transition, when=tuple(asked), do=do, loses=())
    final = random.choice([(missing(B0), missing(S1)), (missing(S0), missing(B1)), (missing(B0),)])
    return made([*rows.values()], final, root=random.choice(("first", "first", "last", "none")))


def changed_system(random: Random) -> StackBufferSystem:
    """A ready-made system that qualifies, with one condition more or less in a row or for the end."""
    system = random.choice(QUALIFYING)
    rows, final = [attrs.evolve(row, loses=()) for row in system.rows], list(system.final)
    number = random.randrange(len(rows) + 1)
    conditions = list(rows[number].when) if number < len(rows) else final
    if random.random() < 0.5:
        conditions.insert(0, random.choice(CONDITIONS))
    else:
        conditions.remove(random.choice(conditions))
    if number < len(rows):
        rows[number] = attrs.evolve(rows[number], when=tuple(conditions))
    else:
        final = conditions
    return made(rows, final, system.longest_arc, root=system.root, single_root=system.single_root)


def differences(system: StackBufferSystem, n: int, loss: Callable[[Any, DependencyTree], int]) -> Iterator[int]:
    """By how much losses are wrong, in all configurations of up to n words and for all gold trees."""
    for length in range(1, n + 1):
        for cfg in reachable(system, length):
            for tree in all_trees(length):
                yield loss(cfg, tree) - exhaustive_loss(cfg, tree)


@pytest.mark.parametrize("make", [random_system, changed_system])
@pytest.mark.parametrize("count", [60, slow(200)])
def test_losses_of_tables_are_exact_or_there_are_none(make: Callable[[Random], StackBufferSystem], count: int) -> None:
    random = Random(1)
    compared = 0
    for system in [make(random) for _ in range(count)]:
        if system.without_loss is None:
            assert not any(differences(system, 3, loss)), system.rows
            compared += 1
        else:
            assert system.oracles.loss is None, system.rows
            assert system.oracles.dynamic is None, system.rows
    assert compared >= count // 20


def test_every_ready_made_table_of_this_kind_has_its_loss() -> None:
    assert {type(system).__name__ for system in QUALIFYING} == {
        "ArcEager",
        "ArcEagerPartial",
        "ArcEagerSpan",
        "ArcHybrid",
        "ArcHybridPartial",
        "ArcHybridSpan",
        "NonMonotonicArcEager",
    }
    assert all(system.without_loss is None for system in QUALIFYING)


def test_a_row_that_does_something_else_is_named_with_its_k() -> None:
    assert str(loss_obstacle(MH4())).startswith("LeftArc(k=2) does something else than push b0")


@pytest.mark.parametrize(
    ("row", "condition", "reason"),
    [
        (RightArc, missing(B0), "RightArc requires that there is no b0"),
        (LeftArc, single(STACK & UNATTACHED), "LeftArc requires that σ ∩ unattached has at most one word"),
        (Shift, single(STACK & UNATTACHED), "Shift requires that σ ∩ unattached has at most one word"),
    ],
)
def test_a_precondition_that_looks_further_is_named(row: type, condition: Condition, reason: str) -> None:
    rows = [attrs.evolve(one, when=(*one.when, condition)) if one.transition is row else one for one in ArcHybrid.rows]
    system = made(rows, ArcHybrid.final, root="first")
    wrong = TabularLoss(ArcHybrid.rows)
    assert any(differences(system, 3, wrong)), "which is why it has none"
    with pytest.raises(OracleNotDefined, match=reason):
        loss(system.initial(["a", "b"]), DependencyTree([(0, "a"), (0, "b")]))
