"""The 2-planar system (Gómez-Rodríguez & Nivre 2010): two stacks, so that arcs may cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import attrs

from deptrees.messages import quoted
from deptrees.transition.losses.two_planar import TwoPlanarLoss
from deptrees.transition.systems.explicit import ExplicitConfiguration, ExplicitSystem
from deptrees.transition.transitions import ArcTransition, LeftArc, Reduce, RightArc, Shift, Switch, Transition
from deptrees.trees.heads import topmost
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["TwoPlanar", "TwoPlanarConfiguration"]


@attrs.frozen(repr=False)
class TwoPlanar(ExplicitSystem["TwoPlanarConfiguration"]):
    """2-planar: every word is pushed on two stacks, and arcs join the top of the active one, s0, with b0.

    The system builds all 2-planar trees: those whose arcs, including those from ROOT, can be drawn above and below the
    sentence so that no two of them cross (Gómez-Rodríguez & Nivre 2010). All trees of up to four words are 2-planar.

    ========== ================================================================= =======================================
    Transition Preconditions                                                     Effect
    ========== ================================================================= =======================================
    LeftArc    s0 ≠ 0 has no head, no path s0 →* b0                              b0 → s0
    RightArc   b0 ≠ 0 has no head, no path b0 →* s0; last word: a path 0 →* s0   s0 → b0
    Shift      b0 ≠ 0; last word: every word has a head                          b0 is pushed on both stacks
    Reduce     s0 ≠ 0 has a head or is on the other stack, too                   s0 is popped off the active stack
    Switch     not after another, the stacks differ, not a dead end              the other stack becomes the active one
    ========== ================================================================= =======================================

    The published system may stop with any forest. Here, preconditions guarantee that every word gets a head: a word
    without one stays on one of the stacks, and if ROOT is first, the preconditions on the last word keep a head within
    reach for all remaining words. Parsing ends when all words have left the buffer and have a head. The system cannot
    guarantee that ROOT has a single dependent.

    The static oracle adds arcs as soon as it can, shifts when b0 has no more of them, reduces only what is in the way,
    and switches only when nothing else helps. The dynamic oracle is exact for every gold tree, by search (see
    `deptrees.transition.losses.two_planar`); the one of Fernández-González & Gómez-Rodríguez 2018a counts lost arcs and
    cycles. The search is fast for trees of treebanks; with 18 words or more and
    nearly all arcs crossing, it may end in LossNotFound.

    A sentence of n words takes between 2n and 8n transitions. In the worst case the search takes exponential time.

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

    transitions = (LeftArc(), RightArc(), Shift(), Reduce(), Switch())
    loss = TwoPlanarLoss
    prefers_shift = True
    learns_best_from = "static"
    roots = ("first", "last")

    root: Literal["first", "last"] = attrs.field(default="first", validator=attrs.validators.in_(roots), kw_only=True)

    def initial(self, source: Sentence) -> TwoPlanarConfiguration:
        source = self.tree_of(source)
        bottom, nothing = int(self.root == "first"), (None,) * len(source)
        return TwoPlanarConfiguration(self, source, nothing, nothing, bottom, bottom, 1)

    def adds_arc(self, transition: ArcTransition) -> bool:
        return not isinstance(transition, Reduce)

    def obstacle(self, tree: DependencyTree) -> str | None:
        obstacle = super().obstacle(tree)
        if obstacle is not None or self.loss().is_at_most(self.initial(tree), tree, 0):
            return obstacle
        return f"{self} builds 2-planar trees only, and the tree is not 2-planar"


@attrs.frozen(repr=False)
class TwoPlanarConfiguration(ExplicitConfiguration):
    """A configuration of an active stack σ, an inactive stack σ', a buffer β and arcs A.

    Stacks are in the order of the sentence, so each is kept as a set: the bits of an integer.

    >>> cfg = TwoPlanar().initial(["Birds", "can", "sing"])
    >>> for transition in (Shift(), LeftArc("nsubj"), Reduce(), RightArc("root"), Switch()):
    ...     cfg = transition(cfg)
    >>> cfg.stack, cfg.inactive_stack, cfg.buffer, cfg.arcs
    ((0, 1), (0,), (2, 3), ((2, 1), (0, 2)))
    """

    active_bits: int
    """The active stack."""
    inactive_bits: int
    """The stack that Switch makes the active one."""
    front: int
    """b0, or one more than there are words."""
    just_switched: bool = False
    """Whether the last transition was Switch."""

    @property
    def stack(self) -> tuple[int, ...]:
        """The active stack, its top last."""
        return _elements(self.active_bits)

    @property
    def inactive_stack(self) -> tuple[int, ...]:
        """The stack that Switch makes the active one, its top last."""
        return _elements(self.inactive_bits)

    @property
    def top(self) -> int:
        """The top of the active stack, -1 if there is none."""
        return self.active_bits.bit_length() - 1

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        words = range(self.front, len(self.heads) + 1)
        return (*words, 0) if self.system.root == "last" else tuple(words)

    @property
    def is_final(self) -> bool:
        return self.front > len(self.heads) and None not in self.heads

    def topmost_ancestor(self, element: int) -> int:
        """The topmost of an element's ancestors: ROOT, or a word without a head."""
        try:
            return topmost(element, self.heads)
        except IndexError:
            raise IndexError(f"element is a word, from 1 to {len(self.heads)}, or 0, not {quoted(element)}") from None

    def missing(self, transition: Transition) -> str | None:
        if self.is_final:
            return "the configuration is not final"
        if isinstance(transition, Shift):
            return self._missing_to_shift()
        if isinstance(transition, Switch):
            return self._missing_to_switch()
        if not isinstance(transition, (LeftArc, RightArc, Reduce)):
            return "it belongs to this system"
        if transition.k != 1:
            return "k = 1"
        if self.active_bits == 0:
            return "s0 exists"
        return self._missing_to_reduce() if isinstance(transition, Reduce) else self._missing_for_arc(transition)

    def _missing_to_shift(self) -> str | None:
        if self.front > len(self.heads):
            return "b0 ≠ 0"
        return "every word has a head" if self._is_last_head and None in self.heads else None

    def _missing_to_switch(self) -> str | None:
        if self.just_switched:
            return "another transition comes before it"
        if self.active_bits == self.inactive_bits:
            return "the stacks differ"
        # Only where b0 cannot be shifted there may be none.
        if self._missing_to_shift() and not self._with_stacks_switched().possible_transitions():
            return "another transition is possible after it"
        return None

    def _missing_to_reduce(self) -> str | None:
        s0 = self.top
        if s0 == 0:
            return "s0 ≠ 0"
        if self.heads[s0 - 1] is None and not self.inactive_bits >> s0 & 1:
            return f"word {s0} has a head or is on the other stack"
        return None

    def _missing_for_arc(self, transition: ArcTransition) -> str | None:
        head, dependent = self.arc(transition)
        if dependent == 0:
            return "the dependent is not ROOT"
        if self.heads[dependent - 1] is not None:
            return f"word {dependent} has no head"
        top = self.topmost_ancestor(head)
        if top == dependent:
            return f"no path leads from {dependent} to {head}"
        if top and dependent == self.front and self._is_last_head:
            return f"a path leads from 0 to {head}, because nothing else is left to be the head of word {top}"
        return None

    @property
    def _is_last_head(self) -> bool:
        """Whether b0 is the last that can become the head of words on the stacks."""
        return self.system.root == "first" and self.front == len(self.heads)

    def _after(self, transition: Transition) -> TwoPlanarConfiguration:
        if isinstance(transition, Switch):
            return self._with_stacks_switched()
        active, inactive, front = self.active_bits, self.inactive_bits, self.front
        heads, labels = self.heads, self.labels
        if isinstance(transition, Shift):
            active, inactive, front = active | 1 << front, inactive | 1 << front, front + 1
        elif isinstance(transition, Reduce):
            active ^= 1 << self.top
        elif isinstance(transition, ArcTransition):
            heads, labels = self._attached(transition)
        return TwoPlanarConfiguration(self.system, self.source, heads, labels, active, inactive, front)

    def _with_stacks_switched(self) -> TwoPlanarConfiguration:
        parts = self.inactive_bits, self.active_bits, self.front, True
        return TwoPlanarConfiguration(self.system, self.source, self.heads, self.labels, *parts)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        b0 = self.front if self.front <= len(self.heads) else 0
        return (b0, self.top) if isinstance(transition, LeftArc) else (self.top, b0)

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.stack[::-1], self.buffer

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "σ'": self.inactive_stack, "β": self.buffer}


def _elements(bits: int) -> tuple[int, ...]:
    """The elements of a set that is the bits of an integer, in ascending order."""
    return tuple([element for element in range(bits.bit_length()) if bits >> element & 1])
