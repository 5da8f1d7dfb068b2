"""Error analysis, compared with loops over trees."""

from collections import Counter
from collections.abc import Iterator
from math import isnan, nan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import (
    DependencyTree,
    EvaluationError,
    Predictions,
    Scores,
    Token,
    Treebank,
    analyze,
    compare,
    evaluate,
    sample_treebank,
    write_treebank,
)
from deptrees.evaluation import confusions, most_different, precision_and_recall
from tests.gold_trees import head_vectors

GOLD = list(sample_treebank("dev"))
LABELS = ("nsubj", "obl", "obl:tmod", None)

Pair = tuple[DependencyTree, DependencyTree]


@st.composite
def parsed(draw: st.DrawFn, parsers: int = 1) -> tuple[DependencyTree, ...]:
    """A gold tree, and as many parses of it; heads and labels may be missing in all."""
    n = draw(st.integers(0, 6))

    def tree() -> DependencyTree:
        heads = draw(head_vectors(n, n, annotated=False))
        labels = draw(st.lists(st.sampled_from(LABELS), min_size=n, max_size=n))
        rows = enumerate(zip(heads, labels, strict=True), 1)
        tags = ("NOUN", "PUNCT")
        return DependencyTree(Token(f"w{place}", *row, upos=tags[place % 2]) for place, row in rows)

    return tuple(tree() for _ in range(parsers + 1))


PAIRS = st.lists(parsed(), min_size=1, max_size=4).filter(
    lambda pairs: any(head is not None for gold, _ in pairs for head in gold.heads)
)


def shifted(tree: DependencyTree) -> DependencyTree:
    """A parse with errors: every third word depends on the root of the sentence."""
    root = tree.roots[0]
    return tree.reattach([root if word % 3 == 0 and word != root else head for word, head in enumerate(tree.heads, 1)])


def words(pairs: list[Pair]) -> Iterator[tuple[int, Token, Token]]:
    """The words with a gold head, with their sentences from 1, and their predictions."""
    for number, (gold, predicted) in enumerate(pairs, 1):
        for ours, theirs in zip(gold, predicted, strict=True):
            if ours.head is not None:
                yield number, ours, theirs


def is_right(ours: Token, theirs: Token) -> bool:
    return (ours.head, ours.label) == (theirs.head, theirs.label)


@given(PAIRS)
def test_scores_by_label_are_those_of_loops(pairs: list[Pair]) -> None:
    found = analyze(Predictions.of(*map(list, zip(*pairs, strict=True))), "label")
    expected: dict[str, Scores] = {}
    for label in {ours.label for gold, _ in pairs for ours in gold}:
        scores = Scores()
        for gold, predicted in pairs:
            kept = [ours.head if ours.label == label else None for ours in gold]
            one = evaluate(gold.reattach(kept), predicted)
            empty = [
                theirs.head is None
                for ours, theirs in zip(gold, predicted, strict=True)
                if ours.label == label and ours.head is None
            ]
            scores += Scores(*one_of(one), len(empty), sum(empty), one.correct_labels)
        expected[label or "_"] = scores
    assert {*found["label"]} == {*expected}
    for label, scores in expected.items():
        row = found.row(label)
        assert row["words"] == scores.words
        assert row["errors"] == scores.words - scores.correct_arcs
        for name in ("UAS", "LAS", "labels", "exact"):
            assert row[name] == pytest.approx(scores.share(name), nan_ok=True)
        wrong = {n for n, ours, theirs in words(pairs) if (ours.label or "_") == label and not is_right(ours, theirs)}
        assert row["sentences"] == tuple(sorted(wrong))


def one_of(scores: Scores) -> tuple[int, int, int, int, int]:
    return scores.words, scores.correct_heads, scores.correct_arcs, scores.sentences, scores.correct_trees


@given(PAIRS)
def test_precision_and_recall_are_those_of_loops(pairs: list[Pair]) -> None:
    found = precision_and_recall(Predictions.of(*map(list, zip(*pairs, strict=True))), "label")
    gold = Counter(ours.label or "_" for _, ours, _ in words(pairs))
    predicted = Counter(theirs.label or "_" for _, _, theirs in words(pairs) if theirs.head is not None)
    right = Counter(ours.label or "_" for _, ours, theirs in words(pairs) if is_right(ours, theirs))
    assert {*found["label"]} == {*gold, *predicted}
    for label in {*gold, *predicted}:
        row = found.row(label)
        assert (row["gold"], row["predicted"], row["right"]) == (gold[label], predicted[label], right[label])
        recall = right[label] / gold[label] if gold[label] else nan
        precision = right[label] / predicted[label] if predicted[label] else nan
        assert row["recall"] == pytest.approx(recall, nan_ok=True)
        assert row["precision"] == pytest.approx(precision, nan_ok=True)
        if right[label]:
            assert row["F1"] == pytest.approx(2 / (1 / recall + 1 / precision))
        else:
            assert row["F1"] == 0
        assert row["sentences"] == tuple(
            sorted(
                {
                    number
                    for number, ours, theirs in words(pairs)
                    if not is_right(ours, theirs)
                    and (label == (ours.label or "_") or (label == (theirs.label or "_") and theirs.head is not None))
                }
            )
        )


@given(PAIRS)
def test_confusions_are_those_of_loops(pairs: list[Pair]) -> None:
    predictions = Predictions.of(*map(list, zip(*pairs, strict=True)))
    found = confusions(predictions)
    expected = Counter((ours.label or "_", theirs.label or "_") for _, ours, theirs in words(pairs))
    totals = Counter(ours.label or "_" for _, ours, _ in words(pairs))
    assert {(gold, other): count for gold, other, count, _ in found.rows} == expected
    for (gold, other), count in expected.items():
        row = found.row(gold, other)
        assert row["share"] == count / totals[gold]
        cell = (gold, other)
        assert row["sentences"] == tuple(
            sorted({n for n, ours, theirs in words(pairs) if (ours.label or "_", theirs.label or "_") == cell})
        )
    is_diagonal = [gold == other for gold, other, *_ in found.rows]
    assert is_diagonal == sorted(is_diagonal)
    for_heads = confusions(predictions, "head-tag")
    assert sum(count for count in for_heads["words"] if isinstance(count, int)) == len(predictions)


@given(st.lists(parsed(parsers=2), min_size=1, max_size=4))
def test_parsers_are_compared_as_by_loops(triples: list[tuple[DependencyTree, ...]]) -> None:
    golds, one, other = map(list, zip(*triples, strict=True))
    first, second = Predictions.of(golds, one), Predictions.of(golds, other)
    if not len(first):
        with pytest.raises(EvaluationError, match="nothing to evaluate"):
            compare(first, second)
        return
    rights = [
        (is_right(ours, theirs), is_right(ours, others))
        for triple in triples
        for ours, theirs, others in zip(*triple, strict=True)
        if ours.head is not None
    ]
    row = compare(first, second).row()
    counts = [rights.count(case) for case in ((True, True), (True, False), (False, True), (False, False))]
    assert [row[name] for name in ("both", "only 1", "only 2", "neither")] == counts
    assert row["difference"] == pytest.approx(row["LAS 2"] - row["LAS 1"])
    differ = {
        number: sum(
            ours.head is not None and (theirs.head, theirs.label) != (others.head, others.label)
            for ours, theirs, others in zip(*triple, strict=True)
        )
        for number, triple in enumerate(triples, 1)
    }
    found = most_different(first, second)
    expected = {number: count for number, count in differ.items() if count}
    assert dict(zip(found["sentence"], found["differ"], strict=True)) == expected
    assert [*found["differ"]] == sorted(found["differ"], reverse=True)


def test_files_are_analysed_as_their_trees_are(tmp_path: Path) -> None:
    parses = [*map(shifted, GOLD)]
    write_treebank(tmp_path / "gold.conllu", GOLD)
    write_treebank(tmp_path / "parsed.conllu", parses)
    files = Treebank(tmp_path / "gold.conllu"), Treebank(tmp_path / "parsed.conllu")
    for options in ({}, {"universal": True}, {"where": "tag!=PUNCT"}, {"where": ["punctuation=no", "length=..9"]}):
        scores = evaluate(*files, **options)
        assert scores == evaluate(GOLD, iter(parses), **options)
        assert 0 < scores.las < 1
        predictions = Predictions.of(*files, **options)
        assert analyze(predictions, "label,tag") == analyze(Predictions.of(GOLD, parses, **options), "label,tag")


def test_files_with_other_sentences_are_refused_with_their_names(tmp_path: Path) -> None:
    write_treebank(tmp_path / "gold.conllu", GOLD)
    other = DependencyTree([(0, "x")])
    for trees, message in (
        (GOLD[:-1], "there is no predicted tree for sentence 16"),
        ([*GOLD, other], "there is no gold tree for sentence 17"),
        ([*GOLD[:3], other, *GOLD[4:]], r"sentence 4 \(sample-dev-004\) has \d+ gold words, but 1 predicted"),
    ):
        write_treebank(tmp_path / "parsed.conllu", trees)
        for gold, parses in ((GOLD, trees), (Treebank(tmp_path / "gold.conllu"), Treebank(tmp_path / "parsed.conllu"))):
            with pytest.raises(EvaluationError, match=message):
                Predictions.of(gold, parses)


def test_what_is_ignored_does_not_count() -> None:
    gold = DependencyTree([Token("Go", 0, "root", upos="VERB"), Token("!", 1, "punct", upos="PUNCT")])
    wrong = gold.reattach([0, 1], ["root", "dep"])
    assert evaluate(gold, wrong).las == 0.5
    assert evaluate(gold, wrong, where="tag!=PUNCT") == Scores(1, 1, 1, 1, 1, correct_labels=1)
    assert evaluate(gold, wrong, where="punctuation=no").las == 1
    assert isnan(evaluate(gold, wrong, where="tag=NOUN").las)
    with pytest.raises(EvaluationError, match="no word that counts has a gold head"):
        analyze(Predictions.of(gold, wrong, where="tag=NOUN"))


def test_the_universal_part_of_labels_is_enough_if_that_is_asked_for() -> None:
    gold = DependencyTree([(0, "a", "root"), (1, "b", "obl:tmod"), (1, "c", "obl")])
    other = gold.reattach(gold.heads, ["root", "obl:agent", "nmod"])
    assert (evaluate(gold, other).las, evaluate(gold, other, universal=True).las) == (1 / 3, 2 / 3)
    assert {*analyze(Predictions.of(gold, other, universal=True), "label")["label"]} == {"root", "obl"}


def test_known_words_are_those_of_the_training_data() -> None:
    gold = DependencyTree([(2, "Dogs"), (0, "bark")])
    found = analyze(Predictions.of(gold, gold.reattach([0, 0]), train=[DependencyTree([(0, "bark")])]), "known")
    assert (found.row("known")["UAS"], found.row("unknown")["UAS"]) == (1, 0)


def test_rows_with_an_order_are_in_it_and_others_begin_with_the_most_errors() -> None:
    predictions = Predictions.of(GOLD, [*map(shifted, GOLD)])
    by_number = analyze(predictions, "distance")["distance"]
    assert [*by_number] == sorted(by_number)
    errors = analyze(predictions, "label")["errors"]
    assert [*errors] == sorted(errors, reverse=True)
    assert [*precision_and_recall(predictions, "distance:0:1:5")["distance"]] == ["0", "1", "2..5", "6.."]


def test_parsers_are_compared_on_the_same_trees_only() -> None:
    first, second = Predictions.of(GOLD, GOLD), Predictions.of(GOLD, GOLD, where="tag!=PUNCT")
    for function in (compare, most_different):
        with pytest.raises(EvaluationError, match="have not parsed the same words of the same trees"):
            function(first, second)
