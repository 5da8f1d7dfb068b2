"""Against Stanza itself, where it is installed: it belongs to no extra."""

from functools import reduce
from typing import Any

import pytest

from deptrees.transition import Attach, LeftArc, Shift, StanzaAttach, Transition
from tests.tiers import slow


@pytest.mark.parametrize("n", [1, 2, 3, slow(4)])
def test_the_system_is_that_of_stanza_along_all_derivations(n: int) -> None:
    """Of its transitions, those that take any word or root stand for the others, which take s1."""
    states = pytest.importorskip("stanza.models.depparse.transition.state")
    moves = pytest.importorskip("stanza.models.depparse.transition.transitions")

    def after(state: Any, transition: Transition) -> Any:
        if isinstance(transition, LeftArc):
            return moves.NonprojectiveRight("dep", transition.k).apply(state)
        if isinstance(transition, Attach):
            return moves.NonprojectiveLeft("dep", transition.k).apply(state)
        return moves.Shift().apply(state)

    todo = [StanzaAttach().initial(["w"] * n)]
    while todo:
        cfg = todo.pop()
        state = reduce(after, cfg.history, states.state_from_text(["w"] * n))  # changed by what is applied to it
        heads = dict([*state.parsed_graph.edges])
        assert [heads.get(word, 0) for word in range(1, n + 1)] == [head or 0 for head in cfg.heads]
        assert state.current_heads == [*cfg.stack]
        assert [*range(state.word_position + 1, n + 1)] == [*cfg.buffer]
        assert moves.Finalize().is_legal(state) == cfg.is_final
        shifted = range(1, state.word_position + 1)
        possible: list[Transition] = [
            *[LeftArc(k=k) for k in state.current_heads if moves.NonprojectiveRight("dep", k).is_legal(state)],
            *[Attach(k=k) for k in shifted if moves.NonprojectiveLeft("dep", k).is_legal(state)],
            *[Shift()] * moves.Shift().is_legal(state),
        ]
        assert possible == [*cfg.possible_transitions()]
        todo += [transition(cfg) for transition in possible]
