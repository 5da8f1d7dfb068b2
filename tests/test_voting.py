from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import DependencyTree, Tagger, all_trees, load_parser, sample_treebank
from deptrees.engine import SearchOptions, train
from deptrees.engine.finding import AnyModel, Found
from deptrees.features import Templates
from deptrees.files.models import ModelFile, Part
from deptrees.parser import NotCalibrated, Parser
from deptrees.search import BeamSearch
from deptrees.transition import ArcEager, ArcHybrid, Constraints, EasyFirst, System
from deptrees.transition.systems.registry import GivenSystem
from deptrees.treebanks.batch import Batch
from deptrees.voting import Ensemble, TransitionEnsemble, vote


def test_the_vote_is_the_best_tree_with_a_single_root() -> None:
    single = [tree for tree in all_trees(4) if len(tree.roots) == 1]
    random = Random(1)
    for _ in range(300):
        trees = random.sample(single, 3)
        weights = [random.randrange(1, 5) for _ in trees]

        def votes(
            heads: tuple[int | None, ...], trees: list[DependencyTree] = trees, weights: list[int] = weights
        ) -> int:
            return sum(
                weight * (ours == theirs)
                for tree, weight in zip(trees, weights, strict=True)
                for ours, theirs in zip(heads, tree.heads, strict=True)
            )

        found = vote(trees, weights)
        assert len(found.roots) == 1
        assert votes(found.heads) == max(votes(tree.heads) for tree in single)


@attrs.frozen(eq=False)
class Reciter(AnyModel):
    """A model that knows one tree by heart."""

    tree: DependencyTree
    system = ArcHybrid()
    labels = ("x", "root")
    looks_at = frozenset[str]()

    def find(self, batch: Batch, options: SearchOptions = SearchOptions()) -> Found:  # noqa: B008
        found = Found.empty(batch.columns.offsets, 1)
        found.heads[0] = [head or 0 for head in self.tree.heads * len(batch)]
        found.labels[0] = [self.labels.index(label or "x") for label in self.tree.labels * len(batch)]
        return found

    def part(self) -> Part:
        raise AssertionError

    @classmethod
    def read(cls, file: ModelFile, system: GivenSystem | None = None) -> Any:
        raise AssertionError


def reciting(*trees: DependencyTree) -> list[Parser]:
    return [Parser(Reciter(tree)) for tree in trees]


@pytest.mark.parametrize("constraints", [None, lambda _: Constraints(spans=[(2, 3)])])
def test_the_k_best_trees_are_those_with_most_votes(constraints: Any) -> None:
    known = Constraints() if constraints is None else constraints(None)
    possible = [tree for tree in all_trees(4) if len(tree.roots) == 1 and not known.broken_by(tree.heads)]
    random = Random(1)
    for _ in range(50):
        trees = random.sample(possible, 3)
        weights = [random.randrange(1, 5) for _ in trees]
        voted = [{tree.heads[word] for tree in trees} for word in range(4)]
        scores = sorted(
            sum(
                weight * sum(ours == theirs for ours, theirs in zip(tree.heads, other.heads, strict=True))
                for other, weight in zip(trees, weights, strict=True)
            )
            for tree in possible
            if all(head in heads for head, heads in zip(tree.heads, voted, strict=True))
        )
        ensemble = Parser(Ensemble(reciting(*trees), weights))
        [found] = ensemble.k_best([trees[0]], k=5, constraints=constraints)
        assert [one.score for one in found] == scores[: -min(5, len(scores)) - 1 : -1]
        assert len({one.tree.heads for one in found}) == len(found)
        assert ensemble.parse(trees[0], constraints=constraints) == found[0].tree
        assert ensemble.k_best(trees[0], k=5, constraints=constraints) == found


@pytest.mark.parametrize("kind", [Ensemble, TransitionEnsemble])
def test_votes_tell_how_sure_an_ensemble_is(kind: Any) -> None:
    trees, dev = list(sample_treebank("train"))[:10], list(sample_treebank("dev"))[:4]
    few = Templates(["s0.form+b0.form", "s0.upos+b0.upos", "s0.upos"])
    parsers = [
        Parser(train(trees, system=ArcHybrid(), templates=few, epochs=1, seed=seed, bits=(14, 10)))
        for seed in (1, 2, 3)
    ]
    ensemble = Parser(kind(parsers, [1.1, 1, 1]))
    with pytest.raises(NotCalibrated, match="calibrate"):
        ensemble.parse(dev, confidence=True)
    calibrated = ensemble.calibrate(dev)
    told = list(calibrated.parse(dev, confidence=True))
    assert [tree.heads for tree in told] == [tree.heads for tree in ensemble.parse(dev)]
    sure = {round(float(word.misc_values["HeadConfidence"]), 3) for tree in told for word in tree}
    assert 0 < min(sure) < max(sure) < 1
    assert all("Confidence" in word.misc_values for tree in told for word in tree)
    [known] = calibrated.parse(dev[:1], constraints=lambda _: Constraints(heads={1: 2}), confidence=True)
    assert known[1].misc_values["HeadConfidence"] == "1.0000"


def test_arcs_with_more_votes_are_surer() -> None:
    gold = [DependencyTree([(2, "a", "x"), (0, "b", "root"), (head, "c", "x")]) for head in (2, 2, 2, 1)]
    recite = DependencyTree([(2, "a", "x"), (0, "b", "root"), (2, "c", "x")])
    doubtful = DependencyTree([(2, "a", "x"), (0, "b", "root"), (1, "c", "x")])
    ensemble = Parser(Ensemble(reciting(recite, recite, doubtful))).calibrate(gold)
    surest, _, doubted = [
        float(word.misc_values["HeadConfidence"]) for word in ensemble.parse(gold[0], confidence=True)
    ]
    assert surest > doubted


def test_words_may_be_left_without_a_head() -> None:
    trees = [DependencyTree([(2, "a"), (None, "b")]), DependencyTree([(None, "a"), (1, "b")])]
    assert vote(trees, [2, 1]).heads == (2, None)
    assert vote(trees[:1], [1]).heads == (2, None)


def test_labels_come_from_those_who_agree_on_the_head() -> None:
    trees = [DependencyTree([(0, "a", "root"), (1, "b", label)]) for label in ("x", "y", "y")]
    other = DependencyTree([(2, "a", "z"), (0, "b", "root")])
    assert vote([*trees, other], [1, 1, 1, 2]).labels == ("root", "y")


def test_an_ensemble_of_one_is_its_parser(parser: Parser) -> None:
    dev = list(sample_treebank("dev"))
    assert list(Parser(Ensemble([parser])).parse(dev)) == list(parser.parse(dev))
    assert list(Parser(Ensemble([parser] * 3)).parse(iter(dev))) == list(parser.parse(dev))


def test_parsers_of_different_systems_vote() -> None:
    train, dev = list(sample_treebank("train"))[:20], list(sample_treebank("dev"))
    ensemble = Parser(Ensemble([Parser.train(train, system=system, epochs=1) for system in (ArcEager(), ArcHybrid())]))
    assert all(None not in tree.heads for tree in ensemble.parse(dev))


def test_there_must_be_parsers_and_a_weight_for_each(parser: Parser) -> None:
    with pytest.raises(ValueError, match="parsers"):
        Ensemble([])
    with pytest.raises(ValueError, match="1 parsers and 2 weights"):
        Ensemble([parser], [1, 2])


def test_threads_and_beam_are_those_of_the_parsers(parser: Parser) -> None:
    dev = list(sample_treebank("dev"))
    assert list(Parser(Ensemble([parser])).parse(dev, threads=2, beam=4)) == list(parser.parse(dev, beam=4))
    with pytest.raises(ValueError, match="beam is a whole number, from 1 to 64"):
        Parser(Ensemble([parser])).parse(dev, beam=65)


@pytest.mark.parametrize("system", [ArcEager(root="last"), EasyFirst()], ids=repr)
def test_each_transition_is_the_one_with_most_votes(system: System) -> None:
    trees, dev = list(sample_treebank("train"))[:10], list(sample_treebank("dev"))[:3]
    few = Templates(["s0.form+b0.form", "s1.form+s0.form", "s0.left.form+b0.form", "s0.upos"])
    parsers = [
        Parser(train(trees, system=system, templates=few, epochs=1, seed=seed, bits=(14, 10))) for seed in (1, 2, 3)
    ]
    weights = [1.1, 1, 1]
    outvoted = 0
    for tree, parsed in zip(dev, Parser(TransitionEnsemble(parsers, weights)).parse(dev), strict=True):
        cfg: Any = system.initial(tree)
        while not cfg.is_final:
            first, second, third = (parser.model.ranking(cfg) for parser in parsers)
            outvoted += first != second == third
            cfg = (second if second == third else first)(cfg)
        assert (parsed.heads, parsed.labels) == (cfg.heads, cfg.labels)
    assert outvoted


def test_an_ensemble_of_one_takes_the_transitions_of_its_parser(parser: Parser) -> None:
    dev = list(sample_treebank("dev"))[:5]
    assert list(Parser(TransitionEnsemble([parser])).parse(dev)) == list(parser.parse(dev))
    assert list(Parser(TransitionEnsemble([parser] * 2, [2, 1])).parse(iter(dev))) == list(parser.parse(dev))
    with pytest.raises(ValueError, match="beam is a whole number, from 1 to 64"):
        Parser(TransitionEnsemble([parser])).parse(dev, beam=65)


@pytest.mark.parametrize("constraints", [None, lambda _: Constraints(heads={1: 3})])
def test_the_trees_with_most_votes_are_those_of_a_beam(parser: Parser, constraints: Any) -> None:
    [tree] = [tree for tree in sample_treebank("dev") if len(tree) > 4][:1]
    model = TransitionEnsemble([parser])
    ensemble = Parser(model)
    [found] = ensemble.k_best([tree], k=3, beam=8, constraints=constraints)
    possible = {} if constraints is None else {"possible": constraints(tree).transitions}
    hypotheses = BeamSearch(model.ranking, 8, **possible).k_best(tree)
    assert [one.tree.heads for one in found] == [one.config.heads for one in hypotheses[:3]]
    assert [one.score for one in found] == pytest.approx([one.score for one in hypotheses[:3]])
    assert [one.tree for one in found][:1] == list(ensemble.parse([tree], beam=8, constraints=constraints))
    with pytest.raises(ValueError, match="k is a whole number, 1 or more"):
        ensemble.k_best([tree], k=0)


def test_parsers_that_vote_on_transitions_have_one_system(parser: Parser) -> None:
    other = Parser.train(sample_treebank("train"), system=ArcHybrid(), epochs=1)
    with pytest.raises(ValueError, match="have one system"):
        TransitionEnsemble([parser, other])


def test_parsers_that_vote_have_taggers_of_their_own(parser: Parser, tagger: Tagger, tmp_path: Path) -> None:
    trees, words = list(sample_treebank("train")), [[token.form for token in tree] for tree in sample_treebank("dev")]
    other = Tagger.train(trees[:20], epochs=1)
    parsers = [attrs.evolve(parser, tagger=one) for one in (tagger, other, tagger)]
    ensemble = Parser(Ensemble(parsers))
    expected = [vote(found, [1, 1, 1]) for found in zip(*(one.parse(words) for one in parsers), strict=True)]
    ensemble.save(tmp_path / "model")
    for one in ensemble, load_parser(tmp_path / "model"):
        assert list(one.parse(words)) == expected  # with the tags of the first
    assert list(Tagger.load(tmp_path / "model").tag(words)) == list(tagger.tag(words))


def test_models_that_do_not_score_transitions_say_so(parser: Parser) -> None:
    ensemble = Parser(Ensemble([parser]))
    with pytest.raises(TypeError, match="the kind Ensemble does not score the transitions of a single configuration"):
        TransitionEnsemble([ensemble])
    with pytest.raises(TypeError, match="start is a linear parser to continue from, not Ensemble"):
        Parser.train(sample_treebank("train"), epochs=1, start=ensemble)


def test_ensembles_of_ensembles_are_saved(parser: Parser, tmp_path: Path) -> None:
    dev = list(sample_treebank("dev"))
    Parser(Ensemble([Parser(Ensemble([parser] * 2)), Parser(TransitionEnsemble([parser]))])).save(tmp_path / "model")
    assert list(load_parser(tmp_path / "model").parse(dev)) == list(parser.parse(dev))
