"""Requests: what is looked for in trees, and where it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np

from deptrees.messages import TooLarge, of_type
from deptrees.query.constraints import MOST, Edge, TooMany
from deptrees.query.nodes import Nodes
from deptrees.query.search import Item, Rows, extended
from deptrees.query.syntax import RequestError, read

if TYPE_CHECKING:
    from deptrees.treebanks.columns import Columns

__all__ = ["Request", "RequestError"]


@attrs.frozen(init=False)
class Request:
    """What is looked for in trees, in the language of Grew (Guillaume 2021); see the page on queries.

    Args:
        text: the request, such as ``pattern { V [upos=VERB]; V -[nsubj]-> S; V << S }``.

    Raises:
        RequestError: the request is not in the language, or in a part of it that is not supported.

    >>> Request("pattern { V -[nsubj]-> S } without { V -[obj]-> O }").names
    ('V', 'S')
    >>> Request("pattern { V -[nsubj]> S }")
    Traceback (most recent call last):
    deptrees.query.syntax.RequestError: line 1, column 20: expected ]->, found ]
    """

    text: str
    pattern: Item = attrs.field(repr=False)
    filters: tuple[tuple[bool, Item], ...] = attrs.field(repr=False)

    def __init__(self, text: str) -> None:
        of_type("request", text, str, "a text, such as 'pattern { V -[nsubj]-> S }'")
        self.__attrs_init__(text, *read(text))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes of a match, in the order in which the request mentions them."""
        return self.pattern.names

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The names of head and dependent for each edge of a match."""
        return tuple((it.first, it.second) for it in self.pattern.binary if isinstance(it, Edge))

    def search(self, columns: Columns, first: int = 1) -> Iterator[tuple[int, dict[str, int]]]:
        """The matches in some sentences, in the order of their positions.

        Args:
            columns: the sentences.
            first: the number of the first one.

        Yields:
            The number of a sentence, and the positions of the nodes by their names: 0 for the anchor.

        Raises:
            TooLarge: a sentence has more than a million partial matches.

        >>> from deptrees import Columns, DependencyTree
        >>> columns = Columns.encode([DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])])
        >>> [*Request("pattern { V -[nsubj]-> S }").search(columns)]
        [(1, {'V': 2, 'S': 1})]
        """
        try:
            found = self._found(Nodes(columns))
        except TooMany:
            if len(columns) == 1:
                fault = f"sentence {first} has more than {MOST:,} partial matches of the request"
                raise TooLarge(f"{fault}: ask for more of its nodes, or for their order") from None
            middle = len(columns) // 2
            for begin, end in (0, middle), (middle, len(columns)):
                yield from self.search(columns.take(np.arange(begin, end)), first + begin)
            return
        yield from ((first + sentence, words) for sentence, words in found)

    def _found(self, nodes: Nodes) -> Sequence[tuple[int, dict[str, int]]]:
        rows = extended(nodes, Rows(np.arange(len(nodes.columns))), self.pattern)
        for wanted, item in self.filters:
            is_found = np.zeros(len(rows.sentences), bool)
            is_found[extended(nodes, rows, item).origins] = True
            rows = rows.taken(np.flatnonzero(is_found == wanted))
        columns = [rows.words[name] for name in self.names]
        order = np.lexsort([*reversed(columns), rows.sentences])
        sentences = rows.sentences[order]
        positions = [(column[order] - nodes.starts[sentences]).tolist() for column in columns]
        found = zip(*positions, strict=True) if positions else [()] * len(order)
        words = (dict(zip(self.names, its, strict=True)) for its in found)
        return [*zip(sentences.tolist(), words, strict=True)]
