"""Small neural parsers, and what they learn from."""

import pytest

pytest.importorskip("torch")

from deptrees import sample_treebank
from deptrees.features.embeddings import Embeddings
from deptrees.torch import Architecture, BiLSTM, LabeledTransitions, Learning, Transitions, Words

__all__ = ["DEV", "EMBEDDINGS", "FORWARD", "LSTM", "NETWORKS", "TRAIN"]

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
LSTM = Architecture(
    encoder=BiLSTM(Words(form=20, tags=20, character=8, spelling=8), hidden=24, dropout=0.1),
    decoder=Transitions(hidden=100, dropout=0.1),
    learning=Learning(batch_words=40, learning_rate=2e-2, averaging=0.5, mixed_precision=False),
)
FORWARD = Architecture(
    encoder=Words(form=20, tags=20, character=8, spelling=8),
    decoder=LabeledTransitions(label=20, hidden=80, dropout=0.1),
    learning=Learning(batch_words=40, learning_rate=1e-2, averaging=0.0, mixed_precision=False),
)
NETWORKS = pytest.mark.parametrize("architecture", [LSTM, FORWARD], ids=["BiLSTM", "Words"])
EMBEDDINGS = Embeddings(["the", "dog", "blork", "root"], [[1, 2, 3], [4, 5, 6], [4, 5, 6], [7, 8, 9]])
