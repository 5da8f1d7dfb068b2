"""The oracle that training takes by default, for each system."""

import pytest

from deptrees import Parser, sample_treebank
from deptrees.transition import REGISTRY, ArcEager, ArcHybridSwap, ArcStandardSwap, Attardi, System
from tests.tiers import slow

TRAIN = list(sample_treebank("train"))


@pytest.mark.parametrize("system", [registered.example for registered in REGISTRY.values()], ids=repr)
def test_every_system_has_the_oracle_that_it_learns_best_from(system: System) -> None:
    assert system.learns_best_from in system.oracles.names


@pytest.mark.parametrize("beam", [1, slow(4)])
@pytest.mark.parametrize(
    ("system", "oracle"),
    [
        (ArcEager(), "dynamic"),
        (ArcStandardSwap(), "static_lazy_swap"),
        (ArcHybridSwap(), "static_dynamic"),
        (Attardi(), "static"),
    ],
    ids=str,
)
def test_training_takes_it_by_default(system: System, oracle: str, beam: int) -> None:
    parser = Parser.train(TRAIN, system=system, epochs=2, beam=beam)
    assert parser.settings is not None
    assert parser.settings.oracle == oracle
