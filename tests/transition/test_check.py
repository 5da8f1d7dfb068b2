"""The check for systems of one's own finds what is wrong with them."""

from typing import Any, ClassVar

import attrs
import pytest

from deptrees import DependencyTree
from deptrees.transition import ArcEager, ArcHybrid, SystemFault, check, check_system
from deptrees.transition.systems.registry import REGISTRY
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

    rows: ClassVar[Any] = tuple(  # type: ignore[misc]
        attrs.evolve(row, loses=()) if row.transition.__name__ == "Shift" else row for row in ArcEager.rows
    )


class Hasty(ArcHybrid):
    """Stops when the buffer is empty, whatever is left on the stack."""

    final = ArcEager.final  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("system", "n", "message"),
    [
        (Timid(), 2, "does not say that it does not build all plain trees"),
        (Boastful(), 3, "cannot build .* and does not say so"),
        (Careless(root="last"), 2, "costs"),
        (Hasty(), 2, "."),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, ArcHybrid | ArcEager) else None,
)
def test_faults_are_found(system: Any, n: int, message: str) -> None:
    with pytest.raises(SystemFault, match=message):
        check_system(system, n)


def test_a_static_oracle_is_right_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "static_oracle", lambda cfg, tree: cfg.possible_transitions()[0])
    with pytest.raises(SystemFault, match=r"the static oracle says LeftArc\(\)"):
        check_system(ArcHybrid(), 2)


@pytest.mark.parametrize("n", [2, slow(3)])
@pytest.mark.parametrize("name", REGISTRY)
def test_the_library_has_none(name: str, n: int) -> None:
    assert check_system(REGISTRY[name].example, n) > 0
