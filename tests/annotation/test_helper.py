"""The helper: its proposals have all that is decided, whether its parser can build that or not."""

import random

import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.annotation import Helper, SetHead
from deptrees.parser import Parser
from deptrees.training.records import TrainingError
from tests.annotation.sentences import sentence_of, without_arcs
from tests.transition.configurations import random_tree

TREES = [*sample_treebank("train")]


def test_proposals_have_all_that_is_decided_or_before_it_crossing_arcs_too(parser: Parser) -> None:
    chance, helper = random.Random(2), Helper(parser)
    crossing = 0
    for _ in range(12):
        tree = random_tree(7, chance)
        crossing += parser.system.obstacle(tree) is not None
        labels = [chance.choice([*parser.labels, "new", None]) for _ in tree]
        sentence = sentence_of(tree.reattach(tree.heads, labels)).reopened(chance.sample(range(1, 8), 3))
        [found] = helper.propose([sentence])
        assert None not in found.heads
        DependencyTree([(head, "x") for head in found.heads])  # is a tree
        rows = zip(sentence.kept.heads, sentence.kept.labels, found.heads, found.labels, strict=True)
        assert all(head in (None, its) and label in (None, own) for head, label, its, own in rows)
    assert crossing


def test_without_decisions_the_proposal_is_the_parse(parser: Parser) -> None:
    sentences = [sentence_of(without_arcs(tree)) for tree in TREES[:5]]
    found = Helper(parser).propose(sentences)
    assert [it.heads for it in found] == [it.heads for it in parser.parse(TREES[:5])]


def test_what_is_decided_is_learned_also_from_parts_of_sentences() -> None:
    sentences = [sentence_of(tree).reopened(range(1, len(tree), 2)) for tree in TREES[:10]]
    helper = Helper.of(sentences)
    assert helper.is_own
    [found] = helper.propose([sentence_of(without_arcs(TREES[0]))])
    assert found.confidence is not None
    assert all(0 < it < 1 for it in found.confidence)
    again = SetHead(1, len(TREES[0]))(sentence_of(without_arcs(TREES[0])))
    [around] = helper.propose([again])
    assert around.heads[0] == len(TREES[0])
    assert not helper.trained(sentences).is_own
    with pytest.raises(TrainingError, match="it takes 5"):
        Helper.of(sentences[:4])
