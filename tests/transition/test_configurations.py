from random import Random
from typing import Any

import attrs
import pytest

from deptrees import ROOT, DependencyTree, Token
from deptrees.transition import (
    PADDING,
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Attardi,
    EasyFirst,
    IllegalTransition,
    LeftArc,
    Oracle,
    Reduce,
    RightArc,
    Shift,
    StackBufferSystem,
    System,
    Transition,
    dynamic_oracle,
    reachable,
    static_oracle,
    typed,
)
from tests.transition.configurations import EVERY_SYSTEM, SYSTEMS, words


def test_initial_configuration_with_root_first_and_last() -> None:
    first, last = ArcEager().initial(words(2)), ArcEager(root="last").initial(words(2))
    assert (first.stack, first.buffer) == ((0,), (1, 2))
    assert (last.stack, last.buffer) == ((), (1, 2, 0))
    assert first.heads == last.heads == (None, None)


def test_root_position_is_first_or_last() -> None:
    with pytest.raises(ValueError, match="root"):
        ArcEager(root="middle")  # type: ignore[arg-type]


def test_initial_takes_trees_tokens_and_strings_and_sees_words_only() -> None:
    tree = DependencyTree([Token("Birds", 2, "nsubj", upos="NOUN", deps="2:nsubj"), Token("sing", 0, "root")])
    cfg = ArcHybrid().initial(tree)
    assert cfg.tokens == (Token("Birds", upos="NOUN", id=1), Token("sing", id=2))
    assert cfg.buffer_token(0).head is None
    assert cfg.buffer_token(0).label is None
    assert ArcHybrid().initial(["Birds", Token("sing")]).tokens == (Token("Birds", id=1), Token("sing", id=2))


def test_arc_eager_derivation_step_by_step() -> None:
    cfg = ArcEager().initial(["I", "saw", "her"])
    cfg = Shift()(cfg)
    assert (cfg.stack, cfg.buffer) == ((0, 1), (2, 3))
    cfg = LeftArc("nsubj")(cfg)
    assert (cfg.stack, cfg.buffer, cfg.heads) == ((0,), (2, 3), (2, None, None))
    cfg = RightArc("root")(cfg)
    assert (cfg.stack, cfg.buffer, cfg.arcs) == ((0, 2), (3,), ((2, 1), (0, 2)))
    cfg = RightArc("obj")(cfg)
    assert cfg.is_final
    assert cfg.labels == ("nsubj", "root", "obj")
    assert cfg.tree() == DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj")])


def test_reduce_takes_an_attached_word_off_the_stack() -> None:
    cfg = RightArc()(RightArc()(ArcEager().initial(words(3))))
    assert cfg.stack == (0, 1, 2)
    assert Reduce()(cfg).stack == (0, 1)


def test_arc_standard_attaches_to_the_two_topmost() -> None:
    cfg = Shift()(Shift()(ArcStandard().initial(words(2))))
    assert (LeftArc()(cfg).stack, LeftArc()(cfg).arcs) == ((0, 2), ((2, 1),))
    assert (RightArc()(cfg).stack, RightArc()(cfg).arcs) == ((0, 1), ((1, 2),))


def test_tree_keeps_comments_and_extra_tokens() -> None:
    source = DependencyTree([(0, "ca"), (1, "n't")], ["# text = can't"], [(0, Token("can't", id="1-2"))])
    cfg = ArcHybrid().initial(source)
    for transition in (Shift(), Shift(), RightArc("advmod"), RightArc("root")):
        cfg = transition(cfg)
    assert cfg.tree() == source.reattach([0, 1], ["root", "advmod"])


def test_tokens_of_stack_and_buffer_with_padding() -> None:
    cfg = Shift()(ArcEager().initial(words(2)))
    assert [cfg.stack_token(i).form for i in range(3)] == ["w1", "ROOT", ""]
    assert cfg.stack_token(1) is ROOT
    assert cfg.stack_token(2) is cfg.buffer_token(7) is PADDING
    assert [cfg.stack_position(i) for i in range(4)] == [1, 0, -1, -1]
    assert [cfg.buffer_position(i) for i in range(2)] == [2, -1]


@pytest.mark.parametrize(
    ("system", "path", "illegal", "reason"),
    [
        (ArcEager(), [], LeftArc(), "s0 ≠ 0"),
        (ArcEager(), [], Reduce(), "s0 ≠ 0"),
        (ArcEager(), [Shift()], Reduce(), "s0 has a head"),
        (ArcEager(), [RightArc()], LeftArc(), "s0 has no head"),
        (ArcEager(), [Shift()], Shift(), "ROOT first: b1 exists"),
        (ArcEager(), [Shift()], RightArc(), "ROOT first: b1 exists or σ ∩ unattached is empty"),
        (ArcEager(root="last"), [], RightArc(), "s0 exists"),
        (ArcEager(root="last"), [Shift(), Shift()], Shift(), "b0 ≠ 0"),
        (ArcHybrid(), [Shift(), Shift()], LeftArc(), "b0 exists"),
        (ArcHybrid(), [], RightArc(), "s1 exists"),
        (ArcStandard(), [Shift()], LeftArc(), "s1 ≠ 0"),
        (ArcStandard(), [], RightArc(k=2), "k = 1, in ArcStandard"),
        (ArcStandard(), [Shift()], RightArc(k=2), "k = 1, in ArcStandard"),
        (Attardi(), [], LeftArc(k=3), "k = 1 or 2, in Attardi"),
        (ArcStandard(), [], Reduce(), "has no Reduce"),
    ],
)
def test_illegal_transitions_name_what_is_missing(
    system: StackBufferSystem, path: list[Shift], illegal: Shift, reason: str
) -> None:
    cfg = system.initial(words(2))
    for transition in path:
        cfg = transition(cfg)
    assert not illegal.is_possible(cfg)
    with pytest.raises(IllegalTransition, match=reason):
        illegal(cfg)


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_possible_transitions_are_those_that_do_not_raise(system: StackBufferSystem) -> None:
    for cfg in reachable(system, 3):
        for transition in system.transition_space():
            assert transition.is_possible(cfg) == (transition in cfg.possible_transitions())
            if transition.is_possible(cfg):
                transition(cfg)
            else:
                with pytest.raises(IllegalTransition):
                    transition(cfg)


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_dependent_is_the_word_that_the_arc_attaches(system: StackBufferSystem) -> None:
    for cfg in reachable(system, 3):
        for transition in cfg.possible_transitions() if not cfg.is_final else ():
            attached = {
                word
                for word, (before, after) in enumerate(zip(cfg.heads, transition(cfg).heads, strict=True), 1)
                if before != after
            }
            dependent = cfg.dependent(transition)
            if system.root == "none" and transition(cfg).is_final:
                attached -= set(transition(cfg).tree().roots)
            assert attached <= {dependent}
            assert dependent is None or transition(cfg).heads[dependent - 1] is not None


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_configurations_are_immutable_and_equal_by_content(system: StackBufferSystem) -> None:
    one, other = system.initial(words(2)), system.initial(words(2))
    assert one == other
    assert hash(one) == hash(other)
    assert Shift()(one) == Shift()(other) != one
    assert one != system.initial(words(3))
    elsewhere: Any = next(root for root in system.roots if root != system.root)
    assert one != attrs.evolve(system, root=elsewhere).initial(words(2))
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        one.buffer = ()  # type: ignore[misc]


def test_labels_make_a_difference() -> None:
    cfg = Shift()(ArcHybrid().initial(words(2)))
    assert LeftArc("a")(cfg) == LeftArc("a")(cfg) != LeftArc("b")(cfg)


@pytest.mark.parametrize(
    ("system", "paths"),
    [
        (
            ArcStandard(),
            (
                [Shift(), Shift(), LeftArc(), Shift(), RightArc(), RightArc()],
                [Shift(), Shift(), Shift(), RightArc(), LeftArc(), RightArc()],
            ),
        ),
        (EasyFirst(), ([LeftArc(k=2), RightArc(k=2)], [RightArc(k=3), LeftArc(k=2)])),
    ],
    ids=repr,
)
def test_different_paths_to_the_same_content_are_equal(
    system: System, paths: tuple[list[Transition], list[Transition]]
) -> None:
    ends = []
    for path in paths:
        cfg: Any = system.initial(words(3))
        for transition in path:
            cfg = transition(cfg)
        assert cfg.history == tuple(path)
        ends.append(cfg)
    assert ends[0] == ends[1]
    assert hash(ends[0]) == hash(ends[1])


@pytest.mark.parametrize("system", EVERY_SYSTEM, ids=repr)
def test_configurations_know_the_transitions_that_led_to_them(system: System) -> None:
    rng = Random(1)
    cfg: Any = system.initial(words(4))
    taken: list[Transition] = []
    while not cfg.is_final:
        assert cfg.history == tuple(taken)
        taken.append(rng.choice(cfg.possible_transitions()))
        cfg = taken[-1](cfg)
    assert cfg.history == tuple(taken)


@pytest.mark.parametrize("system", EVERY_SYSTEM, ids=repr)
def test_derivations_know_the_transitions_that_led_on(system: System) -> None:
    tree = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (2, "her", "obj")])
    oracle = Oracle(system, static_oracle if system.oracles.static else dynamic_oracle, typed)
    taken: list[Any] = []
    for cfg, transition in oracle(tree):
        assert cfg.history == tuple(taken)
        taken.append(transition)
    assert taken


def test_a_step_shares_the_stack_buffer_and_arcs_it_does_not_change() -> None:
    cfg = Shift()(Shift()(ArcEager().initial(words(1000))))
    _, stack, buffer, arcs, *_ = cfg._state
    _, shifted_stack, shifted_buffer, shifted_arcs, taken, before = Shift()(cfg)._state
    assert shifted_stack[1] is stack
    assert shifted_buffer is buffer[1]
    assert shifted_arcs is arcs
    assert taken == Shift()
    assert before is cfg._state
    _, left_stack, left_buffer, left_arcs, *_ = LeftArc()(cfg)._state
    assert left_stack is stack[1]
    assert left_buffer is buffer
    assert left_arcs[3] is arcs


def test_very_long_sentences_are_no_problem() -> None:
    cfg = ArcEager(root="last").initial(words(20_000))
    while Shift().is_possible(cfg):
        cfg = Shift()(cfg)
    assert len(cfg.stack) == 20_000
    assert isinstance(hash(cfg), int)


def test_transitions_are_values() -> None:
    assert LeftArc("nsubj") == LeftArc("nsubj")
    assert len({LeftArc("nsubj"), RightArc("nsubj")}) == 2
    assert LeftArc("nsubj") != LeftArc("obj")
    assert LeftArc("nsubj", k=2) != LeftArc("nsubj")
    assert len({Shift(), Shift(), Reduce(), LeftArc(), LeftArc("x")}) == 4
    for transition in (Shift(), Reduce(), LeftArc(), RightArc("nsubj", "NOUN"), LeftArc("nsubj", k=3)):
        assert eval(repr(transition)) == transition


def test_transition_space_lists_every_transition_once_for_each_label() -> None:
    assert set(ArcEager().transition_space()) == {Shift(), Reduce(), LeftArc(), RightArc()}
    space = ArcEager().transition_space(["a", "b"])
    assert len(space) == len(set(space)) == 6
    assert set(space) == {Shift(), Reduce(), LeftArc("a"), LeftArc("b"), RightArc("a"), RightArc("b")}


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_an_empty_sentence_ends_at_once_or_by_shifting_root(system: StackBufferSystem) -> None:
    cfg = system.initial([])
    while not cfg.is_final:
        cfg = Shift()(cfg)
    assert cfg.tree() == DependencyTree([])
