"""Paths in trees: an arc of an enhanced graph leads to a word from another that is a few steps away in the tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.treebanks.columns import Columns

__all__ = ["BASIC", "DOWN", "UP", "Forest", "Path", "Paths"]

UP, DOWN = 3, 2
"""The longest path that is considered: steps up from a dependent, and then down to its head."""

Path = tuple[tuple[str, ...], tuple[str, ...]]
"""The labels on a path: from the dependent up, and from the head up to the same word."""

BASIC: Path = ((), ())
"""Stands for all paths of a single step up, whatever the label: those of the arcs of the tree."""

_Places = npt.NDArray[np.intp]


@attrs.frozen(eq=False)
class Forest:
    """The trees of several sentences: the places of all words, then of ROOT of each, then one, the head of the rest.

    >>> from deptrees import DependencyTree
    >>> forest = Forest(Columns.encode([DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Go")])]))
    >>> forest.heads.tolist()
    [1, 3, 4, 5, 5, 5]
    """

    columns: Columns

    @property
    def n_words(self) -> int:
        """How many words there are."""
        return len(self.columns.heads)

    @cached_property
    def sentence(self) -> _Places:
        """The sentence of each word."""
        return np.repeat(np.arange(len(self.columns)), np.diff(self.columns.offsets))

    @cached_property
    def heads(self) -> _Places:
        """The head of each place."""
        n, nothing, heads = self.n_words, self.n_words + len(self.columns), self.columns.heads
        within = self.columns.offsets[:-1][self.sentence] + heads - 1
        of_words = np.where(heads > 0, within, np.where(heads == 0, n + self.sentence, nothing))
        return np.concatenate([of_words, np.full(len(self.columns) + 1, nothing)]).astype(np.intp)

    def labels(self, alphabet: Iterable[str]) -> _Places:
        """For each place the number of its label in an alphabet, from 1; 0 if it has none of them."""
        numbers = {label: number for number, label in enumerate(alphabet, 1)}
        of_texts = [*[numbers.get(text, 0) for text in self.columns.vocabularies["deprel"]], 0]
        return np.append(np.array(of_texts)[self.columns.labels], np.zeros(len(self.columns) + 1, np.intp))

    def path(self, dependent: int, head: int) -> tuple[list[int], list[int]] | None:
        """The words up from a dependent, and up from a head, to where both meet; ``None`` if that is too far.

        >>> from deptrees import DependencyTree
        >>> Forest(Columns.encode([DependencyTree([(2, "Birds"), (0, "sing"), (2, "and"), (2, "fly")])])).path(0, 3)
        ([0], [3])
        """
        above = [head]
        for _ in range(DOWN):
            above.append(int(self.heads[above[-1]]))
        up: list[int] = []
        nothing = len(self.heads) - 1
        for _ in range(UP + 1):
            if dependent in above and dependent != nothing:
                return up, above[: above.index(dependent)]
            up.append(dependent)
            dependent = int(self.heads[dependent])
        return None


@attrs.frozen(eq=False)
class Paths:
    """All pairs of a dependent and a head that have paths of some kinds between them.

    Args:
        dependents: the places of the dependents.
        heads: the places of the heads.
        kinds: which of the kinds each path is.
        words: the words of each path in rows, from the dependent up and then down to the head, -1 after the last.
    """

    dependents: _Places
    heads: _Places
    kinds: _Places
    words: _Places

    @classmethod
    def find(cls, forest: Forest, kinds: Sequence[Path]) -> Paths:
        """All paths of these kinds, among which is ``BASIC``.

        >>> from deptrees import DependencyTree
        >>> tree = DependencyTree([(2, "I", "nsubj"), (0, "want", "root"), (4, "to", "mark"), (2, "sing", "xcomp")])
        >>> found = Paths.find(Forest(Columns.encode([tree])), [BASIC, (("nsubj",), ("xcomp",))])
        >>> [*zip(found.dependents.tolist(), found.heads.tolist(), found.kinds.tolist())]
        [(0, 1, 0), (1, 4, 0), (2, 3, 0), (3, 1, 0), (0, 3, 1)]
        """
        steps = _Steps(forest, sorted({label for path in kinds for labels in path for label in labels}))
        shapes: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for kind, (up, down) in enumerate(kinds):
            if (up, down) != BASIC:
                shapes[len(up), len(down)].append(kind)
        parts = [steps.basic(kinds.index(BASIC))]
        parts += [steps.paths(i, j, {kind: kinds[kind] for kind in of_shape}) for (i, j), of_shape in shapes.items()]
        arrays = ([getattr(part, field.name) for part in parts] for field in attrs.fields(cls))
        return cls(*map(np.concatenate, arrays))

    def some(self, chosen: npt.NDArray[np.bool_]) -> Paths:
        """Those of the paths that are chosen."""
        return Paths(*[getattr(self, field.name)[chosen] for field in attrs.fields(Paths)])


class _Steps:
    """The places above each place of a forest, and a number for the labels on the way there."""

    def __init__(self, forest: Forest, alphabet: Sequence[str]) -> None:
        self.forest, self.base = forest, len(alphabet) + 1
        self.numbers = {label: number for number, label in enumerate(alphabet, 1)}
        labels = forest.labels(alphabet)
        self.above, self.codes = [np.arange(len(forest.heads))], [np.zeros(len(forest.heads), np.int64)]
        for _ in range(max(UP, DOWN)):
            self.codes.append(self.codes[-1] * self.base + labels[self.above[-1]])
            self.above.append(forest.heads[self.above[-1]])

    def basic(self, kind: int) -> Paths:
        """The arcs of the trees."""
        heads = self.forest.heads[: self.forest.n_words]
        words = np.flatnonzero(heads < len(self.forest.heads) - 1)
        return self._as_paths(words, heads[words], np.full(len(words), kind), 1, 0)

    def paths(self, i: int, j: int, kinds: Mapping[int, Path]) -> Paths:
        """The paths of i steps up and j steps down that are of these kinds."""
        wanted = {self._code(up) * self.base**j + self._code(down): kind for kind, (up, down) in kinds.items()}
        codes, of_codes = (np.array(part) for part in zip(*sorted(wanted.items()), strict=True))
        words, (ups, downs) = np.arange(self.forest.n_words), np.divmod(codes, self.base**j)
        lower = words[np.isin(self.codes[i][words], ups)]
        upper = words[np.isin(self.codes[j][words], downs)] if j else np.arange(len(self.forest.heads) - 1)
        left, right = _equal(self.above[i][lower], self.above[j][upper])
        dependents, heads = lower[left], upper[right]
        found = self.codes[i][dependents] * self.base**j + self.codes[j][heads]
        place = np.minimum(np.searchsorted(codes, found), len(codes) - 1)
        are = codes[place] == found
        if i and j:
            are &= self.above[i - 1][dependents] != self.above[j - 1][heads]
        return self._as_paths(dependents[are], heads[are], of_codes[place[are]], i, j)

    def _code(self, labels: Sequence[str]) -> int:
        found = 0
        for label in labels:
            found = found * self.base + self.numbers[label]
        return found

    def _as_paths(self, dependents: _Places, heads: _Places, kinds: _Places, i: int, j: int) -> Paths:
        words = np.full((len(dependents), UP + DOWN), -1)
        for step in range(i):
            words[:, step] = self.above[step][dependents]
        for step in range(j):
            words[:, i + j - 1 - step] = self.above[step][heads]
        return Paths(dependents, heads, kinds, words)


def _equal(left: _Places, right: _Places) -> tuple[_Places, _Places]:
    """The places of all pairs of equal numbers, one from each side."""
    order = np.argsort(right, kind="stable")
    first, last = (np.searchsorted(right[order], left, side) for side in ("left", "right"))
    counts = last - first
    which = np.repeat(np.arange(len(left)), counts)
    within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    return which, order[first[which] + within]
