"""``python -m deptrees``, and the command ``deptrees``."""

import gc
import os
import signal
import sys

_LOAD = "/proc/loadavg"
"""Where Linux tells how many threads run."""


def main() -> None:
    """Run the command line, or say what to install for it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # while modules are loaded there is nothing to clean up
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else NumPy starts one for each processor, for no work of ours
    _share_processors()
    gc.set_threshold(200_000)  # modules and commands make many objects and next to no garbage
    try:
        from deptrees.cli.process import run
    except ModuleNotFoundError as error:
        if error.name not in ("rich", "typer"):
            raise
        sys.exit("the command line needs two more packages: pip install 'deptrees[cli]'")
    try:
        run()
    finally:
        gc.freeze()  # all that is left, which Python would look through once more as it ends


def _share_processors() -> None:
    """Have PyTorch's threads sleep while they wait if others work: else they keep processors busy for nothing."""
    if "OMP_WAIT_POLICY" not in os.environ and _others_work():
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
        os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # but some microseconds awake are no loss


def _others_work() -> bool:
    """Whether others have work for a quarter of the processors at this moment; where nobody tells, they might."""
    try:
        with open(_LOAD, encoding="ascii") as file:
            running, _, _ = file.read().split()[3].partition("/")
        return 4 * (int(running) - 1) >= (os.cpu_count() or 1)
    except (IndexError, OSError, ValueError):
        return True


if __name__ == "__main__":
    main()
