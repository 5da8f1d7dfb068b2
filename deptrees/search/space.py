"""The columns of a table of scores and their transitions."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from itertools import chain
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.transition import ArcTransition, Transition
from deptrees.transition.labels import ANY_LABELS, LabelHeads

__all__ = ["Space", "label_of"]

_REMEMBERED = 1 << 12
"""Of how many sets of transitions the columns are remembered at a time."""

_NO_COLUMNS = np.empty(0, np.intp)


@attrs.frozen(eq=False)
class _Found:
    """What agrees with some transitions: transitions, and their columns in ascending order."""

    given: tuple[Transition, ...]
    agreeing: tuple[Transition, ...]
    columns: npt.NDArray[np.intp]


@attrs.frozen
class Space:
    """A transition space, with a column for each transition.

    In arc-swift, easy-first, LR-spines and the pointing systems, k has no upper bound, and the space only has
    transitions with k = 1. There, a table of scores has a block of columns, as wide as the space, for each possible k.

    Args:
        transitions: the transitions, as returned by ``system.transition_space(labels)``.
        label_heads: which labels arcs from ROOT can have, and which arcs from words.

    >>> from deptrees.transition import ArcSwift, LeftArc, Shift
    >>> space = Space(ArcSwift().transition_space(["nsubj", "obj"]))
    >>> [space.column(transition) for transition in (LeftArc("obj"), Shift(), LeftArc("obj", k=2))]
    [1, 4, 6]
    >>> space.transition(6), space.columns([LeftArc(k=2), Shift()])
    (LeftArc('obj', k=2), array([4, 5, 6]))
    """

    transitions: tuple[Transition, ...] = attrs.field(repr=reprlib.repr)
    label_heads: LabelHeads = ANY_LABELS

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

    def transition(self, column: int) -> Transition:
        """The transition that a column belongs to."""
        if 0 <= column < len(self.transitions):
            return self.transitions[column]
        block, first = divmod(column, len(self))
        if block not in self._in_blocks:
            self._in_blocks[block] = tuple([_with_k(transition, block + 1) for transition in self.transitions])
        return self._in_blocks[block][first]

    def columns(self, transitions: Transition | Iterable[Transition]) -> npt.NDArray[np.intp]:
        """The columns of all transitions that agree with any of the given ones, in ascending order."""
        given = (transitions,) if isinstance(transitions, Transition) else tuple(transitions)
        try:
            return np.array(sorted([self._columns[transition] for transition in given]), np.intp)
        except KeyError:  # one is not in the space, or has not been looked up before
            return self._found(given).columns

    def columns_in(self, cfg: Any, transitions: Iterable[Transition]) -> npt.NDArray[np.intp]:
        """The same for transitions that are possible in a configuration, without labels that their arcs cannot have.

        >>> from deptrees.transition import ArcHybrid, LeftArc, Shift
        >>> system, heads = ArcHybrid(root="last"), LabelHeads(of_root=("root",), of_words=("nsubj", "obj"))
        >>> space = Space(system.transition_space(["nsubj", "obj", "root"]), heads)
        >>> space.columns_in(Shift()(system.initial(["Sing"])), [LeftArc()])
        array([2])
        """
        given = tuple(transitions)
        asked = tuple([(each, cfg.head(each) == 0) for each in given if self._is_bare(each)])
        return self._without_barred(given, asked) if asked else self.columns(given)

    def _is_bare(self, transition: Transition) -> bool:
        """Whether a transition is to get a label that depends on its head."""
        return self._depends_on_head and isinstance(transition, ArcTransition) and len(self.agreeing(transition)) > 1

    @cached_property
    def _depends_on_head(self) -> bool:
        labels = {label for transition in self.transitions if (label := label_of(transition)) is not None}
        return not self.label_heads.allowed([*labels]).all()

    def _without_barred(
        self, given: tuple[Transition, ...], asked: tuple[tuple[Transition, bool], ...]
    ) -> npt.NDArray[np.intp]:
        """The columns of transitions, for some of which it is said whether they give a word ROOT as its head."""
        key = tuple(map(id, given)), tuple([from_root for _, from_root in asked])
        found = self._allowed_columns.get(key)
        if found is None:
            barred = [self._barred(bare, from_root) for bare, from_root in asked]
            allowed = np.setdiff1d(self.columns(given), np.concatenate(barred), assume_unique=True)
            if len(self._allowed_columns) == _REMEMBERED:
                self._allowed_columns.clear()
            # With the transitions, so that no others get their identities.
            found = self._allowed_columns[key] = given, allowed
        return found[1]

    def _barred(self, bare: Transition, from_root: bool) -> npt.NDArray[np.intp]:
        """The columns of the labels that an arc from ROOT, or from a word, cannot have."""
        columns = self.columns(bare)
        labels = [label_of(self.transition(column)) for column in columns.tolist()]
        barred: npt.NDArray[np.intp] = columns[~self.label_heads.allowed(labels)[int(from_root)]]
        return barred

    def blocks(self, transitions: Iterable[Transition]) -> int:
        """How many blocks of columns a table needs that has a score for all of these."""
        columns = self.columns(transitions)
        return int(columns[-1]) // len(self) + 1 if len(columns) else 1

    def agreeing(self, transitions: Transition | Iterable[Transition]) -> tuple[Transition, ...]:
        """The transitions of the space that agree with any of the given ones.

        One that has no label, or one that the space does not know, agrees with all labels. This is how the possible
        transitions of a configuration, which have no labels, become those that a parser chooses from.

        >>> from deptrees.transition import ArcHybrid, LeftArc, Shift
        >>> Space(ArcHybrid().transition_space(["nsubj", "obj"])).agreeing([LeftArc(), Shift()])
        (LeftArc('nsubj'), LeftArc('obj'), Shift())
        """
        return self._found((transitions,) if isinstance(transitions, Transition) else tuple(transitions)).agreeing

    def _found(self, given: tuple[Transition, ...]) -> _Found:
        """What agrees with some transitions."""
        # Systems give the same objects again and again, which are kept here: there is no need to hash them.
        identities = tuple(map(id, given))
        found = self._by_identities.get(identities)
        if found is None:
            agreements = [*map(self._agreement, given)]
            columns = np.sort(np.concatenate([_NO_COLUMNS, *[agreement.columns for agreement in agreements]]))
            columns.flags.writeable = False  # it may be given out again
            agreeing = chain.from_iterable([agreement.agreeing for agreement in agreements])
            found = _Found(given, tuple(agreeing), columns)
            if len(self._by_identities) == _REMEMBERED:  # mostly what was asked for just before is asked for
                self._by_identities.clear()
            self._by_identities[identities] = found
        return found

    def _agreement(self, transition: Transition) -> _Found:
        """What agrees with a transition."""
        found = self._agreements.get(transition)
        if found is None:
            k = _k(transition)
            same = self._kinds.get((type(transition), k)) or tuple(
                _with_k(sibling, k) for sibling in self._kinds.get((type(transition), 1), ())
            )
            if not same:
                raise ValueError(f"nothing in the transition space {self.transitions} agrees with {transition!r}")
            agreeing = (transition,) if transition in same else same
            columns = np.array([*map(self.column, agreeing)], np.intp)
            found = self._agreements[transition] = _Found((transition,), agreeing, columns)
        return found

    # What has been looked up is remembered: k and labels that are not in the space are made into transitions once.

    @cached_property
    def _in_blocks(self) -> dict[int, tuple[Transition, ...]]:
        return {0: self.transitions}

    @cached_property
    def _by_identities(self) -> dict[tuple[int, ...], _Found]:
        return {}

    @cached_property
    def _allowed_columns(self) -> dict[Hashable, tuple[tuple[Transition, ...], npt.NDArray[np.intp]]]:
        return {}

    @cached_property
    def _columns(self) -> dict[Transition, int]:
        return {transition: column for column, transition in enumerate(self.transitions)}

    @cached_property
    def _agreements(self) -> dict[Transition, _Found]:
        return {}

    @cached_property
    def _kinds(self) -> dict[tuple[type[Transition], int], tuple[Transition, ...]]:
        kinds: dict[tuple[type[Transition], int], tuple[Transition, ...]] = {}
        for transition in self.transitions:
            kind = type(transition), _k(transition)
            kinds[kind] = (*kinds.get(kind, ()), transition)
        return kinds


def label_of(transition: Transition) -> str | None:
    """The label of a transition, ``None`` if it has none.

    >>> from deptrees.transition import LeftArc, Shift
    >>> label_of(LeftArc("nsubj")), label_of(Shift())
    ('nsubj', None)
    """
    return transition.label if isinstance(transition, ArcTransition) else None


def _k(transition: Transition) -> int:
    return transition.k if isinstance(transition, ArcTransition) else 1


def _with_k(transition: Transition, k: int) -> Transition:
    if not isinstance(transition, ArcTransition):
        return transition
    kind: Callable[..., ArcTransition] = type(transition)
    return kind(*transition.params, k=k)
