"""The ready-made sets of feature templates as straight lines of Cython, which the core runs rather than interprets.

The core cannot ask the library for templates when it is compiled, so these lines are in a file of their own there.
When a ready-made set has changed, ``python -m deptrees.engine.code.unrolled_templates`` writes that file anew; a test
fails if this was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from deptrees.engine import core
from deptrees.engine.code.features import FeatureCode, compile_templates
from deptrees.features import ready_made

__all__ = ["PATH", "unrolled_templates"]

PATH = Path(core.__file__).with_name("model") / "unrolled_templates.pxi"
"""The file."""

_WAYS = {
    "s": "s.stack[s.top - {0}]",
    "b": "s.buffer[s.front + {0}]",
    "head": "s.heads[node_{0}]",
    "left": "s.left[node_{0}]",
    "right": "s.right[node_{0}]",
    "left2": "s.inner[s.left[node_{0}]]",
    "right2": "s.inner[s.right[node_{0}]]",
    "beyond": "find_beyond(s, node_{0})",
}

_FUNCTIONS = """

cdef inline void note_{name}(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    {lines}


cdef void look_with_{name}(
    const Features *f, const State *s, uint64_t **columns, uint64_t *features, const QuantizedTable *t,
    const char **rows
) noexcept nogil:
    cdef QuantizedTable table
    if t == NULL:  # asked once, not for each template
        note_{name}(f, s, columns, features, NULL, NULL)
    else:
        table = t[0]  # which no address that is written down can change
        note_{name}(f, s, columns, features, &table, rows)"""


def unrolled_templates() -> str:
    """What is in the file: functions for each ready-made set, and one that finds them.

    >>> unrolled_templates().splitlines()[7:9]
    ['    cdef int node_0 = s.stack[s.top - 0]', '    cdef int node_1 = s.stack[s.top - 1]']
    """
    codes = {name: compile_templates(getattr(ready_made, name)) for name in ready_made.__all__}
    return "\n".join(_file(codes)) + "\n"


def _file(codes: Mapping[str, FeatureCode]) -> Iterator[str]:
    yield "# What interpret_features does, for the ready-made sets. Written by deptrees.engine.code.unrolled_templates."
    for name, code in codes.items():
        yield _FUNCTIONS.format(name=name.lower(), lines="\n    ".join(_lines(code)))
    yield "\n\ncdef Look look_with(uint64_t digest):"
    yield '    """What finds the features of a code with this digest."""'
    for name, code in codes.items():
        yield f"    if digest == <uint64_t> {code.digest:#x}:"
        yield f"        return look_with_{name.lower()}"
    yield "    return interpret_features"


def _lines(code: FeatureCode) -> Iterator[str]:
    ways = {number: _WAYS[relation] for relation, number in core.NODES.items()}
    for number, (kind, origin) in enumerate(code.nodes):
        yield f"cdef int node_{number} = {ways[kind].format(origin)}"
    for number, value in enumerate(code.values):
        yield f"cdef uint64_t value_{number} = {_value(*value)}"
    for number, (seed, parts) in enumerate(code.templates):
        feature = f"<uint64_t> {seed:#x}"
        for part in parts:
            feature = f"combined({feature}, value_{part})"
        yield f"note(features, {number}, {feature}, t, rows)"


def _value(kind: int, lane: int, node: int, other: int) -> str:
    if kind == core.VALUES["distance"]:
        return f"distance_value(f, node_{node}, node_{other})"
    if kind == core.VALUES["taken"]:
        return f"s.history[{lane}]"
    lanes = [f"s.lanes[{number}]" for number in core.LANES.values()]
    return f"{lanes[lane] if lane < len(lanes) else f'columns[{lane - len(lanes)}]'}[node_{node}]"


if __name__ == "__main__":
    PATH.write_text(unrolled_templates(), "utf-8")
