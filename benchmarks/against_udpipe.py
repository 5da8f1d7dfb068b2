"""The parser against UDPipe's, trained on the same sentences: accuracy, and speed from file to file.

Both have their defaults: the parser is arc-eager, UDPipe's arc-standard. UDPipe is given gold tags and its default
sizes, without FEATS, which the default feature templates do not look at either; `pip install ufal.udpipe`.

    python benchmarks/against_udpipe.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu --sentences 2000
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ufal.udpipe import InputFormat, Model, OutputFormat, Sentence, Trainer

from deptrees import DependencyTree, Treebank, evaluate, write_treebank
from deptrees.conllu import to_conllu
from deptrees.parser import Parser

OPTIONS = "iterations={};transition_system=projective;transition_oracle=dynamic;embedding_feats=0"


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


def compare(train: list[DependencyTree], test: list[DependencyTree], epochs: int, words: int, folder: Path) -> None:
    """Train both, test both, and let both parse a large file."""
    start = time.perf_counter()
    parser = Parser.train(train, epochs=epochs)
    ours = time.perf_counter() - start
    start = time.perf_counter()
    sentences = list(read("".join(map(to_conllu, train))))
    trained = Trainer.train("morphodita_parsito", sentences, [], "none", "none", OPTIONS.format(epochs))
    theirs = time.perf_counter() - start
    (folder / "udpipe").write_bytes(bytes(trained))
    udpipe = Model.load(str(folder / "udpipe"))
    print(f"training on {len(train):,} sentences, {epochs} epochs: {ours:.1f} s, UDPipe {theirs:.1f} s")
    print(f"  {theirs / ours:.0f} times as fast")
    small, large, parsed = folder / "test.conllu", folder / "large.conllu", folder / "parsed.conllu"
    write_treebank(small, test)
    from_file_to_file(udpipe, small, parsed)
    scores = evaluate(test, parser.parse(test)), evaluate(test, Treebank(parsed))
    for name, score in zip(("deptrees", "UDPipe"), scores, strict=True):
        print(f"{name:9} UAS {score.uas:.2%}  LAS {score.las:.2%}")
    size = sum(map(len, test))
    copies = -(-words // size)
    large.write_text(small.read_text(encoding="utf-8") * copies, encoding="utf-8")
    start = time.perf_counter()
    write_treebank(parsed, parser.parse(Treebank(large)))
    ours = time.perf_counter() - start
    start = time.perf_counter()
    from_file_to_file(udpipe, large, parsed)
    theirs = time.perf_counter() - start
    print(f"from file to file, {copies * size:,} words: {copies * size / ours:,.0f} words/s")
    print(f"  UDPipe {copies * size / theirs:,.0f} words/s: {theirs / ours:.1f} times as fast")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("train")
    arguments.add_argument("test")
    arguments.add_argument("--sentences", type=int, help="train on the first ones only")
    arguments.add_argument("--epochs", type=int, default=10)
    arguments.add_argument("--words", type=int, default=1_000_000, help="the size of the large file")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as path:
        trees = list(islice(Treebank(given.train), given.sentences))
        compare(trees, list(Treebank(given.test)), given.epochs, given.words, Path(path))
