"""The tokenizer against UDPipe's, trained on the same sentences: F1 by the evaluation of UD, and speed.

Both are given the development data, by which each chooses its best epoch, and default settings otherwise;
`pip install ufal.udpipe`. UDPipe's training takes long: with ``--udpipe`` its model is kept in a file, and read again.

    python benchmarks/tokenizer_accuracy.py en_ewt-train.conllu en_ewt-dev.conllu en_ewt-test.conllu
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import Timer, arguments
from more_itertools import consume
from ufal.udpipe import InputFormat, Model, OutputFormat, Sentence, Trainer

from deptrees import DependencyTree, Tokenizer, Treebank
from deptrees.evaluation import evaluate_ud
from deptrees.treebanks.raw_text import raw_text

METRICS = ("Tokens", "Words", "Sentences")


def sentences(path: str) -> list[Sentence]:
    """UDPipe's sentences of a file."""
    reader, found = InputFormat.newConlluInputFormat(), []
    reader.setText(Path(path).read_text(encoding="utf-8"))
    while reader.nextSentence(sentence := Sentence()):
        found.append(sentence)
    return found


def udpipe_tokenizer(train: str, dev: str, file: Path) -> Model:
    """UDPipe's tokenizer, read from a file, or trained and written to it."""
    if not file.exists():
        trained = Trainer.train("morphodita_parsito", sentences(train), sentences(dev), "", "none", "none")
        file.write_bytes(bytes(trained))
    return Model.load(str(file))


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
    parser.add_argument("test")
    parser.add_argument("--udpipe", type=Path, help="the file of UDPipe's model")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--words", type=int, default=50_000, help="the size of the text whose time is taken")
    given = parser.parse_args()
    gold = list(Treebank(given.test))
    text, words, timer = raw_text(gold), sum(map(len, gold)), Timer()
    with TemporaryDirectory() as folder:
        udpipe = udpipe_tokenizer(given.train, given.dev, given.udpipe or Path(folder, "udpipe"))
    for seed in range(1, given.seeds + 1):
        tokenizer = Tokenizer.train(Treebank(given.train), Treebank(given.dev), seed=seed)
        report(f"seed {seed}", gold, tokenizer.tokenize(text))
    report("UDPipe", gold, Treebank.from_bytes(udpipe_conllu(udpipe, text).encode()))
    copies = -(-given.words // words)
    large = copies * f"{text.strip()}\n\n"
    works: dict[str, Callable[[], object]] = {
        "deptrees": lambda: consume(tokenizer.rows([large])),
        "UDPipe": lambda: udpipe_conllu(udpipe, large),
    }
    ours, theirs = timer.rates(works, copies * words).values()
    print(f"{ours:,.0f} words/s; UDPipe {theirs:,.0f} words/s: {ours / theirs:.1f} times as fast")
