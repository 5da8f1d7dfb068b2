"""Arc-eager as spaCy has it (Honnibal & Johnson 2015)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import attrs

from deptrees.transition.losses.spacy_arc_eager import SpacyArcEagerLoss
from deptrees.transition.systems.explicit import ExplicitConfiguration, ExplicitSystem
from deptrees.transition.transitions import ArcTransition, Break, LeftArc, Reduce, RightArc, Shift, Transition
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["SpacyArcEager", "SpacyArcEagerConfiguration"]


@attrs.frozen(repr=False)
class SpacyArcEager(ExplicitSystem["SpacyArcEagerConfiguration"]):
    """Arc-eager as spaCy 3.8 has it (Honnibal & Johnson 2015): words go back to the buffer, heads are replaced.

    A configuration is a stack σ, at first empty, a buffer β of all words, and arcs A. There is no ROOT: a word without
    a head that is alone on the stack when Reduce takes it off becomes a dependent of ROOT, with the label ``"root"``.
    Any other word without a head goes back to the front of the buffer. So that this comes to an end, it may not be
    shifted again before it has got another dependent on its left, unless the stack is empty.

    ========== ================================================= ======= ===============================================
    Transition Preconditions                                     Arc     Moves
    ========== ================================================= ======= ===============================================
    LeftArc    s0 and b0 exist; b0 begins no sentence            b0 → s0 s0 is taken off
    RightArc   s0 and b0 exist; b0 begins no sentence            s0 → b0 b0 to σ
    Reduce     s0 exists                                                 s0 back to β if it has no head and s1 exists,
                                                                         otherwise s0 is taken off
    Shift      b0 exists; σ is empty, or b1 exists, and b0 may           b0 to σ
               be shifted again, and begins no sentence
    Break      b1 is the word after b0, and begins no sentence           (b1 begins a sentence)
    ========== ================================================= ======= ===============================================

    LeftArc replaces the head that s0 may have. Parsing ends when stack and buffer are empty. The result is a projective
    tree, and every projective tree can be built. Break is only for words of several sentences in a row: no arc joins
    what comes before the beginning of a sentence with the rest.

    In the order of σ and β, all projective trees are reachable in which words with a head on the stack keep it, or get
    one on their right and no dependents on their left. So Shift, and Reduce when the word goes back, cost nothing, and
    for projective gold trees the system is arc-decomposable. For others, Eisner's algorithm finds a best reachable
    tree. The static oracle is arc-eager's: of what costs nothing it takes gold arcs, Reduce and Shift first.

    A sentence of n words takes between 2n and 6n - 10 transitions, or 2n if that is more, and one more with Break.
    Costs take O(n) time if the gold tree is projective, and otherwise O(n³).

    Args:
        breaks: whether there is Break.

    >>> from deptrees.transition import Oracle, dynamic_oracle
    >>> tree = DependencyTree([(3, "the"), (3, "old"), (0, "dog")])
    >>> for cfg, transitions in Oracle(SpacyArcEager(), dynamic_oracle)(tree):
    ...     print(cfg.stack, cfg.buffer, cfg.arcs, transitions)
    () (1, 2, 3) () (Shift(),)
    (1,) (2, 3) () (RightArc(), Shift())
    (1, 2) (3,) () (LeftArc(), Reduce())
    (1,) (2, 3) () (RightArc(),)
    (1, 2) (3,) ((1, 2),) (LeftArc(),)
    (1,) (3,) ((3, 2),) (LeftArc(),)
    () (3,) ((3, 1), (3, 2)) (Shift(),)
    (3,) () ((3, 1), (3, 2)) (Reduce(),)
    """

    projective_only = True
    loss = SpacyArcEagerLoss

    breaks: bool = attrs.field(default=False, kw_only=True)

    @cached_property
    def transitions(self) -> tuple[Transition, ...]:  # type: ignore[override]
        """All transitions; Break only if it is asked for."""
        return (LeftArc(), RightArc(), Reduce(), Shift(), *[Break()] * self.breaks)

    def adds_arc(self, transition: ArcTransition) -> bool:
        return not isinstance(transition, Reduce)

    def preferred(self, cfg: SpacyArcEagerConfiguration, tree: DependencyTree) -> Transition | None:
        def is_detour(transition: Transition) -> bool:
            if isinstance(transition, Reduce):
                return cfg.goes_back
            return isinstance(transition, RightArc) and not tree.has_arc(*cfg.arc(transition))

        return min(self.loss().free(cfg, tree), key=is_detour, default=None)

    def initial(self, source: Sentence) -> SpacyArcEagerConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return SpacyArcEagerConfiguration(self, source, nothing, nothing, (), (), 1, 0, 0)


@attrs.frozen(repr=False)
class SpacyArcEagerConfiguration(ExplicitConfiguration):
    """A configuration (σ, β, A), with what may not be shifted again and where sentences begin.

    >>> cfg = Reduce()(Shift()(Shift()(SpacyArcEager().initial(["Birds", "sing", "again"]))))
    >>> cfg.stack, cfg.buffer, cfg.heads, cfg.possible_transitions()
    ((1,), (2, 3), (None, None, None), (LeftArc(), RightArc(), Reduce()))
    """

    stack: tuple[int, ...]
    """The stack, its top last."""
    _returned: tuple[int, ...]  # the words that went back to the buffer, b0 last
    _front: int  # the first word that has never been on the stack, or one more than there are words
    barred: int
    """The words of the buffer that may not be shifted before they get a dependent, as the bits of an integer."""
    starts: int
    """The words that begin a sentence, as the bits of an integer."""

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return (*self._returned[::-1], *range(self._front, len(self.heads) + 1))

    @property
    def stack_bits(self) -> int:
        """The elements of the stack as the bits of an integer."""
        return sum([1 << word for word in self.stack])

    @property
    def buffer_bits(self) -> int:
        """The elements of the buffer as the bits of an integer."""
        return (2 << len(self.heads)) - (1 << self._front) + sum([1 << word for word in self._returned])

    @property
    def is_final(self) -> bool:
        return not self.stack and self._b0 == 0

    @property
    def _b0(self) -> int:
        """The front of the buffer, 0 if it is empty."""
        return self._returned[-1] if self._returned else self._front if self._front <= len(self.heads) else 0

    @property
    def goes_back(self) -> bool:
        """Whether Reduce moves s0 back to the buffer."""
        return len(self.stack) > 1 and self.heads[self.stack[-1] - 1] is None

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        s0, b0 = self.stack[-1], self._b0
        return (b0, s0) if isinstance(transition, LeftArc) else (s0, b0)

    def missing(self, transition: Transition) -> str | None:
        if isinstance(transition, Break) and self.system.breaks:
            return self._missing_for_break()
        if not isinstance(transition, (LeftArc, RightArc, Reduce, Shift)):
            return "it belongs to this system"
        if isinstance(transition, ArcTransition) and transition.k != 1:
            return "k = 1"
        if not self.stack and not isinstance(transition, Shift):
            return "s0 exists"
        if isinstance(transition, Reduce):
            return None
        if not self._b0:
            return "b0 exists"
        if self.stack and self.starts >> self._b0 & 1:
            return "b0 begins no sentence"
        if isinstance(transition, Shift) and self.stack:
            if self.barred >> self._b0 & 1:
                return "b0 may be shifted again"
            if len(self._returned) + len(self.heads) == self._front:
                return "b1 exists"
        return None

    def _missing_for_break(self) -> str | None:
        b1 = self._b0 + 1
        if not 1 < b1 <= len(self.heads) or (self._returned and b1 not in (*self._returned[-2:-1], self._front)):
            return "b1 is the word after b0"
        return "b1 begins no sentence" if self.starts >> b1 & 1 else None

    def _after(self, transition: Transition) -> SpacyArcEagerConfiguration:
        heads, labels = self.heads, self.labels
        stack, returned, front, barred, starts = self.stack, self._returned, self._front, self.barred, self.starts
        if isinstance(transition, Break):
            starts |= 1 << self._b0 + 1
        elif isinstance(transition, Reduce):
            s0, stack = stack[-1], stack[:-1]
            if self.goes_back:
                returned, barred = (*returned, s0), barred | 1 << s0
            elif heads[s0 - 1] is None:
                heads, labels = (*heads[: s0 - 1], 0, *heads[s0:]), (*labels[: s0 - 1], "root", *labels[s0:])
        else:
            barred &= ~(1 << self._b0)
            if isinstance(transition, ArcTransition):
                heads, labels = self._attached(transition)
            if isinstance(transition, LeftArc):
                stack = stack[:-1]
            else:
                stack = (*stack, self._b0)
                returned, front = (returned[:-1], front) if returned else (returned, front + 1)
        parts = stack, returned, front, barred, starts
        return SpacyArcEagerConfiguration(self.system, self.source, heads, labels, *parts)

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.stack[::-1], self.buffer

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "β": self.buffer}
