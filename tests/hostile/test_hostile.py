import os

import pytest

from tests.hostile.__main__ import main


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals and streams of POSIX")
def test_a_few_attacks_find_nothing() -> None:
    assert main(rounds=3) == 0
