"""Losses by search, for systems in which nothing matters but the words that are still on the stack or in the buffer."""

from __future__ import annotations

from deptrees.transition.exact_search import ExactSearch
from deptrees.transition.stack_buffer import StackBufferConfiguration
from deptrees.tree import DependencyTree

__all__ = ["search_in_play"]


def _out_of_reach(cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
    """How many words are still to be attached whose gold head is no longer there."""
    there = cfg.stack_bits | cfg.buffer_bits
    return sum(
        not there >> head & 1 for word, head in enumerate(tree.heads, 1) if there >> word & 1 and head is not None
    )


search_in_play = ExactSearch(key=lambda cfg: (cfg.stack, cfg.buffer), bound=_out_of_reach)
