"""Speed of the batch engine, and of others at the same work, in one run.

Each number is the best of some repetitions, by the time of the processor, so that other processes on the same
machine matter little; only the runs with two threads go by the clock. What is not installed is left out:
`pip install ufal.udpipe spacy nltk` for everything.

    python benchmarks/engine_speed.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu
"""

import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from measuring import REPETITIONS, Timer, arguments
from more_itertools import consume, ilen
from other_libraries import other_libraries

from deptrees import DependencyTree, Treebank, is_projective
from deptrees.engine import Model, Trainer, batches
from deptrees.features import FAST, Templates
from deptrees.training import LinearOptions
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandard,
    Oracle,
    StackBufferSystem,
    dynamic_oracle,
    static_oracle,
    typed,
)
from deptrees.treebanks.columns import Columns
from deptrees.treebanks.conllu import to_conllu

FEW = 500
"""The number of sentences for what takes long."""


def report(name: str, rate: float, unit: str, **ours: float) -> None:
    """One line; the ratios say how many times as fast ours are."""
    ratios = "".join(f"   {what}: {other / rate:,.1f} times" for what, other in ours.items())
    print(f"  {name:44} {rate:14,.0f} {unit}{ratios}", flush=True)


def iterate(oracle: Oracle, trees: list[DependencyTree]) -> None:
    """Follow the derivations of trees, as configurations of the functional layer, and keep nothing."""
    for tree in trees:
        consume(oracle(tree))


def count_steps(columns: Columns, system: StackBufferSystem, oracle: str, threads: int = 1) -> int:
    """Run an oracle over a treebank."""
    return sum(len(batch.taken) for batch in batches(columns, system, Templates([]), oracle=oracle, threads=threads))


def oracles(timer: Timer, trees: list[DependencyTree]) -> None:
    """Oracles: transitions a second over the projective trees of the training file."""
    print("oracle transitions")
    trees = [tree for tree in trees if is_projective(tree)]
    columns = Columns.encode(trees)
    systems: list[StackBufferSystem] = [ArcEager(root="last"), ArcHybrid(), ArcStandard(), ArcEager()]
    rates: dict[str, float] = {}
    for system in systems:
        steps = count_steps(columns, system, "static")
        for oracle in ("dynamic", "static"):
            work = partial(count_steps, columns, system, oracle)
            name = f"engine, {oracle}, {system}"
            rates[oracle] = timer.rate(name, work, steps, repetitions=2 * REPETITIONS)
            report(name, rates[oracle], "/s")
    both = {"repetitions": 2 * REPETITIONS, "clock": time.perf_counter}
    of_two = timer.rate(f"{name}, two threads", partial(work, threads=2), steps, **both)
    report("  the last one, two threads", of_two, "/s")
    few = trees[:FEW]
    iteration = {}
    for name in ("dynamic", "static"):
        oracle_of = Oracle(ArcEager(), dynamic_oracle if name == "dynamic" else static_oracle, typed)
        taken = sum(ilen(oracle_of(tree)) for tree in few)
        title = f"iteration, {name}, {ArcEager()}"
        iteration[name] = timer.rate(title, partial(iterate, oracle_of, few), taken)
        report(title, iteration[name], "/s", engine=rates[name])
    for name, rate in oracles_of_others(timer, few).items():
        report(name, rate, "/s", engine=rates["static"], two_threads=of_two, iteration=iteration["static"])


def oracles_of_others(timer: Timer, trees: list[DependencyTree]) -> dict[str, float]:
    """Transitions a second of the oracles of other libraries, those that are installed."""
    with tempfile.TemporaryDirectory() as folder:
        others = other_libraries(trees, Path(folder))
        return {name: timer.rate(f"{name}'s oracle", other.oracle, other.oracle()) for name, other in others.items()}


def training(timer: Timer, train: list[DependencyTree], test: list[DependencyTree], epochs: int) -> Model:
    """Training and parsing with the default features."""
    print(f"\n{ArcEager()}, dynamic oracle, exploration, {epochs} epochs")
    columns, held_out = Columns.encode(train), Columns.encode(test)
    trainer = Trainer(columns, LinearOptions(system=ArcEager()))
    words = len(columns.heads)
    report("training, an epoch", timer.rate("training", trainer.epoch, words, repetitions=epochs), "words/s")
    model = trainer.model()
    with_beam = Trainer(columns, LinearOptions(system=ArcEager(), beam=8))
    rate = timer.rate("training, beam 8", with_beam.epoch, words, repetitions=1)
    report("with a beam of 8", rate, "words/s")
    heads, labels = model.parse(held_out)
    gold = [
        *(
            model.spec.labels.index(label) if label in model.spec.labels else -2
            for label in held_out.vocabularies["deprel"]
        ),
        -2,
    ]
    right = heads == held_out.heads
    greedy = 0.0
    for threads, beam in ((1, 1), (2, 1), (1, 8)):
        clock = time.perf_counter if threads > 1 else time.process_time
        work = partial(model.parse, held_out, threads=threads, beam=beam)
        rate = timer.rate(f"parsing, threads {threads}, beam {beam}", work, len(heads), clock=clock)
        greedy = greedy or rate
        report(f"parsing, threads {threads}, beam {beam}: {rate / greedy:.2f} of the first", rate, "words/s")
    print(f"  UAS {right.mean():.2%}  LAS {(right & (labels == np.array(gold)[held_out.labels])).mean():.2%}")
    return model


TRAIN = """
import re, sys
from pathlib import Path
from deptrees import Treebank
from deptrees.parser import Parser
Parser.train(Treebank(sys.argv[1]), epochs=2)
# Not what getrusage says: that counts in the memory of the process that this one was started from.
most = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(f"  memory at most: {int(most[1]) / 1024:,.0f} MiB")
"""


def memory(path: str) -> None:
    """The memory that training takes, in a process of its own (on Linux)."""
    subprocess.run([sys.executable, "-c", TRAIN, path], check=True)


def growth(timer: Timer, model: Model, test: list[DependencyTree]) -> None:
    """Parsing as sentences grow: the same words, cut into sentences of another length."""
    print("\nwords a sentence   words/s")
    words = [attrs.evolve(word, id=None) for tree in test for word in tree.words]
    for length in (10, 50, 200, 1000, 2000):
        columns = Columns.encode(DependencyTree(words[i : i + length]) for i in range(0, len(words), length))
        rate = timer.rate(f"parsing, {length} words a sentence", partial(model.parse, columns), len(columns.heads))
        print(f"{length:16} {rate:9,.0f}", flush=True)


def udpipe(timer: Timer, train: list[DependencyTree], test: list[DependencyTree], epochs: int) -> None:
    """UDPipe's parser with its default sizes, an iteration over a part, then parsing; ours looks at the same columns.

    How accurate both are after ten iterations is for ``against_udpipe.py`` to say.
    """
    from ufal import udpipe

    def read(trees: list[DependencyTree]) -> Iterator[udpipe.Sentence]:
        reader = udpipe.InputFormat.newConlluInputFormat()
        reader.setText("".join(map(to_conllu, trees)))
        while reader.nextSentence(sentence := udpipe.Sentence()):
            yield sentence

    print(f"\n{ArcEager(root='last')}, FAST, {epochs} epochs, and UDPipe, one iteration over {FEW} sentences")
    columns, held_out = Columns.encode(train), Columns.encode(test)
    trainer = Trainer(columns, LinearOptions(system=ArcEager(root="last"), templates=FAST))
    ours = timer.rate("training, FAST", trainer.epoch, len(columns.heads), repetitions=epochs)
    report("training, an epoch", ours, "words/s")
    part, options = list(read(train[:FEW])), "iterations=1;transition_system=projective;transition_oracle=dynamic"
    made: list[Any] = []
    words = sum(map(len, train[:FEW]))
    learn = partial(udpipe.Trainer.train, "morphodita_parsito", part, [], "none", "none", options)
    rate = timer.rate("UDPipe, training", lambda: made.append(learn()), words, repetitions=1)
    report("UDPipe, training", rate, "words/s", engine=ours)
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(made[0]))
        file.flush()
        theirs = udpipe.Model.load(file.name)
    sentences, model = list(read(test)), trainer.model()
    works: dict[str, Callable[[], object]] = {
        "engine": lambda: model.parse(held_out),
        "UDPipe": lambda: [theirs.parse(sentence, "") for sentence in sentences],
    }
    rates = timer.rates(works, len(held_out.heads))
    report("parsing", rates["engine"], "words/s")
    report("UDPipe, parsing", rates["UDPipe"], "words/s", engine=rates["engine"])


if __name__ == "__main__":
    options = arguments(__doc__)
    options.add_argument("train")
    options.add_argument("test")
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--save", help="a file for the times, for python -m pyperf compare_to")
    given = options.parse_args()
    train_trees, test_trees, clock = list(Treebank(given.train)), list(Treebank(given.test)), Timer(given.save)
    oracles(clock, train_trees)
    trained = training(clock, train_trees, test_trees, given.epochs)
    memory(given.train)
    growth(clock, trained, test_trees)
    if importlib.util.find_spec("ufal"):
        udpipe(clock, train_trees, test_trees, given.epochs)
