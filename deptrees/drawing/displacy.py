"""Arc diagrams for displaCy, the visualizer of spaCy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from deptrees.drawing.diagram import BELOW, Arc, ArcDiagram
from deptrees.messages import of_type

__all__ = ["Picture", "displacy"]


class _Word(TypedDict):
    text: str
    tag: str


class _Arc(TypedDict):
    start: int
    end: int
    label: str
    dir: Literal["left", "right"]


class _Settings(TypedDict):
    direction: Literal["ltr", "rtl"]


class Picture(TypedDict):
    """What displaCy draws; its documentation says what the keys mean."""

    words: Sequence[_Word]
    arcs: Sequence[_Arc]
    settings: _Settings
    title: str | None


def displacy(diagram: ArcDiagram) -> Picture:
    """A diagram as what ``spacy.displacy.render(..., style="dep", manual=True)`` takes.

    Words are counted from 0, and arcs start at the word that comes first. Arcs from ROOT and those below the
    words are left out, for displaCy cannot draw them.

    >>> picture = displacy(ArcDiagram(["Birds", "sing"], [Arc(2, 1, "nsubj"), Arc(0, 2, "root")], ["NOUN", "VERB"]))
    >>> picture["words"]
    [{'text': 'Birds', 'tag': 'NOUN'}, {'text': 'sing', 'tag': 'VERB'}]
    >>> picture["arcs"]
    [{'start': 0, 'end': 1, 'label': 'nsubj', 'dir': 'left'}]
    """
    of_type("diagram", diagram, ArcDiagram, "a diagram, such as tree.diagram()")
    tags = diagram.tags or [None] * len(diagram.words)
    words: list[_Word] = [{"text": word, "tag": tag or ""} for word, tag in zip(diagram.words, tags, strict=True)]
    arcs = [_arc(arc) for arc in diagram.arcs if arc.head and arc.kind not in BELOW]
    return {"words": words, "arcs": arcs, "settings": {"direction": diagram.direction}, "title": diagram.name}


def _arc(arc: Arc) -> _Arc:
    start, end = sorted((arc.head - 1, arc.dependent - 1))
    return {
        "start": start,
        "end": end,
        "label": arc.label or "",
        "dir": "left" if arc.dependent < arc.head else "right",
    }
