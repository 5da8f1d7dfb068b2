"""The oracles that spaCy and Stanza ship, asked through their own modules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import attrs
from networkx import DiGraph
from spacy.pipeline._parser_internals.arc_eager import ArcEager
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from deptrees import DependencyTree
from deptrees.transition import (
    ArcTransition,
    Attach,
    ExplorationPolicy,
    LeftArc,
    Reduce,
    RightArc,
    Shift,
    StanzaAttach,
    Transition,
)
from deptrees.transition.configuration import labeled
from deptrees.transition.labels import Label, untyped

NAMES: dict[type[Transition], str] = {Shift: "S", Reduce: "D", LeftArc: "L-dep", RightArc: "R-dep"}
"""What spaCy calls the transitions."""

Costs = dict[Transition, int]


class OfSpacy:
    """spaCy's transition system and its oracle, through its Python interface."""

    def __init__(self) -> None:
        self._vocab = Vocab()
        self._moves = ArcEager(self._vocab.strings, ArcEager.get_actions())
        self._numbers = {self._moves.class_name(number): number for number in range(self._moves.n_moves)}
        self._gold = lru_cache(maxsize=64)(self._gold_of)

    def costs(self, history: Iterable[Transition], possible: Sequence[Transition], tree: DependencyTree) -> Costs:
        """What the possible transitions cost after others, as spaCy says, from 0 on."""
        example, gold = self._gold(tree.heads)
        [state] = self._moves.init_batch([example.predicted])
        for transition in history:
            self._moves.transition(state, NAMES[type(transition)])
        gold.update(state)
        numbers = {transition: self._numbers[NAMES[type(transition)]] for transition in possible}
        return {each: max(0, int(self._moves.get_cost(state, gold, number))) for each, number in numbers.items()}

    def __call__(self, cfg: Any, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        """The transitions that it calls free: an oracle for training."""
        costs = self.costs(cfg.history, cfg.possible_transitions(), tree)
        return tuple([labeled(each, cfg, tree, label) for each, price in costs.items() if not price])

    def _gold_of(self, heads: tuple[int, ...]) -> tuple[Example, Any]:
        words = ["w"] * len(heads)
        gold = [head - 1 if head else word for word, head in enumerate(heads)]
        deps = ["dep" if head else "ROOT" for head in heads]
        example = Example.from_dict(Doc(self._vocab, words=words), {"words": words, "heads": gold, "deps": deps})
        [state] = self._moves.init_batch([example.predicted])
        return example, self._moves.init_gold(state, example)


class OfStanza:
    """Stanza's oracle, through its own modules: a gold sequence of transitions, repaired after some wrong ones.

    Where it knows no repair, Stanza takes the gold transition: what would follow the wrong one is not known.
    """

    def __init__(self) -> None:
        package = "stanza.models.depparse.transition"
        self._states, self._transitions, self._oracle = (
            import_module(f"{package}.{name}") for name in ("state", "transitions", "dynamic_oracle")
        )
        self._after = lru_cache(maxsize=1 << 10)(self._sequence_after)

    def gold(self, cfg: Any, tree: DependencyTree) -> Transition:
        """The transition that it goes on with.

        Raises:
            KeyError: a transition before this had no repair.
        """
        cfg, sequence = self._after(tree.heads, cfg.history)
        theirs = sequence[len(cfg.history)]
        if theirs == self._transitions.Shift():
            return Shift()
        kind = LeftArc if type(theirs).__name__.endswith("Right") else Attach
        return kind(k=getattr(theirs, "word_idx", cfg.stack[-2]))

    def follows(self, transition: Transition, cfg: Any, tree: DependencyTree) -> bool:
        """Whether it knows what to do after a transition, which is right or can be repaired."""
        return self._repaired(transition, *self._after(tree.heads, cfg.history)) is not None

    def __call__(self, cfg: Any, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
        """The same as an oracle for training."""
        return (labeled(self.gold(cfg, tree), cfg, tree, label),)

    def _sequence_after(self, heads: tuple[int, ...], history: tuple[Transition, ...]) -> tuple[Any, list[Any]]:
        """The configuration after some transitions, and the gold sequence with all repairs until then."""
        if not history:
            graph = DiGraph((word, head, {"deprel": None}) for word, head in enumerate(heads, 1))
            return StanzaAttach().initial(["w"] * len(heads)), self._states.build_gold_sequence(graph)
        *before, latest = history
        cfg, sequence = self._after(heads, tuple(before))
        repaired = self._repaired(latest, cfg, sequence)
        if repaired is None:
            raise KeyError(latest)
        return latest(cfg), repaired

    def _repaired(self, transition: Transition, cfg: Any, sequence: list[Any]) -> list[Any] | None:
        state = SimpleNamespace(gold_sequence=sequence, transitions=cfg.history)
        gold, chosen = sequence[len(cfg.history)], self.theirs(transition, cfg)
        kind, repaired = self._oracle.repair(state, gold, chosen)
        return sequence if kind.name == "CORRECT" else repaired

    def theirs(self, transition: Transition, cfg: Any) -> Any:
        """What Stanza calls a transition."""
        if not isinstance(transition, ArcTransition):
            return self._transitions.Shift()
        side = "Right" if isinstance(transition, LeftArc) else "Left"
        if transition.k == cfg.stack[-2]:
            return getattr(self._transitions, f"Projective{side}")(None)
        return getattr(self._transitions, f"Nonprojective{side}")(None, transition.k)


@attrs.frozen
class WhereRepaired(ExplorationPolicy):
    """Explore only where an oracle of Stanza knows what follows."""

    oracle: OfStanza = attrs.field(kw_only=True, repr=False)

    def choose(self, cfg: Any, possible: Any, gold: Any, predicted: Transition | None) -> Transition:
        taken = super().choose(cfg, possible, gold, predicted)
        return taken if taken in gold or self.oracle.follows(taken, cfg, cfg.source) else self._draw(gold)
