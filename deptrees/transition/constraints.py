"""Parsing under constraints: what is known about a sentence's tree before it is parsed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from math import inf
from typing import Any, Literal, TypeVar

import attrs
import numpy as np
from more_itertools import always_iterable

from deptrees.messages import listed, of_type, quoted, whole_number
from deptrees.transition.configuration import Configuration
from deptrees.transition.labels import LabelHeads
from deptrees.transition.losses.arc_costs import MOST_WORDS, ArcCosts
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.oracles import OracleNotDefined, loss
from deptrees.transition.system import System
from deptrees.transition.transitions import ArcTransition, Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["BrokenConstraints", "Constraints", "Known"]

Direction = Literal["left", "right"]
_Choice = TypeVar("_Choice")

_LONGEST = 1 << 20
"""Words of a sentence for which heads are listed one by one."""


class BrokenConstraints(ValueError):
    """Constraints cannot be met: they contradict each other, or what has been parsed, or the system."""


def _items(mapping: Mapping[int, Any]) -> tuple[tuple[int, Any], ...]:
    try:
        return tuple(sorted(dict(mapping).items()))
    except (TypeError, ValueError):
        raise TypeError(f"constraints are mappings from words, such as {{1: 2}}, not {quoted(mapping)}") from None


def _heads(mapping: Mapping[int, int | Iterable[int]]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return _choices(mapping)


def _labels(mapping: Mapping[int, str | Iterable[str]]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    return _choices(mapping)


def _choices(mapping: Mapping[int, _Choice | Iterable[_Choice]]) -> tuple[tuple[int, tuple[_Choice, ...]], ...]:
    """What each word has to choose from."""
    return tuple([(word, tuple(sorted({*always_iterable(among)}, key=_order))) for word, among in _items(mapping)])


def _order(choice: object) -> tuple[bool, object]:
    """Positions by number, and after them labels, or what is no head, which is refused when the sentence is known."""
    return (False, choice) if isinstance(choice, int | np.integer) else (True, str(choice))


def _pairs(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    try:
        return tuple((first, last) for first, last in spans)
    except (TypeError, ValueError):
        raise ValueError(f"spans are pairs of a first and a last word, such as [(1, 3)], not {quoted(spans)}") from None


@attrs.frozen
class Constraints:
    """What is known about a sentence's tree: heads, directions, labels, spans (Aufrant & Wisniewski 2017, section 4.5).

    Parsing takes only transitions after which all constraints can still be met, so it always ends with a tree that
    meets them, whichever of these transitions it chooses. Nivre, Goldberg & McDonald 2014 do this with arcs and spans
    in arc-eager.

    Args:
        heads: for some words, their head or all possible ones. Other words may have any head, or none if the system
            leaves words without one.
        directions: for some words, whether their head is to the ``"left"`` or to the ``"right"`` of them; ROOT is to
            the left of all words.
        spans: the first and the last word of each part of the sentence in which a single word has its head outside.
        labels: for some words, the label of their arc or all possible ones; such a word has a head. They apply to
            transitions with labels: those that attach the word come with each of its labels.

    >>> from deptrees.transition import ArcEager, Shift
    >>> constraints = Constraints(heads={2: 0}, directions={1: "right"}, spans=[(3, 4)])
    >>> cfg = Shift()(ArcEager().initial(["They", "saw", "her", "duck"]))
    >>> constraints.transitions(cfg)
    (LeftArc(),)
    >>> cfg.possible_transitions()
    (LeftArc(), RightArc(), Shift())
    >>> Constraints(heads={1: (2, 4)}, labels={1: ("nsubj", "dep")}).transitions(cfg)
    (LeftArc('dep'), LeftArc('nsubj'), RightArc(), Shift())
    """

    heads: tuple[tuple[int, tuple[int, ...]], ...] = attrs.field(default=(), converter=_heads)
    directions: tuple[tuple[int, Direction], ...] = attrs.field(default=(), converter=_items)
    spans: tuple[tuple[int, int], ...] = attrs.field(default=(), converter=_pairs)
    labels: tuple[tuple[int, tuple[str, ...]], ...] = attrs.field(default=(), converter=_labels)

    @classmethod
    def given(cls, tree: DependencyTree) -> Constraints:
        """All heads and labels of a tree, so that parsing a partially annotated tree keeps them.

        >>> Constraints.given(DependencyTree([(2, "Birds"), (None, "sing", "root")]))
        Constraints(heads=((1, (2,)),), directions=(), spans=(), labels=((2, ('root',)),))
        """
        of_type("tree", tree, DependencyTree, "a tree")
        return cls(
            heads={word: head for word, head in enumerate(tree.heads, 1) if head is not None},
            labels={word: label for word, label in enumerate(tree.labels, 1) if label is not None},
        )

    @classmethod
    def marked(cls, tree: DependencyTree) -> Constraints:
        """The heads of the words that have a 1 in column 9, DEPS (Aufrant & Wisniewski 2017, section 4.5).

        >>> from deptrees import Token
        >>> Constraints.marked(DependencyTree([Token("Birds", head=2, deps="1"), Token("sing", head=0, deps="0")]))
        Constraints(heads=((1, (2,)),), directions=(), spans=(), labels=())

        Raises:
            BrokenConstraints: a word has something other than 1, 0 or nothing there, or 1 but no head.
        """
        of_type("tree", tree, DependencyTree, "a tree")
        heads = {}
        for word, token in enumerate(tree.tokens, 1):
            if token.deps not in (None, "0", "1"):
                remedy = "put 1 there if its head is known, and 0 if not"
                raise BrokenConstraints(f"{tree.name}: word {word} has {quoted(token.deps)} in column 9: {remedy}")
            if token.deps == "1":
                if token.head is None:
                    raise BrokenConstraints(f"{tree.name}: word {word} has a 1 in column 9, but no head")
                heads[word] = token.head
        return cls(heads=heads)

    def in_misc(self, tree: DependencyTree) -> DependencyTree:
        """The tree with what is known about its words in MISC, where feature templates can see it.

        ``KnownHead`` says where the head of a word is, if that is known: ``left`` or ``right`` of it, or ``root`` if it
        is ROOT. ``KnownLabel`` is the label of its arc, if only one is possible.

        >>> tree = Constraints(heads={1: 2, 2: 0}, labels={2: "root"}).in_misc(DependencyTree([(2, "a"), (0, "b")]))
        >>> [token.misc for token in tree]
        ['KnownHead=right', 'KnownHead=root|KnownLabel=root']
        """
        values: dict[int, dict[str, str]] = {word: {"KnownHead": side} for word, side in self.directions}
        for word, heads in self.heads:
            sides = {"left" if head < word else "right" for head in heads}
            if len(sides) == 1:
                values.setdefault(word, {})["KnownHead"] = "root" if heads == (0,) else sides.pop()
        for word, labels in self.labels:
            if len(labels) == 1:
                values.setdefault(word, {})["KnownLabel"] = labels[0]
        if not values:
            return tree
        tokens = [token.with_misc(values.get(word, {})) for word, token in enumerate(tree.tokens, 1)]
        return attrs.evolve(tree, tokens=tokens)

    def transitions(self, cfg: Configuration) -> tuple[Transition, ...]:
        """The possible transitions after which all constraints can still be met.

        They have labels only where labels are constrained. The labels of existing arcs are not checked.

        Attardi's system with its relatives, the 2-planar one, that with two registers and those that swap words search
        for a tree that meets them. There, a transition is also left out if no such tree is found quickly; mostly there
        is none. At the beginning the static oracle is followed, too.

        Raises:
            BrokenConstraints: the constraints cannot be met from this configuration on, or no way is found quickly.
            LossNotFound: the sentence is too long.
            OracleNotDefined: the system has no dynamic oracle; or there are directions, spans or several heads for a
                word, but the system only knows the costs of gold trees.
            ValueError: a constraint is about a word that the sentence does not have.
        """
        n = len(cfg.tokens)
        self._check(n)
        excess = _excess(self, cfg.system, n)
        if (least := _found_quickly(excess, cfg)) > 0 and least < inf:
            words = listed(f"word {word}" for word in self._given_up(cfg, excess))
            raise BrokenConstraints(f"{cfg.system} cannot meet all constraints: give up what they say of {words}")
        possible = cfg.possible_transitions() if least == 0 else ()
        free = tuple([transition for transition in possible if _found_quickly(excess, transition(cfg)) == 0])
        if not free and not cfg.is_final:
            search = f"how {quoted(self)} can be met in {quoted(cfg)}"
            raise BrokenConstraints(f"it would take too long to find out {search}: use fewer constraints")
        return tuple([labeled for transition in free for labeled in self._labeled(transition, cfg)])

    def check_labels(self, tree: DependencyTree, labels: Collection[str]) -> None:
        """Make sure that a parser knows the labels that the words of a sentence may have.

        Raises:
            BrokenConstraints: it does not know one of them.
        """
        for word, among in self.labels:
            if unknown := set(among).difference(labels):
                fault = f"cannot have the label {quoted(min(unknown))}, which the parser does not know"
                raise BrokenConstraints(f"{tree.name}: word {word} {fault}")

    def with_heads_of_labels(self, label_heads: LabelHeads, n: int) -> Constraints:
        """The same with the heads that labels ask for, in a sentence of n words, where none are given.

        >>> label_heads = LabelHeads(of_root=("root",), of_words=("nsubj",))
        >>> Constraints(labels={1: "nsubj", 2: "root"}).with_heads_of_labels(label_heads, 3).heads
        ((1, (2, 3)), (2, (0,)))
        """
        n, heads = whole_number("n", n, 0, _LONGEST), {}
        for word, among in self.labels:
            of_words, of_root = map(bool, np.any(label_heads.allowed(among), axis=1))
            others = (other for other in range(1, n + 1) if other != word)
            if not (of_words and of_root) and n > 1:
                heads[word] = tuple(others) if of_words else (0,)
        return attrs.evolve(self, heads={**heads, **dict(self.heads)}) if heads else self

    def broken_by(self, heads: Sequence[int | None]) -> list[int]:
        """The words whose heads break a constraint, ignoring labels.

        >>> Constraints(heads={1: 2}, spans=[(2, 3)]).broken_by([0, 1, 1])
        [1, 2, 3]
        """
        self._check(len(heads))
        outside = [
            [word for word in range(first, last + 1) if not first <= (heads[word - 1] or 0) <= last]
            for first, last in self.spans
        ]
        broken = {word for words in outside if len(words) > 1 for word in words}
        broken |= {word for word, among in self.heads if heads[word - 1] not in among}
        broken |= {word for word, _ in self.labels if heads[word - 1] is None}
        for word, direction in self.directions:
            head = heads[word - 1]
            if head is None or (head > word if direction == "left" else head < word):
                broken.add(word)
        return sorted(broken)

    def _given_up(self, cfg: Configuration, excess: _Excess) -> list[int]:
        """The words of constraints that a best reachable tree breaks."""
        while not cfg.is_final:
            successors = [transition(cfg) for transition in cfg.possible_transitions()]
            cfg = min(successors, key=partial(_found_quickly, excess))
        return self.broken_by(cfg.heads)

    def _labeled(self, transition: Transition, cfg: Configuration) -> Iterator[Transition]:
        """The transition with each label that the word it attaches may have; itself if that is any."""
        labels = dict(self.labels).get(cfg.dependent(transition) or 0)
        if labels is None or not isinstance(transition, ArcTransition):
            return iter([transition])
        return (type(transition)(label, k=transition.k) for label in labels)

    def costs(self, n: int) -> ArcCosts:
        """The cost of each head in a sentence of n words: 1 for each constraint that it breaks.

        >>> Constraints(heads={1: 2}).costs(2)[:, 1].tolist()
        [1.0, 1.0, 0.0, 1.0]
        """
        if n > MOST_WORDS:
            raise LossNotFound(f"a sentence has {n:,} words: constraints are met in up to {MOST_WORDS:,}")
        self._check(n)
        costs = np.zeros((n + 2, n + 1))
        heads = np.arange(n + 2)
        for word, among in self.heads:
            costs[:, word] += ~np.isin(heads, among)
        for word, _ in self.labels:
            costs[-1, word] += 1
        for word, direction in self.directions:
            costs[:, word] += (heads >= word) if direction == "left" else (heads <= word) | (heads > n)
        for first, last in self.spans:
            costs[:, first : last + 1] += ((heads < first) | (heads > last))[:, None]
        return costs

    def _check(self, n: int) -> None:
        constrained = [word for word, _ in (*self.heads, *self.directions, *self.labels)]
        for word in (*constrained, *chain.from_iterable(self.spans)):
            if not 1 <= word <= n:
                raise ValueError(f"a constraint speaks of word {word}, and the words are 1 to {n}")
        for word, among in (*self.heads, *self.labels):
            if not among:
                raise ValueError(f"nothing is left to choose from for word {word}: leave it out if anything will do")
        for word, heads in self.heads:
            for head in heads:
                if not isinstance(head, int | np.integer) or not 0 <= head <= n or head == word:
                    raise ValueError(f"word {word} cannot have the head {head!r} in a sentence of {n} words")
        for word, direction in self.directions:
            if direction not in ("left", "right"):
                raise ValueError(f"the direction of word {word} must be 'left' or 'right', not {direction!r}")
        for first, last in self.spans:
            if first > last:
                raise ValueError(f"a span cannot begin with word {first} and end with word {last}")


Known = Callable[[DependencyTree], Constraints]
"""Tells what is known of a sentence before it is parsed."""

_Excess = Callable[[Configuration], int]


def _found_quickly(excess: _Excess, cfg: Configuration) -> float:
    """The excess in a configuration, infinite where it would take too long to find."""
    try:
        return excess(cfg)
    except LossNotFound:
        return inf


@lru_cache(maxsize=64)
def _excess(constraints: Constraints, system: System, n: int) -> _Excess:
    """From a configuration to the number of heads, in a best reachable tree, that break a constraint."""
    exact = system.oracles.loss
    costs = constraints.costs(n)
    if getattr(system, "root", None) == "none":  # which labels the arc from ROOT itself
        for word, labels in constraints.labels:
            costs[0, word] += "root" not in labels
    cost = None if exact is None else exact.least_costs(costs, system)
    if cost is not None:
        # A word costs that has its head outside a span, and one in each span has to.
        return lambda cfg: cost(cfg) - len(constraints.spans)
    if constraints.directions or constraints.spans or any(len(heads) > 1 for _, heads in constraints.heads):
        raise OracleNotDefined(f"{system} knows no other constraints than labels, and heads one for a word")
    known = {word: head for word, (head,) in constraints.heads}
    tree = DependencyTree((known.get(word), "") for word in range(1, n + 1))
    return lambda cfg: loss(cfg, tree)
