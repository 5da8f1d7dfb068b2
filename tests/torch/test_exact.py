"""Exact decoders: what they find and what they learn, against enumeration."""

from functools import partial
from itertools import product
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from deptrees import DependencyTree, Parser, evaluate, load_parser, sample_treebank  # noqa: E402
from deptrees.engine.finding import SearchOptions  # noqa: E402
from deptrees.inference import ChartNotDefined  # noqa: E402
from deptrees.torch import BiLSTM, ExactTransitions, Learning, NeuralParser  # noqa: E402
from deptrees.torch.exact import derivation_losses, scores_of_pairs  # noqa: E402
from deptrees.training import Epoch  # noqa: E402
from deptrees.training.inputs import MeaninglessOption  # noqa: E402
from deptrees.transition import ArcEager, ArcHybrid, ArcHybridPartial, System, loss  # noqa: E402
from deptrees.transition.constraints import BrokenConstraints, Constraints  # noqa: E402
from deptrees.treebanks.batch import Batch  # noqa: E402
from deptrees.treebanks.columns import Columns  # noqa: E402

SMALL: dict[str, Any] = {"encoder": BiLSTM(hidden=8), "decoder": ExactTransitions(hidden=10)}
SYSTEMS = [ArcHybrid(root="first"), ArcHybrid(root="last"), ArcEager(root="last", single_root=True), ArcHybridPartial()]
TRAIN = [*sample_treebank("train")]
TREES = [tree for tree in TRAIN if len(tree) <= 5]
CROSSING = DependencyTree([(3, "What", "obl"), (3, "did", "aux"), (0, "talk", "root"), (1, "about", "case")])


def trained(system: System, **options: Any) -> Parser:
    return NeuralParser.train(TREES, system=system, epochs=1, **SMALL, **options)


def derivations(system: Any, scores: Any, n: int) -> dict[tuple[Any, ...], float]:
    """All derivations of n words, by their transitions, with their scores."""
    found: dict[tuple[Any, ...], float] = {}

    def go(cfg: Any, taken: tuple[Any, ...], score: float) -> None:
        if cfg.is_final:
            found[taken, cfg.heads] = score
            return
        s0, b0 = (cfg.stack or (0,))[-1], next(iter(cfg.buffer), 0) or n + 1
        for transition in cfg.possible_transitions():
            row = next(number for number, row in enumerate(system.rows) if row.transition is type(transition))
            go(transition(cfg), (*taken, transition), score + float(scores[s0, b0, row]))

    go(system.initial(["word"] * n), (), 0.0)
    return found


def scores_of(parser: Parser, trees: list[DependencyTree]) -> list[Any]:
    network, columns = parser.model.network.eval(), Columns.encode(trees)
    with torch.no_grad():
        return [*scores_of_pairs(network, network.tables(network(columns)), columns)]


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_searches_find_what_enumeration_finds(system: System) -> None:
    parser = trained(system)
    for tree, scores in zip(TREES[:4], scores_of(parser, TREES[:4]), strict=True):
        every = derivations(system, scores, len(tree))
        total = np.logaddexp.reduce([*every.values()])
        ranked = sorted(every.values(), reverse=True)[:10]
        found = parser.model.find(Batch.of([tree]), SearchOptions(k=10))
        assert found.scores[: len(ranked), 0] == pytest.approx(np.array(ranked) - total, abs=1e-4)
        [(_, best), _] = max(every.items(), key=lambda item: item[1])
        assert next(parser.parse([tree])).heads == best
        assert parser.k_best(tree, 10)[0][0].heads == best


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
@pytest.mark.parametrize(
    "tree", [CROSSING, CROSSING.reattach([3, None, 0, 3], CROSSING.labels)], ids=["crossing", "partial"]
)
def test_what_is_learned_is_the_probability_of_the_right_derivations(system: Any, tree: DependencyTree) -> None:
    network, columns = trained(system).model.network.eval(), Columns.encode([tree])
    [scores] = scores_of(trained(system), [tree])
    with torch.no_grad():
        [found] = derivation_losses(network, network.tables(network(columns)), columns, [tree]).tolist()
    every, least = derivations(system, scores, len(tree)), loss(system.initial(tree), tree)
    final = {taken: taken[-1](cfg) for taken, cfg in ((taken, _before_last(system, tree, taken)) for taken, _ in every)}
    right = [score for (taken, _), score in every.items() if loss(final[taken], tree) == least]
    assert found == pytest.approx(np.logaddexp.reduce([*every.values()]) - np.logaddexp.reduce(right), abs=1e-4)


def _before_last(system: Any, tree: DependencyTree, taken: tuple[Any, ...]) -> Any:
    cfg = system.initial(tree)
    for transition in taken[:-1]:
        cfg = transition(cfg)
    return cfg


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_they_learn_from_trees_of_any_kind(system: System) -> None:
    trees, epochs = [*TRAIN, CROSSING, CROSSING.reattach([3, None, 0, 3], CROSSING.labels)], list[Epoch]()
    learning, decoder = Learning(batch_words=50, learning_rate=0.01), ExactTransitions(hidden=50, dropout=0)
    how: dict[str, Any] = {"encoder": BiLSTM(hidden=40), "decoder": decoder, "learning": learning}
    parser = NeuralParser.train(trees, system=system, epochs=8, on_epoch=epochs.append, **how)
    first, last = (float(epoch.loss or 0) for epoch in (epochs[0], epochs[-1]))
    assert last < first / 2
    assert epochs[-1].errors < epochs[0].errors == epochs[0].steps == len(trees)
    assert evaluate(TRAIN, parser.parse(TRAIN)).uas > 0.8


def test_a_head_is_as_probable_as_the_derivations_that_end_with_it() -> None:
    parser, tree = trained(ArcHybrid()), TREES[0]
    [scores] = scores_of(parser, [tree])
    every = derivations(ArcHybrid(), scores, len(tree))
    total = np.logaddexp.reduce([*every.values()])
    found = parser.model.find(Batch.of([tree]), SearchOptions(margins=True))
    assert found.margins is not None
    for word, head in enumerate(found.heads[0].tolist()):
        chance = sum(exp(score - total) for (_, heads), score in every.items() if heads[word] == head)
        assert 1 / (1 + exp(-found.margins[0, word])) == pytest.approx(chance, abs=1e-4)
    parsed = next(parser.parse([tree], confidence=True))
    written = [float(word.misc_values["HeadConfidence"]) for word in parsed]
    assert written == pytest.approx((1 / (1 + np.exp(-found.margins[0]))).tolist(), abs=1e-4)


def _known(known: Constraints, _: DependencyTree) -> Constraints:
    return known


def test_the_chart_of_a_parser_tells_of_all_heads_what_it_says_of_those_it_has_chosen() -> None:
    parser = trained(ArcHybrid())
    for tree in parser.parse(TREES[:5], confidence=True):
        heads = parser.model.chart(tree).marginals().heads
        assert heads[:, 1:].sum(axis=0) == pytest.approx(1)
        for word, token in enumerate(tree, 1):
            assert float(token.misc_values["HeadConfidence"]) == pytest.approx(heads[token.head, word], abs=1e-4)
    greedy = NeuralParser.train(TREES, epochs=1, encoder=BiLSTM(hidden=8))
    with pytest.raises(ChartNotDefined, match="train it with decoder=ExactTransitions"):
        greedy.model.chart(TREES[0])


def test_known_heads_are_kept_and_what_cannot_be_is_said() -> None:
    parser, tree = trained(ArcHybrid()), TREES[0].reattach([None] * len(TREES[0]), [None] * len(TREES[0]))
    for word, head in product(range(1, 4), range(4)):
        known = Constraints(heads={word: head})
        if word != head:
            assert next(parser.parse([tree], constraints=partial(_known, known))).heads[word - 1] == head
    crossing = Constraints(heads={1: 3, 2: 4})
    with pytest.raises(BrokenConstraints, match=r"^sentence .*: ArcHybrid.* cannot meet all constraints"):
        next(parser.parse([CROSSING], constraints=lambda _: crossing))


def test_they_are_saved_and_several_networks_score_together(tmp_path: Path) -> None:
    parser = trained(ArcHybrid(), seeds=2)
    parser.save(tmp_path / "model")
    loaded = load_parser(tmp_path / "model")
    assert [tree.heads for tree in loaded.parse(TREES)] == [tree.heads for tree in parser.parse(TREES)]


@pytest.mark.parametrize("option", [{"beam": 2}, {"oracle": "static"}, {"exploration": 0.5}])
def test_there_is_nothing_to_follow(option: dict[str, Any]) -> None:
    with pytest.raises(MeaninglessOption, match="learns from all derivations at once"):
        trained(ArcHybrid(), **option)


def test_a_system_without_a_chart_says_why() -> None:
    with pytest.raises(ChartNotDefined, match="ArcStandard"):
        NeuralParser.train(TREES, system="arc-standard", epochs=1, **SMALL)
