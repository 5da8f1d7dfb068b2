"""From raw text and from gold tokens to trees, against UDPipe: the scores of Universal Dependencies, and the speed.

All components of each program are trained on the same file, and choose what is best on the same development data.
The text is read as it is in the treebank and, as ``line``, without line ends: blank lines tell where sentences end.
UDPipe has its default settings, and takes a quarter of an hour for each 20,000 words; with ``--models`` its models, and
ours, are kept in a folder, and taken from there the next time. The program ``neural`` has a neural parser in place of
the linear one. `pip install ufal.udpipe udtools`.

    python benchmarks/raw_text.py path/to/treebanks en_ewt fr_partut hu_szeged tr_imst --models path/to/models
"""

import argparse
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from measuring import Timer, arguments

from deptrees import Treebank, load_parser, train_pipeline
from deptrees.evaluation import evaluate_ud
from deptrees.treebanks.raw_text import in_one_line, raw_text

METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")
INPUTS = ("text", "line", "tokens")

Program = Callable[[str, Path, Path], object]
"""Parses a file of raw text or of tokens into another file."""


def neural_settings() -> dict[str, Any]:
    """With what a neural parser is trained."""
    from deptrees.torch import BiLSTM, Learning, NeuralParser, Words

    encoder, learning = BiLSTM(Words(dropout=0.15)), Learning(mixed_precision=True)
    return {"kind": NeuralParser, "epochs": 24, "beam": 4, "encoder": encoder, "learning": learning}


def deptrees(
    train: Path, dev: Path, kept: Path, timer: Timer, settings: Callable[[], dict[str, Any]] = dict[str, Any]
) -> Program:
    """Our program."""
    if not kept.exists():
        made = []
        seconds = timer.time(
            "training",
            lambda: made.append(train_pipeline(Treebank(train), dev=Treebank(dev), **settings())),
            repetitions=1,
        )
        print(f"{kept.suffix[1:]}: trained in {float(seconds.mean()):.0f} s", flush=True)
        made[0].save(kept)
    parser = load_parser(kept)

    def run(kind: str, source: Path, target: Path) -> None:
        tokenizer = None if kind == "tokens" else parser.tokenizer
        parser.parse_file(Treebank(source, tokenizer=tokenizer), target)

    return run


def udpipe(train: Path, dev: Path, kept: Path, timer: Timer) -> Program:
    """UDPipe."""
    from against_udpipe import read
    from ufal.udpipe import Model, Pipeline, Trainer

    if not kept.exists():
        sentences, held_out = (list(read(path.read_text(encoding="utf-8"))) for path in (train, dev))

        def learn() -> None:
            kept.write_bytes(bytes(Trainer.train("morphodita_parsito", sentences, held_out, "", "", "")))

        seconds = timer.time("training", learn, repetitions=1)
        print(f"UDPipe: trained in {float(seconds.mean()):.0f} s", flush=True)
    model = Model.load(str(kept))

    def run(kind: str, source: Path, target: Path) -> None:
        divided = "conllu" if kind == "tokens" else "tokenize"
        pipeline = Pipeline(model, divided, Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
        target.write_text(pipeline.process(source.read_text(encoding="utf-8")), encoding="utf-8")

    return run


PROGRAMS: Mapping[str, Callable[[Path, Path, Path, Timer], Program]] = {
    "deptrees": deptrees,
    "neural": partial(deptrees, settings=neural_settings),
    "UDPipe": udpipe,
}


def report(name: str, given: argparse.Namespace, kept: Path, folder: Path) -> None:
    """Train programs on a treebank, and let all parse the same files: once for the scores, and copies for the time."""
    train, dev, test = (given.folder / f"{name}-{part}.conllu" for part in ("train", "dev", given.part))
    gold = list(Treebank(test))
    text = raw_text(gold).strip() + "\n\n"
    contents = {"text": text, "line": in_one_line(text), "tokens": test.read_text(encoding="utf-8")}
    timer, words = Timer(), sum(map(len, gold))
    copies = -(-given.words // words)
    programs = {
        program: PROGRAMS[program](train, dev, kept / f"{name}.{program.lower()}", timer) for program in given.programs
    }
    print(f"{name}-{given.part}, {words:,} words; F1 of {', '.join(METRICS)}; words/s of processor time")
    for kind in given.inputs:
        once, often, parsed = (folder / file for file in ("once", "often", "parsed.conllu"))
        once.write_text(contents[kind], encoding="utf-8", newline="")
        often.write_text(copies * contents[kind], encoding="utf-8", newline="")
        speeds = {}
        for program, run in programs.items():
            run(kind, once, parsed)
            scores = evaluate_ud(gold, Treebank(parsed))
            found = "  ".join(f"{100 * scores.row(metric)['f1']:6.2f}" for metric in METRICS)
            work = partial(run, kind, often, parsed)
            speeds[program] = timer.rate(program, work, copies * words, repetitions=given.repetitions)
            against = speeds.get("UDPipe") if program != "UDPipe" else None
            times = f"{speeds[program] / against:.1f} times UDPipe" if against else ""
            print(f"from {kind:6} {program:9} {found}  {speeds[program]:9,.0f} words/s  {times}", flush=True)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--part", choices=["dev", "test"], default="test")
    parser.add_argument("--inputs", nargs="+", choices=INPUTS, default=INPUTS)
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=("UDPipe", "deptrees"))
    parser.add_argument("--models", type=Path, help="keep the models in this folder, or take them from there")
    parser.add_argument("--words", type=int, default=50_000, help="the size of the text whose time is taken")
    parser.add_argument("--repetitions", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as path:
        for treebank in given.treebanks:
            report(treebank, given, given.models or Path(path), Path(path))
