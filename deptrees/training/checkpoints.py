"""Checkpoints: files from which stopped training resumes, with the same result as if it had not stopped."""

from __future__ import annotations

import glob
import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import attrs
from attrs.validators import ge

from deptrees.files.checksums import checksum
from deptrees.files.models import Part, open_model, save_model
from deptrees.files.output import check_output
from deptrees.files.parts import CHECKPOINT
from deptrees.files.records import to_record
from deptrees.training.inputs import columns_of
from deptrees.training.records import TrainingError
from deptrees.training.resumable import AnyTraining
from deptrees.treebanks.columns import Columns
from deptrees.trees.tree import AnyTree

__all__ = ["Checkpoint", "Savable", "Saver", "identity"]

_ONE_BESIDE = r"(best|new|tokenizer|taggers?|(seed|part)?[0-9]+)"
_BESIDE = re.compile(rf"{_ONE_BESIDE}(\.{_ONE_BESIDE})*")
"""What names of files that belong to a checkpoint add to its own."""

_Model = TypeVar("_Model")


@attrs.frozen
class Checkpoint:
    """A file from which stopped training resumes, with the same result as if it had not stopped.

    It is written during training, at the end, and when Ctrl-C or SIGTERM stops it. It is replaced as a whole, so that
    there is a complete one at any time. With development data, a file beside it whose name ends in ``.best`` is the
    best model so far, which can be loaded and used like any other.

    Args:
        path: the file.
        resume: whether to resume from it if it exists. Otherwise it must not exist.
        seconds: the shortest time between two writes, which is how much work can be lost when the process is killed.

    Raises:
        ValueError: the number of seconds is less than 0.

    >>> checkpoint = Checkpoint("parser.checkpoint", resume=True)
    >>> str(checkpoint.path), str(checkpoint.best), checkpoint.seconds
    ('parser.checkpoint', 'parser.checkpoint.best', 60.0)
    """

    path: Path = attrs.field(converter=Path)
    resume: bool = False
    seconds: float = attrs.field(default=60.0, converter=float, validator=ge(0))

    @property
    def best(self) -> Path:
        """The file of the best model so far."""
        return self.beside("best").path

    def beside(self, name: str) -> Checkpoint:
        """The checkpoint of a training that belongs to this one, in a file beside it.

        >>> str(Checkpoint("parser.checkpoint").beside("tagger").path)
        'parser.checkpoint.tagger'
        """
        return attrs.evolve(self, path=self.path.with_name(f"{self.path.name}.{name}"))

    def has_beside(self, path: str | os.PathLike[str]) -> bool:
        """Whether a file, which need not be there, has a name of those that belong to this one.

        >>> [Checkpoint("parser").has_beside(name) for name in ("./parser.best", "parser.tagger.seed2", "parser.model")]
        [True, True, False]
        """
        own, other = self.path.resolve(), Path(path).resolve()
        rest = other.name.removeprefix(f"{own.name}.")
        return own.parent == other.parent and rest != other.name and bool(_BESIDE.fullmatch(rest))

    @property
    def is_saved(self) -> bool:
        """Whether there is something to resume from: of this training, or of one that belongs to it.

        >>> Checkpoint("no-such-folder/parser.checkpoint").is_saved
        False
        """
        beside = self.path.parent.glob(f"{glob.escape(self.path.name)}.*")
        return self.path.exists() or any(map(self.has_beside, beside))

    def check(self) -> None:
        """Make sure that training may begin.

        Raises:
            FileExistsError: there is a checkpoint, and training is not to go on from it.

        >>> from tempfile import NamedTemporaryFile
        >>> with NamedTemporaryFile() as file:
        ...     Checkpoint(file.name, resume=True).check()
        ...     try:
        ...         Checkpoint(file.name).check()
        ...     except FileExistsError as error:
        ...         print(str(error).replace(file.name, "parser.checkpoint"))
        there is a checkpoint 'parser.checkpoint': go on from it (resume=True, --resume), or remove it
        """
        if self.path.exists() and not self.resume:
            raise FileExistsError(
                f"there is a checkpoint {str(self.path)!r}: go on from it (resume=True, --resume), or remove it"
            )


def identity(
    settings: object, treebank: Columns | Iterable[AnyTree], dev: Iterable[AnyTree] | None
) -> dict[str, object]:
    """What a training must have in common with another one to go on from its checkpoint, as JSON says it."""
    treebanks = {"treebank": treebank, "development data": dev}
    prints = {name: None if trees is None else columns_of(trees).fingerprint() for name, trees in treebanks.items()}
    found: dict[str, object] = json.loads(json.dumps({**to_record(settings), **prints}))
    return found


class Savable(Protocol):
    """What can be saved to a file of its own."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save it to a file."""


@attrs.frozen
class _Record:
    """What is saved besides the training: its identity, and the score and the checksum of the best model so far."""

    about: dict[str, Any]
    score: float | None
    best: str | None

    def __attrs_post_init__(self) -> None:
        if (self.score is None) != (self.best is None):
            raise ValueError("the best model has a score and a checksum, or there is none")


class Saver:
    """Saves a training to its checkpoint, if there is one.

    While it is at it, Ctrl-C and SIGTERM wait until the training is saved, and then do what they did before. A second
    one does so at once.

    Args:
        checkpoint: where to save; ``None`` for nowhere.
        training: what to save.
        about: the ``identity`` of the training.

    Raises:
        FileExistsError: the file is there, and training is not to go on from it.
        TrainingError: it is the checkpoint of another training.
        ModelError: it is not a checkpoint.
        OSError: it could not be written.
    """

    def __init__(
        self, checkpoint: Checkpoint | None, training: AnyTraining, about: Callable[[], dict[str, object]]
    ) -> None:
        self._checkpoint, self._training = checkpoint, training
        self._about = {} if checkpoint is None else about()
        self._best: Savable | None = None
        self._score: float | None = None
        self._checksum: str | None = None
        self._last = time.monotonic()
        self._is_busy, self._received = False, 0
        self._handlers: dict[int, Any] = {}
        if checkpoint is not None:
            checkpoint.check()
            check_output(checkpoint.path)
            if checkpoint.path.exists():
                self._read(checkpoint)

    def _read(self, checkpoint: Checkpoint) -> None:
        with open_model(checkpoint.path) as file:
            record = file.read(CHECKPOINT, _Record)
        differing = [name for name, value in self._about.items() if record.about.get(name) != value]
        if differing:
            raise TrainingError(
                f"{checkpoint.path} is the checkpoint of a training with another {' and '.join(differing)}: "
                "train as before, or give another checkpoint"
            )
        self._score, self._checksum = record.score, record.best

    def best(self, load: Callable[[Path], _Model]) -> _Model | None:
        """The best model so far, loaded by a function, if there is one.

        Raises:
            TrainingError: the file has another content.
        """
        if self._checkpoint is None or self._checksum is None:
            return None
        best, new = self._checkpoint.best, self._checkpoint.beside("best.new").path
        if new.exists() and checksum(new) == self._checksum:  # the checkpoint was the last that was saved
            new.replace(best)
        if checksum(best) != self._checksum:
            raise TrainingError(
                f"{best} is not the best model of the training in {self._checkpoint.path}: put that back, or train anew"
            )
        return load(best)

    def restore(self) -> None:
        """Have the training go on from the checkpoint if it is there."""
        if self._checkpoint is not None and self._checkpoint.path.exists():
            with open_model(self._checkpoint.path) as file:
                self._training.restore(file)

    @property
    def score(self) -> float | None:
        """The score of the best model so far, ``None`` if there is none."""
        return self._score

    def keep(self, best: Savable, score: float) -> None:
        """Have the best model saved with the training the next time."""
        self._best, self._score = best, score

    def pause(self) -> None:
        """Save the training if it is time to. It is between two portions of an epoch."""
        if self._checkpoint is not None and (
            self._received or time.monotonic() - self._last >= self._checkpoint.seconds
        ):
            self.save()

    def save(self) -> None:
        """Save the training; if that fails, the checkpoint is as it was before."""
        if self._checkpoint is None:
            return
        with self.busy():
            # A new best model goes first, and takes its name last: at any time one agrees with the checkpoint.
            new = self._checkpoint.beside("best.new").path
            if self._best is not None:
                self._best.save(new)
                self._checksum = checksum(new)
            record = to_record(_Record(self._about, self._score, self._checksum))
            save_model(self._checkpoint.path, self._training.part(), Part(CHECKPOINT, record, {}))
            if self._best is not None:
                new.replace(self._checkpoint.best)
                self._best = None
            self._last = time.monotonic()
        if self._received:
            received, self._received = self._received, 0
            signal.raise_signal(received)  # whose handler may let training go on

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Have signals wait for ``pause`` or the end of ``save``."""
        before, self._is_busy = self._is_busy, True
        try:
            yield
        finally:
            self._is_busy = before

    @contextmanager
    def signals(self) -> Iterator[None]:
        """Have signals wait until the training is saved."""
        if self._checkpoint is not None and threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):  # which only the main thread can be given
                self._handlers[number] = signal.signal(number, self._receive)
        try:
            yield
        finally:
            self._give_back()

    def _receive(self, number: int, _: object) -> None:
        self._received = number
        self._give_back()
        if not self._is_busy:
            self.save()

    def _give_back(self) -> None:
        while self._handlers:
            signal.signal(*self._handlers.popitem())
