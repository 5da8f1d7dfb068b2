"""Consecutive sentences on their way from a reader to a tagger, a parser and a writer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.treebanks.columns import Batched, Columns, are_trees, compiled_reader, kept_text
from deptrees.treebanks.conllu import read_sentences, to_conllu, tree_of_lines
from deptrees.trees.heads import check_heads, heads_are_projective
from deptrees.trees.tree import DependencyTree, Sentence, as_tree

if TYPE_CHECKING:
    from deptrees.treebanks.encoded_text import EncodedText

__all__ = ["Batch", "batches", "in_order"]

_SIZES = (1, 1, 4, 64)
_MOST = 1024

_Integers = npt.NDArray[np.int32]
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@attrs.frozen
class _Arcs:
    """The arcs that a parser found: for each word its head and the number of its label, -1 for none."""

    heads: _Integers
    labels: _Integers
    names: Sequence[str]


@attrs.frozen(eq=False, repr=False)
class Batch:
    r"""Consecutive sentences, as text, as columns of numbers, or as trees: each is made from another when it is needed.

    Readers and tokenizers make batches, taggers and parsers replace columns of them, and writers write them. A batch
    without sentences means that the next ones have not arrived yet, so that results so far can be delivered.

    >>> from deptrees import sample_treebank
    >>> batch = next(sample_treebank("dev").batches())
    >>> len(batch), batch.columns.heads[:3].tolist(), batch.trees[0].heads[:3]
    (14, [3, 3, 4], (3, 3, 4))
    >>> batch = Batch.of([["Birds", "sing"]]).with_arcs(np.array([2, 0]), np.array([1, 0]), ["root", "nsubj"])
    >>> batch.conllu()
    b'1\tBirds\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tsing\t_\t_\t_\t_\t0\troot\t_\t_\n\n'
    """

    _sentences: EncodedText | tuple[DependencyTree, ...]
    _words: Columns
    _replaced: tuple[str, ...] = ()
    _arcs: _Arcs | None = None

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Batch:
        """A batch of trees or lists of words."""
        trees = tuple(map(as_tree, sentences))
        text = kept_text(trees)
        return cls(trees, Columns.of_trees(trees)) if text is None else cls.of_text(text)

    @classmethod
    def of_text(cls, text: EncodedText) -> Batch:
        """A batch of what the compiled reader has read."""
        return cls(text, Columns.of_text(text))

    @classmethod
    def read(cls, content: bytes) -> Batch:
        r"""A batch of sentences in CoNLL-U that are known to be valid.

        >>> len(Batch.read(b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 2))
        2
        """
        reader = compiled_reader()
        return cls.of(read_sentences(content)) if reader is None else cls.of_text(_read(reader, content))

    def __len__(self) -> int:
        return len(self._sentences)

    def __repr__(self) -> str:
        return f"Batch of {len(self)} sentences"

    @property
    def n_words(self) -> int:
        """The number of words in all sentences."""
        return int(self._words.offsets[-1])

    @cached_property
    def columns(self) -> Columns:
        """The sentences as numbers."""
        if self._arcs is None:
            return self._words
        heads = np.split(self._arcs.heads, self._words.offsets[1:-1])
        return attrs.evolve(
            self._words,
            heads=self._arcs.heads,
            labels=self._arcs.labels,
            vocabularies={**self._words.vocabularies, "deprel": tuple(self._arcs.names)},
            projective=np.array([heads_are_projective(_heads(found.tolist())) for found in heads[: len(self)]], bool),
        )

    @cached_property
    def trees(self) -> Sequence[DependencyTree]:
        """The sentences as trees, whose tokens are made when they are first used."""
        if not isinstance(self._sentences, tuple):
            text = self._sentences
            if self._replaced or self._arcs is not None:
                text = _read(type(text), self.conllu())
            return tuple([tree_of_lines(*found) for found in text.sentences()])
        if not self._replaced and self._arcs is None:
            return self._sentences
        return tuple(map(_replaced_tree, self._sentences, self._replaced_rows()))

    def conllu(self) -> bytes:
        """The sentences in CoNLL-U, each ending in a blank line; see ``to_conllu``.

        Raises:
            ValueError: the format cannot represent a sentence.
        """
        if isinstance(self._sentences, tuple):
            return b"".join([to_conllu(tree).encode() for tree in self.trees])
        words = self._words
        replaced: list[tuple[str, _Integers, Sequence[str]]] = [
            (name, words.words[name], words.vocabularies[name]) for name in self._replaced
        ]
        if self._arcs is not None:
            positions = [*map(str, range(np.diff(words.offsets).max(initial=0) + 1))]
            replaced.append(("head", self._arcs.heads, positions))
            replaced.append(("deprel", self._arcs.labels, tuple(self._arcs.names)))
            replaced.append(("deps", np.full_like(self._arcs.heads, -1), ()))
        return self._sentences.with_columns(replaced)

    def with_columns(self, **columns: tuple[_Integers, Sequence[str]]) -> Batch:
        """The same sentences with other values in some columns that are known before parsing, such as ``upos``.

        Args:
            columns: for each column the number of a text for each word, and the texts; ``"_"`` where there is none.

        >>> batch = Batch.of([["Birds", "sing"]]).with_columns(upos=(np.array([1, 0], np.int32), ["VERB", "NOUN"]))
        >>> [token.upos for token in batch.trees[0]]
        ['NOUN', 'VERB']
        """
        numbers = {name: found for name, (found, _) in columns.items()}
        texts = {name: tuple(found) for name, (_, found) in columns.items()}
        words = attrs.evolve(
            self._words,
            words={**self._words.words, **numbers},
            vocabularies={**self._words.vocabularies, **texts},
        )
        return attrs.evolve(self, words=words, replaced=(*dict.fromkeys((*self._replaced, *columns)),))

    def with_arcs(self, heads: _Integers, labels: _Integers, names: Sequence[str]) -> Batch:
        """The same sentences with other heads and labels, and without DEPS, which belong to their former trees.

        Args:
            heads: the head of each word, -1 for none.
            labels: the number of its label, -1 for none.
            names: the labels.

        Raises:
            TreeError: the heads of a sentence do not form a tree.
        """
        if not are_trees(heads, self._words.offsets):
            for found in np.split(heads, self._words.offsets[1:-1]):
                check_heads(_heads(found.tolist()))
        return attrs.evolve(self, arcs=_Arcs(heads.astype(np.int32), labels.astype(np.int32), names))

    def _replaced_rows(self) -> Iterator[list[dict[str, Any]]]:
        """For each sentence the replaced columns of each of its words, by their names in a token."""
        words, replaced = self._words, dict[str, list[Any]]()
        for name in self._replaced:
            texts = words.vocabularies[name]
            replaced[name] = [texts[number] for number in words.words[name].tolist()]
        if self._arcs is not None:
            replaced["head"] = list(_heads(self._arcs.heads.tolist()))
            replaced["label"] = list(map([*self._arcs.names, None].__getitem__, self._arcs.labels.tolist()))
            replaced["deps"] = [None] * self.n_words
        rows = (dict(zip(replaced, values, strict=True)) for values in zip(*replaced.values(), strict=True))
        for length in np.diff(words.offsets).tolist():
            yield [*islice(rows, length)]


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


def in_order(work: Callable[[Batch], _Result], items: Iterable[Batch], threads: int) -> Iterator[_Result]:
    """Work on batches in threads, lazily, with the results in the order of the batches.

    At a batch without sentences, the results of all batches before it come first. So do they at an error.

    >>> list(in_order(len, [Batch.of([["Go"]]), Batch.of([]), Batch.of([["Go"], ["On"]])], threads=2))
    [1, 2]
    """
    if threads == 1:
        yield from (work(batch) for batch in items if len(batch))
        return
    errors: list[Exception] = []
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[_Result]] = deque()
        for batch in _up_to_an_error(items, errors):
            if batch:
                begun.append(pool.submit(work, batch))
            while begun and (not batch or len(begun) > 2 * threads):
                yield begun.popleft().result()
    if errors:
        raise errors[0]


def _up_to_an_error(items: Iterable[Batch], errors: list[Exception]) -> Iterator[Batch | None]:
    """The batches, and ``None`` at the end; an error is kept for later."""
    try:
        yield from items
    except Exception as error:
        errors.append(error)
    yield None


def _read(reader: type[EncodedText], content: bytes) -> EncodedText:
    text = reader(content)
    invalid = text.read()
    assert invalid is None, "the compiled reader does not read what is valid"
    return text


def _replaced_tree(tree: DependencyTree, rows: Sequence[Mapping[str, Any]]) -> DependencyTree:
    return attrs.evolve(tree, tokens=[attrs.evolve(token, **row) for token, row in zip(tree, rows, strict=True)])


def _heads(numbers: Sequence[int]) -> tuple[int | None, ...]:
    return tuple(numbers) if -1 not in numbers else tuple([None if head < 0 else head for head in numbers])
