"""The compiled reader of sentences, if there is one."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from deptrees.messages import quoted

if TYPE_CHECKING:
    from deptrees.treebanks.batch import Batch
    from deptrees.treebanks.encoded_text import EncodedText

__all__ = ["Batched", "compiled_reader", "read_text"]


@runtime_checkable
class Batched(Protocol):
    """Sentences that come in batches, such as a `deptrees.Treebank`."""

    def batches(self, least: int = ..., /) -> Iterator[Batch]:
        """The sentences, many at a time: batches of at least so many bytes."""


def compiled_reader() -> type[EncodedText] | None:
    """The compiled reader; ``None`` where there was no C compiler."""
    try:
        reader: type[EncodedText] = import_module("deptrees.treebanks.encoded_text").EncodedText
    except ImportError:
        return None
    return reader


def read_text(content: bytes) -> EncodedText | None:
    """Sentences in CoNLL-U that are known to be valid, read by the compiled reader; ``None`` if there is none.

    Raises:
        ValueError: they are not valid.
    """
    reader = compiled_reader()
    if reader is None:
        return None
    text = reader(content)
    if text.read() is not None:
        raise ValueError(f"content is {quoted(content)}, which is not valid CoNLL-U: Treebank.from_bytes says why")
    return text
