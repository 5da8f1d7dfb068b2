"""Training data for any framework: the steps of an oracle as an archive of NumPy arrays.

Each row is a configuration: the positions, forms and tags of five words as numbers, a mask of the gold transitions, a
mask of the possible ones, and the transition taken, which is random three times in ten. To use your own treebank, name
it and the archive to write. Without arguments, the sample treebank is used and the archive is not kept.

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
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from deptrees import Columns, DependencyTree, Treebank, sample_treebank
from deptrees.engine import walk


def arrays(treebank: Columns) -> dict[str, np.ndarray]:
    """The steps through a treebank, some of which follow random transitions."""
    rows: defaultdict[str, list[np.ndarray]] = defaultdict(list)
    asked: dict[str, Any] = {
        "nodes": ["s1", "s0", "s0.left", "b0", "b1"],
        "labels": treebank.vocabularies["deprel"],
        "labeled": True,
        "vocabularies": treebank.vocabularies,
    }
    for derivations, taken in walk(treebank, "arc-hybrid", oracle="dynamic", exploration=0.3, **asked):
        places = derivations.positions()
        rows["places"].append(places)
        rows["forms"].append(derivations.words_at("form", places))
        rows["tags"].append(derivations.words_at("upos", places))
        rows["gold"].append(derivations.gold())
        rows["possible"].append(derivations.possible())
        rows["taken"].append(taken)
    return {name: np.concatenate(found) for name, found in rows.items()}


def write(trees: Iterable[DependencyTree], archive: Path) -> None:
    """Write the archive of a treebank, and print what it contains."""
    treebank = Columns.encode(trees)
    steps: dict[str, Any] = arrays(treebank)
    np.savez_compressed(archive, **steps)
    read = dict(np.load(archive))
    print(f"{len(read['taken']):,} steps of {len(treebank)} sentences")
    for name, array in read.items():
        print(f"{name:10}", " × ".join(map(str, array.shape)))


def main(paths: list[str]) -> None:
    """Write the archive of a treebank, or of the sample treebank."""
    if paths:
        source, target = paths
        write(Treebank(source), Path(target))
    else:
        with TemporaryDirectory() as folder:
            write(sample_treebank("train"), Path(folder, "steps.npz"))


if __name__ == "__main__":
    main(sys.argv[1:])
