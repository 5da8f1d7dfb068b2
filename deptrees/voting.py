"""Models of several parsers that vote: on every arc of a tree, or on every transition on the way to it."""

from __future__ import annotations

import reprlib
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain, islice, pairwise
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import attrs
import numpy as np
from more_itertools import first, take, unique_everseen

from deptrees.engine.finding import AnyModel, Found, SearchOptions
from deptrees.engine.searching import RankingModel
from deptrees.files.models import ModelFile, Part
from deptrees.files.parts import ARC_VOTES, TRANSITION_VOTES
from deptrees.files.records import Record, from_record, to_record
from deptrees.messages import counted, of_type
from deptrees.parser import Parser
from deptrees.search import VotedRanking
from deptrees.transition import System
from deptrees.transition.constraints import Constraints
from deptrees.transition.labels import LabelHeads
from deptrees.transition.systems.registry import GivenSystem
from deptrees.treebanks.batch import Batch
from deptrees.trees.spanning_trees import Head, ranked_heads
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.enhanced import Enhancer
    from deptrees.tagger import Tagger
    from deptrees.tokenizer import Tokenizer
    from deptrees.training.known_tags import KnownTags

__all__ = ["Ensemble", "TransitionEnsemble", "vote"]

_MOST_RANKED = 100
"""How many trees are looked at for some that meet constraints."""


@attrs.frozen
class _Record:
    """What is saved of parsers that vote, besides arrays: the records of the parts of each, and the weights."""

    parsers: tuple[Record, ...]
    weights: tuple[float, ...]


def _voters(parsers: Iterable[Parser]) -> tuple[Parser, ...]:
    found = tuple(parsers)
    for each in found:
        of_type("parsers", each, Parser, "a list of parsers")
    return found


@attrs.frozen(eq=False)
class _Voters(AnyModel):
    """Parsers, and how much the vote of each counts."""

    _part: ClassVar[str]

    parsers: tuple[Parser, ...] = attrs.field(
        converter=_voters, validator=attrs.validators.min_len(1), repr=lambda parsers: f"<{len(parsers)} parsers>"
    )
    weights: tuple[float, ...] = attrs.field(
        default=attrs.Factory(lambda self: (1.0,) * len(self.parsers), takes_self=True),
        converter=tuple[float, ...],
        repr=reprlib.repr,
    )

    @weights.validator
    def _one_for_each(self, _: object, weights: Sequence[float]) -> None:
        if len(weights) != len(self.parsers):
            raise ValueError(f"there are {len(self.parsers)} parsers and {len(weights)} weights")

    @property
    def tagger(self) -> Tagger | None:  # type: ignore[override]
        """The tagger of the first parser."""
        return self.parsers[0].tagger

    @property
    def tokenizer(self) -> Tokenizer | None:  # type: ignore[override]
        """The tokenizer of the first parser."""
        return self.parsers[0].tokenizer

    @property
    def enhancer(self) -> Enhancer | None:  # type: ignore[override]
        """What makes enhanced graphs of the first parser's trees."""
        return self.parsers[0].enhancer

    @property
    def known_tags(self) -> KnownTags | None:  # type: ignore[override]
        """The tags that the first parser was trained with."""
        return self.parsers[0].known_tags

    @property
    def system(self) -> System:
        return self.parsers[0].system

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(unique_everseen(label for parser in self.parsers for label in parser.labels))

    @cached_property
    def label_heads(self) -> LabelHeads:
        return reduce(or_, [parser.model.label_heads for parser in self.parsers])

    @property
    def looks_at(self) -> frozenset[str]:
        return frozenset().union(*[parser.looks_at for parser in self.parsers])

    def part(self) -> Part:
        # Tokenizer, enhancer, and the tagger that parsers share with the first, are saved by the parser that has this.
        own = [None if parser.tagger is self.tagger else parser.tagger for parser in self.parsers]
        each = [
            attrs.evolve(parser, tokenizer=None, enhancer=None, tagger=tagger, known_tags=None).parts()
            for parser, tagger in zip(self.parsers, own, strict=True)
        ]
        record = _Record(tuple([{part.name: part.record for part in parts} for parts in each]), self.weights)
        arrays = {
            f"{number}.{name}": array
            for number, parts in enumerate(each)
            for part in parts
            for name, array in part.arrays.items()
        }
        return Part(self._part, to_record(record), arrays)

    @classmethod
    def read(cls, file: ModelFile, system: GivenSystem | None = None) -> Self:
        record = from_record(file.record(cls._part), _Record)
        each = [file.within(parts, f"{number}.") for number, parts in enumerate(record.parsers)]
        return cls([Parser.read(one, system) for one in each], record.weights)


@attrs.frozen(eq=False)
class Ensemble(_Voters):
    """Parsers that vote on every arc (Sagae & Lavie 2006). They may be of any kind, and of different kinds.

    Each parses words with the tags of its own tagger, or without one with those of the first parser's. The k best trees
    have the most votes, which are their scores. Under constraints, trees that do not meet them give way to the next
    ones, from the first hundred and the parsers' own.

    Args:
        parsers: the parsers.
        weights: how much the vote of each parser counts, by default equally. Different weights avoid ties.

    Raises:
        ValueError: there is no parser, or not one weight for each.

    >>> from deptrees import Parser, sample_treebank
    >>> parsers = [Parser.train(sample_treebank("train"), epochs=2, seed=seed) for seed in (1, 2)]
    >>> parsed = Parser(Ensemble(parsers)).parse(DependencyTree([(None, "Birds"), (None, "sing")]))
    >>> None in parsed.heads
    False
    """

    _part = ARC_VOTES

    def check(self, options: SearchOptions) -> None:
        for parser in self.parsers:
            parser.model.check(_for_each(options))

    def find(self, batch: Batch, options: SearchOptions = SearchOptions()) -> Found:
        found = Found.empty(batch.columns.offsets, options.k or 1, margins=options.margins)
        trees = zip(*[self._trees(parser, batch, options) for parser in self.parsers], strict=True)
        for sentence, of_sentence in enumerate(trees):
            words = found.words([sentence])
            election = _Votes(of_sentence, self.weights, options.known(sentence))
            for rank, (tree, score) in enumerate(take(len(found.heads), election.ranked())):
                found.heads[rank, words], found.labels[rank, words] = map(_numbers, tree)
                found.scores[rank, sentence] = score
            if found.margins is not None:
                found.margins[:2, words] = election.margins()
        return found

    def _trees(self, parser: Parser, batch: Batch, options: SearchOptions) -> Iterator[_Tree]:
        """The trees of a parser, with the numbers of the labels of all."""
        tagged = batch if parser.tagger in (None, self.tagger) else parser.tagger(batch, options.threads)
        found = parser.model.find(tagged, _for_each(options))
        numbers = np.array([*map(self.labels.index, parser.labels), -1])
        heads, labels = found.heads[0], numbers[found.labels[0]]
        for start, stop in pairwise(found.offsets.tolist()):
            yield _known(heads[start:stop].tolist()), _known(labels[start:stop].tolist())


_Candidate = TypeVar("_Candidate")
_Tree = tuple[Sequence[Head], Sequence[Any]]
"""The heads and the labels of the words of a sentence, ``None`` for none."""


def _for_each(options: SearchOptions) -> SearchOptions:
    """How each of the parsers that vote on arcs searches."""
    return attrs.evolve(options, k=None, margins=False)


def _known(numbers: Iterable[int]) -> list[int | None]:
    return [None if number < 0 else number for number in numbers]


def _numbers(found: Iterable[int | None]) -> list[int]:
    return [-1 if number is None else number for number in found]


@attrs.frozen(eq=False)
class TransitionEnsemble(_Voters, RankingModel):
    """Parsers of one system that vote on every transition (Aufrant & Wisniewski 2017, section 4.6).

    All follow one derivation together; see `deptrees.search.VotedRanking`. Everything else, such as the tagger and the
    beam, is that of the first parser. Parsing runs in the functional layer, on one thread.

    Args:
        parsers: the parsers, whose models score the transitions of a configuration.
        weights: how much the vote of each parser counts, by default equally. Different weights avoid ties.

    Raises:
        TypeError: a model does not score transitions, such as a neural one.
        ValueError: there is no parser, not one weight for each, or their systems differ.

    >>> from deptrees import Parser, sample_treebank
    >>> parsers = [Parser.train(sample_treebank("train"), epochs=2, seed=seed) for seed in (1, 2)]
    >>> parser = Parser(TransitionEnsemble(parsers, weights=[1.1, 1]))
    >>> None in parser.parse(DependencyTree([(None, "Birds"), (None, "sing")])).heads
    False
    """

    _part = TRANSITION_VOTES

    ranking: VotedRanking = attrs.field(init=False, repr=False)
    """The transitions by the votes of all parsers."""

    @ranking.default
    def _ranking(self) -> VotedRanking:
        return VotedRanking([parser.model.ranking for parser in self.parsers], self.weights)

    @property
    def beam(self) -> int:
        model = self.parsers[0].model
        assert isinstance(model, RankingModel)
        return model.beam


@attrs.frozen
class _Votes:
    """Votes on the arcs of a sentence, by the tree of each parser, under its constraints if there are any."""

    trees: Sequence[_Tree]
    weights: Sequence[float]
    known: Constraints | None = None

    @cached_property
    def _votes(self) -> list[dict[Head, dict[Hashable, float]]]:
        """For each word the votes for its heads, and for its labels under each."""
        votes: list[dict[Head, dict[Hashable, float]]] = [{} for _ in self.trees[0][0]]
        for tree, weight in zip(self.trees, self.weights, strict=True):
            for found, head, label in zip(votes, *tree, strict=True):
                labels = found.setdefault(head, {})
                labels[label] = labels.get(label, 0) + weight
        return votes

    @cached_property
    def _head_votes(self) -> list[dict[Head, float]]:
        return [{head: sum(labels.values()) for head, labels in found.items()} for found in self._votes]

    def ranked(self) -> Iterator[tuple[_Tree, float]]:
        """The trees with their votes, the best first."""
        single_root = all(list(heads).count(0) == 1 for heads, _ in self.trees)
        found = ranked_heads(self._head_votes, single_root=single_root)
        if self.known is None:
            return (self._labeled(heads) for heads, _ in found)
        meeting = (tuple(heads) for heads, _ in islice(found, _MOST_RANKED) if not self.known.broken_by(heads))
        own = sorted((tuple(heads) for heads, _ in self.trees), key=self._score, reverse=True)
        return map(self._labeled, unique_everseen(chain(meeting, own)))

    def _score(self, heads: Sequence[Head]) -> float:
        return sum(found[head] for found, head in zip(self._head_votes, heads, strict=True))

    def _labeled(self, heads: Sequence[Head]) -> tuple[_Tree, float]:
        """The tree with these heads; each word has the label that most of those give it who agree on its head."""
        agreeing = [found[head] for found, head in zip(self._votes, heads, strict=True)]
        return (heads, [max(found, key=found.__getitem__) for found in agreeing]), self._score(heads)

    def margins(self) -> list[list[float]]:
        """By how many votes the heads of the best tree are ahead, and their labels."""
        (heads, labels), _ = first(self.ranked())
        of_labels = [found[head] for found, head in zip(self._votes, heads, strict=True)]
        return [[*map(_margin, self._head_votes, heads)], [*map(_margin, of_labels, labels)]]


def _margin(votes: Mapping[_Candidate, float], elected: _Candidate) -> float:
    """By how many votes something is ahead of everything else."""
    return votes[elected] - max((count for one, count in votes.items() if one != elected), default=0)


def vote(trees: Sequence[DependencyTree], weights: Sequence[float]) -> DependencyTree:
    """The tree, of several over the same words, whose arcs have the most votes; the weight of each is what it counts.

    Each word has the label with the most votes among the trees that agree on its head. If all trees have a single root,
    so has this one.

    Raises:
        ValueError: there are more weights than trees, or fewer.

    >>> trees = [DependencyTree([(head, "a", "x"), (0, "b", "root")]) for head in (2, 0, 2)]
    >>> vote(trees, [1, 1, 1]).heads
    (2, 0)
    """
    for tree in trees:
        of_type("trees", tree, DependencyTree, "a list of trees")
    if len(trees) != len(weights):
        raise ValueError(f"weights are {len(weights)} numbers, and there are {counted(len(trees), 'tree')}")
    (heads, labels), _ = first(_Votes([(tree.heads, tree.labels) for tree in trees], weights).ranked())
    return trees[0].reattach(heads, labels)
