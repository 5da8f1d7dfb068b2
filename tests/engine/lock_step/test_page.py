"""The learners of the page on derivations in lock step, one for each framework, learn."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deptrees import evaluate, sample_treebank
from deptrees.engine import Derivations
from deptrees.treebanks.columns import Columns
from tests.tiers import slow

TRAIN = list(sample_treebank("train"))
COLUMNS = Columns.encode(TRAIN)


def documented(package: str) -> dict[str, Any]:
    page = (Path(__file__).parents[3] / "docs" / "lock-step.md").read_text("utf-8")
    [block] = [block for block in re.findall("```python\n(.*?)```", page, re.DOTALL) if f"import {package}\n" in block]
    assert len(block.splitlines()) < 40
    namespace: dict[str, Any] = {}
    exec(block, namespace)
    return namespace


@pytest.mark.torch
@pytest.mark.parametrize("package", [slow("torch")])
def test_an_actor_and_a_critic_learn_from_costs(package: str) -> None:
    torch = pytest.importorskip(package)
    torch.manual_seed(1)
    learner = documented(package)["ActorCritic"](COLUMNS)
    rewards = [learner.learn() for _ in range(60)]
    assert sum(rewards[-5:]) > 0.6 * sum(rewards[:5])


@pytest.mark.torch
@pytest.mark.parametrize("package", [slow("jax")])
def test_a_network_learns_from_gold_transitions(package: str) -> None:
    pytest.importorskip(package)
    found = documented(package)
    weights, asked = found["train"](COLUMNS)
    derivations = Derivations.open(TRAIN, "arc-hybrid", oracle=None, **asked)
    while derivations:
        scores = found["network"](weights, derivations.words_at("upos", derivations.positions()))
        derivations.take(np.where(derivations.possible(), scores, -np.inf).argmax(axis=1))
    assert evaluate(TRAIN, derivations.trees()).uas > 0.7
