"""Files that are not what is to be loaded."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import save_file

from deptrees.files.models import ModelError
from deptrees.parser import Parser
from deptrees.tokenizer import Tokenizer

NEURAL = pytest.param("deptrees.torch", "NeuralParser", marks=pytest.mark.torch)
KINDS = [("deptrees.parser", "Parser"), ("deptrees.tagger", "Tagger"), ("deptrees.tokenizer", "Tokenizer"), NEURAL]


@pytest.mark.parametrize(("module", "name"), KINDS)
def test_files_of_something_else_are_refused(
    module: str, name: str, parser: Parser, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    if module == "deptrees.torch":
        pytest.importorskip("torch")
    kind: Any = getattr(import_module(module), name)
    (tmp_path / "text").write_text("not a model")
    save_file({}, tmp_path / "foreign")
    (tokenizer if kind is Parser else parser).save(tmp_path / "other")
    for file, message in [
        ("text", "not a model file"),
        ("foreign", "not a model of this version"),
        ("other", "not a model of this version|expected 'deptrees|the parser has no tagger: train it with --pipeline"),
    ]:
        with pytest.raises(ModelError, match=message):
            kind.load(tmp_path / file)
    with pytest.raises(FileNotFoundError):
        kind.load(tmp_path / "nothing")
