"""Cross-lingual transfer: a parser learns from the treebank of another language first, then from a few sentences.

A delexicalized parser is trained on the large treebank (Zeman & Resnik 2008). Training goes on with words, on the first
sentences of the other treebank. Beside it: the same sentences alone, and the delexicalized parser as it is. The table
has labeled attachment scores on the test part of the other treebank.

    python benchmarks/transfer.py path/to/treebanks en_ewt fr_partut
"""

from pathlib import Path

from measuring import arguments, train_and_test

from deptrees import Parser, evaluate
from deptrees.features import DELEXICALIZED, WITH_FEATS


def main() -> None:
    """Measure and print a table."""
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("large")
    parser.add_argument("small")
    parser.add_argument("--sentences", type=int, nargs="+", default=[0, 10, 30, 100, 300])
    parser.add_argument("--epochs", type=int, default=10)
    given = parser.parse_args()
    large, _ = train_and_test(given.folder, given.large)
    small, test = train_and_test(given.folder, given.small)
    delexicalized = Parser.train(large, templates=DELEXICALIZED, epochs=given.epochs)
    print(f"{given.small}-test, LAS: {given.large} first, then sentences of {given.small}")
    print(f"{'sentences':>9} {'transferred':>12} {'alone':>7}")
    for count in given.sentences:
        found = []
        for start in delexicalized, None:
            if count:
                start = Parser.train(small[:count], templates=WITH_FEATS, epochs=given.epochs, start=start)
            found.append("" if start is None else f"{evaluate(test, start.parse(test)).las:.2%}")
        print(f"{count:9} {found[0]:>12} {found[1]:>7}", flush=True)


if __name__ == "__main__":
    main()
