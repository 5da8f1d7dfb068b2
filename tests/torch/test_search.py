"""Neural parsers' beams: against all derivations of short sentences."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from deptrees import Columns, DependencyTree, Parser, is_projective, sample_treebank  # noqa: E402
from deptrees.torch import Architecture, BiLSTM, LabeledTransitions, NeuralParser, Words  # noqa: E402
from deptrees.torch.model import NotWithBeam  # noqa: E402
from deptrees.transition import ArcEager, ArcHybrid, ArcSwift, Constraints, System  # noqa: E402

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
WORDS = Words(form=10, tags=10, character=4, spelling=4)
LSTM = Architecture(encoder=BiLSTM(WORDS, hidden=10))
LABELED = Architecture(encoder=WORDS, decoder=LabeledTransitions(label=10, hidden=20))
SHORT = [DependencyTree([(None, word) for word in words.split()]) for words in ("Dogs bark", "Birds sing now", "Go")]


def unlabeled(trees: list[DependencyTree]) -> list[DependencyTree]:
    return [tree.reattach(tree.heads, [None] * len(tree)) for tree in trees]


def all_derivations(parser: Parser, sentence: DependencyTree) -> Iterator[tuple[DependencyTree, float]]:
    """The tree and the score of every derivation of a sentence, each gone through by itself from the beginning."""
    network = parser.model.network.eval()
    tables = network.tables(network(Columns.encode([sentence])))
    begun: list[tuple[list[int], float]] = [([], 0.0)]
    while begun:
        way, score = begun.pop()
        derivations = network.extractor.open([sentence], oracle=None)
        for transition in way:
            derivations.take([transition])
        if not derivations:
            yield derivations.trees()[0], score
            continue
        [possible] = torch.from_numpy(derivations.possible())
        [scores] = network.scores(tables, network.extractor.numbers(derivations))
        chances = torch.full_like(scores, -torch.inf)
        chances[possible] = scores[possible].log_softmax(0)
        begun += [([*way, number], score + float(chances[number])) for number in possible.nonzero()[:, 0].tolist()]


@pytest.mark.parametrize("system", [ArcHybrid(single_root=True), ArcEager(root="last"), ArcSwift()], ids=str)
@pytest.mark.parametrize("architecture", [LSTM, LABELED], ids=["LSTM", "labeled"])
def test_a_beam_that_holds_all_derivations_finds_the_best(system: System, architecture: Architecture) -> None:
    trees = unlabeled(TRAIN[:20]) if architecture is LABELED else TRAIN[:20]
    parser = NeuralParser.train(trees, system=system, epochs=1, **architecture.arguments())
    for sentence, found in zip(SHORT, parser.k_best(SHORT, k=64, beam=64), strict=True):
        best: dict[tuple[int | None, ...], float] = {}
        with torch.inference_mode():
            for tree, score in all_derivations(parser, sentence):
                best[tree.heads] = max(best.get(tree.heads, -torch.inf), score)
        expected = sorted(best.values(), reverse=True)
        assert [score for _, score in found] == pytest.approx(expected, abs=1e-4)
        assert {tree.heads: score for tree, score in found} == pytest.approx(best, abs=1e-4)
        assert parser.parse(sentence, beam=64) == found[0].tree


@pytest.fixture(scope="module", params=[LSTM, LABELED], ids=["LSTM", "labeled"])
def parser(request: pytest.FixtureRequest) -> Parser:
    return NeuralParser.train(TRAIN, epochs=2, **request.param.arguments())


def test_what_is_parsed_together_makes_no_difference(parser: Parser) -> None:
    sentences = [*DEV, DependencyTree([])]
    assert list(parser.parse(sentences, beam=3)) == [parser.parse(sentence, beam=3) for sentence in sentences]
    several = list(parser.k_best(sentences, k=3))
    for sentence, found in zip(sentences, several, strict=True):
        alone = parser.k_best(sentence, k=3)
        assert [tree for tree, _ in found] == [tree for tree, _ in alone]
        assert [score for _, score in found] == pytest.approx([score for _, score in alone], abs=1e-3)


def test_a_beam_of_one_takes_the_best_transition_everywhere(parser: Parser) -> None:
    network = parser.model.network.eval()
    for sentence, found in zip(DEV, parser.parse(DEV, threads=2, beam=1), strict=True):
        with torch.inference_mode():
            tables = network.tables(network(Columns.encode([sentence])))
            derivations = network.extractor.open([sentence], oracle=None, label_heads=parser.model.label_heads)
            while derivations:
                scores = network.scores(tables, network.extractor.numbers(derivations)).numpy()
                derivations.take([max(derivations.possible()[0].nonzero()[0], key=scores[0].__getitem__)])
        assert derivations.trees()[0].heads == found.heads


def test_trees_are_sorted_by_their_scores_and_differ(parser: Parser) -> None:
    for found in parser.k_best(DEV, k=4, beam=8):
        assert 1 <= len(found) <= 4
        assert [score for _, score in found] == sorted([score for _, score in found], reverse=True)
        assert len({tree for tree, _ in found}) == len(found)


def test_the_first_tree_without_a_beam_is_the_parse(parser: Parser) -> None:
    found = list(parser.k_best(DEV, k=3))
    assert [scored[0].tree for scored in found] == list(parser.parse(DEV))
    assert max(map(len, found)) > 1


def test_constraints_are_met_in_all_of_a_beam(parser: Parser) -> None:
    trees = [tree.reattach([*tree.heads[:2], *[None] * (len(tree) - 2)], tree.labels) for tree in DEV]
    trees = [tree for gold, tree in zip(DEV, trees, strict=True) if is_projective(gold)]
    for given, found in zip(trees, parser.k_best(trees, k=3, constraints=Constraints.given), strict=True):
        assert all(tree.heads[:2] == given.heads[:2] and tree.labels == given.labels for tree, _ in found)


@pytest.mark.parametrize(
    ("threads", "beam", "message"), [(1, 65, "beam is a whole number"), (0, 1, "threads is a whole number")]
)
def test_numbers_out_of_range_are_told(parser: Parser, threads: int, beam: int, message: str) -> None:
    asks: list[Any] = [parser.parse, partial(parser.k_best, k=2)]
    for ask in asks:
        with pytest.raises(ValueError, match=message):
            ask(DEV, threads=threads, beam=beam)
    with pytest.raises(NotWithBeam, match="without a beam only"):
        parser.calibrate(DEV).parse(DEV, beam=2, confidence=True)
