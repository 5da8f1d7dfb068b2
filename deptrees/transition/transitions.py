"""Transitions: values that are also functions from a configuration to the next."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from deptrees.messages import quoted

if TYPE_CHECKING:
    from deptrees.transition.configuration import BaseConfiguration

    AnyConfiguration = TypeVar("AnyConfiguration", bound=BaseConfiguration)

__all__ = [
    "AddNode",
    "ArcTransition",
    "Attach",
    "Break",
    "Clear",
    "Edit",
    "IllegalTransition",
    "Insert",
    "InsertRoot",
    "LeftArc",
    "LeftBufferArc",
    "LeftComp",
    "LeftPassingArc",
    "LeftPred",
    "NoArc",
    "Reduce",
    "RightArc",
    "RightBufferArc",
    "RightComp",
    "RightCompRoot",
    "RightPassingArc",
    "RightPred",
    "Shift",
    "ShiftTag",
    "Store",
    "Swap",
    "Transition",
    "Unshift",
    "name_wrong_type",
]


class IllegalTransition(ValueError):
    """A transition was applied to a configuration in which it is not possible; the message names the precondition."""

    missing: str | None = None
    """The first of its preconditions that does not hold, if that is the reason."""

    @classmethod
    def lacking(cls, missing: object, transition: Transition, cfg: BaseConfiguration) -> IllegalTransition:
        """The error for a precondition that does not hold."""
        error = cls(f"{transition!r} requires that {missing}, in {quoted(cfg)}")
        error.missing = str(missing)
        return error


@attrs.frozen
class Transition:
    """What a parser can do in one step: a value, and a function from a configuration to the next.

    The system of the configuration decides what a transition does and when it is possible.

    >>> from deptrees.transition import ArcEager
    >>> cfg = ArcEager().initial(["Birds", "sing"])
    >>> Shift()(cfg)
    ArcEager(root='first'): σ = (0, 1), β = (2,), A = ()
    >>> LeftArc().is_possible(cfg)
    False
    >>> LeftArc()(cfg)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    deptrees.transition.transitions.IllegalTransition: LeftArc() requires that s0 ≠ 0, in ArcEager(root='first'): ...
    """

    def __call__(self, cfg: AnyConfiguration) -> AnyConfiguration:
        """The configuration that the transition leads to.

        Raises:
            IllegalTransition: the transition is not possible in this configuration.
            TypeError: it is no configuration.
        """
        try:
            return cfg.take(self)
        except AttributeError:
            name_wrong_type(cfg)
            raise

    def is_possible(self, cfg: BaseConfiguration) -> bool:
        """Whether the transition is possible in this configuration.

        Raises:
            TypeError: it is no configuration.
        """
        try:
            return cfg.is_possible(self)
        except (AttributeError, RecursionError):
            name_wrong_type(cfg)
            raise


class Shift(Transition):
    """Move the front of the buffer to the stack."""


class Swap(Transition):
    """Move a word from the stack back to the buffer, so that two words change places."""


class Unshift(Transition):
    """Move the top of the stack, which has no head, back to the buffer."""


class Switch(Transition):
    """Make the other stack the active one, in systems that have two."""


class Break(Transition):
    """Begin a sentence with the word after the front of the buffer."""


class Edit(Transition):
    """Take the top of the stack out of the sentence, as it is disfluent, and undo what has been built with it."""


class Store(Transition):
    """Move the front of the buffer to a register."""


class Clear(Transition):
    """Empty the registers: words that may get more arcs go back to where the others are."""


class AddNode(Transition):
    """Make an empty node behind the front of the buffer."""


class NoArc(Transition):
    """Pass over a pair of words without an arc between them."""


@attrs.frozen(init=False, repr=False)
class ArcTransition(Transition):
    """A transition that can add an arc.

    Args:
        params: the parameters of the arc, as returned by an oracle's ``label`` function: nothing, or the arc's label,
            perhaps followed by something else.
        k: which of several possible heads or dependents takes part, in systems in which there is a choice.

    >>> LeftArc("nsubj"), LeftArc("nsubj").label, LeftArc(), LeftArc("nsubj", k=2)
    (LeftArc('nsubj'), 'nsubj', LeftArc(), LeftArc('nsubj', k=2))
    """

    params: tuple[Hashable, ...]
    k: int

    def __init__(self, *params: Hashable, k: int = 1) -> None:
        if params and type(params[0]) is not str and hasattr(params[0], "possible_transitions"):
            name = type(self).__name__
            raise TypeError(f"params are those of an arc, such as its label, not a configuration: apply {name}()(cfg)")
        self.__attrs_init__(params, k)

    def __hash__(self) -> int:
        return hash((type(self), self.params, self.k))  # with the type, so that LeftArc(k=2) and RightArc(k=2) differ

    @property
    def label(self) -> Any:
        """The label of the arc, ``None`` if it has none."""
        return self.params[0] if self.params else None

    def __repr__(self) -> str:
        arguments = [*map(repr, self.params), *([f"k={self.k}"] if self.k != 1 else [])]
        return f"{type(self).__name__}({', '.join(arguments)})"


class LeftArc(ArcTransition):
    """Add an arc whose head is to the right of its dependent."""


class RightArc(ArcTransition):
    """Add an arc whose head is to the left of its dependent."""


class LeftBufferArc(ArcTransition):
    """Attach the front of the buffer to the next element, and take it out of the buffer."""


class RightBufferArc(ArcTransition):
    """Attach the element after the front of the buffer to the front, and take it out of the buffer."""


class LeftPassingArc(ArcTransition):
    """Attach the top of the stack to the element after the front of the buffer, and take it off the stack."""


class RightPassingArc(ArcTransition):
    """Attach the element after the front of the buffer to the top of the stack, and take it out of the buffer."""


class Attach(ArcTransition):
    """Add an arc between the current word and the one that k says, on either side."""


class Reduce(ArcTransition):
    """Take the top off the stack; in some systems this adds an arc."""


class ShiftTag(ArcTransition):
    """Move the front of the buffer to the stack; the label is its tag."""


class Insert(ArcTransition):
    """Put the front of the buffer in the place of a word that was predicted."""


class InsertRoot(Transition):
    """Put the front of the buffer in the place of a tree's root that was predicted."""


class LeftPred(ArcTransition):
    """Predict a word to the right that is the head of a tree."""


class RightPred(Transition):
    """Predict a word to the right that is a dependent of a tree's root."""


class LeftComp(ArcTransition):
    """Make a tree a dependent of a word that was predicted."""


class RightComp(ArcTransition):
    """Put a tree's root in the place of a word that was predicted, and predict a dependent of it."""


class RightCompRoot(Transition):
    """Put a tree's root in the place of another's that was predicted, and predict a dependent of it."""


def name_wrong_type(cfg: object) -> None:
    """After an error, raise a ``TypeError`` that names what is no configuration.

    Types are looked at only then, so that it costs nothing to take a step a million times.

    >>> name_wrong_type("Sing")
    Traceback (most recent call last):
    TypeError: cfg is a configuration, not 'Sing'
    """
    if isinstance(cfg, type) or not hasattr(cfg, "possible_transitions"):
        raise TypeError(f"cfg is a configuration, not {quoted(cfg)}")
