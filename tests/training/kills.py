"""Training in processes that are killed at random moments, as by ``kill -9``, and that go on from their checkpoints."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from deptrees.training import Checkpoint
from deptrees.training.checkpoints import Savable

__all__ = ["Train", "killed"]

Train = Callable[[Checkpoint | None], Savable]
"""Trains with a checkpoint, or without one."""


def killed(train: Train, kills: int, folder: Path, chance: random.Random) -> Iterator[str]:
    """Train, and kill the process again and again; it goes on each time, and begins anew when it has come to its end.

    Args:
        train: the training.
        kills: how often the process is killed, each time at a random moment of as long as all of the training takes.
        folder: an empty folder.
        chance: chooses the moments.

    Yields:
        For each kill, and for the end that follows the last, what is wrong; empty if nothing is.
    """
    expected, result, checkpoint = folder / "uninterrupted", folder / "result", folder / "checkpoint"
    start = time.monotonic()
    train(None).save(expected)
    seconds = time.monotonic() - start

    def go_on() -> None:
        train(Checkpoint(checkpoint, resume=True, seconds=0)).save(result)

    for moment in [*(chance.uniform(0, seconds) for _ in range(kills)), None]:
        process = multiprocessing.get_context("fork").Process(target=go_on)
        process.start()
        if moment is not None:
            time.sleep(moment)
            os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        if process.exitcode not in (0, -signal.SIGKILL):
            yield f"exit code {process.exitcode}"
        elif result.exists():
            yield "" if result.read_bytes() == expected.read_bytes() else "another model than without an interruption"
            result.unlink()
            checkpoint.unlink()
        else:
            yield "" if moment is not None else "no model"
