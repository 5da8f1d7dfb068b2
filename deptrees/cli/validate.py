"""The command ``validate``."""

from __future__ import annotations

import json
from typing import TypedDict

import typer

import deptrees
from deptrees.cli.console import ERROR, messages, say
from deptrees.cli.options import Files
from deptrees.cli.tables import Json
from deptrees.printable import printable

__all__ = ["FaultRecord", "validate"]


class FaultRecord(TypedDict):
    """A fault, in JSON.

    Args:
        file: the file that has it.
        line: the number of its line, from 1.
        sent_id: the comment of this name, if the sentence has one.
        reason: what is wrong, and what to do.
    """

    file: str
    line: int
    sent_id: str | None
    reason: str


def validate(files: Files, as_json: Json = False) -> None:
    """List all faults of CoNLL-U files, each with its line, its sentence and what to do; exit with 1 if there are any.

    These are faults of the format and of the trees: what udvalidate of the package udtools finds at level 1 and, in its
    classes Format and Enhanced, at level 2. For the annotation rules of Universal Dependencies, such as that of a
    single root, use that. Reading is more lenient: words to be parsed need no heads.
    """
    faults = 0
    for fault in deptrees.Treebank(*files).faults():
        faults += 1
        told: FaultRecord = {
            "file": fault.file,
            "line": fault.line,
            "sent_id": fault.sent_id,
            "reason": fault.reason,
        }
        print(json.dumps(told, ensure_ascii=False) if as_json else printable(str(fault)))
    if faults:
        say("error", f"{faults} {'fault' if faults == 1 else 'faults'}: each line above says where and what to do")
        raise typer.Exit(ERROR)
    messages().print("valid; what UD asks of annotation is checked by udvalidate, of the package udtools")
