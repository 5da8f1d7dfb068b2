"""What the average of several seeds' weights gains: the labeled attachment score of single parsers, and of averages.

The average of some seeds is that of the first so many.

    python benchmarks/seeds_averaged.py path/to/treebanks en_ewt fr_partut hu_szeged tr_imst --part dev
"""

import argparse
from pathlib import Path

from measuring import arguments, mean_and_deviation

from deptrees import Columns, DependencyTree, Parser, Treebank, evaluate
from deptrees.engine.mixing import mix


def report(train: Columns, gold: list[DependencyTree], given: argparse.Namespace) -> None:
    """The scores on one treebank."""
    models = [
        Parser.train(train, epochs=given.epochs, beam=given.beam, joint=given.joint, seed=seed).model
        for seed in range(1, given.seeds + 1)
    ]
    print("one seed", mean_and_deviation(evaluate(gold, Parser(model).parse(gold)).las for model in models))
    for count in range(2, given.seeds + 1):
        print(count, "seeds", f"{evaluate(gold, Parser(mix(models[:count])).parse(gold)).las:.2%}", flush=True)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--part", choices=["dev", "test"], default="test")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--joint", action="store_true")
    given = parser.parse_args()
    for name in given.treebanks:
        print(f"\n{name}-{given.part}, LAS, {given.epochs} epochs", flush=True)
        train, gold = (given.folder / f"{name}-{part}.conllu" for part in ("train", given.part))
        report(Columns.encode(Treebank(train)), list(Treebank(gold)), given)
