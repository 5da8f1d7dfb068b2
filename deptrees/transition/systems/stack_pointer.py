"""The stack-pointer: from ROOT down, the word on top of the stack picks its dependents (Ma et al. 2018)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Literal

import attrs

from deptrees.transition.losses.stack_pointer import ProjectiveStackPointerLoss, StackPointerLoss
from deptrees.transition.systems.explicit import AnyKSystem, ExplicitConfiguration
from deptrees.transition.systems.pointing import PointingConfiguration, pointing_at
from deptrees.transition.transitions import ArcTransition, Attach, Reduce, Transition
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["StackPointerConfiguration", "StackPointerNonProjective", "StackPointerProjective"]


@attrs.frozen(repr=False)
class _StackPointer(AnyKSystem["StackPointerConfiguration"]):
    """What the two variants have in common."""

    transitions = (Attach(), Reduce())

    order: Literal["inside_out", "left_to_right"] = attrs.field(
        default="inside_out", validator=attrs.validators.in_(("inside_out", "left_to_right"))
    )

    def initial(self, source: Sentence) -> StackPointerConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        words = (2 << len(source)) - 2
        return StackPointerConfiguration(self, source, nothing, nothing, (0,), (words,), words)

    def preferred(self, cfg: StackPointerConfiguration, tree: DependencyTree) -> Transition | None:
        if not tree.is_annotated or cfg.is_final:
            return super().preferred(cfg, tree)
        top = cfg.stack[-1]
        left = [word for word in tree.dependents(top) if cfg.headless >> word & 1]
        if self.order == "inside_out":
            left.sort(key=lambda word: (word > top, abs(word - top)))
        transition = Attach(k=left[0]) if left else Reduce(k=top)
        return transition if cfg.is_possible(transition) else super().preferred(cfg, tree)

    def adds_arc(self, transition: ArcTransition) -> bool:
        return isinstance(transition, Attach)


class StackPointerNonProjective(_StackPointer):
    """The stack-pointer (Ma et al. 2018): from ROOT down, the word on top of the stack picks its dependents.

    A configuration is a stack σ, at first of ROOT alone, and arcs A. The k of a transition says which word s0 points
    at: one of its dependents or, when it has all of them, itself. The stack is the path from ROOT down to s0. Each word
    picks its dependents in a fixed order: inside out, which means those to its left from nearest to farthest and then
    those to its right likewise; or from left to right.

    ========== ======================================================================= ======== =======
    Transition Preconditions                                                           Arc      σ
    ========== ======================================================================= ======== =======
    Attach(k)  k has no head, and comes after the dependents of s0 in their order;     s0 → k   push k
               single root: s0 ≠ 0 or ROOT has no dependent
    Reduce(k)  k = s0; another element of σ can still get a word without a head                 pop s0
    ========== ======================================================================= ======== =======

    Parsing ends when every word has a head. Every tree can be built, in exactly one way. Without the precondition of
    Reduce, there could be words left that come too early in the order of every element on the stack.

    A gold arc can still be built if its dependent has no head yet, and its head has none either or can still get the
    dependent. All these arcs can be built together, except for ROOT's if it is to have a single dependent; and one is
    lost if otherwise no word without a head could be attached to the stack. So costs take O(n) time.

    A sentence of n words takes between n and 2n - 1 transitions, each with up to n possible k.

    Args:
        order: the order in which a word picks its dependents: ``"inside_out"`` or ``"left_to_right"``.
        single_root: whether ROOT gets a single dependent.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> for cfg, transition in Oracle(StackPointerNonProjective(), static_oracle)(tree):
    ...     print(cfg.stack, transition)
    (0,) Attach(k=4)
    (0, 4) Attach(k=3)
    (0, 4, 3) Reduce(k=3)
    (0, 4) Attach(k=2)
    (0, 4, 2) Reduce(k=2)
    (0, 4) Attach()
    (0, 4, 1) Attach(k=5)
    """

    loss = StackPointerLoss


class StackPointerProjective(_StackPointer):
    """The stack-pointer (Ma et al. 2018), for projective trees only.

    Configurations and transitions are those of ``StackPointerNonProjective``, with other preconditions. An element of
    the stack can get a word if the word has no head, comes after the element's dependents in their order, and no arc in
    A would cross the new one. If ROOT is to have a single dependent, it can get a word only while it has none.

    ========== ======================================================================= ======== =======
    Transition Preconditions                                                           Arc      σ
    ========== ======================================================================= ======== =======
    Attach(k)  s0 can get k; after it, some element of σ can get each word without     s0 → k   push k
               a head
    Reduce(k)  k = s0; some other element of σ can get each word without a head                 pop s0
    ========== ======================================================================= ======== =======

    Parsing ends when every word has a head. Every projective tree can be built, in exactly one way.

    Between two neighboring words with heads, all words without a head can be attached to the same elements of the
    stack, and to no word beyond these two. So for projective gold trees, the dynamic oracle counts the gold arcs that
    can no longer be built, because the rest can be built together; for other trees, it finds a best reachable tree
    by Eisner's algorithm.

    A sentence of n words takes between n and 2n - 1 transitions, each with up to n possible k. Losses take O(n) time if
    the gold tree is projective, and otherwise O(n³).

    Args:
        order: the order in which a word picks its dependents: ``"inside_out"`` or ``"left_to_right"``.
        single_root: whether ROOT gets a single dependent.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> for cfg, transition in Oracle(StackPointerProjective(), static_oracle)(tree):
    ...     print(cfg.stack, transition)
    (0,) Attach(k=2)
    (0, 2) Attach()
    (0, 2, 1) Reduce()
    (0, 2) Attach(k=4)
    (0, 2, 4) Attach(k=3)
    """

    projective_only = True
    loss = ProjectiveStackPointerLoss


@attrs.frozen(repr=False)
class StackPointerConfiguration(PointingConfiguration, ExplicitConfiguration):
    """A configuration (σ, A). Sets of words are the bits of integers.

    >>> cfg = Attach("root", k=2)(StackPointerProjective().initial(["Birds", "sing", "here"]))
    >>> cfg.stack, cfg.heads, cfg.labels, cfg.possible_transitions()
    ((0, 2), (None, 0, None), (None, 'root', None), (Attach(),))
    """

    stack: tuple[int, ...]
    """The stack, with its top last."""
    can_get: tuple[int, ...] = attrs.field(eq=False)
    """For each element of the stack the words that it can still get as dependents, looked at by itself."""
    headless: int = attrs.field(eq=False)
    """The words that have no head."""

    @property
    def is_final(self) -> bool:
        return not self.headless

    def possible_transitions(self) -> tuple[Transition, ...]:
        if self.is_final:
            return ()
        top, own, others = self.stack[-1], self.can_get[-1], self._others
        words = [word for word in range(1, own.bit_length()) if own >> word & 1 and self._can_attach(word, others)]
        return pointing_at(tuple(words), top if self._can_end(others, self.headless) else None)

    def possible_heads(self, word: int) -> int:
        """The heads that a word without one may still get, looked at by itself: other words without a head, too."""
        on_stack = [1 << head for head, can_get in zip(self.stack, self.can_get, strict=True) if can_get >> word & 1]
        return sum(on_stack) | self.around(word) & ~(1 << word)

    def around(self, word: int) -> int:
        """The words without a head that one of them can get as dependents, itself included."""
        if not self.system.projective_only:
            return self.headless
        attached = ~self.headless
        before = (attached & ((1 << word) - 1)).bit_length()  # the first position after the last attached word
        after = attached >> word & -(attached >> word)
        return (after << word) - (1 << before)

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, (Attach, Reduce)):
            return "it belongs to this system"
        top, k = self.stack[-1], transition.k
        if self.is_final:
            return "there is a word without a head"
        if isinstance(transition, Reduce):
            if k != top:
                return f"k = s0, which is {top}"
            return None if self._can_end(self._others, self.headless) else f"no word without a head needs {top}"
        if not 1 <= k <= len(self.heads):
            return f"1 ≤ k ≤ {len(self.heads)}"
        if not self.headless >> k & 1:
            return f"word {k} has no head"
        if not self.can_get[-1] >> k & 1:
            return f"{top} can get {k} after the dependents that it has"
        return None if self._can_attach(k, self._others) else "each word without a head can still get one"

    @property
    def _others(self) -> int:
        """The words that the elements of the stack below its top can get."""
        return reduce(or_, self.can_get[:-1], 0)

    def _can_attach(self, word: int, others: int) -> bool:
        """Whether all words can still get a head after the top has got a word that it can get."""
        if not self.system.projective_only:
            return True  # from the new dependent
        own, kept = self._kept(word)
        return self._can_end(others & kept | own | self.around(word), self.headless & ~(1 << word))

    def _can_end(self, found: int, headless: int) -> bool:
        """Whether the words without a head can all get one if the elements of the stack can get these."""
        found &= headless
        return found == headless if self.system.projective_only else found > 0 or not headless

    def _can_get_after(self, word: int) -> tuple[int, ...]:
        """What the elements of the stack can get after the top has got a word, which is on the stack then."""
        own, kept = self._kept(word)
        gone = ~(1 << word)
        others = [can_get & kept & gone for can_get in self.can_get[:-1]]
        return (*others, own & gone, self.around(word) & gone)

    def _kept(self, word: int) -> tuple[int, int]:
        """What the top can get after it has got a word, and the words that the elements below can get as before."""
        own, top, left = self.can_get[-1], self.stack[-1], (1 << word) - 1
        if self.system.single_root and top == 0:
            own = 0
        elif word < top and self.system.order == "inside_out":
            own &= left | -1 << top
        else:
            own &= ~left
        if not self.system.projective_only:
            return own, -1
        return own, ~(left & -2 << top if word > top else ((1 << top) - 1) & -2 << word)

    def _after(self, transition: Transition) -> StackPointerConfiguration:
        assert isinstance(transition, ArcTransition)
        if isinstance(transition, Reduce):
            return attrs.evolve(self, stack=self.stack[:-1], can_get=self.can_get[:-1])
        word, arcs = transition.k, self._attached(transition)
        stack, can_get, headless = (*self.stack, word), self._can_get_after(word), self.headless & ~(1 << word)
        return StackPointerConfiguration(self.system, self.source, *arcs, stack, can_get, headless)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        return self.stack[-1], transition.k

    def pair(self, k: int) -> tuple[int, int]:
        return self.stack[-1], k

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack}
