"""The registry: every transition system of the library, and what each can do.

A new system is a file beside this one, a line here, and its name in the stub of `deptrees.transition`. Tests,
documentation, command line, benchmarks and model files read this registry, and know no system by its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import product
from typing import Any

import attrs

from deptrees.files.records import RecordError, from_record
from deptrees.messages import quoted
from deptrees.transition.system import System

__all__ = [
    "REGISTRY",
    "RegisteredSystem",
    "UnknownSystem",
    "as_system",
    "system_from",
    "system_named",
    "system_record",
]


class UnknownSystem(ValueError):
    """There is no transition system of this name, or none with these options; the message says which there are."""


@attrs.frozen
class RegisteredSystem:
    """A transition system in the registry.

    Args:
        name: the name of its class.
        module: the file of the class, beside this one.
        options: the values with which it is documented and tested, for each option that is not ``root`` or
            ``single_root``: the first of them stands for the system on its page.

    >>> attardi = REGISTRY["Attardi"]
    >>> attardi.roots, attardi.can_have_single_root, attardi.has_any_k, attardi.is_compiled
    (('first', 'last'), True, False, True)
    >>> attardi.example, len(attardi.variants)
    (Attardi(root='first', degree=2), 12)
    """

    name: str
    module: str
    options: Mapping[str, Sequence[Any]] = attrs.field(factory=dict)

    @property
    def kind(self) -> type[System]:
        """Its class, imported on first use: who parses with one system need not wait for all."""
        kind: type[System] = getattr(import_module(f"{__package__}.{self.module}"), self.name)
        return kind

    @property
    def roots(self) -> tuple[str, ...]:
        """Where ROOT can stand."""
        return self.kind.roots

    @property
    def can_have_single_root(self) -> bool:
        """Whether it can be told to give ROOT a single dependent."""
        return self.kind.can_have_single_root

    @property
    def oracles(self) -> tuple[str, ...]:
        """The names of its oracles."""
        return self.example.oracles.names

    @property
    def has_any_k(self) -> bool:
        """Whether nothing but the length of the sentence bounds the k of its transitions."""
        return self.example.has_any_k

    @property
    def is_compiled(self) -> bool:
        """Whether the engine runs it."""
        return self.example.is_table and not self.has_any_k

    @property
    def example(self) -> System:
        """The system with its default options: the one on its page."""
        return self.kind(**{name: values[0] for name, values in self.options.items()})

    @property
    def variants(self) -> tuple[System, ...]:
        """The system with all combinations of its options."""
        choices: dict[str, Sequence[Any]] = dict(self.options)
        if len(self.roots) > 1:
            choices["root"] = self.roots
        if self.can_have_single_root:
            choices["single_root"] = (False, True)
        combinations = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
        # Without ROOT there is always a single one.
        return tuple(
            self.kind(**chosen)
            for chosen in combinations
            if not (chosen.get("root") == "none" and chosen.get("single_root"))
        )


REGISTRY: Mapping[str, RegisteredSystem] = {
    system.name: system
    for system in (
        RegisteredSystem("ArcStandard", "arc_standard"),
        RegisteredSystem("ArcEager", "arc_eager"),
        RegisteredSystem("ArcHybrid", "arc_hybrid"),
        RegisteredSystem("NonMonotonicArcEager", "non_monotonic"),
        RegisteredSystem("ArcSwift", "arc_swift"),
        RegisteredSystem("ArcEagerPartial", "partial", {"empty_means_unknown": (False, True)}),
        RegisteredSystem("ArcHybridPartial", "partial", {"empty_means_unknown": (False, True)}),
        RegisteredSystem("ArcEagerSpan", "partial", {"max_span": (2, 1), "empty_means_unknown": (False, True)}),
        RegisteredSystem("ArcHybridSpan", "partial", {"max_span": (2, 1), "empty_means_unknown": (False, True)}),
        RegisteredSystem("ArcStandardSwap", "swap"),
        RegisteredSystem("ArcHybridSwap", "swap"),
        RegisteredSystem("Attardi", "attardi", {"degree": (2, 1, 3)}),
        RegisteredSystem("TwoPlanar", "two_planar"),
        RegisteredSystem("EasyFirst", "easy_first"),
        RegisteredSystem("ListBasedNonProjective", "list_based"),
        RegisteredSystem("ListBasedProjective", "list_based"),
        RegisteredSystem("LRSpines", "lr_spines"),
        RegisteredSystem("PointerNonProjective", "pointer"),
        RegisteredSystem("PointerProjective", "pointer"),
        RegisteredSystem("StackPointerNonProjective", "stack_pointer", {"order": ("inside_out", "left_to_right")}),
        RegisteredSystem("StackPointerProjective", "stack_pointer", {"order": ("inside_out", "left_to_right")}),
    )
}
"""The library's systems, by their names."""

_BY_PLAIN_NAME = {name.lower(): name for name in REGISTRY}


def system_named(text: str, **options: Any) -> System:
    """The system that a text names: a class name in any spelling, perhaps with a number in parentheses.

    Args:
        text: such as ``"ArcEager"``, ``"arc-eager"``, ``"arc_eager"`` or ``"attardi(3)"``.
        options: what the class takes, such as ``root`` and ``single_root``.

    Raises:
        UnknownSystem: there is none, or it cannot be made like this.

    >>> system_named("arc-hybrid", root="last"), system_named("Attardi(3)")
    (ArcHybrid(root='last'), Attardi(root='first', degree=3))
    >>> system_named("arc-lazy")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    deptrees.transition.systems.registry.UnknownSystem: there is no system 'arc-lazy'; choose one of ArcEager, ...
    """
    match = re.fullmatch(r"([\w-]+?)\s*(?:\((\d+)\))?", text.strip())
    name = _BY_PLAIN_NAME.get(re.sub(r"[_-]", "", match[1]).lower()) if match else None
    if match is None or name is None:
        raise UnknownSystem(f"there is no system {quoted(text)}; choose one of {', '.join(sorted(REGISTRY))}")
    return _made(REGISTRY[name].kind, [int(match[2])] if match[2] else [], options)


def as_system(given: System | type[System] | str) -> System:
    """A system, given as it is, by its class or by its name.

    Raises:
        TypeError: it is none of these.
        UnknownSystem: there is no system of this name, or it cannot be made without options.

    >>> from deptrees.transition import ArcEager
    >>> as_system(ArcEager), as_system("arc-eager"), as_system(ArcEager(root="last"))
    (ArcEager(root='first'), ArcEager(root='first'), ArcEager(root='last'))
    """
    if isinstance(given, System):
        return given
    if isinstance(given, str):
        return system_named(given)
    if isinstance(given, type) and issubclass(given, System):
        return _made(given, [], {})
    raise TypeError(
        f"{quoted(given)} is not a transition system: give one, such as ArcEager(), or a name, such as 'arc-eager'"
    )


def _made(kind: type[System], numbers: Sequence[int], options: Mapping[str, Any]) -> System:
    try:
        return kind(*numbers, **options)
    except (TypeError, ValueError) as error:
        raise UnknownSystem(f"{kind.__name__} cannot be made like this: {error}") from None


def system_record(system: System) -> dict[str, Any]:
    """A system as JSON can say it: its name and its options.

    >>> from deptrees.transition import Attardi
    >>> system_record(Attardi(3))
    {'name': 'Attardi', 'root': 'first', 'single_root': False, 'degree': 3}
    """
    kind: Any = type(system)
    options = attrs.asdict(system) if attrs.has(kind) else {}  # type: ignore[arg-type]
    return {"name": kind.__name__, **options}


def system_from(record: object) -> System:
    """The system that a record describes.

    Args:
        record: what ``system_record`` gave.

    Raises:
        UnknownSystem: it is not one of the library's.

    >>> from deptrees.transition import Attardi
    >>> system_from(system_record(Attardi(3)))
    Attardi(root='first', degree=3)
    """
    options = dict(record) if isinstance(record, Mapping) else {}
    name = options.pop("name", None)
    if not isinstance(name, str) or name not in REGISTRY:
        raise UnknownSystem(f"{quoted(name)} is not one of the library's systems")
    try:
        return from_record(options, REGISTRY[name].kind)
    except RecordError as error:
        raise UnknownSystem(f"{name} cannot be made like this: {error}") from None
