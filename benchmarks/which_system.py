"""The map of all transition systems, and the page that says which to take.

    python benchmarks/which_system.py path/to/treebanks --output docs/which-system.md

Each system: what it can build, what its derivations are like, and how it parses with the same
training. What is found of each is kept in a file, so that a run that was cut off goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from statistics import fmean
from textwrap import fill
from typing import Any

from measuring import Timer, arguments
from oracles_on_treebanks import systems

from deptrees import DependencyTree, Parser, Treebank, evaluate, is_projective
from deptrees.engine.trainer import uncompiled
from deptrees.transition import (
    Oracle,
    System,
    count_derivations,
    is_arc_decomposable,
    loss,
    reachable,
    static_oracle,
)
from deptrees.trees.enumeration import projective_trees

TREEBANKS = {
    "English": "en_ewt",
    "French": "fr_partut",
    "Hungarian": "hu_szeged",
    "Turkish": "tr_imst",
    "Ancient Greek": "grc_proiel",
}
LEARNED = "tr_imst"
"""From which parsers learn, and which has the shortest sentences."""
ABOUT = """
*Covers*: the share of the trees of the development data that a system can build, in percent. *Steps*: transitions a
word, and *depth*: how many words its stack has at most: means over the {walked} first projective trees of English,
with its static oracle. *Derivations*: how many a projective tree of five words has, in the mean, all of equal cost:
what is called spurious ambiguity. *Sums*: whether gold arcs that are each reachable are so together (arc-decomposable,
with up to four words), so that losses are sums. *Loss*: the microseconds that one takes in the functional layer,
halfway through these sentences. *States*: the configurations of four words, in which the tests, of some systems `make
proof`, compare its oracles with exhaustive search. *Online*: whether words can come one after the other. *LAS*: on the
test data of Turkish, after {epochs} epochs with the first {sentences} sentences, default settings, and the oracle that
training takes by default; and the *words/s* of the processor with which it parses them, from trees to trees. Systems
that the engine does not run, which are slower, stand here with their first options only. `JointTags` sees no tags but
its own, where others see gold tags. With all data and the settings that suit it each system does better, and these few
sentences do not tell systems apart that are within a point.
"""
CHART = """
1. **Do you only want a parser?** Take what `Parser.train(treebank)` takes, arc-eager with ROOT last. It is among the
   fastest and the best here, and [pseudo-projective encoding](projectivity.md#pseudo-projective-trees) gives it
   crossing arcs, which it cannot build.
2. **Do arcs cross in more than one tree in ten?** `deptrees diagnose` says how many do.
    * To build all trees, fast: `ArcStandardSwap` or `ArcHybridSwap`.
    * To build all trees with exact losses that take little time: `ListBasedNonProjective` or `PointerNonProjective`.
    * To build nearly all, with a stack and arcs over a word: `MH4` and its relatives, or `Attardi`.
3. **Are words allowed to have no head?** `ArcEagerPartial` and `ArcHybridPartial`; with short arcs only, `ArcEagerSpan`
   and `ArcHybridSpan`. Where speakers correct themselves, `ArcEagerEdit`.
4. **Do words arrive one after the other?** Take one that is *online*, and see [word by word](incremental.md). A stack
   that stays as shallow as what people remember is that of `LeftCorner`.
5. **Are sums over derivations wanted, or the best derivation for certain?** `ArcHybrid` or `ArcEager`, with the
   [chart](inference.md).
6. **Is each gold tree to have one derivation?** Those with 1.0 *derivations*, such as the pointing systems.
7. **Do you study the order of decisions?** `EasyFirst`, `LRSpines`, `StackPointerNonProjective`.
"""
COLUMNS: Mapping[str, tuple[str, str]] = {
    **{language: (language, ".1f") for language in TREEBANKS},
    "steps": ("steps", ".2f"),
    "depth": ("depth", ".1f"),
    "derivations": ("derivations", ",.1f"),
    "sums": ("sums", ""),
    "loss": ("loss", ",.0f"),
    "states": ("states", ",d"),
    "online": ("online", ""),
    "las": ("LAS", ".1f"),
    "speed": ("words/s", ",.0f"),
}
"""What is found: the heading of its column, and how it is written."""


def walk(system: System, tree: DependencyTree) -> list[Any]:
    """The configurations of the static oracle's derivation."""
    return [cfg for cfg, _ in Oracle(system, "static")(tree)]


def depth(cfg: Any) -> float:
    """How many words the stack has, ROOT left out."""
    return sum(map(bool, cfg.stack))


def of_derivations(system: System, trees: list[DependencyTree]) -> dict[str, Any]:
    """What the derivations of trees are like."""
    walks = [walk(system, DependencyTree(tree.tokens)) for tree in trees]
    fresh = [(steps[len(steps) // 2], DependencyTree(tree.tokens)) for steps, tree in zip(walks, trees, strict=True)]
    found: dict[str, Any] = {"steps": sum(map(len, walks)) / sum(map(len, trees))}
    found["depth"] = fmean(max(map(depth, steps)) for steps in walks) if hasattr(walks[0][0], "stack") else None
    taken = Timer().time("loss", lambda: [loss(*pair) for pair in fresh], len(fresh), repetitions=1)
    return found | {"loss": 1e6 * float(taken.mean())}


def of_learning(system: System, given: argparse.Namespace) -> dict[str, Any]:
    """How a parser with this system parses that has learned from a few sentences."""
    parts = (given.folder / f"{LEARNED}-{part}.conllu" for part in ("train", "test"))
    train, test = (list(islice(Treebank(path), given.sentences)) for path in parts)
    parser = Parser.train(train, system=system, epochs=given.epochs, seed=1)
    las = evaluate(test, parser.parse(test)).las
    speed = Timer().rate("parsing", lambda: list(parser.parse(test)), sum(map(len, test)), repetitions=2)
    return {"las": 100 * las, "speed": speed}


def measured(system: System, given: argparse.Namespace) -> dict[str, Any]:
    """All that the page says of a system."""
    found: dict[str, Any] = {}
    for language, name in TREEBANKS.items():
        trees = list(Treebank(given.folder / f"{name}-dev.conllu"))
        found[language] = 100 * fmean(system.obstacle(tree) is None for tree in trees)
    english = filter(is_projective, Treebank(given.folder / f"{TREEBANKS['English']}-dev.conllu"))
    found |= of_derivations(system, list(islice(english, given.walked)))
    plain = [tree for tree in projective_trees(5) if len(tree.roots) == 1]
    found["derivations"] = fmean(count_derivations(system, tree) for tree in plain)
    found["sums"] = is_arc_decomposable(system, 4)
    found["states"] = sum(1 for _ in reachable(system, 4))
    found["online"] = system.lookahead is not None
    return found | of_learning(system, given)


def cell(value: Any, form: str) -> str:
    """What is found, as it stands in the table."""
    if value is None:
        return "-"
    return ("yes" if value else "no") if isinstance(value, bool) else format(value, form)


def page(found: Mapping[str, Mapping[str, Any]], given: argparse.Namespace) -> str:
    """The page in Markdown."""
    rows = [
        ["system", *(heading for heading, _ in COLUMNS.values())],
        ["---"] * (1 + len(COLUMNS)),
        *([f"`{name}`", *(cell(row[key], form) for key, (_, form) in COLUMNS.items())] for name, row in found.items()),
    ]
    about = ABOUT.format(walked=given.walked, epochs=given.epochs, sentences=given.sentences)
    return "\n".join(
        [
            "# Which system when\n",
            "Each system has [a page of its own](systems/index.md). This one tells them apart.\n",
            CHART.strip() + "\n",
            "## The map\n",
            "    python benchmarks/which_system.py path/to/treebanks --output docs/which-system.md\n",
            fill(about.strip(), 120) + "\n",
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
        ]
    )


def known(given: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is found of each system, now or in a run before this one."""
    given.kept.parent.mkdir(parents=True, exist_ok=True)
    given.kept.touch()
    size = [given.walked, given.sentences, given.epochs]
    kept = {name: found for of, name, found in map(json.loads, given.kept.read_text().splitlines()) if of == size}
    firsts = {type(system): system for system in reversed(systems())}
    for system in systems():
        if system != firsts[type(system)] and uncompiled(system, static_oracle):
            continue  # which takes minutes
        name = repr(system)
        if name not in kept:
            print(name, file=sys.stderr, flush=True)
            kept[name] = measured(system, given)
            with given.kept.open("a") as file:
                print(json.dumps([size, name, kept[name]]), file=file)
        yield name, kept[name]


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path("which-system.md"))
    parser.add_argument("--kept", type=Path, default=Path("build/which-system.jsonl"))
    parser.add_argument("--walked", type=int, default=300, help="sentences of which the derivations are looked at")
    parser.add_argument("--sentences", type=int, default=500, help="from which parsers learn")
    parser.add_argument("--epochs", type=int, default=4)
    given = parser.parse_args()
    given.output.write_text(page(dict(known(given)), given), encoding="utf-8")
