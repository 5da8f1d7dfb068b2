"""Where the trees of a treebank match a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from deptrees.query.request import Request
from deptrees.treebanks.batch import batches
from deptrees.treebanks.reader import Batched
from deptrees.trees.tree import AnyTree, DependencyTree, trees_of

if TYPE_CHECKING:
    from deptrees.drawing.diagram import ArcDiagram

__all__ = ["Match", "matches"]


@attrs.frozen
class Match:
    """A place where a tree matches a request.

    Args:
        sentence: the number of the sentence in the treebank, from 1.
        tree: the sentence.
        words: the position of each node by its name, 0 for ROOT.
        edges: the names of head and dependent for each edge of the request.
    """

    sentence: int
    tree: DependencyTree = attrs.field(repr=False)
    words: Mapping[str, int]
    edges: tuple[tuple[str, str], ...] = attrs.field(repr=False)

    def diagram(self) -> ArcDiagram:
        """The tree with the match: its words marked, with the names of their nodes below them, and its edges as well.

        >>> from deptrees import sample_treebank
        >>> match = next(sample_treebank("dev").query("pattern { V -[nsubj]-> S }"))
        >>> diagram = match.diagram()
        >>> [diagram.words[position - 1] for position in sorted(diagram.marked)], diagram.tags[:4]
        (['gardener', 'waters'], (None, None, 'S', 'V'))
        """
        diagram = self.tree.diagram()
        ends = {(self.words[head], self.words[dependent]) for head, dependent in self.edges}
        names = {position: name for name, position in self.words.items()}
        return attrs.evolve(
            diagram,
            arcs=[attrs.evolve(it, kind="matched") if (it.head, it.dependent) in ends else it for it in diagram.arcs],
            tags=tuple(names.get(position) for position in range(1, len(self.tree) + 1)),
            marked=frozenset(names.keys() - {0}),
        )

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from deptrees.drawing.html import scrolling
        from deptrees.drawing.svg import svg

        return scrolling(svg(self.diagram()), self.tree.name)


def matches(trees: Iterable[AnyTree], request: str | Request) -> Iterator[Match]:
    """The places where trees match a request in the language of Grew; see `deptrees.query.Request`.

    The time is linear in the number of trees. How long a tree takes has a limit, whatever the request.

    Args:
        trees: a treebank, or any trees.
        request: what to look for.

    Yields:
        The matches, sentence by sentence, in the order of the positions of their nodes.

    Raises:
        RequestError: at once, if the request is not in the language, or in a part of it that is not supported.
        TooLarge: a sentence has more than a million partial matches.

    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> [*matches([tree], "pattern { V -[nsubj]-> S }")]
    [Match(sentence=1, words={'V': 2, 'S': 1})]
    """
    return _matches(trees, request if isinstance(request, Request) else Request(request))


def _matches(trees: Iterable[AnyTree], request: Request) -> Iterator[Match]:
    first, edges = 1, request.edges
    for batch in trees.batches() if isinstance(trees, Batched) else batches(trees_of(trees)):
        for sentence, words in request.search(batch.columns, first):
            yield Match(sentence, batch.trees[sentence - first], words, edges)
        first += len(batch)
