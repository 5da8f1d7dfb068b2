"""The loss of arc-eager with arcs in the buffer and arcs that pass over b0.

Which arcs can be built together
    One try tells. A word is *complete* when it has all dependents that it is to get, and *free* if it is to get no
    certain head.

    1. As soon as a complete word can leave, it does: s0, when it has its head or can get it from b0 or b1; b0, when it
       can get its head from s0, and is reduced then, or from b1; b1, when it can get it from s0 or b0. A free word can
       always leave. This is no worse than anything else: the word is no longer needed, and without it no two elements
       are further apart. An arc that would have passed over it joins neighbors, for which there are all arcs. A word
       that would have been pushed with an arc from it can be pushed without.
    2. Otherwise b0 is pushed, with the arc from s0 if it is to have that. All other transitions would take a word away
       that is not complete, or give one a head that it is not to get.

    All arcs can be built if, and only if, in the end ROOT is alone. This takes at most 2n steps.

Loss
    It counts the wrong heads, the gold arcs whose ends are not both on the stack or in the buffer, and the fewest of
    the others to give up so that the rest can be built together: a smallest hitting set of the conflicts, which are
    found as they are needed (see `conflicts`).

Least costs
    Where arcs have any costs (constraints), A* finds them (see `shortest_path`). The bound is the best tree of arcs
    between elements that are on the stack or in the buffer. It is attained if this tree can be built.

The arc 1 → 3 passes over 2, so that 3 leaves the buffer. If it has a dependent on its right, this arc comes too late:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import ArcEagerBufferNonProjective
>>> words = ["Hearing", "scheduled", "on", "it"]
>>> cfg = ArcEagerBufferNonProjective().initial(words)
>>> trees = [DependencyTree(zip(heads, words)) for heads in [(2, 0, 1, 2), (2, 0, 1, 3)]]
>>> [ArcEagerBufferNonProjectiveLoss()(cfg, tree) for tree in trees]
[0, 1]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from deptrees.transition.losses.arc_costs import ArcCosts, best_tree, cost_to_come
from deptrees.transition.losses.conflicts import minimal_conflict, smallest_hitting_set
from deptrees.transition.losses.loss import LeastCosts, Loss
from deptrees.transition.losses.shortest_path import SearchProblem, ShortestPathLoss
from deptrees.transition.losses.work import count_work
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.arc_eager_buffer import ArcEagerBuffer, ArcEagerBufferConfiguration

__all__ = ["ArcEagerBufferNonProjectiveLoss", "can_build"]

_STEP = 20  # the work of a step of a try, in units of `limited_work`


class _Left(NamedTuple):
    """What is left of a configuration: the stack and the buffer, and which words of the stack have a head."""

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    attached: frozenset[int]

    @staticmethod
    def of(cfg: ArcEagerBufferConfiguration) -> _Left:
        attached = frozenset([word for word in cfg.stack if cfg.heads[word - 1] is not None])
        return _Left(cfg.stack, cfg.buffer, attached)

    @property
    def elements(self) -> set[int]:
        """What is on the stack or in the buffer."""
        return {*self.stack, *self.buffer}

    @property
    def headless(self) -> list[int]:
        """The words that have no head yet."""
        return [word for word in (*self.stack, *self.buffer) if word and word not in self.attached]


class ArcEagerBufferNonProjectiveLoss(Loss["ArcEagerBufferConfiguration"]):
    """The loss of arc-eager with arcs in the buffer and arcs that pass over b0, exact for every gold tree."""

    def __call__(self, cfg: ArcEagerBufferConfiguration, tree: DependencyTree) -> int:
        made = zip(cfg.heads, tree.heads, strict=True)
        return sum([head is not None and gold not in (None, head) for head, gold in made]) + _to_come(
            _Left.of(cfg), tree.heads
        )

    def least_costs(self, costs: ArcCosts, system: ArcEagerBuffer) -> LeastCosts:
        return _Search().least_costs(costs, system)


def can_build(cfg: ArcEagerBufferConfiguration, tree: DependencyTree) -> bool:
    """Whether all gold arcs can be built from the beginning."""
    return _can_build(_Left.of(cfg), {word: head for word, head in enumerate(tree.heads, 1) if head is not None})


@lru_cache(maxsize=1 << 12)
def _to_come(left: _Left, gold: tuple[int | None, ...]) -> int:
    """The fewest errors of words that have no head yet."""
    known = {word: head for word in left.headless if (head := gold[word - 1]) is not None}
    elements = left.elements
    targets = {word: head for word, head in known.items() if head in elements}
    lost, conflicts = len(known) - len(targets), list[frozenset[int]]()

    def are_in_conflict(words: Iterable[int]) -> bool:
        return not _can_build(left, {word: targets[word] for word in words})

    while True:
        given_up = smallest_hitting_set(conflicts)
        others = targets.keys() - given_up
        if not are_in_conflict(others):
            return lost + len(given_up)
        conflicts.append(minimal_conflict(others, are_in_conflict))


def _can_build(left: _Left, targets: Mapping[int, int]) -> bool:
    """Whether some arcs, from words to their heads, can be built together; all words are left that have one."""
    count_work(_STEP * 2 * len(left.stack + left.buffer))
    missing = Counter(targets.values())
    stack, buffer, attached = [*left.stack], [*left.buffer[::-1]], {*left.attached}
    while True:
        s0, b0, b1 = stack[-1] if stack else None, buffer[-1], buffer[-2] if len(buffer) > 1 else None
        for word, place, others in ((s0, stack, (b0, b1)), (b0, buffer, (s0, b1)), (b1, buffer, (s0, b0))):
            head = None if word in attached else targets.get(word or 0)
            if word and not missing[word] and (head is None or head in others):
                place.remove(word)
                missing[head or 0] -= 1
                break
        else:
            if not b0:
                return not stack
            head = targets.get(b0)
            if head is not None and head == s0:
                attached.add(b0)
                missing[head] -= 1
            elif head in stack:
                return False
            stack.append(buffer.pop())


class _Search(ShortestPathLoss["ArcEagerBufferConfiguration"]):
    """The least costs, for any costs of arcs."""

    def problem(self, costs: ArcCosts, system: ArcEagerBuffer) -> SearchProblem:
        return _Problem(costs)


class _Problem(SearchProblem["ArcEagerBufferConfiguration"]):
    def key(self, cfg: ArcEagerBufferConfiguration) -> Hashable:
        return _Left.of(cfg)

    def bound(self, cfg: ArcEagerBufferConfiguration) -> int:
        return cost_to_come(cfg, self._best_tree(cfg), self.costs)

    def is_attained(self, cfg: ArcEagerBufferConfiguration) -> bool:
        left, best = _Left.of(cfg), self._best_tree(cfg)
        return _can_build(left, {word: head for word in left.headless if (head := best[word - 1]) is not None})

    def _best_tree(self, cfg: ArcEagerBufferConfiguration) -> list[int | None]:
        elements = _Left.of(cfg).elements
        return best_tree(cfg, self.costs, lambda word: elements)
