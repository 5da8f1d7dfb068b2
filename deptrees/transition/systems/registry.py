"""The registry: every transition system of the library, and what each can do.

A new system is a file beside this one, a line here, and its name in the stub of `deptrees.transition`. Tests,
documentation, command line, benchmarks and model files read this registry, and know no system by its name.

A system of one's own has a name, too: ``"module:Class"``. Its module is imported where a user gives this name, and
nowhere else: a name in a file or in a link finds only what has been imported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

import attrs

from deptrees.files.records import RecordError, from_record, registers_fields
from deptrees.messages import quoted
from deptrees.transition.system import C, System

if TYPE_CHECKING:
    from cattrs import Converter

__all__ = [
    "GRAPH_REGISTRY",
    "REGISTRY",
    "GivenSystem",
    "RegisteredSystem",
    "UnknownSystem",
    "as_system",
    "as_tree_system",
    "entry",
    "name_of",
    "system_from",
    "system_record",
]


class UnknownSystem(ValueError):
    """There is no transition system of this name, or none with these options; the message says which there are."""


GivenSystem = System | type[System] | str
"""A system, or what stands for one: its class, or its name."""


@attrs.frozen
class RegisteredSystem:
    """A transition system in the registry.

    Args:
        name: the name of its class.
        module: the file of the class, beside this one.
        options: the values with which it is documented and tested, for each option that is not ``root`` or
            ``single_root``: the first of them stands for the system on its page.
        best: the options of the variant that parses best, which its name stands for.
        package: the package of the module, with a point after it; nothing for a system of one's own.

    >>> attardi = REGISTRY["Attardi"]
    >>> attardi.roots, attardi.can_have_single_root, attardi.has_any_k, attardi.is_compiled
    (('first', 'last'), True, False, True)
    >>> attardi.example, len(attardi.variants)
    (Attardi(root='first', degree=2), 12)
    """

    name: str
    module: str
    options: Mapping[str, Sequence[object]] = attrs.field(factory=dict)
    best: Mapping[str, object] = attrs.field(factory=dict)
    package: str = f"{__package__}."

    @property
    def kind(self) -> type[System]:
        """Its class, imported on first use: parsing with one system need not wait for all."""
        return getattr(import_module(f"{self.package}{self.module}"), self.name)  # type: ignore[no-any-return]

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
        choices: dict[str, Sequence[object]] = dict(self.options)
        if len(self.roots) > 1:
            choices["root"] = self.roots
        if self.can_have_single_root:
            choices["single_root"] = (False, True)
        combinations = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
        without_root = {"root": "none", "single_root": True}.items()  # where there is always a single one
        return tuple([self.kind(**chosen) for chosen in combinations if not without_root <= chosen.items()])


_TURNS = {"order": ("left_to_right", "right_to_left", "outside_in")}
_GRAPHS = {"acyclic": (False, True), "empty_means_unknown": (False, True)}

REGISTRY: Mapping[str, RegisteredSystem] = {
    system.name: system
    for system in (
        RegisteredSystem("ArcStandard", "arc_standard"),
        RegisteredSystem("ArcEager", "arc_eager", best={"root": "last", "single_root": True}),
        RegisteredSystem("ArcHybrid", "arc_hybrid", best={"single_root": True}),
        RegisteredSystem("NonMonotonicArcEager", "non_monotonic"),
        RegisteredSystem("SpacyArcEager", "spacy_arc_eager", {"breaks": (False, True)}),
        RegisteredSystem("ArcEagerUnshift", "unshift"),
        RegisteredSystem("ArcEagerBuffer", "arc_eager_buffer"),
        RegisteredSystem("ArcEagerBufferNonProjective", "arc_eager_buffer"),
        RegisteredSystem("ArcEagerEdit", "arc_eager_edit"),
        RegisteredSystem("ArcEagerRegisters", "arc_eager_registers"),
        RegisteredSystem("ArcSwift", "arc_swift"),
        RegisteredSystem("ArcEagerPartial", "partial", {"empty_means_unknown": (False, True)}),
        RegisteredSystem("ArcHybridPartial", "partial", {"empty_means_unknown": (False, True)}),
        RegisteredSystem("ArcEagerSpan", "partial", {"max_span": (2, 1), "empty_means_unknown": (False, True)}),
        RegisteredSystem("ArcHybridSpan", "partial", {"max_span": (2, 1), "empty_means_unknown": (False, True)}),
        RegisteredSystem("ArcStandardSwap", "swap"),
        RegisteredSystem("ArcHybridSwap", "swap"),
        RegisteredSystem("Attardi", "attardi", {"degree": (2, 1, 3)}),
        RegisteredSystem("MH4", "mh4"),
        RegisteredSystem("AttardiAllDegree1", "mh4"),
        RegisteredSystem("AttardiAll", "mh4"),
        RegisteredSystem("TwoPlanar", "two_planar"),
        RegisteredSystem("EasyFirst", "easy_first"),
        RegisteredSystem("ListBasedNonProjective", "list_based"),
        RegisteredSystem("ListBasedProjective", "list_based"),
        RegisteredSystem("ListBasedNonLocal", "non_local"),
        RegisteredSystem("ListBasedNonMonotonic", "list_based_non_monotonic"),
        RegisteredSystem("LRSpines", "lr_spines"),
        RegisteredSystem("LeftCorner", "left_corner"),
        RegisteredSystem("PointerNonProjective", "pointer", _TURNS),
        RegisteredSystem("PointerProjective", "pointer", _TURNS),
        RegisteredSystem("StanzaAttach", "stanza_attach"),
        RegisteredSystem("JointTags", "joint_tags", {"untagged": ("arc-standard",), "tags": (("NOUN", "VERB"),)}),
        RegisteredSystem("StackPointerNonProjective", "stack_pointer", {"order": ("inside_out", "left_to_right")}),
        RegisteredSystem("StackPointerProjective", "stack_pointer", {"order": ("inside_out", "left_to_right")}),
    )
}
"""The library's systems that build trees, by their names."""

GRAPH_REGISTRY: Mapping[str, RegisteredSystem] = {
    system.name: system
    for system in (
        RegisteredSystem("ListBasedGraph", "list_based_graph", _GRAPHS),
        RegisteredSystem("EmptyNodeGraph", "empty_node_graph", _GRAPHS),
        RegisteredSystem("PointerGraph", "pointer_graph", _GRAPHS),
        RegisteredSystem("ArcEagerGraph", "arc_eager_graph", _GRAPHS),
        RegisteredSystem("ArcEagerSwapGraph", "arc_eager_graph", _GRAPHS),
    )
}
"""Its systems that build graphs. They have a registry of their own: all that learns from trees, draws them or writes
them takes any system of the other one, and none of this."""

_ALL = {**REGISTRY, **GRAPH_REGISTRY}
_BY_PLAIN_NAME = {name.lower(): name for name in _ALL}


def name_of(kind: type[System]) -> str:
    """The name of a class of systems: that in the registry, or ``"module:Class"``.

    >>> from deptrees.transition import ArcEager
    >>> class Mine(ArcEager): ...
    >>> Mine.__module__ = "my_systems"
    >>> name_of(ArcEager), name_of(Mine)
    ('ArcEager', 'my_systems:Mine')
    """
    return kind.__name__ if _is_registered(kind) else f"{kind.__module__}:{kind.__qualname__}"


def entry(name: str) -> RegisteredSystem:
    """The entry of a system, by a name that may come from a file or from anybody: see ``name_of``.

    A system of one's own is found if its module has been imported. Nothing is imported to find it.

    Raises:
        UnknownSystem: there is no such system, or none that has been imported.

    >>> entry("ArcEager").roots
    ('first', 'last', 'none')
    >>> entry("my_systems:Mine")
    Traceback (most recent call last):
    deptrees.transition.systems.registry.UnknownSystem: no system 'my_systems:Mine' has been imported
    """
    if registered := _registered(name):
        return registered
    module, own, kind = name.partition(":")
    if not own:
        raise UnknownSystem(f"{quoted(name)} is not one of the library's systems")
    # What the module has now: to ask it may import more.
    found = getattr(sys.modules.get(module), "__dict__", {}).get(kind)
    if not _is_system(found):
        raise UnknownSystem(f"no system {quoted(name)} has been imported")
    return RegisteredSystem(kind, module, package="")


def _import(name: str) -> type[System]:
    """The class of a system that a user names as ``"module:Class"``."""
    module, _, kind = name.partition(":")
    try:
        found: Any = getattr(import_module(module), kind, None)
    except Exception as error:  # whatever the module does
        reason = f"its module cannot be imported: {type(error).__name__}: {error}"
        raise UnknownSystem(f"there is no system {quoted(name)}: {reason}") from error
    if not _is_system(found):
        raise UnknownSystem(f"there is no system {quoted(name)}: the module has no such class of systems")
    return found  # type: ignore[no-any-return]


def _is_system(kind: object) -> bool:
    """Whether something is a class of systems."""
    return isinstance(kind, type) and issubclass(kind, System)


def as_system(given: System[C] | type[System[C]] | str, **options: object) -> System[C]:
    """A system, given as it is, by its class, or by its name in any spelling, perhaps with a number in parentheses.

    A system of your own has the name ``"module:Class"``, and its module is imported.

    An instance means itself. A class or a name means the variant that parses best, where one was found
    (``RegisteredSystem.best``); options that are given come first.

    Args:
        given: such as ``ArcEager(root="none")``, ``ArcEager``, ``"arc-eager"``, ``"arc_eager"``, ``"attardi(3)"`` or
            ``"my_systems:Mine"``.
        options: for a class or a name, what the class takes, such as ``root`` and ``single_root``.

    Raises:
        TypeError: it is none of these.
        UnknownSystem: there is no system of this name, its module cannot be imported, or it does not have these
            options.

    >>> from deptrees.transition import ArcEager
    >>> as_system("arc-eager"), as_system(ArcEager), as_system(ArcEager())
    (ArcEager(root='last', single_root=True), ArcEager(root='last', single_root=True), ArcEager(root='first'))
    >>> as_system("arc_eager", root="first"), as_system("attardi(3)")
    (ArcEager(root='first', single_root=True), Attardi(root='first', degree=3))
    >>> as_system("arc-lazy")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    deptrees.transition.systems.registry.UnknownSystem: there is no system 'arc-lazy'; choose one of ArcEager, ...
    """
    return _made(given, options, _ALL)


def as_tree_system(given: GivenSystem, **options: object) -> System:
    """The same for what works with trees only, such as parsers.

    Raises:
        UnknownSystem: the system builds graphs; or see ``as_system``.

    >>> as_tree_system("list-based-graph")
    Traceback (most recent call last):
    deptrees.transition.systems.registry.UnknownSystem: ListBasedGraph() builds graphs, and a system that builds trees
    is needed here: choose one of those in deptrees.transition.REGISTRY
    """
    system = _made(given, options, REGISTRY)
    if system.builds_graphs:
        needed = "a system that builds trees is needed here: choose one of those in deptrees.transition.REGISTRY"
        raise UnknownSystem(f"{system} builds graphs, and {needed}")
    return system


def _made(given: GivenSystem, options: Mapping[str, object], offered: Iterable[str]) -> System:
    """See ``as_system``; an error names the systems that are offered."""
    if isinstance(given, System):
        if options:
            raise TypeError(f"{given} has its options: give its class or its name with others")
        return given
    kind, number = _kind_and_number(given, offered)
    return _variant(kind, number, options)


def _kind_and_number(given: type[System] | str, offered: Iterable[str]) -> tuple[type[System], str | None]:
    """The class that a user gives or names, and the number after the name."""
    number, kind = None, given
    if isinstance(given, str):
        match = re.fullmatch(r"([\w-]+?|[\w.]+:\w+)\s*(?:\((\d+)\))?", given.strip())
        found = match and _named(match[1])
        if match is None or found is None:
            choice = f"choose one of {', '.join(sorted(offered))}, or name your own as module:Class"
            raise UnknownSystem(f"there is no system {quoted(given)}; {choice}")
        number, kind = match[2], found
    if not isinstance(kind, type) or not _is_system(kind):
        raise TypeError(
            f"{quoted(given)} is not a transition system: give one, such as ArcEager(), or a name, such as 'arc-eager'"
        )
    return kind, number


def _named(name: str) -> type[System] | None:
    """The class of a system that a user names; ``None`` if the library has none of this name."""
    if ":" in name:
        return _import(name)
    registered = _registered(name)
    return registered.kind if registered else None


def _registered(name: str) -> RegisteredSystem | None:
    """The library's entry for a name in any spelling."""
    found = _BY_PLAIN_NAME.get(re.sub(r"[_-]", "", name).lower())
    return _ALL[found] if found else None


def _variant(kind: type[System], number: str | None, options: Mapping[str, object]) -> System:
    """A system of a class with some options; an UnknownSystem is raised if it does not have them."""
    fields = attrs.fields(kind) if attrs.has(kind) else ()
    has = [field.name for field in fields]
    if unknown := sorted(options.keys() - {*has}):
        raise UnknownSystem(f"{kind.__name__} has no option {unknown[0]}; it has {' and '.join(has) or 'none'}")
    best = dict(_ALL[kind.__name__].best) if _is_registered(kind) else {}
    if options.get("root") == "none":  # which has a single one anyway
        best.pop("single_root", None)
    if number is not None:
        numbered = next((field.name for field in fields if not field.kw_only), None)
        if numbered is None:
            raise UnknownSystem(f"{kind.__name__} takes no number: leave out ({number})")
        best[numbered] = int(number)
    try:
        return kind(**{**best, **options})
    except (TypeError, ValueError) as error:
        raise UnknownSystem(f"{kind.__name__} cannot be made like this: {error.args[0]}") from None


def _is_registered(kind: type[System]) -> bool:
    """Whether a class is the library's own."""
    return kind.__name__ in _ALL and _ALL[kind.__name__].kind is kind


def system_record(system: System) -> dict[str, object]:
    """A system as JSON can say it: its name, which is ``"module:Class"`` for one of your own, and its options.

    >>> from deptrees.transition import Attardi
    >>> system_record(Attardi(3))
    {'name': 'Attardi', 'root': 'first', 'single_root': False, 'degree': 3}
    """
    kind = type(system)
    fields = attrs.asdict(system, recurse=False) if attrs.has(kind) else {}  # type: ignore[arg-type]
    values = {name: system_record(value) if isinstance(value, System) else value for name, value in fields.items()}
    return {"name": name_of(kind), **values}


def system_from(record: object, given: GivenSystem | None = None) -> System:
    """The system that a record describes.

    The record of a system that is not the library's own imports nothing: its module has been imported, or the system is
    given. One that a script defined is found again where another module defines a class of this name.

    Args:
        record: what ``system_record`` gave.
        given: the system that the user says it is; with a class or a name, the options are those of the record.

    Raises:
        ModelError: it is not one of the library's and cannot be found, or another one is given.
        UnknownSystem: there is no such system in the library, or it does not have these options.

    >>> from deptrees.transition import Attardi
    >>> system_from(system_record(Attardi(3)))
    Attardi(root='first', degree=3)
    >>> system_from({"name": "my_systems:Mine"})
    Traceback (most recent call last):
    deptrees.files.models.ModelError: the model was trained with my_systems:Mine(), a system that is not the library's
    own: import its module first, or name it, as system='my_systems:Mine' or --system my_systems:Mine
    """
    options = dict(record) if isinstance(record, Mapping) else {}
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise UnknownSystem(f"{quoted(name)} is not one of the library's systems")
    shown = ", ".join([f"{option}={quoted(value)}" for option, value in options.items() if value is not False])
    trained = f"the model was trained with {quoted(name)[1:-1]}({shown})"
    kind = _recorded_kind(name, given, trained)
    try:
        found: Any = from_record(options, kind) if attrs.has(kind) else kind()
    except (RecordError, TypeError) as error:
        raise UnknownSystem(f"{name} cannot be made like this: {error}") from None
    if isinstance(given, System) and attrs.has(kind) and given != found:
        raise _model_error(f"{trained}, not with {given}")
    return given if isinstance(given, System) else found


def _recorded_kind(name: str, given: GivenSystem | None, trained: str) -> type[System]:
    """The class of this name in a record, which the user gives or has imported."""
    if given is not None:
        kind = type(given) if isinstance(given, System) else _kind_and_number(given, _ALL)[0]
        if _is_registered(kind) != (":" in name) and name.rpartition(":")[2] == kind.__qualname__:
            return kind
        raise _model_error(f"{trained}, not with {name_of(kind)}")
    try:
        return entry(name).kind
    except UnknownSystem:
        if ":" not in name:
            raise
    remedy = f"import its module first, or name it, as system={quoted(name)} or --system {quoted(name)[1:-1]}"
    if "<locals>" in name:  # a class inside of a function, which no module has by its name
        remedy = "pass a system of this class when you load the model, with system=..."
    raise _model_error(f"{trained}, a system that is not the library's own: {remedy}")


def _model_error(message: str) -> Exception:
    from deptrees.files.models import ModelError  # which takes longer to load than systems do

    return ModelError(message)


@registers_fields
def _systems(converter: Converter) -> None:
    converter.register_unstructure_hook(System, system_record)
    converter.register_structure_hook_func(
        lambda kind: kind is System, lambda record, _: record if isinstance(record, System) else system_from(record)
    )
