"""Public functions, classes and methods, called with odd arguments: an answer, or an error that says what is wrong.

    python -m proof.odd                          # every package, 200 calls of each name
    python -m proof.odd trees query --calls 100 --seed 2

The calls that the examples of a package's docstrings make are repeated, one or two of their arguments odd: of another
type, empty, huge, broken, or what another function was given. What may come of a call, says `complaint`.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import importlib
import inspect
import io
import os
import pkgutil
import random
import runpy
import signal
import sys
import tempfile
import traceback
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from types import CodeType, FrameType
from typing import Any

import attrs
import numpy as np
from more_itertools import takewhile_inclusive

from deptrees import DependencyTree
from deptrees.messages import quoted
from proof.names import one_of
from proof.odd_values import Interrupted, fresh, odd
from proof.processes import answers

__all__ = ["CLEAR", "NAMES", "Called", "call_oddly", "main"]

_WRITER: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "write_names.py"))
NAMES: tuple[str, ...] = _WRITER["PACKAGES"]
"""The packages whose names are called."""
_NOT_CLEAR = {"engine", "tagger", "training", "transition", "torch", "integrations.datasets", "integrations.torch"}
CLEAR = tuple([name for name in NAMES if name not in _NOT_CLEAR])
"""Those in which 200 calls of each name, with seed 1, find nothing."""
_NOT_CALLED = {"Explorer.serve", "Desk.serve", "RayCluster"}
"""What goes on until it is stopped, or asks machines that are not there."""
_STATED = {"arc", "preferred"}
"""What a system states for its oracles and transitions, which ask it in every step. Those are called."""
_MOST_EXAMPLES = 6
"""How many calls of a function are kept of each class that has it."""
_SECONDS = 5.0
_PATIENCE = 30.0
"""How many seconds a call may take: of processor time, and in all, where it cannot be stopped."""
_ROOM = 3 << 30
"""How many bytes the calls of a name may take."""
_OF_PYTHON = (
    "I/O operation on closed file",
    "The truth value of an",
    "'utf-8' codec can't encode",
    "Can't create TokenList",
    "Python int too large",
    "cannot fit 'int' into",
    "Unable to allocate",
    "embedded null",
    "File is closed",
    "Embedded NUL",
    "[Errno 2] Failed to open local file",
    "Found array with",
)
"""How errors begin that an odd argument raises itself, wherever it is looked at."""


_CHANGING = {
    **dict.fromkeys(("os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.utime"), 1),
    **dict.fromkeys(("os.rename", "os.link", "os.symlink"), 2),
}
"""How many paths are changed by what Python tells of, besides opening files."""


class _TooLong(BaseException):
    """A call takes longer than it may."""


@attrs.frozen
class Called:
    """What came of calling the names of a package.

    Args:
        names: how many were called.
        calls: how many calls there were.
        findings: for each kind of a wrong end, a call that ends so.
        unknown: the names that no example calls.
    """

    names: int
    calls: int
    findings: tuple[str, ...]
    unknown: tuple[str, ...]


@attrs.frozen(eq=False)
class _Call:
    """A call that an example makes, or what was made of it.

    Args:
        name: the public name.
        called: what is called.
        documented: the text that says which errors there may be.
        is_method: whether it is a method, and no function, constructor or class method.
        given: what it is given, by name.
        odd: what its odd arguments are called, by name.
    """

    name: str
    called: Callable[..., Any]
    documented: str
    is_method: bool
    given: Mapping[str, Any]
    odd: Mapping[str, str] = {}

    def made_odd(self, values: Sequence[Any], chance: random.Random) -> _Call:
        """The same call with one odd argument, or two."""
        given, texts = {name: fresh(value) for name, value in self.given.items()}, {}
        parameters = {
            name: taken for name, taken in inspect.signature(self.called).parameters.items() if name != "self"
        }
        for name in chance.sample([*parameters], min(len(parameters), chance.choice([1, 1, 1, 2]))):
            texts[name], given[name] = odd(given.get(name), values, chance)
            if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
                given[name] = (given[name],)
            elif parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
                key = chance.choice([*self.given.get(name, {}), "x"])
                texts[name], given[name] = f"{key}={texts[name]}", {key: given[name]}
        return attrs.evolve(self, given=given, odd=texts)

    def __call__(self) -> None:
        bound = inspect.BoundArguments(inspect.signature(self.called), OrderedDict(self.given))
        answer = self.called(*bound.args, **bound.kwargs)
        for _ in islice(answer, 100) if isinstance(answer, Iterator) else ():
            pass

    def __str__(self) -> str:
        others = [f"{name}={quoted(value)[:80]}" for name, value in self.given.items() if name not in self.odd]
        return " ".join(
            f"{self.name}({', '.join([*(f'{name}: {text}' for name, text in self.odd.items()), *others])})".split()
        )


def call_oddly(package: str, calls: int, seed: int = 1) -> Called:
    """Call each public name of a package so often with odd arguments."""
    findings: dict[str, str] = {}
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # for the threads of OpenMP are not there after a fork
    examples, values, unknown = _examples(package)
    with TemporaryDirectory() as folder:
        for name, of_name in examples.items():
            call = partial(_odd_call, of_name, values, f"{seed} {name}")
            for number, found in enumerate(answers(partial(_complaints, folder, call, calls), calls, _PATIENCE)):
                if found:
                    findings.setdefault(f"{name} {found.partition(':')[0]}", f"{call(number)}: {found}")
    return Called(len(examples), len(examples) * calls, tuple(findings.values()), tuple(unknown))


def _odd_call(examples: Sequence[_Call], values: Sequence[Any], seed: str, number: int) -> _Call:
    """The call of that number: the same ones in every process."""
    chance = random.Random(f"{seed} {number}")
    return chance.choice(examples).made_odd(values, chance)


def _complaints(folder: str, call: Callable[[int], _Call], calls: int, first: int) -> Iterator[str]:
    """What is wrong with the end of each call from a number on, in a process of its own."""
    import resource  # where there is POSIX

    os.chdir(folder)
    tempfile.tempdir = folder
    sys.addaudithook(_stay)
    signal.signal(signal.SIGVTALRM, _stop)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + _ROOM,) * 2)
    for number in range(first, calls):
        yield complaint(call(number))


def _stay(event: str, given: tuple[Any, ...]) -> None:
    """Let nothing be changed but temporary files, whatever a call is told to write to."""
    if event == "open" and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
        paths = given[:1]
    else:
        paths = given[: _CHANGING.get(event, 0)]
    for path in paths:
        if isinstance(path, str | bytes | os.PathLike):
            place = os.path.realpath(os.fsdecode(path))
            if not place.startswith((os.path.realpath(gettempdir()), os.devnull)):
                raise Interrupted


def _stop(*_: Any) -> None:
    raise _TooLong


def complaint(call: _Call) -> str:
    """What is wrong with how a call ends; nothing, if it is as it should be.

    It answers, or raises an error that `_is_clear`. It takes no longer than some seconds, unless the docstring says so,
    and no more than some memory, warns of nothing but what the library means, changes no argument, and leaves no file
    behind if it fails.
    """
    before, files = {name: _trace(call.given[name]) for name in call.odd}, {*os.listdir()}
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
        try:
            call()
        except Interrupted:
            pass
        except _TooLong:
            return "" if "take seconds" in " ".join(call.documented.split()) else f"takes more than {_SECONDS:.0f} s"
        except BaseException as error:
            if not _is_clear(error, call):
                return f"{type(error).__name__}: {_place(error)}: {str(error)[:150]}"
            if left := {*os.listdir()} - files:
                return f"leaves behind: {left}"
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    for warning in warned:
        if not warning.category.__module__.startswith("deptrees"):
            return f"{warning.category.__name__}: {Path(warning.filename).name}: {str(warning.message)[:150]}"
    changed = [name for name in before if _trace(call.given[name]) != before[name]]
    return f"changes {changed[0]}" if changed else ""


def _is_clear(error: BaseException, call: _Call) -> bool:
    """Whether an error tells what is wrong.

    It is a class of the library's or one that the docstring names, a `TypeError`, or one that the library raises itself
    for a wrong value, number or file; or it names an argument that is odd, or comes from a function that is given.
    What a method is given is not looked at before it is used, so that it, or a part of it, may be told which attribute
    it lacks.
    """
    classes = type(error).__mro__[:-3]
    if any(kind.__module__.startswith("deptrees") or kind.__name__ in call.documented for kind in classes):
        return True
    raised = traceback.extract_tb(error.__traceback__)[-1]
    if (
        "deptrees" in raised.filename
        and (raised.line or "").startswith("raise ")
        and isinstance(error, ValueError | LookupError | OSError)
    ):
        return True
    message = str(error)
    return (
        isinstance(error, TypeError)
        or raised.filename.startswith("<doctest")
        or _comes_from(error, call)
        or message.startswith(_OF_PYTHON)
        or (isinstance(error, ValueError) and any(f"'{name}'" in message for name in call.odd))
        or (isinstance(error, OSError) and (error.filename is not None or _names_path(message, call)))
        or (isinstance(error, AttributeError) and call.is_method and _is_given(error.obj, call))
    )


def _comes_from(error: BaseException, call: _Call) -> bool:
    """Whether an odd argument that is a function raises an error itself."""
    frames = {frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)}
    functions = [
        getattr(given, "__func__", given) for given in map(call.given.__getitem__, call.odd) if callable(given)
    ]
    return any(getattr(it, "__code__", getattr(type(it).__call__, "__code__", None)) in frames for it in functions)


def _names_path(message: str, call: _Call) -> bool:
    """Whether an error names a file that a call is given."""
    parts = [part for given in call.given.values() for part in (given, *_parts(given)) if isinstance(part, str | Path)]
    return any(str(part)[:50] in message for part in parts if part)


def _is_given(value: object, call: _Call) -> bool:
    """Whether a call is given a value, a method or the class of it, or something with the value in it."""
    parts = [part for given in call.given.values() for part in (given, *_parts(given))]
    owner = getattr(value, "__objclass__", value)
    return any(part is value or part is owner or value is getattr(part, "__func__", call) for part in parts)


def _parts(value: Any) -> Iterable[Any]:
    """What a sequence, a tree or a mapping consists of."""
    return value.values() if isinstance(value, dict) else value if isinstance(value, Sequence | DependencyTree) else ()


def _place(error: BaseException) -> str:
    """Where in the library an error comes from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/deptrees/" in frame.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"


def _trace(value: Any) -> Any:
    """What tells whether a value has been changed."""
    return repr(value) if type(value) in (list, dict, set, np.ndarray) else None


def _examples(package: str) -> tuple[dict[str, list[_Call]], list[Any], list[str]]:
    """The calls of each name that a package's examples make, all values given there, and the names they do not call."""
    wanted = [*_wanted(package)]
    seen = _seen(package, {inspect.unwrap(function).__code__ for *_, function in wanted})
    examples: dict[str, list[_Call]] = {}
    for name, owner, called, function in wanted:
        documented = "\n".join(inspect.getdoc(described) or "" for described in (function, owner))
        taken, is_method = inspect.signature(called).parameters, owner is not None and called is function
        calls = [
            _Call(name, called, documented, is_method, {key: value for key, value in given.items() if key in taken})
            for given in seen[inspect.unwrap(function).__code__]
            if owner is None or isinstance(given.get("self"), owner) or given.get("cls") is owner
        ]
        if calls:
            examples[name] = calls[:_MOST_EXAMPLES]
    values = {
        f"{type(value)}{quoted(value)}": value for calls in seen.values() for given in calls for value in given.values()
    }
    return examples, [*values.values()], [name for name, *_ in wanted if name not in examples]


def _wanted(package: str) -> Iterator[tuple[str, type | None, Callable[..., Any], Any]]:
    """The public names of a package that can be called, each with its class, what is called, and the function of it."""
    found = takewhile_inclusive(lambda found: found[0] != f"deptrees.{package}", _WRITER["public"]())
    packages = dict(found)  # without those that come later, so that they are not imported
    classes = {value for names in packages.values() for _, value in names if inspect.isclass(value)}
    for name, value in packages.get(f"deptrees.{package}", []):
        owner = value if inspect.isclass(value) else None
        if _WRITER["is_made"](value) and name not in _NOT_CALLED:
            function = value.__init__ if owner else value if inspect.isroutine(value) else value.__call__
            yield name, owner, value, getattr(function, "__func__", function)
        for member in _WRITER["members"](value, classes) if owner else ():
            short = member.partition("(")[0]
            if "(" in member and not {name, f"{name}.{short}"} & _NOT_CALLED and short not in _STATED:
                called = getattr(value, short)
                yield f"{name}.{short}", owner, called, getattr(called, "__func__", called)


def _seen(package: str, codes: set[CodeType]) -> dict[CodeType, list[dict[str, Any]]]:
    """What functions are given while a package's examples run: of each combination of types, once."""
    calls: dict[CodeType, dict[tuple[type, ...], dict[str, Any]]] = defaultdict(dict)

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in codes:
            given = {name: fresh(value) for name, value in frame.f_locals.items()}  # no other variables yet
            if not any(isinstance(value, Iterator) for value in given.values()):
                calls[frame.f_code].setdefault(tuple(map(type, given.values())), given)

    module = importlib.import_module(f"deptrees.{package}")
    inner = pkgutil.walk_packages(getattr(module, "__path__", ()), f"{module.__name__}.")
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False)
    for name in [module.__name__, *(found.name for found in inner)]:
        with contextlib.suppress(ImportError):  # of an extra
            for test in finder.find(importlib.import_module(name)):
                sys.setprofile(look)
                try:
                    runner.run(test, out=lambda _: None)
                finally:
                    sys.setprofile(None)
    return defaultdict(list, {code: [*of_types.values()] for code, of_types in calls.items()})


def main(arguments: list[str] | None = None) -> int:
    """Call what the command line names; how many findings there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", type=one_of(NAMES), metavar="package", help=", ".join(NAMES))
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    found = 0
    for package in given.packages or NAMES:
        result = call_oddly(package, given.calls, given.seed)
        print(
            f"{package}: {given.calls:,} calls of each of {result.names} names, {len(result.findings)} findings",
            flush=True,
        )
        for line in *result.findings, *(f"no example calls {name}" for name in result.unknown):
            print(f"    {line}")
        found += len(result.findings)
    return found


if __name__ == "__main__":
    sys.exit(bool(main()))
