"""Local training: each configuration is an example of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import attrs

from deptrees.search.ranking import Ranking
from deptrees.training.updates import Update, require_complete
from deptrees.transition import NeverExplore, Oracle, Policy, Step, Transition, loss
from deptrees.transition.sequence import AnyPolicy
from deptrees.trees.tree import DependencyTree

__all__ = ["LocalTraining"]

_ATTEMPTS = 100
"""How often aggressive training tries the same configuration: a learner may be unable to learn it."""


@attrs.frozen
class LocalTraining:
    """Compare the transition that a scorer prefers with the gold ones, configuration by configuration.

    Called on a gold tree, it gives the updates: where the prediction is not gold, the gold transition with the highest
    score is the positive and the prediction is the negative. The next update is made when it is asked for, with the
    scores as they are then. A tree that the oracle cannot follow gives none.

    With the dynamic oracle and an ``ExplorationPolicy`` this is algorithm 3 of Goldberg & Nivre 2013, with the static
    oracle and no exploration what Sartorio 2015, section 4.2.2, calls on-line learning.

    Args:
        oracle: says which transitions are gold, from their labels on.
        ranking: the system and the scorer. It takes the place of the policy's own model.
        policy: chooses the transition to go on with: gold ones only (``NeverExplore``), or also wrong ones, for which
            the oracle must answer everywhere.
        on_error: what to do after an update (Sartorio 2015, section 4.2.2): ``"go_on"`` as the policy chooses, which is
            "correct and go on" if it does not explore; ``"early"``, leave the sentence (early update); or
            ``"aggressive"``, update until the prediction is gold, at most a hundred times, then go on.
        bound: from which loss on training no longer explores: after configurations that have lost more heads than
            that, only gold transitions are taken (Sartorio 2015, section 5.3.1). It is a number, or a function that
            gives it for the length of a sentence.

    >>> from deptrees.transition import ArcHybrid, static_oracle
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    >>> training = LocalTraining(Oracle(ArcHybrid(), static_oracle), ranking)
    >>> for update in training(DependencyTree([(2, "Birds"), (0, "sing")])):
    ...     [(cfg, right)], [(_, wrong)] = update.positive, update.negative
    ...     print(cfg.stack, cfg.buffer, right, wrong)
    (0, 1) (2,) LeftArc() Shift()
    """

    oracle: Oracle
    ranking: Ranking
    policy: AnyPolicy = attrs.field(factory=NeverExplore)
    on_error: Literal["go_on", "early", "aggressive"] = attrs.field(
        default="go_on", kw_only=True, validator=attrs.validators.in_(("go_on", "early", "aggressive"))
    )
    bound: float | Callable[[int], float] | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.oracle.system != self.ranking.system:
            raise ValueError(f"the oracle is for {self.oracle.system}, and the ranking for {self.ranking.system}")

    def at(self, iteration: int) -> LocalTraining:
        """The strategy for a training iteration, counted from 1: with the policy for it."""
        return attrs.evolve(self, policy=self.policy.at(iteration)) if isinstance(self.policy, Policy) else self

    def __call__(self, tree: DependencyTree) -> Iterator[Update]:
        """The updates for a gold tree.

        Raises:
            IncompleteOracle: the policy chose a wrong transition, and the oracle does not know what follows.
        """
        for step in self.oracle(tree, self._policy(tree)).steps():
            gold = self.ranking.space.agreeing(step.gold)
            updates = self._updates(step, gold)
            if (update := next(updates, None)) is not None:
                yield update
                if self.on_error == "early":
                    return
                if self.on_error == "aggressive":
                    yield from updates
            if step.taken not in step.gold and step.taken not in gold:
                require_complete(self.oracle)

    def _updates(self, step: Step, gold: tuple[Transition, ...]) -> Iterator[Update]:
        """The updates in a configuration, until the prediction is gold."""
        predicted = step.predicted
        for _ in range(_ATTEMPTS):
            predicted = predicted or self.ranking(step.config)
            if predicted in gold:
                return
            target = self.ranking.best(step.config, gold)
            yield Update(positive=((step.config, target),), negative=((step.config, predicted),))
            predicted = None  # the learner has learnt

    def _policy(self, tree: DependencyTree) -> AnyPolicy:
        policy = attrs.evolve(self.policy, model=self.ranking) if isinstance(self.policy, Policy) else self.policy
        if self.bound is None:
            return policy
        bound = self.bound(len(tree)) if callable(self.bound) else self.bound

        def bounded(cfg: Any, possible: tuple[Transition, ...], gold: tuple[Transition, ...]) -> Transition:
            taken = policy(cfg, possible, gold)
            # The loss takes longer to find than all else, and matters only where there is something to forbid.
            return taken if taken in gold or loss(cfg, tree) <= bound else self.ranking.best(cfg, gold)

        return bounded
