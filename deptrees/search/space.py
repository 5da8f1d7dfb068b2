"""Which column of a table of scores belongs to which transition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import attrs

from deptrees.transition import ArcTransition, Transition

__all__ = ["Space"]


@attrs.frozen
class Space:
    """A transition space, with a column for each transition.

    In arc-swift, easy-first, LR-spines and the pointing systems k has no bound, and the space has transitions with
    k = 1 only. There a table of scores has one block of columns for each k: the first as wide as the space, for k = 1,
    the next for k = 2, and so on for as many k as are possible.

    Args:
        transitions: the transitions, as ``system.transition_space(labels)`` gives them.

    >>> from deptrees.transition import ArcSwift, LeftArc, Shift
    >>> space = Space(ArcSwift().transition_space(["nsubj", "obj"]))
    >>> [space.column(transition) for transition in (LeftArc("obj"), Shift(), LeftArc("obj", k=2))]
    [1, 4, 6]
    """

    transitions: tuple[Transition, ...]

    def __len__(self) -> int:
        return len(self.transitions)

    def column(self, transition: Transition) -> int:
        """The column of a transition.

        Raises:
            ValueError: the transition does not belong to the space.
        """
        column = self._columns.get(transition)
        if column is None:
            k, first = _k(transition), self._columns.get(_with_k(transition, 1))
            if k == 1 or first is None:
                raise ValueError(f"{transition!r} is not in the transition space {self.transitions}")
            column = self._columns[transition] = (k - 1) * len(self) + first
        return column

    def agreeing(self, transitions: Transition | Iterable[Transition]) -> tuple[Transition, ...]:
        """The transitions of the space that agree with any of the given ones.

        One that has no label, or one that the space does not know, agrees with all labels. This is how the possible
        transitions of a configuration, which have no labels, become those that a parser chooses from.

        >>> from deptrees.transition import ArcHybrid, LeftArc, Shift
        >>> Space(ArcHybrid().transition_space(["nsubj", "obj"])).agreeing([LeftArc(), Shift()])
        (LeftArc('nsubj'), LeftArc('obj'), Shift())
        """
        given = (transitions,) if isinstance(transitions, Transition) else transitions
        return tuple([found for transition in given for found in self._agreeing(transition)])

    def _agreeing(self, transition: Transition) -> tuple[Transition, ...]:
        found = self._agreements.get(transition)
        if found is None:
            k = _k(transition)
            same = self._kinds.get((type(transition), k)) or tuple(
                _with_k(sibling, k) for sibling in self._kinds.get((type(transition), 1), ())
            )
            if not same:
                raise ValueError(f"nothing in the transition space {self.transitions} agrees with {transition!r}")
            found = self._agreements[transition] = (transition,) if transition in same else same
        return found

    # What has been looked up is remembered: k and labels that are not in the space are made into transitions once.

    @cached_property
    def _columns(self) -> dict[Transition, int]:
        return {transition: column for column, transition in enumerate(self.transitions)}

    @cached_property
    def _agreements(self) -> dict[Transition, tuple[Transition, ...]]:
        return {}

    @cached_property
    def _kinds(self) -> dict[tuple[type[Transition], int], tuple[Transition, ...]]:
        kinds: dict[tuple[type[Transition], int], tuple[Transition, ...]] = {}
        for transition in self.transitions:
            kind = type(transition), _k(transition)
            kinds[kind] = (*kinds.get(kind, ()), transition)
        return kinds


def _k(transition: Transition) -> int:
    return transition.k if isinstance(transition, ArcTransition) else 1


def _with_k(transition: Transition, k: int) -> Transition:
    if not isinstance(transition, ArcTransition):
        return transition
    kind: Callable[..., Any] = type(transition)
    return kind(*transition.params, k=k)  # type: ignore[no-any-return]
