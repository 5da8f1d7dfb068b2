"""Names on the command line."""

import argparse
from collections.abc import Callable, Iterable

__all__ = ["one_of"]


def one_of(known: Iterable[str]) -> Callable[[str], str]:
    """What argparse checks a name with, also where it takes any number of them, none included.

    >>> parser = argparse.ArgumentParser()
    >>> _ = parser.add_argument("seasons", nargs="*", type=one_of(["winter", "summer"]))
    >>> parser.parse_args([]).seasons, parser.parse_args(["winter"]).seasons
    ([], ['winter'])
    """
    names = [*known]

    def check(name: str) -> str:
        if name not in names:
            raise argparse.ArgumentTypeError(f"{name!r} is none of: {', '.join(names)}")
        return name

    return check
