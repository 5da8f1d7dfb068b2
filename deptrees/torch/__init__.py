"""Parsers in PyTorch: neural networks trained with the library's oracles, batched over sentences, on CPU and GPU."""

from importlib.util import find_spec

if find_spec("torch") is None:
    raise ImportError("deptrees.torch needs PyTorch: pip install 'deptrees[torch]'")

from deptrees.torch.architecture import Architecture, Learning
from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.parser import NeuralParser
from deptrees.torch.transformer import Transformer
from deptrees.torch.transitions import LabeledTransitions, Transitions
from deptrees.torch.words import Joined, Words

__all__ = [
    "Architecture",
    "BiLSTM",
    "Joined",
    "LabeledTransitions",
    "Learning",
    "NeuralParser",
    "Transformer",
    "Transitions",
    "Words",
]
