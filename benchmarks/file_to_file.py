"""Speed from file to file: the command ``deptrees parse``, the same by way of trees, and UDPipe.

Each is run in a process of its own, start-up included, one after the other in rounds, so that all find the machine
equally busy. Rates are those of the best round, by the time of the processor and by the clock. How accurate the models
are makes no difference here, so they are trained for a short time. `pip install ufal.udpipe` for UDPipe.

    python benchmarks/file_to_file.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu
"""

import importlib.util
import subprocess
import sys
import tempfile
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
from ufal import udpipe
model, reader = udpipe.Model.load(sys.argv[1]), udpipe.InputFormat.newConlluInputFormat()
writer = udpipe.OutputFormat.newConlluOutputFormat()
def blocks(lines):
    block = []
    for line in lines:
        block.append(line)
        if line == "\\n" and len(block) > 10_000:
            yield "".join(block)
            block.clear()
    yield "".join(block)
with open(sys.argv[2], encoding="utf-8") as source, open(sys.argv[3], "w", encoding="utf-8") as target:
    for block in blocks(source):
        reader.setText(block)
        while reader.nextSentence(sentence := udpipe.Sentence()):
            model.parse(sentence, "")
            target.write(writer.writeSentence(sentence))
"""
UDPIPE_SENTENCES = 500
"""What UDPipe learns from: with fewer it parses faster than one that was trained in full."""
UDPIPE_OPTIONS = "iterations=1;transition_system=projective;transition_oracle=dynamic"
LAUNCH = """
import os, sys, time
began = time.perf_counter()
_, status, used = os.wait4(os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, *sys.argv[1:]]), 0)
print(status, time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""
ROUNDS = 3


@attrs.frozen
class Run:
    """What a process took: seconds by the clock and of the processor, and memory in MiB."""

    clock: float
    processor: float
    memory: float


def run(*arguments: object) -> Run:
    """Run Python in a process of its own."""
    # By way of a small process: the memory of the process that starts one counts as if it were its own.
    command = [sys.executable, "-S", "-c", LAUNCH, *map(str, arguments)]
    launched = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    status, *used = map(float, launched.stdout.splitlines()[-1].split())
    assert status == 0
    return Run(*used)


def train_udpipe(train: Path, target: Path) -> None:
    """Write a model of UDPipe with its default sizes, trained on some sentences."""
    from ufal import udpipe

    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(train.read_text(encoding="utf-8"))
    found = [udpipe.Sentence() for _ in range(UDPIPE_SENTENCES)]
    assert all(map(reader.nextSentence, found))
    model = udpipe.Trainer.train("morphodita_parsito", found, [], "none", "none", UDPIPE_OPTIONS)
    target.write_bytes(bytes(model))


@attrs.frozen
class Found:
    """What was measured: words a second of the processor and by the clock, and memory in MiB."""

    processor: float
    clock: float
    memory: float


def compare(model: Path, udpipe: Path | None, test: Path, copies: int, folder: Path) -> dict[str, Found]:
    """Let all parse the same large file: the test data, so many times over."""
    words = sum(map(len, Treebank(test)))
    large, parsed = folder / "large.conllu", folder / "parsed.conllu"
    large.write_bytes(test.read_bytes() * copies)
    command = ["-m", "deptrees", "parse", model, large, "-o", parsed]
    works: dict[str, list[object]] = {
        "deptrees parse": command,
        "deptrees parse --threads 2": [*command, "--threads", 2],
        "deptrees, by way of trees": ["-c", BY_TREES, model, large, parsed],
    }
    if udpipe:
        works["UDPipe"] = ["-c", UDPIPE, udpipe, large, parsed]
    rounds = [{name: run(*arguments) for name, arguments in works.items()} for _ in range(ROUNDS)]
    found = {}
    for name in works:
        runs = [each[name] for each in rounds]
        clock, processor = min(each.clock for each in runs), min(each.processor for each in runs)
        found[name] = Found(words * copies / processor, words * copies / clock, max(each.memory for each in runs))
    return found


if __name__ == "__main__":
    options = arguments(__doc__)
    options.add_argument("train", type=Path)
    options.add_argument("test", type=Path)
    options.add_argument("--copies", type=int, default=40, help="how often the test data are in the large file")
    options.add_argument("--epochs", type=int, default=2)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        model, udpipe = folder / "model", folder / "udpipe" if importlib.util.find_spec("ufal") else None
        Parser.train(Treebank(given.train), epochs=given.epochs).save(model)
        if udpipe:
            train_udpipe(given.train, udpipe)
        for name, rates in compare(model, udpipe, given.test, given.copies, folder).items():
            print(
                f"{name:28} {rates.processor:10,.0f} words/s of the processor {rates.clock:10,.0f} by the clock "
                f"{rates.memory:6,.0f} MiB"
            )
