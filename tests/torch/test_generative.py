"""Generative parsers: the probabilities of sentences and of their prefixes, against enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from deptrees import DependencyTree, evaluate, sample_treebank  # noqa: E402
from deptrees.files.models import ModelError  # noqa: E402
from deptrees.inference import ChartNotDefined  # noqa: E402
from deptrees.inference import deduction as of_charts  # noqa: E402
from deptrees.messages import TooLarge  # noqa: E402
from deptrees.torch import ExactTransitions, GenerativeParser, NeuralParser, generative  # noqa: E402
from deptrees.torch.generative import _Network  # noqa: E402
from deptrees.training.records import TrainingError  # noqa: E402
from deptrees.transition import (  # noqa: E402
    ArcEager,
    ArcEagerPartial,
    ArcHybrid,
    ArcHybridPartial,
    ArcHybridSpan,
    ArcStandard,
    LeftArc,
    NonMonotonicArcEager,
    Reduce,
    RightArc,
    Shift,
    System,
)
from tests.engine.test_interruption import seconds_until_interrupted  # noqa: E402
from tests.files.edits import ModelContent, array_edits, outcomes, record_edits  # noqa: E402
from tests.files.edits import some as some_of  # noqa: E402
from tests.tiers import slow  # noqa: E402

NEAR = 1e-9
HYBRID = {Shift: 0, LeftArc: 1, RightArc: 2}
CHOICES: dict[System, dict[Any, int]] = {
    ArcHybrid(): HYBRID,
    ArcEager(root="last"): {RightArc: 0, Shift: 1, LeftArc: 2, Reduce: 2},
    ArcHybridPartial(): {Shift: 0, Reduce: 1, LeftArc: 2, RightArc: 3},
    NonMonotonicArcEager(): {RightArc: 0, Shift: 1, LeftArc: 2, Reduce: 3},
}
SYSTEMS = [*CHOICES]
FORMS = ("dogs", "bark")
WORDS = (*FORMS, "meow")
"""What sentences are made of: the last one is not known, and stands for all that are not."""
GRAMMAR = {
    "dogs bark": [(2, "dogs"), (0, "bark")],
    "bark": [(0, "bark")],
    "dogs bark dogs": [(2, "dogs"), (0, "bark"), (2, "dogs")],
}
SHARES = {"dogs bark": 0.5, "bark": 0.3, "dogs bark dogs": 0.2}


@cache
def parser_of(system: System) -> GenerativeParser:
    """A parser with random weights, great ones, in double precision."""
    torch.manual_seed(1)
    network = _Network(system, len(FORMS), 5).double()
    with torch.no_grad():
        for weights in network.parameters():
            weights.copy_(2 * torch.randn_like(weights))
    return GenerativeParser(system, FORMS, network)


def sentences(n: int) -> Iterator[tuple[str, ...]]:
    return product(WORDS, repeat=n)


def enumerated(parser: GenerativeParser, words: Sequence[str]) -> tuple[list[list[float]], dict[Any, float]]:
    """The scores of all beginnings that have just predicted each word, the end last; and of all derivations."""
    network, system, n = parser.network.eval(), parser.system, len(words)
    numbers = torch.tensor([0, *((*FORMS, word).index(word) + 2 if word in FORMS else 1 for word in words), 0])
    vectors, _ = network.reader(network.words(numbers))
    beginnings: list[list[float]] = [[] for _ in range(n + 1)]
    complete: dict[Any, float] = {}

    def logits(scorer: Any, *places: int) -> Any:
        """By the words at two places, -1 for none."""
        return scorer(scorer.tables(vectors), torch.tensor([places]) + 1)[0]

    @cache
    def choices(s0: int, b0: int) -> Any:
        return logits(network.choice, s0, b0).tolist()

    @cache
    def predicted(s0: int, b0: int) -> float:
        return float(logits(network.next_word, s0, b0).log_softmax(0)[numbers[b0 + 1]])

    def walk(cfg: Any, taken: tuple[Any, ...], score: float) -> None:
        if cfg.is_final:
            complete[taken, cfg.heads] = score
            return
        s0, b0 = max(cfg.stack_position(0), 0), next(iter(cfg.buffer), 0) or n + 1
        found, possible = choices(s0, b0), cfg.possible_transitions()
        of_possible = [found[CHOICES[system][type(transition)]] for transition in possible]
        for transition, logit in zip(possible, of_possible, strict=True):
            after, gained = transition(cfg), logit - float(np.logaddexp.reduce(of_possible))
            if len(after.stack) > len(cfg.stack):
                gained += predicted(s0, b0)
                beginnings[b0].append(score + gained)
            walk(after, (*taken, transition), score + gained)

    with torch.no_grad():
        first = predicted(-1, 0)
        beginnings[0].append(first)
        walk(system.initial(words), (), first)
    return beginnings, complete


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
@pytest.mark.parametrize("n", range(5))
def test_probabilities_are_those_of_enumeration(system: System, n: int) -> None:
    parser = parser_of(system)
    for words in sentences(n) if n < 4 else product(WORDS[1:], repeat=n):
        beginnings, complete = enumerated(parser, words)
        prefixes = parser.prefixes(words)
        assert prefixes[0] == 0
        assert prefixes[1:] == pytest.approx([np.logaddexp.reduce(scores) for scores in beginnings], abs=NEAR)
        assert prefixes[-1] == pytest.approx(np.logaddexp.reduce([*complete.values()]), abs=NEAR)
        rows = [*parser.surprisals([words])]
        assert [row["form"] for row in rows] == [*words]
        assert [row["known"] for row in rows] == [word in FORMS for word in words]
        surprisal = -np.diff(prefixes)[:-1] / log(2)
        assert [row["surprisal"] for row in rows] == pytest.approx(surprisal, abs=NEAR)
        entropies = [entropy(scores) for scores in beginnings[:-1]]
        assert [row["entropy"] for row in rows] == pytest.approx(entropies, abs=NEAR)
        reductions = -np.diff([0.0, *entropies])
        assert [row["entropy_reduction"] for row in rows] == pytest.approx(reductions, abs=NEAR)
        if n:
            [tree] = parser.parse([words])
            marginals = np.zeros((n + 2, n))  # at [-1] words without a head
            of_heads = [[-1 if head is None else head for head in heads] for _, heads in complete]
            for heads, score in zip(of_heads, complete.values(), strict=True):
                marginals[heads, range(n)] += np.exp(score)
            best = max(marginals[heads, range(n)].sum() for heads in of_heads)
            found = [-1 if head is None else head for head in tree.heads]
            assert marginals[found, range(n)].sum() == pytest.approx(best, abs=NEAR)


def entropy(scores: list[float]) -> float:
    shares = np.exp(np.array(scores) - np.logaddexp.reduce(scores))
    return float(-(shares * np.log2(shares)).sum())


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_a_prefix_is_as_probable_as_all_sentences_that_begin_with_it(system: System) -> None:
    parser = parser_of(system)
    of_prefix = {words: np.exp(parser.prefixes(words)) for n in range(6) for words in sentences(n)}
    for n in range(5):
        for words in sentences(n):
            longer = sum(of_prefix[(*words, word)][-2] for word in WORDS)
            assert of_prefix[words][-2] == pytest.approx(of_prefix[words][-1] + longer, abs=NEAR)
            assert of_prefix[(*words, "meow")][:-2] == pytest.approx(of_prefix[words][:-1], abs=NEAR)
    ended = sum(of_prefix[words][-1] for n in range(5) for words in sentences(n))
    assert ended < 1
    assert ended + sum(of_prefix[words][-2] for words in sentences(5)) == pytest.approx(1, abs=NEAR)


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_a_beam_knows_no_more_than_all_derivations(system: System) -> None:
    parser = parser_of(system)
    for words in [*sentences(4)][::5]:
        exact = np.cumsum([row["surprisal"] for row in parser.surprisals([words])])
        for size in (1, 2, 4, 1000):
            rows = [*parser.surprisals([words], beam=size)]
            bounds = np.cumsum([row["surprisal"] for row in rows])
            assert (bounds > exact - NEAR).all()
            assert max(row["kept"] for row in rows) <= size
        assert bounds == pytest.approx(exact, abs=NEAR)
        whole = [row["entropy"] for row in parser.surprisals([words])]
        assert [row["entropy"] for row in rows] == pytest.approx(whole, abs=NEAR)


@pytest.mark.parametrize("system", SYSTEMS[:2], ids=repr)
def test_a_toy_grammar_is_learned(system: System) -> None:
    trees = [DependencyTree(GRAMMAR[text]) for text, share in SHARES.items() for _ in range(int(10 * share))]
    parser = GenerativeParser.train(trees, system, size=20, epochs=150)
    for text, share in SHARES.items():
        words = text.split()
        assert np.exp(parser.prefixes(words)[-1]) == pytest.approx(share, abs=0.15)
        assert parser.chart(words).best().heads == DependencyTree(GRAMMAR[text]).heads


@pytest.mark.parametrize("system", SYSTEMS[:2], ids=repr)
def test_they_learn_from_trees_of_any_kind_and_from_text(system: System) -> None:
    trees = [*sample_treebank("train")][:40]
    crossing = DependencyTree([(3, "What"), (3, "did"), (0, "talk"), (1, "about")])
    partial = crossing.reattach([3, None, 0, 3], crossing.labels)
    text = [tree.reattach([None] * len(tree), [None] * len(tree)) for tree in trees[:10]]
    few = GenerativeParser.train([*trees, crossing, partial, *text], system, size=40, epochs=1)
    more = GenerativeParser.train([*trees, crossing, partial, *text], system, size=40, epochs=8)
    for some in (trees, text, [crossing, partial]):
        sums = [sum(parser.prefixes(tree)[-1] for tree in some) for parser in (few, more)]
        assert sums[0] < sums[1]
    assert evaluate(trees, more.parse(trees)).uas > evaluate(trees, few.parse(trees)).uas


def test_the_rows_are_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    tree = DependencyTree(GRAMMAR["dogs bark"], ["# sent_id = a"])
    frame = pandas.DataFrame(parser_of(ArcHybrid()).surprisals([tree, ["meow"]], beam=2))
    assert frame.groupby("sentence")["form"].apply(list).to_dict() == {"a": ["dogs", "bark"], "2": ["meow"]}
    assert frame["known"].tolist() == [True, True, False]
    assert frame[["surprisal", "entropy", "entropy_reduction", "kept"]].dtypes.map(str).tolist() == [
        *["float64"] * 3,
        "int64",
    ]


@pytest.mark.parametrize(
    "system",
    [
        ArcHybrid(root="last"),
        ArcHybrid(root="none"),
        ArcHybrid(single_root=True),
        ArcEager(),
        ArcEager(root="none"),
        ArcEagerPartial(),
        ArcHybridSpan(3),
        ArcStandard(),
    ],
    ids=repr,
)
def test_a_system_is_refused_if_more_than_s0_and_b0_tell_what_is_possible(system: System) -> None:
    with pytest.raises(ChartNotDefined, match=r"has no (generative parser: s0 and b0 alone do not tell|chart)"):
        GenerativeParser.train([DependencyTree(GRAMMAR["bark"])], system)


def test_there_must_be_something_to_learn_from() -> None:
    with pytest.raises(TrainingError, match="no sentence has a word"):
        GenerativeParser.train([DependencyTree([])], ArcHybrid())


@pytest.mark.parametrize(
    "given", [{"epochs": 0}, {"epochs": 1.5}, {"size": -1}, {"size": 1 << 40}, {"least": "x"}, {"seed": -1}], ids=repr
)
def test_a_number_that_an_option_cannot_be_is_told_with_its_name(given: Any) -> None:
    [name] = given
    with pytest.raises((TypeError, ValueError), match=f"{name} is a whole number"):
        GenerativeParser.train([DependencyTree(GRAMMAR["bark"])], ArcHybrid(), **given)


def test_parsers_are_saved(tmp_path: Path) -> None:
    trees = [DependencyTree(tree) for tree in GRAMMAR.values()]
    parser = GenerativeParser.train(trees, ArcEager(root="last"), size=7, least=1, epochs=1)
    again = GenerativeParser.train(trees, ArcEager(root="last"), size=7, least=1, epochs=1)
    parser.save(tmp_path / "model")
    loaded = GenerativeParser.load(tmp_path / "model")
    assert (loaded.system, loaded.forms) == (parser.system, parser.forms) == (parser.system, ("dogs", "bark"))
    for words in sentences(3):
        assert (loaded.prefixes(words) == parser.prefixes(words)).all()
        assert (again.prefixes(words) == parser.prefixes(words)).all()
    (tmp_path / "other").write_bytes((tmp_path / "model").read_bytes()[:-5])
    with pytest.raises(ModelError):
        GenerativeParser.load(tmp_path / "other")


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_pairs_in_blocks_have_the_scores_of_all_at_once(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    parser, tree, found = parser_of(system), DependencyTree(GRAMMAR["dogs bark dogs"]), []
    for at_once in (1000, 3):
        monkeypatch.setattr(generative, "_PAIRS_AT_ONCE", at_once)
        for part in (parser.network.train(), parser.network.choice, parser.network.next_word):
            monkeypatch.setattr(part.dropout, "rate", 0.0)
        loss = parser._loss(tree)
        found.append((loss, *torch.autograd.grad(loss, [*parser.network.parameters()])))
    torch.testing.assert_close(*found)


def test_a_sentence_that_is_too_long_to_learn_from_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_charts, "_MOST_NUMBERS", 3 * 6**3)
    trees = [DependencyTree([(0, "bark")]), DependencyTree([(0, "bark"), *[(1, "dogs")] * 4], ["# sent_id = a-2"])]
    message = r"sentence 'a-2': a sentence has 5 words: .* of ArcHybrid\(root='first'\) are for up to 4"
    with pytest.raises(TooLarge, match=message):
        GenerativeParser.train(trees, ArcHybrid(), epochs=1)
    with pytest.raises(TooLarge, match=message):
        NeuralParser.train(trees, system=ArcHybrid(), decoder=ExactTransitions(hidden=5), epochs=1)


@pytest.mark.slow
def test_the_probabilities_of_a_long_sentence_can_be_interrupted() -> None:
    parser = GenerativeParser.train([DependencyTree([(0, "bark")])], ArcHybrid(), least=1, epochs=1)
    words = ["bark"] * 3000
    for question in (parser.prefixes, lambda words: [*parser.surprisals([words])], lambda words: parser.chart(words)):
        for after in (0.5, 3, 10):
            # It took over 20 s before; PyTorch's threads count, and machines may be slow.
            assert seconds_until_interrupted(lambda: repeated(question, words), after) < 5  # noqa: B023  called here


def repeated(question: Any, words: list[str]) -> None:
    while True:
        question(words)


@pytest.mark.parametrize("n", [12, slow(400)])
def test_an_edited_file_is_refused_or_parses(n: int, tmp_path: Path) -> None:
    trees = [*sample_treebank("dev")][:3]
    GenerativeParser.train(trees, ArcHybrid(), epochs=1, size=5).save(tmp_path / "saved")

    def parse(path: Path) -> list[DependencyTree]:
        return [*GenerativeParser.load(path).parse(trees[:1])]

    content = ModelContent.read(tmp_path / "saved")
    edits = [*record_edits(content.record), *array_edits(content)]
    found = outcomes(tmp_path / "saved", some_of(edits, n), parse, tmp_path)
    assert found["refused"] > 0.7 * found.total()
