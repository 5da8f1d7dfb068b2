"""What arc-eager with ROOT first loses beside lost arcs (Aufrant & Wisniewski 2017, appendix A.5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from deptrees.transition.systems.stack_buffer import StackBufferConfiguration

__all__ = ["LastWordConflicts"]


class LastWordConflicts:
    """Whether the gold arcs that lead up from the last word cannot all be built (0 or 1).

    If its gold ancestors lead through the buffer to an element of the stack, and that one or a deeper one has no head,
    the arc to the stack must wait until the deeper one finds its head in the buffer, and all above it leave the stack.

    >>> from deptrees.transition import ArcEager, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> LastWordConflicts()(Shift()(ArcEager().initial(tree)), tree)  # 1 → 2 would leave word 1 without a head
    1
    """

    def __call__(self, cfg: StackBufferConfiguration, tree: DependencyTree) -> int:
        ancestor: int | None = len(tree)
        buffer, stack = cfg.buffer_bits, cfg.stack_bits
        while ancestor and buffer >> ancestor & 1:
            ancestor = tree.heads[ancestor - 1]
        if ancestor is None or not stack >> ancestor & 1:
            return 0
        return int(stack & ((2 << ancestor) - 1) & ~cfg.attached_bits != 0)  # at the ancestor or below it
