"""Arc-eager with arcs in the buffer, and to it over b0 (Fernández-González & Gómez-Rodríguez 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import attrs

from deptrees.transition.losses.arc_eager_buffer import ArcEagerBufferLoss
from deptrees.transition.losses.arc_eager_buffer_non_projective import ArcEagerBufferNonProjectiveLoss, can_build
from deptrees.transition.losses.loss import Loss
from deptrees.transition.systems.arc_eager import ArcEager
from deptrees.transition.systems.explicit import ExplicitConfiguration, ExplicitSystem
from deptrees.transition.transitions import (
    ArcTransition,
    LeftArc,
    LeftBufferArc,
    LeftPassingArc,
    Reduce,
    RightArc,
    RightBufferArc,
    RightPassingArc,
    Shift,
    Transition,
)
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["ArcEagerBuffer", "ArcEagerBufferConfiguration", "ArcEagerBufferNonProjective"]


class ArcEagerBuffer(ExplicitSystem["ArcEagerBufferConfiguration"]):
    """Arc-eager with arcs between the first two elements of the buffer (Fernández-González & Gómez-Rodríguez 2012).

    A configuration is a stack σ, at first empty, a buffer β, at first of all words and ROOT, and arcs A.

    ============== ======================== ======= =======================
    Transition     Preconditions            Arc     Moves
    ============== ======================== ======= =======================
    LeftBufferArc  b0 ≠ 0                   b1 → b0 b0 is taken out
    RightBufferArc b0 ≠ 0, b1 ≠ 0           b0 → b1 b1 is taken out
    LeftArc        s0 exists, has no head   b0 → s0 s0 is taken off
    RightArc       s0 exists, b0 ≠ 0        s0 → b0 b0 to σ
    Reduce         s0 exists, has a head            s0 is taken off
    Shift          b0 ≠ 0                           b0 to σ
    ============== ======================== ======= =======================

    Parsing ends when the stack is empty and ROOT is alone in the buffer. The result is a projective tree, and every
    projective tree can be built. ``ArcEagerBufferNonProjective`` has the paper's other two transitions, too.

    The new transitions do with one decision about neighbors what arc-eager does with two or three. They do not change
    what can be built, so that the system is arc-decomposable as arc-eager is with ROOT last, and losses are arc-eager's
    over what is left (see `deptrees.transition.losses.arc_eager_buffer`). The static oracle prefers them.

    A sentence of n words takes between n and 2n transitions. Costs take O(n) time if the gold tree is projective, and
    otherwise O(n³).

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> for cfg, transition in Oracle(ArcEagerBuffer(), static_oracle)(tree):
    ...     print(cfg.stack, cfg.buffer, transition)
    () (1, 2, 3, 4, 0) LeftBufferArc()
    () (2, 3, 4, 0) Shift()
    (2,) (3, 4, 0) LeftBufferArc()
    (2,) (4, 0) RightArc()
    (2, 4) (0,) Reduce()
    (2,) (0,) LeftArc()
    """

    transitions: ClassVar[tuple[Transition, ...]] = (
        LeftBufferArc(),
        RightBufferArc(),
        LeftArc(),
        RightArc(),
        Reduce(),
        Shift(),
    )
    kinds: ClassVar[tuple[type[Transition], ...]] = tuple(map(type, transitions))
    """The classes of its transitions."""
    projective_only = True
    loss: ClassVar[type[Loss]] = ArcEagerBufferLoss
    base = ArcEager(root="last")
    """The system whose losses it has over what is left."""

    def adds_arc(self, transition: ArcTransition) -> bool:
        return not isinstance(transition, Reduce)

    def initial(self, source: Sentence) -> ArcEagerBufferConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return ArcEagerBufferConfiguration(self, source, nothing, nothing, (), min(1, len(source)), 2)


class ArcEagerBufferNonProjective(ArcEagerBuffer):
    """Arc-eager with arcs in the buffer and over its front (Fernández-González & Gómez-Rodríguez 2012).

    It has all transitions of ``ArcEagerBuffer``, and two more, with arcs between s0 and b1, which pass over b0 and so
    may cross others. The paper tries each of the four that it adds to arc-eager by itself.

    =============== ======================================= ======= ===================
    Transition      Preconditions                           Arc     Moves
    =============== ======================================= ======= ===================
    LeftPassingArc  s0 and b1 exist, s0 has no head         b1 → s0 s0 is taken off
    RightPassingArc s0 and b1 exist, b1 ≠ 0                 s0 → b1 b1 is taken out
    =============== ======================================= ======= ===================

    All projective trees can be built, and many others. No simple property says which, but trying once decides: words
    that have all their dependents leave as soon as they can. Losses are exact: the smallest number of gold arcs that
    must be given up so that the others can be built (see
    `deptrees.transition.losses.arc_eager_buffer_non_projective`).

    A sentence of n words takes between n and 2n transitions, and a try takes as many. The loss takes a few tries for
    each set of conflicting gold arcs, and in the worst case time exponential in the number of such sets.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(5, "Who"), (4, "did"), (4, "you"), (0, "talk"), (4, "to")])
    >>> for cfg, transition in Oracle(ArcEagerBufferNonProjective(), static_oracle)(tree):
    ...     print(cfg.stack, cfg.buffer, transition)
    () (1, 2, 3, 4, 5, 0) Shift()
    (1,) (2, 3, 4, 5, 0) Shift()
    (1, 2) (3, 4, 5, 0) LeftBufferArc()
    (1, 2) (4, 5, 0) LeftArc()
    (1,) (4, 5, 0) LeftPassingArc()
    () (4, 5, 0) RightBufferArc()
    () (4, 0) LeftBufferArc()
    """

    transitions = (*ArcEagerBuffer.transitions, LeftPassingArc(), RightPassingArc())
    kinds = tuple(map(type, transitions))
    projective_only = False
    loss = ArcEagerBufferNonProjectiveLoss

    def obstacle(self, tree: DependencyTree) -> str | None:
        found = super().obstacle(tree)
        if found or can_build(self.initial(tree), tree):
            return found
        reason = "an arc would have to pass over more than one word, or its dependent would have to stay"
        return f"{self} cannot build the tree: {reason}"


@attrs.frozen(repr=False)
class ArcEagerBufferConfiguration(ExplicitConfiguration):
    """A configuration (σ, β, A).

    >>> cfg = RightBufferArc()(ArcEagerBuffer().initial(["Sing", "it", "again"]))
    >>> cfg.stack, cfg.buffer, cfg.arcs
    ((), (1, 3, 0), ((1, 2),))
    """

    stack: tuple[int, ...]
    """The stack, its top last."""
    first: int
    """The front of the buffer, 0 if that is ROOT."""
    front: int
    """The next word in the buffer, or more than there are words."""

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return (*[self.first] * (self.first > 0), *range(self.front, len(self.heads) + 1), 0)

    @property
    def stack_bits(self) -> int:
        """The elements of the stack as the bits of an integer."""
        return sum([1 << word for word in self.stack])

    @property
    def buffer_bits(self) -> int:
        """The elements of the buffer as the bits of an integer."""
        after = (2 << len(self.heads)) - (1 << self.front) if self.front <= len(self.heads) else 0
        return after | 1 << self.first | 1

    @property
    def waiting_bits(self) -> int:
        """The elements of the stack that have no head, as the bits of an integer."""
        return sum([1 << word for word in self.stack if self.heads[word - 1] is None])

    @property
    def is_final(self) -> bool:
        return not self.stack and not self.first

    @property
    def _next(self) -> int:
        """The element of the buffer after its front, if that is a word."""
        return self.front if self.front <= len(self.heads) else 0

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, self.system.kinds):
            return "it belongs to this system"
        if isinstance(transition, ArcTransition) and transition.k != 1:
            return "k = 1"
        needs_s0 = LeftArc, RightArc, LeftPassingArc, RightPassingArc, Reduce
        if isinstance(transition, needs_s0) and not self.stack:
            return "s0 exists"
        if isinstance(transition, (LeftArc, LeftPassingArc, Reduce)):
            has_head = self.heads[self.stack[-1] - 1] is not None
            if has_head != isinstance(transition, Reduce):
                return f"s0 has {'no' if has_head else 'a'} head"
        if not self.first and not isinstance(transition, (LeftArc, Reduce)):
            return "b0 ≠ 0"
        return "b1 ≠ 0" if isinstance(transition, (RightBufferArc, RightPassingArc)) and not self._next else None

    def _after(self, transition: Transition) -> ArcEagerBufferConfiguration:
        heads, labels, stack, first, front = self.heads, self.labels, self.stack, self.first, self.front
        if isinstance(transition, ArcTransition) and not isinstance(transition, Reduce):
            heads, labels = self._attached(transition)
        if isinstance(transition, (LeftArc, LeftPassingArc, Reduce)):
            stack = stack[:-1]
        elif isinstance(transition, (RightBufferArc, RightPassingArc)):
            front += 1
        else:
            if isinstance(transition, (RightArc, Shift)):
                stack = (*stack, first)
            first, front = self._next, front + 1
        return ArcEagerBufferConfiguration(self.system, self.source, heads, labels, stack, first, front)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        if isinstance(transition, LeftBufferArc):
            return self._next, self.first
        if isinstance(transition, RightBufferArc):
            return self.first, self._next
        s0 = self.stack[-1]
        other = self._next if isinstance(transition, (LeftPassingArc, RightPassingArc)) else self.first
        return (other, s0) if isinstance(transition, (LeftArc, LeftPassingArc)) else (s0, other)

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.stack[::-1], self.buffer

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "β": self.buffer}
