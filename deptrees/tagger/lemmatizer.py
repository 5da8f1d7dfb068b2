"""Lemmas: by what a treebank says of words and, of unknown words, by what it says of their endings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial

import attrs
from more_itertools import first

from deptrees.tagger.edit_scripts import EditScript, edit_script
from deptrees.treebanks.columns import MISSING

__all__ = ["Lemmatizer"]

_LONGEST_ENDING = 6
_SHORTEST_WITH_FEATS = 2
_REMEMBERED = 1 << 16

_FORM, _ENDING = "=", "-"  # what a clue says of a word


@attrs.frozen
class Lemmatizer:
    """A decision list: of the clues to the lemma of a word, the most specific one that is known decides.

    The clues are, in this order: the form, with UPOS and FEATS; the same in small letters; that with UPOS alone; the
    endings of the form, the longest first, with UPOS and FEATS; with UPOS alone; by themselves.

    Args:
        scripts: how lemmas are made.
        rules: for each clue the number of a script.

    >>> words = [("dogs", "NOUN", "Number=Plur", "dog"), ("flies", "NOUN", "Number=Plur", "fly")]
    >>> lemmatizer = Lemmatizer.count(words)
    >>> [lemmatizer.lemma(form, "NOUN", "Number=Plur") for form in ("Dogs", "frogs", "skies")]
    ['dog', 'frog', 'sky']
    """

    scripts: tuple[EditScript, ...] = attrs.field(repr=False)
    rules: Mapping[str, int] = attrs.field(repr=False)

    @rules.validator
    def _have_scripts(self, _: object, rules: Mapping[str, int]) -> None:
        if not {*rules.values()} <= {*range(len(self.scripts))}:
            raise ValueError(f"rules for lemmas have scripts that are not numbers from 0 to {len(self.scripts) - 1}")

    @classmethod
    def count(cls, words: Iterable[tuple[str, str | None, str | None, str]]) -> Lemmatizer:
        """Make a decision list of the words of a treebank.

        A word counts for its form as often as it is there, for its endings once: unknown words are like rare ones.

        Args:
            words: of each word the form, UPOS, FEATS and the lemma.
        """
        found: defaultdict[str, Counter[EditScript]] = defaultdict(Counter)
        for (form, upos, feats, lemma), count in Counter(words).items():
            script = edit_script(form, lemma)
            for clue in _clues(form, upos, feats):
                found[clue][script] += count if _is_of_form(clue) else 1
        best = {clue: scripts.most_common(1)[0][0] for clue, scripts in found.items()}
        # What the next clue says as well need not be said.
        needed = {clue: script for clue, script in best.items() if best.get(_next(clue) or "") != script}
        numbers = {script: number for number, script in enumerate(dict.fromkeys(needed.values()))}
        return cls(tuple(numbers), {clue: numbers[script] for clue, script in needed.items()})

    def lemma(self, form: str, upos: str | None, feats: str | None) -> str:
        """The lemma of a word; the form itself if nothing is known of it."""
        return self._remembered(form, upos, feats)

    @cached_property
    def _remembered(self) -> Callable[[str, str | None, str | None], str]:
        return lru_cache(_REMEMBERED)(partial(_found, self.scripts, self.rules))  # not of self: that is freed at once


def _found(
    scripts: Sequence[EditScript], rules: Mapping[str, int], form: str, upos: str | None, feats: str | None
) -> str:
    """The lemma that the first script gives whose clue is known."""
    known = (scripts[rules[clue]] for clue in _clues(form, upos, feats) if clue in rules)
    return first(filter(None, (script.apply(form) for script in known)), form)


def _clues(form: str, upos: str | None, feats: str | None) -> Iterator[str]:
    """The clues to a word's lemma, the most specific first."""
    both, upos_alone, neither = f"{upos or MISSING}\t{feats or MISSING}\t", f"{upos or MISSING}\t\t", "\t\t"
    lower = form.lower()
    if form != lower:
        yield f"{both}{_FORM}{form}"
    yield f"{both}{_FORM}{lower}"
    yield f"{upos_alone}{_FORM}{lower}"
    for tags in (both, upos_alone, neither):
        shortest = _SHORTEST_WITH_FEATS if tags is both else 0
        for length in range(min(_LONGEST_ENDING, len(lower)), shortest - 1, -1):
            yield f"{tags}{_ENDING}{lower[len(lower) - length :]}"


def _is_of_form(clue: str) -> bool:
    return clue.rpartition("\t")[2].startswith(_FORM)


def _next(clue: str) -> str | None:
    """The clue that all words with this one have next; ``None`` if it is not the same for all."""
    tags, _, text = clue.rpartition("\t")
    upos, _, feats = tags.partition("\t")
    if _is_of_form(clue):
        if text != text.lower():
            return f"{tags}\t{text.lower()}"
        return f"{upos}\t\t{text}" if feats else None
    ending = text[1:]
    return f"{tags}\t{_ENDING}{ending[1:]}" if len(ending) > (_SHORTEST_WITH_FEATS if feats else 0) else None
