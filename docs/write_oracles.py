"""Write the pages of docs/oracles, one for each oracle, from the oracles themselves.

python docs/write_oracles.py
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from more_itertools import always_iterable

from deptrees import DependencyTree
from deptrees.drawing.table import DrawnTable
from deptrees.transition import GRAPH_REGISTRY, REGISTRY, ArcEager, ArcHybridSwap, ArcStandardSwap
from deptrees.transition.oracles import BY_NAME, NamedOracle
from deptrees.transition.system import System
from deptrees.transition.transitions import Transition

FOLDER = Path(__file__).parent / "oracles"
EXAMPLES: tuple[tuple[System, DependencyTree], ...] = (
    (ArcEager(), DependencyTree([(0, "Eat"), (1, "fish"), (4, "and"), (1, "rice")])),
    (ArcStandardSwap(), DependencyTree([(5, "What"), (4, "did"), (4, "you"), (0, "talk"), (4, "about")])),
    (ArcHybridSwap(), DependencyTree([(5, "What"), (4, "did"), (4, "you"), (0, "talk"), (4, "about")])),
)
"""Systems with gold trees in which their oracles differ."""


def pages() -> dict[Path, str]:
    """The path and the text of each page."""
    links = [f"* [{name}]({name}.md): {_text(oracle).splitlines()[0]}" for name, oracle in BY_NAME.items()]
    texts = {FOLDER / f"{name}.md": "\n\n".join(_page(oracle)) + "\n" for name, oracle in BY_NAME.items()}
    return {FOLDER / "index.md": "\n".join(["# Oracles", "", *links, ""]), **texts}


def _text(oracle: NamedOracle[Any]) -> str:
    """What a docstring says before the errors and the example."""
    return re.split(r"\n\n(?:Raises:|>>>)", inspect.getdoc(oracle) or "")[0].replace("``", "`")


def _page(oracle: NamedOracle[Any]) -> Iterator[str]:
    registered = {**REGISTRY, **GRAPH_REGISTRY}
    having = [kind for kind, system in registered.items() if oracle.name in system.oracles]
    yield f"# {oracle.name}"
    yield _text(oracle)
    yield f"Its name is `{oracle}` in Python, and `--oracle {oracle.name}` on the command line."
    yield "## Example"
    yield from _example(oracle, *next(pair for pair in EXAMPLES if type(pair[0]).__name__ in having))
    yield "## Systems"
    yield (
        "These systems have this oracle. Their pages show their tables, the complexity of their costs, the trees that\n"
        "they can build and the papers; [Measurements](../measurements/systems.md) has the speed."
    )
    yield "\n".join(f"* [{kind}](../systems/{kind}.md)" for kind in having)


def _example(oracle: NamedOracle[Any], system: System, tree: DependencyTree) -> Iterator[str]:
    sentence = " ".join(token.form for token in tree)
    yield f"In `{system!r}`, with the gold tree *{sentence}*, heads {tree.heads}:"
    rows, mistakes = [], int(oracle.is_complete)
    cfg = system.initial(tree)
    while not cfg.is_final:
        right: tuple[Transition, ...] = tuple(always_iterable(oracle(cfg, tree)))
        wrong = [transition for transition in cfg.possible_transitions() if transition not in right]
        taken = wrong[-1] if wrong and mistakes else right[0]
        mistakes -= taken in wrong
        mark = " (a mistake)" if taken in wrong else ""
        rows.append([repr(cfg).removeprefix(f"{system!r}: "), ", ".join(map(repr, right)), f"{taken!r}{mark}"])
        cfg = taken(cfg)
    yield DrawnTable(["configuration", "oracle", "taken"], [rows]).markdown()
    yield f"The resulting heads are {cfg.heads}."


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
