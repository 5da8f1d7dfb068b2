"""Attributes of words, and the small language in which analyses name them.

``label``, ``tag,head-tag`` and ``distance:1:2:6`` say by what to count; ``tag!=PUNCT`` and ``length=..20`` say which
words. An attribute depends on one tree, gold or predicted, so one language serves scores, precision, confusions, the
comparison of parsers and the statistics of a treebank (Aufrant & Wisniewski 2017, section 4.10).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

import attrs
import numpy as np
from more_itertools import always_iterable

from deptrees.evaluation.pairs import EvaluationError
from deptrees.evaluation.tables import Column
from deptrees.evaluation.words import Booleans, Integers, Words
from deptrees.messages import of_type, quoted
from deptrees.treebanks.columns import MISSING, WORD_COLUMNS
from deptrees.trees.projectivity import gap_degree, non_projective_arcs
from deptrees.trees.tree import DependencyTree

__all__ = ["ATTRIBUTES", "Groups", "Values", "depths", "grouped", "selected", "values"]


@attrs.frozen(eq=False)
class Values:
    """An attribute of each word.

    Args:
        numbers: a number for each word, -1 where the word does not have the attribute.
        names: what the numbers mean; ``None`` if they are just numbers.
        ordered: whether the values have an order of their own.
        least: the smallest number, if they are just numbers.
    """

    numbers: Integers
    names: Sequence[str] | None = None
    ordered: bool = False
    least: int = 0

    def name(self, number: int) -> str | int:
        """What a number means."""
        if number < 0:
            return MISSING
        return number if self.names is None else self.names[number]

    def binned(self, bounds: Sequence[int]) -> Values:
        """Numbers in bins, each up to one of the bounds, the last one without end.

        >>> found = Values(np.array([1, 5, 9, -1]), least=1).binned([1, 6])
        >>> [found.name(number) for number in found.numbers.tolist()]
        ['1', '2..6', '7..', '_']
        """
        bins = np.searchsorted(bounds, self.numbers)
        ranges = [(low + 1, high) for low, high in pairwise([self.least - 1, *bounds])]
        names = [str(low) if low == high else f"{low}..{high}" for low, high in ranges]
        return Values(np.where(self.numbers < 0, -1, bins), [*names, f"{bounds[-1] + 1}.."], ordered=True)


def _column(column: str, words: Words) -> Values:
    return Values(words.columns.words[column].astype(np.int64), words.columns.vocabularies[column])


def _head_column(column: str, words: Words) -> Values:
    names = words.columns.vocabularies[column]
    numbers = np.append(words.columns.words[column], [-1, len(names)])  # the last two stand for no head and for ROOT
    return Values(numbers[words.head], [*names, "ROOT"])


def _direction(words: Words) -> Values:
    heads = words.columns.heads
    numbers = np.select([heads < 0, heads > words.position, heads > 0], [-1, 0, 1], 2)
    return Values(numbers, ("left", "right", "root"), ordered=True)


def _distance(words: Words) -> Values:
    heads = words.columns.heads
    return Values(np.select([heads < 0, heads > 0], [-1, np.abs(heads - words.position)]), ordered=True)


def depths(words: Words) -> Integers:
    """The number of arcs from ROOT to each word; -1 where no path of arcs leads there.

    >>> from deptrees import Columns, DependencyTree
    >>> tree = DependencyTree([(2, "a"), (0, "b"), (1, "c"), (None, "d"), (4, "e")])
    >>> depths(Words(Columns.encode([tree]))).tolist()
    [2, 1, 3, -1, -1]
    """
    ancestor = np.append(words.head, [-2, -1])  # the last two stand for no head and for ROOT: see Words.head
    steps = np.append(np.ones(len(words), np.int64), [0, 0])
    for _ in range(int(np.diff(words.columns.offsets).max(initial=0)).bit_length()):
        steps += steps[ancestor]
        ancestor = ancestor[ancestor]
    return np.where(ancestor == -1, steps, -1)[: len(words)]


def _projectivity(words: Words) -> Values:
    numbers = np.where(words.columns.heads < 0, -1, 0).astype(np.int64)
    for start, tree in _trees(words, ~words.columns.projective):
        numbers[[start + dependent - 1 for _, dependent in non_projective_arcs(tree)]] = 1
    return Values(numbers, ("projective", "non-projective"), ordered=True)


def _gap_degree(words: Words) -> Values:
    numbers = np.zeros(len(words), np.int64)
    for start, tree in _trees(words, ~words.columns.plain):
        numbers[start : start + len(tree)] = [gap_degree(tree, token) for token in range(1, len(tree) + 1)]
    return Values(numbers, ordered=True)


def _trees(words: Words, which: Booleans) -> Iterator[tuple[int, DependencyTree]]:
    """Certain sentences as trees, each with the row of its first word: others need not be made."""
    for sentence in np.flatnonzero(which).tolist():
        yield int(words.columns.offsets[sentence]), words.columns.tree(sentence)


def _of_form(names: tuple[str, str], holds: Callable[[str], bool], words: Words) -> Values:
    """An attribute that some forms have, and others do not."""
    of_form = np.array([not holds(form) for form in words.columns.vocabularies["form"]], np.int64)
    return Values(of_form[words.columns.words["form"]], names, ordered=True)


def _known(words: Words) -> Values:
    if words.known is None:
        raise EvaluationError("which words are known depends on the training data: give some as train, or with --train")
    return _of_form(("known", "unknown"), words.known.__contains__, words)


def _is_punctuation(form: str) -> bool:
    return all(unicodedata.category(character).startswith("P") for character in form)


_NAMES = {"upos": "tag"}

ATTRIBUTES: Mapping[str, Callable[[Words], Values]] = {
    "label": lambda words: Values(words.columns.labels.astype(np.int64), words.columns.vocabularies["deprel"]),
    "direction": _direction,
    "distance": _distance,
    "depth": lambda words: Values(depths(words), ordered=True, least=1),
    "length": lambda words: Values(np.diff(words.columns.offsets)[words.sentence], ordered=True, least=1),
    "projectivity": _projectivity,
    "gap-degree": _gap_degree,
    "known": _known,
    "punctuation": partial(_of_form, ("yes", "no"), _is_punctuation),
    **{_NAMES.get(column, column): partial(_column, column) for column in WORD_COLUMNS},
    **{f"head-{_NAMES.get(column, column)}": partial(_head_column, column) for column in WORD_COLUMNS},
}
"""The attributes by their names.

* ``label``; ``form``, ``lemma``, ``tag`` (UPOS), ``xpos``, ``feats`` and ``misc``, and the same of the head with
  ``head-`` before them, where ``ROOT`` stands for ROOT
* ``direction``: ``left`` if the word is to the left of its head, ``right``, or ``root``
* ``distance``: the number of words from the word to its head; 0 for a word that depends on ROOT
* ``depth``: the number of arcs from ROOT to the word
* ``length``: the number of words of the sentence
* ``projectivity`` of the arc to the word: ``projective`` or ``non-projective``
* ``gap-degree``: the number of gaps in the subtree of the word (Sartorio 2015, definition 2.8)
* ``known``: whether the form is in the training data, ``known`` or ``unknown``
* ``punctuation``: whether all characters of the form are punctuation to Unicode, ``yes`` or ``no``

A word that lacks the attribute, such as the label, has ``_``.
"""


def values(words: Words, name: str) -> Values:
    """An attribute of the words, from its name and, optionally, upper bounds of bins.

    Raises:
        EvaluationError: there is no such attribute, or it cannot be put into such bins.

    >>> from deptrees import Columns, DependencyTree
    >>> words = Words(Columns.encode([DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])]))
    >>> values(words, "distance").numbers.tolist()
    [1, 0, 1, 2]
    >>> binned = values(words, "distance:0:1")
    >>> [binned.name(number) for number in binned.numbers.tolist()]
    ['1', '0', '1', '2..']
    >>> values(words, "lable")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    deptrees.evaluation.pairs.EvaluationError: there is no attribute 'lable': choose among label, direction, ...
    """
    of_type("name", name, str, "the name of an attribute, such as label")
    name, *bounds = name.strip().split(":")
    if name not in ATTRIBUTES:
        raise EvaluationError(f"there is no attribute {quoted(name)}: choose among {', '.join(ATTRIBUTES)}")
    found = ATTRIBUTES[name](words)
    if not bounds:
        return found
    limits = [int(bound) if bound.isdecimal() else -1 for bound in bounds]
    if found.names is not None or limits != sorted({*limits}) or limits[0] < found.least:
        raise EvaluationError(f"{name} has no bins {':'.join(bounds)}: bins are those of numbers, as in distance:1:2:6")
    return found.binned(limits)


_CONDITION = re.compile(r"\s*([a-z-]+)\s*(!?=)(.*)", re.DOTALL)
_RANGE = re.compile(r"(\d*)\.\.(\d*)|(\d+)")


def selected(words: Words, where: str | Iterable[str]) -> Booleans:
    """For each word, whether it meets all conditions.

    A condition is an attribute, ``=`` or ``!=``, and values separated by ``|``, or ranges such as ``3..6`` and ``7..``.

    Raises:
        EvaluationError: one is not a condition.

    >>> from deptrees import Columns, DependencyTree, Token
    >>> tree = DependencyTree([Token("I", 2, upos="PRON"), Token("left", 0, upos="VERB"), Token("!", 2, upos="PUNCT")])
    >>> words = Words(Columns.encode([tree]))
    >>> selected(words, "tag!=PUNCT").tolist(), selected(words, ["distance=1..", "tag=PRON|VERB"]).tolist()
    ([True, True, False], [True, False, False])
    """
    found = np.ones(len(words), np.bool_)
    for condition in always_iterable(where):
        match = _CONDITION.fullmatch(condition)
        if not match:
            raise EvaluationError(f"{quoted(condition)} is no condition: write one as tag!=PUNCT or distance=3..6")
        name, sign, wanted = match.groups()
        found &= _among(values(words, name), wanted, condition) == (sign == "=")
    return found


def _among(found: Values, wanted: str, condition: str) -> Booleans:
    """For each word whether it has one of the values. A value with a ``|`` of its own is found as a whole."""
    if found.names is None:
        found_in: Booleans = np.any([_in_range(found.numbers, part, condition) for part in wanted.split("|")], axis=0)
        return found_in
    names = [MISSING, *found.names]
    texts = {wanted} if wanted in names else {*wanted.split("|")}
    return np.isin(found.numbers, [number for number, name in enumerate(names, -1) if name in texts])


def _in_range(numbers: Integers, text: str, condition: str) -> Booleans:
    if text == MISSING:
        return numbers < 0
    match = _RANGE.fullmatch(text)
    if not match or text == "..":
        reason = f"{quoted(text)} is neither a number nor a range such as 3..6 or 7.."
        raise EvaluationError(f"{quoted(condition)}: {reason}")
    low, high, one = match.groups()
    return (numbers >= int(one or low or 0)) & (numbers <= int(one or high or np.iinfo(np.int64).max))


@attrs.frozen(eq=False)
class Groups:
    """Words grouped by attributes.

    There are the group of each word (-1 for none), the names of the attributes, their values in each group, and whether
    the groups have, and are in, an order of their own.
    """

    numbers: Integers
    names: tuple[str, ...]
    keys: Sequence[tuple[str | int, ...]]
    ordered: bool

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def columns(self) -> list[Column]:
        """The attributes as columns of a table, with the value of each group."""
        names = [name.partition(":")[0] for name in self.names]
        return [Column(name, [key[place] for key in self.keys], "key") for place, name in enumerate(names)]

    def order(self, counts: Sequence[int] | Integers) -> list[int]:
        """The groups in the order of tables: their own if they have one, or else by descending count."""
        return list(range(len(self))) if self.ordered else sorted(range(len(self)), key=lambda group: -counts[group])


def grouped(by: str, *parts: tuple[Words, Booleans]) -> Groups:
    """Group words by attributes, separated by commas.

    Args:
        by: the attributes; none make a single group.
        parts: words, and which of them to group: those of the gold trees, or of gold and then of predicted trees.

    Raises:
        EvaluationError: there is no such attribute.

    >>> from deptrees import Columns, DependencyTree
    >>> words = Words(Columns.encode([DependencyTree([(2, "I"), (0, "saw"), (4, "a"), (2, "dog")])]))
    >>> groups = grouped("direction,distance", (words, words.position < 4))
    >>> groups.keys, groups.numbers.tolist()
    ([('left', 1), ('root', 0)], [0, 1, 0, -1])
    """
    of_type("by", by, str, "names of attributes with commas between them, such as 'label,distance'")
    names = tuple(by.replace(" ", "").split(",")) if by.strip() else ()
    which = np.concatenate([which for _, which in parts])
    attributes = [[values(words, name) for words, _ in parts] for name in names]
    columns = [np.concatenate([values.numbers for values in found])[which] for found in attributes]
    code = np.zeros(int(which.sum()), np.int64)
    for column in columns:  # the smallest number is -1
        code = np.unique(code * (int(column.max(initial=0)) + 2) + column + 1, return_inverse=True)[1]
    _, first, group = np.unique(code, return_index=True, return_inverse=True)
    keys = [
        tuple(found[0].name(int(column[row])) for found, column in zip(attributes, columns, strict=True))
        for row in first.tolist()
    ]
    numbers = np.full(len(which), -1, np.int64)
    numbers[which] = group
    return Groups(numbers, names, keys, all(found[0].ordered for found in attributes))
