from pathlib import Path

import pytest

from deptrees import to_conllu
from tests.treebanks.samples import A, B, C


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "abc.conllu"
    path.write_text("".join(map(to_conllu, [A, B, C])), encoding="utf-8")
    return path
