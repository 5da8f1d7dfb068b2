"""Hamming losses with weights and labels, against enumeration."""

from functools import cache
from random import Random
from typing import Any

import pytest

from deptrees import DependencyTree, Token, all_trees, is_projective
from deptrees.search import Space
from deptrees.training.inputs import is_complete
from deptrees.transition import (
    ArcEager,
    HammingLoss,
    LeftArc,
    LeftCorner,
    ListBasedNonMonotonic,
    NonMonotonicArcEager,
    Oracle,
    OracleNotDefined,
    RightArc,
    SpacyArcEager,
    StanzaAttach,
    System,
    dynamic_oracle,
    loss,
    reachable,
    reachable_heads,
    typed,
)
from deptrees.transition.systems.registry import REGISTRY

WEIGHTS = {"a": 1, "b": 3, "c": 2}
LABELS = ("x", "y")
TAGS = ("NOUN", "VERB")
MENDED_LATER = (LeftCorner, ListBasedNonMonotonic, NonMonotonicArcEager, SpacyArcEager, StanzaAttach)
"""Those in which a later arc can mend a wrong label, or a root gets its label by itself."""


def weight(token: Token) -> int:
    return WEIGHTS[token.form]


@pytest.mark.parametrize(
    ("system", "labeled"),
    [
        (registered.example, labeled)
        for registered in REGISTRY.values()
        for labeled in (False, True)
        if not (labeled and registered.kind in MENDED_LATER)
    ],
    ids=repr,
)
def test_losses_are_those_of_the_best_tree_within_reach(system: System, labeled: bool) -> None:
    """With labels only where no later arc mends a wrong one, and no root gets its label by itself."""
    random = Random(1)
    hamming = HammingLoss(weight, labeled)
    words = [Token(form) for form in "abc"]
    trees = [
        DependencyTree(
            Token(form, head, random.choice(LABELS), upos=random.choice(TAGS))
            for form, head in zip("abc", tree.heads, strict=True)
        )
        for tree in all_trees(3)
    ]
    trees = random.sample(trees, 2)  # all transitions toward them are followed
    space = Space(system.transition_space(LABELS))

    @cache
    def best(cfg: Any, tree: DependencyTree) -> int:
        if cfg.is_final:
            return wrong(cfg, tree)
        return min(best(t(cfg), tree) for t in space.agreeing(cfg.possible_transitions()))

    def wrong(cfg: Any, tree: DependencyTree) -> int:
        arcs = zip(tree.tokens, system.gold_heads(tree), cfg.heads, cfg.labels, strict=True)
        of_arcs = sum(
            weight(token)
            for token, gold, head, label in arcs
            if head != gold or (labeled and head is not None and label != token.label)
        )
        tags = zip(tree.tokens, cfg.tokens, strict=True) if labeled and system.tags else ()
        return of_arcs + sum(weight(token) for token, word in tags if word.upos != token.upos)

    for _ in range(5):
        cfg: Any = system.initial(words)
        tree = random.choice(trees)
        while not cfg.is_final:
            assert hamming(cfg, tree) == best(cfg, tree), (cfg, tree)
            cfg = random.choice(space.agreeing(cfg.possible_transitions()))(cfg)


@pytest.mark.parametrize("system", [registered.example for registered in REGISTRY.values()], ids=repr)
def test_what_weighs_more_than_all_the_rest_is_given_up_last(system: System) -> None:
    """So it is an oracle for training under constraints (Aufrant & Wisniewski 2017, section 4.5)."""
    random, hamming = Random(1), HammingLoss(lambda token: 100 if token.form == "a" else 1)
    trees = [DependencyTree(zip(tree.heads, "abc", strict=True)) for tree in all_trees(3)]
    kept = 0
    for _ in range(8):
        tree, cfg = random.choice(trees), system.initial(["a", "b", "c"])
        gold = system.gold_heads(tree)
        while not cfg.is_final:
            within_reach = [heads for heads in reachable_heads(cfg) if heads[0] == gold[0]]
            if within_reach:
                kept += 1
                end = cfg
                while not end.is_final:
                    end = random.choice(hamming.oracle(end, tree))(end)
                least = min(len(system.wrong_words(heads, tree)) for heads in within_reach)
                assert (end.heads[0], len(system.wrong_words(end.heads, tree))) == (gold[0], least)
            cfg = random.choice(cfg.possible_transitions())(cfg)
    assert kept


@pytest.mark.parametrize("system", [ArcEager(), ArcEager(root="last", single_root=True)], ids=repr)
def test_without_weights_and_labels_it_is_the_loss(system: System) -> None:
    tree = DependencyTree([(2, "a"), (0, "b"), (2, "c")])
    for cfg in reachable(system, 3):
        assert HammingLoss()(cfg, tree) == loss(cfg, tree)
        if not cfg.is_final:
            assert HammingLoss().oracle(cfg, tree) == dynamic_oracle(cfg, tree)


def test_a_wrong_label_costs_where_labels_count() -> None:
    tree = DependencyTree([(2, "a", "x"), (0, "b", "y")])
    cfg = ArcEager(root="last").initial(tree)
    cfg = cfg.possible_transitions()[-1](cfg)
    assert HammingLoss(labeled=True).cost(LeftArc("y"), cfg, tree) == 1
    assert HammingLoss(labeled=True).cost(LeftArc("x"), cfg, tree) == 0
    assert HammingLoss().cost(LeftArc("y"), cfg, tree) == 0
    assert HammingLoss(labeled=True).cost(RightArc("y"), cfg, tree) == loss(RightArc()(cfg), tree)


@pytest.mark.parametrize("wrong", [0.5, -1, "1", None])
def test_weights_are_whole_numbers(wrong: Any) -> None:
    cfg = ArcEager().initial(["a"])
    with pytest.raises(ValueError, match=f"the weight of the word 'a' is a whole number, 0 or more, not {wrong!r}"):
        HammingLoss(lambda _: wrong)(cfg, DependencyTree([(0, "a")]))


def test_it_is_written_the_same_in_every_run() -> None:
    assert repr(HammingLoss(weight)) == "HammingLoss(weight=weight, labeled=False)"


def test_it_is_an_oracle_for_training() -> None:
    tree = DependencyTree([(2, "a", "x"), (0, "b", "y")])
    gold = [transitions for _, transitions in Oracle(ArcEager(), HammingLoss(weight).oracle, label=typed)(tree)]
    assert (LeftArc("x"),) in gold
    assert is_complete(HammingLoss(weight).oracle)  # so training explores


def test_what_weighs_least_is_given_up_of_trees_that_cannot_be_built() -> None:
    crossing = DependencyTree([(5, "What"), (4, "did"), (4, "you"), (0, "talk"), (4, "about")])
    for form, kept in ("What", 0), ("talk", 3):
        hamming = HammingLoss(lambda token, form=form: 3 if token.form == form else 1)  # type: ignore[misc]
        for cfg, transitions in Oracle(ArcEager(), hamming.oracle)(crossing):
            assert hamming.cost(transitions[0], cfg, crossing) == 0
            end = transitions[0](cfg)
        assert not is_projective(crossing)
        assert end.is_final
        assert end.heads[kept] == crossing.heads[kept]
        assert hamming(end, crossing) == hamming(ArcEager().initial(crossing), crossing)


def test_systems_without_a_dynamic_oracle_say_so() -> None:
    class Static(ArcEager):
        def loss(self) -> None:
            return None

    tree = DependencyTree([(2, "a"), (0, "b")])
    with pytest.raises(OracleNotDefined, match="does not tell what weighted arcs cost"):
        HammingLoss()(Static().initial(tree), tree)
