"""Beam search as an iterator: the best hypotheses, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import Any, Generic

import attrs
import numpy as np

from deptrees.messages import quoted
from deptrees.search.ranking import BaseRanking, Wanted
from deptrees.transition import BaseConfiguration, Configuration, Transition
from deptrees.transition.system import C
from deptrees.trees.tree import DependencyTree

__all__ = ["Beam", "BeamSearch", "Derivation", "Hypothesis"]

Derivation = tuple[tuple[C, Transition], ...]
"""Pairs of a configuration and the transition taken there."""


@attrs.frozen(eq=False)
class Hypothesis(Generic[C]):
    """A configuration and the derivation that led to it, which hypotheses with the same beginning share.

    Hypotheses are equal if they are the same object.

    Args:
        config: the configuration.
        score: the sum of the scores of the transitions that led to it.
        previous: the hypothesis before the last transition; ``None`` at the start.
        transition: the last transition; ``None`` at the start.
    """

    config: C
    score: float = 0.0
    previous: Hypothesis[C] | None = attrs.field(default=None, repr=False)
    transition: Transition | None = None

    def derivation(self) -> Derivation[C]:
        """The configurations from the start on, each with the transition taken there.

        >>> from deptrees.transition import ArcHybrid, Shift
        >>> start = Hypothesis(ArcHybrid().initial(["Sing"]))
        >>> [(cfg, taken)] = Hypothesis(Shift()(start.config), 0.5, start, Shift()).derivation()
        >>> cfg == start.config, taken
        (True, Shift())
        """
        steps: list[tuple[C, Transition]] = []
        last = self
        while last.previous is not None and last.transition is not None:
            steps.append((last.previous.config, last.transition))
            last = last.previous
        return tuple(reversed(steps))

    def tree(self) -> DependencyTree:
        """The sentence with the heads and labels found so far."""
        return self.config.tree()  # type: ignore[attr-defined, no-any-return]  # of what builds trees

    def _repr_html_(self) -> str | None:
        """What notebooks show, if it is a tree that is built."""
        from deptrees.search.notation import beam_table

        return beam_table((self,)).html() if isinstance(self.config, Configuration) else None


Beam = tuple[Hypothesis[C], ...]
"""Hypotheses, the best first."""


def _possible(cfg: BaseConfiguration) -> tuple[Transition, ...]:
    return cfg.possible_transitions()


@attrs.frozen
class BeamSearch(Generic[C]):
    """Follow several of the best hypotheses at a time (Zhang & Clark 2008).

    Each step extends every hypothesis by all transitions, and keeps the best of the new ones, up to the size of the
    beam; of equals, the first, in the order of the hypotheses and of the transition space. A final hypothesis stays as
    it is and keeps competing. Scores are plain sums: of derivations that differ in length, as with swaps, a longer one
    has more terms, and so a disadvantage if the ranking is normalized.

    Args:
        ranking: a system and the scores of its transitions.
        size: how many hypotheses to keep; 1 makes the search greedy.
        merge: whether to keep only the best of hypotheses with equal configurations (Huang & Sagae 2010). Whatever
            could follow the others can follow it with a higher score, unless the scorer looks at the history.
        possible: returns the transitions that may be taken in a configuration, without labels, such as
            ``constraints.transitions`` of `deptrees.transition.Constraints`; by default all possible ones.

    >>> from deptrees.search import Ranking
    >>> from deptrees.transition import ArcHybrid
    >>> search = BeamSearch(Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations)), size=2)
    >>> for beam in search(["Birds", "sing"]):
    ...     print([(hypothesis.score, hypothesis.transition) for hypothesis in beam])
    [(0.0, None)]
    [(2.0, Shift())]
    [(4.0, Shift()), (3.0, LeftArc())]
    [(5.0, Shift()), (4.0, RightArc())]
    [(5.0, RightArc()), (4.0, RightArc())]
    >>> search.best(["Birds", "sing"]).tree().heads
    (2, 0)
    """

    ranking: BaseRanking[C]
    size: int = attrs.field(default=8, validator=attrs.validators.ge(1))
    merge: bool = attrs.field(default=False, kw_only=True)
    possible: Wanted = attrs.field(default=_possible, kw_only=True)

    def __call__(self, source: object) -> Iterator[Beam[C]]:
        """The beams of a search, each made when it is asked for: the one at the start first, the final one last.

        Args:
            source: what the system begins with, such as a tree, of which only the words count, or words; or the
                configuration to go on from.

        Raises:
            ValueError: ``possible`` lets no hypothesis continue.
        """
        start: Any = source if isinstance(source, BaseConfiguration) else self.ranking.system.initial(source)
        beam: Beam[C] = (Hypothesis(start),)
        yield beam
        while not all(hypothesis.config.is_final for hypothesis in beam):
            beam = self.step(beam)
            yield beam

    def step(self, beam: Beam) -> Beam[C]:
        """The next beam; a ``ValueError`` if ``possible`` lets no hypothesis continue."""
        open_configurations = [hypothesis.config for hypothesis in beam if not hypothesis.config.is_final]
        if not open_configurations:
            return beam
        scores = iter(self.ranking.scores(open_configurations, self.possible))
        candidates: list[tuple[float, Hypothesis, int | None]] = []
        for hypothesis in beam:
            if hypothesis.config.is_final:
                candidates.append((hypothesis.score, hypothesis, None))
            else:
                columns, gained = next(scores)
                if not self.merge:  # then no more than these can be kept
                    best = np.argsort(-gained, kind="stable")[: self.size]
                    columns, gained = columns[best], gained[best]
                candidates += [
                    (hypothesis.score + score, hypothesis, column)
                    for column, score in zip(columns.tolist(), gained.tolist(), strict=True)
                ]
        if not candidates:
            raise ValueError(f"no transition may be taken in {quoted(open_configurations[0])}")
        candidates.sort(key=itemgetter(0), reverse=True)
        return self._kept(candidates)

    def until(self, beam: Beam, arrived: Callable[[Any], bool]) -> Beam[C]:
        """Go on to configurations at which hypotheses are compared, however many transitions it takes to get there.

        If these are the configurations after a word, the search is synchronous by words (Stern, Fried & Klein 2017).
        Hypotheses that have arrived wait in the beam for the others. The scores should be logarithms of probabilities,
        of which no transition can make up for a low one; plain sums are no fair comparison.

        Args:
            beam: the hypotheses to go on from.
            arrived: whether a configuration is one of those; final ones must be.

        Raises:
            ValueError: ``possible`` lets no hypothesis continue.
        """
        while going := tuple([hypothesis for hypothesis in beam if not arrived(hypothesis.config)]):
            there = [hypothesis for hypothesis in beam if arrived(hypothesis.config)]
            candidates = sorted([*there, *self.step(going)], key=attrgetter("score"), reverse=True)
            beam = tuple(candidates[: self.size])
        return beam

    def _kept(self, candidates: Iterable[tuple[float, Hypothesis, int | None]]) -> Beam[C]:
        """As many hypotheses as the beam is wide, made only now: most candidates never become one."""
        kept: list[Hypothesis] = []
        seen: set[BaseConfiguration] = set()
        for score, hypothesis, column in candidates:
            if column is not None:
                transition = self.ranking.space.transition(column)
                hypothesis = Hypothesis(transition(hypothesis.config), score, hypothesis, transition)
            if self.merge:
                if hypothesis.config in seen:
                    continue
                seen.add(hypothesis.config)
            kept.append(hypothesis)
            if len(kept) == self.size:
                break
        return tuple(kept)

    def best(self, source: object) -> Hypothesis[C]:
        """The best hypothesis at the end."""
        return self.k_best(source)[0]

    def k_best(self, source: object) -> Beam[C]:
        """The best hypotheses at the end, one for each tree, at most as many as the size of the beam."""
        *_, beam = self(source)
        found: dict[object, Hypothesis] = {}
        for hypothesis in beam:
            found.setdefault(hypothesis.config.built, hypothesis)
        return tuple(found.values())
