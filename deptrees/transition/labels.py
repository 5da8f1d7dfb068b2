"""The labels of arcs in derivations: from a gold token to the parameters of the transition that attaches it."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.messages import quoted
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

__all__ = ["ANY_LABELS", "Label", "LabelHeads", "are_of_labels", "parameters_of", "typed", "untyped"]

Label = Callable[[Token], tuple[Hashable, ...]]
"""From the gold token of an arc's dependent to the parameters of the arc's transition."""


def typed(token: Token) -> tuple[Hashable, ...]:
    """Label arcs with the label of the dependent.

    >>> typed(Token("Birds", head=2, label="nsubj"))
    ('nsubj',)
    """
    return (token.label,)


def untyped(token: Token) -> tuple[Hashable, ...]:
    """Leave arcs without a label.

    >>> untyped(Token("Birds", head=2, label="nsubj"))
    ()
    """
    return ()


class _Alone(dict[Hashable, tuple[Hashable]]):
    """Tuples of one value, the same each time."""

    def __missing__(self, value: Hashable) -> tuple[Hashable]:
        return self.setdefault(value, (value,))


_alone = _Alone()


def parameters_of(tree: DependencyTree, label: Label) -> list[tuple[Hashable, ...]]:
    """The result of ``label`` for the word at each position, and nothing for ROOT.

    >>> parameters_of(DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")]), typed)
    [(), ('nsubj',), ('root',)]
    """
    if label is typed:  # the same, without a call for each word
        return [(), *map(_alone.__getitem__, tree.labels)]
    return [(), *map(label, tree.tokens)]


@attrs.frozen
class LabelHeads:
    """Which labels the arcs from ROOT have, and which those from words, in the data learned from.

    A parser gives no arc a label that only the others have. If there are none of a kind, any label will do.

    Args:
        of_root: the labels of arcs from ROOT.
        of_words: the labels of arcs from words.

    >>> heads = LabelHeads.of([(0, "root"), (1, "obj"), (1, "dep"), (0, "dep")])
    >>> heads
    LabelHeads(of_root=('dep', 'root'), of_words=('dep', 'obj'))
    >>> heads.allowed(["dep", "obj", "root"]).tolist()
    [[True, True, False], [True, False, True]]
    """

    of_root: tuple[str, ...] = attrs.field(default=(), repr=reprlib.repr)
    of_words: tuple[str, ...] = attrs.field(default=(), repr=reprlib.repr)

    @classmethod
    def of(cls, arcs: Iterable[tuple[int, str]]) -> LabelHeads:
        """Those of arcs, each given by its head and its label."""
        found = {(head == 0, label) for head, label in arcs}
        of_root, of_words = [sorted(label for root, label in found if root is kind) for kind in (True, False)]
        return cls(tuple(of_root), tuple(of_words))

    def __or__(self, other: LabelHeads) -> LabelHeads:
        """Those of two treebanks together."""
        return LabelHeads(
            tuple(sorted({*self.of_root, *other.of_root})), tuple(sorted({*self.of_words, *other.of_words}))
        )

    def allowed(self, labels: Sequence[str | None]) -> npt.NDArray[np.bool_]:
        """For each label whether an arc from a word may have it; in a second row, whether one from ROOT may."""
        table = np.ones((2, len(labels)), np.bool_)
        for row, own, others in zip(table, (self.of_words, self.of_root), (self.of_root, self.of_words), strict=True):
            if own:
                row[:] = [label in own or label not in others for label in labels]
        return table


ANY_LABELS = LabelHeads()
"""Those of parsers that can give every arc any label."""


def are_of_labels(model: Any, _: object, heads: LabelHeads) -> None:
    """Validate that the labels of arcs from ROOT and from words are some of a model's labels.

    >>> from deptrees.engine import ModelSpec
    >>> from deptrees.features import FAST
    >>> from deptrees.transition import ArcEager
    >>> ModelSpec(ArcEager(), FAST, ("obj",), label_heads=LabelHeads(of_root=("root",)))
    Traceback (most recent call last):
    ValueError: 'root' in label_heads is not one of the labels
    """
    if unknown := {*heads.of_root, *heads.of_words}.difference(model.labels):
        raise ValueError(f"{quoted(min(unknown))} in label_heads is not one of the labels")
