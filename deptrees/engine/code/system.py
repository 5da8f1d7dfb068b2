"""From a system's table to the numbers that the engine runs on.

The engine knows no system. It knows the words of a table (`deptrees.transition.table`), each as a number, and a table
becomes tuples of these. What is true of a configuration is a set of bits, its facts: four for each place that the
table names (something stands there; a word; it has a head; it has none), and one for every other condition. So a
precondition is a set of bits that must be there, and a row is possible if none is lacking.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import TypeVar

import attrs

from deptrees.engine import core
from deptrees.engine.core import EngineError
from deptrees.transition.losses.arc_standard import ArcStandardLoss
from deptrees.transition.losses.last_word import LastWordConflicts
from deptrees.transition.losses.tabular import Exits, TabularLoss, exits
from deptrees.transition.system import System
from deptrees.transition.systems.stack_buffer import StackBufferSystem
from deptrees.transition.table import Condition, Effect, Lost, Place, Region, Row
from deptrees.transition.table.compiler import applying_to
from deptrees.transition.table.static_dynamic import static_dynamic_rows
from deptrees.transition.transitions import ArcTransition, Shift, Transition
from deptrees.treebanks.hashes import text_hash

__all__ = ["Formula", "RowCode", "SystemCode", "compile_system", "number_of"]

_FLAG_OF = {"σ": "σ", "σ below s0": "σ", "β": "β", "β after b0": "β", "unattached": "unattached"}
"""What parts of a region ask of an element, as the core knows it."""
_BUT = {"σ below s0": Place("s", 0), "β after b0": Place("b", 0)}
"""Which element they leave out."""

_Literal = tuple[int, bool]
"""A bit of the facts, and whether it must be there or must not."""
_Code = TypeVar("_Code")


@attrs.frozen
class Formula:
    """A conjunction.

    Args:
        all: the facts that must hold.
        none: the facts that must not hold.
        clauses: pairs of facts of which one must hold, and facts of which one must not; one or the other suffices.
    """

    all: int = 0
    none: int = 0
    clauses: tuple[tuple[int, int], ...] = ()


LossCode = tuple[bool, int, int, Formula]
"""Whether arcs to the place are lost, not from it; the place; the region of their other ends; and when."""


@attrs.frozen
class RowCode:
    """A row in numbers.

    Args:
        when: when it is possible.
        correct: what must hold of the gold tree besides; nothing if lost arcs tell.
        losses: which of the system's losses it has, as bits.
        arc: the places of the head and the dependent of the arc that it adds.
        off: how far below the top the element is that it takes off the stack.
        back: where that goes: away (0), to the front of the buffer (1) or right after the front (2).
        pushes: whether it pushes the front of the buffer.
    """

    when: Formula
    correct: Formula
    losses: int
    arc: tuple[int, int] | None
    off: int | None
    back: int
    pushes: bool


@attrs.frozen
class SystemCode:
    """A system in numbers.

    Args:
        transitions: for each row the transition, without a label.
        rows: the rows.
        prefer_shift: the order of the rows in which Shift comes before all that adds no arc.
        shift: which row is Shift.
        final: when a configuration is final.
        n_stack: how many places of the stack the table names; their numbers come first.
        n_buffer: how many places of the buffer it names.
        conditions: those whose bits come after the facts of places: kind, two places, region.
        n_gold: how many of them, the last ones, ask of the gold tree.
        regions: flags, the place left out, the only place.
        losses: the gold arcs that rows may lose.
        root: where ROOT stands.
        longest_arc: the length of the longest arc, -1 if there is no limit.
        empty_is_meant: whether words without a gold head are to stay without one.
        rows_tell: whether lost arcs tell which transitions are correct.
        canonical: whether rows tell one correct transition only, not all.
        last_word_conflicts: whether arc-eager's conflicts of the last word add to the costs of lost arcs.
        exits: how words leave the stack, without and with a head, if the engine can compute losses from that.
        pushes_with_head: whether words are pushed with a head, too.
        arcs_on_stack: whether losses are those of arcs between the two topmost elements of the stack.
        has_single_root: whether ROOT gets a single dependent.
    """

    transitions: tuple[Transition, ...]
    rows: tuple[RowCode, ...]
    prefer_shift: tuple[int, ...]
    shift: int
    final: Formula
    n_stack: int
    n_buffer: int
    conditions: tuple[tuple[int, int, int, int], ...]
    n_gold: int
    regions: tuple[tuple[int, int, int], ...]
    losses: tuple[LossCode, ...]
    root: str
    longest_arc: int
    empty_is_meant: bool
    rows_tell: bool
    canonical: bool
    last_word_conflicts: bool
    exits: tuple[Exits, Exits] | None
    pushes_with_head: bool
    arcs_on_stack: bool
    has_single_root: bool

    @property
    def has_losses(self) -> bool:
        """Whether the engine can compute the loss of any configuration."""
        return self.exits is not None or self.arcs_on_stack

    @property
    def has_losses_only(self) -> bool:
        """Whether lost arcs, and facts of places, tell what is correct, and no other condition is asked for that."""
        places = core.FACTS_PER_PLACE * (self.n_stack + self.n_buffer)
        asked = [bits for *_, when in self.losses for bits in (when.all, when.none, *chain(*when.clauses))]
        others = any(bits >> places for bits in asked) or any(row.correct != Formula() for row in self.rows)
        return bool(self.losses) and not others

    @property
    def asks_ranks(self) -> bool:
        """Whether rows ask for the gold tree's projective order or components."""
        asked = [core.CONDITIONS[kind] for kind in ("gold before", "passed", "same component")]
        return any(kind in asked for kind, *_ in self.conditions)

    @property
    def rows_by_loss(self) -> list[tuple[LossCode, int]]:
        """The losses, each with the rows, as bits, that have it; those come last that `is_narrow` tells."""
        found = [
            (loss, sum(1 << number for number, row in enumerate(self.rows) if row.losses >> which & 1))
            for which, loss in enumerate(self.losses)
        ]
        return sorted(found, key=lambda loss: self.is_narrow(loss[0]))

    def is_narrow(self, loss: LossCode) -> bool:
        """Whether a loss asks for more than the flags of the arc's other end and what is not at its place."""
        _, _, region, when = loss
        return self.regions[region][2] >= 0 or when != Formula()

    @property
    def row_hashes(self) -> list[int]:
        """For each row the hash of its transition, for feature templates that look at the history."""
        return [text_hash(repr(transition)) for transition in self.transitions]


@lru_cache(maxsize=256)
def compile_system(system: System, oracle: str | None = None) -> SystemCode:
    """Write a system's table in numbers, as the oracle of a name reads it, if one will.

    Raises:
        EngineError: the engine has no number for a part of the table.

    >>> from deptrees.transition import ArcHybrid
    >>> code = compile_system(ArcHybrid())
    >>> code.transitions
    (LeftArc(), RightArc(), Shift())
    >>> code.n_stack, code.n_buffer, [row.losses for row in code.rows]
    (2, 1, [7, 12, 48])
    """
    if not isinstance(system, StackBufferSystem):
        raise EngineError(f"{system} is not a table")
    transitions = tuple([_bare(row) for row in system.rows])
    variants = {*system.variant, "lazy"} if oracle == "static_lazy_swap" else system.variant
    rows = [attrs.evolve(row, when=applying_to(row.when, variants)) for row in _read_by(oracle, system)]
    numbers = _Numbers([*rows, *applying_to(system.final, variants)])
    when = [numbers.formula(row.when) for row in rows]
    final = numbers.formula(applying_to(system.final, variants))
    n_plain = len(numbers.conditions)
    correct = [numbers.formula(applying_to(row.correct or row.canonical or (), variants)) for row in rows]
    losses = [numbers.losses_of(applying_to(row.loses or (), variants)) if row.canonical is None else 0 for row in rows]
    codes = [
        RowCode(one, gold, lost, *numbers.effects(row))
        for row, one, gold, lost in zip(rows, when, correct, losses, strict=True)
    ]
    by_shift = sorted(range(len(rows)), key=lambda i: rows[i].dependent is None and rows[i].transition is not Shift)
    conflicts = system.conflicts()
    # What else a system says of its costs only the functional layer can tell.
    known = conflicts is None or isinstance(conflicts, LastWordConflicts)
    loss = system.loss()
    code = SystemCode(
        transitions=transitions,
        rows=tuple(codes),
        prefer_shift=tuple(by_shift),
        shift=[row.transition for row in rows].index(Shift),
        final=final,
        n_stack=numbers.n_stack,
        n_buffer=numbers.n_buffer,
        conditions=tuple(numbers.conditions),
        n_gold=len(numbers.conditions) - n_plain,
        regions=tuple(numbers.regions),
        losses=tuple(numbers.losses),
        root=system.root,
        longest_arc=-1 if system.longest_arc is None else system.longest_arc,
        empty_is_meant=not system.empty_means_unknown,
        rows_tell=known and all(row.tells_cost for row in rows) and not system.has_single_root,
        canonical=any(row.canonical is not None for row in rows),
        last_word_conflicts=isinstance(conflicts, LastWordConflicts),
        exits=exits(loss.rows) if known and isinstance(loss, TabularLoss) else None,
        pushes_with_head=any(row.dependent == Place("b", 0) for row in rows),
        arcs_on_stack=isinstance(loss, ArcStandardLoss),
        has_single_root=system.has_single_root,
    )
    _check_limits(code, system)
    return code


def _read_by(oracle: str | None, system: StackBufferSystem) -> tuple[Row, ...]:
    """A system's rows as an oracle reads them."""
    mixed = static_dynamic_rows(system.rows) if oracle == "static_dynamic" else None
    return system.rows if mixed is None else mixed


def _bare(row: Row) -> Transition:
    if row.k is None:
        raise EngineError(f"{row.transition.__name__} has any k, and the engine needs to know which there are")
    return row.transition(k=row.k) if issubclass(row.transition, ArcTransition) else row.transition()


def _check_limits(code: SystemCode, system: StackBufferSystem) -> None:
    places = code.n_stack + code.n_buffer
    formulas = [code.final, *(formula for row in code.rows for formula in (row.when, row.correct))]
    formulas += [when for *_, when in code.losses]
    sizes = {
        "rows": len(code.rows),
        "places": places,
        "conditions": len(code.conditions),
        "regions": len(code.regions),
        "losses": len(code.losses),
        "clauses": max(len(formula.clauses) for formula in formulas),
    }
    for what, size in sizes.items():
        if size > core.LIMITS[what]:
            raise EngineError(f"the table of {system} has {size} {what}, and the engine takes {core.LIMITS[what]}")
    if core.FACTS_PER_PLACE * places + len(code.conditions) > 64:
        raise EngineError(f"the table of {system} asks more than 64 bits can tell")


class _Numbers:
    """The parts of a table, numbered as they are met."""

    def __init__(self, parts: Sequence[Row | Condition]) -> None:
        places = [place for part in parts for place in _places(part)]
        self.n_stack = max((int(place.index) + 1 for place in places if place.side == "s"), default=0)
        self.n_buffer = max((int(place.index) + 1 for place in places if place.side == "b"), default=0)
        self.conditions: list[tuple[int, int, int, int]] = []
        self.regions: list[tuple[int, int, int]] = []
        self.losses: list[LossCode] = []

    def formula(self, conditions: Iterable[Condition]) -> Formula:
        """A conjunction of conditions."""
        clauses = [clause for condition in conditions for clause in self._clauses(condition, True)]
        single = [literal for clause in clauses if len(clause) == 1 for literal in clause]
        return Formula(
            _bits(single, True),
            _bits(single, False),
            tuple([(_bits(clause, True), _bits(clause, False)) for clause in clauses if len(clause) > 1]),
        )

    def _clauses(self, condition: Condition, positive: bool) -> list[frozenset[_Literal]]:
        """A condition, or what is true if it does not hold, as a conjunction of disjunctions."""
        operands = [operand for operand in condition.operands if isinstance(operand, Condition)]
        if condition.kind == "not":
            return self._clauses(operands[0], not positive)
        if condition.kind == "or":
            parts = [self._clauses(operand, positive) for operand in operands]
            if positive:
                return [frozenset().union(*choice) for choice in product(*parts)]
            return [clause for part in parts for clause in part]
        if condition.kind == "missing":
            positive = not positive
        return [frozenset({(self._fact(condition), positive)})]

    def _fact(self, condition: Condition) -> int:
        """The number of the bit that says whether a condition holds."""
        places = [self.place(operand) for operand in condition.operands if isinstance(operand, Place)]
        kind = "exists" if condition.kind == "missing" else condition.kind
        if kind in core.FLAGS:
            return core.FACTS_PER_PLACE * places[0] + core.FLAGS[kind].bit_length() - 1
        if kind not in core.CONDITIONS:
            raise EngineError(f"the engine cannot ask whether {condition}")
        regions = [self._countable(operand) for operand in condition.operands if isinstance(operand, Region)]
        first, second = [*places, -1, -1][:2]
        code = (core.CONDITIONS[kind], first, second, regions[0] if regions else -1)
        return core.FACTS_PER_PLACE * (self.n_stack + self.n_buffer) + number_of(code, self.conditions)

    def losses_of(self, losses: Iterable[Lost]) -> int:
        """The gold arcs that a row loses, as bits. An empty head is, in the core, an arc from the word to itself."""
        found = 0
        for lost in losses:
            region = Region((lost.place,)) if lost.kind == "no head" and isinstance(lost.place, Place) else lost.region
            code = (lost.kind != "dependents", self.place(lost.place), self._region(region), self.formula(lost.when))
            found |= 1 << number_of(code, self.losses)
        return found

    def effects(self, row: Row) -> tuple[tuple[int, int] | None, int | None, int, bool]:
        """What a row does: at most one arc, and then one element that is taken off the stack or pushed."""
        kinds = [effect.kind for effect in row.do]
        arc, off, back, pushes = None, None, 0, "push" in kinds
        for effect in row.do:
            places = [self.place(operand) for operand in effect.operands]
            if effect.kind == "arc":
                arc = (places[0], places[1])
            elif effect.kind != "push":
                off, back = places[0], core.DESTINATIONS[effect.kind]
        moves = kinds[1:] if arc else kinds
        if len(moves) > 1 or "arc" in moves:
            raise EngineError(f"{row.transition.__name__} does more, or in another order, than the engine can")
        return arc, off, back, pushes

    def place(self, place: object) -> int:
        """The number of a place."""
        if not isinstance(place, Place) or place.index == "k":
            raise EngineError(f"the engine needs a fixed place where the table has {place}")
        return place.index if place.side == "s" else self.n_stack + place.index

    def _countable(self, region: Region) -> int:
        """The number of a region whose elements the engine can count without looking at them."""
        number = self._region(region)
        flags, _, only = self.regions[number]
        sides = flags & (core.FLAGS["σ"] | core.FLAGS["β"])
        if any(isinstance(part, tuple) for part in region.parts) or (
            only < 0 and sides not in (core.FLAGS["σ"], core.FLAGS["β"])
        ):
            raise EngineError(f"the engine cannot count {region}")
        return number

    def _region(self, region: Region) -> int:
        """The number of a region."""
        nowhere = self.n_stack + self.n_buffer
        flags, but, only = 0, nowhere, -1
        for part in region.parts:
            if isinstance(part, Place):
                only = self.place(part)
            elif isinstance(part, tuple):
                pass  # the core takes long arcs out of gold trees: no others are lost
            elif part in _FLAG_OF:
                flags |= core.FLAGS[_FLAG_OF[part]]
                but = self.place(_BUT[part]) if part in _BUT else but
            else:
                raise EngineError(f"the engine does not know the region {region}")
        return number_of((flags, but, only), self.regions)


def number_of(code: _Code, codes: list[_Code]) -> int:
    """Where a code stands in a list, at whose end it is put if it is not in it."""
    if code not in codes:
        codes.append(code)
    return codes.index(code)


def _bits(literals: Iterable[_Literal], positive: bool) -> int:
    """The bits of the literals of one sign."""
    return sum(1 << bit for bit, sign in literals if sign is positive)


def _places(part: object) -> Iterator[Place]:
    """All fixed places that a part of a table names."""
    if isinstance(part, Place):
        if part.index != "k":
            yield part
    elif isinstance(part, Row | Condition | Effect | Lost | Region):
        for value in attrs.astuple(part, recurse=False):
            yield from _places(value)
    elif isinstance(part, tuple):
        for value in part:
            yield from _places(value)
    elif isinstance(part, str) and part in _BUT:
        yield _BUT[part]
