"""LR-spines (Sartorio, Satta & Nivre 2013): trees that take dependents anywhere on the side they turn to each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from operator import add
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
import numpy as np

from deptrees.transition.configuration import Configuration, Label, Oracles, System, labeled, untyped
from deptrees.transition.losses.arc_costs import ArcCosts, cost_so_far
from deptrees.transition.losses.loss import LeastCosts, Loss, oracles_from
from deptrees.transition.transitions import ArcTransition, IllegalTransition, LeftArc, RightArc, Shift, Transition
from deptrees.trees.eisner import eisner
from deptrees.trees.projectivity import is_projective
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree, as_tree

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["LRSpines", "LRSpinesConfiguration"]

Spine = tuple[int, ...]

_Cell = Any  # (left spine, right spine, cell below); None below the last
_ArcCell = Any  # (head, dependent, params, cell behind); None behind the last


@attrs.frozen(repr=False)
class LRSpines(System):
    """LR-spines: a tree of the stack is attached to any node on the facing spine of the tree beside it.

    The spines of a tree are the nodes on its left and right edge that still can take dependents, the root in front.
    ``LeftArc(k=...)`` attaches the second tree of the stack to the k-th node of the first one's left spine,
    ``RightArc(k=...)`` the first to the k-th node of the second one's right spine; ROOT is alone at the bottom from the
    start. It builds all projective trees (Sartorio 2015, section 6.1).

    The static oracle attaches a tree as soon as its gold head is in reach (table 6.2). The dynamic oracle is exact for
    every gold tree, projective or not, annotated in full or in part. Where the gold tree is within reach, it is the
    non-deterministic oracle of table 6.3; elsewhere it compares losses, each of which takes O(n³) time.

    A sentence of n words takes 2n transitions. A word that ROOT has as its only child is attached like any other, but
    after it no other word is attached to ROOT.

    Args:
        single_root: whether ROOT gets one child only.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> for cfg, transition in Oracle(LRSpines(), static_oracle)(tree):
    ...     print(cfg.spines[1:], cfg.buffer, transition)
    () (1, 2, 3, 4) Shift()
    (((1,), (1,)),) (2, 3, 4) Shift()
    (((1,), (1,)), ((2,), (2,))) (3, 4) LeftArc()
    (((2, 1), (2,)),) (3, 4) RightArc()
    () (3, 4) Shift()
    (((3,), (3,)),) (4,) Shift()
    (((3,), (3,)), ((4,), (4,))) () LeftArc()
    (((4, 3), (4,)),) () RightArc(k=2)
    """

    projective_only = True
    can_have_single_root = True

    single_root: bool = attrs.field(default=False, kw_only=True)

    @property
    def oracles(self) -> Oracles:
        return LRSpinesConfiguration.oracles  # type: ignore[return-value]

    @property
    def has_any_k(self) -> bool:
        return True

    def initial(self, source: DependencyTree | Iterable[str | Token]) -> LRSpinesConfiguration:
        source = as_tree(source)
        kind = _SingleRootConfiguration if self.single_root else LRSpinesConfiguration
        return kind((source, ((0,), (0,), None), 1, None))

    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        """The kinds of transitions; ``k``, which nothing but the length of the sentence bounds, is 1 in all of them.

        >>> LRSpines().transition_space(["nsubj", "obj"])
        (LeftArc('nsubj'), LeftArc('obj'), RightArc('nsubj'), RightArc('obj'), Shift())
        """
        params: list[tuple[str, ...]] = [(label,) for label in labels] or [()]
        return (*(LeftArc(*each) for each in params), *(RightArc(*each) for each in params), Shift())


@attrs.frozen(eq=False, repr=False)
class LRSpinesConfiguration(Configuration):
    """A stack of trees, of which only the spines can be seen, a buffer and arcs.

    The stack and the arcs are linked lists that a configuration shares with the one it comes from.

    >>> from deptrees.transition import LeftArc, RightArc, Shift
    >>> cfg = LRSpines().initial(["saw", "a", "dog"])
    >>> for transition in (Shift(), RightArc("root"), Shift(), Shift(), LeftArc("det")):
    ...     cfg = transition(cfg)
    >>> cfg.spines, cfg.buffer, cfg.arcs
    ((((0,), (0, 1)), ((3, 2), (3,))), (), ((0, 1), (3, 2)))
    >>> cfg.possible_transitions()
    (RightArc(), RightArc(k=2))
    >>> RightArc("obj", k=2)(cfg).spines
    (((0,), (0, 1, 3)),)
    """

    system: ClassVar[LRSpines] = LRSpines()

    _state: tuple[DependencyTree, _Cell, int, _ArcCell]  # source, stack, the front of the buffer, arcs

    @property
    def source(self) -> DependencyTree:
        return self._state[0]

    @property
    def spines(self) -> tuple[tuple[Spine, Spine], ...]:
        """The left and the right spine of each tree of the stack, the topmost last."""
        return tuple(_spines(self._state[1]))[::-1]

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        source, _, front, _ = self._state
        return tuple(range(front, len(source) + 1))

    @property
    def heads(self) -> tuple[int | None, ...]:
        heads: list[int | None] = [None] * len(self.source)
        for head, dependent, _ in _arcs(self._state[3]):
            heads[dependent - 1] = head
        return tuple(heads)

    @property
    def labels(self) -> tuple[str | None, ...]:
        labels: list[str | None] = [None] * len(self.source)
        for _, dependent, params in _arcs(self._state[3]):
            labels[dependent - 1] = params[0] if params else None
        return tuple(labels)

    @property
    def is_final(self) -> bool:
        source, stack, front, _ = self._state
        return front > len(source) and stack[2] is None

    def possible_transitions(self) -> tuple[Transition, ...]:
        source, (left, _, below), front, _ = self._state
        possible: list[Transition] = []
        if below is not None:
            if below[0][0] != 0:
                possible += [LeftArc(k=k) for k in range(1, len(left) + 1)]
            first = 2 if self._has_its_child(below[1]) else 1
            possible += [RightArc(k=k) for k in range(first, len(below[1]) + 1)]
        if front <= len(source):
            possible.append(Shift())
        return tuple(possible)

    def take(self, transition: Transition) -> Self:
        if (objection := self._objection(transition)) is not None:
            raise IllegalTransition(f"{transition!r} {objection} in {self!r}")
        source, stack, front, arcs = self._state
        if not isinstance(transition, ArcTransition):
            return type(self)((source, ((front,), (front,), stack), front + 1, arcs))
        (left, right, (left_below, right_below, rest)), k = stack, transition.k
        if isinstance(transition, LeftArc):
            head, dependent = left[k - 1], left_below[0]
            merged = left[:k] + left_below, right
        else:
            head, dependent = right_below[k - 1], right[0]
            merged = left_below, right_below[:k] + right
        return type(self)((source, (*merged, rest), front, (head, dependent, transition.params, arcs)))

    def allows(self, transition: Transition) -> bool:
        return self._objection(transition) is None

    def _objection(self, transition: Transition) -> str | None:
        """What the first precondition that does not hold says; ``None`` if the transition is possible."""
        source, (left, _, below), front, _ = self._state
        if isinstance(transition, Shift):
            return None if front <= len(source) else "needs a word in the buffer"
        if not isinstance(transition, LeftArc | RightArc):
            return "is unknown"
        if below is None:
            return "needs two trees on the stack"
        if isinstance(transition, LeftArc) and below[0][0] == 0:
            return "needs a dependent other than ROOT"
        if isinstance(transition, RightArc) and transition.k == 1 and self._has_its_child(below[1]):
            return "needs a head other than ROOT, which has its child"
        facing = left if isinstance(transition, LeftArc) else below[1]
        return None if 1 <= transition.k <= len(facing) else f"needs 1 ≤ k ≤ {len(facing)}"

    def _has_its_child(self, right: Spine) -> bool:
        """Whether a right spine is that of ROOT and ROOT must not have another child."""
        return self.system.single_root and right[0] == 0 and len(right) > 1

    def dependent(self, transition: Transition) -> int | None:
        left, _, below = self._state[1]
        if isinstance(transition, LeftArc):
            return below[0][0]  # type: ignore[no-any-return]
        return left[0] if isinstance(transition, RightArc) else None

    def neighbours(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        """What stands around the place where transitions with this k work.

        Returns:
            To the left the k-th node of the facing spine of the second tree, then the roots of all trees but the first;
            to the right the same of the first tree, its root, and the buffer. Where a spine is shorter stands -1.
        """
        *below, (left, _) = self.spines
        facing = below[-1][1] if below else ()
        roots = [spine[0] for spine, _ in reversed(below)]
        return (_nth(facing, k), *roots), (_nth(left, k), left[0], *self.buffer)

    def _content(self) -> tuple[Any, ...]:
        return self.spines, self._state[2], self.heads, self.labels

    def __repr__(self) -> str:
        arcs = ", ".join(f"{head} → {dependent}" for head, dependent in self.arcs)
        return f"{self.system!r}: σ = {self.spines}, β = {self.buffer}, A = ({arcs})"


@attrs.frozen(eq=False, repr=False)
class _SingleRootConfiguration(LRSpinesConfiguration):
    """A configuration of the system that gives ROOT one child only."""

    system: ClassVar[LRSpines] = LRSpines(single_root=True)


def _nth(spine: Spine, k: int) -> int:
    return spine[k - 1] if k <= len(spine) else -1


def _spines(cell: _Cell) -> Iterator[tuple[Spine, Spine]]:
    """The spines of the trees from a cell on, the topmost first."""
    while cell is not None:
        yield cell[:2]
        cell = cell[2]


def _arcs(cell: _ArcCell) -> Iterator[tuple[int, int, tuple[Any, ...]]]:
    """The arcs as (head, dependent, params), the newest first."""
    while cell is not None:
        yield cell[:3]
        cell = cell[3]


# What is within reach. Two trees are joined while they are the topmost; by then, all that lay above them has become
# part of the upper one. So exactly those projective trees can be built that contain the arcs built so far and in which
# no other arc leads from the stack to the right to a word whose subtree ends before the topmost tree does.


def _dynamic(cfg: LRSpinesConfiguration, tree: DependencyTree, label: Label) -> tuple[Transition, ...]:
    possible = cfg.possible_transitions()
    if _reaches(cfg, tree):
        best = [transition for transition in possible if _is_correct(transition, cfg, tree)]
    else:
        losses = {transition: _loss(transition(cfg), tree) for transition in possible}
        best = [transition for transition in possible if losses[transition] == min(losses.values())]
    return tuple([labeled(transition, cfg, tree, label) for transition in best])


def _reaches(cfg: LRSpinesConfiguration, tree: DependencyTree) -> bool:
    """Whether all gold heads are known and the gold tree is within reach."""
    _, (_, _, below), _, arcs = cfg._state
    return (
        None not in tree.heads
        and (len(tree.roots) == 1 or not cfg.system.single_root)
        and all(tree.heads[dependent - 1] == head for head, dependent, _ in _arcs(arcs))
        and all(_is_linked_to_the_right(right, tree) for _, right in _spines(below))
        and is_projective(tree)
    )


def _is_correct(transition: Transition, cfg: LRSpinesConfiguration, tree: DependencyTree) -> bool:
    """Whether the gold tree, which is within reach, is so behind a transition too (Sartorio 2015, table 6.3)."""
    left, right, below = cfg._state[1]
    if isinstance(transition, LeftArc):
        return tree.has_arc(left[transition.k - 1], below[0][0])
    if isinstance(transition, RightArc):
        return tree.has_arc(below[1][transition.k - 1], right[0])
    return _is_linked_to_the_right(right, tree)


def _is_linked_to_the_right(right: Spine, tree: DependencyTree) -> bool:
    """Whether a gold arc links the root or the right spine of a tree of the stack to a word behind that tree.

    Without one, the tree must be attached to the left while it is the topmost.
    """
    behind = -1 << right[-1] + 1
    return any(bits & behind for bits in (tree.head_bits[right[0]], *[tree.dependent_bits[word] for word in right]))


# Losses. The best tree within reach is found by Eisner's algorithm (1996). Its chart grows at the left end by one word
# after the other, so that the part for the buffer can be made once for all configurations that have the same buffer.
# As in Sartorio 2015, section 6.4.2, words are left out that some best tree can do without:
# - in the buffer, a word whose only gold arc leads to it from the word beside it. In any tree it can be moved there,
#   and one of the dependents that it had (none is gold) takes its place. So it goes on with the words that remain;
# - in a spine, a node below the root that has no gold dependents on that side. What is attached to it could as well
#   be attached to the next node of the spine, or to the one before if there is no next.

_NEVER = -1 << 30


@attrs.frozen
class _Column:
    """The scores of the spans that end with a word, that is, how many gold arcs they can have.

    Each list begins with the span of the word alone; the next span begins one word before, and so on.

    Args:
        word: the word.
        head: the head that it should have.
        attached: whether it has this head already.
        left: the scores where the word is above all others of the span.
        arcs: the scores where, moreover, the first word of the span depends on it; there is none for the word alone.
        right: the scores where the first word of the span is above all others.
    """

    word: int
    head: int | None
    attached: bool
    left: list[int]
    arcs: list[int]
    right: list[int]

    def score(self, head: int) -> int:
        """The score of an arc from a head to the word."""
        if self.attached:
            return 0 if head == self.head else _NEVER
        return int(head == self.head)


def _grow(
    columns: list[_Column], word: int, head: int | None, attached: bool, buffered: int, single: bool = False
) -> None:
    """Add a word to the left end of a chart.

    Args:
        columns: the chart, its last word first.
        word: the word.
        head: the head that it should have.
        attached: whether it has this head already.
        buffered: how many words of the chart are in the buffer.
        single: whether the word gets one dependent only.
    """
    new = _Column(word, head, attached, [0], [], [0])
    left, arcs, right = [0], [], [0]  # the scores of the spans that begin with the word, the shortest first
    for index in reversed(range(len(columns))):
        column = columns[index]
        between = column.left[-1] if single else max(map(add, right, reversed(column.left)))
        column.arcs.append(between + new.score(column.word))
        arcs.append(between + column.score(word))
        left.append(max(map(add, left, reversed(column.arcs))))
        # A span that ends before the topmost tree has no gold arcs: its other words will be attached to the right.
        right.append(max(map(add, arcs, reversed(column.right))) if index <= buffered else 0)
        column.left.append(left[-1])
        column.right.append(right[-1])
    columns.append(new)


@lru_cache(maxsize=256)
def _buffer_chart(heads: tuple[int | None, ...], front: int) -> list[_Column]:
    """The chart for a buffer, without the words that can be left out."""
    words: list[int] = []
    missing = Counter(heads)  # how many gold dependents each word still has
    for word in range(front, len(heads) + 1):
        words.append(word)
        while len(words) > 1:
            before, last = words[-2:]
            if heads[before - 1] == last and not missing[before]:
                del words[-2]
                missing[last] -= 1
            elif heads[last - 1] == before and not missing[last]:
                del words[-1]
                missing[before] -= 1
            else:
                break
    columns: list[_Column] = []
    for word in reversed(words):
        _grow(columns, word, heads[word - 1], False, len(words))
    return columns


def _loss(cfg: LRSpinesConfiguration, tree: DependencyTree) -> int:
    """The fewest wrong heads that parsing can end with."""
    heads, gold = cfg.heads, tree.heads
    _, stack, front, _ = cfg._state
    columns = [attrs.evolve(c, left=c.left[:], arcs=c.arcs[:], right=c.right[:]) for c in _buffer_chart(gold, front)]
    buffered = len(columns)
    for left, right in _spines(stack):
        root = left[0]
        single = root == 0 and cfg.system.single_root
        # ROOT's only child is not left out: what is attached to it could not as well be attached to ROOT.
        kept = 2 if single else 1
        for head, word in reversed([*pairwise(_useful(right, -1 << right[-1] + 1, tree, kept))]):
            _grow(columns, word, head, True, buffered)
        _grow(columns, root, gold[root - 1] if root else None, False, buffered, single)
        for head, word in pairwise(_useful(left, (1 << left[-1]) - 1, tree, 1)):
            _grow(columns, word, head, True, buffered)
    wrong = sum(gold_head is not None and gold_head != head for gold_head, head in zip(gold, heads, strict=True))
    left_out = len(gold) + 1 - front - buffered
    return wrong - left_out - columns[0].right[-1]


def _useful(spine: Spine, side: int, tree: DependencyTree, kept: int) -> Spine:
    """The nodes of a spine that are not left out: some first ones, and those with gold dependents among some bits."""
    return (*spine[:kept], *[node for node in spine[kept:] if tree.dependent_bits[node] & side])


def _least_cost(costs: ArcCosts, system: LRSpines) -> Callable[[LRSpinesConfiguration], int]:
    """The least cost with which parsing can end: that of the arcs so far and of the best that can be added."""

    def cost(cfg: LRSpinesConfiguration) -> int:
        trees = [(*left[:0:-1], *right) for left, right in cfg.spines]
        elements = np.array([*chain(*trees), *cfg.buffer])
        top = len(trees) - 1
        number = np.array([*(i for i, tree in enumerate(trees) for _ in tree), *[top] * len(cfg.buffer)])
        above = {dependent: head for spine in chain(*cfg.spines) for head, dependent in pairwise(spine)}
        heads = np.array([above.get(element, -1) for element in elements.tolist()])
        arcs = np.where(heads < 0, costs[np.ix_(elements, elements)], np.where(heads == elements[:, None], 0.0, np.inf))
        ends = np.where((number[:, None] < number) & (number < top), np.inf, 0.0)
        if system.single_root:
            ends[0, 1:-1] = np.inf  # a second child would stand behind the subtree of the first
        return cost_so_far(cfg, costs) + int(eisner(arcs, ends).minimum)

    return cost


class LRSpinesLoss(Loss):
    """The loss of LR-spines, exact for every gold tree."""

    def __call__(self, cfg: Any, tree: DependencyTree) -> int:
        return _loss(cfg, tree)

    def zero_cost(self, cfg: Any, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        return _dynamic(cfg, tree, label)

    def least_costs(self, costs: ArcCosts, system: Any) -> LeastCosts:
        return _least_cost(costs, system)


LRSpinesConfiguration.oracles = oracles_from(LRSpinesLoss())  # type: ignore[method-assign, assignment]
