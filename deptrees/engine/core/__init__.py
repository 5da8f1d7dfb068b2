"""The compiled part of the engine, or one line that says what to do where it is not installed.

It is looked for when something of it is asked for, so that all that does without it runs without it. The tagger's part
is the module ``core.tagging``; all other names are those of ``compiled.pyx``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["EngineError", "EngineNotInstalled"]


class EngineError(ValueError):
    """The engine cannot run a system or templates; the functional layer runs them all the same."""


class EngineNotInstalled(ImportError):
    """There was no C compiler when deptrees was installed: what needs the engine cannot run."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # what Python asks of any module
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    is_tagging = name == "tagging"
    try:
        compiled = import_module(f"{__name__}.{'tagging' if is_tagging else 'compiled'}")
    except ImportError as error:
        message = "the compiled engine is not installed: install a C compiler, and then deptrees again"
        raise EngineNotInstalled(f"{message} ({error})") from error
    globals()[name] = found = compiled if is_tagging else getattr(compiled, name)  # so that it is looked for once
    return found
