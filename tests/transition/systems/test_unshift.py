"""Arc-eager with Unshift reaches what it reaches with the flag of the paper, which the table does without."""

from collections.abc import Iterator
from functools import cache

import pytest

from deptrees.transition import ArcEagerUnshift, reachable, reachable_heads
from tests.tiers import slow

Heads = tuple[int | None, ...]
State = tuple[tuple[int, ...], tuple[int, ...], Heads, bool]
"""Stack, buffer, heads, and whether the buffer has been empty."""


def published(state: State) -> Iterator[State]:
    """What Nivre & Fernández-González 2014 let happen to stack, buffer and arcs."""
    stack, buffer, heads, was_empty = state
    is_waiting = bool(stack) and stack[-1] > 0 and heads[stack[-1] - 1] is None
    if buffer:
        b0, *rest = buffer
        now_empty = was_empty or not rest
        if is_waiting:
            yield stack[:-1], buffer, with_arc(heads, b0, stack[-1]), was_empty
        if stack:
            yield (*stack, b0), tuple(rest), with_arc(heads, stack[-1], b0), now_empty
        if not was_empty or not stack:  # without ROOT, the word that is left has to leave the buffer, too
            yield (*stack, b0), tuple(rest), heads, now_empty
    elif is_waiting:
        yield stack[:-1], (stack[-1],), heads, was_empty
    if stack and stack[-1] > 0 and not is_waiting:
        yield stack[:-1], buffer, heads, was_empty


def with_arc(heads: Heads, head: int, word: int) -> Heads:
    return (*heads[: word - 1], head, *heads[word:])


@cache
def ends(state: State, has_root: bool) -> frozenset[Heads]:
    """The trees with which parsing can end."""
    stack, buffer, heads, _ = state
    waiting = [word for word in stack if word and heads[word - 1] is None]
    if not buffer and len(waiting) == (0 if has_root else 1):
        return frozenset([heads if has_root else with_arc(heads, 0, waiting[0])])
    return frozenset().union(*(ends(after, has_root) for after in published(state)))


@pytest.mark.parametrize("root", ["first", "none"])
@pytest.mark.parametrize("n", [1, 2, 3, slow(4), slow(5)])
def test_what_can_be_reached_is_what_the_flag_of_the_paper_allows(root: str, n: int) -> None:
    system, has_root = ArcEagerUnshift(root=root), root == "first"  # type: ignore[arg-type]
    for cfg in reachable(system, n):
        heads = tuple(None if head == 0 and not has_root else head for head in cfg.heads)
        state = cfg.stack, cfg.buffer, heads  # type: ignore[attr-defined]
        for was_empty in [[True], [False, True], [False]][min(len(state[1]), 2)]:
            assert reachable_heads(cfg) == ends((*state, was_empty), has_root)
