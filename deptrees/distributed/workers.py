"""Worker processes on one machine. If one dies, it is replaced and its work repeated."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from mmap import ACCESS_READ, mmap
from multiprocessing import reduction
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeVar

import attrs

from deptrees.messages import quoted

__all__ = ["Runner", "WorkerDied", "Workers", "attempt"]

_Shared = TypeVar("_Shared")
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_ALIGNED = 64
"""Arrays begin at multiples of so many bytes."""

_spawning = multiprocessing.get_context("spawn")


class WorkerDied(RuntimeError):
    """The process that worked on an item died, in every attempt."""


class Runner(Protocol):
    """Anything that distributes work."""

    def __call__(
        self, work: Callable[[_Shared, _Item], _Result], shared: _Shared, items: Sequence[_Item]
    ) -> Iterator[_Result | Exception]:
        """Do the work, lazily, in the working directory of this process: relative paths mean the same files.

        Args:
            work: a function of a module, which gives the same result however often it is called.
            shared: its first argument, such as a model; arrays in it are not to be written to.
            items: its second argument, one after the other.

        Returns:
            For each item, in order, the result or the exception; ``WorkerDied`` if no process lived to the end of it.
        """


def attempt(work: Callable[[_Shared, _Item], _Result], shared: _Shared, item: _Item) -> _Result | Exception:
    """The result of the work on an item, or the exception that it raised."""
    try:
        return work(shared, item)
    except Exception as error:
        return error


@attrs.frozen
class Workers:
    """A `Runner` with processes of this machine; with one, this process does the work.

    Shared arrays are in a file that all processes map into their memory. Processes are spawned, so a script needs ``if
    __name__ == "__main__":``. More than one process needs a POSIX system. There is a warning of each that dies.

    Args:
        count: the number of processes.
        retries: how often to retry an item after the process that worked on it has died.

    >>> list(Workers()(divmod, 17, [5, 0]))
    [(3, 2), ZeroDivisionError('integer division or modulo by zero')]
    """

    count: int = attrs.field(default=1, validator=attrs.validators.ge(1))
    retries: int = attrs.field(default=3, validator=attrs.validators.ge(0))

    def __call__(
        self, work: Callable[[_Shared, _Item], _Result], shared: _Shared, items: Sequence[_Item]
    ) -> Iterator[_Result | Exception]:
        """See `Runner`."""
        count = min(self.count, len(items))
        if count <= 1:
            return (attempt(work, shared, item) for item in items)
        return self._in_order((work, shared), items, count)

    def _in_order(self, task: object, items: Sequence[object], count: int) -> Iterator[Any]:
        found: dict[int, object] = {}
        with closing(_Mapped(task)) as mapped, closing(self._as_they_end(mapped, items, count)) as results:
            for number in range(len(items)):
                while number not in found:
                    found.update([next(results)])
                yield found.pop(number)

    def _as_they_end(
        self, mapped: _Mapped, items: Sequence[object], count: int
    ) -> Generator[tuple[int, object], None, None]:
        """The number of each item, and its result."""
        waiting, deaths = deque(range(len(items))), [0] * len(items)
        idle = [_Worker(mapped) for _ in range(count)]
        busy: dict[Connection, tuple[_Worker, int]] = {}
        try:
            while waiting or busy:
                while waiting and idle:
                    worker, number = idle.pop(), waiting.popleft()
                    busy[worker.connection] = worker, number
                    with suppress(OSError):  # it has died, as will be seen when its answer is read
                        worker.connection.send(items[number])
                for connection in wait([*busy]):
                    assert isinstance(connection, Connection)
                    worker, number = busy.pop(connection)
                    try:
                        yield number, connection.recv()
                    except (EOFError, OSError):
                        end = worker.stop()
                        worker = _Worker(mapped)
                        deaths[number] += 1
                        if deaths[number] <= self.retries:
                            what = f"the process that worked on {quoted(items[number])} {end}"
                            warnings.warn(f"{what}: another one begins with that anew", RuntimeWarning, stacklevel=2)
                            waiting.appendleft(number)
                            continue
                        died = f"the process that worked on {quoted(items[number])} died {deaths[number]} times"
                        yield number, WorkerDied(f"{died}: has it enough memory?")
                    finally:
                        idle.append(worker)
        finally:
            for worker in (*idle, *(worker for worker, _ in busy.values())):
                worker.stop()


class _Worker:
    """A process that works on the items that it is sent."""

    def __init__(self, mapped: _Mapped) -> None:
        self.connection, other = _spawning.Pipe()
        self._process = _spawning.Process(target=_serve, args=(other, mapped), daemon=True)
        self._process.start()
        other.close()

    def stop(self) -> str:
        """End the process, after the removal of its unfinished files, and say how it ended."""
        self._process.terminate()
        self._process.join()
        code = self._process.exitcode or 0
        self._process.close()
        self.connection.close()
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


def _serve(connection: Connection, mapped: tuple[Callable[[_Shared, Any], object], _Shared]) -> None:
    """Work until nobody sends anything any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes, and the first one ends the others
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with suppress(EOFError, OSError):
        while True:
            connection.send(attempt(*mapped, connection.recv()))


class _Mapped:
    """A value whose arrays are in a file: passed to a new process, it becomes the value, with the file mapped."""

    def __init__(self, value: object) -> None:
        buffers: list[pickle.PickleBuffer] = []
        self._pickled = pickle.dumps(value, 5, buffer_callback=buffers.append)
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._bounds: list[tuple[int, int]] = []
        for buffer in buffers:
            self._file.write(bytes(-self._file.tell() % _ALIGNED))
            start = self._file.tell()
            self._file.write(buffer.raw())
            self._bounds.append((start, self._file.tell()))
        self._file.write(b"\0")  # an empty file cannot be mapped
        self._file.flush()

    def close(self) -> None:
        """Close the file; processes that have it mapped keep it."""
        self._file.close()

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return _mapped, (reduction.DupFd(self._file.fileno()), self._pickled, self._bounds)


def _mapped(file: Any, pickled: bytes, bounds: list[tuple[int, int]]) -> object:
    """The value, in the new process."""
    memory = memoryview(mmap(file.detach(), 0, access=ACCESS_READ))
    return pickle.loads(pickled, buffers=[memory[start:stop] for start, stop in bounds])
