"""Time to import deptrees and its parts, and what they depend on.

Each is imported in ten fresh interpreters; the time of an interpreter that imports nothing is taken off, and the
median counts. It is the time of the processor, so that other processes on the same machine matter little.

    python benchmarks/import_time.py
"""

import resource
import subprocess
import sys

from measuring import Timer, arguments

LIMIT = 100  # milliseconds, for ``import deptrees``
STATEMENTS = (
    "import deptrees",
    "import deptrees, deptrees.transition",
    "import deptrees, deptrees.parser",
    "import attrs",
    "import conllu",
    "import more_itertools",
    "import numpy",
)


def processor_time() -> float:
    """What the processes that have ended took, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def milliseconds(statement: str) -> float:
    """The time of a fresh interpreter that runs one statement."""
    command = [sys.executable, "-c", statement]
    work = Timer().time(statement, lambda: subprocess.run(command, check=True), repetitions=10, clock=processor_time)
    return float(work.median()) * 1e3


if __name__ == "__main__":
    arguments(__doc__).parse_args()
    nothing = milliseconds("pass")
    for each in STATEMENTS:
        print(f"{each:40} {milliseconds(each) - nothing:6.0f} ms", flush=True)
    print(f"{'the limit of import deptrees':40} {LIMIT:6} ms")
