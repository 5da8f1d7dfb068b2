"""Joint tagging and parsing (Bohnet & Nivre 2012): Shift tags the word that it moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

from deptrees.messages import quoted
from deptrees.transition.configuration import Configuration, labeled
from deptrees.transition.labels import Label
from deptrees.transition.losses.joint_tags import JointTagsLoss
from deptrees.transition.oracles import OracleReturning, Oracles
from deptrees.transition.system import System
from deptrees.transition.systems.registry import as_tree_system
from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem
from deptrees.transition.table import B0, push
from deptrees.transition.transitions import IllegalTransition, Shift, ShiftTag, Transition
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree, Sentence

if TYPE_CHECKING:
    from deptrees.transition.systems.explicit import Latest

__all__ = ["JointTags", "JointTagsConfiguration"]

UPOS = tuple("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())  # noqa: SIM905
"""The parts of speech of Universal Dependencies."""

_OF_UNTAGGED = (
    "projective_only",
    "builds_plain_trees",
    "leaves_words",
    "empty_means_unknown",
    "learns_best_from",
    "most_words",
)
"""What is the same with tags and without."""


def _tuple(tags: Iterable[str]) -> tuple[str, ...]:
    return tuple(tags)


@attrs.frozen(repr=False)
class JointTags(System):
    """A system that tags words as it parses (Bohnet & Nivre 2012): with Shift, it says the tag of the word.

    Configurations are those of a system without tags, and the tags of the words that have been read. Its transitions
    are the same, but for this:

    ========== ======================================= ====================
    Transition Preconditions, besides those of Shift   Moves
    ========== ======================================= ====================
    ShiftTag   b0 has not been on the stack            b0 to σ; gets a tag
    Shift      b0 has been on the stack                b0 to σ
    ========== ======================================= ====================

    Features see the tags of words that have been read, and nothing else that a tagger fills in: neither other tags, in
    the sentence or to come, nor XPOS, FEATS and lemmas. Where words swap, those that come back from the stack keep
    their tags: every word is tagged once. As published, if memory serves, every Shift says a tag, and the last counts.

    In the system without tags, Shift must be the only transition that reads words: arc-standard, arc-hybrid, their
    relatives that swap words, and Attardi's are such. In arc-eager, RightArc reads words, too, and would need a label
    and a tag.

    Tags are to ShiftTag what labels are to LeftArc: the oracles give gold tags if they give labels, with ``typed``, and
    losses do not count them, unless ``HammingLoss`` is told to count labels. No tag changes what can be built, so all
    oracles are those of the system without tags, and as exact. A word whose gold tag is not known, or none of the tags,
    may get any.

    A sentence of n words takes as many transitions as without tags.

    Args:
        untagged: the system without tags, or its name.
        tags: the tags, which are those of UPOS; by default those of Universal Dependencies.

    Raises:
        ValueError: another transition than Shift reads words, or there are no tags.

    >>> from deptrees.transition import Oracle, static_oracle, typed
    >>> birds = Token("Birds", head=2, label="nsubj", upos="NOUN"), Token("sing", head=0, label="root", upos="VERB")
    >>> for cfg, transition in Oracle(JointTags("arc-hybrid"), static_oracle, typed)(DependencyTree(birds)):
    ...     print(cfg.stack, cfg.buffer, cfg.tags, transition)
    (0,) (1, 2) () ShiftTag('NOUN')
    (0, 1) (2,) ('NOUN',) LeftArc('nsubj')
    (0,) (2,) ('NOUN',) ShiftTag('VERB')
    (0, 2) () ('NOUN', 'VERB') RightArc('root')
    """

    untagged: System = attrs.field(factory=partial(as_tree_system, "arc-standard-swap"), converter=as_tree_system)
    tags: tuple[str, ...] = attrs.field(default=UPOS, converter=_tuple)

    hidden = frozenset({"upos", "xpos", "feats", "lemma"})

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.untagged, StackBufferSystem):
            raise ValueError(f"{self.untagged} is no table over a stack and a buffer")
        reading = {row.transition for row in self.untagged.rows if push(B0) in row.do}
        if others := sorted(kind.__name__ for kind in reading - {Shift}):
            raise ValueError(
                f"Shift is to be the only transition that reads words, and in {self.untagged} {others[0]} does"
            )
        if not self.tags or not all(isinstance(tag, str) for tag in self.tags):
            raise ValueError(f"tags are some texts, not {quoted(self.tags)}")
        for name in _OF_UNTAGGED:
            object.__setattr__(self, name, getattr(self.untagged, name))

    def __repr__(self) -> str:
        tags = "" if self.tags == UPOS else f", tags={self.tags!r}"
        return f"JointTags({self.untagged!r}{tags})"

    def initial(self, source: Sentence) -> JointTagsConfiguration:
        tree = self.tree_of(source)
        nothing: dict[str, Any] = dict.fromkeys(self.hidden)
        seen = [attrs.evolve(token, **nothing) for token in tree.tokens]
        return JointTagsConfiguration(self, attrs.evolve(tree, tokens=seen), self.untagged.initial(tree), 0)

    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        """All transitions; if there are labels, those that add an arc once for each, and ShiftTag for each tag."""
        tagging = [ShiftTag(tag) for tag in self.tags] if labels else [ShiftTag()]
        space: list[Transition] = []
        for transition in self.untagged.transition_space(labels):
            space += [*tagging, transition] if transition == Shift() else [transition]
        return tuple(space)

    @property
    def has_single_root(self) -> bool:
        return self.untagged.has_single_root

    def gold_heads(self, tree: DependencyTree) -> tuple[int | None, ...]:
        return self.untagged.gold_heads(tree)

    def obstacle(self, tree: DependencyTree) -> str | None:
        return self.untagged.obstacle(tree)

    @cached_property
    def oracles(self) -> Oracles:
        """Those of the system without tags, and the tags."""
        untagged = self.untagged.oracles
        made: dict[str, Any] = {name: _with_tags(getattr(untagged, name)) for name in untagged.names}
        for name in ("loss", "estimated_loss"):
            if loss := getattr(untagged, name):
                made[name] = JointTagsLoss(loss)
        return Oracles(**made)


def _with_tags(function: OracleReturning) -> OracleReturning:
    """An oracle of a system without tags as one that also says them."""

    def oracle(cfg: JointTagsConfiguration, tree: DependencyTree, label: Label) -> Transition | tuple[Transition, ...]:
        def with_tag(found: Transition) -> Transition:
            tagging = cfg.tagging(found)
            return found if tagging is found else labeled(tagging, cfg, tree, label)

        found = function(cfg.untagged, tree, label)
        return with_tag(found) if isinstance(found, Transition) else tuple(map(with_tag, found))

    return oracle


@attrs.frozen(repr=False)
class JointTagsConfiguration(Configuration):
    """A configuration of a system without tags, and the tags of the words that have been read.

    >>> cfg = ShiftTag("NOUN")(JointTags("arc-hybrid").initial([Token("Birds", upos="X"), "sing"]))
    >>> cfg.stack_token(0).upos, cfg.buffer_token(0).upos, [token.upos for token in cfg.tree()]
    ('NOUN', None, ['NOUN', None])
    """

    system: JointTags = attrs.field(hash=False)
    source: DependencyTree = attrs.field(eq=attrgetter("words"), hash=False)
    """The sentence, with the tags so far and nothing else that a tagger fills in."""
    untagged: StackBufferConfiguration
    """The configuration of the system without tags."""
    _read: int  # how many words have been read
    _latest: Latest | None = attrs.field(default=None, eq=False)

    @property
    def tags(self) -> tuple[str | None, ...]:
        """The tags of the words that have been read; ``None`` for those that were read without one."""
        return tuple([token.upos for token in self.source.tokens[: self._read]])

    @property
    def heads(self) -> tuple[int | None, ...]:
        return self.untagged.heads

    @property
    def labels(self) -> tuple[str | None, ...]:
        return self.untagged.labels

    @property
    def is_final(self) -> bool:
        return self.untagged.is_final

    @property
    def parts(self) -> Mapping[str, object]:
        return self.untagged.parts

    @property
    def stack(self) -> tuple[int, ...]:
        """The stack, its top last."""
        return self.untagged.stack

    @property
    def buffer(self) -> tuple[int, ...]:
        """The buffer, its front first."""
        return self.untagged.buffer

    @property
    def stack_bits(self) -> int:
        """The elements of the stack as the bits of an integer."""
        return self.untagged.stack_bits

    @property
    def buffer_bits(self) -> int:
        """The elements of the buffer as the bits of an integer."""
        return self.untagged.buffer_bits

    def neighbors(self, k: int = 1) -> tuple[Sequence[int], Sequence[int]]:
        return self.untagged.neighbors(k)

    def latest_transitions(self) -> Iterator[Transition]:
        latest = self._latest
        while latest is not None:
            transition, latest = latest
            yield transition

    @property
    def _reads(self) -> bool:
        """Whether Shift would read a word, as opposed to one that has come back from the stack."""
        return self.untagged.buffer_position(0) > self._read

    def tagging(self, transition: Transition) -> Transition:
        """What a transition of the system without tags is here."""
        return ShiftTag() if self._reads and transition == Shift() else transition

    def without_tag(self, transition: Transition) -> Transition:
        """What a transition is in the system without tags."""
        return Shift() if isinstance(transition, ShiftTag) else transition

    def possible_transitions(self) -> tuple[Transition, ...]:
        return tuple(map(self.tagging, self.untagged.possible_transitions()))

    def _missing(self, transition: Transition) -> str | None:
        """What a possible transition of the system without tags requires besides."""
        if isinstance(transition, ShiftTag):
            if transition.k != 1:
                return "k = 1"
            return None if self._reads else "b0 has not been on the stack"
        return "b0 has been on the stack" if self._reads and transition == Shift() else None

    def is_possible(self, transition: Transition) -> bool:
        return self.untagged.is_possible(self.without_tag(transition)) and self._missing(transition) is None

    def take(self, transition: Transition) -> JointTagsConfiguration:
        try:
            after = self.untagged.take(self.without_tag(transition))
        except IllegalTransition as error:
            raise IllegalTransition.lacking(error.missing, transition, self) from None
        if (missing := self._missing(transition)) is not None:
            raise IllegalTransition.lacking(missing, transition, self)
        source, read = self.source, self._read
        if isinstance(transition, ShiftTag):
            if transition.label is not None:
                tagged = attrs.evolve(source.tokens[read], upos=transition.label)
                source = attrs.evolve(source, tokens=[*source.tokens[:read], tagged, *source.tokens[read + 1 :]])
            read += 1
        return JointTagsConfiguration(self.system, source, after, read, (transition, self._latest))

    def dependent(self, transition: Transition) -> int | None:
        return self.untagged.dependent(transition)

    def gold_token(self, transition: Transition, gold: DependencyTree) -> Token | None:
        if not isinstance(transition, ShiftTag):
            return self.untagged.gold_token(transition, gold)
        token = gold.tokens[self._read]
        return attrs.evolve(token, label=token.upos) if token.upos in self.system.tags else None

    def tree(self) -> DependencyTree:
        tree = self.untagged.tree()
        tokens = zip(tree.tokens, self.source.tokens, strict=True)
        return attrs.evolve(tree, tokens=[attrs.evolve(token, upos=seen.upos) for token, seen in tokens])

    def __repr__(self) -> str:
        return f"{super().__repr__()}, tags = {self.tags}"
