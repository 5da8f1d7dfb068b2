"""Several parsers that vote: on every arc of a tree, or on every transition on the way to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, islice, tee
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import first, last, take, unique_everseen

from deptrees.any_parser import RankingParser, ScoredTree
from deptrees.engine.alternatives import margins_of
from deptrees.engine.confidence import Calibration, evidence_of
from deptrees.engine.constrained import constrained_beam
from deptrees.parser import Parser
from deptrees.search import Beam, BeamSearch, VotedRanking
from deptrees.training.inputs import trees_of, whole_number
from deptrees.transition.constraints import Constraints, Known
from deptrees.trees.spanning_trees import Head, ranked_heads
from deptrees.trees.tree import DependencyTree, Sentence, as_tree

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Ensemble", "SentenceParser", "TransitionEnsemble", "vote"]


_MOST_RANKED = 100
"""How many trees are looked at for some that meet constraints."""


class SentenceParser(Protocol):
    """Anything that parses sentences, such as a `deptrees.parser.Parser`."""

    def parse(
        self,
        sentences: Iterable[Sentence],
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
    ) -> Iterator[DependencyTree]:
        """Parse sentences, in order."""


class _Election(ABC):
    """How parsers vote on a sentence."""

    sentence: DependencyTree

    @abstractmethod
    def ranked(self) -> Iterator[ScoredTree]:
        """The trees by their votes, the best first."""

    @abstractmethod
    def margins(self) -> npt.NDArray[np.float32]:
        """How clear the vote for the best tree is: a row for heads and a row for labels."""


_Parser = TypeVar("_Parser")


@attrs.frozen
class _Voters(RankingParser, Generic[_Parser]):
    """Parsers, how much the vote of each counts, and what is known of how often they are right."""

    parsers: tuple[_Parser, ...] = attrs.field(converter=tuple[Any, ...], validator=attrs.validators.min_len(1))
    weights: tuple[float, ...] = attrs.field(
        default=attrs.Factory(lambda self: (1.0,) * len(self.parsers), takes_self=True), converter=tuple[float, ...]
    )

    calibration: Calibration | None = attrs.field(default=None, kw_only=True)

    @weights.validator
    def _one_for_each(self, _: object, weights: Sequence[float]) -> None:
        if len(weights) != len(self.parsers):
            raise ValueError(f"there are {len(self.parsers)} parsers and {len(weights)} weights")

    def _parse(
        self,
        sentences: Iterable[Sentence],
        threads: int,
        beam: int | None,
        constraints: Known | None,
        confidence: bool,
    ) -> Iterator[DependencyTree]:
        elections = self._elections(sentences, threads, beam, constraints)
        if self.calibration is None or not confidence:
            return (first(election.ranked()).tree for election in elections)
        return map(partial(_told, self.calibration, constraints), elections)

    def calibrate(
        self, treebank: Iterable[DependencyTree], threads: int = 1, *, constraints: Known | None = None
    ) -> Self:
        """The same ensemble, calibrated to say how probable heads and labels are; see ``Parser.calibrate``.

        The confidence in a head comes from its lead in votes.

        Raises:
            TrainingError: no word has a head that was not already known.
        """
        gold = list(trees_of(treebank))
        elections = list(self._elections(gold, threads, None, constraints))
        parsed = [first(election.ranked()).tree for election in elections]
        found = evidence_of(gold, [election.margins() for election in elections], constraints)
        return attrs.evolve(self, calibration=Calibration.learn(gold, parsed, found))

    def _k_best(
        self, sentences: Iterable[Sentence], k: int, threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[list[ScoredTree]]:
        whole_number("k", k, 1)
        elections = self._elections(sentences, threads, self._beam_for(k, beam), constraints)
        return (take(k, election.ranked()) for election in elections)

    def _beam_for(self, k: int, beam: int | None) -> int | None:
        """The beam to find the k best trees with, ``None`` for that of training."""
        return beam

    @abstractmethod
    def _elections(
        self, sentences: Iterable[Sentence], threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[_Election]:
        """Have the parsers vote on sentences, in order."""


def _told(calibration: Calibration, constraints: Known | None, election: _Election) -> DependencyTree:
    """The elected tree with its probabilities in MISC."""
    tree = first(election.ranked()).tree
    found = evidence_of([election.sentence], [election.margins()], constraints)
    return first(calibration.tell([tree], found, labeled=any(tree.labels)))


@attrs.frozen
class Ensemble(_Voters[SentenceParser]):
    """Parsers that vote on every arc (Sagae & Lavie 2006). They may be of any kind, and of different kinds.

    No tree has more votes than those of ``k_best``. Under constraints, the parsers vote on trees that meet them, but
    some of the trees with the most votes may not. The next ones then take their place, from the first hundred and the
    parsers' own.

    Args:
        parsers: the parsers.
        weights: how much the vote of each parser counts, by default equally. Different weights avoid ties.

    Raises:
        ValueError: there is no parser, or not one weight for each.

    >>> from deptrees import sample_treebank
    >>> from deptrees.parser import Parser
    >>> parsers = [Parser.train(sample_treebank("train"), epochs=2, seed=seed) for seed in (1, 2)]
    >>> parsed = Ensemble(parsers).parse(DependencyTree([(None, "Birds"), (None, "sing")]))
    >>> None in parsed.heads
    False
    """

    def _elections(
        self, sentences: Iterable[Sentence], threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[_Election]:
        source, *copies = tee(sentences, len(self.parsers) + 1)
        parsed = [
            parser.parse(copy, threads, beam, constraints=constraints)
            for parser, copy in zip(self.parsers, copies, strict=True)
        ]
        return map(partial(self._election, constraints), map(as_tree, source), zip(*parsed, strict=True))

    def _election(
        self, constraints: Known | None, sentence: DependencyTree, trees: tuple[DependencyTree, ...]
    ) -> _Election:
        known = None if constraints is None else constraints(sentence)
        return _ArcElection(sentence, trees, self.weights, known)


@attrs.frozen
class TransitionEnsemble(_Voters[Parser]):
    """Parsers of one system that vote on every transition (Aufrant & Wisniewski 2017, section 4.6).

    All follow one derivation together. In each configuration, a parser votes for the transition that it ranks best,
    with its label; see `deptrees.search.VotedRanking`. Everything else, such as the tagger and the beam, is that of the
    first parser. Parsing runs in the functional layer, on one thread.

    Args:
        parsers: the parsers.
        weights: how much the vote of each parser counts, by default equally. To break ties, give one a little more than
            the others.

    Raises:
        ValueError: there is no parser, not one weight for each, or their systems differ.

    >>> from deptrees import sample_treebank
    >>> parsers = [Parser.train(sample_treebank("train"), epochs=2, seed=seed) for seed in (1, 2)]
    >>> ensemble = TransitionEnsemble(parsers, weights=[1.1, 1])
    >>> parsed = ensemble.parse(DependencyTree([(None, "Birds"), (None, "sing")]))
    >>> None in parsed.heads
    False
    """

    ranking: VotedRanking = attrs.field(init=False, repr=False, eq=False)
    """The transitions by the votes of all parsers."""

    @ranking.default
    def _ranking(self) -> VotedRanking:
        return VotedRanking([parser.model.ranking for parser in self.parsers], self.weights)

    def _beam_for(self, k: int, beam: int | None) -> int:
        return self.parsers[0].model.shape.beam_for(k, beam)

    def _elections(
        self, sentences: Iterable[Sentence], threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[_Election]:
        first_parser = self.parsers[0]
        search = BeamSearch(self.ranking, first_parser.model.shape.width(threads, beam))
        tagged = sentences if first_parser.tagger is None else first_parser.tagger.tag(sentences, threads)
        return map(partial(self._election, search, constraints), map(as_tree, tagged))

    def _election(self, search: BeamSearch, constraints: Known | None, sentence: DependencyTree) -> _Election:
        if constraints is None:
            return _TransitionElection(sentence, search, last(search(sentence)))
        known = constraints(sentence)
        known.check_labels(sentence, self.ranking.labels)
        constrained = attrs.evolve(search, possible=known.transitions)
        return _TransitionElection(sentence, constrained, constrained_beam(search, sentence, known))


@attrs.frozen
class _TransitionElection(_Election):
    """Votes on transitions.

    Args:
        sentence: the sentence.
        search: the search that went through a derivation.
        beam: what it ended with.
    """

    sentence: DependencyTree
    search: BeamSearch
    beam: Beam

    def ranked(self) -> Iterator[ScoredTree]:
        for one in unique_everseen(self.beam, lambda one: one.config.built):
            yield ScoredTree(self.sentence.reattach(one.config.heads, one.config.labels), one.score)

    def margins(self) -> npt.NDArray[np.float32]:
        return margins_of(self.search, self.beam[0])


@attrs.frozen
class _ArcElection(_Election):
    """Votes on arcs.

    Args:
        sentence: the sentence.
        trees: the tree of each parser.
        weights: how much the vote of each tree counts.
        known: the constraints on the sentence, if there are any.
    """

    sentence: DependencyTree
    trees: Sequence[DependencyTree]
    weights: Sequence[float]
    known: Constraints | None = None

    @cached_property
    def _votes(self) -> list[dict[Head, dict[str | None, float]]]:
        """For each word the votes for its heads, and for its labels under each."""
        votes: list[dict[Head, dict[str | None, float]]] = [{} for _ in self.sentence]
        for tree, weight in zip(self.trees, self.weights, strict=True):
            for found, head, label in zip(votes, tree.heads, tree.labels, strict=True):
                labels = found.setdefault(head, {})
                labels[label] = labels.get(label, 0) + weight
        return votes

    @cached_property
    def _head_votes(self) -> list[dict[Head, float]]:
        return [{head: sum(labels.values()) for head, labels in found.items()} for found in self._votes]

    def ranked(self) -> Iterator[ScoredTree]:
        single_root = all(len(tree.roots) == 1 for tree in self.trees)
        found = ranked_heads(self._head_votes, single_root=single_root)
        if self.known is None:
            return (self._labeled(heads) for heads, _ in found)
        meeting = (tuple(heads) for heads, _ in islice(found, _MOST_RANKED) if not self.known.broken_by(heads))
        own = sorted((tree.heads for tree in self.trees), key=self._score, reverse=True)
        return map(self._labeled, unique_everseen(chain(meeting, own)))

    def _score(self, heads: Sequence[Head]) -> float:
        return sum(found[head] for found, head in zip(self._head_votes, heads, strict=True))

    def _labeled(self, heads: Sequence[Head]) -> ScoredTree:
        """The tree with these heads; each word has the label that most of those give it who agree on its head."""
        agreeing = [found[head] for found, head in zip(self._votes, heads, strict=True)]
        labels = [max(found, key=found.__getitem__) for found in agreeing]
        return ScoredTree(self.trees[0].reattach(heads, labels), self._score(heads))

    def margins(self) -> npt.NDArray[np.float32]:
        tree = first(self.ranked()).tree
        of_labels = [found[head] for found, head in zip(self._votes, tree.heads, strict=True)]
        rows = [map(_margin, self._head_votes, tree.heads), map(_margin, of_labels, tree.labels)]
        return np.array([*map(list, rows)], np.float32)


def _margin(votes: Mapping[Any, float], elected: object) -> float:
    """By how many votes something is ahead of everything else."""
    return votes[elected] - max((count for one, count in votes.items() if one != elected), default=0)


def vote(trees: Sequence[DependencyTree], weights: Sequence[float]) -> DependencyTree:
    """The tree whose arcs have the most votes.

    Each word has the label with the most votes among the trees that agree on its head. If all trees have a single root,
    so has this one.

    Args:
        trees: trees over the same words.
        weights: how much the vote of each tree counts.

    >>> trees = [DependencyTree([(head, "a", "x"), (0, "b", "root")]) for head in (2, 0, 2)]
    >>> vote(trees, [1, 1, 1]).heads
    (2, 0)
    """
    return first(_ArcElection(trees[0], trees, weights).ranked()).tree
