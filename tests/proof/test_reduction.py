from random import Random

import pytest

from deptrees.transition import StackBufferSystem
from deptrees.transition.losses.swaps.contractions import can_be_built_without_stack
from deptrees.transition.losses.target_arcs import TargetArcs
from proof import reduction
from proof.reduction import SYSTEMS, derived, instance, linked, main, random_formula, solved, sweepers_agree
from tests.tiers import slow


def test_formulas_that_can_be_satisfied_are_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--formulas", "5"]) > 100
    assert capsys.readouterr().out.startswith("5 formulas that can be satisfied, of up to ")


@pytest.mark.parametrize("formula", [[[1], [-1]], [[1], [-1], [1]], [[1], [-1], [-1]]])
def test_what_cannot_be_satisfied_cannot_be_built(formula: list[list[int]]) -> None:
    one = instance(formula)
    assert solved(formula) is None
    for sequence in (0, *one.order), (*one.order, 0):
        assert can_be_built_without_stack(sequence, TargetArcs({**one.heads})) is False


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("formula", [[[-1, 2]], slow([[1, 2], [-1, -2]])])
def test_systems_build_the_arcs_of_a_formula(system: StackBufferSystem, formula: list[list[int]]) -> None:
    values = solved(formula)
    assert values
    clauses, _ = linked(formula, values)
    assert derived(system, formula, values) > len(instance(clauses).order)


def test_sweepers_take_the_place_of_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(1)
    assert all(sweepers_agree(rng) for _ in range(40))
    monkeypatch.setattr(reduction, "loss", lambda *_: 1)
    assert not all(sweepers_agree(rng) for _ in range(40))


def test_a_formula_becomes_sixteen_words_for_each_of_its_literals_at_most() -> None:
    rng = Random(1)
    for _ in range(20):
        formula = random_formula(rng)
        clauses, _ = linked(formula, dict.fromkeys(range(1, 9), True))
        assert 8 < len(instance(clauses).order) <= 16 * sum(map(len, formula))
        for variable in {abs(literal) for clause in clauses for literal in clause}:
            assert sum(abs(literal) == variable for clause in clauses for literal in clause) in (1, 3)


def test_values_that_do_not_satisfy_a_formula_are_found_out() -> None:
    with pytest.raises(ValueError, match="cycle"):
        reduction.replayed([[1, 2], [-1, -2]], {1: True, 2: True})
