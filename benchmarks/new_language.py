"""A language without a treebank: how well it is parsed after 0, 10, 50 and 200 of its sentences have been annotated.

One treebank is taken as the language without any, another as the nearest that there is. Parsers learn from the new
sentences only (``alone``), or from the other language without words first, and then from them (``transfer``). The
tagger learns from the new sentences, and without any from the other language. Tags are the tagger's, and tokens are
gold. The scores are UPOS, UAS and LAS on the test data, and LAS with gold tags, for what is missing without a tagger.

    python benchmarks/new_language.py en_ewt-train.conllu fr_partut-train.conllu fr_partut-test.conllu
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import attrs
from measuring import arguments

from deptrees import DependencyTree, Parser, Tagger, Treebank, evaluate
from deptrees.evaluation import evaluate_ud
from deptrees.features import DELEXICALIZED, WITH_FEATS
from deptrees.tagger import jackknifed

COUNTS = (0, 10, 50, 200)
MOST, EPOCHS = 4000, 5


def parsers(other: list[DependencyTree], new: list[DependencyTree]) -> Iterator[tuple[str, Parser]]:
    """The ways to get a parser with a tagger from the trees of another language and the new ones."""
    tagger = Tagger.train(new or other, seeds=1)
    transferred = Parser.train(other, templates=DELEXICALIZED, epochs=EPOCHS)
    if new:
        tagged = [*jackknifed(new)]
        yield "alone", attrs.evolve(Parser.train(tagged, templates=WITH_FEATS, epochs=EPOCHS), tagger=tagger)
        transferred = Parser.train(tagged, templates=WITH_FEATS, epochs=EPOCHS, start=transferred)
    yield "transfer", attrs.evolve(transferred, tagger=tagger)


def main() -> None:
    """Print the table."""
    parser = arguments(__doc__)
    for name in ("other", "new", "test"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    other, new, test = (list(Treebank(path)) for path in (args.other, args.new, args.test))
    Random(1).shuffle(new)
    print("| sentences | | UPOS | UAS | LAS | LAS, gold tags |\n|---|---|---|---|---|---|")
    for count in COUNTS:
        for name, made in parsers(other[:MOST], new[:count]):
            parsed = list(made.parse(test))
            scores, upos = evaluate(test, parsed), evaluate_ud(test, parsed).row("UPOS")["f1"]
            gold_tags = evaluate(test, attrs.evolve(made, tagger=None).parse(test)).las
            print(
                f"| {count} | {name} |",
                *(f"{it:.1%} |" for it in (upos, scores.uas, scores.las, gold_tags)),
                flush=True,
            )


if __name__ == "__main__":
    main()
