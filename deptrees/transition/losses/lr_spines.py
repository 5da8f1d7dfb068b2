"""The loss of LR-spines: Eisner's algorithm over what is left of the sentence, in a chart that grows to the left.

The problem
    A configuration of LR-spines (Sartorio 2015, chapter 6) is a stack of trees, next to each other in the sentence, and
    a buffer. How many gold heads can the best projective tree have that can still be built?

Invariant: what is reachable
    Exactly those projective trees can be built

    1. that have all arcs built so far;
    2. in which no other arc h → d leads from one tree of the stack to the right, to another, such that the subtree of d
       ends before the topmost tree of the stack does;
    3. in which ROOT has a single dependent, if the system says so.

    2 is necessary: the arc is built when the trees of h and d are the topmost two. By then all that stood above the
    tree of d has become part of it, down to the end of the topmost tree.

    They are enough: where an arc of such a tree joins the topmost two trees, its head is on a facing spine, or the arc
    would span words that do not depend on its head. So it can be built, and 1 and 2 hold afterwards. Where no arc does,
    they hold after Shift. If 2 did not, an arc would lead to the right to a word whose subtree ends exactly with the
    topmost tree, and so would an arc to the root of the topmost tree. This one would span the second tree, whose root
    then has its head to the right, by an arc that joins the topmost two, or to the left, and by 2 a subtree that
    extends over the topmost tree, and so over that head.

Zero cost while the gold tree is reachable (Sartorio 2015, table 6.3)
    An arc costs nothing if it is gold. Shift costs nothing if a gold arc links the topmost tree to the buffer: its root
    has its head there, or a node of its right spine has a dependent there. Otherwise 2 demands that it is attached now.

The loss in any configuration
    The best tree that meets 1 and 2 is found by Eisner's algorithm (1996), in which spans begin and end with a word
    that is above all others of the span. The sequence is made of the nodes of all spines (other nodes get no more
    dependents) and the buffer. Gold arcs to be built score 1; arcs that are there score 0, and their dependents cannot
    have others. Of 2, see `_Chart.grow`. The loss is the number of gold heads that words do not have yet, less the best
    score. It takes O(m³) time for m words. The chart grows at its left end, so that the part for the buffer is made
    once for all configurations that have the same buffer.

Words that are left out (as in Sartorio 2015, section 6.4.2), since some best tree can do without them:

    - in the buffer, a word whose only gold arc leads to it from the word beside it, one after the other. In any tree it
      can be moved there, and one of the dependents that it had, none of which is gold, takes its place. It scores 1;
    - in a spine, a node below the root that has no gold dependents on that side. What is attached to it could as well
      be attached to the next node of the spine, or to the one before if there is no next.

After three Shifts *it* is below *again*, which would have to become part of its subtree before *Sing* can take it: the
arc 1 → 2 is lost, and 1 → 3 is not.

>>> from deptrees.transition import LRSpines, Shift
>>> tree = DependencyTree([(0, "Sing"), (1, "it"), (1, "again")])
>>> cfg = Shift()(Shift()(LRSpines().initial(tree)))
>>> loss = LRSpinesLoss()
>>> cfg.spines, loss(cfg, tree), loss.zero_cost(cfg, tree)
((((0,), (0,)), ((1,), (1,)), ((2,), (2,))), 0, (RightArc(),))
>>> loss(Shift()(cfg), tree)
1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, pairwise
from operator import add, ne
from typing import TYPE_CHECKING

import attrs
import numpy as np

from deptrees.transition.losses.arc_costs import ArcCosts, CostToComeLoss, wrong_heads
from deptrees.transition.losses.loss import cheapest
from deptrees.transition.transitions import ArcTransition, Transition
from deptrees.trees.eisner import eisner
from deptrees.trees.heads import count_cycles, heads_are_projective
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.lr_spines import LRSpinesConfiguration

__all__ = ["LRSpinesLoss"]

Spine = tuple[int, ...]


@attrs.frozen
class LRSpinesLoss(CostToComeLoss["LRSpinesConfiguration"]):
    """The loss of LR-spines, exact for every gold tree."""

    def __call__(self, cfg: LRSpinesConfiguration, tree: DependencyTree) -> int:
        least, is_exact = _estimate(cfg, tree)
        return least if is_exact else self._by_chart(cfg, tree)

    def is_at_most(self, cfg: LRSpinesConfiguration, tree: DependencyTree, limit: int) -> bool:
        least, is_exact = _estimate(cfg, tree)
        return least <= limit and (is_exact or self._by_chart(cfg, tree) <= limit)

    def _by_chart(self, cfg: LRSpinesConfiguration, tree: DependencyTree) -> int:
        buffer = _buffer_chart(tree.heads, cfg.front)
        chart = buffer.copy()
        for left, right in reversed(cfg.spines):
            _add_tree(chart, left, right, tree, cfg.system.single_root)
        left_out: int = len(tree) + 1 - cfg.front - len(buffer.columns)
        return wrong_heads(cfg.heads, tree) - left_out - chart.score

    def free(self, cfg: LRSpinesConfiguration, tree: DependencyTree) -> Iterable[Transition]:
        possible = cfg.possible_transitions()
        if _is_within_reach(tree, cfg):
            return [transition for transition in possible if _keeps(transition, tree, cfg)]
        successors = [transition(cfg) for transition in possible]
        estimates = [_estimate(after, tree) for after in successors]
        enough = min([least for least, is_exact in estimates if is_exact], default=len(tree))
        losses = [  # or less, where it is more than another's all the same
            least if is_exact or least > enough else self._by_chart(after, tree)
            for after, (least, is_exact) in zip(successors, estimates, strict=True)
        ]
        return cheapest(possible, losses)

    def cost_to_come(self, cfg: LRSpinesConfiguration, costs: ArcCosts) -> float:
        return float(eisner(*_costs_within_reach(cfg, costs)).minimum)


def _is_within_reach(tree: DependencyTree, cfg: LRSpinesConfiguration) -> bool:
    """Whether all gold heads are known and the gold tree is reachable."""
    return (
        tree.is_annotated
        and (len(tree.roots) == 1 or not cfg.system.single_root)
        and sum(map(ne, cfg.heads, tree.heads)) == cfg.heads.count(None)  # no head but those to come is another
        and all(_is_linked_to_the_right(right, tree) for _, right in cfg.spines[:-1])
        and is_projective(tree)
    )


def _keeps(transition: Transition, tree: DependencyTree, cfg: LRSpinesConfiguration) -> bool:
    """Whether the gold tree, which is reachable, is so after a transition, too (Sartorio 2015, table 6.3)."""
    if isinstance(transition, ArcTransition):
        return tree.has_arc(*cfg.arc(transition))
    return _is_linked_to_the_right(cfg.spines[-1][1], tree)


def _is_linked_to_the_right(right: Spine, tree: DependencyTree) -> bool:
    """Whether a gold arc links a tree of the stack to the right; if not it must be attached while it is the topmost."""
    beyond = -1 << right[-1] + 1  # as bits
    return any(bits & beyond for bits in (tree.head_bits[right[0]], *[tree.dependent_bits[word] for word in right]))


# Without a chart


def _estimate(cfg: LRSpinesConfiguration, tree: DependencyTree) -> tuple[int, bool]:
    """How many gold heads are lost at least, and whether that is the loss.

    A gold head that can no longer take the word is lost. No more are lost if all others make a projective tree together
    and meet 2: words then left without a head can get one beside them. Where a tree of the stack would be attached to
    the left too early, one more is lost, unless there is a word to the right that loses nothing there.
    """
    heads, lost = _heads_to_be(cfg, tree)
    if cfg.system.single_root or count_cycles(heads) or not (is_projective(tree) or heads_are_projective(heads)):
        return lost, False
    for left, right in cfg.spines[1:-1]:
        root, after = left[0], right[-1] + 1
        head = heads[root - 1]
        if head is not None and head < root and not any(other in right for other in heads[after - 1 :]):
            to_the_right = (*[spine[0] for spine, _ in cfg.spines if spine[0] >= after], *cfg.buffer)
            return lost + all(heads[word - 1] is not None for word in to_the_right), False
    return lost, True


def _heads_to_be(cfg: LRSpinesConfiguration, tree: DependencyTree) -> tuple[tuple[int | None, ...], int]:
    """The heads of all words, or else their gold heads if these can still take them; and how many gold heads cannot."""
    in_buffer = (1 << len(tree) + 1) - (1 << cfg.front)
    left = sum([1 << node for spine, _ in cfg.spines for node in spine], in_buffer)  # what can take dependents there
    right = sum([1 << node for _, spine in cfg.spines for node in spine], in_buffer)
    heads, lost = list(cfg.heads), 0
    for word, (head, gold) in enumerate(zip(cfg.heads, tree.heads, strict=True), 1):
        if gold is not None and gold != head:
            if head is None and (left if gold > word else right) >> gold & 1:
                heads[word - 1] = gold
            else:
                lost += 1
    return tuple(heads), lost


# The chart

_NEVER = -1 << 30


@attrs.frozen
class _Column:
    """The scores of the spans that end with a word, that is, how many gold arcs they can have, the shortest first."""

    word: int
    head: int | None  # that it should have
    attached: bool  # whether it has this head already
    left: list[int]  # where the word is above all others of the span
    arcs: list[int]  # where, moreover, the first word of the span depends on it; there is none for the word alone
    right: list[int]  # where the first word of the span is above all others

    def score(self, head: int) -> int:
        """The score of an arc from a head to the word."""
        if self.attached:
            return 0 if head == self.head else _NEVER
        return int(head == self.head)


@attrs.frozen
class _Chart:
    """The scores of all spans of a sequence of words, which grows at its left end."""

    buffered: int  # how many of its last words are in the buffer
    columns: list[_Column] = attrs.field(factory=list)  # by their last word, that of the last word of all first

    @property
    def score(self) -> int:
        """The score of the best tree over all words whose root is the first."""
        return self.columns[0].right[-1]

    def copy(self) -> _Chart:
        """A chart that can grow while this one remains."""
        columns = [_Column(c.word, c.head, c.attached, c.left[:], c.arcs[:], c.right[:]) for c in self.columns]
        return _Chart(self.buffered, columns)

    def grow(self, word: int, head: int | None, attached: bool, single: bool = False) -> None:
        """Add a word, as in ``_Column``, to the left end; ``single`` if it gets a single dependent."""
        new = _Column(word, head, attached, [0], [], [0])
        left, arcs, right = [0], [], [0]  # the scores of the spans that begin with the word, the shortest first
        for index in reversed(range(len(self.columns))):
            column = self.columns[index]
            between = column.left[-1] if single else max(map(add, right, reversed(column.left)))
            column.arcs.append(between + new.score(column.word))
            arcs.append(between + column.score(word))
            left.append(max(map(add, left, reversed(column.arcs))))
            # A span that ends before the topmost tree does holds no arcs from the word to the right but those that are
            # there (2), which score 0. Other words in it remain, as it were, without gold heads; where the span could
            # be used, one that ends with the word's own tree does no worse.
            right.append(max(map(add, arcs, reversed(column.right))) if index <= self.buffered else 0)
            column.left.append(left[-1])
            column.right.append(right[-1])
        self.columns.append(new)


@lru_cache(maxsize=256)
def _buffer_chart(heads: tuple[int | None, ...], front: int) -> _Chart:
    """The chart for a buffer, without the words that are left out; it is not to be changed."""
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
    chart = _Chart(len(words))
    for word in reversed(words):
        chart.grow(word, heads[word - 1], attached=False)
    return chart


def _add_tree(chart: _Chart, left: Spine, right: Spine, tree: DependencyTree, single_root: bool) -> None:
    """Add a tree of the stack, given by its spines, to the left end of a chart."""
    root = left[0]
    single = root == 0 and single_root
    # ROOT's single dependent is not left out: what is attached to it could not as well be attached to ROOT.
    for head, word in reversed([*pairwise(_useful(right, -1 << right[-1] + 1, tree, 2 if single else 1))]):
        chart.grow(word, head, attached=True)
    chart.grow(root, tree.heads[root - 1] if root else None, attached=False, single=single)
    for head, word in pairwise(_useful(left, (1 << left[-1]) - 1, tree, 1)):
        chart.grow(word, head, attached=True)


def _useful(spine: Spine, side: int, tree: DependencyTree, kept: int) -> Spine:
    """The nodes of a spine that are not left out: the first ``kept`` and those with gold dependents among the side."""
    return (*spine[:kept], *[node for node in spine[kept:] if tree.dependent_bits[node] & side])


def _costs_within_reach(cfg: LRSpinesConfiguration, costs: ArcCosts) -> tuple[ArcCosts, ArcCosts]:
    """What `eisner` needs for the nodes of all spines and the buffer: costs, infinite where 1 or 2 forbid an arc."""
    trees = [(*left[:0:-1], *right) for left, right in cfg.spines]
    elements = np.array([*chain(*trees), *cfg.buffer])
    top = len(trees) - 1
    number = np.array([*(i for i, tree in enumerate(trees) for _ in tree), *[top] * len(cfg.buffer)])
    above = {dependent: head for spine in chain(*cfg.spines) for head, dependent in pairwise(spine)}
    heads = np.array([above.get(element, -1) for element in elements.tolist()])
    arcs = np.where(heads < 0, costs[np.ix_(elements, elements)], np.where(heads == elements[:, None], 0.0, np.inf))
    ends = np.where((number[:, None] < number) & (number < top), np.inf, 0.0)
    if cfg.system.single_root:
        ends[0, 1:-1] = np.inf  # a second dependent of ROOT would stand to the right of the subtree of the first
    return arcs, ends
