"""The server of the explorer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import attrs

from deptrees.explorer.graphs import graph_of
from deptrees.explorer.page import PAGE
from deptrees.explorer.questions import GoldTree, Question, TypedSentence, oracles_offered
from deptrees.explorer.recording import recording
from deptrees.explorer.states import Record, state_of, system_html
from deptrees.local_page import LocalPage, NotThere, Page
from deptrees.printable import printable
from deptrees.search import BaseRanking
from deptrees.transition.system import System
from deptrees.transition.systems.registry import GRAPH_REGISTRY, REGISTRY, as_system, entry, name_of
from deptrees.trees.tree import DependencyTree

__all__ = ["Explorer"]

_GRAPH_SYSTEMS = {name: it for name, it in GRAPH_REGISTRY.items() if "dynamic" in it.oracles}
"""Those whose costs are known."""
_SHOWN = 60
"""How many characters of a sentence its choice shows."""


@attrs.frozen(eq=False)
class Explorer(LocalPage):
    """Derivations to look at in a browser.

    Args:
        trees: the gold trees to choose from.
        system: the system to begin with; that of the model if there is one, arc-eager otherwise. Your own must be a
            class that its module has by its name.
        ranking: a model's scores, shown with its own system.
        port: where to listen; 0 for any that is free.

    >>> from deptrees import sample_treebank
    >>> with Explorer(list(sample_treebank("dev")), port=0) as explorer:
    ...     explorer.address  # doctest: +ELLIPSIS
    'http://127.0.0.1:.../.../'
    """

    page: ClassVar[Page] = PAGE
    command: ClassVar[str] = "deptrees explore"

    trees: Sequence[DependencyTree]
    system: System | None = None
    ranking: BaseRanking | None = None

    def answer(self, path: str, body: object = None) -> Any:
        """The answer to a question of the page, as JSON can say it: ``"systems"``, ``"sentence/0"``, ``"step"``, etc.

        Raises:
            ValueError: the question has no answer; the message says why.
            LookupError: there is no such question.
        """
        kind, _, argument = path.partition("/")
        if kind == "systems":
            return self._systems()
        if kind == "sentence" and argument.isdecimal() and int(argument) < len(self.trees):
            return attrs.asdict(GoldTree.of(self.trees[int(argument)]))
        if body is not None and path == "typed":
            return attrs.asdict(TypedSentence.read(body).gold())
        if body is not None and path in _ANSWERS:
            return _ANSWERS[path](Question.read(body), self.ranking)
        raise NotThere(f"there is nothing at {path!r}")

    def _systems(self) -> dict[str, object]:
        texts = [printable(" ".join(word.form for word in tree.tokens)) for tree in self.trees]
        sentences = [text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…" for text in texts]
        begin = self.system or (self.ranking.system if self.ranking else as_system("arc-eager"))
        options = {"root": getattr(begin, "root", ""), "single_root": begin.has_single_root}
        first = name_of(type(begin))  # one's own system, if it is not among the others
        systems = [
            {"name": name, "roots": it.roots, "single_root": it.can_have_single_root, "oracles": oracles_offered(name)}
            for name, it in {**REGISTRY, **_GRAPH_SYSTEMS, first: entry(first)}.items()
        ]
        return {"systems": systems, "sentences": sentences, "system": first, **options}


_ANSWERS: dict[str, Callable[[Question, BaseRanking | None], Record]] = {
    "step": lambda question, ranking: state_of(question.walk(), ranking),
    "end": lambda question, _: {"taken": question.walk().to_the_end().names},
    "system": lambda question, _: {"html": system_html(question.setting().system)},
    "derivations": lambda question, _: {"html": graph_of(question.walk())},
    "recording": lambda question, ranking: {"html": recording(question, ranking)},
}
