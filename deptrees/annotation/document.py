"""A file that is being annotated: its text, and the actions done to it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import attrs

from deptrees.annotation.actions import Action
from deptrees.annotation.sentences import ActionError, AnnotatedSentence
from deptrees.messages import of_type, whole_number
from deptrees.treebanks.conllu import ConlluError, SentenceText, wrong_characters

__all__ = ["Document", "Done"]


@attrs.frozen
class Done:
    """An action that was done.

    Args:
        number: the index of the sentence.
        action: the action.
        before: the sentence as it was.
    """

    number: int
    action: Action
    before: AnnotatedSentence


@attrs.frozen
class Document:
    r"""The sentences of a file, and what was done to them.

    Args:
        sentences: the sentences.
        gaps: what stands before the first, between them and after the last: line ends and blank lines.
        done: the actions, the latest one last.

    >>> from deptrees.annotation import SetHead
    >>> text = "# two birds\n1\tBirds\t_\t_\t_\t_\t_\t_\t_\tx\n2\tsing\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    >>> document = Document.read(text).act(0, SetHead(1, 2))
    >>> document.text.splitlines()[1].split("\t")[6:]
    ['2', '_', '_', 'x|Proposed=Label']
    >>> document.undo().text == text
    True
    """

    sentences: tuple[AnnotatedSentence, ...]
    gaps: tuple[str, ...]
    done: tuple[Done, ...] = ()

    @classmethod
    def read(cls, text: str, file: str = "<text>") -> Document:
        """The document in a text of CoNLL-U.

        Raises:
            ConlluError: a sentence is not valid, or a line ends in something else than a line feed.
        """
        of_type("text", text, str, "a text of CoNLL-U")
        sentences, gaps, gap, number = [], [], "", 1
        for is_blank, some in groupby(text.split("\n"), key=lambda line: not line.strip()):
            lines = tuple(some)
            if is_blank:
                gap += "".join([f"{line}\n" for line in lines])
            else:
                sentences.append(_read(SentenceText(file, number, lines)))
                gaps.append(gap)
                gap = "\n"
            number += len(lines)
        if not sentences:
            raise ConlluError(file, 1, None, "there is no sentence: give each word a line of 10 columns")
        return cls(tuple(sentences), (*gaps, gap.removesuffix("\n")))  # the last line has no end

    @property
    def text(self) -> str:
        """The text, to be written as it is."""
        parts = [gap + "\n".join(it.lines) for gap, it in zip(self.gaps, self.sentences, strict=False)]
        return "".join([*parts, self.gaps[-1]])

    def act(
        self,
        number: int,
        action: Action,
        helped: Callable[[AnnotatedSentence], AnnotatedSentence] = lambda sentence: sentence,
        seen: AnnotatedSentence | None = None,
    ) -> Document:
        """The document after an action on the sentence with this index.

        Args:
            number: the index, from 0.
            action: the action.
            helped: adds proposals for what is not decided, such as `Helper.helped`.
            seen: the sentence as the annotator sees it, with proposals; by default as it is.

        Raises:
            ActionError: it is not possible there, or would change nothing.
        """
        before = self.sentences[whole_number("number", number, 0, len(self.sentences) - 1)]
        after = action(seen or before)
        if after == (seen or before):
            raise ActionError("that is so already")
        of_type("action", after, AnnotatedSentence, "a function that returns a sentence")
        return attrs.evolve(self._with(number, helped(after)), done=(*self.done, Done(number, action, before)))

    def undo(self) -> Document:
        """The document before the latest action, byte for byte.

        Raises:
            ActionError: nothing was done.
        """
        if not self.done:
            raise ActionError("there is nothing to undo")
        last = self.done[-1]
        return attrs.evolve(self._with(last.number, last.before), done=self.done[:-1])

    def _with(self, number: int, sentence: AnnotatedSentence) -> Document:
        return attrs.evolve(self, sentences=(*self.sentences[:number], sentence, *self.sentences[number + 1 :]))


def _read(found: SentenceText) -> AnnotatedSentence:
    """The sentence of some lines; an error names the file and the line."""
    for index, line in enumerate(found.lines):
        if fault := wrong_characters(line):
            raise found.error(index, fault)
    try:
        return AnnotatedSentence(found.lines)
    except ConlluError:
        found.tree()  # whose error names the file and the line
        raise
