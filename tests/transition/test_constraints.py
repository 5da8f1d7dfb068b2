from itertools import islice
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest

from deptrees import DependencyTree, Treebank
from deptrees.search import BeamSearch, Ranking
from deptrees.training import GlobalTraining, LocalTraining
from deptrees.training.perceptron import Perceptron
from deptrees.transition import (
    ArcEager,
    ArcEagerRegisters,
    ArcHybrid,
    ArcHybridSwap,
    ArcStandardSwap,
    ArcTransition,
    Attardi,
    BrokenConstraints,
    Configuration,
    Constraints,
    EasyFirst,
    ListBasedNonProjective,
    NonMonotonicArcEager,
    Oracle,
    OracleNotDefined,
    System,
    Transition,
    TwoPlanar,
    dynamic_oracle,
    reachable,
    reachable_heads,
)
from deptrees.transition.labels import Label
from deptrees.transition.losses.arc_costs import ArcCosts
from tests.gold_trees import TREEBANKS, needs_treebanks
from tests.tiers import slow, variants_slow
from tests.training.scorers import EVERY_KIND_OF_SYSTEM, random_ranking
from tests.transition.configurations import EVERY_SYSTEM, SEARCHED, every_configuration, words

CONSTRAINTS = [
    Constraints(),
    Constraints(heads={1: 0}),
    Constraints(heads={2: 3, 3: 1}),
    Constraints(directions={2: "left"}),
    Constraints(directions={1: "right", 3: "left"}),
    Constraints(directions={1: "left"}),
    Constraints(spans=[(1, 2)]),
    Constraints(spans=[(2, 3)]),
    Constraints(spans=[(1, 3), (2, 3)]),
    Constraints(spans=[(1, 2), (3, 4)]),
    Constraints(spans=[(1, 3), (2, 4)]),
    Constraints(heads={4: 2}, directions={2: "right"}, spans=[(2, 3)]),
    Constraints(heads={1: 3, 2: 4}),
    Constraints(heads={4: 1}, directions={1: "right"}, spans=[(1, 2)]),
    Constraints(heads={1: (2, 3), 2: {0, 1}}),
    Constraints(heads={2: [0, 3], 3: 0}, spans=[(1, 2)]),
    Constraints(labels={1: ("nsubj", "root")}),
]


KNOWN_HEADS = Constraints(heads={2: 3, 3: 1})
CONSTRAINED = (
    DependencyTree([(2, "They"), (0, "saw"), (5, "her"), (5, "old"), (2, "duck"), (2, "again")]),
    Constraints(heads={6: 2}, directions={1: "right", 4: "right"}, spans=[(3, 5)]),
)


def meets(heads: tuple[int | None, ...], constraints: Constraints) -> bool:
    """What the constraints mean, in so many words."""
    known = all(heads[word - 1] in among for word, among in constraints.heads)
    known &= all(heads[word - 1] is not None for word, _ in constraints.labels)
    for word, direction in constraints.directions:
        head = heads[word - 1]
        known &= head is not None and (head < word if direction == "left" else head > word)
    for first, last in constraints.spans:
        inside = range(first, last + 1)
        known &= sum(heads[word - 1] not in inside for word in inside) == 1
    return known


WITH_LONG_ARCS = [system for system in EVERY_KIND_OF_SYSTEM if getattr(system, "longest_arc", None) is None]


FIRST = {type(system): system for system in reversed(EVERY_SYSTEM)}.values()
"""Of each class the first of its systems."""
SLOW = ListBasedNonProjective | TwoPlanar | ArcEagerRegisters
"""Of four words they have too many configurations, or a search that ends before all of them."""


@pytest.mark.parametrize(
    ("system", "n"),
    [
        *[(system, 3 if system in FIRST and system not in SEARCHED else 2) for system in EVERY_SYSTEM],
        *[slow(system, 3) for system in EVERY_SYSTEM if system not in FIRST and system not in SEARCHED],
        *[slow(system, 3 if isinstance(system, SLOW) else 4) for system in FIRST],
    ],
    ids=repr,
)
def test_transitions_are_those_after_which_the_constraints_can_be_met(system: System, n: int) -> None:
    for constraints in CONSTRAINTS:
        if speaks_of(constraints) > n:
            continue
        met = {heads for heads in reachable_heads(system.initial(words(n))) if meets(heads, constraints)}
        for cfg in every_configuration(system, n):
            if cfg.is_final:
                continue
            if met.isdisjoint(reachable_heads(cfg)):
                with pytest.raises(BrokenConstraints):
                    constraints.transitions(cfg)
            else:
                assert without_labels(constraints.transitions(cfg)) == tuple(
                    transition
                    for transition in cfg.possible_transitions()
                    if not met.isdisjoint(reachable_heads(transition(cfg)))
                ), (constraints, cfg)


def without_labels(transitions: tuple[Transition, ...]) -> tuple[Transition, ...]:
    """Transitions without their labels, each once."""
    bare = [type(one)(k=one.k) if isinstance(one, ArcTransition) else one for one in transitions]
    return tuple(dict.fromkeys(bare))


def speaks_of(constraints: Constraints) -> int:
    """The last word that constraints speak of."""
    words = [word for word, _ in (*constraints.heads, *constraints.directions, *constraints.labels)]
    heads = [head for _, among in constraints.heads for head in among]
    return max((*words, *heads, *(last for _, last in constraints.spans)), default=0)


@pytest.mark.parametrize("system", variants_slow(EVERY_SYSTEM), ids=repr)
@pytest.mark.parametrize("draws", [1, slow(5)])
def test_least_costs_are_exact_for_any_costs_of_arcs(system: System, draws: int) -> None:
    rng = np.random.default_rng(3)
    assert system.oracles.loss is not None
    for _ in range(draws):
        costs = rng.choice([0.0, 0.0, 1.0, 2.0], size=(5, 4))
        costs[:, 0] = 0.0
        least_cost = system.oracles.loss.least_costs(costs, system)
        assert least_cost is not None
        for cfg in every_configuration(system, 3):
            assert least_cost(cfg) == min(total(heads, costs) for heads in reachable_heads(cfg))


def total(heads: tuple[int | None, ...], costs: ArcCosts) -> float:
    return float(sum(costs[-1 if head is None else head, word] for word, head in enumerate(heads, 1)))


@needs_treebanks
@pytest.mark.parametrize("system", WITH_LONG_ARCS, ids=repr)
def test_constrained_parses_of_real_sentences_end_and_obey(system: System) -> None:
    assert TREEBANKS
    rng = Random(1)
    for path in sorted(TREEBANKS.glob("*-dev.conllu"))[::2]:
        trees = [tree for tree in islice(Treebank(path), 200) if 20 <= len(tree) <= 30 and not system.obstacle(tree)]
        for tree in trees[:1]:
            constraints, cfg = drawn(tree, rng), system.initial(tree)
            while not cfg.is_final:
                cfg = rng.choice(constraints.transitions(cfg))(cfg)
            assert meets(cfg.heads, constraints)


def drawn(tree: DependencyTree, rng: Random) -> Constraints:
    """Some of what is true of a tree."""
    some = [word for word in range(1, len(tree) + 1) if rng.random() < 0.2]
    known = {word: tree.heads[word - 1] for word in some[::2]}
    spans = [tree.span(word) for word in some[:3]]
    return Constraints(
        heads={word: head for word, head in known.items() if head is not None},
        directions={word: "left" if (tree.heads[word - 1] or 0) < word else "right" for word in some[1::2]},
        spans=[span for span in spans if meets(tree.heads, Constraints(spans=[span]))],
    )


def test_costs_count_the_constraints_that_a_head_breaks() -> None:
    costs = Constraints(heads={1: 2}, directions={1: "right", 2: "left"}, spans=[(1, 2)]).costs(3)
    assert np.array_equal(costs[:, 1], [3, 2, 0, 2, 3])
    assert np.array_equal(costs[:, 2], [1, 0, 1, 2, 2])
    assert not costs[:, [0, 3]].any()


@pytest.mark.parametrize(
    ("constraints", "reason"),
    [
        (Constraints(heads={3: 1}), "speaks of word 3, and the words are 1 to 2"),
        (Constraints(heads={1: 1}), "word 1 cannot have the head 1"),
        (Constraints(heads={1: (0, 3)}), "word 1 cannot have the head 3"),
        (Constraints(heads={1: "2"}), "word 1 cannot have the head '2'"),  # type: ignore[dict-item]
        (Constraints(heads={1: ("x", 2)}), "word 1 cannot have the head 'x'"),  # type: ignore[dict-item]
        (Constraints(heads={1: (None, "x", 2)}), "word 1 cannot have the head 'x'|None"),  # type: ignore[dict-item]
        (Constraints(heads={1: ()}), "nothing is left to choose from for word 1"),
        (Constraints(labels={2: []}), "nothing is left to choose from for word 2"),
        (Constraints(labels={3: "obj"}), "speaks of word 3"),
        (Constraints(directions={0: "left"}), "speaks of word 0"),
        (Constraints(directions={1: "up"}), "must be 'left' or 'right', not 'up'"),
        (Constraints(spans=[(2, 1)]), "cannot begin with word 2 and end with word 1"),
    ],
)
def test_constraints_that_make_no_sense_are_refused(constraints: Constraints, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        constraints.transitions(ArcEager().initial(words(2)))


@pytest.mark.parametrize("spans", [(1, 2), [(1, 2, 3)], [1], 5])
def test_spans_are_pairs(spans: Any) -> None:
    with pytest.raises(ValueError, match=r"spans are pairs of a first and a last word, such as \[\(1, 3\)\], not"):
        Constraints(spans=spans)


class WithoutLeastCosts(ArcHybrid):
    """A table that says which gold arcs are lost, and nobody knows its losses."""

    def loss(self) -> None:
        return None


def test_a_system_that_knows_the_costs_of_gold_trees_only_takes_known_heads() -> None:
    system = WithoutLeastCosts()
    assert system.oracles.loss is not None
    assert system.oracles.loss.least_costs(np.zeros((5, 4)), system) is None
    for cfg in reachable(system, 3):
        if not cfg.is_final and any(meets(heads, KNOWN_HEADS) for heads in reachable_heads(cfg)):
            assert KNOWN_HEADS.transitions(cfg) == tuple(
                transition
                for transition in cfg.possible_transitions()
                if any(meets(heads, KNOWN_HEADS) for heads in reachable_heads(transition(cfg)))
            )
    for constraints in (Constraints(directions={1: "left"}), Constraints(heads={1: (0, 2)})):
        with pytest.raises(OracleNotDefined, match="knows no other constraints than labels, and heads one for a word"):
            constraints.transitions(system.initial(words(2)))


@pytest.mark.parametrize("system", [ArcEager(), ArcEager(root="none"), NonMonotonicArcEager(), EasyFirst()], ids=repr)
def test_a_parser_gives_words_no_other_labels_than_they_may_have(system: System) -> None:
    labels = ("dep", "nsubj", "obj", "root")
    constraints = Constraints(heads={3: (1, 2)}, labels={1: ("nsubj", "dep"), 3: "obj"})
    for seed in range(20):
        ranking = random_ranking(system, seed, labels)
        tree = BeamSearch(ranking, 2, possible=constraints.transitions).best(words(4)).tree()
        assert meets(tree.heads, constraints)
        assert tree.labels[0] in ("nsubj", "dep")
        assert tree.labels[2] == "obj"


def test_what_is_known_of_a_word_is_written_into_misc() -> None:
    known = Constraints(
        heads={1: (2, 3), 2: (0, 1), 3: 0, 4: (3, 5)}, directions={5: "left"}, labels={1: "a", 2: ("a", "b"), 5: "b"}
    )
    tree = DependencyTree([(None, form) for form in "vwxyz"])
    noted = known.in_misc(attrs.evolve(tree, tokens=[attrs.evolve(tree[1], misc="X=1"), *tree.tokens[1:]]))
    assert [token.misc for token in noted] == [
        "X=1|KnownHead=right|KnownLabel=a",
        "KnownHead=left",
        "KnownHead=root",
        None,
        "KnownHead=left|KnownLabel=b",
    ]
    assert Constraints().in_misc(tree) is tree


def test_contradictions_are_refused() -> None:
    both = Constraints(heads={1: 2}, directions={1: "left"})
    with pytest.raises(BrokenConstraints, match="cannot meet all constraints: give up what they say of word"):
        both.transitions(ArcEager().initial(words(2)))
    with pytest.raises(BrokenConstraints, match="cannot meet all constraints: give up what they say of word"):
        Constraints(heads={1: 2, 2: 1}).transitions(ArcEager().initial(words(2)))


@pytest.mark.parametrize("size", [1, 4])
def test_global_training_under_constraints_compares_derivations_that_obey(size: int) -> None:
    tree, constraints = CONSTRAINED
    search = BeamSearch(random_ranking(ArcEager()), size, possible=constraints.transitions)
    [update] = GlobalTraining(Oracle(ArcEager(), dynamic_oracle), search, "full")(tree)
    for derivation in update.positive, update.negative:
        cfg, transition = derivation[-1]
        assert meets(transition(cfg).heads, constraints)


def test_a_parser_can_learn_from_constraints_alone() -> None:
    def obedient(cfg: Any, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
        return constraints.transitions(cfg)

    tree, constraints = CONSTRAINED
    model = Perceptron(lambda cfg: [f"{cfg.stack[-1:]} {cfg.buffer[:1]}"], ArcEager().transition_space())
    ranking = Ranking(ArcEager(), model)
    training = LocalTraining(Oracle(ArcEager(), obedient), ranking)
    assert not meets(BeamSearch(ranking, 1).best(tree).tree().heads, constraints)
    for _ in range(10):
        for update in training(tree):
            model.update(update)
    assert meets(BeamSearch(ranking, 1).best(tree).tree().heads, constraints)


def test_where_a_search_would_take_long_transitions_are_left_out_and_never_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heads = {1: 3, 2: 4}
    exact = {cfg: transitions_under(Constraints(heads=heads), cfg) for cfg in reachable(ArcStandardSwap(), 4)}
    for limit in ("SHORT_LIMIT", "LIMIT_IN_ALL"):
        monkeypatch.setattr(f"deptrees.transition.losses.shortest_path.{limit}", 2)
    hasty = Constraints(heads=heads, spans=[(1, 1)])  # the same: this span says nothing
    found = {cfg: transitions_under(hasty, cfg) for cfg in exact}
    assert all(found[cfg] <= exact[cfg] for cfg in exact)
    assert any(found[cfg] < exact[cfg] for cfg in exact)
    assert found[ArcStandardSwap().initial(words(4))]  # where the static oracle's way is one
    far = next(cfg for cfg in exact if exact[cfg] and not found[cfg])
    with pytest.raises(BrokenConstraints, match="it would take too long to find out how"):
        hasty.transitions(far)


@needs_treebanks
@pytest.mark.parametrize("system", [ArcHybridSwap(), ArcStandardSwap(), TwoPlanar(), Attardi()], ids=repr)
def test_real_trees_are_built_again_in_a_bounded_time(system: System) -> None:
    """Where an exact answer is far, the way of the static oracle is one."""
    assert TREEBANKS
    ranking = random_ranking(system, seed=1)
    trees = Treebank(*sorted(TREEBANKS.glob("*-dev.conllu")), keep=lambda tree: len(tree) < 20)
    for tree in islice(trees, 10):
        heads = Constraints(heads={word: head for head, word in tree.arcs})
        try:
            assert BeamSearch(ranking, 1, possible=heads.transitions).best(tree).config.heads == tree.heads
        except BrokenConstraints:
            assert system.obstacle(tree) is not None or not isinstance(system, ArcHybridSwap | ArcStandardSwap)


def transitions_under(constraints: Constraints, cfg: Configuration) -> set[Transition]:
    """The transitions; none where they are not found."""
    try:
        return set(constraints.transitions(cfg))
    except BrokenConstraints:
        return set()


def test_constraints_are_values() -> None:
    assert Constraints(heads={2: 0, 1: 2}) == Constraints(heads={1: 2, 2: 0})
    assert len({Constraints(spans=spans) for spans in ([(1, 2)], [(1, 2)], [(1, 3)])}) == 2
