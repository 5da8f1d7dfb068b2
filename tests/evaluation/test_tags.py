from math import isnan

import pytest

from deptrees import DependencyTree, EvaluationError, Token, sample_treebank, tag_accuracy
from deptrees.evaluation.tags import TagColumn

GOLD = DependencyTree(
    [Token("Birds", upos="NOUN", feats="Number=Plur"), Token("sing", upos="VERB", xpos="VBP"), Token("!")]
)
OTHER = DependencyTree([Token("Birds", upos="NOUN", xpos="NNS"), Token("sing", upos="NOUN", feats="A=B"), Token("!")])


@pytest.mark.parametrize(("column", "accuracy"), [("upos", 1 / 2), ("xpos", 0), ("feats", 1 / 3)])
def test_words_with_a_gold_tag_count_and_feats_always(column: TagColumn, accuracy: float) -> None:
    assert tag_accuracy([GOLD], [OTHER], column) == pytest.approx(accuracy)
    assert tag_accuracy(GOLD, OTHER, column) == pytest.approx(accuracy)
    assert tag_accuracy([GOLD] * 3, [OTHER, GOLD, GOLD], column) == pytest.approx((accuracy + 2) / 3)


def test_without_gold_tags_there_is_no_accuracy() -> None:
    assert isnan(tag_accuracy(DependencyTree([(0, "Go")]), DependencyTree([(0, "Go")])))
    assert isnan(tag_accuracy([], []))


def test_sentences_must_be_the_same() -> None:
    trees = list(sample_treebank("train"))
    with pytest.raises(EvaluationError, match=r"^sentence 1 \(sample-train-001 in gold, sample-dev-001 in predicted\)"):
        tag_accuracy(trees, sample_treebank("dev"))
    with pytest.raises(EvaluationError, match="there is no predicted tree for sentence 68"):
        tag_accuracy(trees, trees[:-1])
