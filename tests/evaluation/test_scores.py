from collections.abc import Iterator
from math import isnan
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import (
    DependencyTree,
    EvaluationError,
    Scores,
    Treebank,
    evaluate,
    labeled_accuracy,
    unlabeled_accuracy,
    write_treebank,
)
from deptrees.evaluation.predictions import Predictions
from tests.gold_trees import head_vectors, tree_of

GOLD = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")], ["# sent_id = g1"])
ONE_HEAD_WRONG = GOLD.reattach([2, 0, 2, 2])
ONE_LABEL_WRONG = GOLD.reattach(GOLD.heads, ["nsubj", "root", "det", "obl"])
HEAD_AND_OTHER_LABEL_WRONG = GOLD.reattach([2, 0, 2, 2], ["nsubj", "root", "det", "obl"])


@pytest.mark.parametrize(
    ("predicted", "uas", "las", "label_accuracy", "exact_match"),
    [
        (GOLD, 1, 1, 1, 1),
        (ONE_HEAD_WRONG, 3 / 4, 3 / 4, 1, 0),
        (ONE_LABEL_WRONG, 1, 3 / 4, 3 / 4, 1),
        (HEAD_AND_OTHER_LABEL_WRONG, 3 / 4, 2 / 4, 3 / 4, 0),
        (GOLD.reattach([None] * 4), 0, 0, 1, 0),
        (GOLD.reattach(GOLD.heads, [None] * 4), 1, 0, 0, 1),
    ],
)
def test_the_scores_of_a_tree(
    predicted: DependencyTree, uas: float, las: float, label_accuracy: float, exact_match: float
) -> None:
    scores = evaluate(GOLD, predicted)
    assert (scores.uas, scores.las, scores.exact_match) == (uas, las, exact_match)
    assert scores.label_accuracy == label_accuracy
    assert (unlabeled_accuracy(GOLD, predicted), labeled_accuracy(GOLD, predicted)) == (uas, las)
    assert (scores.words, scores.sentences) == (4, 1)


def test_words_without_a_gold_head_are_counted_apart() -> None:
    gold = GOLD.reattach([None, 0, None, 2])
    assert evaluate(gold, ONE_HEAD_WRONG) == Scores(
        words=2, correct_heads=2, correct_arcs=2, sentences=1, correct_trees=1, empty_words=2, correct_labels=2
    )
    scores = evaluate(gold, GOLD.reattach([None, None, 4, 2]))
    assert (scores.correct_empty_words, scores.empty_words, scores.empty_accuracy) == (1, 2, 1 / 2)
    nothing_known = GOLD.reattach([None] * 4)
    assert evaluate(nothing_known, nothing_known) == Scores(empty_words=4, correct_empty_words=4)
    assert isnan(evaluate(GOLD, nothing_known).empty_accuracy)
    assert evaluate(gold, GOLD.reattach([2, 0, 4, None])).uas == 1 / 2
    assert evaluate(gold, gold).uas == 1


def test_labels_agree_to_the_letter() -> None:
    assert labeled_accuracy(DependencyTree([(0, "a", "obl:tmod")]), DependencyTree([(0, "a", "obl")])) == 0
    assert labeled_accuracy(DependencyTree([(0, "a")]), DependencyTree([(0, "a")])) == 1


def test_treebanks_lists_and_generators_are_compared_sentence_by_sentence(tmp_path: Path) -> None:
    gold, predicted = [GOLD, GOLD, GOLD], [GOLD, ONE_HEAD_WRONG, ONE_LABEL_WRONG]
    expected = Scores(words=12, correct_heads=11, correct_arcs=10, sentences=3, correct_trees=2, correct_labels=11)
    write_treebank(tmp_path / "gold.conllu", gold)
    assert evaluate(gold, predicted) == expected
    assert evaluate(Treebank(tmp_path / "gold.conllu"), predicted) == expected
    assert evaluate(iter(gold), (tree for tree in predicted)) == expected
    assert evaluate(GOLD, iter([GOLD])) == Scores(4, 4, 4, 1, 1, correct_labels=4)
    assert unlabeled_accuracy(gold, iter(predicted)) == 11 / 12
    assert labeled_accuracy(iter(gold), predicted) == 10 / 12


def test_words_weigh_the_same_in_short_and_long_sentences() -> None:
    short = DependencyTree([(0, "Go")])
    assert unlabeled_accuracy([GOLD, short], [ONE_HEAD_WRONG, short]) == 4 / 5


def test_sentences_are_taken_one_by_one() -> None:
    taken: list[str] = []

    def trees(name: str) -> Iterator[DependencyTree]:
        for _ in range(3):
            taken.append(name)
            yield GOLD

    evaluate(trees("gold"), trees("predicted"))
    assert taken == ["gold", "predicted"] * 3


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([GOLD, GOLD], [GOLD], r"no predicted tree for sentence 2"),
        ([GOLD], [GOLD, GOLD], r"no gold tree for sentence 2"),
        ([GOLD], [], r"no predicted tree for sentence 1"),
        ([GOLD], [attrs.evolve(GOLD, tokens=GOLD.tokens[:2])], r"sentence 1 \(g1\) has 4 gold words, but 2 predicted"),
        (
            [GOLD],
            [DependencyTree([], comments=["# sent_id = g2"])],
            r"sentence 1 \(g1 in gold, g2 in predicted\) has 4 gold words, but 0 predicted",
        ),
        ([GOLD], [DependencyTree([])], r"sentence 1 \(g1\) has 4 gold words, but 0 predicted"),
        (
            [tree_of((0,)), GOLD],
            [tree_of((0,)), DependencyTree([(2, "I"), (0, "saw"), (4, "the"), (2, "dog")])],
            r"sentence 2 \(g1\): word 3 is 'a' in gold, but 'the' in predicted",
        ),
        ([tree_of((0,))], [DependencyTree([(0, "x")])], r"sentence 1: word 1 is 'w1' in gold, but 'x' in predicted"),
    ],
)
def test_other_sentences_are_refused(gold: list[DependencyTree], predicted: list[DependencyTree], message: str) -> None:
    for score in (evaluate, unlabeled_accuracy, labeled_accuracy):
        with pytest.raises(EvaluationError, match=message):
            score(iter(gold), iter(predicted))


@pytest.mark.parametrize("gold", [DependencyTree([]), GOLD.reattach([None] * 4), []], ids=["empty", "no heads", "none"])
def test_without_words_there_is_no_score(gold: DependencyTree | list[DependencyTree]) -> None:
    assert isnan(unlabeled_accuracy(gold, gold))
    assert isnan(labeled_accuracy(gold, gold))


def test_without_sentences_there_is_no_exact_match() -> None:
    assert isnan(Scores().exact_match)
    assert isnan(evaluate([], []).exact_match)


def test_scores_are_added_count_by_count() -> None:
    assert Scores(1, 2, 3, 4, 5) + Scores(10, 20, 30, 40, 50) == Scores(11, 22, 33, 44, 55)
    assert sum([Scores(4, 3, 2, 1, 0), Scores(4, 4, 4, 1, 1)], Scores()) == Scores(8, 7, 6, 2, 1)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Scores().words = 3  # type: ignore[misc]


@given(st.lists(st.integers(0, 6).flatmap(lambda n: st.tuples(*[head_vectors(n, n, annotated=False)] * 2))))
def test_the_scores_of_a_treebank_are_the_sum_of_those_of_its_trees(
    pairs: list[tuple[tuple[int | None, ...], tuple[int | None, ...]]],
) -> None:
    gold, predicted = [tree_of(heads) for heads, _ in pairs], [tree_of(heads) for _, heads in pairs]
    scores = evaluate(gold, predicted)
    assert scores == sum(map(evaluate, gold, predicted), Scores())
    heads = [heads for pair in pairs for heads in zip(*pair, strict=True) if heads[0] is not None]
    assert (scores.words, scores.correct_heads) == (len(heads), sum(ours == theirs for ours, theirs in heads))
    assert scores.sentences == sum(any(head is not None for head in ours) for ours, _ in pairs)


def test_scores_and_predictions_are_shown_in_one_line() -> None:
    trees = [tree_of((2, 0))]
    assert str(evaluate(trees, [tree_of((0, 1))])) == "UAS 0.00%, LAS 0.00%: 2 words in 1 sentences"
    assert repr(Predictions.of(trees, trees)) == "<predictions of 2 words>"
