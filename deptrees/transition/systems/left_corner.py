"""Left-corner (Noji & Miyao 2014): words are predicted before they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from deptrees.transition.losses.left_corner import LeftCornerLoss
from deptrees.transition.systems.explicit import ExplicitSystem, ReadingConfiguration
from deptrees.transition.transitions import (
    ArcTransition,
    Insert,
    InsertRoot,
    LeftComp,
    LeftPred,
    RightComp,
    RightCompRoot,
    RightPred,
    Shift,
    Transition,
)
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["LeftCorner", "LeftCornerConfiguration"]

_KINDS = (Insert, InsertRoot, RightComp, RightCompRoot, LeftComp, RightPred, LeftPred, Shift)
_TAKES_WORD = (Insert, InsertRoot, Shift)
_Awaiting = tuple[int, int, tuple[int, ...]]


class LeftCorner(ExplicitSystem["LeftCornerConfiguration"]):
    """Left-corner (Noji & Miyao 2014): words are predicted, and their dependents joined, before they come.

    A configuration is a stack σ of trees, a buffer β, at first of all words, and arcs A. In each tree but the topmost,
    one word is still to come: x. It may have dependents on its left, λ, and is the tree's root, or a dependent of its
    word i. The topmost tree may be complete; r is its root then. Shift and Insert make it complete, all others not, so
    these two kinds take turns.

    ========== ========================================== ========================= ===================================
    Transition Preconditions                              Arcs                      Trees
    ========== ========================================== ========================= ===================================
    Insert     the topmost tree has x and i; b0 exists    i → b0, b0 → each of λ    b0 takes the place of x
    RightComp  the topmost tree is complete, and another  i → r, r → each of λ, of  r takes the place of x below it; a
               is below it                                the tree below            new x is a dependent of r
    LeftComp   the same                                   x → r, of the tree below  r joins λ of the tree below
    RightPred  the topmost tree is complete; fewer trees                            x is a dependent of r
               with x than words in β
    LeftPred   the same                                   x → r                     x is the root
    Shift      the topmost tree has x, or there is none;                            b0 is a new one
               fewer trees with x than words in β
    ========== ========================================== ========================= ===================================

    Parsing ends when the buffer is empty and one complete tree is left, whose root becomes the only dependent of ROOT,
    with the label ``"root"``. InsertRoot and RightCompRoot are Insert and RightComp where x is the root of its tree, so
    that there is no i. As published, they are the same, and arcs have no labels; here, Insert and RightComp have the
    label of i's arc. An arc from x gets its label at once, and its head when a word takes the place of x. As published,
    words may run out and leave trees with x; here, there are always as many words left as such trees. Every projective
    tree in which ROOT has a single dependent can be built.

    Trees whose arcs go all to the left, or all to the right, need one tree on the stack; only what is embedded in the
    center needs more. So the height of the stack is a measure of how hard a sentence is to understand.

    The static oracle joins trees as soon as it can, and inserts words rather than to shift them. A sentence of n words
    takes 2n - 1 transitions. Losses are exact for every gold tree (see `deptrees.transition.losses.left_corner`); one
    takes O(n³) time for each tree on the stack.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import Oracle, static_oracle
    >>> tree = DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])
    >>> for cfg, transition in Oracle(LeftCorner(), static_oracle)(tree):
    ...     print(cfg.stack, cfg.complete, cfg.buffer, transition)
    () 0 (1, 2, 3, 4) Shift()
    () 1 (2, 3, 4) LeftPred()
    ((0, 0, (1,)),) 0 (2, 3, 4) InsertRoot()
    () 2 (3, 4) RightPred()
    ((2, 2, ()),) 0 (3, 4) Shift()
    ((2, 2, ()),) 3 (4,) LeftComp()
    ((2, 2, (3,)),) 0 (4,) Insert()
    """

    transitions = tuple([kind() for kind in _KINDS])
    projective_only = True
    loss = LeftCornerLoss

    @property
    def has_single_root(self) -> bool:
        return True

    def preferred(self, cfg: LeftCornerConfiguration, tree: DependencyTree) -> Transition | None:
        if not tree.is_annotated:
            return super().preferred(cfg, tree)
        word = cfg.complete or cfg.front
        more = sum([dependent >= cfg.front for dependent in tree.dependents(word)])
        if not cfg.complete:
            if not cfg.awaits(word, tree) or (cfg.has_head and more):
                return Shift()
            return Insert() if cfg.has_head else InsertRoot()
        if not more:
            return LeftComp() if cfg.awaits(tree.heads[word - 1], tree) else LeftPred()
        if not cfg.awaits(word, tree) or (cfg.has_head and more > 1):
            return RightPred()
        return RightComp() if cfg.has_head else RightCompRoot()

    def initial(self, source: Sentence) -> LeftCornerConfiguration:
        source = self.tree_of(source)
        nothing = (None,) * len(source)
        return LeftCornerConfiguration(self, source, nothing, nothing, (), 0, 1)


@attrs.frozen(repr=False)
class LeftCornerConfiguration(ReadingConfiguration):
    """A configuration (σ, β, A).

    >>> cfg = LeftCorner().initial(["Birds", "can", "sing"])
    >>> for transition in (Shift(), LeftPred("nsubj"), Shift(), LeftComp("aux"), InsertRoot()):
    ...     cfg = transition(cfg)
    ...     print(cfg.stack, cfg.complete, cfg.buffer, cfg.arcs)
    () 1 (2, 3) ()
    ((0, 0, (1,)),) 0 (2, 3) ()
    ((0, 0, (1,)),) 2 (3,) ()
    ((0, 0, (1, 2)),) 0 (3,) ()
    () 3 () ((3, 1), (3, 2), (0, 3))
    >>> cfg.labels
    ('nsubj', 'aux', 'root')
    """

    stack: tuple[_Awaiting, ...]
    """The trees with x, the topmost last: the root, the head of x, both 0 if x is the root, and λ."""
    complete: int
    """The root of the complete tree above them, 0 if there is none."""
    front: int
    """The front of the buffer, or one more than there are words."""

    @property
    def is_final(self) -> bool:
        return self.front > len(self.heads) and not self.stack

    @property
    def has_head(self) -> bool:
        """Whether the topmost x has a head."""
        return bool(self.stack) and self.stack[-1][1] > 0

    def awaits(self, word: int | None, tree: DependencyTree) -> bool:
        """Whether a word has the place of the topmost x in the gold tree."""
        if not self.stack or not word:
            return False
        _, head, dependents = self.stack[-1]
        fits = not head or tree.has_arc(head, word)
        return fits and all(tree.has_arc(word, dependent) for dependent in dependents)

    def missing(self, transition: Transition) -> str | None:
        if not isinstance(transition, _KINDS):
            return "it belongs to this system"
        if isinstance(transition, ArcTransition) and transition.k != 1:
            return "k = 1"
        if isinstance(transition, _TAKES_WORD) and self.complete:
            return "the topmost tree has x"
        if not isinstance(transition, _TAKES_WORD) and not self.complete:
            return "the topmost tree is complete"
        if isinstance(transition, (Insert, RightComp)):
            return None if self.has_head else "the topmost x has a head"
        if isinstance(transition, (InsertRoot, RightCompRoot)) and self.has_head:
            return "the topmost x is a root"
        if isinstance(transition, (InsertRoot, RightCompRoot, LeftComp)):
            return None if self.stack else "there is a tree with x"
        # As many words as trees with x have to be left after it, or parsing could not end.
        return None if len(self.stack) <= len(self.heads) - self.front else "fewer trees have x than β has words"

    def _after(self, transition: Transition) -> LeftCornerConfiguration:
        if isinstance(transition, (Insert, InsertRoot, RightComp, RightCompRoot)):
            after = self._filled(transition)
        elif isinstance(transition, Shift):
            after = attrs.evolve(self, complete=self.front, front=self.front + 1)
        else:
            below = self.stack
            awaiting: _Awaiting = (self.complete, self.complete, ())
            if isinstance(transition, LeftPred):
                awaiting = (0, 0, (self.complete,))
            elif isinstance(transition, LeftComp):
                root, head, dependents = self.stack[-1]
                below, awaiting = self.stack[:-1], (root, head, (*dependents, self.complete))
            after = attrs.evolve(self, stack=(*below, awaiting), complete=0)
        heads, labels = [*after.heads], [*after.labels]
        if isinstance(transition, ArcTransition) and (word := self.dependent(transition)) is not None:
            labels[word - 1] = transition.label
        if after.is_final:
            heads[after.complete - 1], labels[after.complete - 1] = 0, "root"
        return attrs.evolve(after, heads=tuple(heads), labels=tuple(labels))

    def _filled(self, transition: Transition) -> LeftCornerConfiguration:
        """With the root of the complete tree, or else the front of the buffer, in the place of x."""
        *below, (root, _, _) = self.stack
        word, heads = self.complete or self.front, [*self.heads]
        for head, dependent in self.added_arcs(transition):
            heads[dependent - 1] = head
        root = root or word
        if self.complete:
            return attrs.evolve(self, heads=tuple(heads), stack=(*below, (root, word, ())), complete=0)
        return attrs.evolve(self, heads=tuple(heads), stack=tuple(below), complete=root, front=self.front + 1)

    def dependent(self, transition: Transition) -> int | None:
        if isinstance(transition, (LeftComp, LeftPred)):
            return self.complete
        return super().dependent(transition)

    def added(self, transition: Transition) -> tuple[int, int] | None:
        return self.arc(transition) if isinstance(transition, (Insert, RightComp)) else None

    def added_arcs(self, transition: Transition) -> tuple[tuple[int, int], ...]:
        if not isinstance(transition, (Insert, InsertRoot, RightComp, RightCompRoot)):
            return ()
        labeled, word = self.added(transition), self.complete or self.front
        others = [(word, dependent) for dependent in self.stack[-1][2]]
        return tuple(others if labeled is None else [labeled, *others])

    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        return self.stack[-1][1], self.complete or self.front

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        """What stands around the place where transitions work.

        Returns:
            To the left the root of the complete tree, if there is one, and of each other tree, from the topmost, the
            head of x or, where x is the root, the last of λ; to the right the buffer.
        """
        awaiting = [head or dependents[-1] for _, head, dependents in reversed(self.stack)]
        return (*[self.complete] * (self.complete > 0), *awaiting), self.buffer

    @property
    def parts(self) -> Mapping[str, object]:
        spines = [((root, head) if root != head else (root,)) if root else () for root, head, _ in self.stack]
        awaiting = zip(spines, [dependents for _, _, dependents in self.stack], strict=True)
        complete = [((self.complete,),)] if self.complete else []
        return {"σ": (*awaiting, *complete), "β": self.buffer}
