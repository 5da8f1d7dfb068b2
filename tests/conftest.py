"""What tests share: the tiers, the pairs that they compare, and the parser and the tagger that are trained once."""

import os
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
from hypothesis import settings

from deptrees import sample_treebank
from deptrees.parser import Parser
from deptrees.tagger import Tagger
from tests.gold_trees import TREEBANK_FILES

settings.register_profile("quick", max_examples=20, deadline=None)
settings.register_profile("exhaustive", max_examples=200, deadline=None)

Compared = Callable[[int], None]
"""Takes note of how many pairs of a configuration and a gold tree have been held against exhaustive search."""
COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""The tests of both tiers, whichever of them run."""
SPENT = pytest.StashKey[float]()
"""The seconds of processor time of a test so far, fixtures that it shares with others left out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every-tree",
        action="store_true",
        help="compare all kinds of pairs of configuration and gold tree where otherwise they take turns; takes hours",
    )
    parser.addoption(
        "--quick-limit",
        type=float,
        metavar="SECONDS",
        help="a test fails that takes more processor time than this and does not carry the marker 'slow'",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = list(items)
    for item in items:
        if item.get_closest_marker("treebanks"):
            item.add_marker(pytest.mark.slow)
            if not TREEBANK_FILES:
                item.add_marker(pytest.mark.skip("no real treebanks here: name their folder in DEPTREES_TREEBANKS"))


def processor_time() -> float:
    """The seconds that this process and its children have taken so far."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: pytest.FixtureRequest) -> Generator[None, object, object]:
    start = processor_time()
    value = yield
    if fixturedef.scope == "function":
        _spend(request.node, start)
    return value


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    start = processor_time()
    value = yield
    _spend(item, start)
    limit = item.config.getoption("--quick-limit")
    if limit is not None and item.stash[SPENT] > limit and not item.get_closest_marker("slow"):
        pytest.fail(
            f"took {item.stash[SPENT]:.1f} seconds of processor time, {limit:g} are the limit of the quick tier: "
            "make it cheaper, or mark its larger parametrizations as slow",
            pytrace=False,
        )
    return value


def _spend(item: pytest.Item, start: float) -> None:
    item.stash[SPENT] = item.stash.get(SPENT, 0.0) + processor_time() - start


@pytest.fixture
def every_tree(request: pytest.FixtureRequest) -> bool:
    """Whether to compare all kinds of pairs of configuration and gold tree, however long it takes."""
    return bool(request.config.getoption("--every-tree"))


@pytest.fixture
def compared(record_property: Callable[[str, object], None]) -> Iterator[Compared]:
    pairs = 0

    def add(number: int) -> None:
        nonlocal pairs
        pairs += number

    yield add
    assert pairs > 0
    record_property("pairs", pairs)


@pytest.fixture(scope="session")
def parser() -> Parser:
    """A parser, for tests that do not care which: it is trained once, on the sample treebank, with all defaults."""
    return Parser.train(sample_treebank("train"))


@pytest.fixture(scope="session")
def tagger() -> Tagger:
    """A tagger, for tests that do not care which: it is trained once, on the sample treebank, with all defaults."""
    return Tagger.train(sample_treebank("train"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    properties = [item for report in reports for item in getattr(report, "user_properties", ())]
    pairs = sum(value for name, value in properties if name == "pairs")
    if pairs:
        terminalreporter.write_line(
            f"{pairs:,} pairs of configuration and gold tree were held against exhaustive search"
        )
