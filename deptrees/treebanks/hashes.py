"""Numbers for texts, which features and models know them by."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

__all__ = ["text_hash"]


@lru_cache(maxsize=1 << 16)
def text_hash(text: str | None) -> int:
    """A number of 64 bits for a text, or for nothing: the same in every process and on every machine.

    >>> text_hash("dog") == text_hash("dog"), text_hash("dog") == text_hash("Dog")
    (True, False)
    """
    encoded = b"\0" if text is None else text.encode(errors="surrogatepass")
    return int.from_bytes(blake2b(encoded, digest_size=8).digest(), "little")
