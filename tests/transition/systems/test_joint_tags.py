"""Tags that Shift says: for all trees and tags, and in all configurations, each is lost alone, and arcs as before."""

from itertools import product
from typing import Any

import pytest

from deptrees import DependencyTree, Parser, Token, all_trees, sample_treebank
from deptrees.search import Space
from deptrees.transition import (
    Configuration,
    HammingLoss,
    JointTags,
    NotLeftToRight,
    Oracle,
    Shift,
    ShiftTag,
    Swap,
    as_system,
    cost,
    dynamic_oracle,
    encode,
    loss,
    typed,
)
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.systems.registry import system_from, system_record
from tests.tiers import slow

TAGS = ("NOUN", "VERB")
SYSTEMS = ("arc-standard", "arc-hybrid", "arc-standard-swap", "arc-hybrid-swap", "attardi")


def tagged(tree: DependencyTree, tags: tuple[str, ...]) -> DependencyTree:
    return DependencyTree(Token("w", head, "dep", upos=tag) for head, tag in zip(tree.heads, tags, strict=True))


def reached(system: JointTags, n: int) -> dict[Any, list[Any]]:
    """All configurations over n words, each with those that follow, whatever the tags."""
    space, todo = Space(system.transition_space(["dep"])), [system.initial(["w"] * n)]
    found: dict[Any, list[Any]] = {}
    while todo:
        cfg = todo.pop()
        if cfg not in found:
            possible = () if cfg.is_final else space.agreeing(cfg.possible_transitions())
            found[cfg] = [transition(cfg) for transition in possible]
            todo += found[cfg]
    return found


@pytest.mark.parametrize(
    ("name", "n"), [*[(name, n) for name in SYSTEMS for n in (1, 2)], *[slow(name, 3) for name in SYSTEMS]]
)
def test_losses_are_those_of_arcs_and_the_number_of_wrong_tags(name: str, n: int) -> None:
    system, hamming = JointTags(name, TAGS), HammingLoss(labeled=True)
    following = reached(system, n)
    golds = [tagged(tree, tags) for tree in all_trees(n) for tags in product(TAGS, repeat=n)]
    for gold in golds[:: 5 if Swap() in system.transition_space() and n == 3 else 1]:
        least: dict[Configuration, int] = {}

        def best(cfg: Any, gold: DependencyTree = gold, least: dict[Configuration, int] = least) -> int:
            if cfg not in least:
                ends = zip(gold, cfg.heads, cfg.tags, strict=True) if cfg.is_final else ()
                wrong = sum((word.head != head) + (word.upos != tag) for word, head, tag in ends)
                least[cfg] = wrong if cfg.is_final else min(map(best, following[cfg]))
            return least[cfg]

        for cfg in following:
            wrong_tags = sum(token.upos != tag for token, tag in zip(gold, cfg.tags, strict=False))
            assert hamming(cfg, gold) == best(cfg) == loss(cfg, gold) + wrong_tags
            if not cfg.is_final:
                free = {each for each in following[cfg] if best(each) == best(cfg)}
                assert {right(cfg) for right in dynamic_oracle(cfg, gold, typed)} == free
                assert all(cost(right, cfg, gold) == 0 for right in dynamic_oracle(cfg, gold))


@pytest.mark.parametrize("name", SYSTEMS)
def test_all_oracles_lead_to_the_tree_with_its_tags(name: str) -> None:
    system = JointTags(as_system(name), TAGS)
    golds = [tagged(tree, tags) for tree in all_trees(3) for tags in product(TAGS, repeat=3)]
    for oracle in system.oracles.names:
        for gold in golds:
            if system.obstacle(gold) is None:
                *_, (cfg, right) = Oracle(system, BY_NAME[oracle], typed)(gold)
                right = right[0] if isinstance(right, tuple) else right
                assert right(cfg).tree() == gold


def test_words_that_come_back_from_the_stack_keep_their_tags() -> None:
    cfg = JointTags().initial(["to", "and", "fro"])
    for transition in (ShiftTag("ADV"), ShiftTag("CCONJ"), Swap(), Shift()):
        cfg = transition(cfg)
    assert cfg.tags == ("ADV", "CCONJ")
    assert cfg.stack == (0, 2, 1)
    assert Shift() not in cfg.possible_transitions()


@pytest.mark.parametrize(
    ("name", "why"),
    [("arc-eager", "RightArc does"), ("easy-first", "no table"), ("list-based-projective", "no table")],
)
def test_another_transition_must_not_read(name: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        JointTags(name)


def test_there_must_be_tags() -> None:
    with pytest.raises(ValueError, match="tags are some texts"):
        JointTags(tags=())


def test_trees_as_tags_have_the_tags_of_words() -> None:
    tree = DependencyTree([Token("Sing", head=0, label="root", upos="VERB")])
    assert encode(JointTags("arc-hybrid"), tree) == ("ShiftTag:VERB+RightArc:root",)
    with pytest.raises(NotLeftToRight):
        encode(JointTags(), tree)


def test_records_say_the_system_without_tags() -> None:
    system = JointTags("arc-standard-swap", TAGS)
    assert system_from(system_record(system)) == system


@pytest.mark.parametrize("beam", [1, slow(4)])
@pytest.mark.filterwarnings("ignore::deptrees.engine.trainer.StepwiseWarning")
def test_a_parser_tags_raw_words_and_sees_no_tags_in_sentences(beam: int, tmp_path: Any) -> None:
    treebank = [*sample_treebank("train")][:40]
    parser = Parser.train(treebank, system=JointTags("arc-hybrid"), epochs=3, beam=beam)
    words = [token for tree in treebank for token in tree]
    parsed = [*parser.parse([[token.form for token in tree] for tree in treebank])]
    tags = [token.upos for tree in parsed for token in tree]
    right = [tag == token.upos for tag, token in zip(tags, words, strict=True)]
    assert sum(right) > 0.7 * len(right)
    with_gold_tags = [*parser.parse(treebank)]
    assert [tree.heads for tree in with_gold_tags] == [tree.heads for tree in parsed]
    assert [token.upos for tree in with_gold_tags for token in tree] == tags
    assert [token.feats for tree in with_gold_tags for token in tree] == [token.feats for token in words]
    best = [ranked[0].tree for ranked in parser.k_best(treebank, beam=beam, k=1)]
    assert best == with_gold_tags
    parser.save(tmp_path / "model")
    assert [*Parser.load(tmp_path / "model").parse(treebank)] == with_gold_tags
