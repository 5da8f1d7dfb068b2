"""The benchmarks page and its plots, all from one run, in about a quarter of an hour on an idle machine.

    python benchmarks/page.py path/to/treebanks --output docs      # or make benchmarks TREEBANKS=path/to/treebanks

``--light`` takes a few minutes: fewer words, repetitions and seeds. Without treebanks the sample treebank is repeated.

What a run keeps with ``--keep`` another one is compared with by ``--check``: ratios of rates, which depend on the
machine less than rates do. It fails where one is less than half of what was kept.
"""

import json
import os
import platform
import re
import sys
import tempfile
import textwrap
import time
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import isnan
from pathlib import Path

from measuring import arguments
from sections import SECTIONS, Setting

import deptrees
from deptrees import sample_treebank, to_conllu
from deptrees.evaluation import plot
from deptrees.evaluation.tables import Table

RATIOS = Path(__file__).with_name("ratios.json")
SLOWDOWN = 0.5
NOT_KEPT = re.compile("UDPipe|spaCy|NLTK|threads:? 2|linear|BiLSTM|graph-based")
OTHERS = ("numpy", "torch", "ufal.udpipe", "spacy", "nltk")


def setting(folder: Path | None, light: bool, temporary: Path) -> Setting:
    """What is measured on: English EWT, or the sample treebank many times over."""
    if folder:
        train, test = (folder / f"en_ewt-{part}.conllu" for part in ("train", "test"))
    else:
        train, test = temporary / "train.conllu", temporary / "test.conllu"
        for path, treebank in ((train, sample_treebank("train")), (test, sample_treebank("dev"))):
            path.write_text("".join(map(to_conllu, treebank)) * 60, encoding="utf-8")
    return Setting(train, test, folder, light, temporary)


def processor() -> str:
    """The name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.*)", cpuinfo.read_text()) if cpuinfo.exists() else []
    return names[0] if names else platform.processor() or platform.machine()


def versions() -> str:
    """What ran, in words."""
    found = [f"Python {platform.python_version()}", f"deptrees {deptrees.__version__}"]
    for name in OTHERS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)


def lost(tables: list[Table]) -> list[str]:
    """The rows in which another library does better, to three digits."""
    return [
        f"* {table.title[0].lower()}{table.title[1:]}: {row[0]} is {times} times as good"
        for table in tables
        if table.columns[-1].name == "ours, times as good"
        for row in table.rows
        if not isnan(float(row[-1])) and float(times := f"{1 / float(row[-1]):.3g}") > 1
    ]


def draw(table: Table, path: Path) -> None:
    """A plot, in which what a rate grows with is drawn by its logarithm."""
    figure = plot(table)
    [axes] = figure.axes
    if axes.lines:
        axes.set_xscale("log")
        axes.set_xticks(table.keys[0].values, table.keys[0].shown())
        axes.minorticks_off()
        axes.margins(y=0.1)
        axes.set_ylim(bottom=0)
    else:
        axes.set_ylabel("")
    figure.savefig(path, metadata={"Date": None})


def written(found: dict[str, tuple[str, list[Table]]], command: str, seconds: float, pictures: Path | None) -> str:
    """The page in Markdown; its plots go into a folder, if there is one."""
    tables = [table for _, made in found.values() for table in made]
    about = (
        f"{processor()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}; {versions()}; "
        f"{time.strftime('%B %Y')}; {seconds / 60:.0f} minutes, at the end with a load of {os.getloadavg()[0]:.1f}. "
        "Rates are those of the best repetition, by the time of the processor; with two threads, by the clock."
    )
    parts = [
        "# Benchmarks\n",
        "One run of one command writes this page; other scripts wrote the [measurements](measurements/index.md).\n",
        f"    {command}\n",
        textwrap.fill(about, 120) + "\n",
    ]
    for title, (text, made) in found.items():
        parts.append(f"## {title}\n")
        parts += [text] if text else []
        for table in made:
            parts.append(f"**{table.title}**\n\n{table.drawn().markdown()}\n")
            if pictures and table.plotted:
                name = f"benchmark-{re.sub('[^a-z]+', '-', table.title.lower())}.svg"
                draw(table, pictures / name)
                parts.append(f"![{table.title}](pictures/{name})\n")
    parts.append("## Where others do better\n")
    parts.append("\n".join(lost(tables) or ["Nowhere in this run."]) + "\n")
    return "\n".join(parts)


def ratios(found: dict[str, tuple[str, list[Table]]]) -> dict[str, float]:
    """Rates over the speed of the machine, which is that of plain Python, and over the first one of their table."""
    machine = found["The machine"][1][0]
    unit = float(machine.row("additions in Python, million/s")["found"])
    kept: dict[str, float] = {}
    for _, tables in found.values():
        for table in tables:
            if table.columns[1].name.endswith("/s") and "clock" not in table.title:
                ours = [(str(row[0]), float(row[1])) for row in table.rows if not NOT_KEPT.search(str(row[0]))]
                for number, (name, rate) in enumerate(ours):
                    kept[f"{table.title}: {name}"] = float(f"{rate / (ours[0][1] if number else unit):.4g}")
    return kept


def slowdowns(kept: dict[str, float], now: dict[str, float]) -> list[str]:
    """The ratios that are much less than they were, and those that are gone."""
    return [
        f"{name}: {now.get(name, 0):.3g}, was {was:.3g}"
        for name, was in kept.items()
        if now.get(name, 0) < SLOWDOWN * was
    ]


def measured(given: Setting) -> dict[str, tuple[str, list[Table]]]:
    """The title of each section with its text and its tables."""
    found = {}
    for section in SECTIONS:
        title, _, text = (section.__doc__ or "").partition("\n")
        print(title, file=sys.stderr, flush=True)
        paragraphs = "\n".join(line.strip() for line in text.strip().splitlines())
        found[title.rstrip(".")] = (f"{paragraphs}\n" if paragraphs else "", section(given))
    return found


def main() -> None:
    """Measure; write the page, keep ratios, or compare them with those that were kept."""
    parser = arguments(__doc__)
    parser.add_argument("treebanks", type=Path, nargs="?")
    parser.add_argument("--output", type=Path, help="the folder of the page, which has a folder pictures")
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.output and find_spec("matplotlib") is None:
        sys.exit("plots need Matplotlib: pip install 'deptrees[plot]'")  # before a quarter of an hour of measuring
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(setting(given.treebanks, given.light, Path(folder)))
    command = "python benchmarks/page.py" + " path/to/treebanks" * bool(given.treebanks)
    command += " --light" * given.light + " --output docs" * bool(given.output)
    pictures = given.output and given.output / "pictures"
    page = written(found, command, time.perf_counter() - began, pictures)
    if given.output:
        (given.output / "benchmarks.md").write_text(page, encoding="utf-8")
    else:
        print(page)
    if given.keep:
        RATIOS.write_text(json.dumps(ratios(found), indent=1) + "\n", encoding="utf-8")
    if given.check and (slower := slowdowns(json.loads(RATIOS.read_text(encoding="utf-8")), ratios(found))):
        sys.exit("slower than they were:\n" + "\n".join(slower))


if __name__ == "__main__":
    main()
