from pathlib import Path

import pytest

from deptrees.distributed import LoadedModel
from deptrees.parser import Parser


@pytest.fixture
def model(parser: Parser, tmp_path: Path) -> LoadedModel:
    parser.save(tmp_path / "model")
    return LoadedModel.load(tmp_path / "model")
