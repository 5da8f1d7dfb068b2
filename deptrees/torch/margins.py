"""How clear a network's choices are, which tells how probable it is that they are right."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deptrees.engine import Derivations
from deptrees.transition import ArcTransition, Transition

__all__ = ["write_margins"]

_Floats = npt.NDArray[np.float32]


def write_margins(derivations: Derivations, scores: _Floats, margins: _Floats) -> None:
    """Write down how clear the choice of the best transition is in each configuration.

    Args:
        derivations: the derivations, one of each sentence of their treebank.
        scores: the scores of all transitions, -inf where one cannot be taken.
        margins: where to write it; see `deptrees.engine.finding.Found`.
    """
    transitions = derivations.space.transitions
    bare: list[Transition] = [type(it)(k=it.k) if isinstance(it, ArcTransition) else it for it in transitions]
    blocks = np.arange(scores.shape[1] // len(bare)).repeat(len(bare)) * len(bare)  # one for each k
    kinds = np.resize([bare.index(transition) for transition in bare], scores.shape[1]) + blocks  # it, or another label
    different, rows = np.unique(kinds), np.arange(len(scores))
    best = np.stack([scores[:, kinds == kind].max(1) for kind in different], 1)
    dependents = np.stack([derivations.dependents()[:, kinds == kind].max(1) for kind in different], 1)
    words = derivations.columns.offsets[derivations.going, None] + dependents - 1
    own, taken = best.argmax(1), scores.argmax(1)
    others = np.where(different == kinds[taken, None], -np.inf, best).max(1)
    ahead = np.broadcast_to((scores[rows, taken] - others)[:, None], best.shape)
    attaching = (dependents > 0) & np.isfinite(best)
    np.minimum.at(margins[0], words[attaching], ahead[attaching])
    same = (kinds == kinds[taken, None]) & (np.arange(len(kinds)) != taken[:, None])
    of_labels = scores[rows, taken] - np.where(same, scores, -np.inf).max(1)
    has_label = [transition != alone for transition, alone in zip(transitions, bare, strict=True)]
    chosen = np.array(has_label)[taken % len(bare)] & (dependents[rows, own] > 0)
    margins[1, words[rows, own][chosen]] = of_labels[chosen]
