"""The options of training on the command line, made of their declarations."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Annotated, Any, Literal

import typer

from deptrees.cli.options import ConstraintsName
from deptrees.features import Templates, ready_made
from deptrees.training.declarations import FLAG, OneOf, Share, Whole, declarations
from deptrees.training.options import LinearOptions
from deptrees.transition.oracles import BY_NAME

__all__ = ["defaults", "with_options"]

_LITERAL: Any = Literal
_TYPES: dict[str, Any] = {
    **dict.fromkeys(("dev", "checkpoint", "system", "exploration", "templates", "start"), str),
    "oracle": _LITERAL[tuple(BY_NAME)],
    "constraints": ConstraintsName,
}
"""The types of options whose checks do not say what they are on the command line."""
_MORE_HELP = {
    "dev": "A file.",
    "system": "By default arc-eager, with --neural arc-hybrid, or that of --start.",
    "exploration": "Such as 0.9 or 0,0.3,0.6.",
    "templates": f"One of {', '.join(ready_made.__all__)}; or a file with your own.",
    "constraints": "Every given HEAD and DEPREL, or each HEAD with a 1 in column 9.",
    "start": "Its system is taken.",
    "seeds": "With --neural, the networks whose scores are averaged, with which parsing takes longer, too.",
}
"""What the command says of an option besides its meaning."""
_NAMES = {"joint": "joint-labels"}


def _said(name: str, value: object) -> str:
    """A value as the command line has it."""
    return f"--{'' if value else 'no-'}{_NAMES.get(name, name)}" if isinstance(value, bool) else str(value)


def _form(name: str, check: object) -> tuple[Any, dict[str, Any]]:
    """The type of an option on the command line, and its range; no type for what cannot be said there: functions."""
    if check is FLAG:
        return bool, {}
    if isinstance(check, Whole):
        return int, {"min": check.least, "max": check.most}
    if isinstance(check, Share):
        return float, {"min": 0, "max": 1}
    return _LITERAL[check.names] if isinstance(check, OneOf) else _TYPES.get(name), {}


def defaults(pipeline: bool) -> dict[str, Any]:
    """What options are if they are not given, as the command line says it; of those that it can say."""
    found: dict[str, Any] = {}
    for name, (field, declared) in declarations(LinearOptions).items():
        value = field.default if declared.in_pipeline is None or not pipeline else declared.in_pipeline
        if isinstance(value, Templates):
            found[name] = next(said for said in ready_made.__all__ if getattr(ready_made, said) == value)
        elif isinstance(value, int | float | str):
            found[name] = value
    return found


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command ``train`` with options of training in the place of its ``**options``."""
    alone, in_pipeline = defaults(False), defaults(True)
    made = []
    for name, (_, declared) in declarations(LinearOptions).items():
        kind, limits = _form(name, declared.check)
        if kind is None:
            continue
        sentences = [declared.meaning, _MORE_HELP.get(name, "")]
        first, other = (_said(name, found[name]) if name in found else "" for found in (alone, in_pipeline))
        if other:
            with_pipeline = f"with --pipeline {other}" if other != first else ""
            sentences.append(f"Default: {', '.join(filter(None, [first, with_pipeline]))}.")
        spelled = ["/".join(_said(name, value) for value in (True, False))] if kind is bool else []
        option = typer.Option(*spelled, help=" ".join(filter(None, sentences)), show_default=False, **limits)
        annotation = Annotated[kind | None, option]  # type: ignore[valid-type]
        made.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
    own = [*inspect.signature(command).parameters.values()][:-1]
    needed = [it for it in own if it.default is inspect.Parameter.empty]
    others = [it.replace(kind=inspect.Parameter.KEYWORD_ONLY) for it in own if it not in needed]
    taking: Any = partial(command)
    taking.__signature__ = inspect.Signature([*needed, *made, *others])
    return update_wrapper(taking, command)
