"""What every parser offers, whatever model it has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import NamedTuple, overload

from more_itertools import first

from deptrees.engine.confidence import Calibration, NotCalibrated
from deptrees.training.inputs import check_known
from deptrees.transition.constraints import Known
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["AnyParser", "RankingParser", "ScoredTree"]


class ScoredTree(NamedTuple):
    """A tree, and the score of its best derivation."""

    tree: DependencyTree
    score: float


class AnyParser(ABC):
    """A parser: it finds the best tree of a sentence."""

    __slots__ = ()

    calibration: Calibration | None
    """How probable it is that heads and labels are right, ``None`` if that is not known."""

    @overload
    def parse(
        self,
        sentences: DependencyTree,
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
        confidence: bool = False,
    ) -> DependencyTree: ...

    @overload
    def parse(
        self,
        sentences: Iterable[Sentence],
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
        confidence: bool = False,
    ) -> Iterator[DependencyTree]: ...

    def parse(
        self,
        sentences: DependencyTree | Iterable[Sentence],
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
        confidence: bool = False,
    ) -> DependencyTree | Iterator[DependencyTree]:
        """Parse sentences, lazily and in order; one tree in gives one tree.

        Args:
            sentences: trees, whose heads are ignored, or lists of words. Comments and extra tokens of trees are kept.
                The first two are taken one by one, and later up to 1,024 before the next tree comes.
            threads: the number of threads; the result does not depend on it.
            beam: how many derivations to follow at a time, at most 64; by default as many as in training.
            constraints: returns what is known about a sentence before it is parsed; ``Constraints.given`` keeps all
                heads and labels that it has.
            confidence: whether to write into MISC how probable it is that the parse is right: ``HeadConfidence`` is the
                probability that the head is right, ``Confidence`` that both the head and the label are.

        Raises:
            BrokenConstraints: the constraints on a sentence cannot be met; the message names it and the words.
            NotCalibrated: the parser does not know how probable it is that a parse is right; see ``calibrate``.
            TypeError: the constraints are no function.
            ValueError: the number of threads or the beam is out of range.

        >>> from deptrees import Parser, sample_treebank
        >>> from deptrees.transition import Constraints
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> tree = DependencyTree([(3, "Old"), (None, "birds"), (None, "sing", "conj")])
        >>> parsed = parser.parse(tree, constraints=Constraints.given)
        >>> parsed.heads[0], parsed.labels[2]
        (3, 'conj')
        """
        check_known(constraints)
        if confidence and self.calibration is None:
            raise NotCalibrated
        if isinstance(sentences, DependencyTree):
            return first(self._parse([sentences], threads, beam, constraints, confidence))
        return self._parse(sentences, threads, beam, constraints, confidence)

    @abstractmethod
    def _parse(
        self,
        sentences: Iterable[Sentence],
        threads: int,
        beam: int | None,
        constraints: Known | None,
        confidence: bool,
    ) -> Iterator[DependencyTree]:
        """Parse sentences lazily, but tell at once if a number is out of range."""


class RankingParser(AnyParser):
    """A parser that finds several trees of a sentence, the best first."""

    __slots__ = ()

    @overload
    def k_best(
        self,
        sentences: DependencyTree,
        k: int,
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
    ) -> list[ScoredTree]: ...

    @overload
    def k_best(
        self,
        sentences: Iterable[Sentence],
        k: int,
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
    ) -> Iterator[list[ScoredTree]]: ...

    def k_best(
        self,
        sentences: DependencyTree | Iterable[Sentence],
        k: int,
        threads: int = 1,
        beam: int | None = None,
        *,
        constraints: Known | None = None,
    ) -> list[ScoredTree] | Iterator[list[ScoredTree]]:
        """For each sentence, the best trees at the end of a beam search, lazily and in order.

        Scores are sums over the transitions of a derivation; if a tree has several derivations, the best one counts.
        Scores rank the trees of a sentence, but cannot be compared between sentences. An ensemble's scores are its
        votes. In a parser that chooses labels after transitions, the trees differ in more than a label; see ``joint``.

        Args:
            sentences: trees, whose heads are ignored, or lists of words; one tree gives one list.
            k: the greatest number of trees. There are fewer if derivations of the beam build the same tree.
            threads: the number of threads; the result does not depend on it.
            beam: how many derivations to follow at a time, at most 64; by default k or as many as in training,
                whichever is more. A wider beam finds better trees.
            constraints: returns what is known about a sentence before it is parsed; see ``parse``.

        Raises:
            BrokenConstraints: the constraints on a sentence cannot be met; the message names it and the words.
            TypeError: the constraints are no function.
            ValueError: k, the number of threads or the beam is out of range.

        >>> from deptrees import Parser, sample_treebank
        >>> parser = Parser.train(sample_treebank("train"), epochs=2)
        >>> first, second = parser.k_best(DependencyTree([(None, "Birds"), (None, "sing")]), k=2)
        >>> first.tree.heads, second.tree.heads, first.score > second.score
        ((0, 1), (2, 0), True)
        """
        check_known(constraints)
        if isinstance(sentences, DependencyTree):
            return first(self._k_best([sentences], k, threads, beam, constraints))
        return self._k_best(sentences, k, threads, beam, constraints)

    @abstractmethod
    def _k_best(
        self, sentences: Iterable[Sentence], k: int, threads: int, beam: int | None, constraints: Known | None
    ) -> Iterator[list[ScoredTree]]:
        """Find the best trees lazily, but tell at once if a number is out of range."""
