"""Without PyTorch all works but neural parsers, and without transformers all but these; they say what to do."""

import subprocess
import sys
from pathlib import Path

import pytest

from deptrees.files.models import Part, save_model
from deptrees.files.parts import NEURAL


@pytest.mark.parametrize(
    ("missing", "use", "message"),
    [
        ("torch", "import deptrees.torch", "deptrees.torch needs PyTorch"),
        (
            "transformers",
            "from deptrees.torch import Transformer; Transformer.open('.')",
            "Transformer needs Hugging Face's library",
        ),
    ],
)
def test_neural_parsers_say_what_to_install(missing: str, use: str, message: str) -> None:
    pytest.importorskip("torch" if missing != "torch" else "deptrees")
    code = f"import sys; sys.modules[{missing!r}] = None; {use}"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"ModuleNotFoundError: {message}: run pip install '.[{missing}]' in" in process.stderr


def test_a_neural_model_says_what_to_install(tmp_path: Path) -> None:
    save_model(tmp_path / "model", Part(NEURAL, {}, {}))
    code = "import sys; sys.modules['torch'] = None; from deptrees.__main__ import main; main()"
    for command in ["parse", f"{tmp_path}/model", "-"], ["train", "-", "--neural", "-o", f"{tmp_path}/new"]:
        process = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, input="")
        assert process.returncode == 1
        assert process.stderr.startswith(
            "error: deptrees.torch needs PyTorch: run pip install '.[torch]' in the folder"
        )
