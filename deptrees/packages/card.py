"""What a model's card says: what it was made from and how, what it can do, and what one may do with it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import attrs

from deptrees.files.output import write_output
from deptrees.files.records import from_record, to_record
from deptrees.messages import quoted
from deptrees.printable import printable

__all__ = ["CARD", "Card"]

CARD = "card.json"
"""The name of its file."""

_LARGEST = 1 << 62
_COUNT = attrs.validators.and_(attrs.validators.instance_of(int), attrs.validators.ge(0), attrs.validators.le(_LARGEST))
_SHARES = attrs.validators.deep_mapping(
    attrs.validators.instance_of(str),
    attrs.validators.deep_mapping(
        attrs.validators.instance_of(str), attrs.validators.and_(attrs.validators.ge(0), attrs.validators.le(1))
    ),
)


def _is_a_name(_: object, __: object, name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ValueError(
            f"{quoted(name)} is no name for a model: use lowercase letters, digits, and hyphens between them"
        )


def _is_a_licence(_: object, __: object, licence: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9(][A-Za-z0-9.+() -]*", licence):
        raise ValueError(f"{quoted(licence)} is no licence: name it as SPDX does, as in CC-BY-SA-4.0")


def _is_a_release(_: object, __: object, release: str) -> None:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)*", release):
        raise ValueError(f"{quoted(release)} is no version of a model: use numbers with dots between them, as in 1.1")


@attrs.frozen(kw_only=True)
class Card:
    """A model's card (Mitchell et al. 2019).

    Args:
        name: the model's name.
        licence: its licence, as SPDX names it; the data that it was trained on may ask for one.
        data: the data that it was trained on, with the release.
        command: the command that makes it again.
        limits: what it is not made for.
        scores: for each input, such as raw text, the F1 of each metric that was measured on it, from 0 to 1.
        tested_on: the data that the scores are of.
        words_per_second: how many it parses from raw text, with one thread.
        size: of the model's file, in bytes.
        sha256: of the model's file.
        version: the version of deptrees that wrote the file.
        release: the version of the model itself: pip puts a greater one in the place of a smaller one.

    Raises:
        ValueError: the name is not lowercase letters and digits, in parts joined by hyphens, the licence or the release
            is none, or a number is out of range.

    >>> card = Card(name="english", licence="CC-BY-SA-4.0", scores={"raw text": {"LAS": 0.825}}, size=7_500_000)
    >>> print(card.as_text())
    # english
    <BLANKLINE>
    A model for [deptrees](https://pypi.org/project/deptrees/): `deptrees parse english --text notes.txt`.
    <BLANKLINE>
    * Version: 1.0
    * Licence: CC-BY-SA-4.0
    * Size: 7.5 MB
    <BLANKLINE>
    | from | LAS |
    | --- | --- |
    | raw text | 82.50 |
    <BLANKLINE>
    """

    name: str = attrs.field(validator=_is_a_name)
    licence: str = attrs.field(validator=_is_a_licence)
    data: str = ""
    command: str = ""
    limits: str = ""
    scores: Mapping[str, Mapping[str, float]] = attrs.field(factory=dict, validator=_SHARES)
    tested_on: str = ""
    words_per_second: int = attrs.field(default=0, validator=_COUNT)
    size: int = attrs.field(default=0, validator=_COUNT)
    sha256: str = ""
    version: str = ""
    release: str = attrs.field(default="1.0", validator=_is_a_release)

    @classmethod
    def read(cls, folder: Path) -> Card:
        """The card in a folder.

        Raises:
            FileNotFoundError: there is none.
            ValueError: it is not a card.
        """
        try:
            return from_record(json.loads((folder / CARD).read_text(encoding="utf-8")), cls)
        except RecursionError:
            raise ValueError(f"{CARD} is nested too deeply") from None

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write the card to a folder."""
        text = json.dumps(to_record(self), indent=1, ensure_ascii=False)
        write_output(Path(folder, CARD), [f"{text}\n".encode()])

    def as_text(self) -> str:
        """The card as Markdown, for people."""
        from deptrees.drawing.table import in_markdown

        facts = {
            "Version": self.release,
            "Licence": self.licence,
            "Trained on": in_markdown(self.data),
            "Made by": self.command and f"`{printable(self.command)}`",
            "Limits": in_markdown(self.limits),
            "Size": f"{self.size / 1e6:.1f} MB",
            "Speed": self.words_per_second and f"{self.words_per_second:,} words a second from raw text, one thread",
            "SHA-256 of the model": self.sha256 and f"`{printable(self.sha256)}`",
            "Written by": self.version and f"deptrees {in_markdown(self.version)}",
        }
        command = f"deptrees parse {self.name} --text notes.txt"
        return "\n".join(
            [
                f"# {self.name}",
                "",
                f"A model for [deptrees](https://pypi.org/project/deptrees/): `{command}`.",
                "",
                *(f"* {fact}: {value}" for fact, value in facts.items() if value),
                *self._table(),
                "",
            ]
        )

    def _table(self) -> Iterator[str]:
        """The scores in Markdown."""
        from deptrees.drawing.table import DrawnTable, in_markdown

        metrics = list(dict.fromkeys(chain.from_iterable(self.scores.values())))
        if self.scores and self.tested_on:
            yield f"\nF1 on {in_markdown(self.tested_on)}:"
        if self.scores:
            rows = [
                [source, *(f"{100 * found[metric]:.2f}" if metric in found else "" for metric in metrics)]
                for source, found in self.scores.items()
            ]
            yield "\n" + DrawnTable(["from", *metrics], [rows]).markdown()
