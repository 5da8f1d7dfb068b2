"""Parsing word by word, against searches that know the whole sentence."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import Parser, Token, TransitionEnsemble, sample_treebank, train_pipeline
from deptrees.engine.incremental import Increment, IncrementalParse
from deptrees.features import FAST, Templates
from deptrees.search import BeamSearch, Hypothesis
from deptrees.transition import ArcEager, ArcHybrid, EasyFirst, NonMonotonicArcEager, System, reachable
from deptrees.transition.systems.registry import REGISTRY
from tests.search.test_search import UNLIMITED, every_derivation, path
from tests.tiers import slow, variants_slow
from tests.training.scorers import random_ranking
from tests.transition.configurations import follow, words

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
VARIANTS = [variant for system in REGISTRY.values() for variant in system.variants if variant.lookahead is not None]
EVERY_TABLE = pytest.mark.parametrize("system", variants_slow(VARIANTS), ids=repr)


@cache
def parser_of(system: System, lookahead: int = 1) -> Parser:
    return Parser.train(TRAIN[:10], system=system, lookahead=lookahead, oracle="static", epochs=1)


def told(known: Increment) -> list[Any]:
    """What is said after a word, without what depends on the length of the sentence."""
    return [known.depth, known.certain, *map(told_of, known.hypotheses.items)]


def told_of(hypothesis: Hypothesis) -> Any:
    return hypothesis.config.stack, hypothesis.config.arcs, hypothesis.score


def increments_with_the_whole(parser: Parser, sentence: Sequence[Token], beam: int) -> Iterator[Increment]:
    """What a search by words finds in configurations that have all words from the start on."""
    ranking: Any = parser.model.ranking
    search, n = BeamSearch(attrs.evolve(ranking, normalize=True), beam), len(sentence)
    whole = IncrementalParse(search, n)
    for word in sentence:
        whole.feed(word)
    yield from whole.end()


@EVERY_TABLE
def test_preconditions_look_no_further_than_a_system_says(system: System) -> None:
    cfg: Any
    for cfg in reachable(system, 3):
        longer = system.tree_of([f"w{word}" for word in range(1, 6)])
        if (cfg.buffer_bits >> 1).bit_count() > (system.lookahead or 0):
            extended = cfg.extended(longer)
            assert extended.possible_transitions() == cfg.possible_transitions()
            assert extended == follow(system.initial(longer), cfg.history)


@EVERY_TABLE
@pytest.mark.parametrize("beam", [1, slow(4)])
def test_what_is_known_after_a_word_is_what_a_search_finds_that_has_all_words(system: System, beam: int) -> None:
    parser = parser_of(system)
    for tree in DEV[:2]:
        fed = list(parser.incremental(beam=beam).read(tree.words))
        assert [known.word for known in fed] == [*range(1, len(tree) + 1)]
        assert [*map(told, fed)] == [*map(told, increments_with_the_whole(parser, tree.words, beam))]


@pytest.mark.parametrize("system", [ArcHybrid(single_root=True), ArcEager(root="last")], ids=repr)
@pytest.mark.parametrize("lookahead", [0, 1, 2])
def test_what_is_known_after_a_word_depends_on_no_word_after_the_lookahead(system: System, lookahead: int) -> None:
    parser, random = parser_of(system, lookahead), Random(1)
    assert parser.model.lookahead == lookahead
    for tree in DEV[:5]:
        k = random.randrange(lookahead + 1, len(tree))
        other = [*tree.words[:k], *random.choice(DEV).words, *random.choice(DEV).words]
        one, two = ([*map(told, parser.incremental(beam=3).read(sentence))] for sentence in (tree.words, other))
        assert one[: k - lookahead] == two[: k - lookahead]


@pytest.mark.parametrize("lookahead", [0, 1])
def test_a_tagger_that_comes_with_a_parser_looks_at_no_later_word(lookahead: int) -> None:
    parser = train_pipeline(TRAIN[:60], seeds=1, beam=2, epochs=1, system="arc-hybrid", lookahead=lookahead)
    state = parser.incremental()
    assert state.lookahead == lookahead
    for word in ("The", "old", "man", "sings"):
        known = state.feed(word)
    after = state.feed("birds")
    assert after.word == known.word + 1
    tagged = parser.tagger.tag([["The", "old", "man", "sings", "birds", "."]]) if parser.tagger else ()
    assert [token.upos for token in state.tree] == [token.upos for tree in tagged for token in tree][:5]


@EVERY_TABLE
def test_with_one_derivation_the_tree_is_the_parse(system: System) -> None:
    parser = parser_of(system)
    for tree, parsed in zip(DEV[:3], parser.parse(DEV[:3]), strict=True):
        with parser.incremental() as state:
            for word in tree.words:
                state.feed(word)
        assert (state.tree.heads, state.tree.labels) == (parsed.heads, parsed.labels)


@EVERY_TABLE
def test_arcs_that_are_certain_stay(system: System) -> None:
    parser = parser_of(system)
    for tree in DEV[:2]:
        fed = list(parser.incremental(beam=3).read(tree.words))
        for before, after in zip(fed, [*fed[1:], fed[-1]], strict=True):
            assert {*before.certain} <= {*after.certain}
            for hypothesis in after.hypotheses.items:
                assert {(head, word) for head, word, _ in before.certain} <= {*hypothesis.config.arcs}


def test_where_words_get_other_heads_arcs_of_open_words_are_not_certain() -> None:
    assert [system.keeps_arcs for system in (ArcEager(), ArcHybrid(), NonMonotonicArcEager())] == [True, True, False]


@EVERY_TABLE
def test_a_beam_by_words_as_wide_as_there_are_derivations_finds_all(system: System) -> None:
    ranking = random_ranking(system, 3)
    state = IncrementalParse(BeamSearch(ranking, UNLIMITED), 3)
    *_, known = state.read([token.form for token in system.tree_of(words(3)).tokens])
    found = {path(hypothesis): hypothesis.score for hypothesis in known.hypotheses.items}
    assert found == pytest.approx(dict(every_derivation(ranking, system.initial(words(3)))))


def test_the_mass_that_is_kept_is_all_if_the_beam_is_wide_enough() -> None:
    parser = parser_of(ArcHybrid(), 0)
    [*_, wide] = parser.incremental(beam=64).read(["Birds", "sing"])
    [*_, narrow] = parser.incremental(beam=1).read(["Birds", "sing"])
    assert narrow.record()["mass"] < wide.record()["mass"] == pytest.approx(1, abs=0.05)
    with pytest.raises(ValueError, match="does not read words from left to right"):
        Parser(TransitionEnsemble([parser, parser])).incremental()


def test_what_looks_further_than_asked_is_refused_with_its_name() -> None:
    with pytest.raises(ValueError, match=r"lookahead of more than 0: b1\.form, b0\.form\+b2\.upos"):
        Parser.train(
            TRAIN, system="arc-hybrid", lookahead=0, templates=Templates(["b1.form", "b0.form+b2.upos", "s0.form"])
        )
    with pytest.raises(ValueError, match=r"ArcEager.* has a lookahead of 1, which is more than 0"):
        Parser.train(TRAIN, lookahead=0)
    with pytest.raises(ValueError, match=r"EasyFirst.* does not read words from left to right"):
        Parser.train(TRAIN, system=EasyFirst(), lookahead=2)
    with pytest.raises(ValueError, match="does not read words from left to right"):
        Parser.train(TRAIN[:5], system=EasyFirst(), epochs=1).incremental()
    assert FAST.lookahead == 2


def test_a_sentence_ends_once() -> None:
    state = parser_of(ArcHybrid(), 0).incremental()
    assert state.end() == []
    state.feed("Sing")
    assert [known.word for known in state.end()] == [1]
    assert state.end() == []
    with pytest.raises(ValueError, match="has ended"):
        state.feed("again")


def test_what_is_known_comes_word_by_word() -> None:
    read = []

    def words() -> Iterator[Token]:
        for word in DEV[0].words:
            read.append(word)
            yield word

    parser = parser_of(ArcHybrid())
    increments = parser.incremental(beam=2).read(words())
    assert next(increments).word == 1
    assert len(read) == 1 + parser.incremental().lookahead + 1  # of a word more may be known with the next one
