"""A graph-based parser beside ours: the architecture of Stanza and supar at a small size, and not their program.

    python benchmarks/graph_based.py path/to/treebanks fr_partut tr_imst --epochs 20

Each word scores all others as its head, by a biaffine product of their vectors, and the tree with the greatest sum of
scores and one root is found (Dozat & Manning 2017). Vectors, LSTMs, batches and the learning rate are those of our
BiLSTM parser, and so are the sizes of both.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs
import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812  its name everywhere
from measuring import Timer, accuracy, run, train_and_test
from more_itertools import chunked
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from deptrees import Columns, DependencyTree, Parser, Scores, evaluate
from deptrees.torch import Architecture, BiLSTM, Learning, NeuralParser, Transitions, Words
from deptrees.torch.training import minibatches
from deptrees.torch.vocabulary import Vocabulary
from deptrees.trees.spanning_trees import Head, best_heads

SMALL = Architecture(
    encoder=BiLSTM(Words(form=50, tags=25, spelling=25, character=16), hidden=100),
    decoder=Transitions(hidden=100),
    learning=Learning(batch_words=150),
)
DROPOUT = 0.33
ARC, LABEL = 200, 50
"""The sizes of vectors of heads and dependents, for arcs and for labels."""
SENTENCES_AT_ONCE = 64


class Biaffine(nn.Module):
    """A score for each class of an arc, given its head and its dependent."""

    def __init__(self, size: int, hidden: int, classes: int, dropout: float) -> None:
        super().__init__()
        layers = [nn.Sequential(nn.Linear(size, hidden), nn.LeakyReLU(0.1), nn.Dropout(dropout)) for _ in range(2)]
        self.head, self.dependent = layers
        self.weights = nn.Parameter(torch.zeros(classes, hidden + 1, hidden + 1))

    def forward(self, equation: str, heads: Tensor, dependents: Tensor) -> Tensor:
        """The scores of pairs, named as in ``einsum``: classes are c, and what is summed over is i and j."""
        head, dependent = (F.pad(layer, (0, 1), value=1.0) for layer in (self.head(heads), self.dependent(dependents)))
        return torch.einsum(equation, head, self.weights, dependent)


class Network(nn.Module):
    """Vectors of the words of sentences, and scores of arcs between them."""

    def __init__(self, vocabulary: Vocabulary, architecture: Architecture) -> None:
        super().__init__()
        self.encoder = architecture.encoder.network(vocabulary)
        self.arcs = Biaffine(self.encoder.size, ARC, 1, DROPOUT)
        self.labels = Biaffine(self.encoder.size, LABEL, len(vocabulary.labels), DROPOUT)
        self.vocabulary = vocabulary

    def forward(self, trees: Sequence[DependencyTree]) -> tuple[Tensor, Tensor]:
        """The vectors, and the scores of the heads of each word: position, sentence and head."""
        vectors = pad_sequence(self.encoder(Columns.encode(trees)).split([1 + len(tree) for tree in trees]))
        scores = self.arcs("hsi,cij,dsj->dsh", vectors, vectors)
        itself = torch.eye(len(vectors), dtype=torch.bool)[:, None]
        padding = torch.arange(len(vectors)) > torch.tensor([*map(len, trees)])[:, None]
        return vectors, scores.masked_fill(itself | padding, -torch.inf)

    def label_scores(self, vectors: Tensor, heads: Tensor, words: Tensor, sentences: Tensor) -> Tensor:
        """The scores of the labels of some arcs."""
        scores: Tensor = self.labels("ni,cij,nj->nc", vectors[heads, sentences], vectors[words, sentences])
        return scores

    def loss(self, trees: Sequence[DependencyTree]) -> Tensor:
        """The cross-entropy of gold heads, and that of gold labels."""
        vectors, scores = self(trees)
        number = self.vocabulary.label_numbers
        arcs = torch.tensor(
            [
                (word.head, word.id, place, number[word.label])
                for place, tree in enumerate(trees)
                for word in tree
                if word.label is not None
            ]
        )
        heads, words, sentences, labels = arcs.T
        of_labels = F.cross_entropy(self.label_scores(vectors, heads, words, sentences), labels)
        return F.cross_entropy(scores[words, sentences], heads) + of_labels


@attrs.frozen
class GraphParser:
    """A graph-based parser."""

    network: Network

    @classmethod
    def train(
        cls, trees: Sequence[DependencyTree], *, epochs: int, seed: int, architecture: Architecture
    ) -> "GraphParser":
        """Train a parser as our BiLSTM parser is trained."""
        torch.manual_seed(seed)
        random, lengths = np.random.default_rng(seed), [len(tree) for tree in trees]
        network = Network(Vocabulary.of(trees, architecture.encoder.columns), architecture).train()
        learning = architecture.learning
        optimizer = torch.optim.Adam(network.parameters(), learning.learning_rate)
        updates = epochs * len(minibatches(lengths, learning.batch_words, random))
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: max(0.0, 1 - done / updates))
        for _ in range(epochs):
            for batch in minibatches(lengths, learning.batch_words, random):
                optimizer.zero_grad()
                network.loss([trees[number] for number in batch.tolist()]).backward()
                nn.utils.clip_grad_norm_(network.parameters(), 5.0)
                optimizer.step()
                schedule.step()
        return cls(network.eval())

    def parse(self, trees: Sequence[DependencyTree]) -> list[DependencyTree]:
        """The sentences with other heads and labels, those of about the same length parsed together."""
        by_length = sorted(range(len(trees)), key=lambda number: len(trees[number]))
        parsed: dict[int, DependencyTree] = {}
        with torch.inference_mode():
            for chosen in chunked(by_length, SENTENCES_AT_ONCE):
                parsed.update(zip(chosen, self._parse([trees[number] for number in chosen]), strict=True))
        return [parsed[number] for number in range(len(trees))]

    def _parse(self, trees: Sequence[DependencyTree]) -> Iterator[DependencyTree]:
        vectors, scores = self.network(trees)
        for place, tree in enumerate(trees):
            n = len(tree)
            heads = single_root_heads(scores[1 : n + 1, place, : n + 1].numpy())
            words = torch.arange(1, n + 1)
            labels = self.network.label_scores(vectors, torch.tensor(heads), words, torch.full((n,), place)).argmax(1)
            yield tree.reattach(heads, [self.network.vocabulary.labels[label] for label in labels.tolist()])


def single_root_heads(scores: npt.NDArray[np.float32]) -> list[Head]:
    """The heads of the tree with the greatest sum of scores among those with one root.

    Args:
        scores: for each word, from the first on, the score of each head, from ROOT on.
    """
    table: list[dict[Head, float]] = [
        {head: score for head, score in enumerate(row) if head != word} for word, row in enumerate(scores.tolist(), 1)
    ]
    heads = best_heads(table)
    if heads.count(0) > 1:  # then an arc from ROOT costs more than all others can gain
        loss = 1 + 2 * sum(max(map(abs, row.values())) for row in table)
        heads = best_heads([{**row, 0: row[0] - loss} for row in table])
    return heads


@attrs.frozen
class Found:
    """What was found of one kind of parser: its scores, one for each seed, its speed, and how long training takes."""

    scores: list[Scores]
    speed: float
    seconds: float


def measure(train: Callable[[int], Parser | GraphParser], test: list[DependencyTree], seeds: int) -> Found:
    """What is found of parsers that are trained with one seed after the other."""
    began = time.process_time()
    parsers = [train(seed) for seed in range(1, seeds + 1)]
    seconds = (time.process_time() - began) / seeds
    speed = Timer().rate("parsing", lambda: list(parsers[-1].parse(test)), sum(map(len, test)))
    return Found([evaluate(test, parser.parse(test)) for parser in parsers], speed, seconds)


def compare(train: list[DependencyTree], test: list[DependencyTree], seeds: int, epochs: int) -> dict[str, Found]:
    """What is found of each kind of parser, in one thread, by the time of the processor."""
    torch.set_num_threads(1)
    return {
        "linear": measure(lambda seed: Parser.train(train, seed=seed), test, seeds),
        "BiLSTM": measure(
            lambda seed: NeuralParser.train(train, epochs=epochs, seed=seed, **SMALL.arguments()), test, seeds
        ),
        "graph-based": measure(
            lambda seed: GraphParser.train(train, epochs=epochs, seed=seed, architecture=SMALL), test, seeds
        ),
    }


def report(folder: Path, treebank: str, given: argparse.Namespace) -> None:
    """Compare the parsers on one treebank."""
    train, test = train_and_test(folder, treebank)
    print(f"{treebank}, UAS, LAS and exact match; words parsed a second; seconds of training")
    for name, found in compare(train, test, given.seeds, given.epochs).items():
        print(f"  {name:12} {accuracy(found.scores)}  {found.speed:10,.0f}  {found.seconds:6.0f}", flush=True)


if __name__ == "__main__":
    run(__doc__, report)
