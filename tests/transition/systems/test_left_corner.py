"""Left-corner: its transitions are those of the paper, and its stack grows with what is embedded in the center."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from deptrees import DependencyTree
from deptrees.transition import (
    Configuration,
    Insert,
    InsertRoot,
    LeftComp,
    LeftCorner,
    LeftPred,
    RightComp,
    RightCompRoot,
    RightPred,
    Shift,
    Transition,
    nondeterministic_oracle,
)
from tests.gold_trees import tree_of
from tests.tiers import slow

X = frozenset[int]
"""A dummy node of the paper: its dependents, λ."""
Tree = tuple[Any, ...]
"""An element of the stack: the right spine of a tree, from its root, of words and perhaps a dummy node at its end."""
State = tuple[tuple[Tree, ...], tuple[int, ...], frozenset[tuple[int, int]]]


def published(state: State) -> Iterator[tuple[Transition, State]]:
    """What Noji & Miyao 2014 let happen to stack, buffer and arcs."""
    stack, buffer, arcs = state
    is_complete = bool(stack) and not isinstance(stack[-1][-1], frozenset)
    if not is_complete and buffer:
        j, *rest = buffer
        yield Shift(), ((*stack, (j,)), tuple(rest), arcs)
        if stack:
            *spine, x = stack[-1]
            yield (
                Insert() if spine else InsertRoot(),
                ((*stack[:-1], (*spine, j)), tuple(rest), arcs | arcs_of(spine, j, x)),
            )
    if is_complete:
        *below, (root, *_) = stack
        yield LeftPred(), ((*below, (X({root}),)), buffer, arcs)
        yield RightPred(), ((*below, (root, X())), buffer, arcs)
        if below:
            *below, (*spine, x) = below
            yield LeftComp(), ((*below, (*spine, x | {root})), buffer, arcs)
            yield (
                RightComp() if spine else RightCompRoot(),
                ((*below, (*spine, root, X())), buffer, arcs | arcs_of(spine, root, x)),
            )


def arcs_of(spine: list[int], word: int, x: X) -> set[tuple[int, int]]:
    """The arcs that are known when a word takes the place of a dummy node."""
    return {(head, word) for head in spine[-1:]} | {(word, dependent) for dependent in x}


@cache
def can_end(state: State) -> bool:
    """Whether parsing can end with one tree."""
    stack, buffer, _ = state
    is_tree = not buffer and len(stack) == 1 and not isinstance(stack[0][-1], frozenset)
    return is_tree or any(can_end(after) for _, after in published(state))


@pytest.mark.parametrize("n", [1, 2, 3, 4, slow(6)])
def test_transitions_are_those_of_the_paper_from_which_one_tree_can_be_reached(n: int) -> None:
    start: State = ((), tuple(range(1, n + 1)), frozenset())
    todo: list[tuple[Any, State]] = [(LeftCorner().initial(["w"] * n), start)]
    seen = 0
    while todo:
        cfg, state = todo.pop()
        seen += 1
        assert frozenset(arc for arc in cfg.arcs if arc[0]) == state[2]
        assert cfg.buffer == state[1]
        if cfg.is_final:
            assert len(state[0]) == 1
            continue
        after = {transition: successor for transition, successor in published(state) if can_end(successor)}
        assert {*cfg.possible_transitions()} == {*after}
        todo += [(transition(cfg), successor) for transition, successor in after.items()]
    assert seen >= n


@pytest.mark.parametrize(
    ("tree", "height"),
    [
        (tree_of((2, 3, 4, 5, 0)), 1),
        (tree_of((0, 1, 2, 3, 4)), 1),
        (tree_of((0, 1, 1, 1, 1)), 1),
        (tree_of((0, 3, 1)), 1),
        (tree_of((5, 4, 2, 1, 0)), 2),
        (tree_of((0, 4, 2, 1)), 2),
    ],
    ids=lambda value: str(getattr(value, "heads", value)),
)
def test_only_what_is_embedded_in_the_center_needs_a_higher_stack(tree: DependencyTree, height: int) -> None:
    @cache
    def least(cfg: Configuration) -> int:
        """The height that the stack of trees with x must have, from a configuration on."""
        here = len(cfg.stack)  # type: ignore[attr-defined]
        if cfg.is_final:
            return here
        return max(here, min(least(transition(cfg)) for transition in nondeterministic_oracle(cfg, tree)))

    assert least(LeftCorner().initial(tree)) == height
