"""Oracles as iterators: a tree goes in, configurations and gold transitions come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, NoReturn

import attrs

from deptrees.drawing.html import scrolling
from deptrees.messages import listed, of_type, quoted, written
from deptrees.printable import escaped
from deptrees.transition.configuration import BaseConfiguration, Configuration, SentenceConfiguration, labeled
from deptrees.transition.exhaustive import exhaustive_oracle
from deptrees.transition.hamming import is_of_hamming_loss
from deptrees.transition.labels import Label, untyped
from deptrees.transition.notation import derivation_table
from deptrees.transition.oracles import (
    INCOMPLETE,
    Gold,
    NamedOracle,
    OracleReturning,
    approximate_dynamic_oracle,
    as_oracle_function,
    dynamic_oracle,
    missing_oracle,
    static_oracle,
)
from deptrees.transition.policies import NeverExplore, Policy
from deptrees.transition.system import C, System
from deptrees.transition.systems.registry import as_system
from deptrees.transition.transitions import Transition
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import DependencyTree, TreeOrGraph

__all__ = ["Oracle", "OracleSequence", "Step", "UnparsableTree", "WrongDerivation"]

AnyPolicy = Callable[[Any, tuple[Transition, ...], tuple[Transition, ...]], Transition]
"""A policy: one of the library's own, or any function from (cfg, possible, gold) to a transition."""


class WrongDerivation(ValueError):
    """An oracle's gold transitions lead to a tree other than the gold tree; the message says which arcs differ.

    The system's table is wrong, or the system cannot build this tree and does not say so.
    """

    @classmethod
    def of(cls, oracle: Oracle, tree: TreeOrGraph, heads: Sequence[object]) -> WrongDerivation:
        """The error for an oracle whose gold transitions have led to other heads than those of the gold tree.

        >>> from deptrees.transition import ArcHybrid
        >>> tree = DependencyTree([(2, "Birds"), (0, "sing")])
        >>> str(WrongDerivation.of(Oracle(ArcHybrid(), static_oracle), tree, [0, 0])).split(":")[1].split(";")[0]
        ' word 1 has the head 0, not 2'
        """
        system, gold = oracle.system, oracle.system.gold_heads(tree)
        wrong = system.wrong_words(heads, tree)
        arcs = listed(f"word {word} has the head {heads[word - 1]}, not {gold[word - 1]}" for word in wrong)
        goal = f"the gold tree of {quoted(' '.join(token.form for token in tree))}"
        remedy = "or it cannot build this tree, and projective_only or obstacle(tree) must say so"
        fault = f"{arcs}; either a row of the system is wrong, {remedy}"
        return cls(f"{written(oracle.function)} of {system} does not lead to {goal}: {fault}")


@attrs.frozen
class Step(Generic[C]):
    """One step of a derivation.

    Args:
        config: the configuration, of the system's own kind.
        possible: the possible transitions, each with the gold label of the word that it would attach.
        gold: the gold transitions.
        predicted: what the policy's model predicted, ``None`` if it has no model.
        taken: the transition that leads to the next step.
    """

    config: C
    possible: tuple[Transition, ...]
    gold: tuple[Transition, ...]
    predicted: Transition | None
    taken: Transition


@attrs.frozen
class Oracle(Generic[C, Gold]):
    """A transition system with an oracle function: called on trees, it gives their derivations.

    Args:
        system: the transition system, or its class or name.
        function: returns the gold transition or a tuple of them for a configuration, a tree and ``label``, such as
            ``static_oracle`` or ``dynamic_oracle``; or the name of one of the library's, such as ``"dynamic"``.
        label: returns the parameters of an arc's transition for the gold token of its dependent: ``typed`` returns its
            label, ``untyped`` nothing, and your own function any tuple.

    Raises:
        OracleNotDefined: the system does not have this oracle.

    >>> from deptrees.transition import ArcEager, Oracle, static_oracle, typed
    >>> oracle = Oracle(ArcEager(), static_oracle, label=typed)
    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> for cfg, transition in oracle(tree):
    ...     print(cfg.stack, cfg.buffer, transition)
    (0,) (1, 2) Shift()
    (0, 1) (2,) LeftArc('nsubj')
    (0,) (2,) RightArc('root')
    """

    system: System[C] = attrs.field(converter=as_system)
    function: OracleReturning[Gold] = attrs.field(converter=as_oracle_function, repr=written)
    label: Label = attrs.field(default=untyped, repr=written)

    def __attrs_post_init__(self) -> None:
        if isinstance(self.function, NamedOracle) and self.function.name not in self.system.oracles.names:
            raise missing_oracle(self.function.name, self.system)

    @property
    def takes_any_tree(self) -> bool:
        """Whether it answers for gold trees that the system cannot build, too."""
        if self.function is dynamic_oracle:
            return self.system.oracles.take_any_tree
        return is_of_hamming_loss(self.function) or self.function in (exhaustive_oracle, approximate_dynamic_oracle)

    def __call__(self, tree: Any, policy: AnyPolicy | None = None) -> OracleSequence[C, Gold] | UnparsableTree:
        """The derivation of a tree, or, if the system cannot build the tree, an ``UnparsableTree``.

        A system that builds something other than trees, such as graphs, is given that in place of the tree.

        If the system cannot build the gold tree, a dynamic oracle leads to the best tree that it can build. A policy
        chooses the transition to continue with; by default it is ``NeverExplore()``.
        """
        if self.system.builds_graphs:
            of_type("tree", tree, DependencyGraph, "a gold graph, such as tree.graph")
        elif not isinstance(tree, DependencyTree):
            self._check_that_it_builds_no_trees(tree)
        if not self.takes_any_tree and (obstacle := self.system.obstacle(tree)) is not None:
            return UnparsableTree(tree, obstacle)
        return OracleSequence(self, tree, policy)

    def _check_that_it_builds_no_trees(self, gold: object) -> None:
        """Raise a ``TypeError`` if the gold structure of the system is a tree, and this is none."""
        try:
            builds_trees = isinstance(self.system.initial(gold), Configuration)
        except TypeError:
            builds_trees = True
        if builds_trees:
            raise TypeError(f"tree is one gold tree, not {quoted(gold)}")


@attrs.frozen
class OracleSequence(Generic[C, Gold]):
    """The configurations of a derivation, each with its gold transitions, made on each iteration.

    If all transitions were gold ones of a static or non-deterministic oracle, a derivation that does not end in the
    gold tree raises ``WrongDerivation`` at its end.

    Args:
        policy: chooses the transition to continue with. By default it is a new ``NeverExplore()`` in every iteration,
            so that all are the same; a given policy continues to draw random numbers where it was.
    """

    oracle: Oracle[C, Gold]
    tree: Any
    policy: AnyPolicy | None = attrs.field(default=None, repr=written)
    error: ClassVar[None] = None
    """Nothing: see `UnparsableTree`."""

    def __iter__(self) -> Iterator[tuple[C, Gold]]:
        """Pairs of a configuration and what the oracle function says of it: a transition, or a tuple of them."""
        cfg = self.oracle.system.initial(self.tree)
        derive = cfg.oracles.derive if self.oracle.function is static_oracle else None
        if derive is not None and self.policy is None and self.tree.is_annotated:
            return iter(derive(cfg, self.tree, self.oracle.label, self._compare))
        return self._one_by_one(cfg)

    def _one_by_one(self, cfg: Any) -> Iterator[tuple[C, Gold]]:
        find, tree, label = self._function(cfg), self.tree, self.oracle.label
        policy = self.policy or NeverExplore()
        # The policy that nearly everybody uses wants to know neither what is possible nor what a model says.
        simple = isinstance(policy, NeverExplore) and policy.model is None
        all_gold = True
        while not cfg.is_final:
            gold = find(cfg, tree, label)
            yield cfg, gold
            if not simple:
                step = self._step(cfg, gold, policy)
                taken, all_gold = step.taken, all_gold and step.taken in step.gold
            elif isinstance(gold, tuple):
                taken = policy(cfg, gold, gold)
            else:
                taken = gold
            cfg = cfg.take(taken)
        if all_gold:
            self.check_end(cfg)

    def steps(self) -> Iterator[Step[C]]:
        """The derivation as records that also have the possible, the predicted and the taken transitions.

        >>> from deptrees.transition import ArcHybrid, Oracle, dynamic_oracle
        >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
        >>> for step in Oracle(ArcHybrid(), dynamic_oracle)(tree).steps():
        ...     print(step.possible, step.gold, step.taken)
        (Shift(),) (Shift(),) Shift()
        (LeftArc(), RightArc(), Shift()) (Shift(),) Shift()
        (RightArc(),) (RightArc(),) RightArc()
        (RightArc(),) (RightArc(),) RightArc()
        """
        cfg, policy, all_gold = self.oracle.system.initial(self.tree), self.policy or NeverExplore(), True
        find = self._function(cfg)
        while not cfg.is_final:
            step = self._step(cfg, find(cfg, self.tree, self.oracle.label), policy)
            yield step
            cfg, all_gold = step.taken(cfg), all_gold and step.taken in step.gold
        if all_gold:
            self.check_end(cfg)

    def _repr_html_(self) -> str | None:
        """What notebooks show: the gold tree and the derivation, if it is one of a tree."""
        if not isinstance(self.tree, DependencyTree):
            return None
        table = derivation_table(self, arcs=True)
        return self.tree._repr_html_() + scrolling(table.html(), "derivation")

    def check_end(self, cfg: BaseConfiguration) -> None:
        """Make sure that gold transitions have led to the gold tree or graph, if the system builds one.

        Raises:
            WrongDerivation: they have not, though the oracle is one that leads there.
        """
        if self.oracle.function in INCOMPLETE and isinstance(cfg, SentenceConfiguration):
            self._compare(cfg)

    def _compare(self, cfg: SentenceConfiguration) -> None:
        heads = cfg.heads
        if heads != self.tree.heads and self.oracle.system.wrong_words(heads, self.tree):  # most are the same
            raise WrongDerivation.of(self.oracle, self.tree, heads)

    def _function(self, cfg: BaseConfiguration) -> OracleReturning[Gold]:
        """The oracle function; the system's own if it has a name, which saves looking for it in each step."""
        function = self.oracle.function
        return getattr(cfg.oracles, function.name) if isinstance(function, NamedOracle) else partial(_asked, function)

    def _step(self, cfg: Any, gold: Transition | tuple[Transition, ...], policy: AnyPolicy) -> Step[C]:
        label = self.oracle.label
        possible = tuple([labeled(transition, cfg, self.tree, label) for transition in cfg.possible_transitions()])
        seen = cfg, possible, gold if isinstance(gold, tuple) else (gold,)
        if not isinstance(policy, Policy):
            return Step(*seen, None, policy(*seen))
        predicted = policy.predict(*seen)
        return Step(*seen, predicted, policy.choose(*seen, predicted))


def _asked(function: OracleReturning[Gold], cfg: BaseConfiguration, tree: Any, label: Label) -> Gold:
    """What an oracle function says, which may be anybody's."""
    gold = function(cfg, tree, label)
    for each in gold if isinstance(gold, tuple) else (gold,):
        of_type("function", each, Transition, "one that returns a transition, such as Shift(), or a tuple of them")
    return gold


@attrs.frozen
class UnparsableTree:
    """A tree that an oracle cannot follow, and why: falsy and empty, in place of an ``OracleSequence``.

    >>> from deptrees.transition import ArcEager, Oracle, static_oracle
    >>> crossing = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about")])
    >>> unparsable = Oracle(ArcEager(), static_oracle)(crossing)
    >>> bool(unparsable), list(unparsable), unparsable.error
    (False, [], "ArcEager(root='first') builds projective trees only, and the tree is not projective")
    """

    tree: DependencyTree
    error: str

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return f"{self.tree._repr_html_()}<p>{escaped(self.error)}</p>"

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[NoReturn]:
        return iter(())

    def steps(self) -> Iterator[NoReturn]:
        """No steps."""
        return iter(())
