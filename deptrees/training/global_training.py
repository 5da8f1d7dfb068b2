"""Global training: whole derivations are compared, as beam search finds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Literal

import attrs
from more_itertools import consume

from deptrees.search.beam import Beam, BeamSearch, Hypothesis
from deptrees.training.updates import Update, require_complete
from deptrees.transition import Configuration, Oracle, Transition
from deptrees.transition.oracles import INCOMPLETE
from deptrees.transition.policies import RandomSource
from deptrees.trees.tree import DependencyTree

__all__ = ["GlobalTraining"]

Pair = tuple[Hypothesis, Hypothesis]
"""The best correct hypothesis after a step, and the best of all, which is not correct."""


def _violation(pair: Pair) -> float:
    correct, best = pair
    return best.score - correct.score


_CHOICES: dict[str, Callable[[Sequence[Pair]], Pair]] = {
    "early": lambda pairs: pairs[-1],
    "full": lambda pairs: pairs[-1],
    # Some scorers round differently in batches of different size, so that there may be none by a hair's breadth.
    "latest": lambda pairs: next((pair for pair in reversed(pairs) if _violation(pair) >= 0), pairs[-1]),
    "max_violation": lambda pairs: max(pairs, key=_violation),
}


@attrs.frozen
class GlobalTraining:
    """Compare the derivations that a beam search prefers with correct ones.

    A hypothesis is correct as long as all its transitions since the start were gold where they were taken. With the
    static oracle this makes one derivation correct. With the dynamic oracle all those are that have lost no head since
    the start, even where some were lost before it: the global dynamic oracle of Aufrant, Wisniewski & Yvon 2017 (see
    Aufrant & Wisniewski 2017, appendix B). So it takes trees that the system cannot build, and partial trees.

    There is an error if no correct hypothesis is left in the beam, or if in the end the best one is not correct. Then
    two hypotheses are chosen after the same number of steps: the best correct one, and the best of all. Once the beam
    has lost the correct hypotheses, those are followed apart from it, in a beam of their own.

    ================= ================================================================================================
    update            is made
    ================= ================================================================================================
    ``early``         as soon as the beam has lost the correct hypotheses, otherwise in the end (Collins & Roark 2004)
    ``max_violation`` where the best hypothesis is ahead of the best correct one by most (Huang, Fayong & Guo 2012)
    ``latest``        at the last step at which the best correct one is not ahead of the best (ibid.)
    ``full``          in the end, even if the best correct one has come out ahead, so that nothing was violated
    ================= ================================================================================================

    Args:
        oracle: says which transitions are gold, from their labels on.
        search: the beam search.
        update: when to update.
        restart: whether training goes on after the update, with a beam of one hypothesis, to the end of the sentence.
        k: the number of iterations without exploration; see ``at``.
        p: the rate of exploration: with this probability training goes on from the negative configuration rather than
            from the positive one. The oracle must answer everywhere.
        rng: draws the random numbers. Seed it, and every run is the same run; the default is seeded with 0.

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
    update: Literal["early", "max_violation", "latest", "full"] = attrs.field(
        default="max_violation", validator=attrs.validators.in_(tuple(_CHOICES))
    )
    restart: bool = attrs.field(default=False, kw_only=True)
    k: int = attrs.field(default=0, kw_only=True, validator=attrs.validators.ge(0))
    p: float = attrs.field(default=0.0, kw_only=True, validator=[attrs.validators.ge(0), attrs.validators.le(1)])
    rng: RandomSource = attrs.field(factory=lambda: Random(0), kw_only=True, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.oracle.system != self.search.ranking.system:
            raise ValueError(f"the oracle is for {self.oracle.system}, the search for {self.search.ranking.system}")
        if self.p:
            require_complete(self.oracle)

    def at(self, iteration: int) -> GlobalTraining:
        """The strategy for a training iteration, counted from 1: the first k do not explore."""
        return self if iteration > self.k else attrs.evolve(self, p=0.0)

    def __call__(self, tree: DependencyTree) -> Iterator[Update]:
        """The updates for a gold tree, each made when it is asked for; none if the oracle cannot follow the tree."""
        if not (gold := self.oracle(tree)):
            return
        if self.oracle.function in INCOMPLETE:
            consume(gold)  # which says so if the oracle does not lead to the gold tree
        start: Configuration = self.oracle.system.initial(tree)
        while (pair := self._pair(start, tree)) is not None:
            positive, negative = pair
            yield Update(positive.derivation(), negative.derivation())
            if not self.restart:
                return
            start = (negative if self.rng.random() < self.p else positive).config

    def _pair(self, start: Configuration, tree: DependencyTree) -> Pair | None:
        """The pair to update with, ``None`` if there is no error."""
        pairs: list[Pair] = []
        for correct, beam in self._decode(start, tree):
            pairs.append((correct[0], beam[0]))
            if self.update == "early" and correct[0] not in beam:
                break
        if not pairs or pairs[-1][0] is pairs[-1][1]:
            return None
        return _CHOICES[self.update]([(correct, best) for correct, best in pairs if correct is not best])

    def _decode(self, start: Configuration, tree: DependencyTree) -> Iterator[tuple[Beam, Beam]]:
        """After each step the correct hypotheses, those in the beam if there are any, and the beam."""

        @cache
        def gold(cfg: Configuration) -> tuple[Transition, ...]:
            return self.search.ranking.space.agreeing(self.oracle.function(cfg, tree, self.oracle.label))

        correct_only = attrs.evolve(self.search, possible=gold)
        beam: Beam = (Hypothesis(start),)
        correct = beam
        while not all(hypothesis.config.is_final for hypothesis in (*correct, *beam)):
            before, beam = correct, self.search.step(beam)
            correct = tuple(
                hypothesis
                for hypothesis in beam
                if hypothesis in before
                or (hypothesis.previous in before and hypothesis.transition in gold(hypothesis.previous.config))
            )
            if not correct:
                correct = correct_only.step(before)
            yield correct, beam
