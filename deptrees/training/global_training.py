"""Global training: whole derivations are compared, as found by beam search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import count
from random import Random

import attrs
from more_itertools import consume

from deptrees.messages import of_type
from deptrees.search.beam import Beam, BeamSearch, Hypothesis
from deptrees.training.declarations import OneOf
from deptrees.training.update_rules import UPDATE_RULES, Candidate, SearchStep, UpdateRule
from deptrees.training.updates import Update, require_complete
from deptrees.transition import BaseConfiguration, Oracle, Transition
from deptrees.transition.oracles import INCOMPLETE
from deptrees.transition.policies import RandomSource

__all__ = ["GlobalTraining"]


def _is_known(_: object, attribute: object, update: str | UpdateRule) -> None:
    of_type("update", update, str | UpdateRule, "the name of a rule, or an UpdateRule")
    OneOf(tuple(UPDATE_RULES), UpdateRule)("update", update)


def _is_rate(_: object, attribute: object, p: float | Callable[[int], float]) -> None:
    if not callable(p) and not 0 <= p <= 1:
        raise ValueError(f"p is the rate of exploration: from 0 to 1, or a function from an iteration to it, not {p}")


@attrs.frozen
class GlobalTraining:
    """Compare the derivations that a beam search prefers with correct ones.

    A hypothesis is correct as long as all its transitions since the start were gold where they were taken. With the
    static oracle, one derivation is correct. With the dynamic oracle, all derivations are that have lost no head since
    the start, even if some were lost before: the global dynamic oracle of Aufrant, Wisniewski & Yvon 2017 (see Aufrant
    & Wisniewski 2017, appendix B). It also takes partial trees, and trees that the system cannot build.

    There is an error if no correct hypothesis is left in the beam, or if the best one at the end is not correct. Then
    two hypotheses after the same number of steps are compared: the best correct one, and the best of all. Once the beam
    has lost the correct hypotheses, they continue in a beam of their own.

    ============================ =====================================================================================
    update                       is made
    ============================ =====================================================================================
    ``early``                    at the error: when the beam has lost the correct hypotheses, otherwise in the end
                                 (Collins & Roark 2004)
    ``max_violation``            where the best hypothesis is ahead of the best correct one by most, also if that is
                                 before the error (Huang, Fayong & Guo 2012)
    ``max_violation_from_error`` where it is ahead by most from the error on (Aufrant & Wisniewski 2017, algorithm 2)
    ``latest``                   at the last step at which the best correct one is not ahead of the best (Huang, Fayong
                                 & Guo 2012)
    ``full``                     in the end, even if the best correct one has come out ahead, so that nothing was
                                 violated
    ============================ =====================================================================================

    Args:
        oracle: says which transitions are gold, including their labels.
        search: the beam search.
        update: when to update: one of these, or a rule of your own, an `UpdateRule`.
        restart: whether training continues after the update to the end of the sentence, starting from one hypothesis.
        time_limit: after how many steps without an error the beam starts afresh, which limits the length of derivations
            that are compared (Aufrant & Wisniewski 2017, section 4.3). If the best hypothesis is then not correct, this
            is an error, as at the end.
        k: the number of iterations without exploration; see ``at``.
        p: the rate of exploration, or a schedule, which is a function that returns it for an iteration. With this
            probability, training continues from the negative configuration instead of the positive one. The oracle must
            be defined everywhere.
        rng: draws the random numbers; a seeded one makes every run the same. The default is seeded with 0.

    >>> from deptrees import DependencyTree
    >>> from deptrees.search import Ranking
    >>> from deptrees.transition import ArcHybrid, dynamic_oracle
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    >>> training = GlobalTraining(Oracle(ArcHybrid(), dynamic_oracle), BeamSearch(ranking, size=1), "early")
    >>> for update in training(DependencyTree([(2, "Birds"), (0, "sing")])):
    ...     print(*(transition for _, transition in update.positive))
    ...     print(*(transition for _, transition in update.negative))
    Shift() LeftArc()
    Shift() Shift()
    """

    oracle: Oracle
    search: BeamSearch
    update: str | UpdateRule = attrs.field(default="max_violation", validator=_is_known)
    restart: bool = attrs.field(default=False, kw_only=True)
    time_limit: int | None = attrs.field(
        default=None, kw_only=True, validator=attrs.validators.optional(attrs.validators.ge(1))
    )
    k: int = attrs.field(default=0, kw_only=True, validator=attrs.validators.ge(0))
    p: float | Callable[[int], float] = attrs.field(default=0.0, kw_only=True, validator=_is_rate)
    rng: RandomSource = attrs.field(factory=lambda: Random(0), kw_only=True, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.oracle.system != self.search.ranking.system:
            raise ValueError(f"the oracle is for {self.oracle.system}, the search for {self.search.ranking.system}")
        if self.p:
            require_complete(self.oracle)

    def at(self, iteration: int) -> GlobalTraining:
        """The strategy for a training iteration, counted from 1: the first k do not explore."""
        return attrs.evolve(self, p=self._rate(iteration) if iteration > self.k else 0.0)

    def _rate(self, iteration: int) -> float:
        return self.p(iteration) if callable(self.p) else self.p

    @property
    def rule(self) -> UpdateRule:
        """What is an error, and what is compared."""
        return UPDATE_RULES[self.update] if isinstance(self.update, str) else self.update

    def __call__(self, tree: object) -> Iterator[Update]:
        """The updates for a gold tree, each made when it is asked for; none if the oracle cannot follow the tree."""
        if not (gold := self.oracle(tree)):
            return
        if self.oracle.function in INCOMPLETE:
            consume(gold)  # which says so if the oracle does not lead to the gold tree
        start: BaseConfiguration = self.oracle.system.initial(tree)
        while not start.is_final:
            steps: list[SearchStep] = []
            chosen = self.rule.length(self._candidates(self._decode(start, tree), steps))
            if chosen is None:
                start = steps[-1].correct[0].config
                continue
            derivations = chosen.positive.derivation(), chosen.negative.derivation()
            yield Update(*derivations, self.rule.weights(max(map(len, derivations))))
            if not self.restart:
                return
            start = (chosen.negative if self.rng.random() < self._rate(1) else chosen.positive).config

    def _candidates(self, search: Iterable[SearchStep], steps: list[SearchStep]) -> Iterator[Candidate]:
        """The pairs to choose from; what the search has found is written down in ``steps``."""
        error = False
        for step in search:
            steps.append(step)
            error = error or self.rule.error(step) or (step.is_last and step.beam[0] is not step.correct[0])
            positive = self.rule.positive(step)
            negative = self.rule.negative(step, positive)
            if positive is not negative:
                yield Candidate(positive, negative, error)

    def _decode(self, start: BaseConfiguration, tree: object) -> Iterator[SearchStep]:
        """The steps of a search from a configuration that is not final."""

        @cache
        def gold(cfg: BaseConfiguration) -> tuple[Transition, ...]:
            return self.search.ranking.space.agreeing(self.oracle.function(cfg, tree, self.oracle.label))

        correct_only = attrs.evolve(self.search, possible=gold)
        beam: Beam = (Hypothesis(start),)
        correct = beam
        for number in count(1):
            before, beam = correct, self.search.step(beam)
            correct = tuple(
                hypothesis
                for hypothesis in beam
                if hypothesis in before
                or (hypothesis.previous in before and hypothesis.transition in gold(hypothesis.previous.config))
            )
            if not correct:
                correct = correct_only.step(before)
            is_final = all(hypothesis.config.is_final for hypothesis in (*correct, *beam))
            yield SearchStep(correct, beam, is_final or number == self.time_limit)
            if is_final or number == self.time_limit:
                return
