"""Ready-made sets of feature templates as straight lines of Cython, which the core runs rather than interprets.

They are written when the core is compiled, into a file that it includes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deptrees.engine import core
from deptrees.engine.code.features import FeatureCode, feature_code
from deptrees.features import ready_made

__all__ = ["UNROLLED", "write_unrolled_templates"]

UNROLLED = ("DELEXICALIZED", "FAST", "MORPHOLOGICAL", "TAGGED", "WITH_XPOS", "ZHANG_NIVRE")
"""Which sets: not those of systems that the core does not run, nor those that a smaller set equals in accuracy."""

_NODES = {
    "s": "s.stack[s.top - {0}]",
    "b": "s.buffer[s.front + {0}]",
    "head": "s.heads[node_{0}]",
    "left": "s.left[node_{0}]",
    "right": "s.right[node_{0}]",
    "left2": "s.inner[s.left[node_{0}]]",
    "right2": "s.inner[s.right[node_{0}]]",
    "beyond": "find_beyond(s, node_{0})",
}
_VALUES = {
    "column": "columns[{which}][node_{node}]",
    "distance": "distance_value(f, node_{node}, node_{other})",
    "taken": "s.history[{which}]",
}  # all others are lanes

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


def write_unrolled_templates() -> None:
    """Write the file that the core includes; only if it is not there already, so that its date does not change."""
    path, text = Path(core.__file__).with_name("model") / "unrolled_templates.pxi", "\n".join(_file()) + "\n"
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def _file() -> Iterator[str]:
    codes = {name.lower(): feature_code(getattr(ready_made, name)) for name in UNROLLED}
    yield "# What interpret_features does, for ready-made sets. Written by deptrees.engine.code.unrolled_templates."
    for name, code in codes.items():
        yield _FUNCTIONS.format(name=name, lines="\n    ".join(_lines(code)))
    yield "\n\ncdef Look look_with(uint64_t digest):"
    yield '    """What finds the features of a code with this digest."""'
    for name, code in codes.items():
        yield f"    if digest == <uint64_t> {code.digest:#x}:"
        yield f"        return look_with_{name}"
    yield "    return interpret_features"


def _lines(code: FeatureCode) -> Iterator[str]:
    for number, (kind, origin) in enumerate(code.nodes):
        yield f"cdef int node_{number} = {_NODES[kind].format(origin)}"
    for number, (kind, which, node, other) in enumerate(code.values):
        lane = f"s.lanes[{kind.upper()}][node_{node}]"
        yield f"cdef uint64_t value_{number} = {_VALUES.get(kind, lane).format(which=which, node=node, other=other)}"
    for number, (seed, parts) in enumerate(code.templates):
        feature = f"<uint64_t> {seed:#x}"
        for part in parts:
            feature = f"combined({feature}, value_{part})"
        yield f"note(features, {number}, {feature}, t, rows)"


if __name__ == "__main__":
    write_unrolled_templates()
