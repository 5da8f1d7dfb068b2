"""What goes through every format and back: a small treebank of all that CoNLL-U can say, and the real ones."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from deptrees import DependencyTree, Treebank, sample_treebank
from tests.gold_trees import TREEBANK_FILES, needs_treebanks

NASTY = """\
# newdoc id = d1
#no space
# sent_id = a-1
#  two spaces = 2
# text = Au «New York» il l'a vu .
# a = b = c
1-2\tAu\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=Yes|x
1\tà\tà\tADP\tE\t_\t4\tcase\t4:case\t_
2\tle\tle\tDET\tRD\tDefinite=Def|Gender=Masc\t4\tdet\t4:det\t_
3\t«\t«\tPUNCT\t_\t_\t4\tpunct\t4:punct\tSpaceAfter=No
4\tNew York\tNew York\tPROPN\t_\tNumber[psor]=Sing\t8\tobl:arg\t8:obl:à_le:arg\tSpaceAfter=No
5\t»\t"\tPUNCT\t_\t_\t4\tpunct\t4:punct\t_
5.1\t_\t_\t_\t_\t_\t_\t_\t8:nsubj:xsubj\tCopyOf=6
5.2\tnul\tnul\tPRON\t_\tPronType=Neg\t3\tdep\t8.1:dep\t_
6\til\til\tPRON\tCL\tCase=Nom\t8\tnsubj\t8:nsubj|5.1:x\tAlign=1-2,3|Flag
7-8\tl'a\t_\t_\t_\t_\t_\t_\t_\t_
7\tl'\tle\tPRON\t_\t_\t8\tobj\t_\t_
8\ta vu\tvoir\tVERB\t_\tA=a,b\t0\troot\t0:root\t_
9\t_\t_\tPUNCT\t_\t_\t6\tpunct\t_\t_

1\tWell\twell\tINTJ\t_\t_\t_\t_\t_\t_
2\t#1\t\u2014\tNUM\t_\t_\t_\tdep\t_\t_

# text = Yes
# text = No
1\tYes\t_\tX\t_\t_\t0\t_\t_\t_
2\tno\t_\tX\t_\t_\t0\troot\t_\t_

"""
"""Multiword tokens, empty nodes, forms with spaces, crossing arcs, missing heads and labels, odd comments."""


_MOST = 1_000
"""How many sentences of each treebank are read."""


def nasty() -> list[DependencyTree]:
    return [*Treebank.from_bytes(NASTY.encode())]


def every_text(test: Any) -> Any:
    """Marks a test as one that is run with the trees of the nasty text, the sample and each real treebank."""
    ours = [pytest.param(nasty, id="nasty"), pytest.param(lambda: [*sample_treebank("dev")], id="sample")]
    real = [pytest.param(_reading(path), id=path.stem, marks=needs_treebanks) for path in TREEBANK_FILES]
    return pytest.mark.parametrize("read", [*ours, *real])(test)


def _reading(path: Path) -> Any:
    return lambda: [*islice(Treebank(path), _MOST)]
