"""Parsing word by word: what is known of a sentence whose end is not known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypedDict

import attrs

from deptrees.search import Beam, BeamSearch, Hypothesis, WeightedSet
from deptrees.transition.configuration import Configuration
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from deptrees.tagger import Tagger

__all__ = ["ConfigurationRecord", "Increment", "IncrementRecord", "IncrementalParse"]


class ConfigurationRecord(TypedDict):
    """A configuration of a beam, as data for JSON.

    Args:
        probability: its share of the probability of all that are kept.
        stack: the positions on its stack, the top last.
        arcs: its arcs, as lists of head, dependent and label.
    """

    probability: float
    stack: Sequence[int]
    arcs: Sequence[tuple[int, int, str | None]]


class _Increment(TypedDict):
    word: int
    form: str | None
    kept: int
    mass: float
    entropy: float
    depth: int
    certain: Sequence[tuple[int, int, str | None]]
    configurations: Sequence[ConfigurationRecord]


class IncrementRecord(_Increment, total=False):
    """What is known after a word, as data for JSON.

    Args:
        sentence: the sentence's ``sent_id`` or, if it has none, its number; the command ``parse`` adds it.
        word: the word's position, 0 before the first.
        form: its form, ``null`` before the first.
        kept: how many derivations the beam keeps.
        mass: their share of the probability of all derivations.
        entropy: the entropy of the derivations that are kept, in bits.
        depth: how many words are on the stack of the best configuration.
        certain: the arcs that no continuation changes, as lists of head, dependent and label.
        configurations: the configurations that are kept, or the best of them, the best first.
    """

    sentence: str


@attrs.frozen(eq=False)
class Increment:
    """What is known after a word: all hypotheses have taken it from the buffer, and none has taken the next one.

    Args:
        word: the word's position, 0 before the first.
        hypotheses: the hypotheses of the beam, the best first. The scores are the logarithms of their probabilities
            among all derivations; ``hypotheses.probabilities`` are those among each other.
    """

    word: int
    hypotheses: WeightedSet[Hypothesis]

    @property
    def best(self) -> Any:
        """The best configuration."""
        return self.hypotheses.items[0].config

    @property
    def depth(self) -> int:
        """How many words are on the stack of the best configuration."""
        return (self.best.stack_bits >> 1).bit_count()  # type: ignore[no-any-return]

    @property
    def certain(self) -> tuple[tuple[int, int, str | None], ...]:
        """The arcs that no continuation of a hypothesis changes, as (head, dependent, label).

        All hypotheses have them, and so has all that continues one of them: a transition adds an arc and removes none.
        In a system in which a word can get another head, such as the non-monotonic arc-eager, only the arcs of words
        count that are neither on the stack nor in the buffer.
        """
        return tuple(sorted(set.intersection(*[_kept(item.config) for item in self.hypotheses.items]), key=_dependent))

    def record(self, most: int | None = None) -> IncrementRecord:
        """The same in numbers and texts: a line of JSON, or a row of a data frame.

        Besides, it has the number of hypotheses that are kept, and the share of the probability of all that they have.

        Args:
            most: how many configurations to describe, the best first; all if not given.
        """
        shares = self.hypotheses.probabilities.tolist()
        return {
            "word": self.word,
            "form": self.best.tokens[self.word - 1].form if self.word else None,
            "kept": len(self.hypotheses),
            "mass": math.exp(self.hypotheses.log_sum),
            "entropy": self.hypotheses.entropy,
            "depth": self.depth,
            "certain": self.certain,
            "configurations": [
                {"probability": share, "stack": item.config.stack, "arcs": _arcs(item.config)}
                for share, item in zip(shares[:most], self.hypotheses.items, strict=False)
            ],
        }


def _arcs(cfg: Configuration) -> list[tuple[int, int, str | None]]:
    return [(head, word, cfg.labels[word - 1]) for head, word in cfg.arcs]


def _kept(cfg: Any) -> set[tuple[int, int, str | None]]:
    """The arcs of a configuration that stay."""
    open_words = 0 if cfg.system.keeps_arcs else cfg.stack_bits | cfg.buffer_bits
    return {arc for arc in _arcs(cfg) if not open_words >> arc[1] & 1}


def _dependent(arc: tuple[int, int, str | None]) -> int:
    return arc[1]


class IncrementalParse:
    """The parse of a sentence whose words come one by one; `deptrees.Parser.incremental` begins it.

    Transitions are taken as long as the words are there that the model may look at. So after as many words as it looks
    ahead, and one more, it is known what comes after the first word. Used in a ``with``, the sentence ends with it.

    Args:
        search: the search, by probabilities of transitions.
        lookahead: how many words after b0 the model looks at.
        tagger: tags the words, if it has one; how far it looks ahead is added.
    """

    def __init__(self, search: BeamSearch, lookahead: int, tagger: Tagger | None = None) -> None:
        self.lookahead = lookahead + (0 if tagger is None else tagger.lookahead)
        self._search, self._tagger, self._of_tags = search, tagger, self.lookahead - lookahead
        self._words: tuple[Token, ...] = ()
        self._beam: Beam = (Hypothesis(search.ranking.system.initial(DependencyTree(()))),)
        self._word, self._ended = 0, False

    @property
    def tree(self) -> DependencyTree:
        """The sentence with the heads and labels of the best hypothesis so far."""
        return self._beam[0].tree()

    @property
    def known(self) -> Increment:
        """What is known now."""
        return Increment(self._word, WeightedSet(self._beam, [hypothesis.score for hypothesis in self._beam]))

    def feed(self, word: str | Token) -> Increment:
        """Take the next word, and return what is then known: after the word so far back as the model looks ahead.

        Args:
            word: its form, or a token, with the tags that the model looks at if there is no tagger.

        Raises:
            ValueError: the sentence has ended, or is longer than its system takes.
        """
        if self._ended:
            raise ValueError("the sentence has ended: begin another one")
        token = word if isinstance(word, Token) else Token(word)
        self._words += (attrs.evolve(token, head=None, label=None, id=len(self._words) + 1),)
        self._extend(self._of_tags)
        return self._go_on(max(0, len(self._words) - self.lookahead))

    def read(self, words: Iterable[str | Token]) -> Iterator[Increment]:
        """Take all words of a sentence: what is known after each, and after the last one in the end."""
        last = self.known
        for known in chain(map(self.feed, words), self._ending()):
            if last.word not in (0, known.word):  # of a word that more is then known of, the last counts
                yield last
            last = known
        if last.word:
            yield last

    def end(self) -> list[Increment]:
        """Take notice that no more words come, and return what is known after each word that was not known yet.

        The last is what is known in the end. Of a sentence that has ended, or has no words, there is nothing more.
        """
        return [*self._ending()]

    def _ending(self) -> Iterator[Increment]:
        if self._ended or not self._words:
            return
        self._ended = True
        self._extend(0)
        yield from map(self._go_on, range(self._word + 1, len(self._words)))
        self._beam = self._search.until(self._beam, lambda cfg: cfg.is_final)
        self._word = len(self._words)
        yield self.known

    def _extend(self, without: int) -> None:
        """Put the words into the buffers, except for some at the end whose tags are not known yet."""
        tree = self._search.ranking.system.tree_of(DependencyTree(self._words))
        if self._tagger is not None:
            tree = DependencyTree(self._tagger.tag(tree).tokens[: max(0, len(tree) - without)])
        self._beam = tuple(
            [Hypothesis(it.config.extended(tree), it.score, it.previous, it.transition) for it in self._beam]
        )

    def _go_on(self, word: int) -> Increment:
        """Go on to where a word is taken from all buffers."""
        left = len(self._beam[0].config.source) - word
        self._beam = self._search.until(self._beam, lambda cfg: (cfg.buffer_bits >> 1).bit_count() <= left)
        self._word = word
        return self.known

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None) -> None:
        if kind is None:
            self.end()
