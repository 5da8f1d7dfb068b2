"""How accurate training by iterative parameter mixing is, beside training on one machine.

Both are evaluated on the development data, with the mean over some seeds. All is one process here, for the result does
not depend on who does the work.

    python benchmarks/mixing.py path/to/treebanks en_ewt --shards 2 8 --seeds 1
"""

from pathlib import Path

from measuring import accuracy, arguments

from deptrees import Parser, Treebank, evaluate
from deptrees.distributed import train_by_mixing


def compare(folder: Path, name: str, shards: list[int], epochs: int, seeds: int) -> None:
    """Print UAS, LAS and exact match."""
    train, dev = ([*Treebank(folder / f"{name}-{part}.conllu")] for part in ("train", "dev"))

    def report(what: str, parsers: list[Parser]) -> None:
        print(f"{name} {what:12}", accuracy(evaluate(dev, parser.parse(dev)) for parser in parsers), flush=True)

    numbers = range(1, seeds + 1)
    report("one machine", [Parser.train(train, epochs=epochs, seed=seed) for seed in numbers])
    for count in shards:
        report(f"{count} shards", [train_by_mixing(train, count, epochs=epochs, seed=seed) for seed in numbers])


if __name__ == "__main__":
    options = arguments(__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("treebank")
    options.add_argument("--shards", type=int, nargs="+", default=[2, 8])
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--seeds", type=int, default=3)
    given = options.parse_args()
    compare(given.folder, given.treebank, given.shards, given.epochs, given.seeds)
