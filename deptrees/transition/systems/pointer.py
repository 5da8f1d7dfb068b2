"""The left-to-right pointer: each word in turn picks its head (Fernández-González & Gómez-Rodríguez 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import attrs

from deptrees.transition.losses.pointer import PointerLoss, ProjectivePointerLoss
from deptrees.transition.systems.explicit import AnyKSystem, ExplicitConfiguration
from deptrees.transition.systems.pointing import PointingConfiguration, pointing_at
from deptrees.transition.transitions import ArcTransition, Attach, Transition
from deptrees.trees.heads import topmost
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["PointerConfiguration", "PointerNonProjective", "PointerProjective"]


class _Pointer(AnyKSystem):
    """What the two variants have in common."""

    transitions = (Attach(),)

    def initial(self, source: Sentence) -> PointerConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return PointerConfiguration(self, source, nothing, nothing, 1)

    def preferred(self, cfg: PointerConfiguration, tree: DependencyTree) -> Transition | None:
        gold = None if cfg.is_final else tree.heads[cfg.word - 1]
        if gold is not None and gold in cfg.possible_heads:
            return Attach(k=gold + 1)
        return super().preferred(cfg, tree)


class PointerNonProjective(_Pointer):
    """The left-to-right pointer (Fernández-González & Gómez-Rodríguez 2019): each word in turn picks its head.

    A configuration is the current word i, at first word 1, and arcs A. The k of a transition says which head i gets:
    the k-th element of the sentence, counting ROOT as the first, which is k - 1.

    ========== ============================================================ ========= ==========
    Transition Preconditions                                                Arc       Turn
    ========== ============================================================ ========= ==========
    Attach(k)  no path i →* k - 1; single root: k - 1 ≠ 0 or ROOT is free   k - 1 → i i + 1
    ========== ============================================================ ========= ==========

    Parsing ends after the last word. Every tree can be built, in exactly one way. If ROOT is to have a single
    dependent, it is a possible head only while it is free, that is, has no dependent.

    In any configuration, the remaining words can get their gold heads, except for one in each cycle that these would
    form with the arcs in A. So the dynamic oracle counts wrong heads and cycles. If ROOT is to have a single dependent,
    all its other gold arcs are lost too.

    A sentence of n words takes n transitions, each with up to n possible k. Costs take O(n) time for shallow trees, and
    O(n²) at worst.

    Args:
        single_root: whether ROOT gets a single dependent.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> for cfg, transition in Oracle(PointerNonProjective(), static_oracle)(tree):
    ...     print(cfg.word, cfg.possible_heads, transition)
    1 (0, 2, 3, 4, 5) Attach(k=5)
    2 (0, 1, 3, 4, 5) Attach(k=5)
    3 (0, 1, 2, 4, 5) Attach(k=5)
    4 (0, 5) Attach()
    5 (0, 1, 2, 3, 4) Attach(k=2)
    """

    loss = PointerLoss


class PointerProjective(_Pointer):
    """The left-to-right pointer (Fernández-González & Gómez-Rodríguez 2019), for projective trees only.

    Configurations and transitions are those of ``PointerNonProjective``, with one more precondition: arcs do not cross.

    ========== =================================================================== ========= ==========
    Transition Preconditions                                                       Arc       Turn
    ========== =================================================================== ========= ==========
    Attach(k)  no path i →* k - 1; no arc in A crosses the new one;                k - 1 → i i + 1
               single root: k - 1 ≠ 0 or ROOT is free
    ========== =================================================================== ========= ==========

    Parsing ends after the last word. Every projective tree can be built, in exactly one way. There are no dead ends: if
    arcs span i, the right end of the innermost one is a possible head, because its own turn is still to come, so it is
    not a descendant of i. If no arc spans i, ROOT is a possible head, or ROOT's only dependent.

    All projective trees with the arcs in A are reachable. Eisner's algorithm finds a best one.

    A sentence of n words takes n transitions, each with up to n possible k. Losses take O(n³) time.

    Args:
        single_root: whether ROOT gets a single dependent.

    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> for cfg, transition in Oracle(PointerProjective(), static_oracle)(tree):
    ...     print(cfg.word, cfg.possible_heads, transition)
    1 (0, 2, 3, 4) Attach(k=3)
    2 (0, 3, 4) Attach()
    3 (0, 2, 4) Attach(k=5)
    4 (0, 2) Attach(k=3)
    """

    projective_only = True
    loss = ProjectivePointerLoss


@attrs.frozen(repr=False)
class PointerConfiguration(PointingConfiguration, ExplicitConfiguration):
    """A configuration (i, A).

    >>> cfg = Attach("nsubj", k=3)(PointerProjective().initial(["Birds", "sing"]))
    >>> cfg.word, cfg.heads, cfg.labels, cfg.possible_transitions()
    (2, (2, None), ('nsubj', None), (Attach(),))
    """

    word: int
    """The word i whose turn it is; one more than there are words in the end."""

    @property
    def is_final(self) -> bool:
        return self.word > len(self.heads)

    @cached_property
    def possible_heads(self) -> tuple[int, ...]:
        """The elements that the word can have as its head."""
        if self.is_final:
            return ()
        elements = self._visible() if self.system.projective_only else range(len(self.heads) + 1)
        return tuple([head for head in elements if topmost(head, self.heads) != self.word and self._is_free(head)])

    def _is_free(self, head: int) -> bool:
        return head > 0 or not self.system.single_root or 0 not in self.heads

    def _visible(self) -> list[int]:
        """The elements to which an arc from the word crosses no other, in the order of the sentence."""
        first, last = list(range(len(self.heads) + 1)), list(range(len(self.heads) + 1))  # ends of each one's arcs
        for head, word in self.arcs:
            first[head], last[head] = min(first[head], word), max(last[head], word)
            first[word], last[word] = min(first[word], head), max(last[word], head)
        return [*reversed([*self._leftwards(first, last)]), *self._rightwards(first, last)]

    def _leftwards(self, first: list[int], last: list[int]) -> Iterator[int]:
        element = self.word - 1
        while element >= 0:
            yield element
            if last[element] > self.word:
                return
            element = min(first[element], element - 1)

    def _rightwards(self, first: list[int], last: list[int]) -> Iterator[int]:
        element = self.word + 1
        while element <= len(self.heads):
            yield element
            if first[element] < self.word:
                return
            element = max(last[element], element + 1)

    def possible_transitions(self) -> tuple[Transition, ...]:
        return pointing_at(tuple([head + 1 for head in self.possible_heads]))

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, Attach):
            return "it belongs to this system"
        if self.is_final:
            return "there is a word left"
        head = transition.k - 1
        if head in self.possible_heads:
            return None
        if not 0 <= head <= len(self.heads):
            return f"1 ≤ k ≤ {len(self.heads) + 1}"
        if topmost(head, self.heads) == self.word:
            return f"no path leads from {self.word} to {head}"
        return f"{head} → {self.word} crosses no arc" if self._is_free(head) else "ROOT has no dependent"

    def _after(self, transition: Transition) -> PointerConfiguration:
        assert isinstance(transition, ArcTransition)
        return PointerConfiguration(self.system, self.source, *self._attached(transition), self.word + 1)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        return transition.k - 1, self.word

    def pair(self, k: int) -> tuple[int, int]:
        return self.word, k - 1

    @property
    def parts(self) -> Mapping[str, object]:
        return {"i": self.word}
