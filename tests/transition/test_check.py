"""The check for systems of one's own finds what is wrong with them."""

from typing import Any, ClassVar

import attrs
import pytest

from deptrees import DependencyTree, sample_treebank
from deptrees.engine import Model, SearchOptions, train
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    EasyFirst,
    RightArc,
    SystemFault,
    Transition,
    check,
    check_system,
    exhaustive_loss,
    reachable,
)
from deptrees.transition.system import System
from deptrees.transition.systems.easy_first import EasyFirstConfiguration
from deptrees.transition.systems.registry import REGISTRY
from deptrees.transition.table import B0, B1, S0, S1, Row, attached, back, exists, missing, push, word
from deptrees.treebanks.batch import Batch
from tests.tiers import slow


class Timid(ArcHybrid):
    """Says that it cannot build trees whose ROOT has word 1 as its dependent."""

    def obstacle(self, tree: DependencyTree) -> str | None:
        return "word 1 is below ROOT" if tree.heads[:1] == (0,) else super().obstacle(tree)


class Boastful(ArcHybrid):
    """Says that it builds all trees."""

    projective_only: ClassVar[bool] = False


class Careless(ArcEager):
    """Arc-eager whose Shift loses nothing."""

    rows: ClassVar[Any] = tuple(
        attrs.evolve(row, loses=()) if row.transition.__name__ == "Shift" else row for row in ArcEager.rows
    )


class Hasty(ArcHybrid):
    """Stops when the buffer is empty, whatever is left on the stack."""

    final = ArcEager.final  # type: ignore[assignment]


class Endless(ArcHybrid):
    """No configuration is final."""

    final: ClassVar[Any] = (missing(B0), exists(B0))


class Idle(Transition):
    """Do nothing."""


class Idling(ArcHybrid):
    """A row has no effect."""

    rows: ClassVar[Any] = (Row(Idle, when=(exists(B0),), do=(), loses=()), *ArcHybrid.rows)


class Back(Transition):
    """Put the top of the stack back into the buffer."""


class Undoing(ArcHybrid):
    """A row undoes what Shift does."""

    rows: ClassVar[Any] = (Row(Back, when=(word(S0),), do=(back(S0),), loses=()), *ArcHybrid.rows)


class Unguarded(ArcHybrid):
    """Rows without preconditions, and a configuration that is never reached as the only final one."""

    rows: ClassVar[Any] = tuple([attrs.evolve(row, when=()) for row in ArcHybrid.rows])
    final: ClassVar[Any] = (missing(B0), missing(S0))


class Blind(ArcHybrid):
    """A condition asks about a place where there may be nothing."""

    final: ClassVar[Any] = (attached(S1),)


@attrs.frozen(repr=False)
class Waiting(EasyFirst):
    """A class that is no table: it may wait, and counts how often, so that no configuration comes twice."""

    most: float = float("inf")

    def initial(self, source: Any) -> Any:
        cfg = EasyFirst.initial(self, source)
        return Waited(
            self, *[getattr(cfg, field) for field in ("source", "heads", "labels", "pending", "pending_bits")]
        )


@attrs.frozen(repr=False)
class Waited(EasyFirstConfiguration):
    times: int = 0

    def possible_transitions(self) -> tuple[Transition, ...]:
        found = super().possible_transitions()
        return (Idle(), *found) if self.times < self.system.most else found

    def missing(self, transition: Transition) -> str | None:
        return None if isinstance(transition, Idle) else super().missing(transition)

    def _after(self, transition: Transition) -> Any:
        return attrs.evolve(self, times=self.times + 1) if isinstance(transition, Idle) else super()._after(transition)


class Promising(Waiting):
    """A transition is among the possible ones, and yet it is not possible."""

    def initial(self, source: Any) -> Any:
        cfg = EasyFirst.initial(self, source)
        return Promised(
            self, *[getattr(cfg, field) for field in ("source", "heads", "labels", "pending", "pending_bits")]
        )


class Promised(EasyFirstConfiguration):
    __slots__ = ()

    def possible_transitions(self) -> tuple[Transition, ...]:
        return (*super().possible_transitions(), RightArc(k=9))


@attrs.frozen(repr=False)
class Raising(ArcHybrid):
    """One of its methods raises an error that no system should raise."""

    at: str = "initial"

    def _raise(self, method: str) -> None:
        if self.at == method:
            raise RuntimeError(f"no {method}")

    def initial(self, source: Any) -> Any:
        self._raise("initial")
        return super().initial(source)

    def obstacle(self, tree: DependencyTree) -> str | None:
        self._raise("obstacle")
        return super().obstacle(tree)

    def conflicts(self) -> Any:
        return lambda cfg, tree: self._raise("conflicts")

    def loss(self) -> Any:
        self._raise("loss")
        return super().loss()


class Malformed(ArcHybrid):
    """A row pushes what is not the front of the buffer."""

    rows: ClassVar[Any] = (*ArcHybrid.rows[:2], attrs.evolve(ArcHybrid.rows[2], do=(push(B1),)))


NEVER_ENDING = [
    (Endless(), "no transition is possible"),
    (Idling(), "does not come to an end"),
    (Undoing(), "does not come to an end"),
    (Unguarded(), "no transition is possible"),
]


@pytest.mark.parametrize(
    ("system", "n", "message"),
    [
        (Endless(), 1, r"no transition is possible in .*A = \(0 → 1\): LeftArc\(\) requires that s0 ≠ 0; RightArc"),
        (Idling(), 1, r"never come to an end: Idle\(\) lead back to .*σ = \(0,\), β = \(1,\)"),
        (Undoing(), 1, r"never come to an end: Shift\(\), Back\(\) lead back to .*σ = "),
        (Unguarded(), 2, "no transition is possible in"),
        (Waiting(), 1, r"200 transitions, as Idle\(\), lead to Waiting\(most=inf\): λ = \(0, 1\), A = \(\)"),
        (Waiting(most=5000), 1, r"200 transitions, as Idle\(\), lead to Waiting\(most=5000\)"),
        (Waiting(most=1), 1, r"the static oracle, .* raises AttributeError .*k"),
        (Promising(), 1, r"RightArc\(k=9\), said to be possible, raises IllegalTransition .* in Promising"),
        (Raising(at="initial"), 1, r"Raising.*\.initial\(\.\.\.\) raises RuntimeError \(no initial\)"),
        (Raising(at="obstacle"), 1, r"Raising.* says of .* raises RuntimeError \(no obstacle\)"),
        (Raising(at="conflicts"), 1, r"gold heads \(0,\), raises RuntimeError \(no conflicts\) in Raising.*σ = \(0,\)"),
        (Raising(at="loss"), 1, r"raises RuntimeError \(no loss\)"),
        (Malformed(), 1, r"raises ValueError \(the row of Shift: there is no effect 'push b1'\)"),
        (Blind(), 1, "cannot build .* and does not say so"),
        (Timid(), 2, "does not say that it does not build all plain trees"),
        (Boastful(), 3, "cannot build .* and does not say so"),
        (Careless(root="last"), 2, "costs"),
        (Hasty(), 2, "."),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, System) else None,
)
def test_faults_are_found(system: Any, n: int, message: str) -> None:
    with pytest.raises(SystemFault, match=message):
        check_system(system, n)


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize(("system", "message"), NEVER_ENDING, ids=lambda value: type(value).__name__)
def test_the_engine_says_where_parsing_does_not_end(system: Any, message: str, beam: int) -> None:
    spec = attrs.evolve(train(sample_treebank("train"), epochs=1, joint=True, bits=(12, 12)).spec, system=system)
    model = Model.of(spec, *spec.tables())  # of equal scores the first row's is taken
    with pytest.raises(ValueError, match=rf"{message}.*: σ = .*, β = .*check_system"):
        model.find(Batch.of(sample_treebank("dev")), SearchOptions(beam=beam))


def test_a_row_is_possible_only_where_there_is_what_it_acts_on() -> None:
    cfg: Any
    for n in 1, 2:
        for cfg in reachable(Unguarded(), n):
            for transition in cfg.possible_transitions():
                assert {*transition(cfg).stack, *transition(cfg).buffer} <= {*range(n + 1)}
                assert cfg.dependent(transition) != 0


def test_a_system_is_checked_and_nothing_else() -> None:
    with pytest.raises(TypeError, match="system is a transition system, such as ArcEager"):
        check_system(ArcEager, 2)  # type: ignore[arg-type]


def test_a_dead_end_has_no_loss() -> None:
    tree = DependencyTree([(0, "Sing")])
    with pytest.raises(ValueError, match="no final configuration is reachable from Endless"):
        exhaustive_loss(Endless().initial(tree), tree)


def test_a_static_oracle_is_right_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "static_oracle", lambda cfg, tree: cfg.possible_transitions()[0])
    with pytest.raises(SystemFault, match=r"the static oracle says LeftArc\(\)"):
        check_system(ArcHybrid(), 2)


@pytest.mark.parametrize("n", [2, slow(3)])
@pytest.mark.parametrize("name", REGISTRY)
def test_the_library_has_none(name: str, n: int) -> None:
    assert check_system(REGISTRY[name].example, n) > 0
