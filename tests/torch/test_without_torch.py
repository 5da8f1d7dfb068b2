"""Without PyTorch all works but neural parsers, and without transformers all but these; they say what to do."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("missing", "use", "message"),
    [
        ("torch", "import deptrees.torch", "deptrees.torch needs PyTorch: pip install 'deptrees[torch]'"),
        (
            "transformers",
            "from deptrees.torch import Transformer; Transformer.open('.')",
            "Transformer needs Hugging Face's library: pip install 'deptrees[transformers]'",
        ),
    ],
)
def test_neural_parsers_say_what_to_install(missing: str, use: str, message: str) -> None:
    pytest.importorskip("torch" if missing != "torch" else "deptrees")
    code = f"import sys; sys.modules[{missing!r}] = None; {use}"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.stderr.rstrip().endswith(f"ImportError: {message}")
