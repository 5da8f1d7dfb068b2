"""Packages that only parts of the library need, which are installed as extras."""

from __future__ import annotations

from importlib.util import find_spec

__all__ = ["require"]


def require(package: str, need: str, extra: str) -> None:
    """Make sure that a package is installed.

    Raises:
        ModuleNotFoundError: it is not; the message says what needs it, and how to install the extra.

    >>> require("nothing", "a picture of nothing needs it", "all")
    Traceback (most recent call last):
    ModuleNotFoundError: a picture of nothing needs it: run pip install '.[all]' in the folder of the source code
    """
    if find_spec(package) is None:
        message = f"{need}: run pip install '.[{extra}]' in the folder of the source code"
        raise ModuleNotFoundError(message, name=package)
