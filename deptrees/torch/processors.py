"""Processors, which PyTorch's threads share with others."""

from __future__ import annotations

import os

__all__ = ["share_processors"]


def share_processors() -> None:
    """Have PyTorch's threads, if it is not loaded yet, sleep while they wait where others work.

    Else they keep processors busy for nothing. What they do makes no difference to results.
    """
    if "OMP_WAIT_POLICY" not in os.environ and _others_work():
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
        os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # but some microseconds awake are no loss


def _others_work() -> bool:
    """Whether others have work for a quarter of the processors at this moment; where nobody tells, they might."""
    try:
        with open("/proc/loadavg", encoding="ascii") as file:
            running, _, _ = file.read().split()[3].partition("/")
        return 4 * (int(running) - 1) >= (os.cpu_count() or 1)
    except (IndexError, OSError, ValueError):
        return True
