"""Time to import deptrees and its parts, and what they depend on.

Each is imported in ten fresh interpreters, from bytecode, as after an installation; the time of an interpreter that
imports nothing is taken off, and the median counts. It is the time of the processor, so that other processes on the
same machine matter little.

    python benchmarks/import_time.py
"""

import os
import resource
import subprocess
import sys
from tempfile import TemporaryDirectory

from measuring import Timer, arguments

LIMIT = 100  # milliseconds, for trees, treebanks and their evaluation
STATEMENTS = (
    "import deptrees",
    "from deptrees import DependencyTree, Treebank, draw, evaluate",
    "import deptrees, deptrees.transition",
    "import deptrees, deptrees.parser",
    "import attrs",
    "import more_itertools",
    "import numpy",
)


def processor_time() -> float:
    """What the processes that have ended took, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def milliseconds(statement: str, bytecode: str, repetitions: int = 10) -> float:
    """The time of a fresh interpreter that runs one statement; the first run puts bytecode into a folder."""
    command = [sys.executable, "-c", statement]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode}

    def run() -> None:
        subprocess.run(command, check=True, env=environment)

    run()
    return float(Timer().time(statement, run, repetitions=repetitions, clock=processor_time).median()) * 1e3


if __name__ == "__main__":
    arguments(__doc__).parse_args()
    with TemporaryDirectory() as bytecode:
        nothing = milliseconds("pass", bytecode)
        for each in STATEMENTS:
            print(f"{each:65} {milliseconds(each, bytecode) - nothing:6.0f} ms", flush=True)
    print(f"{'the limit of the second':65} {LIMIT:6} ms")
