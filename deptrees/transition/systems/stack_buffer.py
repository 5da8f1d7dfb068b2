"""Configurations of a stack, a buffer and arcs, and the systems that are tables over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import attrs

from deptrees.messages import of_type
from deptrees.printable import escaped
from deptrees.transition.configuration import Configuration
from deptrees.transition.losses.loss import Loss
from deptrees.transition.losses.rows import Conflicts, table_oracles
from deptrees.transition.losses.tabular import TabularLoss, loss_obstacle
from deptrees.transition.oracles import Oracles
from deptrees.transition.system import System
from deptrees.transition.table import Condition, Row, Variant
from deptrees.transition.table.compiler import Cell, CompiledTable, compile_table, rows_applying_to
from deptrees.transition.table.language import drop, unattached
from deptrees.transition.transitions import IllegalTransition, Transition
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree, Sentence

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.drawing.table import DrawnTable

__all__ = ["StackBufferConfiguration", "StackBufferSystem"]

_ArcCell = Any  # (head, dependent, params, next cell, bits of all dependents from here on and of 0)

_LONG = 1000
"""Sentences of more words do not share their buffers, for these would be kept."""

_END: Any = [-1, None, 0]
_END[1] = _END
_NO_ARCS: _ArcCell = (-1, -1, (), None, 1)


@attrs.frozen(eq=False, repr=False, weakref_slot=False)
class StackBufferConfiguration(Configuration):
    """A configuration (σ, β, A).

    Stack, buffer, arcs and history are linked lists that a configuration shares with the one it comes from: a
    transition takes the same time however long they are.

    >>> from deptrees.transition import ArcEager, LeftArc, Shift
    >>> cfg = LeftArc("nsubj")(Shift()(ArcEager().initial(["Birds", "sing"])))
    >>> cfg.stack, cfg.buffer, cfg.heads, cfg.labels, cfg.arcs
    ((0,), (2,), (2, None), ('nsubj', None), ((2, 1),))
    >>> cfg.buffer_token(0).form, cfg.stack_token(0).form, cfg.stack_token(1).form, cfg.is_final
    ('sing', 'ROOT', '', False)
    """

    table: ClassVar[CompiledTable]
    """The functions made of the system's table."""

    # In one field, for each takes a frozen object time to set.
    # The last two are the history: the last transition, and the state that it was taken in.
    _state: tuple[DependencyTree, Cell, Cell, _ArcCell, Transition | None, Any]

    @property
    def source(self) -> DependencyTree:
        return self._state[0]

    def latest_transitions(self) -> Iterator[Transition]:
        state = self._state
        while state[4] is not None:
            yield state[4]
            state = state[5]

    @property
    def stack(self) -> tuple[int, ...]:
        """The stack, its top last."""
        return tuple(_elements(self._state[1]))[::-1]

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return tuple(_elements(self._state[2]))

    @property
    def stack_cells(self) -> Cell:
        """The stack as linked cells from its top."""
        return self._state[1]

    @property
    def stack_bits(self) -> int:
        """The elements of the stack as the bits of an integer."""
        return self._state[1][2]

    @property
    def buffer_bits(self) -> int:
        """The elements of the buffer as the bits of an integer."""
        return self._state[2][2]

    @property
    def attached_bits(self) -> int:
        """The words that have a head, and ROOT, which needs none, as the bits of an integer."""
        return self._state[3][4]  # type: ignore[no-any-return]

    @property
    def latest_arc(self) -> tuple[int, int]:
        """The arc that was added last, as (head, dependent); (-1, -1) if there is none."""
        return self._state[3][:2]  # type: ignore[no-any-return]

    def stack_position(self, i: int) -> int:
        """The element s_i, counted from the top of the stack; -1 if there is none."""
        return _nth(self._state[1], i)

    def buffer_position(self, i: int) -> int:
        """The element b_i, counted from the front of the buffer; -1 if there is none."""
        return _nth(self._state[2], i)

    def neighbors(self, k: int = 1) -> tuple[tuple[int, ...], tuple[int, ...]]:
        above = k - 1 if self.system.has_any_k else 0
        return tuple(_elements(self._state[1]))[above:], self.buffer

    def stack_token(self, i: int) -> Token:
        return self._token(self.stack_position(i))  # for which the stack is not looked through

    def buffer_token(self, i: int) -> Token:
        return self._token(self.buffer_position(i))

    @property
    def heads(self) -> tuple[int | None, ...]:
        heads: list[int | None] = [None] * len(self.source)
        arcs = self._state[3]
        while arcs[0] >= 0:
            head, dependent, _, arcs, _ = arcs
            if heads[dependent - 1] is None:  # a later arc to the same word, which comes first here, takes its place
                heads[dependent - 1] = head
        if self.system.root == "none" and self.is_final and None in heads:
            heads[heads.index(None)] = 0
        return tuple(heads)

    @property
    def labels(self) -> tuple[str | None, ...]:
        params: list[tuple[str, ...] | None] = [None] * len(self.source)
        arcs = self._state[3]
        while arcs[0] >= 0:
            _, dependent, arc_params, arcs, _ = arcs
            if params[dependent - 1] is None:
                params[dependent - 1] = arc_params
        if self.system.root == "none" and self.is_final and None in params:
            params[params.index(None)] = ("root",)
        return tuple([found[0] if found else None for found in params])

    def extended(self, source: DependencyTree) -> Self:
        """The same in a longer sentence, which begins with the same words; the others join the buffer.

        >>> from deptrees.transition import ArcHybrid, Shift
        >>> cfg = Shift()(ArcHybrid().initial(["Birds"])).extended(ArcHybrid().tree_of(["Birds", "sing"]))
        >>> cfg.stack, cfg.buffer
        ((0, 1), (2,))
        """
        buffer = _buffer(len(source), self.system.root, 1 + len(self.source))
        for element in reversed(self.buffer):
            if element:
                buffer = (element, buffer, buffer[2] | 1 << element)
        return type(self)((source, self._state[1], buffer, *self._state[3:]))

    def settled_cost(self, costs: Sequence[Sequence[float]]) -> int:
        """What the heads of the words cost that are neither on the stack nor in the buffer.

        Args:
            costs: for each position the cost of each head it could have, the cost of having none last.
        """
        words = (2 << len(self.source)) - 2
        settled = words & ~(self.stack_bits | self.buffer_bits)
        cost, arcs = 0.0, self._state[3]
        while arcs[0] >= 0:
            head, dependent, _, arcs, _ = arcs
            if settled >> dependent & 1:  # a later arc to the same word, which comes first here, takes its place
                settled ^= 1 << dependent
                cost += costs[dependent][head]
        while settled:
            word = settled.bit_length() - 1
            settled ^= 1 << word
            cost += costs[word][-1]
        return int(cost)

    # The compiled class of each system overrides these two with functions made of its table.

    @property
    def is_final(self) -> bool:
        raise NotImplementedError

    def possible_transitions(self) -> tuple[Transition, ...]:
        raise NotImplementedError

    def take(self, transition: Transition) -> Self:
        try:
            step = self.table.steps[type(transition)]
        except KeyError:
            raise IllegalTransition(f"{self.system} has no {type(transition).__name__}") from None
        return step(self, transition)  # type: ignore[no-any-return]

    def is_possible(self, transition: Transition) -> bool:
        is_possible = self.table.is_possible.get(type(transition))
        return is_possible is not None and bool(is_possible(self, transition))

    def dependent(self, transition: Transition) -> int | None:
        dependent = self.table.dependents.get(type(transition))
        return None if dependent is None else dependent(self, transition)

    def added(self, transition: Transition) -> tuple[int, int] | None:
        # The others need not be looked through.
        return None if self.dependent(transition) is None else self.take(transition).latest_arc

    def __hash__(self) -> int:
        # Labels and the order of the stack take longer to find than they help.
        return hash((self.stack_bits, self.buffer_bits, self.heads))

    def _content(self) -> tuple[object, ...]:
        return self.stack, self.buffer, self.heads, self.labels

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "β": self.buffer}


def _nth(cell: Cell, i: int) -> int:
    for _ in range(i):
        cell = cell[1]
    return cell[0]


def _elements(cell: Cell) -> list[int]:
    found = []  # faster than a generator
    while (element := cell[0]) >= 0:
        found.append(element)
        cell = cell[1]
    return found


@attrs.frozen(repr=False)
class StackBufferSystem(System["StackBufferConfiguration"]):
    """A transition system over (σ, β, A), written as a table.

    A system of this kind is a subclass that states its ``rows`` and its ``final`` conditions; all else follows. A table
    that cannot mean anything is refused when it is first used, and the error names the row.

    Args:
        root: where ROOT stands at the beginning: ``"first"``, alone on the stack; ``"last"``, at the end of the buffer;
            or ``"none"``, nowhere: the one word that is left without a head becomes a dependent of ROOT, with the label
            ``"root"`` (Sartorio 2015, section 7.2).
        single_root: whether ROOT gets a single dependent. Without ROOT it always does.

    Raises:
        ValueError: the system cannot do that.
    """

    rows: ClassVar[tuple[Row, ...]]
    """The transitions, in the order in which the static oracle prefers them."""
    final: ClassVar[tuple[Condition, ...]]
    """The conditions that hold in final configurations and in no others."""
    roots: ClassVar[tuple[str, ...]] = ("first", "last")
    is_table = True
    most_words = 1 << 15  # as for gold trees in the engine: the sets of elements in all cells take half a gigabyte

    root: Literal["first", "last", "none"] = attrs.field(default="first", kw_only=True)
    single_root: bool = attrs.field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.root not in self.roots:
            roots = " or ".join(map(repr, self.roots))
            raise ValueError(f"root must be {roots} in {type(self).__name__}, not {self.root!r}")
        if self.single_root and self.root != "none" and not self.can_have_single_root:
            raise ValueError(f"{type(self).__name__} cannot guarantee that ROOT has a single dependent")

    @property
    def variant(self) -> Set[Variant]:
        """What this system is, of all that its table has conditions for."""
        is_variant: dict[Variant, bool] = {"single root": self.single_root, "empty meant": not self.empty_means_unknown}
        return {self.root, *[variant for variant, holds in is_variant.items() if holds]}

    @property
    def has_single_root(self) -> bool:
        return self.single_root or self.root == "none"

    @cached_property
    def has_any_k(self) -> bool:
        """Whether there are transitions for every k, as many as the stack has elements."""
        return any(row.k is None for row in self.rows)

    @cached_property
    def lookahead(self) -> int | None:  # type: ignore[override]  # which depends on the table
        """How many words after b0 its preconditions look at; see `System`."""
        conditions = [condition for row in rows_applying_to(self.rows, self.variant) for condition in row.when]
        return max(int(place.index) for condition in conditions for place in condition.places if place.side == "b")

    @cached_property
    def keeps_arcs(self) -> bool:
        """Whether no transition gives a word that has a head another one."""
        attaching = [(row, row.dependent) for row in self.rows if row.dependent]
        return all(drop(word) in row.do for row, word in attaching) or all(
            word.side == "b" or unattached(word) in row.when for row, word in attaching
        )

    @property
    def longest_arc(self) -> int | None:
        """The length of the longest arc that the system builds, ``None`` if there is no limit."""
        return None

    def initial(self, source: Sentence) -> StackBufferConfiguration:
        source = self.tree_of(source)
        stack = (0, _END, 1) if self.root == "first" else _END
        return self._configuration((source, stack, _buffer(len(source), self.root), _NO_ARCS, None, None))

    @property
    def oracles(self) -> Oracles:
        return self._configuration.oracles  # type: ignore[return-value]  # of the class: see `_configurations`

    @cached_property
    def _configuration(self) -> type[StackBufferConfiguration]:
        return _configurations(self)

    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        """All transitions, in the order of the rows: those that add an arc once for each label, if there are any.

        A row that is for every k stands in it with k = 1.
        """
        space: list[Transition] = []
        for row in self.rows:
            kind: Callable[..., Transition] = row.transition
            k = {} if row.k in (1, None) else {"k": row.k}
            space += [kind(label, **k) for label in labels] if labels and row.dependent else [kind(**k)]
        return tuple(space)

    @property
    def variants(self) -> Set[str]:
        """What systems of this class can be, of all that the table has conditions for."""
        return {*self.roots, *(["single root"] if self.can_have_single_root else []), "lazy", "empty meant"}

    def tables(self) -> Iterator[DrawnTable]:
        """The rows as tables to read, with conditions for all that systems of this class can be."""
        from deptrees.transition.table.page import tables_of_rows

        return tables_of_rows(self.rows, self.variants)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return f"<h3>{escaped(repr(self))}</h3>" + "".join(table.html() for table in self.tables())

    def conflicts(self) -> Conflicts | None:
        """What lost arcs do not tell of costs; ``None`` if the system is arc-decomposable."""
        return None

    def loss(self) -> Loss | None:
        """The exact loss against any gold tree; ``None`` if no way to compute it is known."""
        return None if loss_obstacle(self) else TabularLoss(self.rows)

    @property
    def without_loss(self) -> str | None:
        return loss_obstacle(self) if self.loss() is None else None

    def estimated_loss(self) -> Loss | None:
        """An estimate of the loss, never too low, where the exact one may take too long to find."""
        return None

    def obstacle(self, tree: DependencyTree) -> str | None:
        of_type("tree", tree, DependencyTree, "a gold tree")
        if not tree.is_annotated and self.oracles.dynamic is None:
            return f"word {tree.heads.index(None) + 1} has no gold head, and {self} has no oracle that can do without"
        return super().obstacle(tree)


def _buffer(n: int, root: str, first: int = 1) -> Cell:
    """The buffer of a sentence of n words from one of them on; short sentences of the same length share it."""
    return (_words if n <= _LONG else _words.__wrapped__)(n, root, first)


@lru_cache(maxsize=256)
def _words(n: int, root: str, first: int) -> Cell:
    buffer = (0, _END, 1) if root == "last" else _END
    for word in range(n, first - 1, -1):
        buffer = (word, buffer, buffer[2] | 1 << word)
    return buffer


@cache
def _configurations(system: StackBufferSystem) -> type[StackBufferConfiguration]:
    """The class of a system's configurations: its table, compiled."""
    kind: Any = type(f"{type(system).__name__}Configuration", (StackBufferConfiguration,), {"__slots__": ()})
    kind.system = system
    kind.table = compile_table(system.rows, system.final, system.variant, system.longest_arc, kind)
    kind.is_final = property(kind.table.is_final)
    kind.possible_transitions = kind.table.possible
    kind.oracles = table_oracles(kind.table, system)
    return kind  # type: ignore[no-any-return]
