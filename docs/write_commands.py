"""Write the pages of docs/commands, one for each command, with what it prints.

python docs/write_commands.py
"""

import inspect
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from typer.main import get_command

from deptrees.cli import app

FOLDER = Path(__file__).parent / "commands"

LOADED = get_command(app).commands  # type: ignore[attr-defined]
COMMANDS = {name: inspect.unwrap(command.callback) for name, command in LOADED.items()}

MADE_BEFORE = [
    "deptrees sample train > train.conllu",
    "deptrees sample dev > dev.conllu",
    "deptrees train train.conllu -o model --pipeline",
    "deptrees parse model dev.conllu -o parsed.conllu",
    "deptrees train train.conllu -o second --epochs 1",
    "deptrees parse second dev.conllu -o second.conllu",
]
"""The commands that make what the examples use."""

EXAMPLES: Mapping[str, list[str]] = {
    "sample": ["deptrees sample dev | head -8"],
    "draw": ["deptrees draw --labels --heads '2:nsubj 0:root 4:det 2:obj' I saw a dog"],
    "query": ["deptrees query 'pattern { V -[nsubj]-> S; S [Number=Plur] }' dev.conllu"],
    "oracle": ["deptrees oracle --arcs --costs --heads '2 0' Birds sing"],
    "describe": ["deptrees describe arc-hybrid --heads '2 0' Birds sing"],
    "validate": [r"printf '1\tBirds\t_\n2\tsing\n\n' | deptrees validate -"],
    "convert": ["deptrees convert dev.conllu --format text | head -3"],
    "projectivize": ["deptrees projectivize train.conllu | diff train.conllu - | head -6"],
    "deprojectivize": ["deptrees projectivize train.conllu | deptrees deprojectivize - | diff train.conllu -"],
    "diagnose": ["deptrees diagnose train.conllu dev.conllu"],
    "suspect": ["deptrees suspect train.conllu --limit 5"],
    "train": ["deptrees train train.conllu --dev dev.conllu --epochs 3 -o model3"],
    "tag": ["echo 'The old dog sleeps .' | deptrees tag model - --words"],
    "parse": [
        "head -12 dev.conllu | deptrees parse model - | head -6",
        "echo 'The old dog sleeps. A bird sings!' | deptrees parse model - --text",
    ],
    "evaluate": ["deptrees evaluate dev.conllu parsed.conllu", "deptrees evaluate dev.conllu parsed.conllu --json"],
    "analyze": [
        "deptrees analyze dev.conllu parsed.conllu --by tag",
        "deptrees analyze dev.conllu parsed.conllu --show confusions | head -12",
    ],
    "compare": ["deptrees compare dev.conllu parsed.conllu second.conllu"],
    "stats": ["deptrees stats train.conllu --by direction"],
}
"""What the pages show; ``explore`` and ``annotate`` have pages of their own."""


def pages() -> dict[Path, str]:
    """The path and the text of each page."""
    links = [f"* [{name}]({name}.md): {summary(name)}" for name in COMMANDS]
    index = "\n".join(["# Commands", "", *links, ""])
    return {FOLDER / "index.md": index, **{FOLDER / f"{name}.md": page(name) for name in COMMANDS}}


def page(name: str) -> str:
    """The page of a command."""
    shown = "".join(f"```text\n$ {line}\n{printed}```\n\n" for line, printed in outputs().get(name, []))
    return f"# deptrees {name}\n\n{inspect.getdoc(COMMANDS[name])}\n\n{shown}{table(name)}\n"


def summary(name: str) -> str:
    """The first sentence of what is said of a command."""
    return (inspect.getdoc(COMMANDS[name]) or "").partition("\n")[0]


def table(name: str) -> str:
    """The arguments and options of a command."""
    rows = ["| argument or option | |", "|---|---|"]
    for parameter in LOADED[name].params:
        is_option = parameter.param_type_name == "option"
        names = [*parameter.opts, *parameter.secondary_opts] if is_option else [parameter.name.upper()]
        told = parameter.help.replace("|", r"\|")
        if is_option and not isinstance(parameter.default, bool) and parameter.default not in (None, (), ""):
            told += f" Default: {parameter.default}."
        if "--help" not in names:
            rows.append(f"| {', '.join(f'`{name}`' for name in names)} | {told} |")
    return "\n".join(rows)


@cache
def outputs() -> dict[str, list[tuple[str, str]]]:
    """For each command its examples and what they print."""
    with TemporaryDirectory() as folder:
        for line in MADE_BEFORE:
            run(line, folder, check=True)
        return {name: [(line, run(line, folder)) for line in lines] for name, lines in EXAMPLES.items()}


def run(line: str, folder: str, check: bool = False) -> str:
    """What a line of the shell prints; an error if it should succeed and does not."""
    alone = f'deptrees() {{ "{sys.executable}" -m deptrees "$@"; }}\n{line}'
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return str(subprocess.run(["sh", "-c", alone], cwd=folder, env=environment, check=check, **outputs).stdout)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
