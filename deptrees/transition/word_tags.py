"""Trees as one tag a word, by any system that reads words from left to right: then any tagger is a parser.

In a derivation of such a system, each word is read once: it leaves the front of the buffer. A tag has the transition
that reads its word, and those after it, up to the next that reads (Gómez-Rodríguez, Strzyz & Vilares 2020).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from deptrees.messages import of_type, quoted
from deptrees.transition.enumeration import reachable
from deptrees.transition.labels import Label, typed
from deptrees.transition.oracles import static_oracle
from deptrees.transition.sequence import Oracle, UnparsableTree
from deptrees.transition.system import System
from deptrees.transition.systems.registry import GivenSystem, as_tree_system
from deptrees.transition.transitions import ArcTransition, Transition
from deptrees.trees.tree import DependencyTree, Sentence

__all__ = ["NotLeftToRight", "decode", "encode"]

_ENOUGH = 3
"""In how many words a transition shows that it does something else with the buffer than to read."""


class NotLeftToRight(ValueError):
    """A system does not read words from left to right; the message names a transition that does something else."""


def encode(system: GivenSystem, tree: DependencyTree, label: Label = typed) -> tuple[str, ...]:
    """A tree as one tag a word: a part of the derivation that the system's static oracle follows.

    The parts of a tag are joined by ``+``: a kind of transition, ``-`` and its k if that is not 1, ``:`` and its label.

    Args:
        system: the system, or its name.
        tree: the tree.
        label: ``typed``, or ``untyped`` for tags without labels.

    Raises:
        NotLeftToRight: the system puts words back into the buffer, or has none.
        ValueError: the system cannot build the tree.
        OracleNotDefined: the system has no static oracle.

    >>> from deptrees.transition import ArcStandard, ArcSwift, untyped
    >>> tree = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
    >>> encode("arc-hybrid", tree)
    ('Shift+LeftArc:nsubj', 'Shift', 'Shift+LeftArc:det', 'Shift+RightArc:obj+RightArc:root')
    >>> encode(ArcSwift(), tree, untyped)
    ('Shift+LeftArc', 'RightArc', 'Shift+LeftArc', 'RightArc')
    >>> encode("arc-standard-swap", tree)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    deptrees.transition.word_tags.NotLeftToRight: ArcStandardSwap(root='first') does not read words from left to right:
    Swap() makes the buffer ...
    """
    system = _left_to_right(as_tree_system(system))
    derivation = Oracle(system, static_oracle, label)(tree)
    if isinstance(derivation, UnparsableTree):
        raise ValueError(f"there are no tags for the tree: {derivation.error}")
    tags: list[list[str]] = []
    for cfg, transition in derivation:
        if not tags or (_reads(cfg, transition) and cfg.buffer[0] > 1):
            tags.append([])
        tags[-1].append(_written(transition))
    return tuple(["+".join(parts) for parts in tags])


def decode(system: GivenSystem, tags: Sequence[str], sentence: Sentence) -> DependencyTree:
    """The tree that tags stand for; any tags give one.

    A transition that is not possible is left out, and so is one that would read the next word. Where a word is not read
    that must be, it is, by Shift if that is possible; where the tags do not lead to the end, the first possible
    transitions do. Arcs that are added in this way have no label.

    Args:
        system: the system, or its name.
        tags: one for each word.
        sentence: the words: strings, tokens, or a tree, whose heads are ignored.

    Raises:
        NotLeftToRight: the system puts words back into the buffer, or has none.
        ValueError: there are more tags than words, or fewer, or one of them names no transition of the system.

    >>> decode("arc-hybrid", ["Shift+LeftArc:nsubj", "Shift+RightArc:root"], ["Birds", "sing"])
    DependencyTree([(2, 'Birds', 'nsubj'), (0, 'sing', 'root')])
    >>> decode("arc-hybrid", ["RightArc:nsubj", "LeftArc:nsubj"], ["Birds", "sing"])
    DependencyTree([(2, 'Birds', 'nsubj'), (0, 'sing')])
    """
    system = _left_to_right(as_tree_system(system))
    cfg = system.initial(sentence)
    if len(tags) != len(cfg.tokens):
        raise ValueError(f"there are {len(tags)} tags for {len(cfg.tokens)} words")
    kinds = {type(transition).__name__: type(transition) for transition in system.transition_space()}
    for word, tag in enumerate(tags, 1):
        of_type("tag", tag, str, "a text, such as 'Shift+LeftArc:nsubj'")
        for transition in _transitions(tag, kinds):
            unread = cfg.buffer[:1] == (word,)
            if transition.is_possible(cfg) and (unread or not _reads(cfg, transition) or cfg.buffer == (0,)):
                cfg = transition(cfg)
            elif unread:
                cfg = _with_read(cfg, word)
        cfg = _with_read(cfg, word)
    while not cfg.is_final:
        cfg = cfg.possible_transitions()[0](cfg)
    return cfg.tree()  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def _left_to_right(system: System) -> System:
    """The system; an error if there is a transition that does something else with the buffer than to read a word."""
    if not hasattr(system.initial(["w"]), "buffer"):
        raise NotLeftToRight(f"{system} does not read words from left to right: it has no buffer")
    for n in range(1, _ENOUGH + 1):
        for cfg in reachable(system, n):
            for transition in () if cfg.is_final else cfg.possible_transitions():
                before, after = cfg.buffer, transition(cfg).buffer  # type: ignore[attr-defined]
                if after not in (before, before[1:]):
                    fault = f"{transition!r} makes the buffer {after} of {before}"
                    raise NotLeftToRight(f"{system} does not read words from left to right: {fault}")
    return system


def _reads(cfg: Any, transition: Transition) -> bool:
    """Whether a possible transition takes a word from the buffer."""
    return len(transition(cfg).buffer) < len(cfg.buffer)


def _with_read(cfg: Any, word: int) -> Any:
    """The configuration in which a word has been read, if it is still in front of the buffer."""
    while cfg.buffer[:1] == (word,) and not cfg.is_final:
        possible = cfg.possible_transitions()
        cfg = max(possible, key=lambda transition: (_reads(cfg, transition), cfg.added(transition) is None))(cfg)
    return cfg


def _written(transition: Transition) -> str:
    """A transition as part of a tag."""
    k, label = getattr(transition, "k", 1), getattr(transition, "label", None)
    text = type(transition).__name__ + (f"-{k}" if k != 1 else "")
    return text if label is None else f"{text}:{str(label).replace('%', '%25').replace('+', '%2B')}"


def _transitions(tag: str, kinds: dict[str, type[Transition]]) -> Iterator[Transition]:
    """The transitions that a tag names."""
    for part in tag.split("+"):
        match = re.fullmatch(r"(\w+)(?:-(\d+))?(?::(.*))?", part)
        kind = kinds.get(match[1]) if match else None
        if match is None or kind is None or ((match[2] or match[3]) and not issubclass(kind, ArcTransition)):
            raise ValueError(f"{quoted(part)}, in the tag {quoted(tag)}, is none of the transitions {', '.join(kinds)}")
        label = [] if match[3] is None else [match[3].replace("%2B", "+").replace("%25", "%")]
        yield kind(*label, k=int(match[2] or 1)) if issubclass(kind, ArcTransition) else kind()
