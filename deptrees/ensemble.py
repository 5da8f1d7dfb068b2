"""Several parsers that vote: on every arc of a tree, or on every transition on the way to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat, tee
from operator import eq, itemgetter, mul
from typing import Any, Generic, Protocol, TypeVar, overload

import attrs
from more_itertools import first, last, unique_everseen

from deptrees.engine.constrained import constrained_beam
from deptrees.parser import Parser, ScoredTree
from deptrees.search import BeamSearch, VotedRanking
from deptrees.transition.constraints import Constraints, Known
from deptrees.trees.spanning_trees import Head, best_heads
from deptrees.trees.tree import DependencyTree, Sentence, as_tree

__all__ = ["Ensemble", "SentenceParser", "TransitionEnsemble", "vote"]


class SentenceParser(Protocol):
    """What parses sentences, such as `deptrees.parser.Parser`."""

    def parse(
        self,
        sentences: Iterable[Sentence],
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
    ) -> Iterator[DependencyTree]:
        """Parse sentences, in order."""


_Parser = TypeVar("_Parser")


@attrs.frozen
class _Voters(ABC, Generic[_Parser]):
    """Parsers, and how much the vote of each counts."""

    parsers: tuple[_Parser, ...] = attrs.field(converter=tuple[Any, ...], validator=attrs.validators.min_len(1))
    weights: tuple[float, ...] = attrs.field(
        default=attrs.Factory(lambda self: (1.0,) * len(self.parsers), takes_self=True), converter=tuple[float, ...]
    )

    @weights.validator
    def _one_for_each(self, _: object, weights: Sequence[float]) -> None:
        if len(weights) != len(self.parsers):
            raise ValueError(f"there are {len(self.parsers)} parsers and {len(weights)} weights")

    @overload
    def parse(
        self, sentences: DependencyTree, threads: int = 1, beam: int | None = None, *, constraints: Known | None = None
    ) -> DependencyTree: ...

    @overload
    def parse(
        self,
        sentences: Iterable[Sentence],
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
    ) -> Iterator[DependencyTree]: ...

    def parse(
        self,
        sentences: DependencyTree | Iterable[Sentence],
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
    ) -> DependencyTree | Iterator[DependencyTree]:
        """Parse sentences, lazily and in order; one tree in gives one tree.

        Args:
            sentences: trees, of which only the words count, or lists of words.
            threads: the number of threads that each parser has; the result does not depend on it.
            beam: how many derivations are followed at a time; if not given, as many as in training.
            constraints: tells what is known of a sentence before it is parsed.

        Raises:
            BrokenConstraints: the constraints on a sentence cannot be met; the message names it and the words.
            ValueError: one of the parsers cannot parse with so many threads or derivations.
        """
        if isinstance(sentences, DependencyTree):
            return first(self._parse([sentences], threads, beam, constraints))
        return self._parse(sentences, threads, beam, constraints)

    @abstractmethod
    def _parse(
        self, sentences: Iterable[Sentence], threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[DependencyTree]:
        """Parse sentences, in order."""


@attrs.frozen
class Ensemble(_Voters[SentenceParser]):
    """Parsers that vote on every arc (Sagae & Lavie 2006). They may be of any kind, and of different kinds.

    Under constraints the parsers vote on trees that meet them. Where the tree that they elect does not, the one of
    theirs that has most votes takes its place.

    Args:
        parsers: the parsers.
        weights: how much the vote of each counts, as much as any other's if not given. With different weights there
            are no ties.

    Raises:
        ValueError: there is no parser, or not one weight for each.

    >>> from deptrees import sample_treebank
    >>> from deptrees.parser import Parser
    >>> parsers = [Parser.train(sample_treebank("train"), epochs=2, seed=seed) for seed in (1, 2, 3)]
    >>> parsed = Ensemble(parsers).parse(DependencyTree([(None, "Birds"), (None, "sing")]))
    >>> None in parsed.heads
    False
    """

    def _parse(
        self, sentences: Iterable[Sentence], threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[DependencyTree]:
        source, *copies = tee(sentences, len(self.parsers) + 1)
        parsed = [
            parser.parse(copy, threads, beam, constraints=constraints)
            for parser, copy in zip(self.parsers, copies, strict=True)
        ]
        known = repeat(None) if constraints is None else map(constraints, map(as_tree, source))
        return map(self._elect, zip(*parsed, strict=True), known)

    def _elect(self, trees: tuple[DependencyTree, ...], known: Constraints | None) -> DependencyTree:
        elected = vote(trees, self.weights)
        if known is not None and known.broken_by(elected.heads):
            return max(trees, key=partial(self._votes, trees))
        return elected

    def _votes(self, trees: Sequence[DependencyTree], tree: DependencyTree) -> float:
        """How much the votes for the heads of a tree count."""
        agreeing = [sum(map(eq, other.heads, tree.heads)) for other in trees]
        return float(sum(map(mul, self.weights, agreeing)))


@attrs.frozen
class TransitionEnsemble(_Voters[Parser]):
    """Parsers of one system that vote on every transition (Aufrant & Wisniewski 2017, section 4.6).

    All go through one derivation together. In each configuration a parser votes for the transition, with its label,
    that it finds best; see `deptrees.search.VotedRanking`. What else there is to parsing is as in the first parser: its
    tagger, if it has one, and its beam. Parsing is in the functional layer, and on one thread.

    Args:
        parsers: the parsers.
        weights: how much the vote of each counts, as much as any other's if not given. To break ties, give one a little
            more than the others.

    Raises:
        ValueError: there is no parser, not one weight for each, or their systems differ.

    >>> from deptrees import sample_treebank
    >>> parsers = [Parser.train(sample_treebank("train"), epochs=2, seed=seed) for seed in (1, 2, 3)]
    >>> ensemble = TransitionEnsemble(parsers, weights=[1.1, 1, 1])
    >>> parsed = ensemble.parse(DependencyTree([(None, "Birds"), (None, "sing")]))
    >>> None in parsed.heads
    False
    """

    ranking: VotedRanking = attrs.field(init=False, repr=False, eq=False)
    """The transitions by the votes of all parsers."""

    @ranking.default
    def _ranking(self) -> VotedRanking:
        return VotedRanking([parser.model.ranking for parser in self.parsers], self.weights)

    def k_best(
        self,
        sentences: Iterable[Sentence],
        k: int,
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
    ) -> Iterator[list[ScoredTree]]:
        """For each sentence the trees with most votes that a beam search ends with, lazily and in order.

        A score is the sum of the votes for the transitions of a derivation. All else is as in ``Parser.k_best``.

        Raises:
            BrokenConstraints: the constraints on a sentence cannot be met; the message names it and the words.
            ValueError: k, the number of threads or the beam is out of range.

        >>> from deptrees import sample_treebank
        >>> parsers = [Parser.train(sample_treebank("train"), epochs=2, seed=seed) for seed in (1, 2)]
        >>> [(first, second)] = TransitionEnsemble(parsers).k_best([["Birds", "sing"]], k=2)
        >>> first.score >= second.score
        True
        """
        beam = self.parsers[0].model.shape.beam_for(k, beam)
        return (found[:k] for found in self._derive(sentences, threads, beam, constraints))

    def _parse(
        self, sentences: Iterable[Sentence], threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[DependencyTree]:
        return (found[0].tree for found in self._derive(sentences, threads, beam, constraints))

    def _derive(
        self, sentences: Iterable[Sentence], threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[list[ScoredTree]]:
        """For each sentence the trees that a search ends with, the best first."""
        first_parser = self.parsers[0]
        search = BeamSearch(self.ranking, first_parser.model.shape.width(threads, beam))
        tagged = sentences if first_parser.tagger is None else first_parser.tagger.tag(sentences, threads)
        return map(partial(self._trees, search, constraints), map(as_tree, tagged))

    def _trees(self, search: BeamSearch, constraints: Known | None, tree: DependencyTree) -> list[ScoredTree]:
        if constraints is None:
            beam = last(search(tree))
        else:
            known = constraints(tree)
            known.check_labels(tree, self.ranking.labels)
            beam = constrained_beam(search, tree, known)
        return [
            ScoredTree(tree.reattach(one.config.heads, one.config.labels), one.score)
            for one in unique_everseen(beam, lambda one: one.config.built)
        ]


def vote(trees: Sequence[DependencyTree], weights: Sequence[float]) -> DependencyTree:
    """The tree whose arcs have most votes; each word has the label that most of those give it who agree on its head.

    It has a single root if all the trees have.

    Args:
        trees: trees over the same words.
        weights: how much the vote of each counts.

    >>> trees = [DependencyTree([(head, "a", "x"), (0, "b", "root")]) for head in (2, 0, 2)]
    >>> vote(trees, [1, 1, 1]).heads
    (2, 0)
    """
    votes: list[dict[Head, float]] = [{} for _ in trees[0]]
    label_votes: list[dict[tuple[Head, str | None], float]] = [{} for _ in trees[0]]
    for tree, weight in zip(trees, weights, strict=True):
        for word, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True)):
            votes[word][head] = votes[word].get(head, 0) + weight
            label_votes[word][head, label] = label_votes[word].get((head, label), 0) + weight
    heads = _with_one_root(votes) if all(len(tree.roots) == 1 for tree in trees) else best_heads(votes)
    labels = [
        max((pair for pair in found if pair[0] == head), key=found.__getitem__)[1]
        for head, found in zip(heads, label_votes, strict=True)
    ]
    return trees[0].reattach(heads, labels)


def _with_one_root(votes: Sequence[Mapping[Head, float]]) -> list[Head]:
    """The best tree with a single root: one of those that someone voted for."""
    found = []
    for root in [word for word, heads in enumerate(votes) if 0 in heads]:
        left = [
            {head: score for head, score in heads.items() if (head == 0) == (word == root)}
            for word, heads in enumerate(votes)
        ]
        if all(left):
            heads = best_heads(left)
            found.append((sum(left[word][head] for word, head in enumerate(heads)), heads))
    return max(found, key=itemgetter(0))[1]
