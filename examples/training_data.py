"""Training data for any framework: the steps of an oracle as one archive of arrays, which NumPy reads anywhere.

Each row is a configuration: numbers of the forms and tags of five words, a mask of the transitions that the dynamic
oracle names, a mask of those that are possible, and the transition that was taken, a wrong one three times in ten.

    $ python examples/training_data.py
    1,206 steps of 68 sentences
    places     1206 × 5
    forms      1206 × 5
    tags       1206 × 5
    gold       1206 × 81
    possible   1206 × 81
    taken      1206
"""

import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from deptrees import Columns, Treebank, sample_treebank
from deptrees.engine import explore


def arrays(treebank: Columns) -> dict[str, np.ndarray]:
    """The steps through a treebank; a part of them goes on from transitions that are drawn at random."""
    rows: defaultdict[str, list[np.ndarray]] = defaultdict(list)
    asked: dict[str, Any] = {
        "nodes": ["s1", "s0", "s0.left", "b0", "b1"],
        "labels": treebank.vocabularies["deprel"],
        "labeled": True,
        "vocabularies": treebank.vocabularies,
    }
    for derivations, taken in explore(treebank, "arc-hybrid", oracle="dynamic", exploration=0.3, **asked):
        places = derivations.positions()
        rows["places"].append(places)
        rows["forms"].append(derivations.words_at("form", places))
        rows["tags"].append(derivations.words_at("upos", places))
        rows["gold"].append(derivations.gold())
        rows["possible"].append(derivations.possible())
        rows["taken"].append(taken)
    return {name: np.concatenate(found) for name, found in rows.items()}


def main(paths: list[str]) -> None:
    """Make the archive of a treebank, the sample treebank unless one is named."""
    trees = list(Treebank(*paths) if paths else sample_treebank("train"))
    treebank = Columns.encode(trees)
    with TemporaryDirectory() as folder:
        archive = Path(folder, "steps.npz")
        steps: dict[str, Any] = arrays(treebank)
        np.savez_compressed(archive, **steps)
        read = dict(np.load(archive))
    print(f"{len(read['taken']):,} steps of {len(trees)} sentences")
    for name, array in read.items():
        print(f"{name:10}", " × ".join(map(str, array.shape)))


if __name__ == "__main__":
    main(sys.argv[1:])
