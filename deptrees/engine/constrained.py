"""Parsing under constraints, with models of either kind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt
from more_itertools import last

from deptrees import search
from deptrees.engine.alternatives import Derived, margins_of, no_margins
from deptrees.engine.model import Model
from deptrees.engine.shape import Shape
from deptrees.engine.stepwise.model import StepwiseModel
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.treebanks.columns import Columns
from deptrees.trees.heads import TreeError
from deptrees.trees.tree import DependencyTree

__all__ = ["ConstrainedModel", "constrained_beam", "known_words"]

_Integers = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float32]


@attrs.frozen(eq=False)
class ConstrainedModel:
    """A model for sentences of which something is known, with the calls that a model has.

    The engine runs it at full speed where one head or label is known of each word that is constrained, and it can
    compute the system's losses. Otherwise it is a search in the functional layer.

    Args:
        model: the model.
        trees: the sentences that it is called on.
        constraints: what is known of each.

    Raises:
        BrokenConstraints: the model does not know a label; each call raises it, too, where the constraints on a
            sentence cannot be met. The message names the sentence and the words.

    >>> from deptrees import sample_treebank
    >>> from deptrees.engine import train
    >>> tree = DependencyTree([(None, "They"), (None, "saw"), (None, "her"), (None, "duck")])
    >>> known = Constraints(heads={1: 4}, spans=[(2, 4)])
    >>> model = ConstrainedModel(train(sample_treebank("train"), epochs=1), [tree], [known])
    >>> heads, labels = model.parse(Columns.encode([tree]))
    >>> int(heads[0])
    4
    """

    model: Model | StepwiseModel
    trees: Sequence[DependencyTree]
    constraints: Sequence[Constraints]

    def __attrs_post_init__(self) -> None:
        for tree, known in zip(self.trees, self.constraints, strict=True):
            known.check_labels(tree, self.shape.labels)

    @property
    def shape(self) -> Shape:
        """What the model scores."""
        return self.model.shape

    def parse(self, columns: Columns, threads: int = 1, beam: int | None = None) -> tuple[_Integers, _Integers]:
        """Parse the sentences; see ``Model.parse``."""
        found = self.k_best(columns, threads, beam)
        return found.heads[0], found.labels[0]

    def parse_with_margins(
        self, columns: Columns, threads: int = 1, beam: int | None = None
    ) -> tuple[_Integers, _Integers, _Floats]:
        """Parse the sentences, and tell how clear the choices were; see ``Model.parse_with_margins``."""
        found, margins = Derived.empty(columns, 1), no_margins(len(columns.heads))
        if isinstance(self.model, Model) and self._followed:
            heads, labels, of_followed = self.model.parse_with_margins(self._gold, threads, beam, constrained=True)
            found.insert([*self._followed], heads[None], labels[None])
            margins[:, found.words([*self._followed])] = of_followed
        for sentence in self._to_search(found):
            beam_search, hypotheses = self._search(sentence, beam)
            found.write(sentence, hypotheses[:1], self.shape.labels)
            margins[:, found.words([sentence])] = margins_of(beam_search, hypotheses[0])
        return found.heads[0], found.labels[0], margins

    def k_best(self, columns: Columns, threads: int = 1, beam: int | None = None) -> Derived:
        """The derivations that a beam ends with, for each sentence; see ``Model.k_best``."""
        found = Derived.empty(columns, self.shape.width(threads, beam))
        if isinstance(self.model, Model) and self._followed:
            derived = self.model.k_best(self._gold, threads, beam, constrained=True)
            found.insert([*self._followed], derived.heads, derived.labels, derived.scores)
        for sentence in self._to_search(found):
            found.write(sentence, self._search(sentence, beam)[1], self.shape.labels)
        return found

    @cached_property
    def _followed(self) -> dict[int, DependencyTree]:
        """The sentences in which following a gold tree meets the constraints, and these trees."""
        gold = [self._as_gold_tree(tree, known) for tree, known in zip(self.trees, self.constraints, strict=True)]
        return {sentence: tree for sentence, tree in enumerate(gold) if tree is not None}

    @cached_property
    def _gold(self) -> Columns:
        return Columns.encode(self._followed.values())

    def _as_gold_tree(self, tree: DependencyTree, constraints: Constraints) -> DependencyTree | None:
        """The tree with only what is known of it, also in MISC, if following it as gold meets the constraints."""
        heads, labels = dict(constraints.heads), dict(constraints.labels)
        if (
            not (isinstance(self.model, Model) and self.shape.system_code.has_losses)
            or constraints.directions
            or constraints.spans
            or any(len(among) > 1 for among in (*heads.values(), *labels.values()))
            # A label asks for a head, which a gold tree without one does not.
            or (self.shape.system.leaves_words and labels.keys() - heads.keys())
        ):
            return None
        words = range(1, len(tree) + 1)
        try:
            return constraints.in_misc(tree).reattach(
                [heads.get(word, (None,))[0] for word in words], [labels.get(word, (None,))[0] for word in words]
            )
        except TreeError:  # the search says which words are in the way
            return None

    def _to_search(self, found: Derived) -> list[int]:
        """The sentences that the engine has not parsed, and those whose parse breaks a constraint.

        For these the search says which words are in the way.
        """
        heads = found.heads[0].tolist()
        return [
            sentence
            for sentence, known in enumerate(self.constraints)
            if sentence not in self._followed
            or known.broken_by([None if heads[word] < 0 else heads[word] for word in found.words([sentence])])
        ]

    def _search(self, sentence: int, beam: int | None) -> tuple[search.BeamSearch, search.Beam]:
        """A search for a sentence under its constraints, and the beam that it ends with."""
        known = self.constraints[sentence]
        beam_search = search.BeamSearch(self.model.ranking, self.shape.width(1, beam), possible=known.transitions)
        return beam_search, constrained_beam(beam_search, self.trees[sentence], known)


def known_words(trees: Sequence[DependencyTree], constraints: Sequence[Constraints]) -> npt.NDArray[np.bool_]:
    """For the words of all sentences two rows: whether there is one head that they can have, and one label."""
    found = [np.zeros((2, 0), np.bool_)]
    for tree, known in zip(trees, constraints, strict=True):
        of_tree = np.zeros((2, len(tree)), np.bool_)
        for row, choices in enumerate((known.heads, known.labels)):
            of_tree[row, [word - 1 for word, among in choices if len(among) == 1]] = True
        found.append(of_tree)
    return np.concatenate(found, axis=1)


def constrained_beam(beam_search: search.BeamSearch, tree: DependencyTree, known: Constraints) -> search.Beam:
    """The best derivations that a search finds for a sentence of which something is known.

    Raises:
        BrokenConstraints: the constraints cannot be met; the message names the sentence and the words.
    """
    try:
        return last(attrs.evolve(beam_search, possible=known.transitions)(known.in_misc(tree)))
    except BrokenConstraints as error:
        raise BrokenConstraints(f"{tree.name}: {error}") from None
