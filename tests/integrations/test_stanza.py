"""The system of Stanza's transition-based parser against Stanza itself."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from deptrees import DependencyTree
from deptrees.transition import ArcTransition, Attach, LeftArc, Shift, StanzaAttach, Transition, cost
from tests.tiers import slow
from tests.transition.configurations import follow

PACKAGE = "stanza.models.depparse.transition"
nx = pytest.importorskip("networkx")
states = pytest.importorskip(f"{PACKAGE}.state", exc_type=ImportError)
transitions = pytest.importorskip(f"{PACKAGE}.transitions")
oracle = pytest.importorskip(f"{PACKAGE}.dynamic_oracle")


def theirs(transition: Transition, stack: tuple[int, ...]) -> Any:
    """What Stanza calls a transition."""
    if not isinstance(transition, ArcTransition):
        return transitions.Shift()
    side, near = "Right" if isinstance(transition, LeftArc) else "Left", stack[-2:-1] == (transition.k,)
    kind = getattr(transitions, f"{'Projective' if near else 'Nonprojective'}{side}")
    return kind(None) if near else kind(None, transition.k)


def state_after(history: Iterable[Transition], n: int) -> Any:
    state, cfg = states.state_from_text(["w"] * n), StanzaAttach().initial(["w"] * n)
    for transition in history:
        state, cfg = theirs(transition, cfg.stack).apply(state), follow(cfg, [transition])
    return state


@pytest.mark.parametrize("n", [1, 2, 3, slow(4)])
def test_the_system_is_that_of_its_parser_along_all_derivations(n: int) -> None:
    asked = [Shift(), *[kind(k=k) for kind in (LeftArc, Attach) for k in range(1, n + 1)]]
    todo: list[Any] = [StanzaAttach().initial(["w"] * n)]
    while todo:
        cfg = todo.pop()
        state = state_after(cfg.history, n)
        if cfg.is_final:
            assert transitions.Finalize().is_legal(state)
            state = transitions.Finalize().apply(state)
        heads = [[*state.parsed_graph.successors(w)] if w in state.parsed_graph else [] for w in range(1, n + 1)]
        assert heads == [[] if head is None else [head] for head in cfg.heads]
        assert cfg.is_final or (*state.current_heads,) == cfg.stack
        assert state.word_position == cfg.front - 1
        if not cfg.is_final:
            assert not transitions.Finalize().is_legal(state)
            possible = {each for each in asked if is_offered(each, cfg) and theirs(each, cfg.stack).is_legal(state)}
            assert possible == {*cfg.possible_transitions()}
            todo += [transition(cfg) for transition in possible]


def is_offered(transition: Transition, cfg: Any) -> bool:
    """Whether Stanza's network scores it: roots on the stack, or words that have been shifted, are pointed at."""
    if isinstance(transition, ArcTransition):
        return transition.k in (cfg.stack if isinstance(transition, LeftArc) else range(1, cfg.front))
    return True


def repaired(tree: DependencyTree, history: Iterable[Transition]) -> list[Any] | None:
    """The gold sequence after some transitions, if Stanza has a repair for each that is wrong."""
    graph = nx.DiGraph((word, head, {"deprel": None}) for word, head in enumerate(tree.heads, 1))
    cfg, sequence = StanzaAttach().initial(tree), states.build_gold_sequence(graph)
    for transition in history:
        state = SimpleNamespace(gold_sequence=sequence, transitions=cfg.history)
        kind, found = oracle.repair(state, sequence[len(cfg.history)], theirs(transition, cfg.stack))
        if found is None and kind.name != "CORRECT":
            return None
        cfg, sequence = follow(cfg, [transition]), found or sequence
    return sequence


def test_its_oracle_leaves_out_what_the_errata_say() -> None:
    fan, before = DependencyTree([(0, "Sing"), (1, "it"), (1, "again")]), (Shift(), Shift())
    cfg = follow(StanzaAttach().initial(fan), before)
    sequence = repaired(fan, before)
    assert sequence is not None
    assert sequence[2] == theirs(Attach(), cfg.stack)
    assert [cost(transition, cfg, fan) for transition in (Attach(), Shift())] == [0, 0]
    assert repaired(fan, (*before, Shift())) is None


def test_its_oracle_names_what_is_not_possible_where_the_errata_say_so() -> None:
    tree = DependencyTree(zip((4, 3, 0, 2), ["w"] * 4, strict=True))
    history = (Shift(), Shift(), Attach(), Shift(), Shift(), LeftArc())
    cfg, sequence = follow(StanzaAttach().initial(tree), history), repaired(tree, history)
    assert sequence is not None
    named = sequence[len(history)]
    assert named == theirs(Attach(k=2), cfg.stack)
    assert not Attach(k=2).is_possible(cfg)
    state = state_after(history, 4)
    assert not named.is_legal(state)
    with pytest.raises(AssertionError, match="circular graph"):
        named.apply(state)
