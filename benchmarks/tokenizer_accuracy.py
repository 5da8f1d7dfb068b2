"""The tokenizer against UDPipe's, on each part of a treebank after learning from the other parts: F1 of UD, and speed.

The test data of most treebanks has too few sentences to tell two good tokenizers apart; its training data, a part at a
time, has several times as many. Both choose their best epoch on the same development data, and have default settings,
ours those of a pipeline. `pip install ufal.udpipe`.

    python benchmarks/tokenizer_accuracy.py hu_szeged-train.conllu hu_szeged-dev.conllu
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import NamedTemporaryFile

from against_udpipe import read
from measuring import Timer, arguments
from more_itertools import consume
from ufal.udpipe import Model, OutputFormat, Sentence, Trainer

from deptrees import DependencyTree, Tokenizer, Treebank, to_conllu
from deptrees.evaluation import evaluate_ud
from deptrees.treebanks.raw_text import raw_text

METRICS = ("Tokens", "Words", "Sentences")
PARTS = 4
SEEDS = 3  # as in a pipeline


def parts(trees: list[DependencyTree]) -> Iterator[tuple[list[DependencyTree], list[DependencyTree]]]:
    """Each part of a treebank, after all the rest of it."""
    for start, stop in pairwise(len(trees) * number // PARTS for number in range(PARTS + 1)):
        yield trees[:start] + trees[stop:], trees[start:stop]


def udpipe_tokenizer(train: list[DependencyTree], dev: list[DependencyTree]) -> Model:
    """UDPipe's tokenizer."""
    sentences, held_out = (list(read("".join(map(to_conllu, trees)))) for trees in (train, dev))
    trained = Trainer.train("morphodita_parsito", sentences, held_out, "", "none", "none")
    with NamedTemporaryFile() as file:
        Path(file.name).write_bytes(bytes(trained))
        return Model.load(file.name)


def udpipe_conllu(model: Model, text: str) -> str:
    """What UDPipe makes of a text."""
    tokenizer, writer, rows = model.newTokenizer(""), OutputFormat.newConlluOutputFormat(), []
    tokenizer.setText(text)
    while tokenizer.nextSentence(sentence := Sentence()):
        rows.append(writer.writeSentence(sentence))
    return "".join(rows)


def report(name: str, gold: list[DependencyTree], found: Iterable[DependencyTree]) -> None:
    """One line of scores. The evaluation asks for heads: each word gets the one before it."""
    chains = [tree.reattach(range(len(tree)), ["dep"] * len(tree)) for tree in found]
    table = evaluate_ud(gold, chains)
    f1 = dict(zip(table["metric"], table["f1"], strict=True))
    print(f"{name:9}", *(f"{metric} {f1[metric]:.2%}" for metric in METRICS), flush=True)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--words", type=int, default=50_000, help="the size of the text whose time is taken")
    given = parser.parse_args()
    train, dev, timer = list(Treebank(given.train)), list(Treebank(given.dev)), Timer()
    ours: list[DependencyTree] = []
    theirs: list[DependencyTree] = []
    for rest, part in parts(train):
        text = raw_text(part)
        tokenizer, udpipe = Tokenizer.train(rest, dev, seeds=SEEDS), udpipe_tokenizer(rest, dev)
        ours += tokenizer.tokenize(text)
        theirs += Treebank.from_bytes(udpipe_conllu(udpipe, text).encode())
    report("deptrees", train, ours)
    report("UDPipe", train, theirs)
    words = sum(map(len, part))
    copies = -(-given.words // words)
    large = copies * f"{text.strip()}\n\n"
    works: dict[str, Callable[[], object]] = {
        "deptrees": lambda: consume(tokenizer.rows([large])),
        "UDPipe": lambda: udpipe_conllu(udpipe, large),
    }
    ours_rate, udpipe_rate = timer.rates(works, copies * words).values()
    print(f"{ours_rate:,.0f} words/s; UDPipe {udpipe_rate:,.0f}: {ours_rate / udpipe_rate:.1f} times as fast")
