"""Which derivations global training compares: the open update framework of Aufrant & Wisniewski 2017, appendix B.3."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import attrs

from deptrees.messages import written

if TYPE_CHECKING:
    from deptrees.search import Beam, Hypothesis

__all__ = ["UPDATE_RULES", "Candidate", "SearchStep", "UpdateRule"]


@attrs.frozen
class SearchStep:
    """What there is after a step of a search for an error.

    Args:
        correct: the correct hypotheses, the best first, followed apart from the beam once it has lost them.
        beam: the beam.
        is_last: whether the search ends here.
    """

    correct: Beam
    beam: Beam
    is_last: bool


@attrs.frozen
class Candidate:
    """Two hypotheses after the same number of steps, to update with.

    Args:
        positive: the one to raise the score of.
        negative: the one to lower the score of.
        after_error: whether an error was flagged after this step or before.
    """

    positive: Hypothesis
    negative: Hypothesis
    after_error: bool

    @property
    def violation(self) -> float:
        """By how much the negative hypothesis is ahead."""
        return self.negative.score - self.positive.score


def _correct_ones_lost(step: SearchStep) -> bool:
    return step.correct[0] not in step.beam


def _best_correct(step: SearchStep) -> Hypothesis:
    return step.correct[0]


def _best(step: SearchStep, positive: Hypothesis) -> Hypothesis:
    return step.beam[0]


@attrs.frozen
class UpdateRule:
    """What is an error, and which pair of derivations makes the update.

    After each step of a search the rule chooses a positive and a negative hypothesis, which make a candidate unless
    they are the same. From all candidates it then chooses one, and so the length of the two derivations.

    Args:
        length: from the candidates, in the order of their length, to the one to update with; ``None`` if there is no
            error. The candidates are made when they are asked for: the search ends where no more are.
        error: whether a step has an error; by default, whether the beam has lost all correct hypotheses. In the last
            step there always is one if the best hypothesis is not correct.
        positive: the positive hypothesis of a step; by default the best correct one.
        negative: the negative hypothesis of a step with this positive one; by default the best in the beam.
        weight: how much a step counts in an update, from its number, counted from 1, and the length of the derivations:
            λ in the paper. If it is not given, all count 1.

    >>> from deptrees.search import BeamSearch, Ranking
    >>> from deptrees.training import GlobalTraining
    >>> from deptrees.transition import ArcHybrid, Oracle, dynamic_oracle
    >>> from deptrees import DependencyTree
    >>> def shortest(candidates):
    ...     return min(candidates, key=lambda candidate: len(candidate.positive.derivation()), default=None)
    >>> rule = UpdateRule(shortest, error=lambda step: step.beam[0] not in step.correct, weight=lambda i, n: i / n)
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    >>> training = GlobalTraining(Oracle(ArcHybrid(), dynamic_oracle), BeamSearch(ranking, size=4), rule)
    >>> for update in training(DependencyTree([(2, "Birds"), (0, "sing")])):
    ...     for _, transition, change in update.changes():
    ...         print(transition, change)
    Shift() 0.5
    LeftArc() 1.0
    Shift() -0.5
    Shift() -1.0
    """

    length: Callable[[Iterable[Candidate]], Candidate | None] = attrs.field(repr=written)
    error: Callable[[SearchStep], bool] = attrs.field(default=_correct_ones_lost, kw_only=True, repr=written)
    positive: Callable[[SearchStep], Hypothesis] = attrs.field(default=_best_correct, kw_only=True, repr=written)
    negative: Callable[[SearchStep, Hypothesis], Hypothesis] = attrs.field(default=_best, kw_only=True, repr=written)
    weight: Callable[[int, int], float] | None = attrs.field(default=None, kw_only=True, repr=written)

    def weights(self, length: int) -> tuple[float, ...] | None:
        """How much each step counts in an update with derivations of this length, ``None`` if each counts 1."""
        return None if self.weight is None else tuple([self.weight(step, length) for step in range(1, length + 1)])


def _early(candidates: Iterable[Candidate]) -> Candidate | None:
    return next((candidate for candidate in candidates if candidate.after_error), None)


def _from_error(candidates: Iterable[Candidate]) -> Candidate | None:
    after = [candidate for candidate in candidates if candidate.after_error]
    return max(after, key=lambda candidate: candidate.violation, default=None)


def _of_all(choice: Callable[[list[Candidate]], Candidate]) -> Callable[[Iterable[Candidate]], Candidate | None]:
    """A choice among all candidates of a search, also those before an error."""

    def choose(candidates: Iterable[Candidate]) -> Candidate | None:
        found = list(candidates)
        return choice(found) if found and found[-1].after_error else None

    return choose


def _largest(candidates: list[Candidate]) -> Candidate:
    return max(candidates, key=lambda candidate: candidate.violation)


def _latest(candidates: list[Candidate]) -> Candidate:
    # Some scorers round differently in batches of different size, so that there may be none by a hair's breadth.
    return next((candidate for candidate in reversed(candidates) if candidate.violation >= 0), candidates[-1])


UPDATE_RULES: dict[str, UpdateRule] = {
    "early": UpdateRule(_early),
    "max_violation": UpdateRule(_of_all(_largest)),
    "max_violation_from_error": UpdateRule(_from_error),
    "latest": UpdateRule(_of_all(_latest)),
    "full": UpdateRule(_of_all(lambda candidates: candidates[-1])),
}
"""The rules that have names."""
