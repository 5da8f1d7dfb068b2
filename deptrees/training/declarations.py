"""The language in which options are declared, and what is made of declarations."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from functools import wraps
from numbers import Real
from typing import Any, Concatenate, ParamSpec, SupportsIndex, TypeVar

import attrs

from deptrees.messages import of_type, quoted
from deptrees.training.inputs import whole_number

__all__ = [
    "FLAG",
    "FUNCTION",
    "Check",
    "Declaration",
    "Kind",
    "Need",
    "OneOf",
    "Share",
    "Whole",
    "declarations",
    "declared",
    "option",
    "takes",
]

_Value = TypeVar("_Value")


@attrs.frozen
class Whole:
    """A whole number in a range; ``most`` is ``None`` for any size."""

    least: int
    most: int | None = None

    def __call__(self, name: str, value: SupportsIndex) -> int:
        return whole_number(name, value, self.least, self.most)


@attrs.frozen
class Share:
    """A number above 0 and at most 1."""

    def __call__(self, name: str, value: float) -> float:
        of_type(name, value, Real, "a number")
        if not 0 < value <= 1:
            raise ValueError(f"{name} is a share, more than 0 and at most 1, not {value}")
        return float(value)


@attrs.frozen
class Kind:
    """A value of a type; ``what`` is the type in words."""

    kind: Any
    what: str

    def __call__(self, name: str, value: _Value) -> _Value:
        of_type(name, value, self.kind, self.what)
        return value


@attrs.frozen
class OneOf:
    """One of some names, or a value of another type."""

    names: tuple[str, ...]
    other: type | tuple[type, ...] = ()

    def __call__(self, name: str, value: _Value) -> _Value:
        if not isinstance(value, self.other) and value not in self.names:
            raise ValueError(f"there is no {name} {quoted(value)}: choose one of {', '.join(self.names)}")
        return value


FLAG = Kind(bool, "True or False")
FUNCTION = Kind(Callable, "a function")


Check = Callable[[str, Any], object]
"""Returns a value of an option, which it is given with the name, as it can be saved, or raises an error."""


@attrs.frozen
class Need:
    """What an option needs in order to mean something, and what the error says after "means nothing" without it."""

    is_met: Callable[[Any], bool]
    otherwise: Callable[[Any], str]


@attrs.frozen
class Declaration:
    """What is declared of an option besides its name, its type and its default.

    Args:
        meaning: what it means, in a line or two: for the documentation and the command line.
        check: returns a value as it can be saved, such as Python's number for one of NumPy's, and raises an error that
            names the option if it is wrong; ``None`` is right where it is the default.
        needs: what it needs in order to mean something.
        stored: its type in model files; ``None`` if they do not record it.
        in_pipeline: the default for linear parsers in `deptrees.train_pipeline`, if it is another one.
    """

    meaning: str
    check: Check = lambda name, value: value
    needs: tuple[Need, ...] = ()
    stored: Any = None
    in_pipeline: object = None


def declared(*declaration: Any, **more: Any) -> dict[str, Declaration]:
    """The metadata of a field that is an option: a `Declaration`."""
    return {"option": Declaration(*declaration, **more)}


def option(default: object, *declaration: Any, converter: Callable[[Any], object] | None = None, **more: Any) -> Any:
    """A field that is an option: its default, and its `Declaration`."""
    return attrs.field(default=default, converter=converter, metadata=declared(*declaration, **more))


def declarations(kind: type) -> Mapping[str, tuple[attrs.Attribute[Any], Declaration]]:
    """The options of a kind of training, each with its field, those of any training first.

    >>> from deptrees.training.options import LinearOptions, Options
    >>> [*declarations(Options)]
    ['epochs', 'seed', 'seeds', 'dev', 'checkpoint', 'on_epoch']
    >>> field, declared = declarations(LinearOptions)["restart"]
    >>> field.default, declared.meaning
    (True, 'Continue after an update to the end of the sentence (Aufrant, Wisniewski & Yvon 2017).')
    """
    fields = attrs.fields_dict(kind)
    names = dict.fromkeys(name for base in reversed(kind.__mro__) for name in inspect.get_annotations(base))
    return {name: (fields[name], fields[name].metadata["option"]) for name in names if name in fields}


_PLACE = re.compile(r"^( *)options: .*\n", re.MULTILINE)
"""The line of a docstring in whose place each option is documented."""

_Options = ParamSpec("_Options")
_Class = TypeVar("_Class")
_Treebank = TypeVar("_Treebank")
_Given = TypeVar("_Given")
_Result = TypeVar("_Result")


def takes(
    kind: Callable[_Options, _Given],
) -> Callable[
    [Callable[[type[_Class], _Treebank, _Given], _Result]],
    Callable[Concatenate[type[_Class], _Treebank, _Options], _Result],
]:
    """Have a class method that takes options as one object take them as keywords, and document them.

    The class of the options is then its attribute ``options``.
    """

    def decorate(
        train: Callable[[type[_Class], _Treebank, _Given], _Result],
    ) -> Callable[Concatenate[type[_Class], _Treebank, _Options], _Result]:
        options: Any = kind

        @wraps(train)
        def takes_keywords(
            cls: type[_Class], treebank: _Treebank, *_: _Options.args, **given: _Options.kwargs
        ) -> _Result:
            if _:
                raise TypeError(f"{quoted(_[0])} has no name: what comes after the treebank does, as in system=...")
            return train(cls, treebank, options.chosen(**given))

        first = [*inspect.signature(train).parameters.values()][:2]
        keywords = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
            for name, (field, _) in declarations(options).items()
        ]
        found: Any = takes_keywords
        found.options = kind
        found.__signature__ = inspect.Signature([*first, *keywords])
        if train.__doc__:  # which Python leaves out if it is told to
            found.__doc__ = _PLACE.sub(lambda place: _documented(options, place[1]), train.__doc__)
        return found  # type: ignore[no-any-return]

    return decorate


def _documented(kind: type, indent: str) -> str:
    """What a docstring says of the options."""
    lines = []
    for name, (_, declared) in declarations(kind).items():
        text = f"{name}: {declared.meaning[0].lower()}{declared.meaning[1:]}"
        lines.append(textwrap.fill(text, 120, initial_indent=indent, subsequent_indent=f"{indent}    "))
    return "\n".join(lines) + "\n"
