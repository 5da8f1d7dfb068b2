"""The parser that helps: it proposes what is not decided, and learns from what is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from deptrees.annotation.sentences import AnnotatedSentence
from deptrees.evaluation.calibration import CONFIDENCE, HEAD_CONFIDENCE
from deptrees.features import MORPHOLOGICAL
from deptrees.messages import counted, of_type
from deptrees.parser import Parser
from deptrees.training.options import LinearOptions
from deptrees.training.records import TrainingError
from deptrees.transition import BrokenConstraints, Constraints
from deptrees.trees.heads import heads_are_projective
from deptrees.trees.spanning_trees import Head, best_heads
from deptrees.trees.tree import DependencyTree

__all__ = ["FEWEST", "Helper", "Proposal"]

FEWEST = 5
"""The number of sentences from which on there is something to learn."""
_EPOCHS = 5
_HELD_OUT = 5
"""One sentence in so many is left out of training, to calibrate the parser on."""


@attrs.frozen
class Proposal:
    """A tree that has all that is kept in a sentence.

    Args:
        heads: the head of each word.
        labels: their labels.
        confidence: how probable it is that each head and label is right, 1 where both are decided; ``None`` if that is
            not known.
    """

    heads: tuple[int | None, ...]
    labels: tuple[str | None, ...]
    confidence: tuple[float, ...] | None


@attrs.frozen(eq=False)
class Helper:
    r"""A parser that helps to annotate.

    Args:
        parser: any parser.
        is_own: whether it has learned from nothing but the sentences that it helps with.

    >>> from deptrees import sample_treebank
    >>> helper = Helper(Parser.train(sample_treebank("train"), epochs=2))
    >>> row = "{}\t{}\t_\t{}\t_\t_\t{}\t_\t_\t_".format
    >>> sentence = AnnotatedSentence((row(1, "Dogs", "NOUN", 2), row(2, "sleep", "VERB", "_")))
    >>> helper.helped(sentence).tree.heads
    (2, 0)
    """

    parser: Parser
    is_own: bool = False

    def propose(self, sentences: Iterable[AnnotatedSentence]) -> list[Proposal]:
        """What the parser proposes for sentences: around what is kept of each."""
        sentences = [*sentences]
        found: dict[int, DependencyTree] = {}
        groups: dict[tuple[bool, bool], list[int]] = {}
        for number, sentence in enumerate(sentences):
            of_type("sentence", sentence, AnnotatedSentence, "an AnnotatedSentence")
            is_tagged = all(token.upos for token in sentence.tree)
            groups.setdefault((sentence.n_decided > 0, is_tagged), []).append(number)
        for (is_begun, is_tagged), numbers in groups.items():
            parser = attrs.evolve(self.parser, tagger=None) if is_tagged else self.parser
            kept = [sentences[number].kept for number in numbers]
            parse = self._around if is_begun else self._freely
            found.update(zip(numbers, parse(parser, kept), strict=True))
        return [self._proposal(sentence, found[number]) for number, sentence in enumerate(sentences)]

    def helped(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        """A sentence with the proposals for what is not decided in it."""
        if not sentence.is_open:
            return sentence
        [proposal] = self.propose([sentence])
        return sentence.proposed(proposal.heads, proposal.labels)

    def trained(self, sentences: Iterable[AnnotatedSentence]) -> Helper:
        """One that has gone on to learn from what is decided in sentences, or itself if its parser cannot."""
        settings = self.parser.settings
        if not isinstance(settings, LinearOptions):
            return self
        how = {name: getattr(settings, name) for name in ("system", "joint", "beam", "templates")}
        return Helper(attrs.evolve(_trained(sentences, start=self.parser, **how), tagger=self.parser.tagger))

    @classmethod
    def of(cls, sentences: Iterable[AnnotatedSentence]) -> Helper:
        """One that has learned from nothing but what is decided in sentences.

        A fifth of them tells how much its confidence means; then it learns from all.

        Raises:
            TrainingError: that is too little to learn from.
        """
        return cls(_trained(sentences), is_own=True)

    def _freely(self, parser: Parser, words: Sequence[DependencyTree]) -> list[DependencyTree]:
        return [*parser.parse(words, confidence=parser.calibration is not None)]

    def _around(self, parser: Parser, kept: Sequence[DependencyTree]) -> list[DependencyTree]:
        return [self._around_one(parser, tree) for tree in kept]

    def _around_one(self, parser: Parser, tree: DependencyTree) -> DependencyTree:
        is_sure = parser.calibration is not None
        met = Constraints.given(_met(tree, parser.labels))
        try:
            found = parser.parse(tree, constraints=lambda _: met, confidence=is_sure)
        except BrokenConstraints:
            found = parser.parse(tree, confidence=is_sure)
        heads = _with_kept(tree.heads, found.heads)
        labels = [own or its for own, its in zip(tree.labels, found.labels, strict=True)]
        return found.reattach(heads, labels)

    def _proposal(self, sentence: AnnotatedSentence, found: DependencyTree) -> Proposal:
        confidence = None
        if self.parser.calibration is not None:
            key = CONFIDENCE if self.parser.labels else HEAD_CONFIDENCE
            pairs = zip(found, sentence.has_label, strict=True)
            confidence = tuple([1.0 if known else float(token.misc_values[key]) for token, known in pairs])
        return Proposal(found.heads, found.labels, confidence)


def _trained(sentences: Iterable[AnnotatedSentence], **options: object) -> Parser:
    known = [sentence.known for sentence in sentences if sentence.n_decided]
    if len(known) < FEWEST:
        raise TrainingError(
            f"there are decided heads in {counted(len(known), 'sentence')}: it takes {FEWEST} to learn from"
        )
    rest = [tree for number, tree in enumerate(known) if number % _HELD_OUT]
    options = {"templates": MORPHOLOGICAL, **options}  # there are few trees
    judged = Parser.train(rest, epochs=_EPOCHS, **options).calibrate(known[::_HELD_OUT])  # type: ignore[arg-type]
    whole = Parser.train(known, epochs=_EPOCHS, **options)  # type: ignore[arg-type]
    return attrs.evolve(whole, calibration=judged.calibration)


def _met(tree: DependencyTree, labels: Sequence[str]) -> DependencyTree:
    """What of a tree any parser of projective trees with a single root can meet: short arcs come first."""
    heads: list[int | None] = [None] * len(tree)
    for head, word in sorted(tree.arcs, key=lambda arc: abs(arc[0] - arc[1])):
        if head or 0 not in heads:
            heads[word - 1] = head
            if not heads_are_projective(tuple(heads)):
                heads[word - 1] = None
    known = {*labels}
    kept = [it if it in known and head is not None else None for it, head in zip(tree.labels, heads, strict=True)]
    return tree.reattach(heads, kept)


def _with_kept(kept: Sequence[int | None], found: Sequence[int | None]) -> list[Head]:
    """Heads that were found, with the kept ones, as a tree: as few as possible of the others change."""
    if all(own in (None, its) for own, its in zip(kept, found, strict=True)):
        return [*found]
    scores: list[dict[Head, float]] = []
    for word, (own, its) in enumerate(zip(kept, found, strict=True), 1):
        others: list[Head] = [head for head in range(1, len(found) + 1) if head != word]
        scores.append({own: 0} if own is not None else {**dict.fromkeys(others, -1), 0: -2, its: 0})
    return best_heads(scores)
