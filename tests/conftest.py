"""What tests share: the count of what they compare; the parser, tagger and tokenizer that are trained once."""

import signal
from collections.abc import Callable, Iterator

import pytest

from deptrees import sample_treebank
from deptrees.parser import Parser
from deptrees.tagger import Tagger
from deptrees.tokenizer import Tokenizer

Compared = Callable[[int], None]
"""Takes note of how many pairs of a configuration and a gold tree have been checked against exhaustive search."""


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """What a shell starts in the background ignores Ctrl-C, and so would all processes that tests interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    """A tokenizer, for tests that do not care which: it is trained once, on the sample treebank, with all defaults."""
    return Tokenizer.train(sample_treebank("train"))
