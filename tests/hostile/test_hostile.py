import os
from typing import Any

import pytest

from tests.hostile.__main__ import attack, command_lines, files, models, pipes, signals, targets
from tests.tiers import slow


@pytest.mark.parametrize("kind", [files, models, slow(command_lines), slow(targets), slow(signals), slow(pipes)])
@pytest.mark.skipif(os.name == "nt", reason="signals and streams of POSIX")
def test_a_few_attacks_find_nothing(kind: Any) -> None:
    assert attack(kind, rounds=1) == 0
