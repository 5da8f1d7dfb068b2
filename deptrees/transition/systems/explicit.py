"""What transition systems that are no tables have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import attrs

from deptrees.messages import of_type
from deptrees.transition.configuration import Configuration, SentenceConfiguration, labeled, last_possible
from deptrees.transition.labels import Label
from deptrees.transition.losses.loss import Loss, oracles_from
from deptrees.transition.oracles import Oracles
from deptrees.transition.system import C, System
from deptrees.transition.transitions import ArcTransition, IllegalTransition, Transition
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "AnyKSystem",
    "ExplicitConfiguration",
    "ExplicitSystem",
    "Latest",
    "ReadingConfiguration",
    "StepwiseConfiguration",
]


@attrs.frozen(repr=False)
class ExplicitSystem(System[C]):
    """A transition system that is a class of configurations rather than a table.

    A subclass states the transitions, the initial configuration and the loss; all else follows.
    """

    transitions: ClassVar[tuple[Transition, ...]]
    """The transitions, without labels; with k = 1 where nothing but the length of the sentence bounds k."""
    prefers_shift: ClassVar[bool] = False
    """Whether the static oracle prefers Shift to another transition that adds no arc and is just as good."""
    loss: ClassVar[type[Loss]]
    """The class of the exact loss against any gold tree."""

    def obstacle(self, tree: Any) -> str | None:
        of_type("tree", tree, DependencyTree, "a gold tree")
        return super().obstacle(tree)

    def preferred(self, cfg: Any, tree: Any) -> Transition | None:
        """The next transition of the tree's canonical derivation; by default the first of those that cost nothing."""
        return next(iter(self.loss().free(cfg, tree)), None)

    @cached_property
    def oracles(self) -> Oracles:
        """The oracles that follow from the loss and the canonical derivation."""
        shifting = self._static if self.prefers_shift else None
        return attrs.evolve(oracles_from(self.loss()), static=self._static, static_prefer_shift=shifting)

    def _static(self, cfg: StepwiseConfiguration, tree: object, label: Label) -> Transition:
        transition = self.preferred(cfg, tree)
        if transition is None or not cfg.is_possible(transition):
            return last_possible(cfg, tree, label)
        return labeled(transition, cfg, tree, label)

    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        """All transitions: those that add an arc once for each label, or bare if there are none.

        >>> from deptrees.transition import LRSpines
        >>> LRSpines().transition_space(["nsubj", "obj"])
        (LeftArc('nsubj'), LeftArc('obj'), RightArc('nsubj'), RightArc('obj'), Shift())
        """
        space: list[Transition] = []
        for transition in self.transitions:
            if labels and isinstance(transition, ArcTransition) and self.adds_arc(transition):
                space += [type(transition)(label, k=transition.k) for label in labels]
            else:
                space.append(transition)
        return tuple(space)

    def adds_arc(self, transition: ArcTransition) -> bool:
        """Whether a transition that may carry a label adds an arc in this system."""
        return True


@attrs.frozen(repr=False)
class AnyKSystem(ExplicitSystem[C]):
    """A system in which nothing but the length of the sentence bounds k, and ROOT can have a single dependent."""

    can_have_single_root = True

    single_root: bool = attrs.field(default=False, kw_only=True)

    @property
    def has_any_k(self) -> bool:
        return True


Latest: TypeAlias = "tuple[Transition, Latest | None]"
"""The last transition and those before it, linked: the configurations that they were taken in need not stay."""


class StepwiseConfiguration(SentenceConfiguration):
    """A configuration of an `ExplicitSystem`.

    A subclass states what is missing for a transition, and what comes after one.
    """

    __slots__ = ()

    _latest: Latest | None

    @abstractmethod
    def missing(self, transition: Transition) -> str | None:
        """The first precondition of a transition that does not hold; ``None`` if it is possible."""

    @abstractmethod
    def _after(self, transition: Transition) -> Self:
        """The configuration after a possible transition."""

    @abstractmethod
    def arc(self, transition: ArcTransition) -> tuple[int, int]:
        """The head and the dependent that a possible transition joins."""

    def added(self, transition: Transition) -> tuple[int, int] | None:
        if isinstance(transition, ArcTransition) and self.system.adds_arc(transition):
            return self.arc(transition)
        return None

    def dependent(self, transition: Transition) -> int | None:
        """The word that a possible transition would attach, ``None`` if it attaches none."""
        arc = self.added(transition)
        return None if arc is None else arc[1]

    def possible_transitions(self) -> tuple[Transition, ...]:
        return tuple([transition for transition in self.system.transitions if self.missing(transition) is None])

    def take(self, transition: Transition) -> Self:
        if (missing := self.missing(transition)) is not None:
            raise IllegalTransition.lacking(missing, transition, self)
        after = self._after(transition)
        object.__setattr__(after, "_latest", (transition, self._latest))  # nobody has seen it yet
        return after

    def latest_transitions(self) -> Iterator[Transition]:
        latest = self._latest
        while latest is not None:
            transition, latest = latest
            yield transition

    def is_possible(self, transition: Transition) -> bool:
        return self.missing(transition) is None


@attrs.frozen(repr=False)
class ExplicitConfiguration(StepwiseConfiguration, Configuration):
    """A configuration with heads and labels for all words, and what its system has beside."""

    system: Any = attrs.field(hash=False)
    source: DependencyTree = attrs.field(eq=attrgetter("words"), hash=False)
    heads: tuple[int | None, ...]
    labels: tuple[str | None, ...]
    _latest: Latest | None = attrs.field(default=None, init=False, eq=False)

    def _attached(self, transition: ArcTransition) -> tuple[tuple[int | None, ...], tuple[str | None, ...]]:
        """The heads and the labels after a transition that adds an arc."""
        head, word = self.arc(transition)
        heads = (*self.heads[: word - 1], head, *self.heads[word:])
        return heads, (*self.labels[: word - 1], transition.label, *self.labels[word:])


class ReadingConfiguration(ExplicitConfiguration):
    """One whose buffer has the words that have not been read, in their order, and nothing else."""

    __slots__ = ()

    front: int

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return tuple(range(self.front, len(self.heads) + 1))
