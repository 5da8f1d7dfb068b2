"""The parsers against UDPipe's, trained on the same sentences: accuracy, and speed from file to file.

UDPipe is given gold tags and its default sizes; `pip install ufal.udpipe`. With ``--feats`` all look at FEATS, without
none does. ``--beam`` and ``--neural`` bring more of our parsers in.

    python benchmarks/against_udpipe.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu --sentences 2000
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from measuring import Timer, arguments
from ufal.udpipe import InputFormat, Model, OutputFormat, Sentence, Trainer

from deptrees import DependencyTree, Parser, Treebank, evaluate, to_conllu, write_treebank
from deptrees.features import FAST, WITH_FEATS, ZHANG_NIVRE

OPTIONS = "iterations={};transition_system=projective;transition_oracle=dynamic;embedding_feats={}"


def read(text: str) -> Iterator[Sentence]:
    """UDPipe's sentences of a text."""
    reader = InputFormat.newConlluInputFormat()
    reader.setText(text)
    while reader.nextSentence(sentence := Sentence()):
        yield sentence


def from_file_to_file(model: Model, source: Path, target: Path) -> None:
    """What UDPipe does with a file."""
    writer = OutputFormat.newConlluOutputFormat()
    with target.open("w", encoding="utf-8") as file:
        for sentence in read(source.read_text(encoding="utf-8")):
            model.parse(sentence, "")
            file.write(writer.writeSentence(sentence))


class UDPipe:
    """UDPipe's parser."""

    def __init__(self, train: Iterable[DependencyTree], epochs: int, feats: bool, folder: Path) -> None:
        sentences = list(read("".join(map(to_conllu, train))))
        options = OPTIONS.format(epochs, 20 if feats else 0)
        file = folder / "udpipe"
        file.write_bytes(bytes(Trainer.train("morphodita_parsito", sentences, [], "none", "none", options)))
        self.model = Model.load(str(file))
        self._parsed = folder / "udpipe.conllu"

    def parse(self, trees: Iterable[DependencyTree]) -> Treebank:
        """Parse trees."""
        gold = self._parsed.with_name("gold.conllu")
        write_treebank(gold, trees)
        from_file_to_file(self.model, gold, self._parsed)
        return Treebank(self._parsed)


def once(name: str, work: Callable[[], object]) -> float:
    """The seconds that some work takes, by the clock."""
    return float(Timer().time(name, work, repetitions=1, clock=time.perf_counter).mean())


def trained(name: str, train: Callable[[], Any], test: list[DependencyTree]) -> tuple[Any, float]:
    """What is trained, and in how many seconds; one line."""
    made: list[Any] = []
    seconds = once(name, lambda: made.append(train()))
    [parser] = made
    scores = evaluate(test, parser.parse(test))
    print(f"{name:18} UAS {scores.uas:.2%}  LAS {scores.las:.2%}  trained in {seconds:7.1f} s", flush=True)
    return parser, seconds


def compare(train: list[DependencyTree], test: list[DependencyTree], given: argparse.Namespace, folder: Path) -> None:
    """Train all, test all, and let two of them parse a large file."""
    epochs, templates = given.epochs, WITH_FEATS if given.feats else ZHANG_NIVRE
    print(f"{len(train):,} sentences, {epochs} epochs")
    parser, ours = trained("deptrees", lambda: Parser.train(train, epochs=epochs, templates=templates), test)
    trained("deptrees, FAST", lambda: Parser.train(train, epochs=epochs, templates=FAST), test)
    if given.beam > 1:
        name = f"deptrees, beam {given.beam}"
        trained(name, lambda: Parser.train(train, epochs=epochs, templates=templates, beam=given.beam), test)
    if given.neural:
        from deptrees.torch import BiLSTM, NeuralParser, Words

        encoder = BiLSTM(Words(columns=("upos", "feats") if given.feats else ("upos",)))
        trained("deptrees, BiLSTM", lambda: NeuralParser.train(train, epochs=epochs, encoder=encoder), test)
    udpipe, theirs = trained("UDPipe", lambda: UDPipe(train, epochs, given.feats, folder), test)
    print(f"  training is {theirs / ours:.0f} times as fast as UDPipe's")
    small, large, parsed = folder / "test.conllu", folder / "large.conllu", folder / "parsed.conllu"
    write_treebank(small, test)
    size = sum(map(len, test))
    copies = -(-given.words // size)
    large.write_text(small.read_text(encoding="utf-8") * copies, encoding="utf-8")
    ours = once("deptrees, from file to file", lambda: parser.parse_file(large, parsed))
    theirs = once("UDPipe, from file to file", partial(from_file_to_file, udpipe.model, large, parsed))
    print(f"from file to file, {copies * size:,} words: {copies * size / ours:,.0f} words/s")
    print(f"  UDPipe {copies * size / theirs:,.0f} words/s: {theirs / ours:.1f} times as fast")


if __name__ == "__main__":
    options = arguments(__doc__)
    options.add_argument("train")
    options.add_argument("test")
    options.add_argument("--sentences", type=int, help="train on the first ones only")
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--feats", action="store_true")
    options.add_argument("--beam", type=int, default=1)
    options.add_argument("--neural", action="store_true")
    options.add_argument("--words", type=int, default=1_000_000, help="the size of the large file")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as path:
        trees = list(islice(Treebank(given.train), given.sentences))
        compare(trees, list(Treebank(given.test)), given, Path(path))
