"""The tokenizer against UDPipe's, on each part of a treebank after learning from the other parts: F1 of UD, and speed.

The test data of most treebanks has too few sentences to tell two good tokenizers apart; its training data, a part at a
time, has several times as many. Both choose their best epoch on the same development data, and have default settings,
ours those of a pipeline. With ``--test``, both learn five times, from a treebank that begins at each of its fifths, so
that chance can be told from more. `pip install ufal.udpipe`.

    python benchmarks/tokenizer_accuracy.py hu_szeged-train.conllu hu_szeged-dev.conllu --test hu_szeged-test.conllu
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import NamedTemporaryFile

from against_udpipe import read
from measuring import Timer, arguments, interval
from more_itertools import consume
from ufal.udpipe import Model, OutputFormat, Sentence, Trainer

from deptrees import DependencyTree, Tokenizer, Treebank, to_conllu
from deptrees.evaluation import evaluate_ud
from deptrees.pipeline import SETTINGS
from deptrees.treebanks.raw_text import in_one_line, raw_text

METRICS = ("Tokens", "Words", "Sentences")
PARTS, TRAININGS = 4, 5


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


def scores(gold: list[DependencyTree], found: Iterable[DependencyTree]) -> dict[str, float]:
    """The F1 of each metric. The evaluation asks for heads: each word gets the one before it."""
    chains = [tree.reattach(range(len(tree)), ["dep"] * len(tree)) for tree in found]
    table = evaluate_ud(gold, chains)
    return {metric: float(table.row(metric)["f1"]) for metric in METRICS}


def compare_on_parts(train: list[DependencyTree], dev: list[DependencyTree], words: int) -> None:
    """The scores on all parts together, and the speed on copies of the last one."""
    found: dict[str, list[DependencyTree]] = defaultdict(list)
    for rest, part in parts(train):
        text = raw_text(part)
        tokenizer, udpipe = Tokenizer.train(rest, dev=dev, seeds=SETTINGS["seeds"]), udpipe_tokenizer(rest, dev)
        for form, shown in {"": text, " in one line": in_one_line(text)}.items():
            found[f"deptrees{form}"] += tokenizer.tokenize(shown)
            found[f"UDPipe{form}"] += Treebank.from_bytes(udpipe_conllu(udpipe, shown).encode())
    for name, trees in found.items():
        print(f"{name:20}", *(f"{metric} {f1:.2%}" for metric, f1 in scores(train, trees).items()))
    of_part = sum(map(len, part))
    copies = -(-words // of_part)
    large = copies * f"{text.strip()}\n\n"
    works: dict[str, Callable[[], object]] = {
        "deptrees": lambda: consume(tokenizer.batches([large])),
        "UDPipe": lambda: udpipe_conllu(udpipe, large),
    }
    ours_rate, udpipe_rate = Timer().rates(works, copies * of_part).values()
    print(f"{ours_rate:,.0f} words/s; UDPipe {udpipe_rate:,.0f}: {ours_rate / udpipe_rate:.1f} times as fast")


def compare_trainings(train: list[DependencyTree], dev: list[DependencyTree], test: list[DependencyTree]) -> None:
    """The scores on other data after each of several trainings, and their means with intervals of 95 %."""
    text = raw_text(test).strip() + "\n\n"
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    for number in range(TRAININGS):
        start = len(train) * number // TRAININGS
        turned = train[start:] + train[:start]
        tokenizer, udpipe = Tokenizer.train(turned, dev=dev, seeds=SETTINGS["seeds"]), udpipe_tokenizer(turned, dev)
        for form, shown in {"": text, " in one line": in_one_line(text)}.items():
            found[f"deptrees{form}"].append(scores(test, tokenizer.tokenize(shown)))
            theirs = Treebank.from_bytes(udpipe_conllu(udpipe, shown).encode())
            found[f"UDPipe{form}"].append(scores(test, theirs))
        for name, every in found.items():
            print(f"{name:20}", *(f"{metric} {f1:.3%}" for metric, f1 in every[-1].items()), flush=True)
    for name, every in found.items():
        print(f"{name:20}", *(f"{metric} {interval([each[metric] for each in every])}" for metric in METRICS))


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--words", type=int, default=50_000, help="the size of the text whose time is taken")
    parser.add_argument("--test", help="compare trainings on these data, in place of parts")
    given = parser.parse_args()
    train, dev = list(Treebank(given.train)), list(Treebank(given.dev))
    if given.test:
        compare_trainings(train, dev, list(Treebank(given.test)))
    else:
        compare_on_parts(train, dev, given.words)
