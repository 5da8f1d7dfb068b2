"""What every configuration offers, however it is implemented."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from deptrees.messages import quoted
from deptrees.transition.labels import Label, untyped
from deptrees.transition.oracles import Oracles
from deptrees.transition.system import System
from deptrees.transition.transitions import ArcTransition, IllegalTransition, Transition
from deptrees.trees.token import ROOT, Token
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.drawing.diagram import ArcDiagram

__all__ = ["PADDING", "BaseConfiguration", "Configuration", "SentenceConfiguration", "labeled", "last_possible"]

PADDING = Token("", id=-1)
"""What stands beyond the end of a stack or buffer."""


class BaseConfiguration(ABC):
    """A state on the way to an answer: immutable, hashable, and equal to any other that has the same content.

    Oracles, policies, searches and training strategies need only this. The systems of the library build trees and
    graphs, but others may build anything step by step.
    """

    __slots__ = ()

    @property
    def system(self) -> Any:
        """The system it belongs to."""
        raise NotImplementedError

    @property
    def oracles(self) -> Oracles:
        """The oracles of the system."""
        return self.system.oracles  # type: ignore[no-any-return]

    @property
    @abstractmethod
    def is_final(self) -> bool:
        """Whether the end has been reached."""

    @abstractmethod
    def possible_transitions(self) -> tuple[Transition, ...]:
        """The transitions that are possible, without labels."""

    @abstractmethod
    def take(self, transition: Transition) -> Self:
        """The next configuration; the same as ``transition(cfg)``."""

    @abstractmethod
    def is_possible(self, transition: Transition) -> bool:
        """Whether a transition is possible; the same as ``transition.is_possible(cfg)``."""

    @property
    def built(self) -> Hashable:
        """What has been built so far; if it is the same in two final configurations, they are the same answer."""
        return self


class SentenceConfiguration(BaseConfiguration):
    """A configuration in which arcs between the words of a sentence are added: to a tree, or to a graph.

    Words are positions in the sentence, from 1; 0 is ROOT.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def source(self) -> Any:
        """What is parsed: a tree or a graph, of which only the words count."""

    @property
    @abstractmethod
    def tokens(self) -> tuple[Token, ...]:
        """The words of the sentence."""

    @property
    @abstractmethod
    def parts(self) -> Mapping[str, object]:
        """Its parts other than arcs, by the symbols of the literature.

        >>> from deptrees.transition import ArcHybrid, EasyFirst
        >>> ArcHybrid().initial(["Birds", "sing"]).parts, EasyFirst().initial(["Birds", "sing"]).parts
        ({'σ': (0,), 'β': (1, 2)}, {'λ': (0, 1, 2)})
        """

    @property
    @abstractmethod
    def heads(self) -> tuple[Any, ...]:
        """What each word has as its head so far, or as its heads."""

    @property
    @abstractmethod
    def labels(self) -> tuple[Any, ...]:
        """The label of each word's arc so far, or those of its arcs."""

    @property
    @abstractmethod
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """The arcs so far as (head, dependent) pairs, in the order of the dependents."""

    @property
    def built(self) -> Hashable:
        return self.heads, self.labels

    @abstractmethod
    def latest_transitions(self) -> Iterator[Transition]:
        """The transitions that led to it, the last one first."""

    @property
    def history(self) -> tuple[Transition, ...]:
        """The transitions that led to it, in order. Configurations that differ only in this are equal.

        >>> from deptrees.transition import EasyFirst, LeftArc, RightArc
        >>> RightArc("root")(LeftArc("nsubj", k=2)(EasyFirst().initial(["Birds", "sing"]))).history
        (LeftArc('nsubj', k=2), RightArc('root'))
        """
        return tuple(self.latest_transitions())[::-1]

    @abstractmethod
    def answer(self) -> Any:
        """The sentence with the arcs found so far: a tree or a graph."""

    @abstractmethod
    def added(self, transition: Transition) -> tuple[int, int] | None:
        """The arc that a possible transition would add and label, as (head, dependent); ``None`` if it adds none.

        >>> from deptrees.transition import ArcHybrid, LeftArc, Shift
        >>> cfg = Shift()(ArcHybrid().initial(["Birds", "sing"]))
        >>> cfg.added(LeftArc()), cfg.added(Shift())
        ((2, 1), None)
        """

    def added_arcs(self, transition: Transition) -> tuple[tuple[int, int], ...]:
        """All arcs that a possible transition would add; only in left-corner is there another than the labeled one.

        >>> from deptrees.transition import InsertRoot, LeftCorner, LeftPred, Shift
        >>> cfg = LeftPred()(Shift()(LeftCorner().initial(["Birds", "sing"])))
        >>> cfg.added(InsertRoot()), cfg.added_arcs(InsertRoot())
        (None, ((2, 1),))
        """
        arc = self.added(transition)
        return () if arc is None else (arc,)

    def head(self, transition: Transition) -> int | None:
        """The head that a possible transition would give a word, ``None`` if it attaches none."""
        arc = self.added(transition)
        return None if arc is None else arc[0]

    @abstractmethod
    def gold_token(self, transition: Transition, gold: Any) -> Token | None:
        """The word that a possible transition would attach, as it is labeled in gold; ``None`` if it attaches none."""

    @abstractmethod
    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        """The elements around the place where transitions with this k work, which feature templates look at.

        Returns:
            The elements to the left and those to the right of it, nearest first: s0, s1, ... and b0, b1, ...; -1 is
            none.

        >>> from deptrees.transition import EasyFirst
        >>> EasyFirst().initial(["Birds", "can", "sing"]).neighbors(k=2)
        ((1, 0), (2, 3))
        """

    def stack_token(self, i: int) -> Token:
        """The token at s_i, by its place to the left of where transitions work; a padding token if there is none.

        >>> from deptrees.transition import EasyFirst
        >>> EasyFirst().initial(["Birds", "sing"]).stack_token(0).form
        'ROOT'
        """
        left = self.neighbors()[0]
        return self._token(left[i] if i < len(left) else -1)

    def buffer_token(self, i: int) -> Token:
        """The token at b_i, by its place to the right of where transitions work; a padding token if there is none."""
        right = self.neighbors()[1]
        return self._token(right[i] if i < len(right) else -1)

    def _token(self, position: int) -> Token:
        if position < 0:
            return PADDING
        return self.tokens[position - 1] if position else ROOT

    def _content(self) -> tuple[object, ...]:
        """What makes two configurations of a sentence equal."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._content() == other._content() and self.tokens == other.tokens

    def __hash__(self) -> int:
        return hash(self._content())

    def __repr__(self) -> str:
        arcs = ", ".join(f"{head} → {dependent}" for head, dependent in self.arcs)
        return f"{self.system!r}: {', '.join(f'{name} = {part}' for name, part in self.parts.items())}, A = ({arcs})"

    def __reduce__(self) -> tuple[object, ...]:
        # How it came to be says all: its parts are linked lists, and some classes are made while a program runs.
        return _replayed, (self.system, self.source, self.history)

    def parts_in_words(self) -> dict[str, str]:
        """Its parts with forms instead of positions, as tables show them.

        >>> from deptrees.transition import ArcHybrid, LRSpines
        >>> ArcHybrid().initial(["Birds", "sing"]).parts_in_words()
        {'σ': 'ROOT', 'β': 'Birds sing'}
        >>> LRSpines().initial(["Birds"]).parts_in_words()
        {'σ': '(ROOT | ROOT)', 'β': 'Birds'}
        """
        words = ["ROOT", *[token.form for token in self.tokens]]
        return {name: _in_words(part, words) for name, part in self.parts.items()}

    @abstractmethod
    def _diagram(self) -> ArcDiagram:
        """The arcs so far."""

    def _repr_html_(self) -> str:
        """What notebooks show: its parts, and the arcs so far."""
        from deptrees.drawing.html import scrolling
        from deptrees.drawing.svg import svg
        from deptrees.drawing.table import DrawnTable

        parts = self.parts_in_words()
        table = DrawnTable(list(parts), [[list(parts.values())]])
        return scrolling(table.html() + svg(self._diagram()), repr(self))


class Configuration(SentenceConfiguration):
    """A state of parsing: a configuration in which a dependency tree is built."""

    __slots__ = ()

    @property
    @abstractmethod
    def source(self) -> DependencyTree:
        """The tree whose words are parsed."""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words of the sentence, without heads, labels and enhanced dependencies."""
        return self.source.words

    @property
    @abstractmethod
    def heads(self) -> tuple[int | None, ...]:
        """The head of each word so far, ``None`` while it has none."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str | None, ...]:
        """The label of each word's arc so far."""

    @property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        return tuple((head, word) for word, head in enumerate(self.heads, 1) if head is not None)

    @abstractmethod
    def dependent(self, transition: Transition) -> int | None:
        """The word that a possible transition would attach, ``None`` if it attaches none."""

    def added(self, transition: Transition) -> tuple[int, int] | None:
        word = self.dependent(transition)
        head = None if word is None else transition(self).heads[word - 1]
        return None if word is None or head is None else (head, word)

    def gold_token(self, transition: Transition, gold: DependencyTree) -> Token | None:
        word = self.dependent(transition)
        return None if word is None else gold[word]

    def answer(self) -> DependencyTree:
        return self.tree()

    def _diagram(self) -> ArcDiagram:
        return self.tree().diagram()

    def tree(self) -> DependencyTree:
        """The sentence with the heads and labels found so far; comments and extra tokens are kept.

        >>> from deptrees.transition import ArcHybrid, Shift
        >>> Shift()(ArcHybrid().initial(["Birds", "sing"])).tree()
        DependencyTree([(None, 'Birds'), (None, 'sing')])
        """
        return self.source.attached(self.heads, self.labels)


def _in_words(part: Any, words: Sequence[str]) -> str:
    if isinstance(part, int):
        return words[part] if 0 <= part < len(words) else ""
    if part and isinstance(part[0], tuple):
        return " ".join(f"({' | '.join([_in_words(inner, words) for inner in pair])})" for pair in part)
    return " ".join([words[position] for position in part])


def _replayed(system: System, source: object, history: Iterable[Transition]) -> SentenceConfiguration:
    """The configuration that transitions lead to."""
    start: SentenceConfiguration = system.initial(source)
    return reduce(lambda cfg, transition: transition(cfg), history, start)


def last_possible(cfg: SentenceConfiguration, gold: object, label: Label) -> Transition:
    """What a static oracle returns where it is not defined, off the path to the gold tree or graph.

    Raises:
        IllegalTransition: the configuration is final.
    """
    possible = cfg.possible_transitions()
    if not possible:
        raise IllegalTransition(f"there is no transition from the final configuration {quoted(cfg)}")
    return labeled(possible[-1], cfg, gold, label)


def labeled(transition: Transition, cfg: SentenceConfiguration, gold: object, label: Label) -> Transition:
    """The transition with the parameters that ``label`` returns for the gold token of the word that it would attach."""
    if label is untyped or not isinstance(transition, ArcTransition):
        return transition
    token = cfg.gold_token(transition, gold)
    return transition if token is None else type(transition)(*label(token), k=transition.k)
