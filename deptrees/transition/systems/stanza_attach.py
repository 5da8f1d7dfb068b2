"""The system of the transition-based parser of Stanza."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import attrs

from deptrees.transition.losses.stanza_attach import StanzaAttachLoss
from deptrees.transition.systems.explicit import ExplicitSystem, ReadingConfiguration
from deptrees.transition.systems.pointing import PointingConfiguration
from deptrees.transition.transitions import ArcTransition, Attach, LeftArc, Shift, Transition
from deptrees.trees.heads import topmost
from deptrees.trees.tree import Sentence

__all__ = ["StanzaAttach", "StanzaAttachConfiguration"]


class StanzaAttach(ExplicitSystem["StanzaAttachConfiguration"]):
    """The system of the transition-based parser that Stanza (Qi et al. 2020) has since 2026.

    A configuration is a stack σ of the roots of subtrees, a buffer β, at first of all words, and arcs A. The k of a
    transition is a word. LeftArc(k) attaches to s0 the root k of another subtree, and Attach(k) attaches s0 to the word
    k of another subtree, wherever in it that is.

    ========== ======================================== ====== =============
    Transition Preconditions                            Arc    Moves
    ========== ======================================== ====== =============
    LeftArc(k) s1 exists, k ≠ s0, k is in σ             s0 → k k leaves σ
    Attach(k)  s1 exists, k is not in β or in s0's tree k → s0 s0 leaves σ
    Shift      b0 exists                                       b0 to σ
    ========== ======================================== ====== =============

    Parsing ends when the buffer is empty and one root is left, which becomes the only dependent of ROOT, with the label
    ``"root"``. Every tree in which ROOT has a single dependent can be built. In Stanza, arcs with s1 have transitions
    of their own, beside those with any element, and ROOT's arc is a transition, too, when it is the only one possible.

    A sentence of n words takes 2n - 1 transitions, each with up to n possible k. Losses take O(n²) time if the gold
    arcs that are left can be built together, and otherwise that of O(n²) maximum spanning trees.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> for cfg, transition in Oracle(StanzaAttach(), static_oracle)(tree):
    ...     print(cfg.stack, cfg.buffer, transition)
    () (1, 2, 3, 4, 5) Shift()
    (1,) (2, 3, 4, 5) Shift()
    (1, 2) (3, 4, 5) Shift()
    (1, 2, 3) (4, 5) Shift()
    (1, 2, 3, 4) (5,) LeftArc()
    (2, 3, 4) (5,) LeftArc(k=2)
    (3, 4) (5,) LeftArc(k=3)
    (4,) (5,) Shift()
    (4, 5) () Attach()
    """

    transitions = (LeftArc(), Attach(), Shift())
    loss = StanzaAttachLoss

    @property
    def has_any_k(self) -> bool:
        return True

    @property
    def has_single_root(self) -> bool:
        return True

    def initial(self, source: Sentence) -> StanzaAttachConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return StanzaAttachConfiguration(self, source, nothing, nothing, (), 1)


@attrs.frozen(repr=False)
class StanzaAttachConfiguration(PointingConfiguration, ReadingConfiguration):
    """A configuration (σ, β, A).

    >>> cfg = Shift()(Shift()(StanzaAttach().initial(["Birds", "sing", "again"])))
    >>> cfg.stack, cfg.buffer, cfg.possible_transitions()
    ((1, 2), (3,), (LeftArc(), Attach(), Shift()))
    """

    stack: tuple[int, ...]
    """The roots of the subtrees, the last one last."""
    front: int
    """The front of the buffer, or one more than there are words."""

    @property
    def is_final(self) -> bool:
        return self.front > len(self.heads) and len(self.stack) < 2

    def possible_transitions(self) -> tuple[Transition, ...]:
        *others, s0 = self.stack or (0,)
        words = range(1, self.front) if others else ()
        outside = tuple([word for word in words if topmost(word, self.heads) != s0])
        return _pointing_at(tuple(others), outside, self.front <= len(self.heads))

    def missing(self, transition: Transition) -> str | None:
        if isinstance(transition, Shift):
            return None if self.front <= len(self.heads) else "b0 exists"
        if not isinstance(transition, (LeftArc, Attach)):
            return "it belongs to this system"
        if len(self.stack) < 2:
            return "s1 exists"
        if isinstance(transition, LeftArc):
            return None if transition.k in self.stack[:-1] else "k ≠ s0 and k is in σ"
        if 0 < transition.k < self.front and topmost(transition.k, self.heads) != self.stack[-1]:
            return None
        return "k is not in β or in s0's tree"

    def _after(self, transition: Transition) -> StanzaAttachConfiguration:
        heads, labels, stack, front = self.heads, self.labels, self.stack, self.front
        if isinstance(transition, ArcTransition):
            heads, labels = self._attached(transition)
            stack = tuple([word for word in stack if word != self.arc(transition)[1]])
        else:
            stack, front = (*stack, front), front + 1
        if front > len(heads) and len(stack) == 1:
            before, after = slice(stack[0] - 1), slice(stack[0], None)
            heads, labels = (*heads[before], 0, *heads[after]), (*labels[before], "root", *labels[after])
        return StanzaAttachConfiguration(self.system, self.source, heads, labels, stack, front)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        s0 = self.stack[-1]
        return (s0, transition.k) if isinstance(transition, LeftArc) else (transition.k, s0)

    def pair(self, k: int) -> tuple[int, int]:
        return self.stack[-1] if self.stack else 0, k

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "β": self.buffer}


@lru_cache(maxsize=1 << 12)
def _pointing_at(joined: tuple[int, ...], attached: tuple[int, ...], can_shift: bool) -> tuple[Transition, ...]:
    """The transitions with these k: always the same objects, which are quickly found again where they were seen."""
    return (*[LeftArc(k=k) for k in joined], *[Attach(k=k) for k in attached], *[Shift()] * can_shift)
