"""Easy-first (Goldberg & Elhadad 2010)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.transition.configuration import Configuration, Label, Oracles, System, labeled, last_possible
from deptrees.transition.losses.arc_costs import ArcCosts
from deptrees.transition.transitions import IllegalTransition, LeftArc, RightArc, Transition
from deptrees.trees.eisner import eisner
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree, as_tree

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["EasyFirst", "EasyFirstConfiguration"]


@attrs.frozen(repr=False)
class EasyFirst(System):
    """Easy-first (Goldberg & Elhadad 2010): arcs between neighbours, anywhere, from complete dependents only.

    A configuration is a list λ, at first of ROOT and all words, and arcs A. A transition attaches an element of λ to
    its neighbour and takes it off. With k it says which pair of neighbours it joins: λ[k-1] and λ[k], counted from 0,
    so that k is 1, 2, 3, ... from left to right.

    =========== ===================================== ============= ==================
    Transition  Precondition                          Arc           Taken off the list
    =========== ===================================== ============= ==================
    LeftArc(k)  λ[k-1] ≠ 0                            λ[k] → λ[k-1] λ[k-1]
    RightArc(k) single root: λ[k-1] ≠ 0 or λ = (0, i) λ[k-1] → λ[k] λ[k]
    =========== ===================================== ============= ==================

    Parsing ends when ROOT is alone in the list: after n transitions, with a projective tree; every projective tree can
    be built. The system is arc-decomposable for projective gold trees (Goldberg & Nivre 2013, section 4.5). For other
    gold trees the dynamic oracle asks Eisner's algorithm for the best tree over λ. The static oracle attaches the
    leftmost word that it can.

    A sentence of n words takes n transitions, each of them with one k out of as many as λ has neighbours. Costs take
    O(n) time if the gold tree is projective, and otherwise O(m³) if m elements of λ have crossing arcs around them.

    Args:
        single_root: whether ROOT gets one child only.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, nondeterministic_oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> for cfg, transition in Oracle(EasyFirst(), static_oracle)(tree):
    ...     print(cfg.pending, transition)
    (0, 1, 2, 3, 4) LeftArc(k=2)
    (0, 2, 3, 4) LeftArc(k=3)
    (0, 2, 4) RightArc(k=2)
    (0, 2) RightArc()
    >>> nondeterministic_oracle(EasyFirst().initial(tree), tree)
    (LeftArc(k=2), LeftArc(k=4))
    """

    projective_only = True

    single_root: bool = attrs.field(default=False, kw_only=True)

    def initial(self, source: DependencyTree | Iterable[str | Token]) -> EasyFirstConfiguration:
        source = as_tree(source)
        n = len(source)
        kind = _SingleRootConfiguration if self.single_root else EasyFirstConfiguration
        return kind(source, tuple(range(n + 1)), (None,) * n, (None,) * n, (2 << n) - 1)

    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        """The two kinds of transitions, once for each label, or bare if there are none.

        They stand for those with any k, of which there are as many as the sentence has words.
        """
        space: list[Transition] = []
        for kind in (LeftArc, RightArc):
            space += map(kind, labels) if labels else [kind()]
        return tuple(space)


@attrs.frozen(repr=False)
class EasyFirstConfiguration(Configuration):
    """A configuration (λ, A).

    >>> cfg = LeftArc("nsubj", k=2)(EasyFirst().initial(["Birds", "sing"]))
    >>> cfg.pending, cfg.heads, cfg.labels, cfg.possible_transitions()
    ((0, 2), (2, None), ('nsubj', None), (RightArc(),))
    """

    system: ClassVar[EasyFirst] = EasyFirst()

    source: DependencyTree = attrs.field(eq=attrgetter("words"), hash=False)
    pending: tuple[int, ...]
    """The list λ: ROOT, and the words that have no head."""
    heads: tuple[int | None, ...]
    labels: tuple[Any, ...]
    pending_bits: int = attrs.field(eq=False)
    """The elements of λ as the bits of an integer."""

    @property
    def is_final(self) -> bool:
        return len(self.pending) == 1

    def possible_transitions(self) -> tuple[Transition, ...]:
        return _joining(len(self.pending), self.system.single_root)

    def take(self, transition: Transition) -> Self:
        if missing := self._missing(transition):
            raise IllegalTransition(f"{transition!r} needs {missing} in {self!r}")
        head, dependent = self._arc(transition)
        index = self.pending.index(dependent)
        return type(self)(
            self.source,
            self.pending[:index] + self.pending[index + 1 :],
            (*self.heads[: dependent - 1], head, *self.heads[dependent:]),
            (*self.labels[: dependent - 1], transition.label, *self.labels[dependent:]),  # type: ignore[attr-defined]
            self.pending_bits ^ 1 << dependent,
        )

    def allows(self, transition: Transition) -> bool:
        return not self._missing(transition)

    def dependent(self, transition: Transition) -> int | None:
        return self._arc(transition)[1]

    def neighbours(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.pending[:k][::-1], self.pending[k:]

    def _missing(self, transition: Transition) -> str | None:
        """The precondition of a transition that does not hold; ``None`` if all do."""
        if not isinstance(transition, LeftArc | RightArc):
            return "to be a transition of this system"
        if not 0 < transition.k < len(self.pending):
            return "λ[k-1] and λ[k]"
        if isinstance(transition, LeftArc) and transition.k == 1:
            return "λ[k-1] ≠ 0"
        if self.system.single_root and transition.k == 1 and len(self.pending) > 2 and isinstance(transition, RightArc):
            return "λ[k-1] ≠ 0 or λ = (0, i)"
        return None

    def _arc(self, transition: Any) -> tuple[int, int]:
        """The head and the dependent that a possible transition joins."""
        left, right = self.pending[transition.k - 1 : transition.k + 1]
        return (right, left) if isinstance(transition, LeftArc) else (left, right)

    def __repr__(self) -> str:
        arcs = ", ".join(f"{head} → {dependent}" for head, dependent in self.arcs)
        return f"{self.system!r}: λ = {self.pending}, A = ({arcs})"


@attrs.frozen(repr=False)
class _SingleRootConfiguration(EasyFirstConfiguration):
    """A configuration of the system that gives ROOT one child only."""

    system: ClassVar[EasyFirst] = EasyFirst(single_root=True)


@lru_cache(maxsize=256)
def _joining(length: int, single_root: bool) -> tuple[Transition, ...]:
    """The transitions that join two neighbours in a list of some length."""
    never = {LeftArc()} if length == 2 or not single_root else {LeftArc(), RightArc()}
    joining = (kind(k=k) for k in range(1, length) for kind in (LeftArc, RightArc))
    return tuple(transition for transition in joining if transition not in never)


# A transition costs the gold arcs between its dependent and the rest of λ, but for the one it adds; and it may put an
# end to conflicts between gold arcs, which only trees that are not projective have.


def _static(cfg: EasyFirstConfiguration, tree: DependencyTree, label: Label) -> Transition:
    for transition in _losing_nothing(cfg, tree):
        return labeled(transition, cfg, tree, label)
    return last_possible(cfg, tree, label)


def _nondeterministic(cfg: EasyFirstConfiguration, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
    return tuple([labeled(transition, cfg, tree, label) for transition in _losing_nothing(cfg, tree)])


def _dynamic(cfg: EasyFirstConfiguration, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
    conflicts = _conflicts(cfg, tree)
    if conflicts == 0:
        return _nondeterministic(cfg, tree, label)
    return tuple(
        labeled(transition, cfg, tree, label)
        for transition in cfg.possible_transitions()
        if (lost := _lost(cfg, tree, transition)) <= conflicts and lost + _conflicts(transition(cfg), tree) == conflicts
    )


def _cost(cfg: EasyFirstConfiguration, tree: DependencyTree, transition: Transition) -> int:
    after = _conflicts(transition(cfg), tree)
    return _lost(cfg, tree, transition) + after - _conflicts(cfg, tree)


def _losing_nothing(cfg: EasyFirstConfiguration, tree: DependencyTree) -> Iterator[Transition]:
    return (transition for transition in cfg.possible_transitions() if not _lost(cfg, tree, transition))


def _lost(cfg: EasyFirstConfiguration, tree: DependencyTree, transition: Transition) -> int:
    """How many gold arcs between elements of λ can be built before a transition and not behind it."""
    head, dependent = cfg._arc(transition)
    arcs = tree.head_bits[dependent] & ~(1 << head) | tree.dependent_bits[dependent]
    return (arcs & cfg.pending_bits).bit_count()


def _conflicts(cfg: EasyFirstConfiguration, tree: DependencyTree) -> int:
    """How many gold arcs between elements of λ the best projective tree over λ must do without."""
    core = _core(cfg, tree)
    index: dict[int | None, int] = {element: index for index, element in enumerate(core)}
    return _missed((-1, *[index.get(tree.heads[word - 1], -1) for word in core[1:]]), cfg.system.single_root)


def _core(cfg: EasyFirstConfiguration, tree: DependencyTree) -> list[int]:
    """What is left of λ when all is taken off that can be without losing a gold arc.

    A word without gold dependents in λ can be taken off if its gold head is its neighbour or is not in λ: what a tree
    attaches to it can as well be attached to its head. Of a projective gold tree only ROOT is left, and its child if
    it gets one only: then ROOT does not count as a neighbour.
    """
    core, left, index = list(cfg.pending), cfg.pending_bits, 1
    while index < len(core):
        word = core[index]
        neighbours = sum(1 << element for element in core[index - 1 : index + 2])
        if cfg.system.single_root:
            if len(core) == 2:
                break
            neighbours &= ~1
        if tree.dependent_bits[word] & left or tree.head_bits[word] & left & ~neighbours:
            index += 1
        else:
            del core[index]
            left ^= 1 << word
            index = max(index - 1, 1)
    return core


@lru_cache(maxsize=1 << 14)
def _missed(gold: tuple[int, ...], single_root: bool) -> int:
    """How many of these arcs the best projective tree must do without.

    Args:
        gold: for each position its head, -1 if it has none; the root stands first.
        single_root: whether the root has one child only.
    """
    heads, positions = np.array(gold), np.arange(len(gold))
    return _least((heads >= 0) & (heads != positions[:, None]), single_root)


def _least(costs: npt.ArrayLike, single_root: bool) -> int:
    """The cost of the best projective tree."""
    charts, from_root = eisner(costs), np.asarray(costs)[0, 1:]
    if not single_root or not len(from_root):
        return int(charts.minimum)
    return int((from_root + charts.complete[1:, 1] + charts.complete[1:, -1]).min())


def _least_cost(costs: ArcCosts, system: EasyFirst) -> Callable[[EasyFirstConfiguration], int]:
    """The least cost with which parsing can end: that of the arcs so far and of the best projective tree over λ."""

    def cost(cfg: EasyFirstConfiguration) -> int:
        settled = sum(costs[head, dependent] for head, dependent in cfg.arcs)
        return int(settled) + _least(costs[np.ix_(cfg.pending, cfg.pending)], system.single_root)

    return cost


EasyFirstConfiguration.oracles = Oracles(
    static=_static,
    nondeterministic=_nondeterministic,
    dynamic=_dynamic,
    cost=_cost,
    least_cost=_least_cost,
    any_tree=True,
)
