"""Every strategy teaches every system, and the same loop drives every kind of learner."""

import re
from pathlib import Path
from random import Random
from typing import Any, Protocol

import attrs
import pytest

from deptrees import DependencyTree
from deptrees.perceptron import Perceptron
from deptrees.search import BeamSearch, GlobalTraining, LocalTraining, Ranking, Update
from deptrees.transition import (
    AlwaysExplore,
    ArcEager,
    ExplorationPolicy,
    NeverExplore,
    Oracle,
    Policy,
    Sample,
    SecondBest,
    System,
    dynamic_oracle,
    loss,
    nondeterministic_oracle,
    static_oracle,
    typed,
)
from deptrees.transition.configuration import OracleFunction
from tests.scorers import EVERY_KIND_OF_SYSTEM, K_HAS_NO_BOUND

TREES = [
    DependencyTree([(2, "the", "det"), (3, "dog", "nsubj"), (0, "sleeps", "root"), (3, "here", "advmod")]),
    DependencyTree([(0, "look", "root"), (1, "here", "advmod")]),
    DependencyTree([(3, "here", "advmod"), (4, "a", "det"), (0, "sleeps", "root"), (3, "dog", "nsubj")]),  # crossing
]
LABELS = ("advmod", "det", "nsubj", "root")
GOLD_ONLY: list[OracleFunction] = [static_oracle, nondeterministic_oracle]
EXPLORING: list[Policy] = [
    AlwaysExplore(),
    ExplorationPolicy(k=1, p=0.9),
    SecondBest(k=1, p=0.2),
    Sample(k=1, alpha=1),
    Sample(k=1, alpha=3),
]
EVERY_SYSTEM = pytest.mark.parametrize("system", EVERY_KIND_OF_SYSTEM, ids=repr)


class Learner(Protocol):
    def __call__(self, configurations: Any, /) -> Any: ...
    def update(self, update: Update, /) -> None: ...


def features(cfg: Any, k: int = 1) -> list[str]:
    """What stands where the next transition acts, in any system."""
    if hasattr(cfg, "pending"):
        places = [cfg.pending[place] if 0 <= place < len(cfg.pending) else None for place in range(k - 2, k + 2)]
    elif hasattr(cfg, "spines"):
        places = [*cfg.spines[-2:], *cfg.buffer[:1], k]
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
    )


def train(strategy: LocalTraining | GlobalTraining, learner: Learner, search: BeamSearch) -> tuple[int, int]:
    """The training errors before and after training on what the strategy's oracle can follow."""
    trees = [tree for tree in TREES if strategy.oracle(tree)]
    least = sum(loss(strategy.oracle.system.initial(tree), tree) for tree in trees)
    before = after = wrong(search, trees)
    for epoch in range(1, 9):
        for tree in trees:
            for update in strategy.at(epoch)(tree):
                learner.update(update)
        after = wrong(search, trees)
        if after == least:
            break
    return before, after


def perceptron(system: System) -> Perceptron:
    return Perceptron(features, system.transition_space(LABELS), by_k=isinstance(system, K_HAS_NO_BOUND))


@pytest.mark.slow
@EVERY_SYSTEM
@pytest.mark.parametrize(
    ("function", "policy"),
    [(function, NeverExplore()) for function in (*GOLD_ONLY, dynamic_oracle)]
    + [(dynamic_oracle, policy) for policy in EXPLORING],
)
@pytest.mark.parametrize(("on_error", "bound"), [("go_on", None), ("go_on", 1), ("early", None), ("aggressive", None)])
def test_every_local_strategy_teaches_every_system(
    system: System, function: OracleFunction, policy: Policy, on_error: Any, bound: float | None
) -> None:
    learner = perceptron(system)
    ranking = Ranking(system, learner, LABELS)
    policy = attrs.evolve(policy, rng=Random(1))
    strategy = LocalTraining(Oracle(system, function, typed), ranking, policy, on_error=on_error, bound=bound)
    before, after = train(strategy, learner, BeamSearch(ranking, 1))
    assert after < before


@pytest.mark.slow
@EVERY_SYSTEM
@pytest.mark.parametrize(
    ("function", "restart", "p"),
    [(function, restart, 0) for function in (*GOLD_ONLY, dynamic_oracle) for restart in (False, True)]
    + [(dynamic_oracle, True, 0.5), (dynamic_oracle, True, 1)],
)
@pytest.mark.parametrize(("size", "merge"), [(1, False), (3, False), (3, True)])
@pytest.mark.parametrize("update", ["early", "max_violation", "latest", "full"])
def test_every_global_strategy_teaches_every_system(
    system: System, function: OracleFunction, restart: bool, p: float, size: int, merge: bool, update: Any
) -> None:
    learner = perceptron(system)
    search = BeamSearch(Ranking(system, learner, LABELS), size, merge=merge)
    strategy = GlobalTraining(Oracle(system, function, typed), search, update, restart=restart, k=1, p=p, rng=Random(1))
    before, after = train(strategy, learner, search)
    assert after < before


# The learners of the documentation: one for each package, as the page has it.


def words_in_play(cfg: Any) -> list[str]:
    tokens = {"s1": cfg.stack_token(1), "s0": cfg.stack_token(0), "b0": cfg.buffer_token(0)}
    return [*(f"{place} {token.form}" for place, token in tokens.items()), " ".join(t.form for t in tokens.values())]


def documented(name: str) -> Any:
    page = (Path(__file__).parent.parent / "docs" / "own-model.md").read_text("utf-8")
    [block] = [block for block in re.findall("```python\n(.*?)```", page, re.DOTALL) if f"class {name}" in block]
    namespace: dict[str, Any] = {}
    exec(block, namespace)
    return namespace[name](words_in_play, ArcEager().transition_space(LABELS))


@pytest.mark.parametrize("strategy", ["local", "global"])
@pytest.mark.parametrize("package", ["deptrees", "sklearn", "torch"])
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
    before, after = train(
        LocalTraining(oracle, ranking, ExplorationPolicy(k=1, p=0.9, rng=Random(1)))
        if strategy == "local"
        else GlobalTraining(oracle, search, "max_violation", restart=True, k=1, p=0.5, rng=Random(1)),
        learner,
        search,
    )
    assert after < before / 2
