"""Consecutive sentences on their way from a reader to a tagger, a parser and a writer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise, repeat
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from deptrees.messages import of_type
from deptrees.threads import pool_of
from deptrees.treebanks.conllu import kept_text, to_conllu, tree_of_lines
from deptrees.treebanks.passages import Passage
from deptrees.treebanks.reader import Batched, read_text
from deptrees.trees.tree import DependencyTree, Sentence, as_tree

if TYPE_CHECKING:
    from concurrent.futures import Future

    import numpy as np
    import numpy.typing as npt

    from deptrees.treebanks.columns import Columns
    from deptrees.treebanks.encoded_text import EncodedText

    _Integers = npt.NDArray[np.int32]

__all__ = ["Batch", "batches", "in_order"]

_SIZES, _MOST = (1, 1, 4, 64), 1024
_AS_IT_WAS = -2  # in place of the number of a text, as the compiled reader takes it

_Result = TypeVar("_Result")
_Some = TypeVar("_Some", bound="Batch | Sequence[int]")


@attrs.frozen(eq=False, repr=False)
class Batch:
    r"""Consecutive sentences, as text, as columns of numbers, or as trees: each is made from another when it is needed.

    Readers and tokenizers make batches, taggers and parsers replace columns of them, and writers write them. A batch
    without sentences means that the next ones have not arrived yet, so that results so far can be delivered.

    >>> from deptrees import sample_treebank
    >>> batch = next(sample_treebank("dev").batches())
    >>> len(batch), batch.columns.heads[:3].tolist(), batch.trees[0].heads[:3]
    (14, [3, 3, 4], (3, 3, 4))
    >>> import numpy as np
    >>> batch = Batch.of([["Birds", "sing"]]).with_arcs(np.array([2, 0]), np.array([1, 0]), ["root", "nsubj"])
    >>> batch.conllu()
    b'1\tBirds\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tsing\t_\t_\t_\t_\t0\troot\t_\t_\n\n'
    """

    _sentences: EncodedText | tuple[DependencyTree, ...]
    _columns: Columns | None = None
    _replaced: tuple[str, ...] = ()
    # If DEPS is among what is replaced: numbers and texts; -1 is none, and the words of some sentences keep theirs.
    _deps: tuple[_Integers, Sequence[str]] | None = None

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Batch:
        """A batch of trees or lists of words."""
        trees = tuple(map(as_tree, sentences))
        text = kept_text(trees)
        return cls(trees if text is None else text)

    @classmethod
    def read(cls, content: bytes) -> Batch:
        r"""A batch of sentences in CoNLL-U that are known to be valid.

        >>> len(Batch.read(b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 2))
        2
        """
        text = read_text(content)
        if text is not None:
            return cls(text)
        return cls(tuple([found.tree() for found in Passage("<text>", 1, content).sentences()]))

    def __len__(self) -> int:
        return len(self._sentences)

    def __repr__(self) -> str:
        return f"<batch of {len(self)} sentences>"

    @property
    def n_words(self) -> int:
        """The number of words in all sentences."""
        return int(self.columns.offsets[-1])

    @cached_property
    def columns(self) -> Columns:
        """The sentences as numbers."""
        from deptrees.treebanks.columns import Columns  # NumPy takes longer to import than a small treebank to read

        if self._columns is not None:
            return self._columns
        if isinstance(self._sentences, tuple):
            return Columns.of_trees(self._sentences)
        return Columns.of_text(self._sentences)

    @cached_property
    def trees(self) -> Sequence[DependencyTree]:
        """The sentences as trees, whose tokens are made when they are first used."""
        if isinstance(self._sentences, tuple):
            if not self._replaced:
                return self._sentences
            values = self.columns.token_values(self._replaced, self._deps)
            return tuple(map(_with_values, self._sentences, values, self._keep_deps()))
        text = read_text(self.conllu()) if self._replaced else self._sentences
        assert text is not None
        return tuple([tree_of_lines(*found) for found in text.sentences()])

    def conllu(self) -> bytes:
        """The sentences in CoNLL-U, each ending in a blank line; see `deptrees.to_conllu`.

        Raises:
            ValueError: the format cannot represent a sentence.
        """
        if isinstance(self._sentences, tuple):
            return "".join(map(to_conllu, self.trees)).encode()
        return self._sentences.with_columns(self.columns.texts(self._replaced, self._deps))

    def with_columns(self, **columns: tuple[_Integers, Sequence[str]]) -> Batch:
        """The same sentences with other values in some of the columns that are known before parsing.

        Each column, such as ``upos``, is a number of a text for each word, and the texts; ``"_"`` where there is none.

        >>> import numpy as np
        >>> batch = Batch.of([["Birds", "sing"]]).with_columns(upos=(np.array([1, 0], np.int32), ["VERB", "NOUN"]))
        >>> [token.upos for token in batch.trees[0]]
        ['NOUN', 'VERB']
        """
        return self._with(self.columns.with_columns(**columns), columns, self._deps)

    def with_arcs(self, heads: _Integers, labels: _Integers, names: Sequence[str]) -> Batch:
        """The same sentences with other heads and labels, and without DEPS and empty nodes, as they had other trees.

        Labels are indices into their names. No head and no label are -1.

        Raises:
            TreeError: the heads of a sentence do not form a tree.
        """
        import numpy as np

        none = np.full(len(heads), -1, np.int32), ()
        return self._with(self.columns.with_arcs(heads, labels, names), ("head", "deprel", "deps"), none)

    def with_deps(self, numbers: _Integers, texts: Sequence[str]) -> Batch:
        """The same sentences with other enhanced dependencies: a number of a text for each word, and the texts; or -1.

        >>> import numpy as np
        >>> batch = Batch.of([["Birds", "sing"]]).with_deps(np.array([1, 0], np.int32), ["0:root", "2:nsubj"])
        >>> [token.deps for token in batch.trees[0]]
        ['2:nsubj', '0:root']
        """
        return self._with(self.columns, ("deps",), (numbers, texts))

    @property
    def has_deps(self) -> bool:
        """Whether there are enhanced dependencies: DEPS of a word, or empty nodes."""
        if not isinstance(self._sentences, tuple):
            return self._sentences.has_deps
        return any(token.deps or "." in str(token.id) for tree in self._sentences for token in tree.all_tokens)

    def keeping_deps(self, former: Batch) -> Batch:
        """The same sentences with their DEPS and empty nodes, where the trees are again those of the former batch.

        >>> from deptrees import Token
        >>> import numpy as np
        >>> tree = DependencyTree([Token("Birds", 2, "nsubj", deps="2:nsubj"), Token("sing", 0, deps="0:root")])
        >>> former = Batch.of([tree, tree])
        >>> batch = former.with_arcs(np.array([2, 0, 0, 1]), np.array([0, -1, 0, -1]), ["nsubj"])
        >>> [token.deps for tree in batch.keeping_deps(former).trees for token in tree]
        ['2:nsubj', '0:root', None, None]
        """
        import numpy as np

        if self._deps is None:
            return self
        of_type("former", former, Batch, "a batch of the same sentences")
        numbers, texts = self._deps
        numbers = numbers.copy()
        numbers[self.columns.same_trees(former.columns).repeat(np.diff(self.columns.offsets))] = _AS_IT_WAS
        return self._with(self.columns, (), (numbers, texts))

    def _keep_deps(self) -> Iterable[bool]:
        """Whether each sentence keeps its DEPS and empty nodes."""
        if self._deps is None:
            return repeat(True)
        numbers = [*self._deps[0].tolist(), None]  # a sentence without words may come last
        bounds = pairwise(self.columns.offsets.tolist())
        return (start < stop and numbers[start] == _AS_IT_WAS for start, stop in bounds)

    def _with(self, columns: Columns, replaced: Iterable[str], deps: tuple[_Integers, Sequence[str]] | None) -> Batch:
        return Batch(self._sentences, columns, (*dict.fromkeys((*self._replaced, *replaced)),), deps)


def batches(sentences: Iterable[Sentence]) -> Iterator[Batch]:
    """Sentences in batches: small ones at first, so that the first results come soon.

    >>> [len(batch) for batch in batches([["Go"]] * 100)]
    [1, 1, 4, 64, 30]
    """
    if isinstance(sentences, Batched):
        yield from sentences.batches()
        return
    remaining = iter(sentences)
    for size in chain(_SIZES, repeat(_MOST)):
        batch = Batch.of(islice(remaining, size))
        if not len(batch):
            return
        yield batch


def in_order(work: Callable[[_Some], _Result], items: Iterable[_Some], threads: int) -> Iterator[_Result]:
    """Work on batches in threads, lazily, with the results in the order of the batches.

    At a batch without sentences or an error, the results of all batches before it come first.

    >>> list(in_order(len, [Batch.of([["Go"]]), Batch.of([]), Batch.of([["Go"], ["On"]])], threads=2))
    [1, 2]
    """
    if threads == 1:
        yield from (work(batch) for batch in items if len(batch))
        return
    errors: list[Exception] = []
    with pool_of(threads) as pool:
        begun: deque[Future[_Result]] = deque()
        for batch in _up_to_an_error(items, errors):
            if batch:
                begun.append(pool.submit(work, batch))
            while begun and (not batch or len(begun) > 2 * threads):
                yield begun.popleft().result()
    if errors:
        raise errors[0]


def _up_to_an_error(items: Iterable[_Some], errors: list[Exception]) -> Iterator[_Some | None]:
    """The batches, and ``None`` at the end; an error is kept for later."""
    try:
        yield from items
    except Exception as error:
        errors.append(error)
    yield None


def _with_values(tree: DependencyTree, values: list[dict[str, Any]], keeps_deps: bool) -> DependencyTree:
    """A tree with other values of its words, of which DEPS may stay as it was."""
    if keeps_deps:
        values = [{name: value for name, value in of_word.items() if name != "deps"} for of_word in values]
    tokens = [attrs.evolve(token, **of_word) for token, of_word in zip(tree, values, strict=True)]
    return attrs.evolve(tree, tokens=tokens, extra_tokens=tree.extra_tokens if keeps_deps else tree.multiword_tokens)
