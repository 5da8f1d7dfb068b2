"""A stream without end through ``deptrees parse``: whether memory stays as it is, and speed and output the same.

A treebank is written to the standard input of one process again and again. Every round must give the same output to
the last byte. Each minute tells the words so far, the memory of the process, its processor time, and the words of a
processor second in that minute: other processes on the same machine matter little to these. Linux tells the numbers.

    python benchmarks/soak.py model train.conllu --minutes 60
"""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import IO, NamedTuple

from measuring import arguments

from deptrees import Treebank


class Moment(NamedTuple):
    """What one process has done, and takes."""

    seconds: float
    words: int
    megabytes: float
    processor_seconds: float


def moment(process: int, begin: float, words: int) -> Moment:
    """The numbers of now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    used = (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return Moment(time.monotonic() - begin, words, pages * os.sysconf("SC_PAGE_SIZE") / 2**20, used)


def feed(stream: IO[bytes], text: bytes, enough: Event) -> None:
    """Write the text again and again, until it is enough."""
    with stream:
        while not enough.is_set():
            stream.write(text)


def rounds(lines: Iterable[bytes], lengths: list[int]) -> Iterator[tuple[int, str | None]]:
    """How many words there were after each sentence, and at the end of each round the checksum of its output."""
    lines, words = iter(lines), 0
    while True:
        checksum = hashlib.sha256()
        for number, length in enumerate(lengths, 1):
            for line in lines:
                checksum.update(line)
                if line == b"\n":
                    break
            else:
                return
            words += length
            yield words, checksum.hexdigest() if number == len(lengths) else None


def soak(model: str, treebank: str, minutes: int) -> tuple[list[Moment], int]:
    """The moments after each minute, and the number of rounds.

    Raises:
        SystemExit: the rounds differ, or the process failed.
    """
    lengths = list(map(len, Treebank(treebank)))
    command = [sys.executable, "-m", "deptrees", "parse", model, "-", "--threads", "1"]
    begin, enough, checksums = time.monotonic(), Event(), list[str]()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        Thread(target=feed, args=(process.stdin, Path(treebank).read_bytes(), enough)).start()
        moments = [Moment(0, 0, 0, 0)]
        for words, checksum in rounds(process.stdout, lengths):
            if not enough.is_set() and time.monotonic() - begin >= 60 * len(moments):
                moments.append(moment(process.pid, begin, words))
                report(*moments[-2:])
                if len(moments) > minutes:
                    enough.set()
            if checksum:
                checksums.append(checksum)
    if process.returncode or len(set(checksums)) != 1:
        sys.exit(f"exit code {process.returncode}, {len(set(checksums))} different outputs in {len(checksums)} rounds")
    return moments, len(checksums)


def speed(before: Moment, after: Moment) -> float:
    """The words of a processor second between two moments."""
    return (after.words - before.words) / (after.processor_seconds - before.processor_seconds)


def report(before: Moment, after: Moment) -> None:
    """One line."""
    print(
        f"{after.seconds:6.0f} s  {after.words:13,} words  {after.megabytes:7.1f} MB"
        f"  {after.processor_seconds:8.1f} processor seconds  {speed(before, after):8,.0f} words in each",
        flush=True,
    )


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("model")
    parser.add_argument("treebank")
    parser.add_argument("--minutes", type=int, default=60)
    given = parser.parse_args()
    found, number = soak(given.model, given.treebank, given.minutes)
    speeds = list(map(speed, found, found[1:]))
    memory = [each.megabytes for each in found[1:]]
    print(f"{number} rounds with the same output, {found[-1].words:,} words in {found[-1].seconds:,.0f} s")
    print(f"memory: least {min(memory):.1f} MB, greatest {max(memory):.1f} MB")
    print(f"words in a processor second: first minute {speeds[0]:,.0f}, median {median(speeds):,.0f},", end=" ")
    print(f"last {speeds[-1]:,.0f}")
