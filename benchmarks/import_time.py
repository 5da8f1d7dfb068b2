"""Time to import deptrees, beside that of numpy, which it does not import.

Each is imported in ten fresh interpreters; the time of an interpreter that imports nothing is taken off, and the
median counts.

    python benchmarks/import_time.py
"""

import statistics
import subprocess
import sys
import time

AIM = 150.0  # milliseconds


def milliseconds(statement: str) -> float:
    """The time of a fresh interpreter that runs one statement."""
    times = []
    for _ in range(10):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


if __name__ == "__main__":
    nothing = milliseconds("pass")
    for statement in ("import deptrees", "import deptrees, deptrees.transition", "import numpy"):
        time_taken = milliseconds(statement) - nothing
        print(f"{statement:40} {time_taken:6.0f} ms    aim / time {AIM / time_taken:.2f}")
