"""A fast parser that learns from the trees that a better one, its teacher, makes of plain text.

The teacher may be of any kind; tokens and tags are those of a trained pipeline, whose parser is trained anew: from the
treebank with tags like those that it is going to see, and from so many words of the plain text that the teacher has
parsed, which are kept in a file. The scores are LAS on the test data, as an F1.

    python benchmarks/teaching.py teacher.model english.model plain.txt en_ewt-train.conllu en_ewt-dev.conllu \
        en_ewt-test.conllu --kept plain.conllu --output taught.model
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
from measuring import arguments

from deptrees import DependencyTree, Parser, Treebank, load_parser
from deptrees.pipeline import SETTINGS, pipeline_scores
from deptrees.tagger import jackknifed


def first(trees: Treebank, words: int) -> Iterator[DependencyTree]:
    """The first sentences, of so many words in all."""
    for tree in trees:
        words -= len(tree)
        if words < 0:
            return
        yield tree


def row(name: str, parser: Parser, gold: list[DependencyTree], seconds: float) -> str:
    """A row of the table."""
    scores = pipeline_scores(parser, gold)
    return (
        f"| {name} |"
        + "".join(f" {scores[it]['LAS']:.2%} |" for it in ("gold tokens", "raw text", "raw text in one line"))
        + f" {seconds:.0f} |"
    )


def main() -> None:
    """Parse the plain text, train, and print a table."""
    given = _arguments().parse_args()
    pipeline, gold = load_parser(given.pipeline), list(Treebank(given.test))
    teacher = attrs.evolve(load_parser(given.teacher), tokenizer=pipeline.tokenizer, tagger=pipeline.tagger)
    if not given.kept.exists():
        teacher.parse_file(Treebank(given.text, tokenizer=pipeline.tokenizer), given.kept)
    print("| learned from | gold tokens | raw text | in one line | s |\n" + "|---" * 5 + "|", flush=True)
    print(row("teacher", teacher, gold, 0), flush=True)
    assert pipeline.tagger
    train, dev = list(jackknifed(Treebank(given.train))), list(pipeline.tagger.tag(Treebank(given.dev)))
    for words in given.words:
        start = time.process_time()
        trees = [*train, *first(Treebank(given.kept), words)]
        parser = Parser.train(trees, dev=dev, **{**SETTINGS, "seeds": given.seeds})
        parser = attrs.evolve(parser, tokenizer=pipeline.tokenizer, tagger=pipeline.tagger)
        print(row(f"the treebank and {words:,} words", parser, gold, time.process_time() - start), flush=True)
        if given.output:
            parser.save(given.output)


def _arguments() -> Any:
    parser = arguments(__doc__)
    for name in ("teacher", "pipeline", "text", "train", "dev", "test"):
        parser.add_argument(name)
    parser.add_argument("--kept", type=Path, required=True, help="the plain text as the teacher has parsed it")
    parser.add_argument(
        "--words", type=int, nargs="+", default=[0, 200_000, 800_000], help="of it, that are learned from"
    )
    parser.add_argument("--seeds", type=int, default=SETTINGS["seeds"])
    parser.add_argument("--output", help="save the last parser to this file")
    return parser


if __name__ == "__main__":
    main()
