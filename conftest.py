"""The two tiers, for tests and for examples of the documentation, and what is left out where a package is missing."""

import os
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import deptrees
from tests.gold_trees import TREEBANK_FILES
from tests.tiers import COLLECTED, OF_THE_EXHAUSTIVE_TIER

# Tests run beside each other: the threads of PyTorch would wait for each other most of the time.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The same examples in every run: a change is not to be refused for what it has nothing to do with.
settings.register_profile("quick", max_examples=20, deadline=None, derandomize=True)
settings.register_profile("exhaustive", max_examples=100, deadline=None, derandomize=True)

INTEGRATIONS = [path.stem for path in Path(deptrees.__file__).parent.glob("integrations/[a-z]*.py")]
"""The libraries that the library has integrations with."""
collect_ignore_glob = [
    *([] if find_spec("torch") else ["deptrees/torch/*", "docs/surprisal.md"]),
    *([] if find_spec("torch") and find_spec("transformers") else ["docs/torch.md"]),
    *(f"*/integrations/*{name}.*" for name in INTEGRATIONS if not find_spec(name)),
    *([] if find_spec("selenium") else ["docs/take_screenshots.py"]),
    *([] if find_spec("sphinx") else ["docs/conf.py"]),
]
OF_NO_QUICK_TEST = {*INTEGRATIONS} - {"sklearn"}
"""Those that the extra ``dev`` does not install."""

BUILT = {"site", "wheel"}
"""The fixtures that build the documentation and the package."""

SPENT = pytest.StashKey[float]()
"""The seconds of processor time of a test so far, fixtures that it shares with others left out."""
PAGE = 10
"""How many tests a page of the documentation may take the time of."""


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
        help="list the tests without the marker 'slow' that take more processor time than this",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = list(items)
    for item in items:
        if {"torch", "surprisal"} & {item.path.parent.name, item.path.stem}:
            item.add_marker(pytest.mark.torch)
        if item.path.parent.name == "integrations" and item.path.stem.removeprefix("test_") in OF_NO_QUICK_TEST:
            item.add_marker(pytest.mark.integration)
        if any(map(item.get_closest_marker, OF_THE_EXHAUSTIVE_TIER)):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("treebanks") and not TREEBANK_FILES:
            item.add_marker(pytest.mark.skip("no real treebanks here: name their folder in DEPTREES_TREEBANKS"))
    items.sort(key=takes_minutes, reverse=True)  # so that no processor has to wait for them at the end


def takes_minutes(item: pytest.Item) -> bool:
    """Whether a test goes through the many thousands of configurations of five words, or needs the site or the wheel.

    Tested last, these two might also be built twice, once in each process.
    """
    callspec = getattr(item, "callspec", None)
    is_built = not BUILT.isdisjoint(getattr(item, "fixturenames", ()))
    return is_built or (callspec is not None and callspec.params.get("n") == 5)


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
    limit, tests = item.config.getoption("--quick-limit"), PAGE if item.path.suffix == ".md" else 1
    if limit is not None and not item.get_closest_marker("slow") and item.stash[SPENT] > limit * tests:
        item.user_properties.append(("seconds", item.stash[SPENT]))
    return value


def _spend(item: pytest.Item, start: float) -> None:
    item.stash[SPENT] = item.stash.get(SPENT, 0.0) + processor_time() - start


@pytest.fixture(scope="session", autouse=True)
def scikit_learn() -> None:
    """Imports scikit-learn, which takes longer than most tests, and is to be no test's time."""
    if find_spec("sklearn"):
        import sklearn.cluster  # noqa: F401


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    noted = [(report, *item) for report in reports for item in getattr(report, "user_properties", ())]
    pairs = sum(value for _, name, value in noted if name == "pairs")
    if pairs:
        terminalreporter.write_line(
            f"{pairs:,} pairs of configuration and gold tree were checked against exhaustive search"
        )
    late = [(value, report.nodeid) for report, name, value in noted if name == "seconds" and report.when == "call"]
    if late:
        hint = "make them cheaper, or mark their larger parameters as slow"
        terminalreporter.write_line(f"{len(late)} of the quick tier are not quick: {hint}")
    for seconds, nodeid in sorted(late, reverse=True)[:10]:
        terminalreporter.write_line(f"{seconds:6.1f} s  {nodeid}")
