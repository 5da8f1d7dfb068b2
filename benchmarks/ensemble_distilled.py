"""What a fast linear parser gains from the trees of an ensemble: sentences without trees are parsed by the ensemble.

Of a treebank, some sentences keep their trees. An ensemble learns from them, networks of several seeds and a linear
parser with a beam, and parses all others. A greedy parser then learns from the trees that were kept, from these and the
ensemble's, and from those of the treebank. The interval of 95 % for the difference by seed is that of Student's t.

    python benchmarks/ensemble_distilled.py en_ewt-train.conllu en_ewt-dev.conllu --kept 2000
"""

from measuring import arguments, interval

from deptrees import DependencyTree, Ensemble, Parser, Treebank, evaluate
from deptrees.torch import NeuralParser

if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--kept", type=int, default=2000, help="how many sentences keep their trees")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--networks", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    trees, dev = list(Treebank(given.train)), list(Treebank(given.dev))
    kept, others = trees[: given.kept], trees[given.kept :]
    ensemble = Ensemble(
        [
            NeuralParser.train(kept, epochs=given.epochs, seeds=given.networks),
            Parser.train(kept, epochs=given.epochs, beam=8, joint=True, seeds=3),
        ],
        [given.networks, 1],
    )
    print(f"the ensemble: LAS {evaluate(dev, ensemble.parse(dev)).las:.2%}", flush=True)
    distilled = list(ensemble.parse(others))
    print(f"its trees of {len(others):,} sentences: LAS {evaluate(others, distilled).las:.2%}", flush=True)

    def scores(treebank: list[DependencyTree]) -> list[float]:
        """The LAS of each seed."""
        seeds = range(1, given.seeds + 1)
        return [evaluate(dev, Parser.train(treebank, epochs=given.epochs, seed=seed).parse(dev)).las for seed in seeds]

    base = scores(kept)
    print(f"{'the trees kept':36} {interval(base)}", flush=True)
    for name, treebank in {"and those of the ensemble": kept + distilled, "and those of the treebank": trees}.items():
        found = scores(treebank)
        difference = interval([one - other for one, other in zip(found, base, strict=True)])
        print(f"{name:36} {interval(found)}  {difference}", flush=True)
