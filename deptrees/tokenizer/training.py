"""How a tokenizer is trained: an averaged perceptron over the places of a treebank's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import cycle, product

import numpy as np
import numpy.typing as npt

from deptrees.files.sparse import SparseArray
from deptrees.tokenizer.divider import Divider
from deptrees.tokenizer.model import Hyperparameters, perceptron, places_data
from deptrees.tokenizer.places import LONGEST_WORD, Certain, Decision, Places
from deptrees.tokenizer.texts import ALPHABET, KINDS, NO_WORDS, SPACE, WITHIN_WORDS, Lexicon, code_points
from deptrees.training.records import Epoch, TrainingError
from deptrees.training.resumable import Arrays, ResumableTraining, State, cut
from deptrees.treebanks.raw_text import SurfaceToken, surface_tokens
from deptrees.trees.token import canonical
from deptrees.trees.tree import DependencyTree

__all__ = ["TokenizerTraining", "in_running_text"]

_SENTENCES_TOGETHER = 20
_PLACES_IN_PORTION = 20_000
_RUN_TOGETHER = 0.05
"""How large the share of words must be that run together, or have white space inside, for the known ones to matter."""
_OF_WORDS = [KINDS.index(kind) for kind in WITHIN_WORDS]


def _looked_up(token: SurfaceToken) -> SurfaceToken:
    return token._replace(form=canonical(token.form), words=[*map(canonical, token.words)])


class _Separation(Enum):
    """What is between two sentences."""

    NOTHING = 0
    SPACE = 1
    BLANK_LINE = 2

    @classmethod
    def of(cls, after: str) -> _Separation:
        """The separation by some white space."""
        return cls.BLANK_LINE if after.count("\n") > 1 else cls.SPACE if after else cls.NOTHING


class TokenizerTraining(ResumableTraining[npt.NDArray[np.int64]]):
    """Training a tokenizer.

    Args:
        trees: the trees to learn from: their tokens, and the spaces that MISC records.
        hyperparameters: what was chosen before.
        seed: determines the order in which the text is learned from.

    Raises:
        TrainingError: there are no tokens.
    """

    def __init__(self, trees: Iterable[DependencyTree], hyperparameters: Hyperparameters, seed: int) -> None:
        super().__init__(seed)
        sentences = in_running_text([*map(_looked_up, sentence)] for sentence in surface_tokens(trees))
        tokens = [token for sentence in sentences for token in sentence]
        if not tokens:
            raise TrainingError("the treebank has no tokens: there is nothing to learn")
        self.divider = Divider.train((token.form, token.words) for token in tokens)
        text = "".join([token.text for token in tokens])
        stops = np.cumsum([len(token.text) for token in tokens])
        ends = stops - np.array([len(token.after) for token in tokens]) - 1
        last = np.cumsum([len(sentence) for sentence in sentences]) - 1
        everywhere = np.full(len(text), Decision.INSIDE, np.int32)
        everywhere[ends] = Decision.TOKEN
        everywhere[ends[last]] = Decision.SENTENCE
        self.certain = _certain(text, everywhere, hyperparameters.least)
        self.lexicon = _lexicon(tokens)
        if not self.lexicon.words:
            hyperparameters = hyperparameters.without_lexicon()
        places = Places(text, self.certain, self.lexicon)
        self._gold = everywhere[places.where]
        self.hyperparameters = hyperparameters.for_places(len(self._gold))
        bounds = np.searchsorted(places.where, ends[last], "right")[_SENTENCES_TOGETHER - 1 :: _SENTENCES_TOGETHER]
        offsets = np.unique(np.concatenate([[0], bounds, [len(places.where)]])).astype(np.int64)
        self._lengths = np.diff(offsets)
        starts = stops - np.array([len(token.form) + len(token.after) for token in tokens])
        self._data = places_data(places, offsets, (starts, ends + 1))
        nothing = SparseArray.empty(self.hyperparameters.table_shape())
        self._perceptron = perceptron(self.hyperparameters, nothing, learning=True)

    def weights(self) -> SparseArray:
        """What has been learned so far: the average of the weights."""
        return SparseArray.of_rows(self.hyperparameters.table_shape(), *self._perceptron.averages())

    def _divide(self) -> Sequence[npt.NDArray[np.int64]]:
        return cut(self._random.permutation(len(self._lengths)), self._lengths, _PLACES_IN_PORTION)

    def _learn(self, portion: npt.NDArray[np.int64]) -> tuple[int, int]:
        counts = [self._perceptron.learn(self._data, number, self._gold) for number in portion.tolist()]
        asked, wrong = map(sum, zip(*counts, strict=True))
        return asked, wrong

    def _record(self, number: int, steps: int, errors: int) -> Epoch:
        return Epoch(number, len(self._lengths), 0, steps, errors)

    def _arrays(self) -> Arrays:
        return {"weights": self._perceptron.weights, "changes": self._perceptron.changes}

    def _other_state(self) -> State:
        return {"time": self._perceptron.time}

    def _restore(self, arrays: Arrays, rest: State) -> None:
        self._perceptron.time = rest["time"]
        self._perceptron.invalidate()


def in_running_text(sentences: Iterable[Sequence[SurfaceToken]]) -> list[Sequence[SurfaceToken]]:
    r"""Sentences as in a text in which characters tell where they end, whatever is between them in the treebank.

    What most of them have after them teaches nothing if it is a blank line, or nothing where words have spaces between
    them: a space takes its place. Where words run together, as in Chinese, sentences may stand in lines or not: a space
    takes its place after every other sentence, and nothing after the rest.

    >>> du, sens = SurfaceToken("Du", ["Du"]), SurfaceToken("sens", ["sens"], "\n\n")
    >>> [sentence[-1].after for sentence in in_running_text([[du, sens], [du, sens]])]
    [' ', ' ']
    """
    found = [sentence for sentence in sentences if sentence]
    ends = [_Separation.of(sentence[-1].after) for sentence in found]
    usual, _ = Counter(ends).most_common(1)[0] if ends else (None, 0)
    inside = [token.after for sentence in found for token in sentence[:-1]]
    run_together = inside.count("") > len(inside) / 2
    if usual == _Separation.SPACE and not run_together:
        return found
    spaces = cycle(["", " "] if run_together else [" "])
    return [
        [*sentence[:-1], sentence[-1]._replace(after=next(spaces))] if end == usual else sentence
        for sentence, end in zip(found, ends, strict=True)
    ]


def _lexicon(tokens: Sequence[SurfaceToken]) -> Lexicon:
    """The words of a treebank, if many of them run together, or have white space inside."""
    is_of_words = np.isin(_kinds(tokens, 0), _OF_WORDS), np.isin(_kinds(tokens, -1), _OF_WORDS)
    touches = np.array([not token.after for token in tokens])
    run_together = touches[:-1] & is_of_words[1][:-1] & is_of_words[0][1:]
    if run_together.sum() + sum(len(token.form.split()) > 1 for token in tokens) < _RUN_TOGETHER * len(tokens):
        return NO_WORDS
    return Lexicon(Counter(token.form.lower() for token in tokens if len(token.form) <= LONGEST_WORD))


def _kinds(tokens: Iterable[SurfaceToken], at: int) -> npt.NDArray[np.uint8]:
    """What one character of each token is."""
    return ALPHABET.kinds[code_points("".join([token.form[at] for token in tokens]))]


def _certain(text: str, decisions: npt.NDArray[np.int32], least: float) -> Certain:
    """What the kinds of two characters say about the place between them."""
    kinds, shape = Places(text).kinds, (len(KINDS), len(KINDS))
    pairs, divided, around, usual = np.zeros((4, *shape), np.int64)
    np.add.at(pairs, (kinds[:-1], kinds[1:]), 1)
    np.add.at(divided, (kinds[:-1], kinds[1:]), decisions[:-1] != Decision.INSIDE)
    at = np.flatnonzero(kinds[1:-1] == SPACE)
    np.add.at(around, (kinds[at], kinds[at + 2]), 1)
    np.add.at(usual, (kinds[at], kinds[at + 2]), decisions[at] == Decision.TOKEN)
    is_plain = (around - usual <= least * around) & (around >= 1 / least)
    is_plain[SPACE] = is_plain[:, SPACE] = False
    return Certain(_pairs(WITHIN_WORDS, divided > least * pairs), _pairs(KINDS, is_plain))


def _pairs(kinds: Iterable[str], chosen: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], ...]:
    """The pairs of some kinds that are chosen from an array (kinds × kinds)."""
    return tuple(pair for pair in product(kinds, repeat=2) if chosen[KINDS.index(pair[0]), KINDS.index(pair[1])])
