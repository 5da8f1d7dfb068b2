"""A walk as a page of its own, which steps without a server."""

from __future__ import annotations

import json

import attrs

from deptrees.explorer.page import PAGE
from deptrees.explorer.questions import Question
from deptrees.explorer.states import state_of
from deptrees.messages import of_type
from deptrees.search import BaseRanking

__all__ = ["recording"]


def recording(question: Question, ranking: BaseRanking | None = None) -> str:
    """A page with all steps of a walk: one file that asks for nothing from outside.

    Args:
        question: the sentence, the system, the oracle and the transitions.
        ranking: a model's scores, for the same system.

    Raises:
        TreeError: the heads make no tree.
        UnknownSystem: there is no such system.
        WalkError: there is no such walk.

    >>> from deptrees.explorer.questions import GoldTree
    >>> taken = ("Shift()", "LeftArc()", "Shift()", "LeftArc()")
    >>> page = recording(Question(GoldTree(("Birds", "sing"), (2, 0)), "ArcHybrid", "last", False, "dynamic", taken))
    >>> page.count("<script"), "src=" in page
    (3, False)
    """
    of_type("question", question, Question, "a Question")
    of_type("ranking", ranking, BaseRanking | None, "a ranking of transitions, or None")
    walks = [attrs.evolve(question, taken=question.taken[:count]).walk() for count in range(len(question.taken) + 1)]
    system = walks[0].setting.system
    recorded = {
        "title": f"{' '.join(question.sentence.words)}: {system!r}, {question.oracle} oracle",
        "question": attrs.asdict(question),
        "states": [state_of(walk, ranking) for walk in walks],
    }
    steps = json.dumps(recorded, ensure_ascii=False).replace("<", "\\u003c")  # so that no word ends the script
    script = f'<script type="application/json" id="steps">{steps}</script>\n<script type="module">'
    return (
        PAGE.content("index.html")
        .replace('<link rel="stylesheet" href="base.css">', f"<style>\n{PAGE.content('base.css')}</style>")
        .replace('<link rel="stylesheet" href="explorer.css">', f"<style>\n{PAGE.content('explorer.css')}</style>")
        .replace('<script src="base.js">', f"<script>\n{PAGE.content('base.js')}")
        .replace('<script src="explorer.js" type="module">', f"{script}\n{PAGE.content('explorer.js')}")
    )
