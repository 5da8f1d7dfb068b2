from collections.abc import Callable, Iterator

import pytest

Compared = Callable[[int], None]
"""Takes note of how many pairs of a configuration and a gold tree have been held against exhaustive search."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every-tree",
        action="store_true",
        help="compare all kinds of pairs of configuration and gold tree where otherwise they take turns; takes hours",
    )


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    properties = [item for report in reports for item in getattr(report, "user_properties", ())]
    pairs = sum(value for name, value in properties if name == "pairs")
    if pairs:
        terminalreporter.write_line(
            f"{pairs:,} pairs of configuration and gold tree were held against exhaustive search"
        )
