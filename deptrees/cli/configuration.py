"""Options from a file, and the file that repeats a run."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

__all__ = ["Config", "PrintConfig", "configuration", "content_of"]

_MOST_BYTES = 1 << 20
_NOT_OF_A_RUN = ("config", "print_config", "help")


def _read(context: typer.Context, path: str | None) -> str | None:
    """Take what a file says for the options that are not given."""
    if path is not None:
        found, names = _toml_in(path), dict(_options(context))
        if unknown := sorted(found.keys() - names.keys()):
            raise typer.BadParameter(f"{path} has {unknown[0]!r}, which is not one of {', '.join(names)}")
        context.default_map = {names[name]: value for name, value in found.items()}
    return path


def _toml_in(path: str) -> dict[str, object]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(content_of(path, "TOML"))
    except ValueError as error:
        raise typer.BadParameter(f"{path} is not TOML: {error}") from None


def content_of(path: str, kind: str, **more: Any) -> str:
    """The text of a small file of some kind; ``BadParameter``, of which ``more`` is known, if it cannot be that."""
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise typer.BadParameter(f"{path} is not {kind}: it has more than {_MOST_BYTES:,} bytes", **more)
        return content.decode()
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}", **more) from None
    except UnicodeDecodeError as error:
        raise typer.BadParameter(f"{path} is not {kind}: {error}", **more) from None


Config = Annotated[
    str | None,
    typer.Option(help="A TOML file with options; those on the command line come first.", callback=_read, is_eager=True),
]
PrintConfig = Annotated[
    bool, typer.Option("--print-config", help="Print such a file with all options as they are, and exit.")
]


def configuration(context: typer.Context, defaults: Mapping[str, object]) -> str:
    """The file that repeats a run: a line of TOML for each option that has a value, or else a default."""
    given = {name: value for name, value in context.params.items() if value is not None}
    values = {name: given.get(parameter, defaults.get(parameter)) for name, parameter in _options(context)}
    return "".join(f"{name} = {_toml(value)}\n" for name, value in values.items() if value is not None)


def _toml(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # which is TOML, but for this character
    try:
        text.encode()
    except UnicodeEncodeError:
        reason = f"{text!a} is not UTF-8, as TOML is: rename the file"
        raise typer.BadParameter(reason, param_hint="'--print-config'") from None
    return text


def _options(context: typer.Context) -> Iterator[tuple[str, str]]:
    """What the options and arguments of a command are called, in files and in the code."""
    for parameter in context.command.params:
        if parameter.name and parameter.name not in _NOT_OF_A_RUN:
            yield parameter.opts[0].removeprefix("--"), parameter.name
