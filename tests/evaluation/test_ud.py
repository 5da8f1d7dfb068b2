"""The evaluation of Universal Dependencies: our numbers are those of udtools."""

import io
from fractions import Fraction
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from udtools import udeval

from deptrees import DependencyTree, EvaluationError, Treebank, evaluate, from_conllu, sample_treebank, write_treebank
from deptrees.evaluation import Predictions, Table, confidence_intervals, evaluate_ud, paired_test, ud_counts
from tests.evaluation.test_analysis import shifted
from tests.gold_trees import every_treebank


def words(*rows: str) -> str:
    """A sentence: of each word its id, form, and head."""
    columns = map(str.split, rows)
    return "".join(f"{place}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n" for place, form, head in columns) + "\n"


TOGETHER = words("1-2 don't _", "1 do 0", "2 n't 1", "3 go 1")
APART = words("1 don't 0", "2 go 1")
OTHERWISE = words("1 d 0", "2 on't 1", "3 go 1")


def check(found: Table, gold: Path | str, predicted: Path | str) -> None:
    def load(source: Path | str) -> Any:
        stream = source.open(encoding="utf-8") if isinstance(source, Path) else io.StringIO(source)
        with stream:
            return udeval.load_conllu(stream, "", {})

    expected = udeval.evaluate(load(gold), load(predicted))
    assert {*found["metric"]} >= {"Tokens", "Sentences", "Words", "UPOS", "UAS", "LAS", "CLAS", "MLAS", "BLEX"}
    for metric in found["metric"]:
        row, score = found.row(metric), expected[str(metric)]
        assert (row["precision"], row["recall"], row["f1"]) == (score.precision, score.recall, score.f1)
        assert row["aligned_accuracy"] == pytest.approx(
            float("nan") if score.aligned_accuracy is None else score.aligned_accuracy, nan_ok=True
        )


def check_file(path: Path, folder: Path) -> None:
    """Compare the scores of a file with errors in it with those of udtools, and our own scores with both."""
    gold, parsed = folder / "gold.conllu", folder / "parsed.conllu"
    trees = [*islice(Treebank(path), 500)]
    write_treebank(gold, trees)
    write_treebank(parsed, map(shifted, trees))
    found = evaluate_ud(Treebank(gold), Treebank(parsed))
    check(found, gold, parsed)
    scores = evaluate(Treebank(gold), Treebank(parsed), universal=True)
    assert (found.row("UAS")["f1"], found.row("LAS")["f1"]) == (scores.uas, scores.las)
    assert 0.3 < scores.las < 1


def test_the_scores_of_the_sample_are_those_of_udtools(tmp_path: Path) -> None:
    check_file(Path(sample_treebank("dev").paths[0]), tmp_path)


@every_treebank
def test_the_scores_of_real_treebanks_are_those_of_udtools(path: Path, tmp_path: Path) -> None:
    check_file(path, tmp_path)


@pytest.mark.parametrize("gold", [TOGETHER, APART, OTHERWISE])
@pytest.mark.parametrize("predicted", [TOGETHER, APART, OTHERWISE, TOGETHER.replace("\tdep\t", "\tobj:x\t")])
def test_words_may_differ(gold: str, predicted: str) -> None:
    check(evaluate_ud(from_conllu(gold), from_conllu(predicted)), gold, predicted)


def test_sentences_may_differ() -> None:
    gold, predicted = words("1 Go 0", "2 on 1"), words("1 Go 0") + words("1 on 0")
    found = evaluate_ud([from_conllu(gold)], Treebank.from_bytes(predicted.encode()))
    check(found, gold, predicted)
    assert found.row("Sentences")["f1"] == 0


def test_counts_by_sentence_add_up_to_the_scores() -> None:
    gold = list(sample_treebank("dev"))
    parsed = list(map(shifted, gold))
    scores, [counts] = evaluate_ud(gold, parsed), ud_counts(gold, parsed)
    assert list(counts.scores) == list(scores["metric"])
    assert (counts.right.sum(axis=1) / counts.whole.sum(axis=1)).tolist() == list(scores["f1"])
    intervals = confidence_intervals(counts)
    for name in counts.scores:
        row = intervals.row(name)
        assert row["low"] <= row["share"] <= row["high"]
        assert row["share"] == scores.row(name)["f1"]


def test_sentences_that_end_elsewhere_are_counted_together() -> None:
    one, other = words("1 Go 0", "2 on 1"), words("1 Go 0") + words("1 on 0")
    gold, predicted = (Treebank.from_bytes(text.encode()) for text in (one + TOGETHER, other + APART))
    [counts], scores = ud_counts(gold, predicted), evaluate_ud(gold, predicted)
    assert counts.right.shape[1] == 2
    assert (counts.right.sum(axis=1) / counts.whole.sum(axis=1)).tolist() == list(scores["f1"])


def test_parsers_are_counted_between_the_ends_that_all_have() -> None:
    gold = list(sample_treebank("dev"))[:4]
    parsed = list(map(shifted, gold))
    counts = ud_counts(gold, parsed, gold)
    assert [each.scores for each in counts] == 2 * [tuple(evaluate_ud(gold, parsed)["metric"])]
    for each, trees in zip(counts, (parsed, gold), strict=True):
        [alone] = ud_counts(gold, trees)
        assert (each.right == alone.right).all()
        assert (each.whole == alone.whole).all()
    one, other = words("1 Go 0", "2 on 1"), words("1 Go 0") + words("1 on 0")
    texts = (one + TOGETHER, other + APART, one + APART)
    split, joined = ud_counts(*(Treebank.from_bytes(text.encode()) for text in texts))
    assert split.right.shape == joined.right.shape
    assert split.right.shape[1] == 2


def test_two_parsers_are_tested_on_all_scores_in_all_ways() -> None:
    """Beside fractions, over all exchanges of sentences."""
    gold = list(sample_treebank("dev"))[:5]
    one, other = gold.copy(), gold.copy()
    one[:3] = map(shifted, gold[:3])
    other[3] = shifted(gold[3])
    counts = ud_counts(gold, one, other)
    found = paired_test(*counts)
    for row, name in enumerate(counts[0].scores):
        pairs = [[(int(each.right[row, k]), int(each.whole[row, k])) for each in counts] for k in range(5)]
        differences = []
        for swapped in product((False, True), repeat=5):
            sides = zip(*(pair[::-1] if swap else pair for pair, swap in zip(pairs, swapped, strict=True)), strict=True)
            first, second = (Fraction(*map(sum, zip(*side, strict=True))) for side in sides)
            differences.append(second - first)
        observed = differences[0]
        assert found.row(name)["difference"] == pytest.approx(float(observed))
        tails = (sum(d >= observed for d in differences), sum(d <= observed for d in differences))
        assert found.row(name)["p"] == pytest.approx(min(1, 2 * min(tails) / len(differences)))


def test_parsers_that_are_counted_by_other_scores_are_not_compared() -> None:
    gold = list(sample_treebank("dev"))
    with pytest.raises(EvaluationError, match="not counted by the same scores"):
        paired_test(ud_counts(gold, gold)[0], Predictions.of(gold, gold))


GOOD = from_conllu("# sent_id = good\n" + APART)


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (GOOD.reattach([0, 0]), "There are multiple roots"),
        (GOOD.reattach([None, 1]), "Cannot parse HEAD '_'"),
        (DependencyTree([]), "a tree without words"),
        (DependencyTree([(place % 2000, "x") for place in range(2, 2002)]), "too deep for udtools"),
    ],
    ids=["roots", "head", "empty", "deep"],
)
def test_an_error_of_udtools_names_file_and_sentence(tree: DependencyTree, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "parsed.conllu"
    trees = [GOOD, tree]
    if len(tree):
        write_treebank(path, trees)
        trees = Treebank(path)  # type: ignore[assignment]
    name = "parsed.conllu" if len(tree) else "the predicted trees"
    with pytest.raises(EvaluationError, match=rf"{name}: sentence 2 \(sentence .*\): .*{reason}"):
        evaluate_ud([GOOD, GOOD], trees)


def test_texts_that_differ_are_told_with_their_sentences() -> None:
    with pytest.raises(EvaluationError) as error:
        evaluate_ud([GOOD, GOOD], [GOOD, from_conllu(APART.replace("go", "gone"))])
    assert str(error.value) == (
        "the texts differ: the gold trees: the end has '', where "
        "the predicted trees: sentence 2 (sentence \"don't gone\") has 'ne'"
    )
    with pytest.raises(EvaluationError, match=r"sentence 1 \(sentence 'good'\) has \"n'tgo"):
        evaluate_ud(GOOD, from_conllu(APART.replace("n't", "m't")))


def test_no_words_are_an_error() -> None:
    for score in (evaluate_ud, ud_counts):
        with pytest.raises(EvaluationError, match="there is no word in the gold trees"):
            score([], [])
