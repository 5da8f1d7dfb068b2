"""The pointer: each word in turn picks its head (Fernández-González & Gómez-Rodríguez 2019, 2023)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal, get_args

import attrs

from deptrees.transition.losses.pointer import PointerLoss, ProjectivePointerLoss
from deptrees.transition.systems.explicit import AnyKSystem, ExplicitConfiguration
from deptrees.transition.systems.pointing import PointingConfiguration, pointing_at
from deptrees.transition.transitions import ArcTransition, Attach, Transition
from deptrees.trees.heads import topmost
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["PointerConfiguration", "PointerNonProjective", "PointerProjective"]


_Order = Literal["left_to_right", "right_to_left", "outside_in"]


@attrs.frozen(repr=False)
class _Pointer(AnyKSystem["PointerConfiguration"]):
    """What the two variants have in common."""

    transitions = (Attach(),)

    order: _Order = attrs.field(default="left_to_right", validator=attrs.validators.in_(get_args(_Order)))

    def initial(self, source: Sentence) -> PointerConfiguration:
        source = self.tree_of(source)
        nothing, open_words = (None,) * len(source), (1, len(source))
        return PointerConfiguration(self, source, nothing, nothing, self.turn(*open_words, len(source)), *open_words)

    def turn(self, first: int, last: int, n: int) -> int:
        """Whose turn it is when all of n words but those from the first to the last have had theirs."""
        if self.order == "outside_in":
            return first if first - 1 == n - last else last
        return first if self.order == "left_to_right" else last

    def preferred(self, cfg: PointerConfiguration, tree: DependencyTree) -> Transition | None:
        gold = None if cfg.is_final else tree.heads[cfg.word - 1]
        if gold is not None and gold in cfg.possible_heads:
            return Attach(k=gold + 1)
        return super().preferred(cfg, tree)


class PointerNonProjective(_Pointer):
    """The pointer (Fernández-González & Gómez-Rodríguez 2019): each word in turn picks its head.

    A configuration is the current word i and arcs A. The k of a transition says which head i gets: the k-th element of
    the sentence, counting ROOT as the first, which is k - 1. Then it is the next word's turn: from left to right, from
    right to left, or from the outside in, which is the first word, the last, the second, the last but one, and so on
    (Fernández-González & Gómez-Rodríguez 2023).

    ========== ============================================================ ========= =============
    Transition Preconditions                                                Arc       Turn
    ========== ============================================================ ========= =============
    Attach(k)  no path i →* k - 1; single root: k - 1 ≠ 0 or ROOT is free   k - 1 → i the next word
    ========== ============================================================ ========= =============

    Parsing ends after every word's turn. Every tree can be built, in exactly one way. If ROOT is to have a single
    dependent, it is a possible head only while it is free, that is, has no dependent.

    In any configuration, the remaining words can get their gold heads, except for one in each cycle that these would
    form with the arcs in A. So the dynamic oracle counts wrong heads and cycles. If ROOT is to have a single dependent,
    all its other gold arcs are lost too.

    A sentence of n words takes n transitions, each with up to n possible k. Costs take O(n) time for shallow trees, and
    O(n²) at worst.

    Args:
        order: whose turn it is next: ``"left_to_right"``, ``"right_to_left"`` or ``"outside_in"``.
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
    >>> [cfg.word for cfg, _ in Oracle(PointerNonProjective(order="outside_in"), static_oracle)(tree)]
    [1, 5, 2, 4, 3]
    """

    loss = PointerLoss


class PointerProjective(_Pointer):
    """The pointer (Fernández-González & Gómez-Rodríguez 2019), for projective trees only.

    Configurations and transitions are those of ``PointerNonProjective``, with one more precondition, arcs do not cross,
    and from the outside in with another: no arc spans an ancestor of its head.

    ========== =================================================================== ========= =============
    Transition Preconditions                                                       Arc       Turn
    ========== =================================================================== ========= =============
    Attach(k)  no path i →* k - 1; no arc in A crosses the new one;                k - 1 → i the next word
               outside in: no arc would span an ancestor of its head;
               single root: k - 1 ≠ 0 or ROOT is free
    ========== =================================================================== ========= =============

    Parsing ends after every word's turn. Every projective tree can be built, in exactly one way. There are no dead
    ends: if arcs span i, the head of the innermost one is a possible head, because i is not an ancestor of it. In the
    other orders there is no need to ask: the topmost word above a head would have had its turn if it were under the
    head's arc. If no arc spans i, ROOT is a possible head, or ROOT's only dependent.

    All projective trees with the arcs in A are reachable. Eisner's algorithm finds a best one.

    A sentence of n words takes n transitions, each with up to n possible k. Losses take O(n³) time.

    Args:
        order: whose turn it is next: ``"left_to_right"``, ``"right_to_left"`` or ``"outside_in"``.
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
    """The word i whose turn it is; nothing in the end."""
    first: int
    """The first word that has had no turn, or one more than the last of them has in the end."""
    last: int
    """The last such word. All between the two have had none either."""

    @property
    def is_final(self) -> bool:
        return self.first > self.last

    @cached_property
    def possible_heads(self) -> tuple[int, ...]:
        """The elements that the word can have as its head."""
        if self.is_final:
            return ()
        elements = self._visible() if self.system.projective_only else range(len(self.heads) + 1)
        possible = [head for head in elements if topmost(head, self.heads) != self.word and self._is_free(head)]
        if self.system.projective_only and self.system.order == "outside_in":
            possible = [head for head in possible if self._spans_no_ancestor(head)]
        return tuple(possible)

    def _spans_no_ancestor(self, head: int) -> bool:
        """Whether no arc would span an ancestor of its head, if the word had this one."""
        first, last = self._ends
        return not min(first, head + 1) <= topmost(head, self.heads) <= max(last, head - 1)

    @cached_property
    def _ends(self) -> tuple[int, int]:
        """The first and the last word of the tree below the word, itself included."""
        tree = [word for word in range(1, len(self.heads) + 1) if topmost(word, self.heads) == self.word]
        return tree[0], tree[-1]

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
        if head in self._visible() and self._is_free(head):
            return f"no arc spans {topmost(head, self.heads)}, which leads to its head"
        return f"{head} → {self.word} crosses no arc" if self._is_free(head) else "ROOT has no dependent"

    def _after(self, transition: Transition) -> PointerConfiguration:
        assert isinstance(transition, ArcTransition)
        first, last, n = self.first, self.last, len(self.heads)
        open_words = (first + 1, last) if self.word == first else (first, last - 1)
        word = self.system.turn(*open_words, n)
        return PointerConfiguration(self.system, self.source, *self._attached(transition), word, *open_words)

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        return transition.k - 1, self.word

    def pair(self, k: int) -> tuple[int, int]:
        return self.word, k - 1

    @property
    def parts(self) -> Mapping[str, object]:
        return {"i": self.word}
