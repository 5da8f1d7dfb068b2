"""Pseudo-projective trees: non-projective trees made projective, with labels that say how to undo it.

A parser that builds only projective trees is trained on projectivized trees, and its predictions are deprojectivized.
The method is that of Nivre & Nilsson 2005.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import Literal, get_args

import attrs

from deptrees.messages import of_type
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree

__all__ = ["deprojectivize", "projectivize"]

Encoding = Literal["head", "path", "head+path"]

LIFTED = "↑"
PASSED = "↓"


def projectivize(tree: DependencyTree, encoding: Encoding = "head") -> DependencyTree:
    """The tree made projective by lifts, which the labels record.

    A lift takes a word away from its head and gives it to the head's own head. While the tree is not projective, the
    shortest non-projective arc is lifted, and of equally short ones the leftmost (Nivre & Nilsson 2005, section 3).
    These are not always the fewest lifts possible: up to four words they are, but of the 1296 trees of five words, 49
    need fewer.

    A lifted arc with the label d, whose first head has the label h, is marked, and so is an arc with the label p if
    another arc was lifted over it. An arc can have both marks, as in d↑h↓.

    =============  ==========  ===============
    encoding       lifted arc  arc lifted over
    =============  ==========  ===============
    ``head``       d↑h         p
    ``path``       d↑          p↓
    ``head+path``  d↑h         p↓
    =============  ==========  ===============

    Labels include their subtypes (``nmod:poss↑obj``); a missing label counts as empty (``↑root``). Nothing is lifted
    above ROOT, which is before the first word, and words are lifted to ROOT only in trees with several roots.

    In a partially annotated tree, an arc may also span a word without a head if it spans everything below that word,
    because the missing head may be the head of the arc. A word that is lifted from a word without a head is left
    without one too, because its place depends on the missing head.

    Returns:
        The tree itself if it is projective, or else a copy with other heads and labels. Everything else stays, even the
        enhanced dependencies.

    Raises:
        ValueError: a label already contains an arrow, or there is no such encoding.

    The example of the paper, figures 1 and 2: "Only one of them is about quality."

    >>> tree = DependencyTree([
    ...     (5, "Z", "AuxP"), (1, "nich", "Atr"), (0, "je", "Pred"), (5, "jen", "AuxZ"), (3, "jedna", "Sb"),
    ...     (3, "na", "AuxP"), (6, "kvalitu", "Adv"), (0, ".", "AuxK")])
    >>> print(projectivize(tree, "head+path").draw(labels=True))
    ┌──┌─────────── 0 ROOT
    │  │     ┌─►┌── 1 Z        AuxP↑Sb
    │  │     │  └─► 2 nich     Atr
    │  └─►┌──├───── 3 je       Pred
    │     │  │  ┌─► 4 jen      AuxZ
    │     │  └─►└── 5 jedna    Sb↓
    │     └────►┌── 6 na       AuxP
    │           └─► 7 kvalitu  Adv
    └─────────────► 8 .        AuxK
    """
    of_type("tree", tree, DependencyTree, "a tree")
    _check_encoding(encoding)
    for word, label in enumerate(tree.labels, 1):
        if _is_marked(label):
            raise ValueError(f"word {word} has the label {label!r}, but only lifts are marked with ↑ and ↓")
    if is_projective(tree):
        return tree
    heads, passed = _lift(tree)
    labels = []
    for word, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True), 1):
        marks = ""
        if head is not None and heads[word] != head:
            marks = LIFTED if encoding == "path" else LIFTED + (tree[head].label or "")
        if word in passed and encoding != "head":
            marks += PASSED
        labels.append((label or "") + marks if marks else label)
    return tree.reattach(heads[1:], labels)


def _check_encoding(encoding: Encoding) -> None:
    if encoding not in get_args(Encoding):
        raise ValueError(f"there is no encoding {encoding!r}, only {', '.join(map(repr, get_args(Encoding)))}")


def _is_marked(label: str | None) -> bool:
    return label is not None and (LIFTED in label or PASSED in label)


def _lift(tree: DependencyTree) -> tuple[list[int | None], set[int]]:
    """The heads after all lifts, that of ROOT first, and the words whose arcs others were lifted over."""
    heads = [None, *tree.heads]
    subtrees = [1 << position for position in range(len(heads))]  # as bits
    for word, ancestor in enumerate(heads):
        while ancestor is not None:
            subtrees[ancestor] |= 1 << word
            ancestor = heads[ancestor]
    passed = set()
    while shortest := min(_non_projective_arcs(heads, subtrees), default=None):
        _, _, head, word = shortest
        subtrees[head] &= ~subtrees[word]
        heads[word] = heads[head]
        passed.add(head)
    return heads, passed


def _non_projective_arcs(heads: list[int | None], subtrees: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """Each arc that spans words it must not span: its length, its left end, its head and its dependent."""
    headless = [subtrees[word] for word, head in enumerate(heads) if word and head is None]
    for word, head in enumerate(heads):
        if head:  # ROOT may span all words
            left, right = (head, word) if head < word else (word, head)
            between = (1 << right) - (2 << left)
            strays = between & ~subtrees[head]
            for subtree in headless:
                if not subtree & ~between:
                    strays &= ~subtree  # it may belong below the arc's head
            if strays:
                yield right - left, left, head, word


def deprojectivize(tree: DependencyTree, encoding: Encoding = "head") -> DependencyTree:
    """The tree with its lifted arcs back where their labels say, without the marks of ``projectivize``.

    Words are visited from the top of the tree down, each word's dependents from left to right. If an arc is marked as
    lifted, its head is looked for below the present one, from the top down, breadth first, from left to right, but not
    below the dependent. The first word found becomes the head (Nivre & Nilsson 2005, section 3):

    - in ``"head"`` a word whose label is the one that the mark names;
    - in ``"path"`` the last word of a path of arcs with ↓;
    - in ``"head+path"`` a word on a path of arcs with ↓ whose label is the one that the mark names; if there is none,
      as in ``"head"``.

    If none is found, the arc stays, so every tree is accepted, whatever a parser has predicted. Labels are compared
    without their marks, because the head may have been lifted too.

    A projectivized tree is restored exactly if the right head is always the first one found after all words visited
    before have been restored. This is so in ``"path"`` if only one arc was lifted, and in the others if no two words
    have the same label; it is enough that the label occurs only once among the words that were below the present head
    in the original tree.

    Returns:
        The tree itself if no label is marked, or else a copy with other heads and labels. A label made of marks alone
        becomes ``None``. Everything else stays.

    Raises:
        ValueError: there is no such encoding.

    >>> tree = DependencyTree([(3, "What", "obj↑xcomp"), (3, "he", "nsubj"), (0, "wants", "root"), (3, "do", "xcomp")])
    >>> deprojectivize(tree)
    DependencyTree([(4, 'What', 'obj'), (3, 'he', 'nsubj'), (0, 'wants', 'root'), (3, 'do', 'xcomp')])
    """
    of_type("tree", tree, DependencyTree, "a tree")
    _check_encoding(encoding)
    if not any(map(_is_marked, tree.labels)):
        return tree
    arcs = [_MarkedArc.read(label) for label in (None, *tree.labels)]
    heads = [None, *tree.heads]
    dependents: dict[int | None, list[int]] = {top: [] for top in (None, *range(len(heads)))}
    for word, head in enumerate(tree.heads, 1):
        dependents[head].append(word)
    lifted = {word for word, arc in enumerate(arcs) if arc.head_label is not None}
    todo: deque[int | None] = deque([0, None])  # words without a head are searched like those below ROOT
    while todo:
        top = todo.popleft()
        for word in [word for word in dependents[top] if word in lifted]:
            lifted.remove(word)
            heads[word] = next(_possible_heads(word, top, dependents, arcs, encoding), top)
            dependents[top].remove(word)
            insort(dependents[heads[word]], word)
        todo.extend(dependents[top])
    pairs = zip(arcs[1:], tree.labels, strict=True)
    labels = [(arc.label or None) if _is_marked(label) else label for arc, label in pairs]
    return tree.reattach(heads[1:], labels)


@attrs.frozen
class _MarkedArc:
    """What the label of an arc says: the label without its marks, and the marks."""

    label: str
    head_label: str | None
    is_passed: bool

    @classmethod
    def read(cls, label: str | None) -> _MarkedArc:
        label = label or ""
        plain, arrow, head_label = label.replace(PASSED, "").partition(LIFTED)
        return cls(plain, head_label if arrow else None, PASSED in label)


def _possible_heads(
    word: int, top: int | None, dependents: dict[int | None, list[int]], arcs: list[_MarkedArc], encoding: Encoding
) -> Iterator[int]:
    """The words below ``top`` that the marks on the word's arc may mean, in the order in which they are found."""

    def search(only_passed: bool) -> Iterator[int]:
        todo = deque([top])
        while todo:
            for other in dependents[todo.popleft()]:
                if other != word and (arcs[other].is_passed or not only_passed):
                    yield other
                    todo.append(other)

    if encoding == "path":
        return (end for end in search(True) if not any(arcs[beyond].is_passed for beyond in dependents[end]))
    found = chain(search(True), search(False)) if encoding == "head+path" else search(False)
    return (head for head in found if arcs[head].label == arcs[word].head_label)
