"""Going through a treebank in lock step: what comes, in which order, and where it leads."""

from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.engine import walk
from deptrees.training import IncompleteOracle
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcTransition,
    EasyFirst,
    Oracle,
    System,
    Transition,
    static_oracle,
)
from deptrees.treebanks.columns import Columns

TRAIN = list(sample_treebank("train"))
CROSSING = DependencyTree([(3, "a", "x"), (4, "b", None), (0, "c", "root"), (3, "d", "x")])


@pytest.mark.parametrize("system", [ArcHybrid(), EasyFirst()], ids=repr)
@pytest.mark.parametrize("labeled", [False, True])
def test_every_sentence_is_gone_through_as_the_oracle_says(system: System, labeled: bool) -> None:
    trees = [*TRAIN[:12], DependencyTree([]), CROSSING]
    steps: dict[int, list[Any]] = {}
    for derivations, taken in walk(trees, system, oracle="static", size=5, labeled=labeled):
        assert len(derivations) == 5
        assert derivations.possible()[np.arange(len(taken)), taken].all()
        for derivation, column in zip(derivations.going, taken.tolist(), strict=True):
            steps.setdefault(int(derivations.sentences[derivation]), []).append(derivations.space.transition(column))
    assert [*steps] == [
        number for number, tree in enumerate(trees) if len(tree) and Oracle(system, static_oracle)(tree)
    ]
    for number, found in steps.items():
        gold = [transition for _, transition in Oracle(system, static_oracle)(trees[number])]
        assert [*map(bare, found)] == [*map(bare, gold)]


def bare(transition: Transition) -> Transition:
    """A transition without a label."""
    return type(transition)(k=transition.k) if isinstance(transition, ArcTransition) else transition


def test_a_model_is_followed_where_it_explores() -> None:
    asked = 0

    def last(derivations: Any) -> Any:
        nonlocal asked
        asked += 1
        return np.broadcast_to(np.arange(4.0), (len(derivations.going), 4))

    for exploration, right in ((1.0, False), (0.0, True)):
        found = [
            (derivations.gold()[np.arange(len(taken)), taken], derivations.possible(), taken)
            for derivations, taken in walk(TRAIN, ArcEager(), last, exploration=exploration, size=7)
        ]
        assert all(of_step[0].all() for of_step in found) == right
        if not right:
            assert all((4 - possible[:, ::-1].argmax(1) - 1 == taken).all() for _, possible, taken in found)
    assert asked > 0


def test_sentences_come_in_the_order_that_is_given() -> None:
    columns = Columns.encode(TRAIN)
    first = [d.sentences.tolist() for d, _ in walk(columns, "arc-eager", sentences=[5, 2, 9], size=1)]
    assert list(dict.fromkeys(number for [number] in first)) == [5, 2, 9]
    assert not list(walk(TRAIN, sentences=[]))
    runs = [
        [taken.tolist() for _, taken in walk(columns, "arc-eager", exploration=0.5, seed=seed)] for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


def test_epochs_run_into_each_other_and_only_the_last_steps_are_small() -> None:
    columns, rng, size = Columns.encode(TRAIN), np.random.default_rng(1), 7
    order = np.concatenate([rng.permutation(len(TRAIN)) for _ in range(3)])
    begun: list[int] = []
    for derivations, taken in walk(columns, "arc-hybrid", sentences=order, size=size, nodes=["b0"]):
        is_first = derivations.positions()[:, 0] == 1
        begun += derivations.sentences[derivations.going[is_first]].tolist()
        assert len(taken) == size or len(begun) == len(order)
    assert len(taken) < size
    assert sorted(begun) == sorted(order.tolist())


def test_what_cannot_be_asked_is_an_error() -> None:
    with pytest.raises(ValueError, match="size is a whole number"):
        next(walk(TRAIN, size=0))
    with pytest.raises(IncompleteOracle, match="answers on the way to the gold tree only"):
        next(walk(TRAIN, "arc-eager", oracle="nondeterministic", exploration=0.5))


def test_words_have_the_numbers_of_a_vocabulary() -> None:
    vocabularies = {"form": ("sleep", "birds")}
    trees = [DependencyTree([(2, "Birds", "x"), (0, "sleep", "y")]), DependencyTree([(0, "sleep", "x")])]
    [(derivations, _)] = [next(walk(trees, "arc-hybrid", nodes=["s0", "b0", "b1"], vocabularies=vocabularies))]
    assert derivations.words_at("form", derivations.positions()).tolist() == [[2, 4, 0], [2, 0, 3]]
