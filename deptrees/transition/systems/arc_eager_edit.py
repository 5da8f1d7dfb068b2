"""Arc-eager that takes out disfluent words (Honnibal & Johnson 2014)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import attrs

from deptrees.transition.losses.arc_eager_edit import ArcEagerEditLoss
from deptrees.transition.systems.explicit import ExplicitConfiguration, ExplicitSystem
from deptrees.transition.transitions import ArcTransition, Edit, LeftArc, Reduce, RightArc, Shift, Transition
from deptrees.trees.heads import count_cycles, heads_are_projective
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["ArcEagerEdit", "ArcEagerEditConfiguration"]

DISFLUENT = "reparandum"
"""The label of what a speaker takes back, in Universal Dependencies."""


@attrs.frozen(repr=False)
class ArcEagerEdit(ExplicitSystem):
    """Arc-eager with Edit (Honnibal & Johnson 2014): words that a speaker takes back are taken out of the tree.

    A configuration is a stack σ, a buffer β with ROOT at its end, arcs A, and the words D that are disfluent: these
    have no head and no dependents. Edit can undo what was built before it was clear that a word is one of them.

    ========== ============================ ======= ===========================================================
    Transition Preconditions                Arc     Moves
    ========== ============================ ======= ===========================================================
    Edit       s0 exists                            s0 to D, with all that it has on its right, and their
                                                    dependents; its dependents on its left lose their head, and
                                                    go back to σ, in their order
    LeftArc    s0 and b0 exist, s0 has no   b0 → s0 s0 is taken off
               head
    RightArc   s0 exists, b0 ≠ 0            s0 → b0 b0 to σ
    Reduce     s0 has a head                        s0 is taken off
    Shift      b0 ≠ 0                               b0 to σ
    ========== ============================ ======= ===========================================================

    Parsing ends when the stack is empty and nothing but ROOT is in the buffer. The result is a projective tree of the
    words that are not in D, whatever words these are. Each such result can be built.

    In gold trees, the disfluent words are those without a head, and those with the label ``reparandum``, as in
    Universal Dependencies, with all that is below them. It costs one to give such a word a head, and one to take out
    another. Losses are exact for every gold tree, see `deptrees.transition.losses.arc_eager_edit`. The static oracle
    takes a disfluent word out as soon as it has been shifted.

    Edit is defined after an early version of the authors' parser, redshift, and from memory of the paper, section 3, by
    which it also takes out all that s0 has on its right. Dependents of b0 stay, wherever they stand.

    A sentence of n words takes at least 2n transitions and, by enumeration of up to eight words, at most n(n + 8)/4 or
    2n, whichever is more. A loss takes O(n³) time.

    >>> from deptrees.transition import Oracle, dynamic_oracle
    >>> tree = DependencyTree([(None, "to"), (None, "Boston"), (4, "to"), (0, "Denver")])
    >>> cfg = ArcEagerEdit().initial(tree)
    >>> for transition in (Shift(), LeftArc(), Shift()):
    ...     cfg = transition(cfg)
    >>> cfg.stack, cfg.buffer, cfg.heads, dynamic_oracle(cfg, tree)
    ((2,), (3, 4, 0), (2, None, None, None), (Edit(), Shift()))
    >>> cfg = Edit()(cfg)
    >>> cfg.stack, cfg.buffer, cfg.heads, cfg.disfluent
    ((1,), (3, 4, 0), (None, None, None, None), (2,))
    """

    projective_only = True
    builds_plain_trees = False
    leaves_words = True
    empty_means_unknown = False
    loss = ArcEagerEditLoss
    transitions = (Edit(), LeftArc(), RightArc(), Reduce(), Shift())

    def adds_arc(self, transition: ArcTransition) -> bool:
        return not isinstance(transition, Reduce)

    def gold_heads(self, tree: DependencyTree) -> tuple[int | None, ...]:
        """The heads of a gold tree; ``None`` for words that are disfluent."""
        heads = list(super().gold_heads(tree))
        below = [word for word, label in enumerate(tree.labels, 1) if label == DISFLUENT]
        while below:
            word = below.pop()
            heads[word - 1] = None
            below += tree.dependents(word)
        return tuple(heads)

    def structures(self, n: int) -> Iterator[DependencyTree]:
        """All gold trees of n words, any of which may be disfluent."""
        for heads in product([None, *range(n + 1)], repeat=n):
            if not count_cycles(heads):
                yield DependencyTree((head, f"w{word}") for word, head in enumerate(heads, 1))

    def obstacle(self, tree: DependencyTree) -> str | None:
        heads = self.gold_heads(tree)
        for word, head in enumerate(heads, 1):
            if head and heads[head - 1] is None:
                return f"word {word} depends on word {head}, which is disfluent, and has no dependents in {self}"
        fluent = [0, *[word for word, head in enumerate(heads, 1) if head is not None]]
        place = {word: number for number, word in enumerate(fluent)}
        if not heads_are_projective(tuple([place[heads[word - 1] or 0] for word in fluent[1:]])):
            return f"{self} builds projective trees only, and the tree is not projective"
        return None

    def preferred(self, cfg: ArcEagerEditConfiguration, tree: DependencyTree) -> Transition | None:
        gold = self.gold_heads(tree)

        def is_wrong(transition: Transition) -> bool:
            arc = cfg.added(transition)
            return arc is not None and gold[arc[1] - 1] != arc[0]

        return min(self.loss().free(cfg, tree), key=is_wrong, default=None)

    def initial(self, source: Sentence) -> ArcEagerEditConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return ArcEagerEditConfiguration(self, source, nothing, nothing, (), 1, ())


@attrs.frozen(repr=False)
class ArcEagerEditConfiguration(ExplicitConfiguration):
    """A configuration (σ, β, A, D).

    >>> cfg = RightArc()(Shift()(ArcEagerEdit().initial(["um", "yes"])))
    >>> cfg.stack, cfg.buffer, cfg.arcs, Edit()(Reduce()(cfg)).disfluent
    ((1, 2), (0,), ((1, 2),), (1, 2))
    """

    stack: tuple[int, ...]
    """The stack, its top last."""
    front: int
    """The first word of the buffer, or one more than there are words."""
    disfluent: tuple[int, ...]
    """The words that have been taken out."""

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return (*range(self.front, len(self.heads) + 1), 0)

    @property
    def is_final(self) -> bool:
        return not self.stack and self.front > len(self.heads)

    def below(self, word: int, *, left: bool) -> list[int]:
        """The dependents of a word on one side, from left to right."""
        return [at for at, head in enumerate(self.heads, 1) if head == word and (at < word) == left]

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        s0, b0 = self.stack[-1], self.buffer[0]
        return (b0, s0) if isinstance(transition, LeftArc) else (s0, b0)

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, (Edit, LeftArc, RightArc, Reduce, Shift)):
            return "it belongs to this system"
        if isinstance(transition, ArcTransition) and transition.k != 1:
            return "k = 1"
        if not self.stack and not isinstance(transition, Shift):
            return "s0 exists"
        if isinstance(transition, (RightArc, Shift)):
            return None if self.buffer[0] else "b0 ≠ 0"
        if isinstance(transition, LeftArc):
            return None if self.heads[self.stack[-1] - 1] is None else "s0 has no head"
        if isinstance(transition, Reduce) and self.heads[self.stack[-1] - 1] is None:
            return "s0 has a head"
        return None

    def _after(self, transition: Transition) -> ArcEagerEditConfiguration:
        heads, labels, stack, front, disfluent = self.heads, self.labels, self.stack, self.front, self.disfluent
        if isinstance(transition, Edit):
            return self._without_s0()
        if isinstance(transition, ArcTransition) and self.system.adds_arc(transition):
            heads, labels = self._attached(transition)
        if isinstance(transition, (LeftArc, Reduce)):
            stack = stack[:-1]
        else:
            stack, front = (*stack, front), front + 1
        return ArcEagerEditConfiguration(self.system, self.source, heads, labels, stack, front, disfluent)

    def _without_s0(self) -> ArcEagerEditConfiguration:
        """The configuration after Edit."""
        s0, freed = self.stack[-1], self.below(self.stack[-1], left=True)
        edited = [s0, *[word for right in self.below(s0, left=False) for word in self.all_below(right)]]
        without = {*edited, *freed}
        heads = tuple([None if word in without else head for word, head in enumerate(self.heads, 1)])
        labels = tuple([None if word in without else label for word, label in enumerate(self.labels, 1)])
        stack, disfluent = (*self.stack[:-1], *freed), tuple(sorted([*self.disfluent, *edited]))
        return ArcEagerEditConfiguration(self.system, self.source, heads, labels, stack, self.front, disfluent)

    def all_below(self, word: int) -> list[int]:
        """A word, its dependents, theirs, and so on."""
        found = [word]
        for other in found:  # which becomes longer
            found += [at for at, head in enumerate(self.heads, 1) if head == other]
        return found

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.stack[::-1], self.buffer

    @property
    def parts(self) -> Mapping[str, object]:
        return {"σ": self.stack, "β": self.buffer, "D": self.disfluent}
