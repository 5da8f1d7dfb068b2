"""How much work exact losses may be that take a search, where somebody waits for the answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from deptrees.transition.losses.loss import LossNotFound

__all__ = ["LONG_WORK", "WORK", "count_chart", "count_work", "limited_work"]

WORK = 100_000
"""How much work an answer may be for which somebody waits: a tenth of a second."""
LONG_WORK = 10_000_000
"""How much work one may be that was asked for by itself: some ten seconds."""

_left: ContextVar[int | None] = ContextVar("left", default=None)


@contextmanager
def limited_work(most: int) -> Iterator[None]:
    """Let searches for losses give up after some work: units of about a microsecond, so that answers are reproducible.

    Within another limit, that one holds, too. What has been found before is remembered, and is no work.

    >>> from deptrees import DependencyTree
    >>> from deptrees.transition import TwoPlanar, loss
    >>> tree = DependencyTree([(4, "What"), (4, "did"), (4, "you"), (0, "discuss"), (1, "about"), (4, "there")])
    >>> with limited_work(10):
    ...     loss(TwoPlanar().initial(tree), tree)
    Traceback (most recent call last):
      ...
    deptrees.transition.losses.loss.LossNotFound: the loss takes more work than is allowed here
    """
    outer = _left.get()
    allowed = most if outer is None else min(most, outer)
    token = _left.set(allowed)
    try:
        yield
    finally:
        left = _left.get() or 0
        _left.reset(token)
        if outer is not None:
            _left.set(outer - allowed + left)


def count_work(units: int) -> None:
    """Count work that a search is about to do.

    Raises:
        LossNotFound: there was too much of it, see ``limited_work``.
    """
    left = _left.get()
    if left is not None:
        _left.set(max(left - units, 0))
        if left < units:
            raise LossNotFound("the loss takes more work than is allowed here")


def count_chart(size: int) -> None:
    """Count the work of a chart of Eisner's algorithm over elements: calls of numpy, and splits of spans.

    Raises:
        LossNotFound: there was too much of it, see ``limited_work``.
    """
    count_work(50 * size + size**3 // 100)
