"""What every model does: it finds the trees of sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, SupportsIndex

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import first

from deptrees.files.limits import BEAM
from deptrees.files.models import ModelFile, Saved
from deptrees.files.parts import MODELS
from deptrees.messages import whole_number
from deptrees.transition.constraints import Constraints
from deptrees.transition.labels import ANY_LABELS, LabelHeads
from deptrees.transition.system import System
from deptrees.transition.systems.registry import GivenSystem
from deptrees.treebanks.batch import Batch

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.engine.confidence import Confidence
    from deptrees.enhanced import Enhancer
    from deptrees.search import BaseRanking
    from deptrees.tagger import Tagger
    from deptrees.tokenizer import Tokenizer
    from deptrees.training.known_tags import KnownTags

__all__ = ["AnyModel", "Floats", "Found", "Integers", "SearchOptions", "read_model"]

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


def _beam(number: SupportsIndex | None) -> int | None:
    return None if number is None else whole_number("beam", number, 1, BEAM)


def _k(number: SupportsIndex | None) -> int | None:
    return None if number is None else whole_number("k", number, 1)


def _threads(number: SupportsIndex) -> int:
    return whole_number("threads", number, 1)


@attrs.frozen(kw_only=True)
class SearchOptions:
    """How to search for the trees of some sentences.

    Args:
        beam: how many derivations to follow at a time, at most 64; ``None`` for as many as in training, or k if that is
            more.
        k: how many trees of each sentence to find, with their scores; ``None`` for the best one alone.
        threads: the number of threads; the result does not depend on it.
        constraints: what is known about each of the sentences; ``None`` if nothing is.
        margins: whether to measure how clear the choices are.

    Raises:
        TypeError: something is not a whole number.
        ValueError: it is out of range.

    >>> SearchOptions(k=3).width(1), SearchOptions(k=3).width(8), SearchOptions(k=3, beam=2).width(8)
    (3, 8, 2)
    """

    beam: int | None = attrs.field(default=None, converter=_beam)
    k: int | None = attrs.field(default=None, converter=_k)
    threads: int = attrs.field(default=1, converter=_threads)
    constraints: Sequence[Constraints] | None = None
    margins: bool = False

    def width(self, beam: int) -> int:
        """How many derivations a model follows that was trained with some beam; a ``ValueError`` if more than 64."""
        return self.beam or whole_number("beam", max(self.k or 1, beam), 1, BEAM)

    def begins_with_parse(self, beam: int) -> bool:
        """Whether a model that parses greedily is asked for several trees, of which the first is to be its parse."""
        return beam == 1 and self.beam is None and self.k is not None and self.k > 1

    def known(self, sentence: int) -> Constraints | None:
        """What is known about a sentence."""
        return None if self.constraints is None else self.constraints[sentence]

    def about_labels(self, batch: Batch, model: AnyModel) -> SearchOptions:
        """The same with the heads that labels ask for; ``BrokenConstraints`` if a model does not know a label."""
        if self.constraints is None:
            return self
        if len(batch.trees) != len(self.constraints):
            raise ValueError(f"there are {len(batch.trees)} sentences, and constraints for {len(self.constraints)}")
        constraints = []
        for tree, known in zip(batch.trees, self.constraints, strict=True):
            known.check_labels(tree, model.labels)
            constraints.append(known.with_heads_of_labels(model.label_heads, len(tree)))
        return attrs.evolve(self, constraints=constraints)


@attrs.frozen(eq=False)
class Found:
    """What a model found: for each sentence the best derivations, in rows of arrays, the best first.

    A tree can have several derivations, of which the first counts.

    Args:
        offsets: where the words of each sentence begin.
        heads: rows with the head of each word of all sentences, -1 for none.
        labels: the same for labels, as numbers of the model's, -1 for none.
        scores: rows with the score of each sentence, -inf if it has no such derivation. They are only computed if they
            are asked for.
        margins: how clear the choices of the best derivation are, in three rows with a number for each word: the least
            margin by which a transition was ahead of the others, where one of them would have given the word its head
            (infinite if there was no choice); that by which its label was ahead of the others (0 if it has none); and
            that by which the score of the best derivation is ahead of the best one with another head, which Mejer &
            Crammer (2012) call Delta (0 if no other derivation was followed). ``None`` if nobody asked for them.
        tags: rows like those of labels, with numbers of the system's tags; ``None`` if it gives none.
    """

    offsets: npt.NDArray[np.int64]
    heads: Integers
    labels: Integers
    scores: Floats
    margins: Floats | None = None
    tags: Integers | None = None

    @classmethod
    def empty(cls, offsets: npt.NDArray[np.int64], rows: int, *, margins: bool = False, tags: bool = False) -> Found:
        """Room for some derivations of each sentence."""
        heads, labels, numbers = np.full((3, rows, offsets[-1]), -1, np.int32)
        clear = np.repeat(np.array([[np.inf], [0], [0]], np.float32), offsets[-1], axis=1) if margins else None
        scores = np.full((rows, len(offsets) - 1), -np.inf, np.float32)
        return cls(offsets, heads, labels, scores, clear, numbers if tags else None)

    def words(self, sentences: Sequence[int]) -> npt.NDArray[np.int64]:
        """Where the words of some sentences are."""
        places = [np.arange(self.offsets[sentence], self.offsets[sentence + 1]) for sentence in sentences]
        return np.concatenate(places or [np.zeros(0, np.int64)])

    def insert(self, sentences: Sequence[int], found: Found) -> None:
        """Write down what was found for some of the sentences alone."""
        words, rows = self.words(sentences), len(found.heads)
        self.heads[:rows, words], self.labels[:rows, words] = found.heads, found.labels
        self.scores[:rows, sentences] = found.scores
        if self.margins is not None and found.margins is not None:
            self.margins[:, words] = found.margins
        if self.tags is not None and found.tags is not None:
            self.tags[:rows, words] = found.tags

    def put_first(self, best: Found) -> None:
        """Put another derivation of each sentence before all others; if it is not among them, the last one goes."""
        for sentence in range(len(self.offsets) - 1):
            words = slice(self.offsets[sentence], self.offsets[sentence + 1])
            same = (self.heads[:, words] == best.heads[0, words]) & (self.labels[:, words] == best.labels[0, words])
            [places] = np.nonzero(same.all(axis=1) & (self.scores[:, sentence] > -np.inf))
            source, place = (self, first(places)) if len(places) else (best, 0)
            for name, where in (("heads", words), ("labels", words), ("scores", sentence), ("tags", words)):
                rows = getattr(self, name)
                if rows is None:
                    continue
                chosen = getattr(source, name)[place, where].copy()
                last = place if len(places) else len(rows) - 1
                rows[1 : last + 1, where] = rows[:last, where].copy()
                rows[0, where] = chosen
        if self.margins is not None and best.margins is not None:
            self.margins[:] = best.margins

    def written(self, batch: Batch, row: int, model: AnyModel) -> Batch:
        """The sentences with what is in a row: heads, labels and, if there are any, tags."""
        parsed = batch.with_arcs(self.heads[row], self.labels[row], model.labels)
        if self.tags is None:
            return parsed
        tags, none = model.system.tags, len(model.system.tags)
        return parsed.with_columns(upos=(np.where(self.tags[row] < 0, none, self.tags[row]), [*tags, "_"]))

    def rows(self, sentence: int) -> list[int]:
        """The rows with the different trees of a sentence, the best first."""
        [words], rows = [self.words([sentence])], np.flatnonzero(self.scores[:, sentence] > -np.inf)
        trees: dict[bytes, int] = {}
        for row in rows.tolist():
            trees.setdefault(self.heads[row, words].tobytes() + self.labels[row, words].tobytes(), row)
        return list(trees.values())

    def ahead(self, heads: Integers) -> Floats:
        """For a head of each word: the score of the best derivation with it, less that of the best with another head.

        A derivation that the beam does not have counts as much as the last one in it: it cannot have scored more.
        """
        scores = np.repeat(self.scores, np.diff(self.offsets), axis=1)
        same, none = self.heads == heads, np.float32(-np.inf)
        last = np.where(scores > none, scores, np.float32(np.inf)).min(axis=0)
        ours, others = [np.where(those, scores, none).max(axis=0) for those in (same, ~same)]
        found: Floats = np.maximum(ours, last) - np.maximum(others, last)
        return found


class AnyModel(Saved):
    """What a parser has learned: it finds the trees of sentences."""

    if TYPE_CHECKING:  # what else it has depends on its kind, and a parser does not know that

        def __getattr__(self, name: str) -> Any: ...

    tagger: Tagger | None = None
    """The tagger that comes with it."""
    tokenizer: Tokenizer | None = None
    """The tokenizer that comes with it."""
    enhancer: Enhancer | None = None
    """What makes enhanced graphs that comes with it."""
    known_tags: KnownTags | None = None
    """The tags that it was trained with, if that is known."""

    @property
    def calibration(self) -> Confidence | None:
        """How probable its heads and labels are, if it says so itself."""
        return None

    @property
    @abstractmethod
    def system(self) -> System:
        """The transition system; where models with several vote, that of the first."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The labels of arcs; none if it parses without labels."""

    @property
    def label_heads(self) -> LabelHeads:
        """Which of them arcs from ROOT can have, and which arcs from words; by default all."""
        return ANY_LABELS

    @property
    @abstractmethod
    def looks_at(self) -> frozenset[str]:
        """The columns that it looks at, such as ``upos``, among other names of its templates."""

    @property
    def lookahead(self) -> int | None:
        """How many words after b0 it looks at; ``None`` if it does not read words from left to right."""
        return None

    @property
    def own_settings(self) -> Mapping[str, object]:
        """The settings of training that it has itself, because it parses with them."""
        return {}

    @property
    def ranking(self) -> BaseRanking:
        """The transitions with their scores, for searches in the functional layer.

        Raises:
            TypeError: it does not score the transitions of a single configuration.
        """
        raise TypeError(
            f"a model of the kind {type(self).__name__} does not score the transitions of a single configuration: "
            "choose a parser whose model is linear"
        )

    def check(self, options: SearchOptions) -> None:
        """Raise a ``ValueError`` if the model cannot search so."""

    @abstractmethod
    def find(self, batch: Batch, options: SearchOptions = SearchOptions()) -> Found:
        """Find the trees of sentences, of which only the words count.

        Raises:
            BrokenConstraints: the constraints on a sentence cannot be met; the message names it and the words.
            ValueError: the model has no answer to what is asked for.
        """

    @classmethod
    @abstractmethod
    def read(cls, file: ModelFile, system: GivenSystem | None = None) -> Self:
        """Read it from an open file.

        Args:
            file: the file.
            system: the transition system, its class, or its name, such as ``"my_systems:Mine"``: needed if it is
                not one of the library's own and its module has not been imported.

        Raises:
            ModelError: it is not in there, or it is one of another system.
        """


def read_model(file: ModelFile, system: GivenSystem | None = None) -> AnyModel:
    """Read a model of any kind from an open file; see ``AnyModel.read``.

    Raises:
        ModelError: there is none in it, or one of another system.
        ImportError: it is a neural model, and PyTorch is not installed.
    """
    kind: type[AnyModel] = resolve_name(MODELS[first((name for name in MODELS if name in file), first(MODELS))])
    return kind.read(file, system)
