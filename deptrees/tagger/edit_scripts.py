"""Edit scripts: how a form becomes its lemma, so that what is learned from one word applies to others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from types import MappingProxyType

import attrs

__all__ = ["EditScript", "edit_script"]

_CASINGS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"lower": str.lower, "as written": str, "capitalized": str.capitalize}
)


@attrs.frozen
class EditScript:
    """How a form becomes its lemma.

    Args:
        casing: how to begin: ``"lower"``, ``"as written"``, ``"capitalized"``, or ``""`` if nothing is in common.
        cut: how many characters to cut off at the beginning and at the end.
        added: what replaces them.

    >>> EditScript("lower", (0, 3), ("", "y")).apply("Flies")
    'fly'
    """

    casing: str = attrs.field(validator=attrs.validators.in_(("", *_CASINGS)))
    cut: tuple[int, int] = attrs.field(validator=attrs.validators.deep_iterable(attrs.validators.ge(0)))
    added: tuple[str, str] = attrs.field(
        validator=attrs.validators.deep_iterable(attrs.validators.matches_re(r"[^\t\r\n\ud800-\udfff]*"))
    )

    def apply(self, form: str) -> str | None:
        """The lemma of a form; ``None`` if the form is too short, or nothing would be left."""
        kept = _CASINGS[self.casing](form) if self.casing else ""
        start, stop = self.cut[0], len(kept) - self.cut[1]
        if stop < start:
            return None
        return self.added[0] + kept[start:stop] + self.added[1] or None


@lru_cache(maxsize=1 << 16)
def edit_script(form: str, lemma: str) -> EditScript:
    """The script that turns the form into the lemma, keeping the longest text that both have in common.

    The casing is the one that keeps most; of equals, lower case comes first.

    Raises:
        ValueError: the lemma is empty.

    >>> edit_script("Flies", "fly")
    EditScript(casing='lower', cut=(0, 3), added=('', 'y'))
    >>> edit_script("geht", "gehen"), edit_script("gegangen", "gehen").added
    (EditScript(casing='lower', cut=(0, 1), added=('', 'en')), ('', 'hen'))
    >>> edit_script("was", "be")
    EditScript(casing='', cut=(0, 0), added=('be', ''))
    """
    if not lemma:
        raise ValueError("a lemma has at least one character")
    matchers = {casing: SequenceMatcher(None, spell(form), lemma, autojunk=False) for casing, spell in _CASINGS.items()}
    common = {casing: matcher.find_longest_match() for casing, matcher in matchers.items()}
    casing, (start, at, length) = max(common.items(), key=lambda found: found[1].size)
    if not length:
        return EditScript("", (0, 0), (lemma, ""))
    end = len(_CASINGS[casing](form)) - start - length
    return EditScript(casing, (start, end), (lemma[:at], lemma[at + length :]))
