"""A run of training: its epochs, the best model of them, and the mean of several seeds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import TypeVar

import attrs

from deptrees.messages import of_type
from deptrees.training.checkpoints import Checkpoint, Savable, Saver
from deptrees.training.options import Options
from deptrees.training.records import Diverged, Epoch, TrainingError
from deptrees.training.resumable import AnyTraining

__all__ = ["run", "watched", "watched_on"]

_Model = TypeVar("_Model", bound=Savable)
_Tree = TypeVar("_Tree")
_Training = TypeVar("_Training", bound=AnyTraining)

_Watch = Callable[[str, int, float], object]
_watch: ContextVar[_Watch] = ContextVar("_watch", default=lambda _, __, ___: None)


@contextmanager
def watched(watch: _Watch) -> Iterator[None]:
    """Have a function called several times in each epoch of all training within the block, and after it.

    Args:
        watch: called with what is trained, such as "a tagger" or, after the epoch, "a tagger on development data", the
            number of the epoch, and its share that is done.

    >>> from deptrees import Parser, Tagger, sample_treebank
    >>> trees = sample_treebank("train")
    >>> with watched(lambda *how_far: print(*how_far)):
    ...     _ = Tagger.train(trees, epochs=1), Parser.train(trees, epochs=2)
    a tagger 1 1.0
    a linear parser 1 1.0
    a linear parser 2 1.0
    """
    before = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(before)


def watched_on(dev: Sequence[object], found: Iterable[_Tree], epoch: Epoch, options: Options) -> Iterator[_Tree]:
    """What is found in development data after an epoch, tree by tree: `watched` hears of each."""
    for number, tree in enumerate(found, 1):
        yield tree
        _watch.get()(f"{options.of} on development data", epoch.number, number / len(dev))


def run(
    options: Options,
    begin: Callable[[int], _Training],
    *,
    model: Callable[[_Training, int], _Model],
    mean: Callable[[Sequence[_Model]], _Model],
    evaluated: Callable[[_Model, Epoch], Epoch] | None,
    about: Callable[[int], dict[str, object]],
    load: Callable[[Path], _Model],
    best_epoch: Callable[[_Model], int] | None = None,
) -> _Model:
    """Train for some epochs, with one seed after another.

    Args:
        options: how many epochs and seeds, and where to save and to report.
        begin: what learns, with a seed.
        model: the model that it has learned, after this many epochs.
        mean: one model for all seeds.
        evaluated: the record of an epoch with the scores of its model; ``None`` if there are no development data.
        about: the identity of the training with a seed.
        load: loads a model that was saved.
        best_epoch: of how many epochs a model is. If given, only the first seed is evaluated, and the others are
            trained up to its best epoch.

    Returns:
        The model of the best epoch, the last if there are several; without development data that of the last.

    Raises:
        TrainingError: the checkpoint is that of another training, or of more epochs; for other errors, see `Saver`.
    """
    of_type(
        "checkpoint", options.checkpoint, Checkpoint | None, "a Checkpoint, such as Checkpoint('parser.checkpoint')"
    )
    epochs, models = options.epochs, list[_Model]()
    for seed in range(options.seed, options.seed + options.seeds):
        checkpoint = options.checkpoint
        if models:
            checkpoint = checkpoint and checkpoint.beside(f"seed{seed}")
            if best_epoch is not None:
                epochs, evaluated = best_epoch(models[0]), None
        training = begin(seed)
        saver = Saver(checkpoint, training, partial(about, seed))
        best = saver.best(load)
        saver.restore()  # last, with the state of all that is random
        if training.epochs > epochs:
            raise TrainingError(f"the checkpoint is that of {training.epochs} epochs: ask for as many, or more")
        pause = partial(_pause, options, training, saver)
        on_epoch = partial(_report, options, seed, epochs)
        models.append(_run(training, epochs, saver, pause, best, partial(model, training), evaluated, on_epoch))
    return mean(models) if len(models) > 1 else models[0]


def _pause(options: Options, training: AnyTraining, saver: Saver) -> None:
    """What happens between two portions of an epoch."""
    _watch.get()(options.of, training.epochs, training.done)
    saver.pause()


def _report(options: Options, seed: int, epochs: int, epoch: Epoch) -> None:
    """Report an epoch of a seed, with the share of the whole training that is done."""
    done = (seed - options.seed + epoch.number / epochs) / options.seeds
    options.on_epoch(attrs.evolve(epoch, seed=seed, done=done))


def _run(
    training: AnyTraining,
    epochs: int,
    saver: Saver,
    pause: Callable[[], None],
    best: _Model | None,
    model: Callable[[int], _Model],
    evaluated: Callable[[_Model, Epoch], Epoch] | None,
    on_epoch: Callable[[Epoch], object],
) -> _Model:
    """The best model of some epochs with one seed."""
    with saver.signals():
        while True:
            try:
                with saver.busy():
                    epoch = training.epoch(pause)
            except Diverged as diverged:
                if training.epochs == 1:
                    raise
                warnings.warn(f"{diverged}; the parser is what had been learned before", stacklevel=2)
                saver.save()
                return model(training.epochs) if best is None else best
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
