"""The loss of arc-eager as spaCy has it.

**What is reachable.** Write down the stack, then the buffer. The trees over these words that can still be built are the
projective ones, with any number of roots, in which a word of the stack that has a head either keeps it, or gets one on
its right and no dependents on its left; and no arc joins two sentences where these are marked.

* *No others are.* A word with a head never goes back to the buffer. So it gets no dependents on its left, and no other
  head on its left than its own, which stands right below it.
* *All of these are.* What a word on the stack that has a head still needs is all to its right, and can be built before
  it leaves. A word that has none can go back to the buffer, as if it had never left it. Where it may not be shifted
  again, RightArc does as well: its head, which must be further right, replaces the one that it gets.

**Costs.** Of the gold arcs of a projective tree, those that are each reachable are so together: words with a head that
get no gold arc keep the one that they have, for a cycle of it and gold arcs would need one that spans an ancestor of
its own head. So a transition costs the gold arcs that it loses. For other trees, it costs nothing if it loses none, as
the projective part that a best reachable tree has stays reachable; otherwise Eisner's algorithm finds the losses.

After Shift and RightArc, word 2 has the head 1. It can still get the head 3, but no longer be the head of 1:

>>> from deptrees import DependencyTree
>>> from deptrees.transition import RightArc, Shift, SpacyArcEager
>>> words = ["to", "be", "sure"]
>>> cfg = RightArc()(Shift()(SpacyArcEager().initial(words)))
>>> [SpacyArcEagerLoss()(cfg, DependencyTree(zip(heads, words))) for heads in [(3, 3, 0), (2, 3, 0)]]
[0, 1]
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from deptrees.transition.losses.arc_costs import ArcCosts, LostArcsLoss
from deptrees.transition.losses.loss import LeastCosts
from deptrees.transition.losses.work import count_chart
from deptrees.transition.transitions import Break, LeftArc, Reduce, RightArc, Shift, Transition
from deptrees.trees.eisner import least_projective
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.spacy_arc_eager import SpacyArcEager, SpacyArcEagerConfiguration

__all__ = ["SpacyArcEagerLoss"]


class SpacyArcEagerLoss(LostArcsLoss["SpacyArcEagerConfiguration"]):
    """The loss of arc-eager as spaCy has it, exact for every gold tree."""

    def lost(self, transition: Transition, cfg: SpacyArcEagerConfiguration, tree: DependencyTree) -> int:
        if isinstance(transition, Shift) or (isinstance(transition, Reduce) and cfg.goes_back):
            return 0
        heads, dependents = tree.head_bits, tree.dependent_bits
        stack, buffer = cfg.stack_bits, cfg.buffer_bits
        if isinstance(transition, Break):
            b0 = cfg.buffer[0]
            sentence = 1 << b0 if cfg.starts >> b0 & 1 else stack | 1 << b0
            rest = _up_to_a_start(buffer ^ 1 << b0, cfg.starts)
            joined = (heads[word] | dependents[word] for word in range(b0 + 1) if sentence >> word & 1)
            return sum((others & rest).bit_count() for others in joined)
        s0, ahead = cfg.stack[-1], _up_to_a_start(buffer, cfg.starts)
        if isinstance(transition, RightArc):
            b0 = cfg.arc(transition)[1]
            return int(heads[b0] & (stack ^ 1 << s0 | 1) | dependents[b0] & stack).bit_count()
        if isinstance(transition, Reduce):
            return int((heads[s0] | dependents[s0]) & ahead).bit_count()
        assert isinstance(transition, LeftArc)
        b0, head = cfg.arc(transition)[0], cfg.heads[s0 - 1]
        below = stack ^ 1 << s0 if head is None else 0
        other_heads = ahead ^ 1 << b0 | below | 1 << (head or 0)
        return int(heads[s0] & other_heads | dependents[s0] & (ahead | below)).bit_count()

    def least_costs(self, costs: ArcCosts, system: SpacyArcEager) -> LeastCosts:
        @lru_cache(maxsize=1 << 10)
        def to_come(words: tuple[int, ...], attached: tuple[int, ...], starts: int) -> float:
            """The least cost of the heads of the words on the stack and in the buffer, of which some have one."""
            arcs = costs[np.ix_((0, *words), (0, *words))]
            for place, word in enumerate(words, 1):
                if word in attached:
                    arcs[: place - 1, place] = arcs[place, :place] = np.inf
            sentence = np.cumsum([starts >> word & 1 for word in words], dtype=int)
            arcs[1:, 1:][sentence[:, None] != sentence] = np.inf
            count_chart(len(arcs))
            return float(least_projective(arcs))

        def least(cfg: SpacyArcEagerConfiguration) -> int:
            words = (*cfg.stack, *cfg.buffer)
            attached = tuple([word for word in cfg.stack if cfg.heads[word - 1] is not None])
            settled = {*range(1, len(cfg.heads) + 1)}.difference(words)
            made = sum(costs[cfg.heads[word - 1], word] for word in settled)
            return int(made + to_come(words, attached, cfg.starts & cfg.buffer_bits))

        return least


def _up_to_a_start(words: int, starts: int) -> int:
    """Those of some words that come before the first of them that begins a sentence."""
    beginning = words & starts
    return words & ((beginning & -beginning) - 1)
