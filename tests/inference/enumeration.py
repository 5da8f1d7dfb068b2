"""All derivations with their scores, computed apart from the library, and arrays of scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from deptrees.inference import ScoredDerivation
from deptrees.transition import Transition

__all__ = ["all_derivations", "kinds_of_scores"]

Scores = npt.NDArray[np.float64]


def all_derivations(cfg: Any, scores: Scores, leave: Scores | None, heads: Scores | None) -> list[ScoredDerivation]:
    """The derivations from a configuration on whose scores are not −∞, those of the highest scores first."""
    n, rows = len(cfg.source), [row.transition for row in cfg.system.rows]
    to_come = {*cfg.stack, *cfg.buffer}
    leave = None if leave is None else np.broadcast_to(leave, (n + 2, *scores.shape))

    def walk(cfg: Any, taken: tuple[Transition, ...], score: float) -> Iterator[ScoredDerivation]:
        if cfg.is_final:
            if heads is not None:
                ends = enumerate(cfg.heads, 1)
                score += sum(heads[n + 1 if head is None else head, word] for word, head in ends if word in to_come)
            if score > -np.inf:
                yield ScoredDerivation(taken, cfg.heads, float(score))
            return
        *_, s1, s0 = (0, 0, *[element for element in cfg.stack if element])
        b0 = next(iter(cfg.buffer), 0) or n + 1
        for transition in cfg.possible_transitions():
            row, after = rows.index(type(transition)), transition(cfg)
            if leave is None or len(after.stack) > len(cfg.stack):
                gained = scores[s0, b0, row]
            else:
                gained = leave[s1, s0, b0, row]
            yield from walk(after, (*taken, transition), score + gained)

    return sorted(walk(cfg, (), 0.0), key=lambda derivation: -derivation.score)


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
