"""The parsers of spaCy and NLTK, for benchmarks: their oracles, an epoch of training, and parsing."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path

from more_itertools import chunked, consume

from deptrees import DependencyTree


class SpaCy:
    """spaCy's parser, with its default layers.

    Args:
        trees: what it learns from.
    """

    def __init__(self, trees: Iterable[DependencyTree]) -> None:
        import spacy
        from spacy.training import Example

        self._nlp = spacy.blank("en")
        self._parser = self._nlp.add_pipe("parser")
        self._examples = []
        for tree in trees:
            heads = [(head or word) - 1 for word, head in enumerate(tree.heads, 1)]
            labels = ["ROOT" if word.head == 0 else word.label or "dep" for word in tree]
            self._examples.append(Example.from_dict(self._doc(tree), {"heads": heads, "deps": labels}))
        self._optimizer = self._nlp.initialize(lambda: self._examples)

    def _doc(self, tree: DependencyTree) -> object:
        from spacy.tokens import Doc

        return Doc(self._nlp.vocab, words=[word.form for word in tree])

    def oracle(self) -> int:
        """Run the oracle over all trees: the number of transitions."""
        return sum(len(self._parser.moves.get_oracle_sequence(example)) for example in self._examples)

    def learn(self) -> None:
        """An epoch of training."""
        for batch in chunked(self._examples, 32):
            self._nlp.update(batch, sgd=self._optimizer)

    def parse(self, trees: Iterable[DependencyTree]) -> None:
        """Parse the words of trees."""
        consume(self._nlp.pipe(map(self._doc, trees)))


class NLTK:
    """NLTK's arc-eager parser, a support vector machine.

    Args:
        trees: what it learns from.
        folder: a folder for its model.
    """

    def __init__(self, trees: Iterable[DependencyTree], folder: Path) -> None:
        import nltk.data
        from nltk.parse.transitionparser import TransitionParser

        nltk.data.path.append(str(folder))  # NLTK writes into such folders only
        self._file = str(folder / "nltk")
        self._parser = TransitionParser("arc-eager")
        self._graphs = [self._graph(tree) for tree in trees]

    def _graph(self, tree: DependencyTree) -> object:
        """A tree as a word a line in four columns: form, tag, head, label."""
        from nltk.parse import DependencyGraph

        lines = (f"{word.form}\t{word.upos}\t{word.head}\t{word.label}" for word in tree)
        return DependencyGraph("\n".join(lines), cell_separator="\t", top_relation_label="root")

    def oracle(self) -> int:
        """Write the examples of all trees, with their features: the number of transitions."""
        with tempfile.TemporaryFile() as file, redirect_stdout(None):
            return len(self._parser._create_training_examples_arc_eager(self._graphs, file))

    def learn(self) -> None:
        """Training from the beginning to the end."""
        with redirect_stdout(None):
            self._parser.train(self._graphs, self._file, verbose=False)

    def parse(self, trees: Iterable[DependencyTree]) -> None:
        """Parse the words of trees."""
        self._parser.parse([self._graph(tree) for tree in trees], self._file)


def other_libraries(trees: list[DependencyTree], folder: Path) -> dict[str, SpaCy | NLTK]:
    """Those that are installed, by their names.

    Args:
        trees: what they learn from.
        folder: a folder for a model.
    """
    found: dict[str, SpaCy | NLTK] = {}
    if importlib.util.find_spec("spacy"):
        found["spaCy"] = SpaCy(trees)
    if importlib.util.find_spec("nltk"):
        found["NLTK"] = NLTK(trees, folder)
    return found
