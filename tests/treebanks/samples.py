"""What tests of treebanks share."""

import io
import os

import pytest

from deptrees import DependencyTree
from deptrees.treebanks.conllu import sentence_texts

A, B, C = (DependencyTree([(2, "a", "x"), (0, form, "root")], [f"# sent_id = {form}"]) for form in ("A", "B", "C"))
BAD = "# sent_id = bad\n1\ta\t_\t_\t_\t_\t5\t_\t_\t_\n\n"

needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are not known here")


def conllu(*lines: str) -> str:
    """A sentence in CoNLL-U; columns are separated by blanks in the arguments, comments stay as they are."""
    return "\n".join(line if line.startswith("#") else "\t".join(line.split(" ")) for line in lines) + "\n\n"


def read(text: str) -> list[DependencyTree]:
    return [sentence.tree() for sentence in filter(None, sentence_texts(io.StringIO(text), "test.conllu"))]
