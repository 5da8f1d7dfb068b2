"""What the scripts that train on several treebanks share: their arguments, and how means are shown."""

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, stdev


def mean_and_deviation(values: list[float]) -> str:
    """Both in per cent."""
    return f"{100 * fmean(values):6.2f} ± {100 * stdev(values) if len(values) > 1 else 0:4.2f}"


def run(description: str | None, report: Callable[[Path, str, argparse.Namespace], None], **more: int) -> None:
    """Report on each treebank that is named on the command line.

    Args:
        description: what the script does.
        report: is given the folder, the name of a treebank, and the other arguments.
        more: numbers that may be given besides ``seeds`` and ``epochs``, with what they are otherwise.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", nargs="+")
    for name, default in {"seeds": 5, "epochs": 10, **more}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    for treebank in given.treebanks:
        report(given.folder, treebank, given)
