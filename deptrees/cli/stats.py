"""The command ``stats``."""

from __future__ import annotations

import deptrees
from deptrees.cli.options import Files, Lenient
from deptrees.cli.tables import By, Csv, Json, Plot, Train, Universal, Where, show

__all__ = ["stats"]


def stats(
    files: Files,
    by: By = "",
    where: Where = None,
    universal: Universal = False,
    train: Train = None,
    json: Json = False,
    csv: Csv = False,
    plot: Plot = None,
    skip_invalid: Lenient = False,
) -> None:
    """Count what is in a treebank: an overview, or its words by any attributes of the command analyze."""
    trees = deptrees.Treebank(*files, strict=not skip_invalid)
    known = deptrees.Treebank(train) if train else None
    show(deptrees.statistics(trees, by, where=where or (), universal=universal, train=known), json, csv, plot)
