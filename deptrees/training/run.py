"""A run of training: its epochs, and the best model of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from deptrees.training.checkpoints import Checkpoint, Savable, Saver
from deptrees.training.inputs import of_type
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.resumable import ResumableTraining

__all__ = ["run"]

_Model = TypeVar("_Model", bound=Savable)


def run(
    training: ResumableTraining[Any],
    epochs: int,
    *,
    model: Callable[[int], _Model],
    evaluated: Callable[[_Model, Epoch], Epoch] | None,
    on_epoch: Callable[[Epoch], None],
    checkpoint: Checkpoint | None,
    about: Callable[[], dict[str, Any]],
    load: Callable[[Path], _Model],
) -> _Model:
    """Train for some epochs.

    Args:
        training: what learns.
        epochs: the number of epochs, 1 or more.
        model: the model as it is after so many epochs.
        evaluated: the record of an epoch with the scores of its model; ``None`` if there are no development data.
        on_epoch: is given the record of each epoch.
        checkpoint: where the training is saved; ``None`` if it is not.
        about: tells what a training must have in common with this one to go on from its checkpoint.
        load: loads a model that was saved.

    Returns:
        The model after the best epoch, the last if there are several; without development data after the last.

    Raises:
        TypeError: the checkpoint or the function for records is something else.
        TrainingError: the checkpoint is that of another training, or of more epochs.
        FileExistsError: there is a checkpoint, and training is not to go on from it.
        ModelError: the checkpoint's file is something else.
        OSError: the checkpoint cannot be written.
    """
    of_type("checkpoint", checkpoint, Checkpoint | None, "a Checkpoint")
    of_type("on_epoch", on_epoch, Callable, "a function")
    saver = Saver(checkpoint, training, about)
    best = None if checkpoint is None or saver.score is None else load(checkpoint.best)
    saver.restore()  # last, with the state of all that is random
    if training.epochs > epochs:
        raise TrainingError(f"the checkpoint is that of {training.epochs} epochs: ask for as many, or more")
    with saver.signals():
        while True:
            with saver.busy():
                epoch = training.epoch(saver.pause)
            is_last = epoch.number == epochs
            if evaluated is not None:
                found = model(epoch.number)
                epoch = evaluated(found, epoch)
                if saver.score is None or epoch.score >= saver.score:  # of equals the last, an average of more
                    best = found
                    saver.keep(found, epoch.score)
            elif is_last:
                best = model(epoch.number)
            on_epoch(epoch)
            if is_last:
                saver.save()
                assert best is not None
                return best
