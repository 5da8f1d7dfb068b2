"""Jackknifing: tags from taggers that have not seen the words."""

import pytest

from deptrees import DependencyTree, Token, sample_treebank
from deptrees.tagger import jackknifed
from deptrees.training import TrainingError
from tests.tiers import slow

TRAIN = list(sample_treebank("train"))


@pytest.mark.parametrize("folds", [2, slow(7), slow(200)])
def test_jackknifing_tags_every_tree_by_what_is_learned_from_others(folds: int) -> None:
    trees = [DependencyTree([Token(f"w{number}", upos=f"T{number}"), Token("x", upos="X")]) for number in range(12)]
    tagged = list(jackknifed(trees, folds, epochs=1))
    assert [[token.form for token in tree] for tree in tagged] == [[token.form for token in tree] for tree in trees]
    assert not any(ours[1].upos == gold[1].upos for ours, gold in zip(tagged, trees, strict=True))


def test_jackknifing_needs_two_folds() -> None:
    with pytest.raises(ValueError, match="two are the least"):
        jackknifed(TRAIN, folds=1)


def test_one_sentence_is_too_few() -> None:
    with pytest.raises(TrainingError, match="there is one sentence"):
        jackknifed(TRAIN[:1])
