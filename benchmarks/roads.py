"""What each way of asking for the same parses costs: words a second of all calls, in one run, and their ratios.

With a model that has a tokenizer and a tagger, on one thread, by the time of the processor:

    deptrees train --pipeline path/to/en_ewt-train.conllu --output english.model
    python benchmarks/roads.py english.model path/to/en_ewt-test.conllu
"""

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import Timer, arguments

from deptrees import DependencyTree, Parser, Treebank, evaluate, load_parser, write_treebank
from deptrees.file_parsing import FileParsing
from deptrees.treebanks.raw_text import raw_text
from deptrees.treebanks.treebank import write_batches

consume = deque[object](maxlen=0).extend


def read_fully(trees: Iterable[DependencyTree]) -> None:
    """Look at all tokens of all trees."""
    for tree in trees:
        tree.tokens  # noqa: B018  which makes them


def roads(pipeline: Parser, source: Path, text: Path, target: Path) -> list[dict[str, Callable[[], object]]]:
    """The calls that are compared, in groups: each call with the first one of its group."""
    tagger, tokenizer = pipeline.tagger, pipeline.tokenizer
    assert tagger is not None

    def by_file(parsing: FileParsing) -> Callable[[], object]:
        return lambda: write_batches(target, parsing(pipeline, Treebank(source).batches()))

    return [
        {
            "parse_file(path, out)": lambda: pipeline.parse_file(source, target),
            "for tree in parse(Treebank(path))": lambda: consume(pipeline.parse(Treebank(source))),
            "the same, all tokens looked at": lambda: read_fully(pipeline.parse(Treebank(source))),
            "write_treebank(out, parse(Treebank(path)))": lambda: write_treebank(
                target, pipeline.parse(Treebank(source))
            ),
            "deptrees parse --confidence": by_file(FileParsing(confidence=True)),
            "deptrees parse --complete": by_file(FileParsing(complete=True)),
        },
        {
            "raw text by file": lambda: pipeline.parse_file(Treebank(text, tokenizer=tokenizer), target),
            "for tree in parse_text(text)": lambda: consume(pipeline.parse_text(text.read_text(encoding="utf-8"))),
        },
        {
            "tagger(batch)": lambda: consume(map(tagger, Treebank(source).batches())),
            "deptrees tag": lambda: write_batches(target, map(tagger, filter(len, Treebank(source).batches()))),
            "for tree in tag(Treebank(path))": lambda: consume(tagger.tag(Treebank(source))),
        },
    ]


def main() -> None:
    """Compare them."""
    parser = arguments(__doc__)
    parser.add_argument("model")
    parser.add_argument("test")
    parser.add_argument("--copies", type=int, default=2, help="how often the treebank is parsed in one go")
    given = parser.parse_args()
    pipeline, folder = load_parser(given.model), TemporaryDirectory()
    if pipeline.calibration is None:
        pipeline = pipeline.calibrate(list(Treebank(given.test))[:300])
    source, target, text = (Path(folder.name, name) for name in ("source", "target", "text"))
    source.write_bytes((Path(given.test).read_bytes().rstrip() + b"\n\n") * given.copies)
    text.write_text(raw_text(Treebank(source)), encoding="utf-8")
    words = sum(batch.n_words for batch in Treebank(source).batches())
    print(f"{words:,} words, LAS {evaluate(Treebank(source), pipeline.parse(Treebank(source))).las:.2%}")
    for works in roads(pipeline, source, text, target):
        rates = Timer().rates(works, words)
        most = rates[next(iter(works))]
        print(*(f"{rate:12,.0f}  {rate / most:5.2f}  {name}" for name, rate in rates.items()), sep="\n")


if __name__ == "__main__":
    main()
