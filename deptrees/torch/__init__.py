"""Parsers in PyTorch: neural networks trained with the library's oracles, batched over sentences, on CPU and GPU."""

import sys

from deptrees.extras import require
from deptrees.torch.processors import share_processors

require("torch", "deptrees.torch needs PyTorch", "torch")
if "torch" not in sys.modules:
    share_processors()

from deptrees.torch.architecture import Architecture, Learning
from deptrees.torch.bilstm import BiLSTM
from deptrees.torch.exact import ExactTransitions
from deptrees.torch.generative import GenerativeParser
from deptrees.torch.log_sums import log_sum
from deptrees.torch.parser import NeuralParser
from deptrees.torch.transformer import Transformer
from deptrees.torch.transitions import LabeledTransitions, Transitions
from deptrees.torch.words import Joined, Words

__all__ = [
    "Architecture",
    "BiLSTM",
    "ExactTransitions",
    "GenerativeParser",
    "Joined",
    "LabeledTransitions",
    "Learning",
    "NeuralParser",
    "Transformer",
    "Transitions",
    "Words",
    "log_sum",
]
