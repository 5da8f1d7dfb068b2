"""Files parsed by worker processes: words/s by the clock, what a file costs besides its words, and memory.

The rates are those of the command, start-up included, with one worker and with two in turns, the best of some rounds.
What a file costs is the difference between many files of a sentence and one file of all of them, in one process. Memory
is that of a worker after its last file (Linux): what it has mapped, its part of what it shares, and what is its own.

    python benchmarks/workers.py path/to/en_ewt-train.conllu path/to/en_ewt-test.conllu
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import arguments

from deptrees import Parser, Treebank
from deptrees.distributed import LoadedModel, Workers, parse_file, parse_files

ROUNDS = 3
SMALL = 300
SHOWN = ("Rss", "Pss", "Private_Clean", "Private_Dirty")


def seconds(*options: object) -> float:
    """How long the command takes, by the clock."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "deptrees", "parse", *map(str, options)], check=True)
    return time.perf_counter() - began


def fresh(folder: Path) -> Path:
    """The folder, made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def memory(model: LoadedModel, pair: tuple[Path, Path]) -> dict[str, float]:
    """Parse a file, and tell what memory the process has, in MiB."""
    parse_file(model, *pair)
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    found = {name: int(rest.split()[0]) / 1024 for name, _, rest in (line.partition(":") for line in lines)}
    return {name: found[name] for name in SHOWN}


def report_rates(model: Path, files: list[Path], words: int, folder: Path) -> None:
    """Print words/s with one worker and with two."""
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for workers, found in times.items():
            found.append(seconds(model, *files, "--workers", workers, "-o", fresh(folder)))
    for workers, found in times.items():
        print(f"{workers} workers: {words / min(found):,.0f} words/s by the clock, {words:,} words", flush=True)
    print(f"when all is there: {seconds(model, *files, '--workers', 1, '-o', folder):.2f} s", flush=True)


def report_overhead(model: LoadedModel, test: Path, folder: Path) -> None:
    """Print what a file costs besides its words."""
    text = test.read_bytes().split(b"\n\n", SMALL)[:SMALL]
    small = [folder / f"{number}.conllu" for number in range(SMALL)]
    for path, sentence in zip(small, text, strict=True):
        path.write_bytes(sentence + b"\n\n")
    (folder / "all").write_bytes(b"\n\n".join(text) + b"\n\n")
    times = []
    for sources in (small, [folder / "all"]):
        target = fresh(folder / "target")
        began = time.perf_counter()
        assert len([*parse_files(model, sources, target)]) == len(sources)
        times.append(time.perf_counter() - began)
    print(f"a file: {1000 * (times[0] - times[1]) / (SMALL - 1):.2f} ms", flush=True)


def measure(train: Path, test: Path, count: int, copies: int, folder: Path) -> None:
    """Train, make files, and report."""
    Parser.train(Treebank(train), epochs=2).save(folder / "model")
    files = [folder / f"large{number}.conllu" for number in range(count)]
    for path in files:
        path.write_bytes(test.read_bytes() * copies)
    report_rates(folder / "model", files, count * copies * sum(map(len, Treebank(test))), folder / "parsed")
    model = LoadedModel.load(folder / "model")
    report_overhead(model, test, folder)
    pairs = [(path, folder / "parsed" / f"{path.name}.again") for path in files]
    for found in Workers(2)(memory, model, pairs):
        last = found
    assert isinstance(last, dict), last
    print(", ".join(f"{name} {size:.0f} MiB" for name, size in last.items()))


if __name__ == "__main__":
    options = arguments(__doc__)
    options.add_argument("train", type=Path)
    options.add_argument("test", type=Path)
    options.add_argument("--files", type=int, default=8)
    options.add_argument("--copies", type=int, default=8, help="how often the test data are in each file")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as path:
        measure(given.train, given.test, given.files, given.copies, Path(path))
