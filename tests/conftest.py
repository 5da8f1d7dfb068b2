"""What tests share: the count of what they compare; what is made once, such as a parser and the site of the pages."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

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


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the site of the documentation, which is made without a warning."""
    pytest.importorskip("sphinx")
    docs = str(Path(__file__).parents[1] / "docs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--fresh-env", docs, str(folder)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert (built.returncode, built.stderr) == (0, "")
    return folder
