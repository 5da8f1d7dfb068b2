"""Without PyTorch all works but neural parsers, and they say what to do."""

import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules['torch'] = None; "


@pytest.mark.parametrize("use", ["deptrees.NeuralParser", "from deptrees.torch import BiLSTM"])
def test_neural_parsers_say_what_to_install(use: str) -> None:
    code = f"{WITHOUT} import deptrees; {use}"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.stderr.rstrip().endswith("ImportError: deptrees.torch needs PyTorch: pip install 'deptrees[torch]'")
