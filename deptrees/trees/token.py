"""Tokens: the nodes of a dependency tree, with the ten columns of CoNLL-U."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict
from unicodedata import normalize

import attrs

from deptrees.messages import quoted

__all__ = ["COLUMNS", "LOOKED_UP", "ROOT", "Token", "TokenRecord", "canonical"]


_NAMES = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
COLUMNS = {name: "label" if name == "deprel" else name for name in _NAMES}
"""The ten columns of CoNLL-U, in their order, and the attributes of a token that they are."""
LOOKED_UP = ("form", "lemma")
"""The columns whose texts are looked up as ``canonical`` has them."""


def canonical(text: str) -> str:
    r"""A text as it is looked up: in Unicode's normalization form C, in which texts that look the same are the same.

    What is written is never made of it.

    >>> canonical("cafe\N{COMBINING ACUTE ACCENT}") == "caf\N{LATIN SMALL LETTER E WITH ACUTE}"
    True
    """
    return normalize("NFC", text)


def _text(column: str) -> str:
    if not isinstance(column, str):
        raise TypeError(f"{quoted(column)} is not a string: all columns of a token but head and id are text")
    return column


def _text_or_missing(column: str | None) -> str | None:
    return None if column is None or column == "_" else _text(column)


class _Token(TypedDict):
    id: int | str
    form: str


class TokenRecord(_Token, total=False):
    """A token, as data for JSON; what is missing in CoNLL-U is missing here, too.

    Args:
        id: the position of a word, from 1; ``"3-4"`` for a multiword token and ``"8.1"`` for an empty node.
        form: the word as it is in the text.
        lemma: its basic form.
        upos: universal part of speech.
        xpos: language-specific part of speech.
        feats: morphological features, as in ``"Case=Nom|Number=Sing"``.
        head: position of the head, 0 for ROOT.
        label: relation to the head (DEPREL).
        deps: enhanced dependencies.
        misc: any other annotation.
    """

    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    label: str
    deps: str
    misc: str


@attrs.frozen
class Token:
    """A word with all the columns of its CoNLL-U row; FEATS, DEPS and MISC are strings, as in files.

    Every column except the form may be missing: ``None`` and ``"_"`` mean the same.

    Args:
        form: the word as it is in the text.
        head: position of the head, 0 for ROOT, ``None`` if it is not annotated.
        label: relation to the head (DEPREL).
        lemma: its basic form.
        upos: universal part of speech (CPOSTAG in CoNLL-X).
        xpos: language-specific part of speech (POSTAG in CoNLL-X).
        feats: morphological features, as in ``"Case=Nom|Number=Sing"``.
        deps: enhanced dependencies (PHEAD in CoNLL-X).
        misc: any other annotation (PDEPREL in CoNLL-X).
        id: position in the sentence, from 1; a tree fills it in. ``"3-4"`` for a multiword token and ``"8.1"`` for an
            empty node, which a tree keeps in ``extra_tokens``.

    Raises:
        TypeError: a column that should be text is not.

    >>> Token("dogs", head=2, label="nsubj", upos="NOUN").upos
    'NOUN'
    >>> Token("dogs", label="_").label is None
    True
    """

    form: str = attrs.field(converter=_text)
    head: int | None = None
    label: str | None = attrs.field(default=None, converter=_text_or_missing)
    lemma: str | None = attrs.field(default=None, converter=_text_or_missing, kw_only=True)
    upos: str | None = attrs.field(default=None, converter=_text_or_missing, kw_only=True)
    xpos: str | None = attrs.field(default=None, converter=_text_or_missing, kw_only=True)
    feats: str | None = attrs.field(default=None, converter=_text_or_missing, kw_only=True)
    deps: str | None = attrs.field(default=None, converter=_text_or_missing, kw_only=True)
    misc: str | None = attrs.field(default=None, converter=_text_or_missing, kw_only=True)
    id: int | str | None = attrs.field(default=None, kw_only=True)

    def attached(self, head: int | None, label: str | None) -> Token:
        """The word with another head and label, and without DEPS, which belong to its former tree.

        >>> Token("dogs", head=2, label="nsubj", upos="NOUN").attached(3, "obj")  # doctest: +ELLIPSIS
        Token(form='dogs', head=3, label='obj', lemma=None, upos='NOUN', ...)
        """
        # The same as attrs.evolve, several times as fast: parsers call this for every word.
        return Token(
            self.form,
            head,
            label,
            lemma=self.lemma,
            upos=self.upos,
            xpos=self.xpos,
            feats=self.feats,
            misc=self.misc,
            id=self.id,
        )

    def to_dict(self) -> TokenRecord:
        """The word as data for JSON, without what is missing; ``Token(**record)`` makes it a token again.

        >>> Token("dogs", head=2, upos="NOUN", id=3).to_dict()
        {'id': 3, 'form': 'dogs', 'upos': 'NOUN', 'head': 2}
        """
        values: Any = {name: value for name in COLUMNS.values() if (value := getattr(self, name)) is not None}
        return values  # type: ignore[no-any-return]

    @property
    def misc_values(self) -> dict[str, str]:
        """The values in MISC by their keys; entries without a value have an empty one.

        >>> Token("dogs", misc="SpaceAfter=No|Checked").misc_values
        {'SpaceAfter': 'No', 'Checked': ''}
        """
        entries = [entry.partition("=") for entry in (self.misc or "").split("|") if entry]
        return {key: value for key, _, value in entries}

    def with_misc(self, values: Mapping[str, str]) -> Token:
        """The word with values in MISC, which replace those of the same keys; everything else stays.

        >>> Token("dogs", misc="SpaceAfter=No|Confidence=0.1").with_misc({"Confidence": "0.9"}).misc
        'SpaceAfter=No|Confidence=0.9'
        """
        entries = [entry for entry in (self.misc or "").split("|") if entry and entry.partition("=")[0] not in values]
        entries += [f"{key}={value}" for key, value in values.items()]
        return attrs.evolve(self, misc="|".join(entries) or None)


ROOT = Token("ROOT", id=0)
"""The artificial word 0, head of every root: ``tree[0] is ROOT``."""
