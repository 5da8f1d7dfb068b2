"""A sentence that is being annotated: its lines, byte for byte, and what in it is decided and what only proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import attrs

from deptrees.messages import counted, of_type, quoted
from deptrees.treebanks.conllu import NUMBER, SentenceText
from deptrees.trees.token import COLUMNS
from deptrees.trees.tree import DependencyTree

__all__ = ["PLACE", "PROPOSED", "ActionError", "AnnotatedSentence", "with_entry"]

PROPOSED = "Proposed"
"""The key in MISC of a word of which something is only proposed."""
_ARC, _LABEL = "Arc", "Label"
"""What is proposed: head and label, or the label alone."""
PLACE = {name: place for place, name in enumerate(COLUMNS)}
"""Where each column of CoNLL-U is in a line."""


def _place(name: str) -> int:
    """Where a column is in a line."""
    if name not in COLUMNS:
        raise ActionError(f"there is no column {quoted(name)}: the columns are {', '.join(COLUMNS)}")
    return PLACE[name]


class ActionError(ValueError):
    """An action is not possible in the sentence; the message says why."""


@attrs.frozen
class AnnotatedSentence:
    r"""A sentence, and who its arcs are from.

    A head is decided unless it is missing, or the word has ``Proposed=Arc`` in MISC. Its label is decided, too, unless
    it is missing, or the word has ``Proposed=Label``. So what others annotated is decided, and a sentence without
    proposals has nothing more in it than any treebank.

    Args:
        lines: its lines of CoNLL-U, without line ends.

    Raises:
        ConlluError: they are not valid.

    >>> rows = "1\tBirds\t_\t_\t_\t_\t2\tnsubj\t_\tProposed=Arc", "2\tsing\t_\t_\t_\t_\t0\troot\t_\t_"
    >>> sentence = AnnotatedSentence(rows)
    >>> sentence.has_head, sentence.known.heads, sentence.kept.heads
    ((False, True), (None, 0), (2, 0))
    """

    lines: tuple[str, ...]

    def __attrs_post_init__(self) -> None:
        for line in self.lines:
            of_type("line", line, str, "a text")
        _ = self.tree

    @cached_property
    def tree(self) -> DependencyTree:
        """The tree that is in the file, with what is only proposed."""
        return SentenceText("<sentence>", 1, self.lines).tree()

    @cached_property
    def _proposed(self) -> tuple[str | None, ...]:
        return tuple([token.misc_values.get(PROPOSED) for token in self.tree])

    @cached_property
    def has_head(self) -> tuple[bool, ...]:
        """For each word whether its head is decided."""
        pairs = zip(self.tree.heads, self._proposed, strict=True)
        return tuple([head is not None and proposed != _ARC for head, proposed in pairs])

    @cached_property
    def has_label(self) -> tuple[bool, ...]:
        """For each word whether its head and its label are decided."""
        rows = zip(self.has_head, self.tree.labels, self._proposed, strict=True)
        return tuple([known and label is not None and proposed != _LABEL for known, label, proposed in rows])

    @cached_property
    def n_decided(self) -> int:
        """The number of words whose heads are decided."""
        return sum(self.has_head)

    @cached_property
    def known(self) -> DependencyTree:
        """The tree of what is decided, to learn from."""
        return self._with_heads(self.has_head)

    @cached_property
    def kept(self) -> DependencyTree:
        """The tree to parse around: what is decided, and all heads before the last word whose head is.

        Annotators read from left to right. Whoever decides about a word has seen the proposals before it, and what is
        right there must not change any more.
        """
        last = max((word for word, known in enumerate(self.has_head) if known), default=-1)
        return self._with_heads([word <= last for word in range(len(self.tree))])

    @cached_property
    def is_open(self) -> bool:
        """Whether anything is not decided."""
        return not all(self.has_label)

    @cached_property
    def rows(self) -> dict[int, int]:
        """For each word the index of its line."""
        starts = [line.partition("\t")[0] for line in self.lines]
        return {int(id_): index for index, id_ in enumerate(starts) if NUMBER.fullmatch(id_)}

    def column(self, word: int, name: str) -> str:
        """The text in a column of CoNLL-U, such as ``deprel``; ``_`` if it is missing."""
        return self.lines[self._row(word)].split("\t")[_place(name)]

    def with_columns(self, changes: Mapping[int, Mapping[str, str]]) -> AnnotatedSentence:
        """The same with other texts in some columns of some words; all else stays as it is, byte for byte."""
        lines = [*self.lines]
        for word, columns in changes.items():
            of_type("columns", columns, Mapping, "a mapping from names to texts")
            texts = lines[self._row(word)].split("\t")
            for name, text in columns.items():
                texts[_place(name)] = text
            lines[self.rows[word]] = "\t".join(texts)
        return AnnotatedSentence(tuple(lines)) if tuple(lines) != self.lines else self

    def with_comments(self, comments: Sequence[str]) -> AnnotatedSentence:
        """The same with other comments."""
        return AnnotatedSentence((*comments, *[line for line in self.lines if not line.startswith("#")]))

    def decided(self, word: int, head: int, label: str | None) -> AnnotatedSentence:
        """The same with the head of a word decided, and its label if one is given.

        The latest decision holds. What cannot be together with it becomes a proposal again: another word below ROOT, or
        one arc of the cycle that would be there, which is a proposed one if there is any, and else the one that ends
        furthest from the new head.

        Raises:
            ActionError: there is no such word, or it is to be its own head.
        """
        self._row(word)
        if head == word or not 0 <= head <= len(self.tree):
            raise ActionError(f"word {word} cannot have the head {head}")
        changes = {word: self._arc(word, head, label or self.tree.labels[word - 1], None if label else _LABEL)}
        if label is None and self.has_label[word - 1] and self.tree.heads[word - 1] == head:
            return self
        for other in self._against(word, head):
            changes[other] = self._arc(other, None, None, None)
        return self.with_columns(changes)

    def proposed(self, heads: Sequence[int | None], labels: Sequence[str | None]) -> AnnotatedSentence:
        """The same with proposals for all that is not decided; what is given for other words is passed over."""
        if not len(heads) == len(labels) == len(self.tree):
            words = counted(len(self.tree), "word")
            raise ValueError(f"heads and labels are of {words}, and these are {len(heads)} and {len(labels)}")
        changes = {}
        for word, row in enumerate(zip(heads, labels, self.has_head, self.has_label, strict=True), 1):
            head, label, has_head, has_label = row
            if not has_head:
                changes[word] = self._arc(word, head, label, None if head is None else _ARC)
            elif not has_label and label is not None:
                changes[word] = self._arc(word, self.tree.heads[word - 1], label, _LABEL)
        return self.with_columns(changes)

    def accepted(self, words: Sequence[int]) -> AnnotatedSentence:
        """The same with the proposals for some words decided; those without a head stay open."""
        return self.with_columns({word: {"misc": with_entry(self.column(word, "misc"), PROPOSED)} for word in words})

    def reopened(self, words: Sequence[int]) -> AnnotatedSentence:
        """The same with the arcs of some words as proposals."""
        some = [word for word in words if self.column(word, "head") != "_"]
        return self.with_columns(
            {word: {"misc": with_entry(self.column(word, "misc"), PROPOSED, _ARC)} for word in some}
        )

    def _with_heads(self, are_there: Sequence[bool]) -> DependencyTree:
        """The tree with some of its heads, and with the labels that are decided."""
        heads = [head if there else None for head, there in zip(self.tree.heads, are_there, strict=True)]
        labels = [label if known else None for label, known in zip(self.tree.labels, self.has_label, strict=True)]
        return self.tree.reattach(heads, labels)

    def _arc(self, word: int, head: int | None, label: str | None, proposed: str | None) -> dict[str, str]:
        misc = with_entry(self.column(word, "misc"), PROPOSED, proposed)
        return {"head": "_" if head is None else str(head), "deprel": label or "_", "misc": misc}

    def _against(self, word: int, head: int) -> list[int]:
        """The words whose heads cannot stay if a word gets this head."""
        heads = self.tree.heads
        if head == 0:
            return [other for other, its in enumerate(heads, 1) if its == 0 and other != word]
        path, above = [head], heads[head - 1]
        while above and above != word:
            path.append(above)
            above = heads[above - 1]
        if not above:
            return []
        return [next((other for other in path if not self.has_head[other - 1]), path[-1])]

    def _row(self, word: int) -> int:
        if word not in self.rows:
            raise ActionError(f"there is no word {word}: the words are 1 to {len(self.rows)}")
        return self.rows[word]


def with_entry(misc: str, key: str, value: str | None = None) -> str:
    """A text of MISC with a value for a key, at its end, or without that key; all else stays as it is.

    >>> with_entry("SpaceAfter=No", "Proposed", "Arc"), with_entry("Proposed=Arc", "Proposed")
    ('SpaceAfter=No|Proposed=Arc', '_')
    """
    entries = [entry for entry in misc.split("|") if entry != "_" and entry.partition("=")[0] != key]
    return "|".join([*entries, *([] if value is None else [f"{key}={value}"])]) or "_"
