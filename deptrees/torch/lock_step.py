"""Derivations of many sentences that go forward together, so that a model is asked once for a step of all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt

from deptrees.engine.alternatives import tell_margins
from deptrees.features import NOTHING, ROOT_VALUE, Node, Value, View
from deptrees.search.space import Space
from deptrees.transition import Configuration, System, Transition, typed
from deptrees.transition.configuration import OracleFunction
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.treebanks.columns import MISSING
from deptrees.trees.tree import DependencyTree

__all__ = ["LockStep", "Outlook", "word_numbers"]

_Integers = npt.NDArray[np.int64]
_Booleans = npt.NDArray[np.bool_]


@attrs.frozen(eq=False)
class Outlook:
    """What a network sees of configurations, and between what it chooses.

    Args:
        system: the transition system.
        places: the words that it looks at.
        labels: the labels that transitions have; none if they have none.
        labeled: at how many of the places, the last ones, it looks at the word's label, too.

    >>> from deptrees.transition import ArcHybrid, LeftArc, Shift
    >>> outlook = Outlook(ArcHybrid(), [Node.read("b0")], ["nsubj", "obj"])
    >>> outlook.mask((LeftArc(), Shift())).tolist()
    [True, True, False, False, True]
    """

    system: System
    places: Sequence[Node]
    labels: Sequence[str] = ()
    labeled: int = 0
    _masks: dict[tuple[Transition, ...], _Booleans] = attrs.field(factory=dict, init=False, repr=False)

    @cached_property
    def space(self) -> Space:
        """The transitions."""
        return Space(self.system.transition_space(self.labels))

    def mask(self, transitions: tuple[Transition, ...]) -> _Booleans:
        """For each transition of the space whether it agrees with any of the given ones."""
        if transitions not in self._masks:
            mask = np.zeros(len(self.space), np.bool_)
            mask[[self.space.column(transition) for transition in self.space.agreeing(transitions)]] = True
            self._masks[transitions] = mask
        return self._masks[transitions]

    @cached_property
    def label_numbers(self) -> dict[Value, int]:
        """The numbers of what may be found where labels are looked at; 0 is for no word."""
        values = dict.fromkeys([NOTHING, MISSING, ROOT_VALUE, *self.labels])
        return {value: number for number, value in enumerate(values)}

    def look(self, cfg: Configuration) -> tuple[list[int], list[int]]:
        """The positions of the words looked at, and the numbers of the labels."""
        view = View(cfg)
        positions = [view.position(node) for node in self.places]
        labeled = positions[len(positions) - self.labeled :]
        return positions, [self.label_numbers[view.attribute(position, "deprel")] for position in labeled]


def word_numbers(positions: _Integers, places: _Integers, sentences: int) -> _Integers:
    """The numbers of words in a batch, from 1, as `PlaceScorer` counts them; 0 for no word.

    Args:
        positions: the positions of the words in their sentences, less than 0 for no word.
        places: the places of the sentences in the batch.
        sentences: the number of sentences.

    >>> word_numbers(np.array([0, 2, -1]), np.array([0, 1, 1]), 2).tolist()
    [1, 6, 0]
    """
    return np.where(positions < 0, 0, 1 + positions * sentences + places)


class LockStep:
    """The configurations of some sentences. They are asked for, and go on, as long as they are not final.

    Args:
        outlook: what is seen of them.
        sentences: the sentences.
        constraints: what is known of each, if anything is.

    >>> from deptrees.transition import ArcHybrid, Shift, dynamic_oracle
    >>> trees = [DependencyTree([(2, "Birds"), (0, "sing")]), DependencyTree([(0, "Sing")])]
    >>> state = LockStep(Outlook(ArcHybrid(), [Node.read("s0"), Node.read("b0")]), trees)
    >>> while state:
    ...     gold = state.gold(dynamic_oracle)
    ...     state.numbers().tolist(), len(gold)
    ...     state.take(gold.argmax(1))
    ([[1, 3], [2, 4]], 2)
    ([[3, 5], [4, 0]], 2)
    ([[1, 5]], 1)
    ([[5, 0]], 1)
    >>> [cfg.heads for cfg in state.configurations]
    [(2, 0), (0,)]
    """

    def __init__(
        self,
        outlook: Outlook,
        sentences: Sequence[DependencyTree],
        constraints: Sequence[Constraints] | None = None,
    ) -> None:
        self._outlook = outlook
        self._sentences = sentences
        self._constraints = constraints
        self.configurations = [outlook.system.initial(sentence) for sentence in sentences]
        self._going = [place for place, cfg in enumerate(self.configurations) if not cfg.is_final]

    def __bool__(self) -> bool:
        return bool(self._going)

    def numbers(self) -> _Integers:
        """For each configuration the numbers of the words and labels that are looked at."""
        positions, labels = zip(*[self._outlook.look(self.configurations[place]) for place in self._going], strict=True)
        words = word_numbers(np.array(positions), np.array(self._going)[:, None], len(self._sentences))
        return np.concatenate([words, np.array(labels, np.int64)], 1)

    def possible(self) -> _Booleans:
        """For each configuration and transition whether it is possible, and agrees with what is known.

        Raises:
            BrokenConstraints: what is known of a sentence cannot be met; the message names it and the words.
        """
        return np.array([self._outlook.mask(self._possible(place)) for place in self._going])

    def _possible(self, place: int) -> tuple[Transition, ...]:
        cfg = self.configurations[place]
        if self._constraints is None:
            return cfg.possible_transitions()
        try:
            return self._constraints[place].transitions(cfg)
        except BrokenConstraints as error:
            raise BrokenConstraints(f"{self._sentences[place].name}: {error}") from None

    def gold(self, oracle: OracleFunction) -> _Booleans:
        """For each configuration and transition whether an oracle names it."""
        found = [oracle(self.configurations[place], self._sentences[place], typed) for place in self._going]
        return np.array([self._outlook.mask(gold if isinstance(gold, tuple) else (gold,)) for gold in found])

    def tell_margins(self, scores: npt.NDArray[np.float32], margins: Sequence[npt.NDArray[np.float32]]) -> None:
        """Write down for each sentence how clear the choice of the best transition is; see `tell_margins`.

        Args:
            scores: the scores of all transitions, -inf where one cannot be taken.
            margins: where to write it, for each sentence.
        """
        space = self._outlook.space
        for place, row in zip(self._going, scores, strict=True):
            found = {space.transitions[number]: float(row[number]) for number in np.flatnonzero(np.isfinite(row))}
            best = space.transitions[int(row.argmax())]
            tell_margins(margins[place], self.configurations[place], best, found, space)

    def take(self, transitions: _Integers) -> None:
        """Go on with one transition in each configuration, given by their numbers."""
        for place, number in zip(self._going, transitions.tolist(), strict=True):
            transition = self._outlook.space.transitions[number]
            self.configurations[place] = self.configurations[place].take(transition)
        self._going = [place for place in self._going if not self.configurations[place].is_final]
