"""What decides on an enhanced arc: features of the path in the tree and of the words at its ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from deptrees.enhanced.markers import RELATIONS, Markers
from deptrees.enhanced.paths import BASIC, Path, Paths
from deptrees.treebanks.hashes import text_hash

__all__ = ["ROWS", "feature_rows"]

ROWS = 1 << 17
"""The rows of a table of weights, which features share."""

_OF_DEPENDENTS = (
    *("nsubj", "nsubj:pass", "csubj", "obj", "iobj", "obl", "ccomp", "xcomp", "expl", "conj", "cc", "aux:pass"),
    *("advcl", "det", "mark", "case", "advmod", "cop"),
)
"""Relations of dependents that make a difference: whether a verb has a subject of its own, and so on."""

_Hashes = npt.NDArray[np.uint64]
_ODD, _OTHER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


def feature_rows(markers: Markers, paths: Paths, kinds: Sequence[Path]) -> npt.NDArray[np.intp]:
    """The rows of the features of each path, each of which is told apart by the kind of path as well."""
    of_kinds = np.array([text_hash("/".join(up) + "|" + "/".join(down)) for up, down in kinds], np.uint64)
    kind, words = of_kinds[paths.kinds], _Words(markers)
    basic = paths.kinds == kinds.index(BASIC)
    with np.errstate(over="ignore"):
        kind[basic] ^= words.labels[paths.dependents[basic]] * _OTHER
        columns = [_rows(kind, number, parts) for number, parts in enumerate(_features(words, paths))]
    return np.stack(columns, axis=1)


def _rows(kind: _Hashes, number: int, parts: Sequence[_Hashes]) -> npt.NDArray[np.intp]:
    found = kind * _OTHER + np.uint64(number)
    for part in parts:
        found = (found ^ part) * _ODD
        found ^= found >> np.uint64(29)
    return ((found * _ODD) >> np.uint64(64 - ROWS.bit_length() + 1)).astype(np.intp)


def _features(words: _Words, paths: Paths) -> Iterator[list[_Hashes]]:
    """What each feature looks at, besides the kind of path."""
    d, h = paths.dependents, paths.heads
    above = words.markers.forest.heads[d]
    label, tag, lemma, feats, dependents, marked = (
        *(words.labels, words.tags, words.lemmas),
        *(words.feats, words.dependents, words.marked),
    )
    before = (d < h).astype(np.uint64)
    yield []
    yield [label[d]]
    yield [tag[d]]
    yield [tag[h]]
    yield [tag[d], tag[h]]
    yield [lemma[d]]
    yield [lemma[h]]
    yield [lemma[above]]
    yield [before]
    yield [feats[d]]
    yield [dependents[h]]
    yield [dependents[above]]
    yield [dependents[h], words.relativizer[h]]
    yield [dependents[d]]
    yield [marked[d]]
    yield [marked[above]]
    for relation in RELATIONS:
        yield [words.marker(relation)[d]]
    yield [label[above]]
    yield [dependents[above], lemma[above]]
    yield [words.relativizer[h], label[d]]
    yield [before, label[d], tag[d]]
    yield [marked[d], label[d], tag[d]]


class _Words:
    """What features look at, for all places in a forest; 0 for ROOT."""

    def __init__(self, markers: Markers) -> None:
        self.markers, self._forest = markers, markers.forest
        self._others = np.zeros(len(self._forest.columns) + 1, np.uint64)
        columns = self._forest.columns
        self.labels = self._padded(np.append(columns.hashes("deprel"), np.uint64(0))[columns.labels])
        self.tags, self.lemmas, self.feats = [
            self._padded(columns.hashes(name)[columns.words[name]]) for name in ("upos", "lemma", "feats")
        ]
        self.dependents = self._which_dependents()
        self.marked = self._how_marked()
        self.relativizer = self._relativizers()

    def _padded(self, of_words: _Hashes) -> _Hashes:
        return np.concatenate([of_words, self._others])

    def marker(self, relation: str) -> _Hashes:
        """The lemma of the word that marks each place so, 0 where there is none."""
        return np.append(self.lemmas, np.uint64(0))[self.markers.of[relation]]

    def _how_marked(self) -> _Hashes:
        """Two bits for each place and relation: whether a word marks it so, and whether that is not its last such one.

        Of several words, labels mostly name the last: "along with her" is ``obl:with``.
        """
        found = np.zeros(len(self._forest.heads), np.uint64)
        for number, relation in enumerate(RELATIONS):
            first, last = self.markers.of[relation], self.markers.of[f"last {relation}"]
            for bit, is_set in ((number, first >= 0), (number + len(RELATIONS), first != last)):
                found |= is_set.astype(np.uint64) << np.uint64(bit)
        return found

    def _which_dependents(self) -> _Hashes:
        """A set of bits for each place: relations that its dependents have."""
        columns, bits = self._forest.columns, {label: bit for bit, label in enumerate(_OF_DEPENDENTS)}
        of_labels = np.array([bits.get(text, 63) for text in (*columns.vocabularies["deprel"], "")], np.uint64)
        found = np.zeros(len(self._forest.heads), np.uint64)
        np.bitwise_or.at(found, self._forest.heads[: self._forest.n_words], np.uint64(1) << of_labels[columns.labels])
        return found

    def _relativizers(self) -> _Hashes:
        """For each place the label of a relative pronoun one or two steps below it."""
        columns, heads = self._forest.columns, self._forest.heads
        relative = np.array(["PronType=Rel" in text for text in columns.vocabularies["feats"]], np.bool_)
        pronouns = np.flatnonzero(relative[columns.words["feats"]])
        found = np.zeros(len(heads), np.uint64)
        found[heads[heads[pronouns]]] = self.labels[pronouns] * np.uint64(2)
        found[heads[pronouns]] = self.labels[pronouns]
        return found
