"""All derivations with their scores, computed apart from the library, and arrays of scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.inference import ScoredDerivation
from deptrees.transition import Transition

__all__ = ["all_beginnings", "all_derivations", "kinds_of_scores"]

Scores = npt.NDArray[np.float64]


def all_derivations(cfg: Any, scores: Scores, leave: Scores | None, heads: Scores | None) -> list[ScoredDerivation]:
    """The derivations from a configuration on whose scores are not −∞, those of the highest scores first."""
    n, to_come = len(cfg.source), {*cfg.stack, *cfg.buffer}

    def walk(cfg: Any, taken: tuple[Transition, ...], score: float) -> Iterator[ScoredDerivation]:
        if cfg.is_final:
            if heads is not None:
                ends = enumerate(cfg.heads, 1)
                score += sum(heads[n + 1 if head is None else head, word] for word, head in ends if word in to_come)
            if score > -np.inf:
                yield ScoredDerivation(taken, cfg.heads, float(score))
            return
        for transition, after, gained in _steps(cfg, scores, leave):
            yield from walk(after, (*taken, transition), score + gained)

    return sorted(walk(cfg, (), 0.0), key=lambda derivation: -derivation.score)


def all_beginnings(cfg: Any, scores: Scores, leave: Scores | None) -> list[list[float]]:
    """At [d] the scores of all beginnings of derivations, from the initial configuration, that have just pushed d."""
    found: list[list[float]] = [[0.0], *([] for _ in cfg.source)]

    def walk(cfg: Any, score: float) -> None:
        for _, after, gained in _steps(cfg, scores, leave):
            if len(after.stack) > len(cfg.stack) and score + gained > -np.inf:
                found[after.stack[-1]].append(float(score + gained))
            walk(after, score + gained)

    walk(cfg, 0.0)
    return found


def _steps(cfg: Any, scores: Scores, leave: Scores | None) -> Iterator[tuple[Transition, Any, float]]:
    """The transitions that can be taken, the configurations after them, and their scores."""
    n, rows = len(cfg.source), [row.transition for row in cfg.system.rows]
    *_, s1, s0 = (0, 0, *[element for element in cfg.stack if element])
    b0 = next(iter(cfg.buffer), 0) or n + 1
    for transition in () if cfg.is_final else cfg.possible_transitions():
        row, after = rows.index(type(transition)), transition(cfg)
        if leave is None or len(after.stack) > len(cfg.stack):
            gained = scores[s0, b0, row]
        else:
            gained = np.broadcast_to(leave, (n + 2, *scores.shape))[s1, s0, b0, row]
        yield transition, after, gained


def kinds_of_scores(rows: int, n: int, seed: int) -> Iterator[tuple[Scores, Scores | None, Scores | None]]:
    """Scores at random, by s0 and b0, then by s1 and heads too; and some of which many are equal, or −∞."""
    random, size = np.random.default_rng(seed), n + 2
    yield random.normal(size=(size, size, rows)), None, None
    yield (
        random.normal(size=(size, size, rows)),
        random.normal(size=(size, size, size, rows)),
        random.normal(size=(size, n + 1)),
    )
    yield random.normal(size=(size, size, rows)), random.normal(size=(size, size, 1, rows)), None
    yield random.normal(size=(size, size, rows)), random.normal(size=(1, size, 1, rows)), None
    few = np.array([0.0, 0.0, 1.0, -np.inf])
    yield random.choice(few, (size, size, rows), p=[0.4, 0.2, 0.3, 0.1]), None, random.choice(few[:3], (size, n + 1))
