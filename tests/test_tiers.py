"""The quick tier leaves out no system, no oracle and no kind of check, only words, sentences and variants."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from deptrees.transition import System
from proof.__main__ import PAIRS
from tests.tiers import COLLECTED, OF_THE_EXHAUSTIVE_TIER

NEVER_FEWER = {"system", "oracle", "function", "name", "command", "update", "oracles"}
"""Parameters of which the quick tier has all values; of systems one of each class."""


def test_the_quick_tier_has_every_kind_of_check(request: pytest.FixtureRequest) -> None:
    by_test: defaultdict[str, list[Any]] = defaultdict(list)
    for item in request.config.stash[COLLECTED]:
        if not any(map(item.get_closest_marker, OF_THE_EXHAUSTIVE_TIER)):
            by_test[item.nodeid.split("[")[0]].append(item)
    left_out = []
    for name, items in by_test.items():
        quick = [item for item in items if not item.get_closest_marker("slow")]
        if missing := set(values(items)) - set(values(quick)) if quick else {"all"}:
            left_out.append(f"{name}: {missing}")
    assert not left_out, "\n".join(left_out)


def test_what_is_left_to_the_proof_is_what_it_runs(request: pytest.FixtureRequest) -> None:
    left = [item for item in request.config.stash[COLLECTED] if item.get_closest_marker("proof")]
    assert {item.path.relative_to(request.config.rootpath).as_posix() for item in left} <= {*PAIRS}
    assert all(item.get_closest_marker("slow") for item in left)


def values(items: list[Any]) -> Iterator[tuple[str, Any]]:
    """The values of parameters that the quick tier has, too."""
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        for name in NEVER_FEWER & parameters.keys():
            value = parameters[name]
            yield name, type(value) if isinstance(value, System) else str(value)
