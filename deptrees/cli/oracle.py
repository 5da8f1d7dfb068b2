"""The command ``oracle``."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict, TypeVar, get_args

import typer

import deptrees
from deptrees.cli.console import progress_bar
from deptrees.cli.options import (
    SYSTEM_HELP,
    FilesOrWords,
    Heads,
    Labels,
    Lenient,
    Root,
    SingleRoot,
    chosen_system,
    chosen_trees,
)
from deptrees.printable import escaped, printable

if TYPE_CHECKING:
    from deptrees.drawing import DrawnTable
    from deptrees.transition import Oracle, OracleSequence, System
    from deptrees.transition.notation import Blank, DerivationRecord

__all__ = ["Obstacle", "oracle"]

_Form = TypeVar("_Form")
_Shown = tuple[str, "deptrees.DependencyTree", list[str], "DrawnTable | None"]
"""The name of a tree, the tree, why systems cannot build it, and the derivations of the others in one table."""

Format = Literal["text", "markdown", "html", "latex", "json"]

_TWICE = "Give two to see both side by side."
_ORACLE_HELP = f"Which oracle to follow, such as static or dynamic. {_TWICE}"
_BLANK_HELP = (
    "What to leave empty, for students to fill in: configurations (but the first), transitions, arcs or costs. Can be "
    "repeated."
)


def oracle(
    files: FilesOrWords,
    heads: Heads = None,
    system: Annotated[list[str], typer.Option(help=f"{SYSTEM_HELP} {_TWICE}")] = ["arc-eager"],  # noqa: B006
    root: Root = None,
    single_root: SingleRoot = None,
    oracle: Annotated[list[str], typer.Option(help=_ORACLE_HELP)] = ["static"],  # noqa: B006
    labels: Labels = False,
    arcs: Annotated[
        bool, typer.Option("--arcs", help="Show the arc that each transition adds; ✗ is not gold.")
    ] = False,
    costs: Annotated[
        bool,
        typer.Option(
            "--costs",
            help="Show what each possible transition costs (? if that takes long), and the gold arcs that it loses.",
        ),
    ] = False,
    blank: Annotated[list[str], typer.Option(help=_BLANK_HELP)] = [],  # noqa: B006
    format: Annotated[  # noqa: A002  the everyday word for it
        Format, typer.Option(help="For a terminal, a page or a paper; or a line of JSON for each derivation.")
    ] = "text",
    skip_invalid: Lenient = False,
) -> None:
    """Show the derivation of each tree: every configuration with its gold transitions."""
    from deptrees.transition.notation import derivation_table

    left_out = _left_out(blank, {"arcs": arcs or format == "json", "costs": costs})
    systems = [chosen_system(name, root, single_root) for name in system]
    oracles = _oracles(systems if root else _alike(systems), oracle, labels)
    chosen = chosen_trees(files, heads, skip_invalid, min(oracle.system.most_words for oracle in oracles))
    with progress_bar() as bar:
        trees = bar(chosen, "following the oracle")
        if format == "json":
            for tree in trees:
                for one in oracles:
                    print(json.dumps(_record(one, tree, costs, left_out)))
        else:
            table = partial(derivation_table, arcs=arcs, costs=costs, blank=left_out)
            _write_tables(_shown(trees, oracles, table), format)


def _left_out(names: Sequence[str], shown: Mapping[str, bool]) -> list[Blank]:
    """What is left out, which must be among what would be shown."""
    from deptrees.transition.notation import Blank

    known = {name: shown.get(name, True) for name in get_args(Blank)}
    for name in names:
        if name not in known:
            raise typer.BadParameter(f"there is no {name!r}: choose {', '.join(known)}", param_hint="--blank")
        if not known[name]:
            raise typer.BadParameter(f"{name} are not shown at all without --{name}", param_hint="--blank")
    return [name for name in get_args(Blank) if name in names]


def _write_tables(shown: Iterable[_Shown], format: Format) -> None:  # noqa: A002
    if format == "html":
        from deptrees import drawing

        sections = ((name, _html(tree, obstacles, table)) for name, tree, obstacles, table in shown)
        sys.stdout.writelines(drawing.page("Derivations", sections))
    else:
        for name, _, obstacles, table in shown:
            print(_written(format, printable(name), obstacles, table), end="\n\n")


def _alike(systems: list[System]) -> list[System]:
    """The systems that stand side by side, with ROOT first where their best variants have it in different places."""
    import attrs

    if len({getattr(system, "root", None) for system in systems}) == 1:
        return systems
    return [attrs.evolve(it, root="first") if len(it.roots) > 1 else it for it in systems]  # type: ignore[misc]


def _oracles(systems: list[System], names: list[str], labels: bool) -> list[Oracle]:
    """The oracles that stand side by side: what is given once is that of all."""
    from deptrees.transition import Oracle, typed, untyped
    from deptrees.transition.oracles import BY_NAME

    for name in names:
        if name not in BY_NAME:
            raise typer.BadParameter(f"there is no oracle {name!r}: choose {', '.join(BY_NAME)}", param_hint="--oracle")
    most = max(len(systems), len(names))
    if {len(systems), len(names)} - {1, most}:
        raise typer.BadParameter(f"there are {len(systems)} systems and {len(names)} oracles: give as many, or one")
    pairs = zip(islice(cycle(systems), most), islice(cycle(names), most), strict=True)
    return [Oracle(system, name, typed if labels else untyped) for system, name in pairs]


class Obstacle(TypedDict):
    """Why there is no derivation of a tree, in JSON.

    Args:
        sent_id: the comment of this name, if the tree has one.
        system: the transition system.
        error: why the system or the oracle has none.
    """

    sent_id: str | None
    system: str
    error: str


def _record(
    oracle: Oracle, tree: deptrees.DependencyTree, costs: bool, blank: Sequence[Blank]
) -> DerivationRecord | Obstacle:
    from deptrees.transition.notation import derivation_record

    found = _shown_of(oracle, tree, partial(derivation_record, costs=costs, blank=blank))
    return {"sent_id": tree.sent_id, "system": repr(oracle.system), "error": found} if isinstance(found, str) else found


def _shown_of(oracle: Oracle, tree: deptrees.DependencyTree, show: Callable[[OracleSequence], _Form]) -> _Form | str:
    """What shows a derivation, or why there is none."""
    from deptrees.transition import LossNotFound, UnparsableTree
    from deptrees.transition.losses.work import LONG_WORK, limited_work

    sequence = oracle(tree)
    if isinstance(sequence, UnparsableTree):
        return sequence.error
    try:
        with limited_work(LONG_WORK):
            return show(sequence)
    except LossNotFound as error:
        return f"{oracle.system}, {oracle.function.__name__}: {error}"


def _shown(
    trees: Iterable[deptrees.DependencyTree], oracles: Sequence[Oracle], show: Callable[..., DrawnTable]
) -> Iterator[_Shown]:
    for number, tree in enumerate(trees, 1):
        obstacles, table = [], None
        for oracle in oracles:
            found = _shown_of(oracle, tree, partial(show, title=f"{oracle.system!r}, {oracle.function.__name__}"))
            if isinstance(found, str):
                obstacles.append(found)
            else:
                table = table.beside(found) if table else found
        yield tree.sent_id or str(number), tree, obstacles, table


def _written(format: Format, name: str, obstacles: list[str], table: DrawnTable | None) -> str:  # noqa: A002
    if format == "markdown":
        from deptrees.drawing.table import in_markdown

        lines = [f"## {in_markdown(name)}", *map(in_markdown, obstacles)]
        return "\n\n".join([*lines, *([table.markdown()] if table else [])])
    if format == "latex":
        return "\n".join([f"% {line}" for line in (name, *obstacles)] + ([table.latex()] if table else []))
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    return "\n".join([name, *obstacles, *([table.text(width)] if table else [])])


def _html(tree: deptrees.DependencyTree, obstacles: list[str], table: DrawnTable | None) -> str:
    from deptrees.drawing import svg

    paragraphs = [f"<p>{escaped(obstacle)}</p>" for obstacle in obstacles]
    return "".join([svg(tree.diagram()), *paragraphs, *([table.html()] if table else [])])
