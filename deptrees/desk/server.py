"""The server of the desk: what the page asks, and what it is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

from deptrees.annotation import (
    Accept,
    Action,
    ActionError,
    Dismiss,
    Join,
    Reopen,
    SetColumn,
    SetHead,
    SetLabel,
    Split,
    findings_in,
)
from deptrees.desk.page import PAGE
from deptrees.desk.work import Seen, Work
from deptrees.drawing.svg import svg
from deptrees.files.records import from_record
from deptrees.local_page import LocalPage, NotThere, Page
from deptrees.printable import printable

__all__ = ["Desk"]

_ACTIONS: dict[str, type[Action]] = {
    kind.__name__: kind for kind in (Accept, Dismiss, Join, Reopen, SetColumn, SetHead, SetLabel, Split)
}
_LABELS = """
    nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop mark nmod appos nummod
    acl amod det clf case conj cc fixed flat list parataxis compound orphan goeswith reparandum punct root dep
"""
_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
_NARROWEST = 300

Record = dict[str, Any]


@attrs.frozen
class _Question:
    """Which sentence is asked for, and how wide its drawing may be."""

    sentence: int
    width: int


@attrs.frozen
class _Deed:
    """What is to be done, and to what."""

    sentence: int
    width: int
    version: int
    action: str


@attrs.frozen(eq=False)
class Desk(LocalPage):
    """A file that is annotated in a browser.

    Args:
        work: the work on the file.
        port: where to listen; 0 for any that is free.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from deptrees import sample_treebank, write_treebank
    >>> from deptrees.desk import work_on
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "sample.conllu")
    ...     _ = write_treebank(path, sample_treebank("dev"))
    ...     with work_on(path) as work, Desk(work) as desk:
    ...         len(desk.answer("overview")["sentences"])
    16
    """

    page: ClassVar[Page] = PAGE
    command: ClassVar[str] = "deptrees annotate"

    work: Work

    def answer(self, path: str, body: object = None) -> Any:
        """The answer to a question of the page: ``"overview"``, ``"news"``, ``"sentence"``, ``"act"`` or ``"undo"``.

        Raises:
            ValueError: the question has no answer, or what is asked cannot be done; the message says why.
            NotThere: there is no such question.
        """
        if body is None and path == "overview":
            return self._overview()
        if body is None and path == "news":
            return self._news()
        if body is not None and path == "sentence":
            question = from_record(body, _Question)
            return self._told(question.sentence, self.work.seen(self._existing(question.sentence)), question.width)
        if body is not None and path == "undo":
            return {"sentence": self.work.undo()}
        if isinstance(body, Mapping) and path == "act":
            deed = from_record({key: value for key, value in body.items() if key != "arguments"}, _Deed)
            if deed.action not in _ACTIONS:
                raise ActionError(f"there is no action {deed.action!r}")
            action: Any = from_record(body.get("arguments"), _ACTIONS[deed.action])
            seen = self.work.act(self._existing(deed.sentence), action, deed.version)
            return self._told(deed.sentence, seen, deed.width)
        raise NotThere(f"there is nothing at {path!r}")

    def _existing(self, number: int) -> int:
        if not 0 <= number < len(self.work.document.sentences):
            raise ActionError(f"there is no sentence {number + 1}")
        return number

    def _news(self) -> Record:
        done = self.work.document.done
        return {
            "learning": self.work.is_learning,
            "learned": self.work.times_learned,
            "fault": self.work.fault,
            "undo": f"{done[-1].action} in sentence {done[-1].number + 1}" if done else None,
        }

    def _overview(self) -> Record:
        sentences = self.work.document.sentences
        labels = Counter(label for sentence in sentences for label in sentence.tree.labels if label)
        features = Counter(token.feats for sentence in sentences for token in sentence.tree if token.feats)
        return {
            "file": self.work.path.name,
            "sentences": [self._row(number) for number in range(len(sentences))],
            "labels": [*dict.fromkeys([label for label, _ in labels.most_common()] + _LABELS.split())],
            "tags": _TAGS.split(),
            "features": [text for text, _ in features.most_common(500)],
            **self._news(),
        }

    def _row(self, number: int) -> Record:
        sentence = self.work.document.sentences[number]
        text = sentence.tree.text or " ".join(token.form for token in sentence.tree)
        n_open = sum(not known for known in sentence.has_label)
        return {"text": printable(text), "open": n_open, "sure": self.work.certainty(number)}

    def _told(self, number: int, seen: Seen, width: int) -> Record:
        sentence = seen.sentence
        known = zip(sentence.has_head, sentence.has_label, strict=True)
        states = ["decided" if has_label else "head" if has_head else "open" for has_head, has_label in known]
        sure = seen.confidence or (None,) * len(states)
        words = [
            {
                "form": printable(token.form),
                "lemma": token.lemma,
                "upos": token.upos,
                "feats": token.feats,
                "head": token.head,
                "label": token.label,
                "state": state,
                "sure": its,
            }
            for token, state, its in zip(sentence.tree, states, sure, strict=True)
        ]
        return {
            "number": number,
            "version": seen.version,
            "name": printable(sentence.tree.sent_id or ""),
            "words": words,
            "findings": [attrs.asdict(finding) for finding in findings_in(sentence)],
            "drawing": svg(sentence.tree.diagram(tags=True), width=max(width, _NARROWEST)),
            "row": self._row(number),
            **self._news(),
        }
