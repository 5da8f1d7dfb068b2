"""The 2-planar system (Gómez-Rodríguez & Nivre 2010): two stacks, so that arcs may cross."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import attrs

from deptrees.projectivity import crossing_arcs
from deptrees.token import Token
from deptrees.transition.configuration import Configuration, Oracles, System, sentence
from deptrees.transition.exact_search import ExactSearch
from deptrees.transition.transitions import (
    ArcTransition,
    IllegalTransition,
    LeftArc,
    Reduce,
    RightArc,
    Shift,
    Switch,
    Transition,
)
from deptrees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["TwoPlanar", "TwoPlanarConfiguration"]


@attrs.frozen(repr=False)
class TwoPlanar(System):
    """2-planar: every word is pushed on two stacks, and arcs join the top of the active one, s0, with b0.

    It builds all 2-planar trees: those whose arcs, with those from ROOT, can be drawn above and below the sentence so
    that no two of them cross (Gómez-Rodríguez & Nivre 2010). All trees of up to four words are 2-planar.

    ========== ================================================================== ======================================
    Transition Preconditions                                                      Effect
    ========== ================================================================== ======================================
    LeftArc    s0 ≠ 0 has no head, no path s0 →* b0                               b0 → s0
    RightArc   b0 ≠ 0 has no head, no path b0 →* s0; last word: a path 0 →* s0    s0 → b0
    Shift      b0 ≠ 0; last word: every word has a head                           b0 is pushed on both stacks
    Reduce     s0 ≠ 0 has a head or is on the other stack, too                    s0 is taken off the active stack
    Switch     not behind another, the stacks differ, not a dead end              the other stack becomes the active one
    ========== ================================================================== ======================================

    The published system stops at any forest. Here the preconditions see to it that every word gets a head: what has
    none stays on one of the stacks, and what is said of the last word, if ROOT stands first, keeps heads in reach for
    all that are left. Parsing ends when all words are out of the buffer and have a head.

    The static oracle adds arcs as soon as it can, shifts when b0 has no more of them, reduces only what stands in the
    way, and switches only when nothing else will do. The dynamic oracle is exact for every gold tree, by search. That
    is fast for trees of treebanks; where nearly all arcs cross in 18 words or more, it may end in LossNotFound.

    Args:
        root: where ROOT stands at the beginning: ``"first"``, at the bottom of both stacks, or ``"last"``, at the end
            of the buffer.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(3, "Who"), (0, "did"), (2, "you"), (1, "say")])
    >>> for cfg, transition in Oracle(TwoPlanar(), static_oracle)(tree):
    ...     print(cfg.stack, cfg.inactive_stack, cfg.buffer, transition)
    (0,) (0,) (1, 2, 3, 4) Shift()
    (0, 1) (0, 1) (2, 3, 4) Reduce()
    (0,) (0, 1) (2, 3, 4) RightArc()
    (0,) (0, 1) (2, 3, 4) Shift()
    (0, 2) (0, 1, 2) (3, 4) RightArc()
    (0, 2) (0, 1, 2) (3, 4) Reduce()
    (0,) (0, 1, 2) (3, 4) Switch()
    (0, 1, 2) (0,) (3, 4) Reduce()
    (0, 1) (0,) (3, 4) LeftArc()
    (0, 1) (0,) (3, 4) Shift()
    (0, 1, 3) (0, 3) (4,) Reduce()
    (0, 1) (0, 3) (4,) RightArc()
    (0, 1) (0, 3) (4,) Shift()
    """

    projective_only = False

    root: Literal["first", "last"] = attrs.field(
        default="first", validator=attrs.validators.in_(["first", "last"]), kw_only=True
    )

    def initial(self, source: DependencyTree | Iterable[str | Token]) -> TwoPlanarConfiguration:
        source = sentence(source)
        bottom, nothing = int(self.root == "first"), (None,) * len(source)
        return TwoPlanarConfiguration(self, source, bottom, bottom, 1, nothing, nothing)

    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        space: list[Transition] = []
        for kind in (LeftArc, RightArc):
            space += map(kind, labels) if labels else [kind()]
        return (*space, Shift(), Reduce(), Switch())

    def obstacle(self, tree: DependencyTree) -> str | None:
        start = self.initial(tree)
        if _bound(start, tree) or _search.loss(start, tree):  # where the bound does not tell, a head is missing
            return f"{self} builds 2-planar trees only, and the tree is not 2-planar"
        return None


@attrs.frozen(repr=False)
class TwoPlanarConfiguration(Configuration):
    """A configuration of an active stack σ, an inactive stack σ', a buffer β and arcs A.

    Stacks are in the order of the sentence, so each is kept as a set: the bits of an integer.

    >>> cfg = TwoPlanar().initial(["Birds", "can", "sing"])
    >>> for transition in (Shift(), LeftArc("nsubj"), Reduce(), RightArc("root"), Switch()):
    ...     cfg = transition(cfg)
    >>> cfg.stack, cfg.inactive_stack, cfg.buffer, cfg.arcs
    ((0, 1), (0,), (2, 3), ((2, 1), (0, 2)))
    """

    _system: TwoPlanar
    source: DependencyTree = attrs.field(eq=attrgetter("words"), hash=False)
    _active: int
    _inactive: int
    _front: int  # b0, or one more than there are words
    heads: tuple[int | None, ...]
    labels: tuple[Any, ...]
    _switched: bool = False  # whether the last transition was Switch

    @property
    def system(self) -> TwoPlanar:
        """The system it belongs to."""
        return self._system

    @property
    def stack(self) -> tuple[int, ...]:
        """The active stack, its top last."""
        return _elements(self._active)

    @property
    def inactive_stack(self) -> tuple[int, ...]:
        """The stack that Switch makes the active one, its top last."""
        return _elements(self._inactive)

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        words = range(self._front, len(self.source) + 1)
        return (*words, 0) if self._system.root == "last" else tuple(words)

    @property
    def is_final(self) -> bool:
        return self._front > len(self.source) and None not in self.heads

    def possible_transitions(self) -> tuple[Transition, ...]:
        return tuple([transition for transition in _TRANSITIONS if not self._missing(transition)])

    def take(self, transition: Transition) -> Self:
        if missing := self._missing(transition):
            raise IllegalTransition(f"{transition!r} needs {missing} in {self!r}")
        active, inactive, front, heads, labels = self._active, self._inactive, self._front, self.heads, self.labels
        if isinstance(transition, Shift):
            active, inactive, front = active | 1 << front, inactive | 1 << front, front + 1
        elif isinstance(transition, Reduce):
            active ^= 1 << self._s0
        elif isinstance(transition, ArcTransition):
            head, dependent = self._arc(transition)
            heads = (*heads[: dependent - 1], head, *heads[dependent:])
            labels = (*labels[: dependent - 1], transition.label, *labels[dependent:])
        else:
            return self._with_stacks_switched()
        return type(self)(self._system, self.source, active, inactive, front, heads, labels)

    def allows(self, transition: Transition) -> bool:
        return not self._missing(transition)

    def dependent(self, transition: Transition) -> int | None:
        return self._arc(transition)[1] if isinstance(transition, LeftArc | RightArc) else None

    @property
    def _s0(self) -> int:
        """The top of the active stack, -1 if there is none."""
        return self._active.bit_length() - 1

    @property
    def _is_last_head(self) -> bool:
        """Whether b0 is the last that can become the head of words on the stacks."""
        return self._system.root == "first" and self._front == len(self.source)

    def _arc(self, transition: Transition) -> tuple[int, int]:
        """The head and the dependent that a possible transition joins."""
        b0 = self._front if self._front <= len(self.source) else 0
        return (b0, self._s0) if isinstance(transition, LeftArc) else (self._s0, b0)

    def _with_stacks_switched(self) -> Self:
        return type(self)(
            self._system, self.source, self._inactive, self._active, self._front, self.heads, self.labels, True
        )

    def _missing(self, transition: Transition) -> str | None:
        """The precondition of a transition that does not hold; ``None`` if all do."""
        if self.is_final:
            return "a configuration that is not final"
        if isinstance(transition, Shift):
            if self._front > len(self.source):
                return "b0 ≠ 0"
            return "every word to have a head" if self._is_last_head and None in self.heads else None
        if isinstance(transition, Switch):
            return self._missing_to_switch()
        if not isinstance(transition, LeftArc | RightArc | Reduce):
            return "to be a transition of this system"
        if transition.k != 1:
            return "k = 1"
        if self._active == 0:
            return "s0"
        return self._missing_to_reduce() if isinstance(transition, Reduce) else self._missing_for_arc(transition)

    def _missing_to_switch(self) -> str | None:
        if self._switched:
            return "another transition before it"
        if self._active == self._inactive:
            return "stacks that differ"
        # Only if b0 cannot be shifted something may be wanting.
        if not self.allows(Shift()) and not self._with_stacks_switched().possible_transitions():
            return "another transition to be possible behind it"
        return None

    def _missing_to_reduce(self) -> str | None:
        s0 = self._s0
        if s0 == 0:
            return "s0 ≠ 0"
        if self.heads[s0 - 1] is None and not self._inactive >> s0 & 1:
            return f"word {s0} to have a head or to be on the other stack"
        return None

    def _missing_for_arc(self, transition: Transition) -> str | None:
        head, dependent = self._arc(transition)
        if dependent == 0:
            return "a dependent other than ROOT"
        if self.heads[dependent - 1] is not None:
            return f"word {dependent} to have no head"
        top = self._topmost(head)
        if top == dependent:
            return f"that no path leads from {dependent} to {head}"
        if top and dependent == self._front and self._is_last_head:
            return f"a path from 0 to {head}, since nothing else is left to be the head of word {top}"
        return None

    def _topmost(self, element: int) -> int:
        """The topmost of an element's ancestors: ROOT, or a word without a head."""
        while element and (head := self.heads[element - 1]) is not None:
            element = head
        return element

    def __repr__(self) -> str:
        arcs = ", ".join(f"{head} → {dependent}" for head, dependent in self.arcs)
        return f"{self._system!r}: σ = {self.stack}, σ' = {self.inactive_stack}, β = {self.buffer}, A = ({arcs})"


def _elements(bits: int) -> tuple[int, ...]:
    """The elements of a set that is the bits of an integer, in ascending order."""
    return tuple([element for element in range(bits.bit_length()) if bits >> element & 1])


_TRANSITIONS = (LeftArc(), RightArc(), Shift(), Reduce(), Switch())


# Losses are found by search. The rest of this file is what makes it short: what a configuration's future depends on,
# which transitions are worth trying, and how many errors are certain.


def _key(cfg: TwoPlanarConfiguration) -> tuple[Any, ...]:
    """The stacks, the buffer, and how the words in them hang together."""
    words = _elements((cfg._active | cfg._inactive | 1 << cfg._front) & (2 << len(cfg.heads)) - 1)
    return cfg._active, cfg._inactive, cfg._front, cfg._switched, tuple([cfg._topmost(word) for word in words])


def _steps(cfg: TwoPlanarConfiguration, tree: DependencyTree) -> Iterator[tuple[Transition, ...]]:
    """Shift, and all arcs that are worth building, each behind the transitions that prepare it.

    What is on a stack is in nobody's way but that of such an arc, so there is no other need to reduce or to switch.
    """
    if cfg.allows(Shift()):
        yield (Shift(),)
    if cfg._switched and cfg.allows(Reduce()):
        yield (Reduce(),)  # which makes Switch possible
    yield from _arcs(cfg, tree, ())
    if cfg.allows(Switch()):
        yield from _arcs(Switch()(cfg), tree, (Switch(),))


def _arcs(
    cfg: TwoPlanarConfiguration, tree: DependencyTree, before: tuple[Transition, ...]
) -> Iterator[tuple[Transition, ...]]:
    """The arcs between elements of the active stack and b0. Of wrong heads that hang together the first one will do."""
    tops: set[int] = set()
    while True:
        if cfg.allows(LeftArc()):
            yield *before, LeftArc()
        if cfg.allows(RightArc()):
            top = cfg._topmost(cfg._s0)
            if top not in tops or tree.has_arc(cfg._s0, cfg._front):
                tops.add(top)
                yield *before, RightArc()
        if not cfg.allows(Reduce()):
            break
        cfg, before = Reduce()(cfg), (*before, Reduce())


_ACTIVE, _INACTIVE, _BOTH = 0b01, 0b10, 0b11
_Arc = tuple[int, int, int]
"""The left end of an arc, its right end, and the stacks that it can be built with, as bits."""
_Live = dict[int, _Arc]
"""Gold arcs that can still be built, by their dependents. ROOT is 0 if it stands first, and otherwise n + 1."""


def _bound(cfg: TwoPlanarConfiguration, tree: DependencyTree) -> int:
    """How many gold arcs are lost, and how many more must be given up for the others, as far as can be told quickly."""
    live = _live_arcs(cfg, tree)
    lost = sum(aim is None and gold is not None for aim, gold in zip(_aims(cfg, tree, live), tree.heads, strict=True))
    clashes = _clashes(cfg, tree, live)
    if len(clashes) != 1:
        return lost + (len(clashes) or _is_stranded(cfg, tree, live))
    (clash,) = clashes
    others = ({word: arc for word, arc in live.items() if word != given_up} for given_up in clash)
    return lost + 1 + min(len(_clashes(cfg, tree, rest)) or _is_stranded(cfg, tree, rest) for rest in others)


def _clashes(cfg: TwoPlanarConfiguration, tree: DependencyTree, live: _Live) -> list[set[int]]:
    """Sets of live arcs, apart from each other, of each of which one must be given up.

    They make a cycle together with the arcs that are there (as in Gómez-Rodríguez & Fernández-González 2015), or cross
    so that two stacks are not enough.
    """
    _, cycles = _tops(_aims(cfg, tree, live))
    clashes = [live.keys() & cycle for cycle in cycles]
    acyclic = {word: arc for word, arc in live.items() if not any(word in clash for clash in clashes)}
    return clashes + _tangles(acyclic, _crossing(tree.heads))


def _aims(cfg: TwoPlanarConfiguration, tree: DependencyTree, live: _Live) -> list[int | None]:
    """For each word its head, or its gold head if that arc can still be built."""
    pairs = enumerate(zip(cfg.heads, tree.heads, strict=True), 1)
    return [gold if word in live else head for word, (head, gold) in pairs]


def _live_arcs(cfg: TwoPlanarConfiguration, tree: DependencyTree) -> _Live:
    root = 0 if cfg._system.root == "first" else len(tree) + 1
    live = {}
    for word, (head, gold) in enumerate(zip(cfg.heads, tree.heads, strict=True), 1):
        if head is None and gold is not None:
            arc = _arc_between(cfg, word, gold or root)
            if arc[2]:
                live[word] = arc
    return live


def _arc_between(cfg: TwoPlanarConfiguration, one: int, other: int) -> _Arc:
    left, right = (one, other) if one < other else (other, one)
    if left >= cfg._front:
        return left, right, _BOTH
    if right < cfg._front:
        return left, right, 0
    return left, right, (cfg._active >> left & 1) | (cfg._inactive >> left & 1) << 1


def _tops(heads: Sequence[int | None]) -> tuple[list[int], list[list[int]]]:
    """For ROOT and each word the topmost of its ancestors, -1 if they run in a circle; and these cycles."""
    unknown, on_path = -3, -2
    tops, cycles = [0, *[unknown] * len(heads)], []
    for start in range(1, len(heads) + 1):
        path, word = [], start
        while tops[word] == unknown:
            tops[word] = on_path
            path.append(word)
            head = heads[word - 1]
            if head is None:
                tops[word] = word
            else:
                word = head
        top = tops[word]
        if top == on_path:
            cycles.append(path[path.index(word) :])
            top = -1
        for word in path:
            tops[word] = top
    return tops, cycles


@lru_cache(maxsize=64)
def _crossing(heads: tuple[int | None, ...]) -> list[tuple[int, int]]:
    """The dependents of arcs that cross."""
    pairs = crossing_arcs(DependencyTree((head, "") for head in heads))
    return [(dependent, other) for (_, dependent), (_, other) in pairs]


def _tangles(live: _Live, crossing: list[tuple[int, int]]) -> list[set[int]]:
    """Sets of arcs, apart from each other, that two stacks are not enough for."""
    neighbours: dict[int, list[int]] = {}
    for one, other in crossing:
        if one in live and other in live:
            neighbours.setdefault(one, []).append(other)
            neighbours.setdefault(other, []).append(one)
    tangles = []
    while tangle := _tangle(live, neighbours):
        tangles.append(tangle)
        neighbours = {
            word: [other for other in others if other not in tangle]
            for word, others in neighbours.items()
            if word not in tangle
        }
    return tangles


def _tangle(live: _Live, neighbours: dict[int, list[int]]) -> set[int]:
    """Some arcs, by their dependents, that cannot be shared out between two stacks; none if all can."""
    stack: dict[int, int] = {}
    before: dict[int, int] = {}
    for start in sorted(neighbours, key=lambda word: live[word][2]):  # those that have no choice come first
        if start in stack:
            continue
        stack[start] = live[start][2] & _ACTIVE or _INACTIVE
        todo = deque([start])
        while todo:
            word = todo.popleft()
            for other in neighbours[word]:
                if other not in stack:
                    stack[other] = _BOTH - stack[word]
                    before[other] = word
                    todo.append(other)
                    if not stack[other] & live[other][2]:
                        return set(_way(other, before))
                elif stack[other] == stack[word]:
                    return {*_way(word, before), *_way(other, before)}
    return set()


def _way(word: int, before: dict[int, int]) -> Iterator[int]:
    yield word
    while word in before:
        word = before[word]
        yield word


def _is_stranded(cfg: TwoPlanarConfiguration, tree: DependencyTree, live: _Live) -> bool:
    """Whether some word on the stacks finds no head if all live arcs are built.

    Its head must come from the buffer, must not be below it, and the arc must not cross any that have no other stack.
    """
    aims = _aims(cfg, tree, live)
    orphans = {word for word, aim in enumerate(aims[: cfg._front - 1], 1) if aim is None}
    if not orphans:
        return False
    tops, _ = _tops(aims)
    buffer = {word: tops[word] for word in range(cfg._front, len(tops))}
    if cfg._system.root == "last":
        buffer[len(tops)] = 0
    return orphans.issuperset(buffer.values()) or not all(
        (cfg._active >> word & 1 and _has_head(word, _ACTIVE, live, buffer))
        or (cfg._inactive >> word & 1 and _has_head(word, _INACTIVE, live, buffer))
        for word in orphans
    )


def _has_head(word: int, stack: int, live: _Live, buffer: dict[int, int]) -> bool:
    """Whether the buffer, given with the topmost ancestors of its elements, holds a head for a word on a stack."""
    only_here = [(left, right) for left, right, stacks in live.values() if stacks == stack]
    first = max((right for left, right in only_here if left > word), default=0)
    last = min((right for left, right in only_here if left < word), default=max(buffer))
    return any(top != word for element, top in buffer.items() if first <= element <= last)


def _is_tight(cfg: TwoPlanarConfiguration, tree: DependencyTree) -> bool:
    """Whether all live arcs can be built together with some arcs to the words that have none.

    Arcs that make a tree can be built if they can be shared out between the stacks so that none cross. As heads of
    those words only some are tried: ROOT, or, for a word on the stacks that ROOT stands before, words in the buffer.
    """
    live = _live_arcs(cfg, tree)
    if cfg._switched or _clashes(cfg, tree, live):
        return False
    aims = _aims(cfg, tree, live)
    tops, _ = _tops(aims)
    crossing = _crossing(tree.heads)
    orphans = [word for word, aim in enumerate(aims, 1) if aim is None]
    attached = {0, *[word for word in orphans if word >= cfg._front]}
    for word in orphans:
        for head in _heads_to_try(cfg, word, tops, attached):
            arc = _arc_between(cfg, word, head)
            crossing_too = crossing + [(word, other) for other in live if _cross(arc, live[other])]
            if not _tangles({**live, word: arc}, crossing_too):
                live[word], crossing = arc, crossing_too
                attached.add(word)
                break
        else:
            return False
    return True


def _heads_to_try(cfg: TwoPlanarConfiguration, word: int, tops: Sequence[int], attached: set[int]) -> Iterable[int]:
    """Heads for a word that has no other; those in the buffer must hang together with what is attached already."""
    if cfg._system.root == "last":
        return (len(tops),)
    if word >= cfg._front:
        return (0,)
    return [head for head in range(len(tops) - 1, cfg._front - 1, -1) if tops[head] in attached]


def _cross(arc: _Arc, other: _Arc) -> bool:
    """Whether two arcs cross if they are built with the same stack, and can be so."""
    (left, right, stacks), (other_left, other_right, other_stacks) = arc, other
    return bool(stacks & other_stacks) and (
        left < other_left < right < other_right or other_left < left < other_right < right
    )


_search = ExactSearch(key=_key, bound=_bound, is_tight=_is_tight, steps=_steps)
TwoPlanarConfiguration.oracles = Oracles(
    static=_search.static,
    static_prefer_shift=_search.static,
    nondeterministic=_search.dynamic,
    dynamic=_search.dynamic,
    cost=_search.cost,
    any_tree=True,
)
