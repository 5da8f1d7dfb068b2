"""Local training: each configuration is an example of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from deptrees.messages import quoted
from deptrees.search.ranking import BaseRanking
from deptrees.training.gold_columns import GoldColumns, gold_columns
from deptrees.training.inputs import ON_ERROR
from deptrees.training.updates import Update, require_complete
from deptrees.transition import NeverExplore, Oracle, Policy, Transition, UnparsableTree, loss
from deptrees.transition.configuration import BaseConfiguration
from deptrees.transition.sequence import AnyPolicy

__all__ = ["LocalTraining"]

_ATTEMPTS = 100
"""How often aggressive training updates in the same configuration: a learner may be unable to learn it."""


@attrs.frozen
class LocalTraining:
    """Compare the transition that a scorer prefers with the gold ones, configuration by configuration.

    This is algorithm 3 of Goldberg & Nivre 2013. Called on a gold tree, it yields updates: where the prediction is not
    gold, the gold transition with the highest score is the positive and the prediction the negative. Then it continues
    with one of the two: with the prediction if the policy explores, otherwise with the gold transition. A prediction
    that is gold is followed. A tree that the oracle cannot follow yields no updates.

    Updates are made lazily, each with the scores at that time.

    Args:
        oracle: says which transitions are gold, including their labels.
        ranking: the system and the scorer, which replaces the policy's own model.
        policy: chooses the transition to continue with: gold ones only (``NeverExplore``), or also wrong ones, which
            need an oracle that is defined everywhere. It gets the gold transition with the highest score, and all
            possible transitions of the ranking; a plain function, which sees no prediction, gets them best first.
        on_error: what to do after an update (Sartorio 2015, section 4.2.2): ``"go_on"`` continues with the transition
            that the policy chooses ("correct and go on" if it does not explore); ``"early"`` leaves the sentence (early
            update); ``"aggressive"`` stays in the configuration, at most a hundred times, until the prediction is gold
            or the policy explores. The last is how Goldberg & Nivre 2013 train easy-first: their NEXT(c, t) is c.
        bound: the loss from which on training no longer explores: in configurations that have lost more heads, it takes
            only gold transitions (Sartorio 2015, section 5.3.1). A number, or a function that returns it for the length
            of a sentence.

    >>> from deptrees import DependencyTree
    >>> from deptrees.search import Ranking
    >>> from deptrees.transition import ArcHybrid, static_oracle
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    >>> training = LocalTraining(Oracle(ArcHybrid(), static_oracle), ranking)
    >>> for update in training(DependencyTree([(2, "Birds"), (0, "sing")])):
    ...     [(cfg, right)], [(_, wrong)] = update.positive, update.negative
    ...     print(cfg.stack, cfg.buffer, right, wrong)
    (0, 1) (2,) LeftArc() Shift()
    """

    oracle: Oracle
    ranking: BaseRanking
    policy: AnyPolicy = attrs.field(factory=NeverExplore)
    on_error: str = attrs.field(default="go_on", kw_only=True, validator=attrs.validators.in_(ON_ERROR))
    bound: float | Callable[[int], float] | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.oracle.system != self.ranking.system:
            raise ValueError(f"the oracle is for {self.oracle.system}, and the ranking for {self.ranking.system}")

    def at(self, iteration: int) -> LocalTraining:
        """The strategy for a training iteration, counted from 1, with its policy."""
        return attrs.evolve(self, policy=self.policy.at(iteration)) if isinstance(self.policy, Policy) else self

    def __call__(self, tree: object) -> Iterator[Update]:
        """The updates for a gold tree.

        Raises:
            IncompleteOracle: the policy chose a wrong transition, and the oracle does not know what follows.
            WrongDerivation: the oracle leads to another tree than the gold tree.
            LossNotFound: the oracle would take too long to find an answer. Learning can go on with the next sentence.
            ValueError: the oracle names no possible transition.
        """
        if isinstance(derivation := self.oracle(tree), UnparsableTree):
            return
        policy = attrs.evolve(self.policy, model=self.ranking) if isinstance(self.policy, Policy) else self.policy
        space, cfg = self.ranking.space, self.oracle.system.initial(tree)
        gold = None if cfg.is_final else gold_columns(self.oracle, space, cfg, tree)
        while gold is not None:
            possible = cfg.possible_transitions()
            for _ in range(_ATTEMPTS if self.on_error == "aggressive" else 1):
                predicted, target = self._best(cfg, possible, gold)
                taken = self._next(policy, cfg, tree, possible, predicted, target)
                if target == predicted:
                    break
                yield Update(positive=((cfg, target),), negative=((cfg, predicted),))
                if self.on_error == "early":
                    return
                if space.column(taken) not in gold:
                    break
            column, cfg = space.column(taken), taken(cfg)
            if column not in gold:
                require_complete(self.oracle)
            gold = None if cfg.is_final else gold.after(column, cfg)
        derivation.check_end(cfg)

    def _best(
        self, cfg: BaseConfiguration, possible: tuple[Transition, ...], gold: GoldColumns
    ) -> tuple[Transition, Transition]:
        """The transition with the highest score of all, and that of those in gold columns."""
        [(columns, scores)] = self.ranking.scores([cfg], lambda _: possible)
        best = gold.best(columns, scores)
        if best is None:
            raise ValueError(f"the oracle names no transition that is possible in {quoted(cfg)}")
        return self.ranking.space.transition(int(columns[scores.argmax()])), self.ranking.space.transition(best)

    def _next(
        self,
        policy: AnyPolicy,
        cfg: BaseConfiguration,
        tree: Any,
        possible: tuple[Transition, ...],
        predicted: Transition,
        target: Transition,
    ) -> Transition:
        """The transition that the policy goes on with, or the gold one if too much is lost already."""
        if isinstance(policy, Policy):
            taken = policy.choose(cfg, self.ranking.space.agreeing(possible), (target,), predicted)
        else:
            taken = policy(cfg, tuple([transition for transition, _ in self.ranking.ranked(cfg)]), (target,))
        if taken == target or self.bound is None:
            return taken
        bound = self.bound(len(tree)) if callable(self.bound) else self.bound
        # The loss takes longer to find than all else, and matters only where there is something to forbid.
        return taken if loss(cfg, tree) <= bound else target
