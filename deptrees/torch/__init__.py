"""Parsers in PyTorch: neural networks trained with the library's oracles, batched over sentences, on CPU and GPU."""

from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.feed_forward import FeedForward
from deptrees.torch.parser import NeuralParser

__all__ = ["BiLSTM", "FeedForward", "NeuralParser"]
