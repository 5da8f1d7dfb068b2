"""Speed from file to file: the command ``deptrees parse``, the same by way of trees, and UDPipe.

Each is run in a process of its own, start-up included, one after the other in rounds, so that all find the machine
equally busy. Rates are those of the best round, by the time of the processor and by the clock. How accurate the models
are makes no difference here, so they are trained for a short time. `pip install ufal.udpipe` for UDPipe.

    python benchmarks/file_to_file.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu
"""

import importlib.util
import os
import sys
import tempfile
import time
from pathlib import Path

import attrs
from measuring import arguments

from deptrees import Parser, Treebank

BY_TREES = """
import sys
from deptrees import Parser, Treebank, write_treebank
write_treebank(sys.argv[3], Parser.load(sys.argv[1]).parse(Treebank(sys.argv[2])))
"""
UDPIPE = """
import sys
from pathlib import Path
from ufal import udpipe
model, reader = udpipe.Model.load(sys.argv[1]), udpipe.InputFormat.newConlluInputFormat()
reader.setText(Path(sys.argv[2]).read_text(encoding="utf-8"))
writer = udpipe.OutputFormat.newConlluOutputFormat()
with open(sys.argv[3], "w", encoding="utf-8") as file:
    while reader.nextSentence(sentence := udpipe.Sentence()):
        model.parse(sentence, "")
        file.write(writer.writeSentence(sentence))
"""
UDPIPE_OPTIONS = "iterations=1;transition_system=projective;transition_oracle=dynamic"
ROUNDS = 3


@attrs.frozen
class Run:
    """What a process took: seconds by the clock and of the processor, and memory in MiB."""

    clock: float
    processor: float
    memory: float


def run(*arguments: object) -> Run:
    """Run Python in a process of its own."""
    began = time.perf_counter()
    process = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, *map(str, arguments)])
    _, status, used = os.wait4(process, 0)
    assert status == 0
    return Run(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def trained_udpipe(train: Path, sentences: int, target: Path) -> None:
    """A model of UDPipe with its default sizes, trained on some sentences."""
    from ufal import udpipe

    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(train.read_text(encoding="utf-8"))
    found = [udpipe.Sentence() for _ in range(sentences)]
    assert all(map(reader.nextSentence, found))
    model = udpipe.Trainer.train("morphodita_parsito", found, [], "none", "none", UDPIPE_OPTIONS)
    target.write_bytes(bytes(model))


def compare(train: Path, test: Path, copies: int, epochs: int, folder: Path) -> None:
    """Train, and let all parse: ours a large file, the slow ones the test data as they are."""
    words = sum(map(len, Treebank(test)))
    model, large, parsed = folder / "model", folder / "large.conllu", folder / "parsed.conllu"
    Parser.train(Treebank(train), epochs=epochs).save(model)
    large.write_bytes(test.read_bytes() * copies)
    command = ["-m", "deptrees", "parse", model, large, "-o", parsed]
    works = {
        "deptrees parse": (command, words * copies),
        "deptrees parse --threads 2": ([*command, "--threads", 2], words * copies),
        "deptrees, by way of trees": (["-c", BY_TREES, model, large, parsed], words * copies),
    }
    if importlib.util.find_spec("ufal"):
        trained_udpipe(train, 500, folder / "udpipe")
        works["UDPipe"] = (["-c", UDPIPE, folder / "udpipe", test, parsed], words)
    rounds = [{name: run(*arguments) for name, (arguments, _) in works.items()} for _ in range(ROUNDS)]
    print(f"{words * copies:,} words; UDPipe {words:,}")
    for name, (_, count) in works.items():
        runs = [found[name] for found in rounds]
        clock, processor = min(each.clock for each in runs), min(each.processor for each in runs)
        print(
            f"{name:28} {count / processor:10,.0f} words/s of the processor {count / clock:10,.0f} by the clock "
            f"{max(each.memory for each in runs):6,.0f} MiB",
            flush=True,
        )


if __name__ == "__main__":
    options = arguments(__doc__)
    options.add_argument("train", type=Path)
    options.add_argument("test", type=Path)
    options.add_argument("--copies", type=int, default=40, help="how often the test data are in the large file")
    options.add_argument("--epochs", type=int, default=2)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as path:
        compare(given.train, given.test, given.copies, given.epochs, Path(path))
