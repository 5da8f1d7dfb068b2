"""Every strategy teaches every system, and the same loop drives every kind of learner."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Protocol

import attrs
import numpy as np
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.engine import ModelSpec
from deptrees.engine.core import learn
from deptrees.engine.trainer import labels_of, uncompiled
from deptrees.features import Templates
from deptrees.search import BaseRanking, BeamSearch, Ranking, VotedRanking
from deptrees.training import UPDATE_RULES, GlobalTraining, LinearOptions, LocalTraining, Update, UpdateRule, subsample
from deptrees.training.perceptron import Perceptron
from deptrees.transition import (
    AlwaysExplore,
    ArcEager,
    ArcHybrid,
    Constraints,
    ExplorationPolicy,
    LeftArc,
    NeverExplore,
    Oracle,
    Sample,
    SecondBest,
    Shift,
    System,
    Transition,
    dynamic_oracle,
    loss,
    typed,
)
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.systems.registry import REGISTRY
from deptrees.treebanks.columns import Columns
from tests.engine.engine import HashedPerceptron
from tests.tiers import slow, variants_slow
from tests.training.scorers import random_ranking

TREES = [
    DependencyTree([(2, "the", "det"), (3, "dog", "nsubj"), (0, "sleeps", "root"), (3, "here", "advmod")]),
    DependencyTree([(0, "look", "root"), (1, "here", "advmod")]),
    DependencyTree([(3, "here", "advmod"), (4, "a", "det"), (0, "sleeps", "root"), (3, "dog", "nsubj")]),  # crossing
]
LABELS = ("advmod", "det", "nsubj", "root")

FIRST_OPTIONS = [
    attrs.evolve(registered, options={name: values[:1] for name, values in registered.options.items()})
    for registered in REGISTRY.values()
]
SYSTEMS = [system for registered in FIRST_OPTIONS for system in registered.variants]
THOROUGH = ArcEager(root="last")
"""With this one all oracles and strategies are tried in the quick tier, too; with the others of each kind the first."""
FIRST_WITH_ORACLE = {
    oracle: registered.example for registered in reversed([*REGISTRY.values()]) for oracle in registered.oracles
}
WITH_ORACLES = [(system, oracle) for system in SYSTEMS for oracle in system.oracles.names]
TRIED_ONCE = [
    *[(registered.example, "dynamic") for registered in REGISTRY.values()],
    *[(system, oracle) for oracle, system in FIRST_WITH_ORACLE.items() if oracle not in THOROUGH.oracles.names],
]


FIRST_HEAD_KNOWN = {head: Constraints(heads={1: head}) for tree in TREES if (head := tree.heads[0]) is not None}


def first_head_known(cfg: Any) -> tuple[Transition, ...]:
    return FIRST_HEAD_KNOWN[cfg.source.heads[0]].transitions(cfg)


SEARCHES: dict[str, dict[str, Any]] = {
    "greedy": {"size": 1},
    "beam": {"size": 3},
    "merging": {"size": 3, "merge": True},
    "normalized": {"size": 3, "normalize": True},
    "constrained": {"size": 3, "possible": first_head_known},
    "voted": {"size": 3},
}
FIRST_ONLY, EVERY_FOURTH, EVERY_THIRD, EVERY = 1000, 4, 3, 1
EXPLORABLE = ("dynamic", "approximate_dynamic")


@pytest.fixture(autouse=True)
def few_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as three sentences need: clearing those for a treebank would take longer than most of the training."""
    monkeypatch.setattr("deptrees.training.perceptron._SIZE", 1 << 16)


class Learner(Protocol):
    def __call__(self, configurations: Any, /) -> Any: ...
    def update(self, update: Update, /) -> None: ...


def features(cfg: Any, k: int = 1) -> list[str]:
    """What stands where the next transition acts, in any system."""
    if hasattr(cfg, "pending"):
        places = [cfg.pending[place] if 0 <= place < len(cfg.pending) else None for place in range(k - 2, k + 2)]
    elif hasattr(cfg, "spines"):
        places = [*cfg.spines[-2:], *cfg.buffer[:1], k]
    elif hasattr(cfg, "pair"):
        places = [*cfg.pair(k)]
    elif hasattr(cfg, "list1"):
        places = [*cfg.list1[-1:], *cfg.list2[:1], *cfg.buffer[:1]]
    else:
        places = [*cfg.stack[-k - 1 :][:2], *cfg.buffer[:1]]
    forms = [
        cfg.source[place].form if isinstance(place, int) and place <= len(cfg.source) else place for place in places
    ]
    return [*(f"{number} {form}" for number, form in enumerate(forms)), str(forms), f"{forms} {cfg.heads}"]


def wrong(search: BeamSearch, trees: list[DependencyTree]) -> int:
    """How many words get a wrong head or a wrong label."""
    parsed = [search.best(tree).config for tree in trees]
    return sum(
        found != (token.head, token.label)
        for cfg, tree in zip(parsed, trees, strict=True)
        for found, token in zip(zip(cfg.heads, cfg.labels, strict=True), tree, strict=True)
        if token.head is not None
    )


def train(
    strategy: LocalTraining | GlobalTraining,
    learner: Learner,
    search: BeamSearch,
    sample: Callable[[], list[DependencyTree]] = lambda: TREES,
) -> tuple[int, int]:
    """The errors before and after training, in what the strategy's oracle can follow of the first sample."""
    trees = [tree for tree in sample() if strategy.oracle(tree)]
    least = sum(loss(strategy.oracle.system.initial(tree), tree) for tree in trees)
    before = after = wrong(search, trees)
    for epoch in range(1, 9):
        for tree in sample():
            for update in strategy.at(epoch)(tree):
                learner.update(update)
        after = wrong(search, trees)
        if after == least:
            break
    return before, after


def perceptron(system: System) -> Perceptron:
    return Perceptron(features, system.transition_space(LABELS), by_k=system.has_any_k)


def local_strategies(explorable: bool) -> Iterator[dict[str, Any]]:
    rng = Random(1)
    exploring = [
        AlwaysExplore(),
        ExplorationPolicy(k=1, p=0.9, rng=rng),
        SecondBest(k=1, p=0.2, rng=rng),
        Sample(k=1, alpha=1, rng=rng),
        Sample(k=1, alpha=3, rng=rng),
    ]
    for on_error in "go_on", "early", "aggressive":
        for policy in (NeverExplore(rng=rng), *(exploring if explorable else ())):
            yield {"policy": policy, "on_error": on_error}
    for policy in exploring if explorable else ():
        yield {"policy": policy, "bound": 1}


OWN_RULE = UpdateRule(
    UPDATE_RULES["early"].length,
    error=lambda step: step.beam[0] not in step.correct,
    positive=lambda step: step.correct[-1],
    negative=lambda step, positive: next((one for one in step.beam if one not in step.correct), positive),
    weight=lambda step, length: step / length,
)


def global_strategies(explorable: bool) -> Iterator[dict[str, Any]]:
    for update in (*UPDATE_RULES, OWN_RULE):
        for restart, p in (False, 0), (True, 0), *([(True, 0.5), (True, 1)] if explorable else []):
            yield {"update": update, "restart": restart, "p": p, "k": 1, "rng": Random(1)}
        yield {"update": update, "restart": True, "time_limit": 3}


@pytest.mark.parametrize(
    ("system", "oracle", "step"),
    [
        *[(system, oracle, FIRST_ONLY) for system, oracle in TRIED_ONCE],
        *[(THOROUGH, oracle, EVERY_FOURTH) for oracle in THOROUGH.oracles.names],
        *[slow(system, oracle, EVERY) for system, oracle in WITH_ORACLES],
    ],
    ids=str,
)
def test_every_local_strategy_teaches_every_system(system: System, oracle: str, step: int) -> None:
    for options in islice(local_strategies(oracle in EXPLORABLE), 0, None, step):
        learner = perceptron(system)
        ranking = Ranking(system, learner, LABELS)
        strategy = LocalTraining(Oracle(system, BY_NAME[oracle], typed), ranking, **options)
        before, after = train(strategy, learner, BeamSearch(ranking, 1))
        assert after < before, options


@pytest.mark.parametrize(
    ("system", "oracle", "name", "start", "step"),
    [
        *[(system, oracle, "beam", 0, FIRST_ONLY) for system, oracle in TRIED_ONCE],
        *[(THOROUGH, oracle, name, 0, EVERY_FOURTH) for oracle in THOROUGH.oracles.names for name in SEARCHES],
        *[
            slow(system, oracle, name, start, EVERY_THIRD)  # each with one search, and with all searches in two pairs
            for pair, (system, oracle) in enumerate(WITH_ORACLES)
            for start, name in enumerate(islice(SEARCHES, pair % 2, None, 2))
        ],
    ],
    ids=str,
)
def test_every_global_strategy_teaches_every_system(
    system: System, oracle: str, name: str, start: int, step: int
) -> None:
    knows_nothing = random_ranking(system, labels=LABELS)
    for options in islice(global_strategies(oracle in EXPLORABLE), start, None, step):
        learner, how = perceptron(system), dict(SEARCHES[name])
        ranking: BaseRanking = Ranking(system, learner, LABELS, normalize=how.pop("normalize", False))
        alone = BeamSearch(ranking, **how)  # what the learner has learned, whoever else votes
        if name == "voted":  # the learner against one that knows nothing
            ranking = VotedRanking([ranking, knows_nothing], weights=[2, 1])
        search = BeamSearch(ranking, **how)
        strategy = GlobalTraining(Oracle(system, BY_NAME[oracle], typed), search, **options)
        before, after = train(strategy, learner, alone)
        assert after < before, options


PARTIAL = [
    tree.reattach([head if word != 2 else None for word, head in enumerate(tree.heads, 1)], tree.labels)
    for tree in TREES
]
CROSSING = TREES[2:]


@pytest.mark.parametrize("system", variants_slow(SYSTEMS), ids=repr)
@pytest.mark.parametrize("kind", ["local", "global"])
def test_every_kind_of_annotation_teaches(kind: str, system: System) -> None:
    rng = Random(1)
    kinds: dict[str, Callable[[], list[DependencyTree]]] = {
        "partial": lambda: PARTIAL,
        "crossing": lambda: CROSSING,
        "subsampled": lambda: [subsample(tree, 0.7, rng) for tree in TREES],
    }
    for annotation, sample in kinds.items():
        learner = perceptron(system)
        oracle, ranking = Oracle(system, dynamic_oracle, typed), Ranking(system, learner, LABELS)
        search = BeamSearch(ranking, 1 if kind == "local" else 3)
        strategy = (
            LocalTraining(oracle, ranking, ExplorationPolicy(k=1, p=0.9, rng=Random(1)))
            if kind == "local"
            else GlobalTraining(oracle, search, restart=True, k=1, p=0.5, rng=Random(1))
        )
        before, after = train(strategy, learner, search, sample)
        assert after < before, annotation


TEMPLATES = Templates(
    ["s0.form+b0.form", "s0.upos+b0.upos", "s1.upos+s0.upos+b0.upos", "s0.left.upos", "s0.deprel", "history1"]
)


class SplitMix:
    """The random numbers of the engine."""

    def __init__(self, seed: int) -> None:
        self.state = self._mixed(seed)

    def random(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        return float((self._mixed(self.state) >> 11) / 2**53)

    def _mixed(self, x: int) -> int:
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
        return x ^ x >> 31


COMPILED = [system for system in SYSTEMS if not uncompiled(system, dynamic_oracle)]


@pytest.mark.parametrize("system", variants_slow(COMPILED), ids=repr)
@pytest.mark.parametrize(
    ("oracle", "exploration", "on_error"),
    [
        ("static", 0.0, "go_on"),
        ("nondeterministic", 0.0, "early"),
        ("dynamic", 0.6, "go_on"),
        ("dynamic", 0.6, "aggressive"),
        *[slow("dynamic", 1.0, on_error) for on_error in ("go_on", "early", "aggressive")],
    ],
)
@pytest.mark.parametrize(("sentences", "epochs"), [(2, 2), slow(6, 3)])
def test_the_engine_learns_what_the_perceptron_learns(
    system: System,
    oracle: str,
    exploration: float,
    on_error: Any,
    sentences: int,
    epochs: int,
) -> None:
    short = islice((tree for tree in sample_treebank("train") if len(tree) < 12), sentences)
    trees = [*TREES, *PARTIAL, *short] if oracle == "dynamic" else [*TREES, *short]
    trees = [tree for tree in trees if oracle == "dynamic" or system.obstacle(tree) is None]
    columns = Columns.encode(trees)
    spec = ModelSpec(system, TEMPLATES, labels_of(columns, system), joint=True, bits=(12, 4))
    weights, (machine, data) = spec.weights(), spec.assemble(columns)

    model = HashedPerceptron(system.transition_space(spec.labels), TEMPLATES, spec.bits[0])
    ranking, options = Ranking(system, model, spec.labels), LinearOptions(on_error=on_error)
    for epoch in range(epochs):
        policy = ExplorationPolicy(k=0, p=exploration, rng=SplitMix(epoch)) if exploration else NeverExplore()
        strategy = LocalTraining(Oracle(system, BY_NAME[oracle], typed), ranking, policy, on_error=on_error)
        errors = 0
        for tree in trees:
            for update in strategy(tree):
                model.update(update)
                errors += 1
        order = np.arange(len(trees))
        assert learn(weights, machine, data, order, oracle, options, exploration, epoch)[1] == errors > 0

        assert (weights.arrays[0] == model.weights).all()


# The learners of the documentation: one for each package, as the page has it.


def words_in_play(cfg: Any) -> list[str]:
    tokens = {"s1": cfg.stack_token(1), "s0": cfg.stack_token(0), "b0": cfg.buffer_token(0)}
    return [*(f"{place} {token.form}" for place, token in tokens.items()), " ".join(t.form for t in tokens.values())]


def documented(name: str) -> Any:
    page = (Path(__file__).parents[2] / "docs" / "own-model.md").read_text("utf-8")
    [block] = [block for block in re.findall("```python\n(.*?)```", page, re.DOTALL) if f"class {name}" in block]
    namespace: dict[str, Any] = {}
    exec(block, namespace)
    return namespace[name](words_in_play, ArcEager().transition_space(LABELS))


@pytest.mark.parametrize("strategy", ["local", "global", "weighted"])
@pytest.mark.parametrize("package", ["deptrees", slow("sklearn"), slow("torch")])
def test_one_loop_drives_every_learner(package: str, strategy: str) -> None:
    module: Any = pytest.importorskip(package)
    if package == "torch":
        module.manual_seed(1)
        learner = documented("TorchLearner")
        scorer = learner.scores
    else:
        learner = scorer = documented("ScikitLearner") if package == "sklearn" else perceptron(ArcEager())
    oracle, ranking = Oracle(ArcEager(), dynamic_oracle, typed), Ranking(ArcEager(), scorer, LABELS)
    search = BeamSearch(ranking, 1 if strategy == "local" else 3)
    weighted = UpdateRule(UPDATE_RULES["max_violation"].length, weight=lambda step, length: step / length)
    update: Any = weighted if strategy == "weighted" else "max_violation"
    before, after = train(
        LocalTraining(oracle, ranking, ExplorationPolicy(k=1, p=0.9, rng=Random(1)))
        if strategy == "local"
        else GlobalTraining(oracle, search, update, restart=True, k=1, p=0.5, rng=Random(1)),
        learner,
        search,
    )
    assert after < before / 2


def test_features_may_have_values() -> None:
    system, tree = ArcHybrid(), DependencyTree([(0, "Sing")])
    cfg = system.initial(tree)
    plain = Perceptron(lambda _: ["x", "y"], system.transition_space())
    valued = Perceptron(lambda _: {"x": 0.5, "y": -2.0}, system.transition_space())
    wrong = Perceptron(lambda _: [("x", 0.5)], system.transition_space())  # type: ignore[list-item]
    update = Update(((cfg, Shift()),), ((cfg, LeftArc()),))
    for model in (plain, valued):
        model.update(update)
    assert plain([cfg]).tolist() == [[-2, 0, 2]]
    assert valued([cfg]).tolist() == [[-4.25, 0, 4.25]]
    assert valued.averaged()([cfg]).tolist() == [[-2.125, 0, 2.125]]
    with pytest.raises(TypeError, match="features are names, or a mapping from names to values"):
        wrong([cfg])
