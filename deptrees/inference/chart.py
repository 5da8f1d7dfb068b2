"""One chart for all questions about the derivations of a sentence: sums, the best ones, marginals, samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count, pairwise
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.inference.deduction import ALONE, BELOW, FRONT, WITH_ROOT, ChartNotDefined, Deduction, deduction
from deptrees.inference.places import as_arrays, head_scores, leave_scores, push_scores
from deptrees.inference.ranked import Ranked
from deptrees.inference.semirings import ENTROPY, LOG_SUM, MAX_PLUS, Elements, Semiring
from deptrees.inference.sums import inside, keep_best, outside, shares, total
from deptrees.messages import counted, of_type
from deptrees.transition.configuration import Configuration
from deptrees.transition.losses.arc_costs import gold_costs
from deptrees.transition.system import System
from deptrees.transition.systems.registry import GivenSystem, as_system
from deptrees.transition.transitions import Transition
from deptrees.trees.tree import DependencyTree

__all__ = ["Chart", "Marginals", "NoDerivation", "ScoredDerivation", "chart"]

Scores = npt.NDArray[np.float64]

_A_SEMIRING = "a Semiring, such as MAX_PLUS"


class NoDerivation(ValueError):
    """There is no derivation whose score is not −∞: none is best, and none has a probability."""


@attrs.frozen
class ScoredDerivation:
    """One derivation.

    Args:
        transitions: its transitions, without labels.
        heads: the heads with which it ends.
        score: the sum of its scores. Less the value of the chart it is the logarithm of its probability.
    """

    transitions: tuple[Transition, ...]
    heads: tuple[int | None, ...]
    score: float


@attrs.frozen(eq=False)
class Marginals:
    """Probabilities of transitions and of heads: the derivatives of the value of a chart by its scores.

    Args:
        scores: in the shape of the chart's ``scores``: how probable it is that a row is taken with this s0 and b0.
        leave: the same in the shape of its ``leave``, for the rows that remove s0; ``None`` if it has none.
    """

    scores: Scores
    leave: Scores | None
    _find_heads: Callable[[], Scores]

    @cached_property
    def heads(self) -> Scores:
        """The probabilities of heads, of shape (n + 2, n + 1).

        At [h, d] it is that the head of d will be h, at [n + 1, d] that it will have none; it is 0 for words that are
        neither on the stack nor in the buffer any more.
        """
        return self._find_heads()


def chart(
    start: GivenSystem | Configuration,
    scores: npt.ArrayLike,
    leave: npt.ArrayLike | None = None,
    heads: npt.ArrayLike | None = None,
) -> Chart:
    """All derivations of a sentence of n words, with scores.

    The score of a derivation is the sum of those of its transitions and of the heads with which it ends; −∞ forbids
    what has it. Positions are 0 to n + 1: as s0 and s1, 0 is ROOT or, if ROOT does not stand first, nothing; as b0,
    n + 1 is ROOT or, if ROOT does not stand last, nothing.

    Args:
        start: a system, or its class or name, or a configuration: then only what is still to come counts.
        scores: of shape (n + 2, n + 2, rows): at [s0, b0, row] what it scores to take this row of the system's table.
        leave: what it scores to remove s0, if that depends on s1: of shape (n + 2, n + 2, n + 2, rows), at
            [s1, s0, b0, row]. The first three axes may be of size 1. For these rows it takes the place of ``scores``.
        heads: of shape (n + 2, n + 1): at [h, d] what it scores that d ends with the head h, at [n + 1, d] with none.

    Raises:
        UnknownSystem: there is no such system.
        ChartNotDefined: the system does not meet the conditions of the proposition of `docs/what-is-new.md`.
        ValueError: an array has another shape, or has what is neither a finite number nor −∞.
        TooLarge: an array of the chart would take more than a gibibyte; so for questions that take O(n³) memory.

    >>> from deptrees.transition import ArcHybrid
    >>> from deptrees.inference import COUNTING
    >>> equal = chart(ArcHybrid(), np.zeros((5, 5, 3)))
    >>> equal.value(COUNTING), round(equal.entropy(), 3)
    (13, 2.565)
    """
    start = start if isinstance(start, Configuration) else as_system(start)
    rules = deduction(start if isinstance(start, System) else start.system)
    scores, leave, heads = as_arrays(rules, scores, leave, heads)
    cfg: Any = start if isinstance(start, Configuration) else None
    size = len(scores)
    if cfg is not None and len(cfg.source) != size - 2:
        raise ValueError(
            f"the configuration has {counted(len(cfg.source), 'word')}, but there are scores for {size - 2}"
        )
    # There is nothing between the elements of the stack, whose bottom is 0, nor between neighbors in the buffer.
    stack = (0, *[element for element in cfg.stack if element]) if cfg else (0,)
    front = next(iter(cfg.buffer), 0) or size - 1 if cfg else 1
    axioms = np.full((size, size), -np.inf)
    axioms[[*stack[:-1], *range(front, size - 1)], [*stack[1:], *range(front + 1, size)]] = 0.0
    axioms[stack[-1], front] = 0.0
    push, removal = push_scores(rules, scores), leave_scores(rules, scores, leave, heads)
    removal[..., :front] = -np.inf
    for k, d in pairwise(stack):  # has been pushed, with a head or without
        push[:, :, k, d] = -np.inf
        push[cfg.attached_bits >> d & 1 if len(rules.heads) > 1 else 0, 0, k, d] = 0.0
    return Chart(start, rules, axioms, stack, push, removal, scores, leave)


@attrs.frozen(eq=False)
class Chart:
    """All derivations of a sentence, with scores; ``chart`` makes it.

    An answer takes O(n³) time. It takes O(n²) memory for sums, best derivations and samples, and O(n³) for marginals,
    or if scores depend on s1 or on heads.

    >>> from deptrees.transition import ArcEager
    >>> found = chart(ArcEager(root="last"), np.random.default_rng(1).normal(size=(5, 5, 4)))
    >>> best = found.best()
    >>> best.heads, round(best.score, 3), round(float(np.exp(best.score - found.value())), 3)
    ((0, 1, 1), 3.096, 0.387)
    """

    start: System | Configuration
    _rules: Deduction
    _axioms: Scores
    _stack: tuple[int, ...]
    _push: Scores
    _leave: Scores
    _scores: Scores
    _leave_scores: Scores | None

    def value(self, semiring: Semiring = LOG_SUM) -> Any:
        """The sum over all derivations: by default the logarithm of the sum of exp(score).

        Args:
            semiring: what to sum up, such as ``MAX_PLUS``, ``COUNTING`` or ``k_best(5)``.

        Returns:
            A number or, if an element of the semiring is several, an array.
        """
        of_type("semiring", semiring, Semiring, _A_SEMIRING)
        found = (self._log_sums if semiring is LOG_SUM else self._sums(semiring))[..., 0, -1]
        return found if found.ndim else found.item()

    def _sums(self, semiring: Semiring) -> Elements:
        return inside(semiring, semiring.lift(self._axioms), *self._places(semiring))

    def beginnings(self, semiring: Semiring = LOG_SUM) -> Elements:
        """The sums over all beginnings of derivations that have just pushed a word: at […, d] of those up to word d.

        Such a beginning leaves a stack, and between the elements of the stack nothing but what items sum up. So the
        beginnings up to d are those up to k, the element below d, with what comes before d is pushed upon k:

            F(0) = 1
            F(d) = ⊕ over k < d of  F(k) ⊗ B(k, d) ⊗ push(k, d)

        If scores are logarithms of probabilities, and those of pushes have that of the word that then comes in front,
        these are the probabilities of prefixes. Beginnings count whether they can be finished or not.

        Args:
            semiring: what to sum up, as in ``value``.

        Raises:
            ChartNotDefined: whether the last word can be pushed depends on the head of words deeper in the stack, as in
                arc-eager with ROOT first, or with a single root.

        >>> from deptrees.transition import ArcHybrid
        >>> from deptrees.inference import COUNTING
        >>> chart(ArcHybrid(), np.zeros((5, 5, 3))).beginnings(COUNTING).tolist()
        [1, 1, 3, 13]
        """
        of_type("semiring", semiring, Semiring, _A_SEMIRING)
        if self._rules.none_waits:
            raise ChartNotDefined(
                f"{self._rules.system} has no sums over beginnings: its last push depends on the stack"
            )
        pushes = semiring.sum(total(semiring, self._push), -3)
        steps = semiring.times(self._sums(semiring), pushes)[..., :-1]
        found = np.empty_like(steps[..., 0, :])
        found[..., 0] = semiring.lift(np.zeros(()))
        for d in range(1, found.shape[-1]):
            found[..., d] = semiring.sum(semiring.times(found[..., :d], steps[..., :d, d]), -1)
        return found

    def _places(self, semiring: Semiring) -> tuple[Elements, Elements]:
        """What it scores to push, at [mark, k, d], and to leave, at [mark, below, d, j], by any row."""
        return total(semiring, self._push), total(semiring, self._leave)

    @cached_property
    def _log_places(self) -> tuple[Scores, Scores]:
        return self._places(LOG_SUM)

    @cached_property
    def _log_sums(self) -> Scores:
        return inside(LOG_SUM, self._axioms, *self._log_places)

    @cached_property
    def _highest(self) -> Scores:
        return _possible(self._sums(MAX_PLUS))

    def entropy(self) -> float:
        """The entropy of the derivations, in nats: the mean of -log p.

        Raises:
            NoDerivation: every derivation has the score −∞; so for all questions below.
        """
        sums, entropies = self._sums(ENTROPY)
        _possible(sums)
        return float(entropies[0, -1])

    def best(self) -> ScoredDerivation:
        """The derivation of the highest score."""
        return self._derivation(lambda k, j, rank: _highest_place(self._highest_terms(k, j)))

    def samples(self, seed: int | np.random.Generator) -> Iterator[ScoredDerivation]:
        """Derivations drawn with their probabilities, without end.

        Each item draws one of its terms: the highest with Gumbel noise.

        Args:
            seed: a seed, or a generator.

        >>> from deptrees.transition import ArcHybrid
        >>> equal = chart(ArcHybrid(), np.zeros((5, 5, 3)))
        >>> len({sample.transitions for sample, _ in zip(equal.samples(seed=1), range(100))})
        13
        """
        random, sums = np.random.default_rng(seed), _possible(self._log_sums)

        def choose(k: int, j: int, rank: int) -> tuple[int, ...]:
            terms = self._terms(sums, k, j)
            return _highest_place(terms + random.gumbel(size=terms.shape))

        while True:
            yield self._derivation(choose)

    def ranked(self) -> Iterator[ScoredDerivation]:
        """All derivations, those of the highest scores first, lazily (Huang & Chiang 2005, algorithm 3).

        >>> from deptrees.transition import ArcHybrid
        >>> ranked = chart(ArcHybrid(), np.random.default_rng(1).normal(size=(5, 5, 3))).ranked()
        >>> [(derivation.heads, round(derivation.score, 3)) for derivation, _ in zip(ranked, range(3))]
        [((0, 3, 0), 1.512), ((0, 3, 1), 0.352), ((0, 0, 0), 0.176)]
        """
        ranked = Ranked(self._highest_terms, self._highest, self._axioms == 0)
        for rank in count():
            if ranked.nth(0, len(self._axioms) - 1, rank) is None:
                return
            yield self._derivation(ranked.choose, rank)

    def _highest_terms(self, k: int, j: int) -> Scores:
        return self._terms(self._highest, k, j)

    def _terms(self, sums: Scores, k: int, j: int) -> Scores:
        """What each way to make an item scores: at [mark, row that pushes d, way in which it leaves, d - k - 1]."""
        inner = sums[k, k + 1 : j] + sums[k + 1 : j, j]
        leave = self._leave[:, None, :, min(k, self._leave.shape[2] - 1), k + 1 : j, j]
        terms: Scores = inner + self._push[:, :, None, k, k + 1 : j] + leave
        return terms

    def _derivation(self, choose: Callable[[int, int, int], tuple[int, ...]], rank: int = 0) -> ScoredDerivation:
        """The derivation in which each item is made in the way that is chosen."""
        rules, end, score = self._rules, len(self._axioms) - 1, 0.0
        heads: list[int | None] = [None] * (end - 1) if isinstance(self.start, System) else [*self.start.heads]
        rows: list[int] = []
        todo: list[tuple[int, ...]] = [(0, end, rank)]
        while todo:
            item = todo.pop()
            if len(item) == 1:
                rows += item
            elif self._axioms[item[:2]] < 0:
                k, j, _ = item
                mark, row, way, distance, left, right = choose(*item)
                d = k + 1 + distance
                score += self._push[mark, row, k, d] + self._leave[mark, way, self._below[k], d, j]
                heads[d - 1] = (j % end, k, None, 0)[rules.heads[mark, way]]
                pushed = [] if d in self._stack else [(rules.pushing[row],)]
                gone = [(number,) for number in rules.leaving[way : way + 1]]
                todo += [*gone, (d, j, right), *pushed, (k, d, left)]
        transitions = [rules.system.rows[row].transition() for row in rows]
        return ScoredDerivation(tuple(transitions), tuple(heads), float(score))

    def marginals(self) -> Marginals:
        """The probabilities of transitions and of heads: the derivatives of the value by all scores (Eisner 2016).

        >>> from deptrees.transition import ArcHybrid
        >>> chart(ArcHybrid(), np.zeros((4, 4, 3))).marginals().heads[:, 1:].round(2).tolist()
        [[0.67, 0.67], [0.0, 0.33], [0.33, 0.0], [0.0, 0.0]]
        """
        self._check_room()
        rules, (push, leave) = self._rules, self._log_places
        through = outside(_possible(self._log_sums), push, leave)
        pushed = through.sum(axis=3)[:, None] * shares(self._push, push)
        pushed[..., self._stack[:-1], self._stack[1:]] = 0.0
        ways = shares(self._leave, leave)
        gone = np.add.reduceat(through, np.arange(leave.shape[1]), axis=1)
        scores = np.zeros_like(self._scores)
        scores[..., rules.pushing] = np.moveaxis(pushed.sum(axis=0), 0, -1)
        of_leave = None
        if self._leave_scores is None:
            scores[..., rules.leaving] = np.einsum("mwbdj,mbdj->djw", ways[:, :-1], gone)
        else:
            of_leave = np.zeros_like(self._leave_scores)
            single = tuple(axis for axis, size in enumerate(of_leave.shape[:3]) if size == 1)
            left = np.einsum("mwbdj,mbdj->bdjw", ways[:, :-1], gone)
            of_leave[..., rules.leaving] = left.sum(axis=single, keepdims=True)
        return Marginals(scores, of_leave, lambda: self._heads_of(through, gone, ways))

    def _heads_of(self, through: Scores, gone: Scores, ways: Scores) -> Scores:
        """At [h, d] the probability of each head, from what goes through each place."""
        kinds = self._rules.heads
        front, alone, with_root = (
            np.einsum("mwbdj,mbdj,mw->jd", ways, gone, kinds == kind) for kind in (FRONT, ALONE, WITH_ROOT)
        )
        below = np.einsum("mwbdj,mw->mbdj", ways, kinds == BELOW)[:, self._below]
        heads: Scores = np.einsum("mkdj,mkdj->kd", through, below)
        heads[1:-1] += front[1:-1]
        heads[0] += front[-1] + with_root.sum(axis=0)
        heads[-1] += alone.sum(axis=0)
        return heads[:, :-1]

    def least_risk(self) -> tuple[int | None, ...]:
        """The heads of the tree, of all that the derivations end with, that has the most right heads on average.

        It has the least Bayes risk (Goodman 1996): the highest sum of marginal probabilities of its heads.

        >>> from deptrees.transition import ArcHybrid
        >>> chart(ArcHybrid(), np.random.default_rng(1).normal(size=(5, 5, 3))).least_risk()
        (0, 3, 0)
        """
        push, leave = (np.where(np.isneginf(scores), scores, 0.0) for scores in (self._push, self._leave))
        leave = leave[:, :, self._below] + head_scores(self._rules, self.marginals().heads)
        return attrs.evolve(self, push=push, leave=leave).best().heads

    def restricted(self, tree: DependencyTree) -> Chart:
        """The chart of those derivations only that end with the fewest wrong heads.

        These are the derivations that the dynamic oracle calls correct throughout, if the tree can be reached or not.
        So the difference of the two values is the logarithm of the probability that no mistake is made, which a
        conditional random field learns. Words without a gold head count as in all oracles of the system.

        Args:
            tree: the gold tree, of any kind.

        >>> from deptrees import DependencyTree
        >>> from deptrees.inference import COUNTING
        >>> from deptrees.transition import ArcHybrid
        >>> crossing = DependencyTree([(3, "What"), (3, "did"), (0, "talk"), (1, "about")])
        >>> found = chart(ArcHybrid(), np.zeros((6, 6, 3))).restricted(crossing)
        >>> found.value(COUNTING), found.best().heads
        (2, (3, 3, 0, 3))
        """
        of_type("tree", tree, DependencyTree, "a gold tree")
        size = len(self._axioms)
        system = self._rules.system
        if len(tree) != size - 2:
            raise ValueError(f"the tree has {counted(len(tree), 'word')}, the chart {size - 2}")
        self._check_room()
        heads = -gold_costs(system.gold_heads(tree), system.empty_means_unknown)
        possible = np.where(np.isneginf(self._push).all(axis=1), -np.inf, 0.0)
        return attrs.evolve(self, leave=keep_best(self._rules, self._axioms, possible, self._leave, heads))

    def _check_room(self) -> None:
        """Make sure that there is room for what takes O(n³) memory."""
        self._rules.check_length(len(self._axioms) - 2, axes=3)

    @cached_property
    def _below(self) -> Any:
        """Where each element below is in the scores of leaving."""
        return np.minimum(np.arange(len(self._axioms)), self._leave.shape[2] - 1)


def _highest_place(terms: Scores) -> tuple[int, ...]:
    """Where the highest term is, and the first derivation of each of its items."""
    return (*map(int, np.unravel_index(terms.argmax(), terms.shape)), 0, 0)


def _possible(sums: Scores) -> Scores:
    if np.isneginf(sums[0, -1]):
        raise NoDerivation("every derivation has the score -inf")
    return sums
