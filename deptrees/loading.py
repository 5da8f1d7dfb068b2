"""Parsers from files, of whatever kind they are."""

from __future__ import annotations

import os

from deptrees.files.models import open_model
from deptrees.files.parts import NEURAL_MODEL
from deptrees.parser import Parser
from deptrees.trained_parser import TrainedParser
from deptrees.transition import System

__all__ = ["load_parser"]


def load_parser(path: str | os.PathLike[str], system: System | None = None) -> TrainedParser:
    """Load a parser that was saved, linear or neural.

    Args:
        path: the file.
        system: the transition system, if it is not one of the library's own.

    Raises:
        FileNotFoundError: there is no such file.
        ModelError: the file is not a parser's, or it is one of another system.
        ImportError: it is a neural parser, and PyTorch is not installed.

    >>> from tempfile import TemporaryDirectory
    >>> from deptrees import sample_treebank
    >>> with TemporaryDirectory() as folder:
    ...     Parser.train(sample_treebank("train"), epochs=1).save(f"{folder}/model")
    ...     type(load_parser(f"{folder}/model")).__name__
    'Parser'
    """
    with open_model(path) as file:
        if NEURAL_MODEL not in file:
            return Parser.read(file, system)
        from deptrees.torch import NeuralParser

        return NeuralParser.read(file, system)
