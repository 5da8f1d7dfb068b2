"""``python -m deptrees``, and the command ``deptrees``."""

import gc
import os
import signal
import sys

from deptrees.extras import require


def main() -> None:
    """Run the command line, or say what to install for it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # while modules are loaded there is nothing to clean up
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else NumPy starts one for each processor, for no work of ours
    gc.set_threshold(200_000)  # modules and commands make many objects and next to no garbage
    try:
        for package in ("rich", "typer"):
            require(package, "the command line needs two more packages", "cli")
    except ModuleNotFoundError as error:
        sys.exit(str(error))
    from deptrees.cli.process import run

    try:
        run()
    finally:
        gc.freeze()  # all that is left, which Python would look through once more as it ends


if __name__ == "__main__":
    main()
