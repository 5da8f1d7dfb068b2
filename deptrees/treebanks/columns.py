"""A treebank in flat arrays of numbers."""

from __future__ import annotations

import json
import os
import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import islice, pairwise
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import chunked, flatten

from deptrees.files.limits import LABELS
from deptrees.files.records import converter
from deptrees.messages import TooLarge, counted, quoted
from deptrees.treebanks.conllu import kept_text
from deptrees.treebanks.hashes import text_hash
from deptrees.treebanks.reader import Batched
from deptrees.trees.heads import check_heads, heads_are_projective, projective_components, projective_order
from deptrees.trees.token import COLUMNS, LOOKED_UP, Token, canonical
from deptrees.trees.tree import AnyTree, DependencyTree, as_tree

if TYPE_CHECKING:
    from deptrees.treebanks.encoded_text import EncodedText

__all__ = ["MISSING", "WORD_COLUMNS", "Columns", "check_texts"]

WORD_COLUMNS = tuple(name for name in COLUMNS if name not in ("id", "head", "deprel", "deps"))
"""The columns of words that are known before parsing."""
MISSING = "_"
"""The value of an empty column, and of a missing label."""

_TEXT = re.compile(r"[^\t\n\r\ud800-\udfff]+")
_AT_ONCE = 1 << 13
_BYTES_AT_ONCE = 1 << 24  # most treebanks have fewer: then columns are found on demand, and training asks for few

_Integers = npt.NDArray[np.int32]
_T = TypeVar("_T")


def check_texts(_: object, attribute: Any, texts: Sequence[str | None]) -> None:
    r"""A validator of attrs: the field has labels or tags without duplicates, not too many, each valid in a column.

    >>> check_texts(None, attrs.fields(Columns).labels, ["nsubj", "ob\tj"])
    Traceback (most recent call last):
    ValueError: 'ob\tj' in labels: expected a text without tabs and line ends
    """
    if len(texts) > LABELS or len({*texts}) < len(texts):
        raise TooLarge(f"{len(texts)} {attribute.name}, {len({*texts})} different: {LABELS} different are the most")
    for text in texts:
        if text is not None and not _TEXT.fullmatch(text):
            raise ValueError(f"{quoted(text)} in {attribute.name}: expected a text without tabs and line ends")


class _Numbers(dict[str | None, int]):
    """The numbers of texts, in the order in which they are first looked up; ``None`` counts as ``_`` by default."""

    def __missing__(self, text: str | None) -> int:
        number = self[MISSING] if text is None else len(self) - (None in self)
        self[text] = number
        return number

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple([text for text in self if text is not None])


@attrs.frozen(eq=False)
class _OnDemand(Mapping[str, _T]):
    """What there is of each column, found when it is first asked for: parsing looks at few columns."""

    find: Callable[[str], _T]
    names: tuple[str, ...]

    def __getitem__(self, name: str) -> _T:
        if name not in self.names:
            raise KeyError(name)
        return self.find(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __reduce__(self) -> tuple[object, ...]:
        return dict, ({**self},)


@attrs.frozen(eq=False)
class _TextsOnDemand(_OnDemand[tuple[str, ...]]):
    """The texts of each column, and their hashes, for which the compiled reader need not make them."""

    hashes: Callable[[str], npt.NDArray[np.uint64]]


def _over(known: Mapping[str, _T], new: Mapping[str, _T]) -> Mapping[str, _T]:
    """Columns with others in the place of some; those that are found on demand stay so."""
    return ChainMap(dict(new), *_layers(known))


def _layers(columns: Mapping[str, _T]) -> Sequence[Any]:
    return columns.maps if isinstance(columns, ChainMap) else [columns]


def _hashes(texts: Sequence[str]) -> npt.NDArray[np.uint64]:
    return np.fromiter(map(text_hash, texts), np.uint64, len(texts))


@attrs.frozen(eq=False, repr=False)
class Columns:
    """A treebank: its sentences one after another, with each column as an array of one number per word.

    Forms and lemmas are as they are looked up (`deptrees.trees.token.canonical`), which is not always as written.

    Args:
        offsets: where each sentence begins, and where the last ends: int64.
        heads: the heads, 0 for ROOT, -1 where there is none: int32.
        labels: the labels of the arcs, as indices into ``vocabularies["deprel"]``, -1 where there is none: int32.
        words: the other columns, as indices into their vocabularies: int32.
        vocabularies: the texts of each column.
        projective: for each sentence, whether its tree is projective; worked out on demand if not given.

    >>> trees = [DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")]), DependencyTree([(0, "Sing", "root")])]
    >>> columns = Columns.encode(trees)
    >>> len(columns), columns.offsets.tolist(), columns.heads.tolist(), columns.labels.tolist()
    (2, [0, 2, 3], [2, 0, 0], [0, 1, 1])
    >>> columns.vocabularies["form"], columns.tree(1)
    (('Birds', 'sing', 'Sing'), DependencyTree([(0, 'Sing', 'root')]))
    """

    offsets: npt.NDArray[np.int64]
    heads: _Integers
    labels: _Integers
    words: Mapping[str, _Integers]
    vocabularies: Mapping[str, tuple[str, ...]]
    _projective: npt.NDArray[np.bool_] | None = None

    @classmethod
    def encode(cls, trees: Iterable[AnyTree]) -> Columns:
        """Trees as numbers, without making tokens of sentences that the compiled reader has read, or can read."""
        if isinstance(trees, Batched):
            return cls._joined([batch.columns for batch in trees.batches(_BYTES_AT_ONCE) if len(batch)])
        parts = ((some, kept_text(some)) for some in chunked(map(as_tree, trees), _AT_ONCE))
        return cls._joined([cls.of_trees(some) if text is None else cls.of_text(text) for some, text in parts])

    @classmethod
    def of_trees(cls, trees: Sequence[DependencyTree]) -> Columns:
        """Trees as numbers; each column is encoded when it is first asked for.

        >>> Columns.of_trees([DependencyTree([(0, "Sing"), (1, "on")])]).vocabularies["form"]
        ('Sing', 'on')
        """

        @cache
        def numbered(column: str) -> tuple[_Integers, tuple[str, ...]]:
            numbers = _Numbers({None: -1} if column == "deprel" else {})
            if column == "deprel":
                texts: Iterable[str | None] = flatten(tree.labels for tree in trees)
            else:
                texts = map(attrgetter(column), flatten(tree.tokens for tree in trees))
                if column in LOOKED_UP:
                    texts = (text and canonical(text) for text in texts)
            return np.fromiter(map(numbers.__getitem__, texts), np.int32), numbers.texts

        return cls(
            np.cumsum([0, *map(len, trees)], dtype=np.int64),
            np.array([-1 if head is None else head for tree in trees for head in tree.heads], np.int32),
            numbered("deprel")[0],
            _OnDemand(lambda name: numbered(name)[0], WORD_COLUMNS),
            _OnDemand(lambda name: numbered(name)[1], (*WORD_COLUMNS, "deprel")),
        )

    @classmethod
    def of_text(cls, text: EncodedText) -> Columns:
        """Sentences that the compiled reader has read.

        >>> from deptrees import sample_treebank
        >>> next(sample_treebank("dev").batches()).columns.vocabularies["form"][:2]
        ('The', 'old')
        """

        @cache
        def canonized(column: str) -> tuple[_Integers, tuple[str, ...]] | None:
            """A column whose texts are not all as they are looked up."""
            if column not in LOOKED_UP or text.is_canonical(column):
                return None
            known = _Numbers()
            new = np.array([known[canonical(written)] for written in text.texts(column)], np.int32)
            return new[text.numbers(column)], known.texts

        def numbers(column: str) -> _Integers:
            found = canonized(column)
            return text.numbers(column) if found is None else found[0]

        def texts(column: str) -> tuple[str, ...]:
            found = canonized(column)
            return text.texts(column) if found is None else found[1]

        def hashes(column: str) -> npt.NDArray[np.uint64]:
            found = canonized(column)
            return text.hashes(column) if found is None else _hashes(found[1])

        return cls(
            text.offsets,
            text.numbers("head"),
            text.numbers("deprel"),
            _OnDemand(cache(numbers), WORD_COLUMNS),
            _TextsOnDemand(cache(texts), (*WORD_COLUMNS, "deprel"), hashes),
            text.projective,
        )

    @classmethod
    def _joined(cls, parts: Sequence[Columns]) -> Columns:
        """Treebanks as one."""
        if len(parts) <= 1:
            return parts[0] if parts else cls.of_trees([])
        numbers = {name: _Numbers() for name in (*WORD_COLUMNS, "deprel")}
        renumbered: dict[str, list[_Integers]] = {name: [] for name in numbers}
        for part in parts:
            for name, found in {**part.words, "deprel": part.labels}.items():
                new = [*map(numbers[name].__getitem__, part.vocabularies[name]), -1]
                renumbered[name].append(np.array(new, np.int32)[found])
        words = {name: np.concatenate(found) for name, found in renumbered.items()}
        return cls(
            np.cumsum(np.concatenate([[0], *(np.diff(part.offsets) for part in parts)])),
            np.concatenate([part.heads for part in parts]),
            words.pop("deprel"),
            words,
            {name: known.texts for name, known in numbers.items()},
            np.concatenate([part.projective for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        return f"<columns of {len(self)} sentences>"

    @cached_property
    def projective(self) -> npt.NDArray[np.bool_]:
        """For each sentence, whether its tree is projective.

        >>> Columns.encode([DependencyTree([(3, "a"), (0, "b"), (2, "c"), (2, "d")])]).projective.tolist()
        [False]
        """
        if self._projective is not None:
            return self._projective
        return np.fromiter(map(heads_are_projective, self._heads_of_sentences()), np.bool_, len(self))

    def _heads_of_sentences(self) -> Iterator[tuple[int | None, ...]]:
        """For each sentence its heads as a tree has them."""
        for start, stop in pairwise(self.offsets.tolist()):
            yield tuple([None if head < 0 else head for head in self.heads[start:stop].tolist()])

    @cached_property
    def plain(self) -> npt.NDArray[np.bool_]:
        """For each sentence, whether its tree is projective and has all heads and a single root.

        >>> Columns.encode([DependencyTree([(0, "Sing")]), DependencyTree([(0, "Sing"), (0, "on")])]).plain.tolist()
        [True, False]
        """
        sentence = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        places = self.heads == 0, self.heads < 0
        roots, unknown = [np.bincount(sentence[where], minlength=len(self)) for where in places]
        return np.asarray(self.projective & (roots == 1) & (unknown == 0))

    def hashes(self, column: str) -> npt.NDArray[np.uint64]:
        """For each text of a column its `deptrees.features.text_hash`; a KeyError if there is no such column.

        >>> from deptrees.treebanks.hashes import text_hash
        >>> columns = Columns.encode([DependencyTree([(0, "Sing", "root"), (1, "on", "advmod")])])
        >>> columns.hashes("form").tolist() == [text_hash("Sing"), text_hash("on")]
        True
        """
        [known] = [known for known in _layers(self.vocabularies) if column in known][:1] or [{}]
        if isinstance(known, _TextsOnDemand):
            return known.hashes(column)
        return _hashes(known[column])

    def tree(self, sentence: int) -> DependencyTree:
        """A sentence as a tree, with the encoded columns."""
        start, stop = int(self.offsets[sentence]), int(self.offsets[sentence + 1])
        return DependencyTree(self._word(position) for position in range(start, stop))

    def _word(self, position: int) -> Token:
        head, label = int(self.heads[position]), int(self.labels[position])
        texts: dict[str, Any] = {name: self.vocabularies[name][column[position]] for name, column in self.words.items()}
        label_text = None if label < 0 else self.vocabularies["deprel"][label]
        return Token(head=None if head < 0 else head, label=label_text, **texts)

    def take(self, sentences: npt.NDArray[np.int64]) -> Columns:
        """Some of the sentences, by their numbers and in the given order, with the same vocabularies.

        >>> columns = Columns.encode([DependencyTree([(0, "Sing")]), DependencyTree([(0, "Go"), (1, "on")])])
        >>> columns.take(np.array([1])).tree(0)
        DependencyTree([(0, 'Go'), (1, 'on')])
        """
        lengths = np.diff(self.offsets)[sentences]
        offsets = np.cumsum([0, *lengths], dtype=np.int64)
        words = np.arange(offsets[-1]) + np.repeat(self.offsets[sentences] - offsets[:-1], lengths)
        return attrs.evolve(
            self,
            offsets=offsets,
            heads=self.heads[words],
            labels=self.labels[words],
            words={name: column[words] for name, column in self.words.items()},
            projective=None if self._projective is None else self._projective[sentences],
        )

    def with_columns(self, **columns: tuple[_Integers, Sequence[str]]) -> Columns:
        """The same words with other values in some columns; see `deptrees.treebanks.batch.Batch.with_columns`."""
        numbers = {name: found for name, (found, _) in columns.items()}
        texts = {name: tuple(found) for name, (_, found) in columns.items()}
        return attrs.evolve(self, words=_over(self.words, numbers), vocabularies=_over(self.vocabularies, texts))

    def with_arcs(self, heads: _Integers, labels: _Integers, names: Sequence[str]) -> Columns:
        """The same words with other heads and labels; see `deptrees.treebanks.batch.Batch.with_arcs`.

        Raises:
            TreeError: the heads of a sentence do not form a tree.

        >>> columns = Columns.encode([DependencyTree([(None, "Birds"), (None, "sing")])])
        >>> columns.with_arcs(np.array([2, 0]), np.array([0, -1]), ["nsubj"]).tree(0)
        DependencyTree([(2, 'Birds', 'nsubj'), (0, 'sing')])
        """
        found = attrs.evolve(
            self,
            heads=heads.astype(np.int32),
            labels=labels.astype(np.int32),
            vocabularies=_over(self.vocabularies, {"deprel": tuple(names)}),
            projective=None,
        )
        if not found._are_trees():
            for of_sentence in found._heads_of_sentences():
                check_heads(of_sentence)
        return found

    def same_trees(self, other: Columns) -> npt.NDArray[np.bool_]:
        """For each sentence, whether it has the same heads and labels in other columns of the same words.

        Raises:
            ValueError: there are more words, or fewer.

        >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
        >>> other = Columns.encode([tree.reattach(tree.heads, ["obj", "root"]), tree])
        >>> Columns.encode([tree, tree]).same_trees(other).tolist()
        [False, True]
        """
        if len(other.heads) != len(self.heads):
            raise ValueError(f"other has {counted(len(other.heads), 'word')}, and these sentences {len(self.heads)}")
        number = {name: number for number, name in enumerate(self.vocabularies["deprel"])}
        labels = np.array([*[number.get(name, -2) for name in other.vocabularies["deprel"]], -1])
        differ = (self.heads != other.heads) | (self.labels != labels[other.labels])
        before = np.cumsum([0, *differ])
        found: npt.NDArray[np.bool_] = before[self.offsets[:-1]] == before[self.offsets[1:]]
        return found

    def texts(
        self, columns: Iterable[str], deps: tuple[_Integers, Sequence[str]] | None = None
    ) -> list[tuple[str, _Integers, Sequence[str]]]:
        """Columns by their names in CoNLL-U, as ``EncodedText.with_columns`` takes them; DEPS is none of its own."""
        found: list[tuple[str, _Integers, Sequence[str]]] = []
        for name in columns:
            if name == "head":
                longest = int(np.diff(self.offsets).max(initial=0))
                found.append((name, self.heads, [*map(str, range(longest + 1))]))
            elif name == "deps" and deps is not None:
                found.append((name, *deps))
            else:
                numbers = self.labels if name == "deprel" else self.words[name]
                found.append((name, numbers, self.vocabularies[name]))
        return found

    def token_values(
        self, columns: Iterable[str], deps: tuple[_Integers, Sequence[str]] | None = None
    ) -> Iterator[list[dict[str, Any]]]:
        """For each sentence the values of such columns of each word, by the names that a token has for them."""
        values: dict[str, list[object]] = {}
        for name, numbers, texts in self.texts(columns, deps):
            if name == "head":
                values[name] = [None if head < 0 else head for head in numbers.tolist()]
            else:
                values[COLUMNS[name]] = [*map([*texts, None].__getitem__, np.maximum(numbers, -1).tolist())]
        rows = (dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True))
        for length in np.diff(self.offsets).tolist():
            yield [*islice(rows, length)]

    def fingerprint(self) -> str:
        """A text that distinguishes this treebank from others.

        >>> trees = [DependencyTree([(0, "Sing")]), DependencyTree([(0, "Sings")])]
        >>> Columns.encode(trees[:1]).fingerprint() == Columns.encode(trees[1:]).fingerprint()
        False
        """
        found = sha256(json.dumps(dict(self.vocabularies)).encode())
        for array in self._arrays().values():
            found.update(np.ascontiguousarray(array).data)
        return found.hexdigest()

    def subsample(self, p: float, rng: np.random.Generator) -> Columns:
        """The treebank with each of its heads kept with probability p: `deptrees.training.subsample` for all trees.

        Projective trees stay projective; others are not checked again.

        >>> columns = Columns.encode([DependencyTree([(2, "I"), (0, "saw"), (2, "her")])])
        >>> columns.subsample(0.5, np.random.default_rng(2)).heads.tolist()
        [2, 0, -1]
        """
        kept = rng.random(len(self.heads)) < p
        heads, labels = [np.where(kept, array, np.int32(-1)) for array in (self.heads, self.labels)]
        return attrs.evolve(self, heads=heads, labels=labels)

    def ranks(self) -> _Integers:
        """Two rows for all positions, ROOT's included: each tree's projective order and projective components."""
        kinds = projective_order, projective_components
        return np.array([[*flatten(map(kind, self._heads_of_sentences()))] for kind in kinds], np.int32)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Save to a folder, one file per array, for ``load``. The folder is created if necessary."""
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        for name, array in self._arrays().items():
            np.save(path / f"{name}.npy", array)
        (path / "vocabularies.json").write_text(json.dumps(dict(self.vocabularies)), encoding="utf-8")

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Columns:
        """Load a saved treebank. Its numbers are checked; the arrays stay on disk and are read when needed.

        Raises:
            FileNotFoundError: there is no saved treebank.
            ValueError: it is damaged.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Columns.encode([DependencyTree([(0, "Sing")])]).save(folder)
        ...     Columns.load(folder).tree(0)
        DependencyTree([(0, 'Sing')])
        """
        path = Path(folder)
        vocabularies = (path / "vocabularies.json").read_text(encoding="utf-8")
        try:
            arrays = {file.stem: np.lib.format.open_memmap(file, "r") for file in path.glob("*.npy")}
            words = {name: arrays.pop(name) for name in WORD_COLUMNS}
            texts: Any = converter().structure(json.loads(vocabularies), Mapping[str, tuple[str, ...]])  # type: ignore[type-abstract]
            found = cls(words=words, vocabularies=texts, **arrays)
            found._check()
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"{folder} is a damaged treebank, save it again: {error}") from error
        return found

    def _check(self) -> None:
        """Raise a ValueError if a number is out of range: the engine takes them as they are."""
        lengths = np.diff(self.offsets)
        if self.offsets[0] != 0 or (lengths < 0).any():
            raise ValueError("offsets do not rise from 0")
        words: tuple[np.dtype[np.generic], tuple[int, ...]] = np.dtype(np.int32), (int(lengths.sum()),)
        kinds = dict.fromkeys(self._arrays(), words)
        kinds["offsets"] = np.dtype(np.int64), (len(lengths) + 1,)
        kinds["projective"] = np.dtype(np.bool_), (len(lengths),)
        for name, array in self._arrays().items():
            if (array.dtype, array.shape) != kinds[name]:
                raise ValueError(f"{name} should be {kinds[name]}, and is {(array.dtype, array.shape)}")
        for name, numbers in {**self.words, "deprel": self.labels}.items():
            least = -1 if name == "deprel" else 0
            if numbers.min(initial=0) < least or numbers.max(initial=-1) >= len(self.vocabularies[name]):
                raise ValueError(f"{name} has numbers without a text")
        if (self.heads < -1).any() or not self._are_trees():
            raise ValueError("a head is not in its sentence, or heads go round in a cycle")

    def _are_trees(self) -> bool:
        """Whether the heads of all sentences are in them, and the arcs form no cycle."""
        lengths = np.diff(self.offsets)
        if (self.heads > lengths.repeat(lengths)).any():
            return False
        ends = len(self.heads)  # where a way up ends
        firsts = self.offsets[:-1].repeat(lengths)
        ancestors = np.append(np.where(self.heads > 0, self.heads - 1 + firsts, ends), ends)
        for _ in range(int(lengths.max(initial=0)).bit_length()):  # each round doubles how far up they are
            ancestors = ancestors[ancestors]
        return bool((ancestors == ends).all())

    def _arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        own = {name: getattr(self, name) for name in ("offsets", "heads", "labels", "projective")}
        return {**own, **self.words}
