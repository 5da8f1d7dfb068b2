"""The compiled search for a way to build target arcs where words swap, against the readable one."""

from __future__ import annotations

from random import Random

import pytest

from deptrees.transition.losses.swaps.compiled_search import CompiledSearch
from deptrees.transition.losses.swaps.search import ReadableSearch
from deptrees.transition.losses.target_arcs import TargetArcs
from tests.tiers import slow

EVERY_KIND = pytest.mark.parametrize(
    ("is_hybrid", "has_single_root"), [(False, False), (False, True), (True, False), (True, True)]
)
ENOUGH = 1_000_000


@EVERY_KIND
@pytest.mark.parametrize("count", [60, slow(1_000)])
def test_it_finds_and_looks_at_the_same(is_hybrid: bool, has_single_root: bool, count: int) -> None:
    rng, answers = Random(1), set()
    for _ in range(count):
        compiled = CompiledSearch(is_hybrid=is_hybrid, has_single_root=has_single_root)
        readable = ReadableSearch(is_hybrid=is_hybrid, has_single_root=has_single_root)
        words = [*range(1, rng.randint(2, 9) + 1)]
        targets = _targets(words, rng, has_single_root=has_single_root)
        for _ in range(3):
            stack, buffer = _unsettled(words, rng, is_hybrid=is_hybrid)
            effort, eager = rng.choice((5, 50, ENOUGH)), rng.getrandbits(64)
            answer = compiled.can_be_built(stack, buffer, targets, effort, eager=eager)
            assert answer == readable.can_be_built(stack, buffer, targets, effort, eager=eager)
            assert compiled.looked_at == readable.looked_at <= effort
            assert len(compiled) == len(readable)
            answers.add(answer)
    assert answers == {True, False, None}


@EVERY_KIND
@pytest.mark.parametrize("count", [200, slow(20_000)])
def test_it_contracts_the_same_subtrees(is_hybrid: bool, has_single_root: bool, count: int) -> None:
    rng, lengths = Random(3), set()
    compiled = CompiledSearch(is_hybrid=is_hybrid, has_single_root=has_single_root)
    for _ in range(count):
        words = sorted(rng.sample(range(1, 15), rng.randint(2, 9)))
        targets = _targets(words, rng, has_single_root=has_single_root)
        moved = rng.randint(0, len(words))
        stack, buffer = _divided([*rng.sample(words[:moved], moved), *words[moved:]], rng, is_hybrid=is_hybrid)
        contracted = compiled.contracted(stack, buffer, targets)
        assert contracted == ReadableSearch.contracted(stack, buffer, targets)
        lengths.add(len(buffer) - len(contracted))
    assert lengths >= {0, 1, 2, 3}


def test_words_may_come_that_are_later_than_any_before() -> None:
    compiled, targets = CompiledSearch(is_hybrid=False, has_single_root=False), TargetArcs({1: 2, 2: 0, 3: 2})
    assert compiled.can_be_built((0, 1), (2,), targets, ENOUGH)
    assert compiled.can_be_built((0, 1), (2, 3), targets, ENOUGH)


@pytest.mark.parametrize("kind", [CompiledSearch, ReadableSearch])
def test_what_is_known_is_not_searched_for(kind: type[CompiledSearch] | type[ReadableSearch]) -> None:
    rng = Random(2)
    for _ in range(20):
        search, words = kind(is_hybrid=False, has_single_root=False), [*range(1, 8)]
        stack, buffer = _unsettled(words, rng, is_hybrid=False)
        targets = _targets(words, rng, has_single_root=False)
        answer = search.can_be_built(stack, buffer, targets, ENOUGH)
        assert answer == search.can_be_built(stack, buffer, targets, 0)
        assert search.looked_at == 0


def test_a_target_head_has_to_be_there() -> None:
    with pytest.raises(ValueError, match="on the stack or in the buffer"):
        CompiledSearch(is_hybrid=False, has_single_root=False).can_be_built((0, 1), (2,), TargetArcs({1: 3}), ENOUGH)


def _targets(words: list[int], rng: Random, *, has_single_root: bool) -> TargetArcs:
    """The target arcs of a random forest, in which one word in five has none."""
    order, heads = rng.sample(words, len(words)), dict[int, int]()
    for place, word in enumerate(order):
        if not place or rng.random() < 0.8:
            heads[word] = rng.choice([*order[:place], *([] if place and has_single_root else [0])])
    return TargetArcs(heads)


def _unsettled(words: list[int], rng: Random, *, is_hybrid: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A stack and buffer with words in any order."""
    return _divided(rng.sample(words, len(words)), rng, is_hybrid=is_hybrid)


def _divided(words: list[int], rng: Random, *, is_hybrid: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Words divided into stack and buffer, with ROOT."""
    size = rng.randint(0, len(words))
    stack, buffer = tuple(words[:size]), tuple(words[size:])
    return (stack, (*buffer, 0)) if is_hybrid else ((0, *stack), buffer)
