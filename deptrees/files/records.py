"""Records: attrs classes as JSON can say them and back, checked field by field.

A module with fields that JSON cannot say has a function that `registers_fields`: how these are written and read. The
converter is made, and cattrs loaded, when the first record is written or read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import count
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

import attrs
from more_itertools import nth

from deptrees.messages import quoted

if TYPE_CHECKING:
    from cattrs import Converter

__all__ = ["Record", "RecordError", "converter", "from_record", "registers_fields", "to_record"]

_T = TypeVar("_T")

Record = Mapping[str, Any]
"""What JSON says of an instance: its fields by their names."""

_Read = Callable[[Any, Any], Any]

_PLAIN: dict[type, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
"""The types that JSON has too, and what messages call them. A value of another type is not made one of these."""


_SHOWN = 10  # unknown fields that a message names at most


class RecordError(ValueError):
    """A record does not describe an instance of a class; the message names the fields and says what is wrong."""


_registrations: list[Callable[[Converter], None]] = []


def registers_fields(register: Callable[[Converter], None]) -> Callable[[Converter], None]:
    """Have a function register, with the converter, how to write and read fields that JSON cannot say."""
    _registrations.append(register)
    if converter.cache_info().currsize:  # it has been made
        register(converter())
    return register


@cache
def converter() -> Converter:
    """What writes and reads records."""
    from cattrs import Converter

    made = Converter(forbid_extra_keys=True)
    for register in _registrations:
        register(made)
    return made


@registers_fields
def _kinds(converter: Converter) -> None:
    for kind in _PLAIN:
        converter.register_structure_hook(kind, _plain)
    converter.register_structure_hook_factory(_has_origin(tuple), _tuple)
    converter.register_structure_hook_factory(_has_origin(Mapping), _mapping)
    converter.register_structure_hook_factory(attrs.has, _class)


def _has_origin(origin: object) -> Callable[[object], bool]:
    return lambda kind: get_origin(kind) is origin


def _plain(value: Any, kind: Any) -> object:
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise TypeError(f"expected {_PLAIN[kind]}, not {quoted(value)}")
    if kind is float and not isfinite(value):
        raise ValueError(f"expected a finite number, not {quoted(value)}")
    return kind(value)


def _read_all(values: Iterable[object], names: Iterable[object], read: _Read, kind: object) -> list[object]:
    """Elements or values, up to the first that is not of the kind; the message says which it is."""
    if kind in (int, str) and {*map(type, values)} == {kind}:  # one by one, many would take long
        return [*values]
    found: list[object] = []
    try:
        for value in values:
            found.append(read(value, kind))
    except (OverflowError, TypeError, ValueError) as error:
        raise RecordError(f"{error} (at {quoted(nth(names, len(found)))})") from None
    return found


def _tuple(kind: object, converter: Converter) -> _Read:
    """How to read tuples, whose elements are all of one type."""
    element, *others = get_args(kind)
    read = converter.get_structure_hook(element)

    def checked(value: object, _: object) -> object:
        if not isinstance(value, (list, tuple)):  # a text can be iterated over, too
            raise TypeError(f"expected a list, not {quoted(value)}")
        if others != [...] and len(value) != 1 + len(others):
            raise ValueError(f"expected {1 + len(others)} values, not {quoted(value)}")
        return tuple(_read_all(value, count(), read, element))

    return checked


def _mapping(kind: object, converter: Converter) -> _Read:
    """How to read mappings from texts, as the keys of JSON are."""
    _, element = get_args(kind)
    read = converter.get_structure_hook(element)

    def checked(value: object, _: object) -> object:
        if not isinstance(value, Mapping):
            raise TypeError(f"expected an object, not {quoted(value)}")
        return dict(zip(value, _read_all(value.values(), value, read, element), strict=True))

    return checked


def _class(kind: Any, converter: Converter) -> _Read:
    from cattrs.gen import make_dict_structure_fn

    read = make_dict_structure_fn(kind, converter)

    def checked(value: object, _: object) -> object:
        if isinstance(value, kind):  # it was known already
            return value
        if not isinstance(value, Mapping):
            raise TypeError(f"expected an object, not {quoted(value)}")
        return read(value, kind)

    return checked


def to_record(value: object) -> dict[str, Any]:
    """The fields of an attrs class as JSON can say them.

    >>> @attrs.frozen
    ... class Pair:
    ...     names: tuple[str, ...]
    ...     size: float = 1.0
    >>> to_record(Pair(("a", "b")))
    {'names': ['a', 'b'], 'size': 1.0}
    >>> from_record({"names": ["a", "b"], "size": 2}, Pair)
    Pair(names=('a', 'b'), size=2.0)
    """
    return converter().unstructure(value)  # type: ignore[no-any-return]


def from_record(record: object, kind: type[_T], **known: object) -> _T:
    """An instance of an attrs class, from its record.

    Fields that are known already replace the record's own.

    Raises:
        RecordError: a field is missing, is not known, or has a value that it cannot have; the message names it.

    >>> @attrs.frozen
    ... class Pair:
    ...     names: tuple[str, ...]
    ...     size: float = 1.0
    >>> from_record({"names": "ab", "length": 2}, Pair)
    Traceback (most recent call last):
    deptrees.files.records.RecordError: expected a list, not 'ab' @ record.names; not known: 'length' @ record
    """
    from cattrs import BaseValidationError, transform_error

    try:
        return converter().structure({**record, **known} if known and isinstance(record, Mapping) else record, kind)
    except (BaseValidationError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise RecordError("; ".join(transform_error(error, "record", _reason))) from None


def _reason(error: BaseException, kind: type | None) -> str:
    """What is wrong with a field."""
    from cattrs import ForbiddenExtraKeysError

    if isinstance(error, KeyError):
        return "missing"
    if isinstance(error, ForbiddenExtraKeysError):
        return f"not known: {', '.join(map(quoted, sorted(error.extra_fields)[:_SHOWN]))}"
    return str(error.args[0] if error.args else error)  # attrs has more than the message in some
