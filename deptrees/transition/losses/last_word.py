"""What arc-eager with ROOT first loses beside lost arcs (Aufrant & Wisniewski 2017, appendix A.5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration

__all__ = ["last_word_conflicts"]


def last_word_conflicts(cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
    """Whether the gold arcs that lead up from the last word cannot all be built (0 or 1).

    If its gold ancestors lead through the buffer to an element of the stack, and that one or a deeper one has no head,
    then the arc to the stack must wait until the deeper one has found its head in the buffer, which takes everything
    above it off the stack.
    """
    ancestor: int | None = len(tree)
    buffer, stack = cfg.buffer_bits, cfg.stack_bits
    while ancestor and buffer >> ancestor & 1:
        ancestor = tree.heads[ancestor - 1]
    if ancestor is None or not stack >> ancestor & 1:
        return 0
    at_or_below = (2 << ancestor) - 1
    return int(stack & at_or_below & ~cfg.attached_bits != 0)
