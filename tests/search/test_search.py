import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pytest

from deptrees import DependencyTree, all_trees
from deptrees.search import BaseRanking, BeamSearch, Hypothesis, Ranking, Space
from deptrees.transition import (
    ArcEager,
    ArcEagerRegisters,
    ArcHybrid,
    ArcSwift,
    Constraints,
    EasyFirst,
    LeftArc,
    RightArc,
    Shift,
    System,
    Transition,
    TwoPlanar,
    reachable,
)
from tests.tiers import slow
from tests.training.scorers import EVERY_KIND_OF_SYSTEM, RandomScorer, random_ranking
from tests.transition.configurations import follow, words

EVERY_SYSTEM = pytest.mark.parametrize("system", EVERY_KIND_OF_SYSTEM, ids=repr)
UNLIMITED = 10**9
_MANY_WAYS = [ArcEagerRegisters(), TwoPlanar()]
"""Systems that have thousands of derivations of three words."""
EVERY_SENTENCE = pytest.mark.parametrize(
    ("system", "n"),
    [(system, 2 if system in _MANY_WAYS else 3) for system in EVERY_KIND_OF_SYSTEM]
    + [slow(system, 3) for system in _MANY_WAYS],
    ids=repr,
)
Path = tuple[Transition, ...]


def every_derivation(ranking: BaseRanking, cfg: Any, path: Path = (), score: float = 0) -> Iterator[tuple[Path, float]]:
    """All ways to a final configuration with their scores, without any search."""
    if cfg.is_final:
        yield path, score
        return
    for transition, gained in ranking.ranked(cfg):
        yield from every_derivation(ranking, transition(cfg), (*path, transition), score + gained)


def paths(beam: Sequence[Hypothesis]) -> dict[Path, float]:
    return {path(hypothesis): hypothesis.score for hypothesis in beam}


def path(hypothesis: Hypothesis) -> Path:
    return tuple(transition for _, transition in hypothesis.derivation())


def replayed(system: System, n: int, path: Path) -> Any:
    return follow(system.initial(words(n)), path)


@EVERY_SENTENCE
def test_a_beam_of_unlimited_width_finds_every_derivation(system: System, n: int) -> None:
    _assert_every_derivation_is_found(system, n, [])


@EVERY_SYSTEM
@pytest.mark.parametrize("n", [1, 2])
def test_a_beam_of_unlimited_width_finds_every_derivation_with_labels(system: System, n: int) -> None:
    _assert_every_derivation_is_found(system, n, ["a", "b"])


def _assert_every_derivation_is_found(system: System, n: int, labels: list[str]) -> None:
    ranking = random_ranking(system, n, labels)
    *_, beam = BeamSearch(ranking, UNLIMITED)(words(n))
    expected = dict(every_derivation(ranking, system.initial(words(n))))
    assert paths(beam) == pytest.approx(expected)
    assert [hypothesis.score for hypothesis in beam] == sorted(expected.values(), reverse=True)


@EVERY_SENTENCE
@pytest.mark.parametrize("merge", [False, True])
def test_the_k_best_trees_are_those_of_the_best_derivations(system: System, n: int, merge: bool) -> None:
    ranking = random_ranking(system)
    best: dict[object, float] = {}
    for path, score in every_derivation(ranking, system.initial(words(n))):
        heads = replayed(system, n, path).heads
        best[heads] = max(score, best.get(heads, -math.inf))
    found = BeamSearch(ranking, UNLIMITED, merge=merge).k_best(words(n))
    assert {hypothesis.tree().heads: hypothesis.score for hypothesis in found} == pytest.approx(best)
    assert len(found) == len(best)
    assert [hypothesis.score for hypothesis in found] == sorted(best.values(), reverse=True)
    assert BeamSearch(ranking, UNLIMITED, merge=merge).best(words(n)).score == max(best.values())


@EVERY_SYSTEM
@pytest.mark.parametrize("size", [1, 3])
def test_each_step_keeps_the_best_of_all_successors(system: System, size: int) -> None:
    ranking = random_ranking(system, size)
    kept: list[tuple[Path, float]] = [((), 0)]
    for beam in islice(BeamSearch(ranking, size)(words(4)), 1, None):
        successors = []
        for path, score in kept:
            cfg = replayed(system, 4, path)
            if cfg.is_final:
                successors.append((path, score))
            else:
                successors += [((*path, transition), score + gained) for transition, gained in ranking.ranked(cfg)]
        kept = sorted(successors, key=lambda item: -item[1])[:size]
        assert list(paths(beam)) == [path for path, _ in kept]
        assert list(paths(beam).values()) == pytest.approx([score for _, score in kept])
        assert [hypothesis.config for hypothesis in beam] == [replayed(system, 4, path) for path, _ in kept]
    assert all(replayed(system, 4, path).is_final for path, _ in kept)


@EVERY_SENTENCE
def test_merging_changes_nothing_but_duplicates(system: System, n: int) -> None:
    ranking = random_ranking(system)
    plain, merged = (BeamSearch(ranking, UNLIMITED, merge=merge)(words(n)) for merge in (False, True))
    for beam, without in zip(plain, merged, strict=True):
        best: dict[Any, float] = {}
        for hypothesis in beam:
            best.setdefault(hypothesis.config, hypothesis.score)
        assert [(hypothesis.config, hypothesis.score) for hypothesis in without] == list(best.items())


@EVERY_SYSTEM
@pytest.mark.parametrize("merge", [False, True])
def test_a_beam_of_one_is_greedy(system: System, merge: bool) -> None:
    for seed in range(5):
        ranking = random_ranking(system, seed, ["a", "b"], integers=True)
        cfg: Any = system.initial(words(5))
        greedy = []
        while not cfg.is_final:
            greedy.append(ranking(cfg))
            cfg = greedy[-1](cfg)
        assert path(BeamSearch(ranking, 1, merge=merge).best(words(5))) == tuple(greedy)


@EVERY_SYSTEM
def test_normalized_scores_make_a_probability_distribution_over_derivations(system: System) -> None:
    ranking = random_ranking(system, normalize=True, labels=["a", "b"])
    *_, beam = BeamSearch(ranking, UNLIMITED)(words(2))
    assert sum(math.exp(hypothesis.score) for hypothesis in beam) == pytest.approx(1)


def test_nothing_is_computed_before_it_is_asked_for() -> None:
    ranking = random_ranking(ArcHybrid())
    assert isinstance(ranking.scorer, RandomScorer)
    beams = BeamSearch(ranking)(words(20))
    assert ranking.scorer.calls == 0
    list(islice(beams, 4))
    assert ranking.scorer.calls == 3


def test_a_derivation_of_thousands_of_steps() -> None:
    ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    hypothesis = BeamSearch(ranking, 2).best(words(3000))
    assert len(hypothesis.derivation()) == 6000
    assert "previous" not in repr(hypothesis)


def test_an_empty_sentence_is_parsed_at_once() -> None:
    (beam,) = BeamSearch(random_ranking(ArcHybrid()))([])
    assert len(beam) == 1
    assert beam[0].derivation() == ()


@EVERY_SENTENCE
def test_a_search_goes_on_from_any_configuration(system: System, n: int) -> None:
    search = BeamSearch(random_ranking(system), UNLIMITED)
    for cfg in islice(reachable(system, n), 0, None, 7):
        *_, beam = search(cfg)
        assert paths(beam) == pytest.approx(dict(every_derivation(search.ranking, cfg)))


@EVERY_SENTENCE
def test_parsing_with_known_heads_finds_the_best_of_the_trees_that_have_them(system: System, n: int) -> None:
    ranking = random_ranking(system)
    finals = {cfg.heads for cfg in reachable(system, n) if cfg.is_final}
    derivations = every_derivation(ranking, system.initial(words(n)))
    complete = [(replayed(system, n, path).heads, score) for path, score in derivations]
    for word in range(1, n + 1):
        for head in range(n + 1):
            agreeing = [score for heads, score in complete if heads[word - 1] == head]
            if agreeing:
                known = BeamSearch(ranking, UNLIMITED, possible=Constraints(heads={word: head}).transitions)
                best = known.best(words(n))
                assert best.tree().heads in finals
                assert best.tree().heads[word - 1] == head
                assert best.score == pytest.approx(max(agreeing))


@pytest.mark.parametrize("system", [ArcHybrid(), ArcEager(root="last", single_root=True)], ids=repr)
def test_a_narrow_beam_meets_all_constraints(system: System) -> None:
    for seed, tree in enumerate(islice(all_trees(4), 0, None, 9)):
        if system.obstacle(tree) is None:
            constraints = Constraints(
                heads={word: head for word, head in enumerate(tree.heads, 1) if word % 2 and head is not None},
                directions={word: "left" if (tree.heads[word - 1] or 0) < word else "right" for word in (2, 4)},
            )
            search = BeamSearch(random_ranking(system, seed), 2, possible=constraints.transitions)
            found = search.best(words(4)).tree()
            assert found.heads[::2] == tree.heads[::2]
            for word in 2, 4:
                assert ((found.heads[word - 1] or 0) < word) == ((tree.heads[word - 1] or 0) < word)


def test_labels_of_known_arcs_are_open() -> None:
    ranking = random_ranking(ArcEager(), labels=["a", "b"])
    found = BeamSearch(ranking, UNLIMITED, possible=Constraints(heads={1: 2}).transitions).k_best(words(2))
    assert {hypothesis.config.labels for hypothesis in found} == {(x, y) for x in "ab" for y in "ab"}
    assert {hypothesis.config.heads for hypothesis in found} == {(2, 0)}


def test_a_search_that_is_not_allowed_to_go_on_says_so() -> None:
    search = BeamSearch(random_ranking(ArcHybrid()), possible=lambda cfg: ())
    with pytest.raises(ValueError, match="no transition may be taken in ArcHybrid"):
        search.best(words(2))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1, 0, 2], r"have the shape \(3,\)"),
        ([[1, 0, 2]] * 2, r"have the shape \(2, 3\)"),
        ([[1, 0]], "not a row for each with 3 columns"),
        ([[1, 0, math.nan]], r"the score of Shift\(\) is not a number"),
    ],
)
def test_a_scorer_with_a_wrong_table_is_told(table: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BeamSearch(Ranking(ArcHybrid(), lambda _: table)).best(words(2))


def test_a_table_that_has_too_few_k_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"there is no score for RightArc\(k=2\): the row ends before it"):
        BeamSearch(Ranking(EasyFirst(), lambda configurations: np.zeros((len(configurations), 2)))).best(words(2))


def test_an_impossible_score_is_never_chosen_while_there_is_another() -> None:
    ranking = Ranking(ArcHybrid(), lambda configurations: [[-math.inf, 0, -1]] * len(configurations))
    assert BeamSearch(ranking, 1).best(words(2)).tree().heads == (0, 0)


def test_a_space_has_a_column_for_every_transition() -> None:
    for system in EVERY_KIND_OF_SYSTEM:
        space = Space(system.transition_space(["a", "b"]))
        assert [space.column(transition) for transition in space.transitions] == list(range(len(space)))
        for cfg in reachable(system, 3):
            if not cfg.is_final:
                transitions = space.agreeing(cfg.possible_transitions())
                columns = [space.column(transition) for transition in transitions]
                assert len(set(columns)) == len(columns)
                assert all(transition.is_possible(cfg) for transition in transitions)
                assert {_bare(transition) for transition in transitions} == set(map(_bare, cfg.possible_transitions()))


def _bare(transition: Transition) -> tuple[type[Transition], int]:
    return type(transition), getattr(transition, "k", 1)


def test_what_a_space_does_not_know_agrees_with_all_labels_or_is_an_error() -> None:
    space = Space(ArcSwift().transition_space(["a", "b"]))
    assert space.agreeing(LeftArc("c", k=3)) == (LeftArc("a", k=3), LeftArc("b", k=3))
    assert space.agreeing([RightArc("b"), Shift()]) == (RightArc("b"), Shift())
    assert Space(ArcSwift().transition_space()).agreeing(LeftArc("a")) == (LeftArc(),)
    for wrong in (LeftArc("c"), LeftArc("c", k=2)):
        with pytest.raises(ValueError, match="not in the transition space"):
            space.column(wrong)
    with pytest.raises(ValueError, match="nothing in the transition space"):
        Space((Shift(),)).agreeing(LeftArc())


def test_a_beam_needs_a_size() -> None:
    with pytest.raises(ValueError, match="size"):
        BeamSearch(random_ranking(ArcHybrid()), 0)


def test_a_tree_keeps_what_it_brought() -> None:
    tree = DependencyTree([(0, "Sing"), (1, "again")], comments=["# text = Sing again"])
    assert BeamSearch(random_ranking(ArcHybrid())).best(tree).tree().comments == tree.comments
