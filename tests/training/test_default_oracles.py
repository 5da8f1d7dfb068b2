"""The oracle that training takes by default, for each system."""

import pytest

from deptrees import Parser, sample_treebank
from deptrees.transition import REGISTRY, ArcHybridSwap, ArcStandardSwap, System
from tests.tiers import slow

TRAIN = list(sample_treebank("train"))


@pytest.mark.parametrize("system", [registered.example for registered in REGISTRY.values()], ids=repr)
def test_every_system_has_the_oracle_that_it_learns_best_from(system: System) -> None:
    assert system.learns_best_from in system.oracles.names


@pytest.mark.parametrize("beam", [1, slow(4)])
def test_systems_that_swap_learn_from_another_oracle_than_the_dynamic_one(beam: int) -> None:
    systems: dict[System, str] = {ArcHybridSwap(): "static_dynamic", ArcStandardSwap(): "static_lazy_swap"}
    for system, oracle in systems.items():
        parser = Parser.train(TRAIN, system, epochs=2, beam=beam)
        assert parser.settings is not None
        assert parser.settings.oracle == oracle
