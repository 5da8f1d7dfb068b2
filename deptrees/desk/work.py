"""The work on a file: what is in it, what is proposed, and the parser that learns meanwhile."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

import attrs

from deptrees.annotation import Action, ActionError, AnnotatedSentence, Document, Helper
from deptrees.annotation.helper import FEWEST
from deptrees.files.locks import only_process
from deptrees.files.output import check_output, write_output
from deptrees.messages import of_type, whole_number
from deptrees.training.records import TrainingError
from deptrees.treebanks.conllu import NOT_UTF_8, ConlluError

__all__ = ["MORE", "Seen", "Work", "work_on"]

MORE = 0.05
"""How many more heads are decided, as a share of those that it knows, before the parser learns anew."""

_Signature = tuple[int, int, int]


@attrs.frozen
class Seen:
    """A sentence as annotators see it.

    Args:
        sentence: the sentence, with proposals for all that is not decided.
        confidence: how probable it is that each head and label is right; ``None`` if that is not known.
    """

    sentence: AnnotatedSentence
    confidence: tuple[float, ...] | None

    @property
    def version(self) -> int:
        """A number that tells it from what was there before."""
        return crc32("\n".join(self.sentence.lines).encode())


@attrs.define(eq=False)
class Work:
    """The work on a file, from one or more threads.

    Args:
        path: the file.
        document: what is in it.
        helper: the parser that helps; without one, one learns as soon as there is something to learn from.
    """

    path: Path
    document: Document
    helper: Helper | None = None
    learned_from: int = attrs.field(default=0, init=False)
    """The number of words whose heads were decided when the parser last began to learn."""
    times_learned: int = attrs.field(default=0, init=False)
    """How often there were new proposals for all sentences."""
    fault: str = attrs.field(default="", init=False)
    """Why it could not learn, if it could not."""
    _sure: dict[int, tuple[float, ...]] = attrs.field(factory=dict, init=False)
    _seen: dict[int, Seen] = attrs.field(factory=dict, init=False)
    _lock: threading.RLock = attrs.field(factory=threading.RLock, init=False)
    _learning: threading.Thread | None = attrs.field(default=None, init=False)
    _signature: _Signature = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        of_type("path", self.path, Path, "a path")
        of_type("document", self.document, Document, "a Document")
        self._signature = _signature_of(self.path)
        self._begin_to_learn(at_once=True)

    @property
    def is_learning(self) -> bool:
        """Whether a parser learns at the moment."""
        return self._learning is not None and self._learning.is_alive()

    def _sentence(self, number: int) -> AnnotatedSentence:
        return self.document.sentences[whole_number("number", number, 0, len(self.document.sentences) - 1)]

    def certainty(self, number: int) -> float | None:
        """The share of a sentence's words that are probably right, of all that are not decided; ``None`` if unknown."""
        with self._lock:
            sentence, sure = self._sentence(number), self._sure.get(number)
            if sure is None or not sentence.is_open or len(sure) != len(sentence.tree):
                return None
            rest = [its for its, known in zip(sure, sentence.has_label, strict=True) if not known]
            return sum(rest) / len(rest)

    def seen(self, number: int) -> Seen:
        """The sentence with this index, with the parser's latest proposals."""
        with self._lock:
            sentence = self._sentence(number)
            found = self._seen[number] = self._with_proposals(sentence)
            if found.confidence is not None:
                self._sure[number] = found.confidence
            return found

    def act(self, number: int, action: Action, version: int | None = None) -> Seen:
        """Do something to the sentence with this index, and save the file.

        Args:
            number: the index, from 0.
            action: the action.
            version: that of the sentence as the annotator sees it.

        Raises:
            ActionError: it is not possible, the sentence is not what the annotator sees, or another program has changed
                the file.
            OSError: the file cannot be written; then nothing was done.
        """
        with self._lock:
            shown = self._seen.get(number) or self.seen(number)
            if version not in (None, shown.version):
                raise ActionError("the sentence has changed meanwhile: look again")
            after: list[Seen] = []

            def helped(sentence: AnnotatedSentence) -> AnnotatedSentence:
                after.append(self._with_proposals(sentence))
                return after[0].sentence

            document = self.document.act(number, action, helped, shown.sentence)
            self._save(document)
            [found] = after
            self._seen[number] = found
            if found.confidence is not None:
                self._sure[number] = found.confidence
            self._begin_to_learn()
            return found

    def undo(self) -> int:
        """Undo the latest action, save the file, and return the index of the sentence.

        Raises:
            ActionError: there is none, or another program has changed the file.
        """
        with self._lock:
            document = self.document.undo()
            number = self.document.done[-1].number
            self._save(document)
            self._seen.pop(number, None)
            return number

    def wait(self) -> None:
        """Wait until the parser has learned, if it does at the moment."""
        if self._learning is not None:
            self._learning.join()

    def _with_proposals(self, sentence: AnnotatedSentence) -> Seen:
        if self.helper is None or not sentence.is_open:
            return Seen(sentence, None)
        [proposal] = self.helper.propose([sentence])
        return Seen(sentence.proposed(proposal.heads, proposal.labels), proposal.confidence)

    def _save(self, document: Document) -> None:
        if _signature_of(self.path) != self._signature:
            raise ActionError("another program has changed the file: stop, look what is in it, and begin again")
        write_output(self.path, [document.text.encode()])
        self._signature = _signature_of(self.path)
        self.document = document

    def _begin_to_learn(self, *, at_once: bool = False) -> None:
        """Have the parser learn, if it does not at the moment and there is enough that is new."""
        known = [sentence for sentence in self.document.sentences if sentence.n_decided]
        n_decided = sum(sentence.n_decided for sentence in known)
        has_more = n_decided > self.learned_from * (1 + MORE) and len(known) >= FEWEST
        if self.is_learning or not (at_once or has_more):
            return
        learns = has_more and not (at_once and self.helper is not None)
        self.learned_from = n_decided if learns else self.learned_from
        self._learning = threading.Thread(target=self._learn, args=(known if learns else [],), daemon=True)
        self._learning.start()

    def _learn(self, known: list[AnnotatedSentence]) -> None:
        """Learn from sentences, if there are any, and look at all that are open; both without the lock."""
        try:
            helper = self.helper
            if known:
                helper = Helper.of(known) if helper is None or helper.is_own else helper.trained(known)
            if helper is None:
                return
            sentences = self.document.sentences
            open_ones = [number for number, sentence in enumerate(sentences) if sentence.is_open]
            found = helper.propose([sentences[number] for number in open_ones])
            sure = {n: its.confidence for n, its in zip(open_ones, found, strict=True) if its.confidence is not None}
            with self._lock:
                self.helper, self._sure, self.fault = helper, sure, ""
                self.times_learned += 1
        except (TrainingError, ValueError) as error:
            self.fault = str(error)


@contextmanager
def work_on(path: str | os.PathLike[str], helper: Helper | None = None) -> Iterator[Work]:
    """Work on a file, which no other process may do meanwhile.

    Raises:
        BlockingIOError: another process does.
        ConlluError: the file is not valid.
        OSError: the file cannot be read or written.
    """
    check_output(path)
    with only_process(path):
        try:
            text = Path(path).read_bytes().decode()
        except UnicodeDecodeError as error:
            raise ConlluError(os.fspath(path), error.object.count(b"\n", 0, error.start) + 1, None, NOT_UTF_8) from None
        work = Work(Path(path), Document.read(text, os.fspath(path)), helper)
        yield work


def _signature_of(path: Path) -> _Signature:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns
