"""The labels of arcs in derivations: from a gold token to the parameters of the transition that attaches it."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

__all__ = ["Label", "parameters_of", "typed", "untyped"]

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
