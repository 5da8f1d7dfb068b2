"""Write the pages of docs/recordings: derivations that step without a server.

Those of the systems are made for the site only: docs/conf.py puts each on the page of its system.

python docs/write_recordings.py
"""

from pathlib import Path

import attrs

from deptrees.explorer import GoldTree, Question, recording
from deptrees.transition import REGISTRY

FOLDER = Path(__file__).parent / "recordings"

SAW = GoldTree(("I", "saw", "a", "dog"), (2, 0, 4, 2))
ABOUT = GoldTree(("What", "did", "you", "talk", "about"), (5, 4, 4, 0, 4))

RECORDINGS = {
    "arc-eager-recovers.html": Question(SAW, "ArcEager", "last", False, "dynamic", ("Shift()", "Shift()")),
    "arc-standard-swaps.html": Question(ABOUT, "ArcStandardSwap", "first", False, "static_lazy_swap"),
}
"""Transitions to begin with; the oracle goes on."""


def of_systems() -> dict[str, str]:
    """For each system a derivation by its static oracle."""
    return {name: recording(_to_the_end(_example(name))) for name in REGISTRY}


def _example(name: str) -> Question:
    system = REGISTRY[name].example
    sentence = next(each for each in (ABOUT, SAW) if system.obstacle(each.tree()) is None)
    return Question(sentence, name, getattr(system, "root", ""), False, "static")


def pages() -> dict[Path, str]:
    """The path and the text of each page."""
    return {FOLDER / name: recording(_to_the_end(question)) for name, question in RECORDINGS.items()}


def _to_the_end(question: Question) -> Question:
    return attrs.evolve(question, taken=question.walk().to_the_end().names)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
