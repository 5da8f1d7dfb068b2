from pathlib import Path

import pytest

from deptrees.parser import Parser
from tests.cli.running import CYCLE, GOOD, SOME


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Some sentences of the sample treebank."""
    path = tmp_path / "sample.conllu"
    path.write_text(SOME, encoding="utf-8")
    return path


@pytest.fixture
def model(parser: Parser, tmp_path: Path) -> Path:
    """A trained model, for commands that need any."""
    parser.save(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.conllu"
    path.write_text(GOOD + CYCLE + GOOD, encoding="utf-8")
    return path
