"""Parsers in PyTorch: neural networks trained with the library's oracles, batched over sentences, on CPU and GPU."""

from importlib.util import find_spec

if find_spec("torch") is None:
    raise ImportError("deptrees.torch needs PyTorch: pip install 'deptrees[torch]'")

from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.feed_forward import FeedForward
from deptrees.torch.parser import NeuralParser

__all__ = ["BiLSTM", "FeedForward", "NeuralParser"]
