"""The sections of the benchmarks page: each measures, and its docstring is its text. `page.py` writes them."""

import importlib.util
import time
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from itertools import islice
from math import nan, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import attrs
import file_to_file
import numpy as np
from engine_speed import count_steps, iterate, oracles_of_others
from file_to_file import UDPIPE_SENTENCES
from import_time import milliseconds
from measuring import Timer, with_seeds
from more_itertools import consume, ilen
from other_libraries import NLTK, SpaCy, other_libraries

from deptrees import Columns, DependencyTree, Parser, Tagger, Tokenizer, Treebank, is_projective, sample_treebank
from deptrees.engine import Model, Trainer
from deptrees.evaluation.tables import Cell, Column, Table
from deptrees.features import FAST
from deptrees.training import LinearOptions
from deptrees.transition import ArcEager, Oracle, typed
from deptrees.treebanks.raw_text import raw_text

SYSTEM = ArcEager(root="last")
OTHERS = ("UDPipe", "spaCy", "NLTK", "graph-based")
HAS_UDPIPE = importlib.util.find_spec("ufal") is not None
SEEDS = 5
T_OF_FIVE = 2.776
"""Student's t for an interval of 95 % from five values."""


@attrs.define(slots=False)
class Setting:
    """What is measured on, and what sections share.

    Args:
        train: the treebank that is learned from.
        test: the treebank that is parsed.
        folder: all treebanks, for accuracy.
        light: fewer words and repetitions.
        temporary: a folder for files.
    """

    train: Path
    test: Path
    folder: Path | None
    light: bool
    temporary: Path

    @cached_property
    def trees(self) -> list[DependencyTree]:
        """What is learned from."""
        return list(islice(Treebank(self.train), 2_000 if self.light else None))

    @cached_property
    def held_out(self) -> list[DependencyTree]:
        """What is parsed."""
        return list(islice(Treebank(self.test), 1_000 if self.light else None))

    @cached_property
    def treebanks(self) -> dict[str, tuple[Iterable[DependencyTree], Iterable[DependencyTree]]]:
        """By the name of each treebank the trees to learn from and those to test on, the smallest treebank first."""
        if not self.folder:
            return {"sample": (sample_treebank("train"), sample_treebank("dev"))}
        trains = sorted(self.folder.glob("*-train.conllu"), key=lambda path: path.stat().st_size)
        return {
            path.stem.removesuffix("-train"): (
                Treebank(path),
                Treebank(path.with_name(path.name.replace("train", "test"))),
            )
            for path in trains
        }

    @cached_property
    def model(self) -> Model:
        """Two epochs, for how accurate it is makes no difference here."""
        trainer = Trainer(self.columns, LinearOptions(system=SYSTEM, templates=FAST))
        trainer.epoch()
        trainer.epoch()
        return trainer.model()

    @cached_property
    def columns(self) -> Columns:
        """What is learned from, as numbers."""
        return Columns.encode(self.trees)

    @cached_property
    def parser_file(self) -> Path:
        """The parser in a file."""
        Parser(self.model).save(path := self.temporary / "model")
        return path

    @cached_property
    def udpipe_file(self) -> Path:
        """UDPipe's model of all components, in its default sizes, trained for one iteration on some sentences."""
        from against_udpipe import OPTIONS, read
        from ufal.udpipe import Trainer as UDPipeTrainer

        sentences = list(islice(read(self.train.read_text(encoding="utf-8")), UDPIPE_SENTENCES))
        tokenizer, tagger, parser = "epochs=1", "iterations=1", OPTIONS.format(1, 20)
        path = self.temporary / "udpipe"
        path.write_bytes(bytes(UDPipeTrainer.train("morphodita_parsito", sentences, [], tokenizer, tagger, parser)))
        return path

    @cached_property
    def udpipe(self) -> Any:
        """UDPipe's model in memory."""
        from ufal.udpipe import Model as UDPipe

        return UDPipe.load(str(self.udpipe_file))

    @cached_property
    def others(self) -> dict[str, SpaCy | NLTK]:
        """Other libraries, which have learned from a few sentences."""
        found = other_libraries(self.few, self.temporary)
        for other in found.values():
            other.learn()
        return found

    @cached_property
    def few(self) -> list[DependencyTree]:
        """What other libraries learn from: they are slow, and NLTK leaves out trees that are not projective."""
        return [*islice(filter(is_projective, self.trees), 50)]

    def rate(self, work: Callable[[], object], count: int, threads: int = 1) -> float:
        """How many things are done in a second, in the best of some repetitions."""
        clock = time.process_time if threads == 1 else time.perf_counter
        return Timer().rate("work", work, count, repetitions=2 if self.light else 5, clock=clock)


def words_of(trees: Iterable[DependencyTree]) -> int:
    """The number of words."""
    return sum(map(len, trees))


def compared(title: str, unit: str, found: dict[str, float], *, less_is_better: bool = False) -> Table:
    """A table of what was found, with how ours, in the first row, compares with those of others."""
    ours = next(iter(found.values()))
    times = [
        (value / ours if less_is_better else ours / value) if name.startswith(OTHERS) else nan
        for name, value in found.items()
    ]
    columns = [
        Column("what", found, "key"),
        Column(unit, [shown(value) for value in found.values()], "number"),
        Column("ours, times as good", times, "number"),
    ]
    return Table(title, columns, plotted=() if less_is_better else (unit,))


def shown(value: float) -> Cell:
    """A number without digits that nobody needs."""
    return round(value) if value >= 100 else value


def curve(title: str, along: str, unit: str, found: dict[int, float]) -> Table:
    """A table of what was found along a number."""
    columns = [Column(along, found, "key"), Column(unit, [shown(value) for value in found.values()], "number")]
    return Table(title, columns, plotted=(unit,))


def machine(given: Setting) -> list[Table]:
    """The machine.

    What a program can hope for: how fast memory is copied, how often a line of it is read at random places, and what
    plain Python does meanwhile.
    """
    memory = np.zeros(1 << 27, np.uint8)
    copy = np.empty_like(memory)
    lines = np.zeros((1 << 22, 8))
    places = np.random.default_rng(1).integers(0, len(lines), 1 << 20)
    found = {
        "memory copied, GB/s": given.rate(partial(np.copyto, copy, memory), len(memory)) / 1e9,
        "lines of memory read at random, million/s": given.rate(lambda: lines[places, 0].sum(), len(places)) / 1e6,
        "additions in Python, million/s": given.rate(lambda: sum(number for number in range(1_000_000)), 1),
    }
    return [Table("The machine", [Column("what", found, "key"), Column("found", found.values(), "number")])]


def oracles(given: Setting) -> list[Table]:
    """Oracles.

    `for cfg, transition in oracle(tree)`, and the same in batches by the engine; arc-eager. NLTK writes features, too.
    """
    trees = [tree for tree in given.trees if is_projective(tree)][:500]
    found = {}
    for name in ("static", "dynamic"):
        oracle = Oracle(ArcEager(), name, typed)
        found[f"iteration, {name}"] = given.rate(partial(iterate, oracle, trees), sum(ilen(oracle(t)) for t in trees))
    found.update(oracles_of_others(Timer(), trees))
    columns = Columns.encode(tree for tree in given.trees if is_projective(tree))
    steps = count_steps(columns, ArcEager(), "static")
    batches = {}
    for name in ("static", "dynamic"):
        for threads in (1, 2):
            work = partial(count_steps, columns, ArcEager(), name, threads)
            batches[f"batches, {name}, threads: {threads}"] = given.rate(work, steps, threads)
    return [
        compared("Iteration over oracles", "transitions/s", found),
        compared("Oracles in batches", "transitions/s", batches),
    ]


def training(given: Setting) -> list[Table]:
    """Training.

    An epoch with the dynamic oracle, with exploration, from a treebank in memory. UDPipe learns from 500 sentences, for
    one iteration; spaCy from 50, for one, with its default layers; NLTK from the same 50 to the end, with its support
    vector machine, which gets slower with more.
    """
    words = words_of(given.trees)
    found = {
        "deptrees, greedy": given.rate(
            Trainer(given.columns, LinearOptions(system=SYSTEM, templates=FAST)).epoch, words
        ),
        "deptrees, beam of 8": given.rate(
            Trainer(given.columns, LinearOptions(system=SYSTEM, templates=FAST, beam=8)).epoch, words
        ),
    }
    if HAS_UDPIPE:
        from against_udpipe import OPTIONS, read
        from ufal.udpipe import Trainer as UDPipeTrainer

        sentences = list(islice(read(given.train.read_text(encoding="utf-8")), UDPIPE_SENTENCES))
        work = partial(UDPipeTrainer.train, "morphodita_parsito", sentences, [], "none", "none", OPTIONS.format(1, 20))
        found["UDPipe"] = given.rate(work, words_of(islice(Treebank(given.train), UDPIPE_SENTENCES)))
    for name, other in given.others.items():
        found[name] = given.rate(other.learn, words_of(given.few))
    return [compared("Training", "words/s", found)]


def parsing(given: Setting) -> list[Table]:
    """Parsing.

    From arrays to arrays, in memory. UDPipe is given sentences that it has read already, spaCy and NLTK are given
    words. They have learned from as few sentences as above: only their speed is of interest here. Trained in full,
    UDPipe parses about as fast, and tags at less than half the speed below.
    """
    held_out, words = Columns.encode(given.held_out), words_of(given.held_out)
    found = {"deptrees, greedy": given.rate(lambda: given.model.parse(held_out), words)}
    found["deptrees, threads: 2"] = given.rate(lambda: given.model.parse(held_out, threads=2), words, threads=2)
    found["deptrees, beam of 8"] = given.rate(lambda: given.model.parse(held_out, beam=8), words)
    if HAS_UDPIPE:
        from against_udpipe import read

        sentences = list(read(given.test.read_text(encoding="utf-8")))[:300]
        work = lambda: [given.udpipe.parse(sentence, "") for sentence in sentences]  # noqa: E731
        found["UDPipe"] = given.rate(work, words_of(given.held_out[:300]))
    for name, other in given.others.items():
        found[name] = given.rate(partial(other.parse, given.held_out[:50]), words_of(given.held_out[:50]))
    return [compared("Parsing", "words/s", found)]


def text(given: Setting) -> list[Table]:
    """Tags, tokens and raw text.

    The tagger fills in UPOS, XPOS, FEATS and LEMMA from tree to tree; raw text is what the whole pipeline turns into
    CoNLL-U.
    """
    trees, test = given.trees[:1_000], given.held_out
    tagger, tokenizer = Tagger.train(trees, epochs=1), Tokenizer.train(trees, epochs=1)
    whole = Parser(given.model, tagger=tagger, tokenizer=tokenizer)
    source, target = given.temporary / "raw.txt", given.temporary / "parsed.conllu"
    source.write_text(raw_text(test), encoding="utf-8", newline="")
    words, line = words_of(test), source.read_text(encoding="utf-8")

    def tag(threads: int) -> None:
        consume(tagger.tag(test, threads))

    def parse(threads: int) -> None:
        whole.parse_file(Treebank(source, tokenizer=tokenizer), target, threads=threads)

    tags, pipeline = {}, {}
    for name, threads in {"deptrees": 1, "deptrees, threads: 2": 2}.items():
        tags[name] = given.rate(partial(tag, threads), words, threads)
        pipeline[name] = given.rate(partial(parse, threads), words, threads)
    tokens = {"deptrees": given.rate(lambda: consume(tokenizer.batches([line])), words)}
    if HAS_UDPIPE:
        from against_udpipe import read
        from tokenizer_accuracy import udpipe_conllu
        from ufal.udpipe import Pipeline

        few = test[:300]
        sentences, short = list(read(given.test.read_text(encoding="utf-8")))[:300], raw_text(few)
        udpipe = Pipeline(given.udpipe, "tokenize", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
        size = words_of(few)
        tags["UDPipe"] = given.rate(lambda: [given.udpipe.tag(sentence, "") for sentence in sentences], size)
        tokens["UDPipe"] = given.rate(lambda: udpipe_conllu(given.udpipe, short), size)
        pipeline["UDPipe"] = given.rate(lambda: udpipe.process(short), size)
    return [
        compared("Tagging", "words/s", tags),
        compared("Tokens and sentences", "words/s", tokens),
        compared("From raw text to trees", "words/s", pipeline),
    ]


def files(given: Setting) -> list[Table]:
    """From file to file.

    The command `deptrees parse` and others, each in a process of its own, start-up included.
    """
    copies = (300_000 if given.light else 1_000_000) // words_of(Treebank(given.test))
    udpipe = given.udpipe_file if HAS_UDPIPE else None
    found = file_to_file.compare(given.parser_file, udpipe, given.test, copies, given.temporary)
    return [
        compared(
            "From file to file, by the processor", "words/s", {name: each.processor for name, each in found.items()}
        ),
        compared("From file to file, by the clock", "words/s", {name: each.clock for name, each in found.items()}),
        compared("Memory at most", "MiB", {name: each.memory for name, each in found.items()}, less_is_better=True),
    ]


def growth(given: Setting) -> list[Table]:
    """Growth.

    The same words, in sentences of another length; the same sentences with another beam; and parsers of more labels.
    """
    words = [attrs.evolve(word, id=None) for tree in given.held_out for word in tree.words]
    lengths, beams, labels = {}, {}, {}
    for length in (10, 50, 200, 1000, 2000):
        cut = Columns.encode(DependencyTree(words[i : i + length]) for i in range(0, len(words), length))
        lengths[length] = given.rate(partial(given.model.parse, cut), len(words))
    part = Columns.encode(given.held_out[:300])
    for beam in (1, 2, 4, 8, 16, 32, 64):
        beams[beam] = given.rate(partial(given.model.parse, part, beam=beam), len(part.heads))
    few = given.trees[:500]
    for count in (1, 10, 100, 1000):
        trees = [
            tree.reattach(tree.heads, [f"{word * 7919 % count}" for word in range(number, number + len(tree))])
            for number, tree in enumerate(few)
        ]
        model = Parser.train(trees, system=SYSTEM, epochs=1).model
        assert isinstance(model, Model)
        labels[count] = given.rate(partial(model.parse, part), len(part.heads))
    return [
        curve("Parsing by length", "words a sentence", "words/s", lengths),
        curve("Parsing by beam", "beam", "words/s", beams),
        curve("Parsing by labels", "labels", "words/s", labels),
    ]


def start(given: Setting) -> list[Table]:
    """Start-up and size.

    Processes that do next to nothing, by the time of the processor, less that of Python itself; and models in files.
    """
    bytecode, source = str(given.temporary / "bytecode"), given.temporary / "one.conllu"
    source.write_text("1\tGo\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    command = ["deptrees", "parse", str(given.parser_file), str(source), "--output", f"{source}.parsed"]
    statements = {
        "deptrees, parsing a word": f"import sys; from deptrees.__main__ import main; sys.argv = {command}; main()",
        "import deptrees.parser": "import deptrees.parser",
        "import deptrees": "import deptrees; deptrees.DependencyTree",
    }
    if HAS_UDPIPE:
        argv = ["", str(given.udpipe_file), str(source), f"{source}.parsed"]
        statements["UDPipe, parsing a word"] = f"import sys; sys.argv = {argv}; exec({file_to_file.UDPIPE!r})"
    if importlib.util.find_spec("spacy"):
        statements["spaCy, imported"] = "import spacy"
    repetitions = 3 if given.light else 10
    nothing = milliseconds("pass", bytecode, repetitions)
    found = {name: milliseconds(each, bytecode, repetitions) - nothing for name, each in statements.items()}
    sizes = {f"parser, {len(given.trees):,} sentences": given.parser_file.stat().st_size / 1e6}
    if HAS_UDPIPE:
        sizes[f"all components of UDPipe, {UDPIPE_SENTENCES} sentences"] = given.udpipe_file.stat().st_size / 1e6
    return [
        compared("Start-up", "ms", found, less_is_better=True),
        compared("Size of models", "MB", sizes, less_is_better=True),
    ]


def architectures(given: Setting) -> list[Table]:
    """Other architectures.

    A graph-based parser with the architecture of Stanza and supar (Dozat & Manning 2017) beside our linear and BiLSTM
    parsers. It is not their program, but a small one, `benchmarks/graph_based.py`. Both networks have the same vectors
    of words and the same LSTMs, smaller than by default, and learn for 20 epochs. All three learn from the smallest
    treebank here, with gold tags and without pretrained vectors, in one thread. Accuracy is the mean of five seeds on
    the test data, with an interval of 95 % by Student's t; what is compared is the errors that are left.
    """
    if not importlib.util.find_spec("torch"):
        return []
    import graph_based

    name, (train, test) = next(iter(given.treebanks.items()))
    found = graph_based.compare([*train], [*test], SEEDS, epochs=1 if given.light else 20)
    return [
        errors(f"Heads (UAS), {name}", {kind: [scores.uas for scores in each.scores] for kind, each in found.items()}),
        errors(
            f"Heads and labels (LAS), {name}",
            {kind: [scores.las for scores in each.scores] for kind, each in found.items()},
        ),
        compared(
            f"Training time, {name}", "s", {kind: each.seconds for kind, each in found.items()}, less_is_better=True
        ),
        compared(f"Parsing, {name}", "words/s", {kind: each.speed for kind, each in found.items()}),
    ]


def errors(title: str, found: dict[str, list[float]]) -> Table:
    """A table of shares, of which there is one for each seed, compared by what is missing to 100 %."""
    means = {kind: fmean(shares) for kind, shares in found.items()}
    ratios = compared(title, "", {kind: 1 - mean for kind, mean in means.items()}, less_is_better=True)
    columns = [
        Column("parser", found, "key"),
        Column("mean", means.values(), "share"),
        Column("±", map(interval, found.values()), "share"),
    ]
    return Table(title, [*columns, ratios.columns[-1]])


def interval(values: list[float]) -> float:
    """Half an interval of 95 % for the mean of one value for each seed."""
    return T_OF_FIVE * stdev(values) / sqrt(SEEDS)


def accuracy(given: Setting) -> list[Table]:
    """Accuracy.

    LAS of the greedy parser with default settings, from gold tags, on the test data of each treebank: the mean of five
    seeds, and an interval of 95 % for it by Student's t. How accurate UDPipe is, trained in full, is
    [measured](measurements/raw-text.md#from-gold-tokens-and-from-raw-text) elsewhere.
    """
    found = {}
    for name, (train, test) in [*given.treebanks.items()][: 1 if given.light else None]:
        scores, _ = with_seeds(Columns.encode(train), list(test), SEEDS)
        found[name] = [each.las for each in scores]
    columns = [
        Column("treebank", found, "key"),
        Column("LAS", map(fmean, found.values()), "share"),
        Column("±", map(interval, found.values()), "share"),
    ]
    return [Table("Accuracy", columns)]


SECTIONS = (machine, oracles, training, parsing, text, files, growth, start, architectures, accuracy)
