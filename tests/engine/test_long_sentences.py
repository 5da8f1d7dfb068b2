"""Sentences of thousands of words: what the engine does with them, and what it does not."""

import re
import timeit
import weakref
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from time import process_time
from typing import Any

import attrs
import numpy as np
import pytest

from deptrees import DependencyTree, Token, sample_treebank
from deptrees.engine import SearchOptions, Trainer, batches, core
from deptrees.features import FAST, Templates
from deptrees.parser import Parser
from deptrees.training import LinearOptions
from deptrees.transition import (
    ArcEager,
    ArcEagerPartial,
    ArcHybridSwap,
    ArcStandard,
    ArcStandardSwap,
    Attardi,
    Constraints,
    LossNotFound,
    NonMonotonicArcEager,
    System,
    TwoPlanar,
    static_oracle,
)
from deptrees.transition.systems.registry import REGISTRY
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from tests.tiers import slow

TRAIN = list(sample_treebank("train"))
WORDS = [attrs.evolve(word, id=None) for tree in TRAIN for word in tree.words]
EXPLICIT = [registered.example for registered in REGISTRY.values() if not registered.example.is_table]
LONG = 2000  # from here on a beam copies only what differs


def sentence(words: int) -> DependencyTree:
    """One sentence of all the words, over and over."""
    return DependencyTree(islice(cycle(WORDS), words))


def parser(system: System) -> Parser:
    return Parser.train(TRAIN[:20], system=system, oracle=static_oracle, epochs=1)


@pytest.fixture
def copies_what_differs() -> Iterator[Callable[[bool], None]]:
    """Says whether beams copy only what differs, or all."""

    def set_to(differences: bool) -> None:
        core.copy_differences_from(0 if differences else 1_000_000)

    yield set_to
    core.copy_differences_from(LONG)


@pytest.mark.parametrize("beam", [8, slow(2), slow(30), slow(64)])
@pytest.mark.parametrize(
    "system",
    [ArcEager(), ArcEagerPartial(), ArcStandardSwap(), ArcHybridSwap(), Attardi(), NonMonotonicArcEager()],
    ids=repr,
)
def test_a_beam_that_copies_what_differs_finds_what_one_that_copies_all_finds(
    system: System, beam: int, copies_what_differs: Callable[[bool], None]
) -> None:
    model: Any = parser(system).model
    batch = Batch.of([*TRAIN, sentence(200), *TRAIN[:3]])
    found = []
    for differences in True, False:
        copies_what_differs(differences)
        found.append(model.find(batch, SearchOptions(k=beam)))
    for name in "scores", "heads", "labels":
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name), equal_nan=True)


def seconds(trained: Parser, words: int, beam: int) -> float:
    """The least of several times, so that nothing else that the machine does makes a difference."""
    columns = Columns.encode([sentence(words)])
    return min(timeit.repeat(lambda: trained.model.parse(columns, beam=beam), timer=process_time, repeat=3, number=1))


@pytest.mark.parametrize(("few", "many", "beam"), [(LONG, 20_000, 4), slow(5000, 100_000, 4), slow(LONG, 20_000, 64)])
def test_a_beam_takes_time_by_the_words(few: int, many: int, beam: int) -> None:
    # With whole copies it would take by the square of that, which is 100 times and 400.
    trained = parser(ArcEager())
    assert seconds(trained, many, beam) < (many / few) ** 2 / 2 * seconds(trained, few, beam)


@pytest.mark.parametrize("words", [20_000, slow(300_000)])
def test_parsing_takes_no_room_for_a_gold_tree(words: int) -> None:
    [parsed] = parser(ArcEager()).parse([sentence(words)])
    assert parsed.is_annotated


def gold(words: int) -> DependencyTree:
    return DependencyTree((word, "w") for word in range(words))


@pytest.mark.parametrize("words", [32_769, slow(300_000)])
def test_gold_trees_of_the_engine_have_a_greatest_length(words: int) -> None:
    message = f"sentence 1 has {words:,} words: the engine follows gold trees of up to 32,768"
    trees = [gold(2), gold(words)]
    with pytest.raises(ValueError, match=message):
        Trainer(Columns.encode(trees), LinearOptions(system=ArcEager(), templates=FAST)).epoch()
    with pytest.raises(ValueError, match=message):
        list(batches(trees, ArcEager(), Templates([])))


@pytest.mark.parametrize("system", [ArcEager(), ArcStandard(), TwoPlanar()], ids=repr)
def test_exact_losses_have_a_greatest_length(system: Any) -> None:
    crossing = [(2, "w"), (0, "w"), (2, "w"), (1, "w")]
    tree = DependencyTree([*crossing, *[(4, "w")] * 2997])
    with pytest.raises(LossNotFound, match="a sentence has 3,001 words: exact losses are found in up to 3,000"):
        system.loss()(system.initial(tree), tree)


def test_constraints_have_a_greatest_length() -> None:
    constraints = Constraints(directions={1: "left"})
    with pytest.raises(LossNotFound, match="a sentence has 3,001 words: constraints are met in up to 3,000"):
        constraints.transitions(ArcEager().initial(["w"] * 3001))
    assert constraints.broken_by([2] * 100_000) == [1]


@pytest.mark.parametrize("system", [ArcEager(), *EXPLICIT], ids=repr)
def test_configurations_have_a_greatest_length(system: System) -> None:
    words: list[Any] = [Token("w")] * (system.most_words + 1)
    message = f"sentence 'w w .*' has {len(words):,} words: {re.escape(repr(system))} takes up to {len(words) - 1:,}"
    with pytest.raises(ValueError, match=message):
        system.initial(words)


@pytest.mark.parametrize("system", EXPLICIT, ids=repr)
def test_a_derivation_does_not_keep_the_configurations_it_has_passed(system: System) -> None:
    cfg = system.initial(["w"] * 3)
    passed = weakref.ref(cfg)
    cfg = cfg.possible_transitions()[0](cfg)
    assert passed() is None
    assert len(cfg.history) == 1
