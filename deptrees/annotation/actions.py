"""What annotators do: actions, which are values, and functions of a sentence."""

from __future__ import annotations

import re
from typing import Protocol

import attrs

from deptrees.annotation.findings import dismissed, dismissing
from deptrees.annotation.sentences import ActionError, AnnotatedSentence
from deptrees.messages import quoted

__all__ = ["Accept", "Action", "Dismiss", "Reopen", "SetColumn", "SetHead", "SetLabel"]

_EDITED = ("lemma", "upos", "xpos", "feats")
_SPACE = re.compile(r"\s")


class Action(Protocol):
    """A change of one sentence."""

    def __call__(self, sentence: AnnotatedSentence, /) -> AnnotatedSentence:
        """The sentence after it.

        Raises:
            ActionError: it is not possible there.
        """


@attrs.frozen
class SetHead:
    """Decide the head of a word; its label is proposed anew.

    Args:
        word: the word, from 1.
        head: its head, 0 for ROOT.
    """

    word: int
    head: int

    def __call__(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        return sentence.decided(self.word, self.head, None)


@attrs.frozen
class SetLabel:
    """Decide the label of a word, and with it the head that it has.

    Args:
        word: the word, from 1.
        label: the label.
    """

    word: int
    label: str

    def __call__(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        head = sentence.column(self.word, "head")
        if head == "_":
            raise ActionError(f"word {self.word} has no head yet: choose it first, and then the label of the arc")
        return sentence.decided(self.word, int(head), _text(self.label, "a label"))


@attrs.frozen
class Accept:
    """Decide that the proposals for some words are right.

    Args:
        words: the words, from 1; none stands for all.
    """

    words: tuple[int, ...] = ()

    def __call__(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        return sentence.accepted(self.words or tuple(sentence.rows))


@attrs.frozen
class Reopen:
    """Take the arcs of some words as proposals, such as those of a parser in a file from elsewhere.

    Args:
        words: the words, from 1; none stands for all.
    """

    words: tuple[int, ...] = ()

    def __call__(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        return sentence.reopened(self.words or tuple(sentence.rows))


@attrs.frozen
class SetColumn:
    """Write a tag, features or a lemma.

    Args:
        word: the word, from 1.
        column: ``lemma``, ``upos``, ``xpos`` or ``feats``.
        text: what to write; nothing and ``_`` mean that it is missing.
    """

    word: int
    column: str
    text: str

    def __call__(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        if self.column not in _EDITED:
            raise ActionError(f"{quoted(self.column)} is not edited: choose one of {', '.join(_EDITED)}")
        return sentence.with_columns({self.word: {self.column: _text(self.text or "_", f"a text of {self.column}")}})


@attrs.frozen
class Dismiss:
    """Say why something that was found is right all the same; the reason stays in the file, as a comment.

    Args:
        word: the word that it is about.
        rule: the rule that is broken.
        reason: why it does not apply.
    """

    word: int
    rule: str
    reason: str

    def __call__(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        reason = " ".join(self.reason.split())
        if not reason:
            raise ActionError("say in a few words why it is right: they stay in the file for others")
        if (self.word, self.rule) in dismissed(sentence):
            raise ActionError(f"{self.rule} of word {self.word} is dismissed already")
        return sentence.with_comments([*sentence.tree.comments, dismissing(self.word, self.rule, reason)])


def _text(text: str, what: str) -> str:
    if not text or _SPACE.search(text):
        raise ActionError(f"{quoted(text)} is not {what}: it has no spaces, and is not empty")
    return text
