"""What every loss has in common."""

from __future__ import annotations

__all__ = ["LossNotFound"]


class LossNotFound(RuntimeError):
    """An exact loss would take too long to find, in a system in which it takes a search."""
