"""Time to import deptrees and its parts, and what they depend on; and what commands take before they begin to work.

Each is imported in ten fresh interpreters, from bytecode, as after an installation; the time of an interpreter that
imports nothing is taken off, and the median counts. It is the time of the processor, so that other processes on the
same machine matter little. Commands are timed with their interpreter, by the clock, too, and training up to the first
sentence of its first epoch.

    python benchmarks/import_time.py path/to/en_ewt-train.conllu
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
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
FIRST_EPOCH = """
import os
import deptrees.cli.train as command

def check(output):
    from deptrees.engine.trainer import Trainer

    Trainer._learn = lambda *_: os._exit(0)

command.check_output = check
"""
"""Before the command: ends the process where training would learn from the first sentences."""
COMMAND = """
import sys
from deptrees.__main__ import main
sys.argv = ["deptrees", *{arguments}]
main()
"""
"""The program that is installed as ``deptrees``."""


def processor_time() -> float:
    """What the processes that have ended took, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def milliseconds(
    statement: str, bytecode: str, repetitions: int = 10, clock: Callable[[], float] = processor_time
) -> float:
    """The time of a fresh interpreter that runs some statements; the first run puts bytecode into a folder."""
    command = [sys.executable, "-c", statement]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode}

    def run() -> None:
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)

    run()
    return float(Timer().time("interpreter", run, repetitions=repetitions, clock=clock).median()) * 1e3


def tell(name: str, statement: str, bytecode: str) -> None:
    """What a command takes, of the processor and by the clock."""
    taken = [milliseconds(statement, bytecode, clock=clock) for clock in (processor_time, time.perf_counter)]
    print(f"{name:65} {taken[0]:6.0f} ms, by the clock {taken[1]:.0f} ms", flush=True)


if __name__ == "__main__":
    options = arguments(__doc__)
    options.add_argument("treebank", nargs="?")
    given = options.parse_args()
    with TemporaryDirectory() as bytecode:
        nothing = milliseconds("pass", bytecode)
        for each in STATEMENTS:
            print(f"{each:65} {milliseconds(each, bytecode) - nothing:6.0f} ms", flush=True)
        print(f"{'the limit of the second':65} {LIMIT:6} ms")
        tell("deptrees --help", COMMAND.format(arguments=["--help"]), bytecode)
        if given.treebank:
            training = COMMAND.format(arguments=["train", given.treebank, "--output", "model"])
            tell("deptrees train, up to its first epoch", FIRST_EPOCH + training, bytecode)
