"""What the page asks: a step of a walk, with all that the answer depends on."""

from __future__ import annotations

from typing import Any

import attrs

from deptrees.explorer.walks import Setting, Walk, WalkError, walk
from deptrees.files.records import from_record
from deptrees.transition.systems.registry import entry
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.shorthand import from_shorthand
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree

__all__ = ["GoldTree", "Question", "TypedSentence", "oracles_offered"]

_MOST_WORDS = 200
"""How long a sentence may be: costs take more than linear time in many systems."""


@attrs.frozen
class GoldTree:
    """A gold tree, as JSON can say it.

    Args:
        words: the words.
        heads: their heads, ``None`` where they are not known.
        labels: the labels of their arcs, or nothing.
        upos: their parts of speech, or nothing.
        feats: their morphological features, or nothing.
        nodes: the id, the form and DEPS of each word and empty node, if there are enhanced dependencies.

    >>> GoldTree.of(DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])).labels
    ('nsubj', 'root')
    """

    words: tuple[str, ...]
    heads: tuple[int | None, ...]
    labels: tuple[str | None, ...] = ()
    upos: tuple[str | None, ...] = ()
    feats: tuple[str | None, ...] = ()
    nodes: tuple[tuple[str, str, str | None], ...] = ()

    @classmethod
    def of(cls, tree: DependencyTree) -> GoldTree:
        """What is recorded of a tree."""
        forms, upos, feats = [
            tuple([getattr(word, name) for word in tree.tokens]) for name in ("form", "upos", "feats")
        ]
        nodes = [(str(node.id), node.form, node.deps) for node in tree.all_tokens if "-" not in str(node.id)]
        enhanced = nodes if any(deps for _, _, deps in nodes) else ()
        return cls(forms, tree.heads, tree.labels, upos, feats, tuple(enhanced))

    def tree(self) -> DependencyTree:
        """The tree.

        Raises:
            TreeError: the heads make no tree.
            WalkError: the sentence is too long, or its columns differ in length.
        """
        n = len(self.words)
        if not 0 < n <= _MOST_WORDS:
            raise WalkError(f"the sentence has {n} words: the explorer takes from 1 to {_MOST_WORDS}")
        columns = [column or (None,) * n for column in (self.labels, self.upos, self.feats)]
        if any(len(column) != n for column in (self.heads, *columns)):
            raise WalkError(f"the sentence has {n} words, and not as many heads, labels or tags")
        rows = zip(self.words, self.heads, *columns, strict=True)
        return DependencyTree([Token(form, *arc, upos=upos, feats=feats) for form, *arc, upos, feats in rows])

    def graph(self) -> DependencyGraph:
        """The graph of the enhanced dependencies, or that of the tree's arcs if there are none.

        Raises:
            GraphError: DEPS make no graph.
            TreeError, WalkError: see ``tree``.

        >>> GoldTree(("Birds", "sing"), (2, 0), nodes=(("1", "Birds", "2:nsubj"), ("2", "sing", None))).graph().arcs
        ((2, 1, 'nsubj'),)
        >>> GoldTree(("Birds", "sing"), (2, 0)).graph().arcs
        ((2, 1, None), (0, 2, None))
        """
        if not self.nodes:
            tree = self.tree()
            return DependencyGraph(self.words, [(*arc, tree.labels[arc[1] - 1]) for arc in tree.arcs])
        if len(self.nodes) > _MOST_WORDS:
            raise WalkError(f"the sentence has {len(self.nodes)} nodes: the explorer takes up to {_MOST_WORDS}")
        tokens = [Token(form, deps=deps, id=int(id_) if id_.isdecimal() else id_) for id_, form, deps in self.nodes]
        return DependencyGraph.from_tokens(tokens)


@attrs.frozen
class TypedSentence:
    """A sentence as it is typed.

    Args:
        words: the words.
        heads: their heads, perhaps with labels, as ``from_shorthand`` takes them.
    """

    words: tuple[str, ...]
    heads: str

    @classmethod
    def read(cls, record: object) -> TypedSentence:
        """The sentence that a record describes.

        Raises:
            RecordError: it describes none.
        """
        return from_record(record, cls)

    def gold(self) -> GoldTree:
        """Its gold tree.

        Raises:
            TreeError: the heads make no tree, or are not as many as the words.

        >>> TypedSentence(("Birds", "sing"), "2:nsubj 0").gold().labels
        ('nsubj', None)
        """
        return GoldTree.of(from_shorthand(self.words, self.heads))


@attrs.frozen
class Question:
    """Where a walk is.

    Args:
        sentence: the sentence and its gold tree.
        system: the name of a system in the registry, in any spelling, or of one's own that has been imported:
            ``"module:Class"``.
        root: where ROOT stands.
        single_root: whether ROOT gets a single dependent.
        oracle: the name of the oracle.
        taken: the transitions so far, as ``repr`` writes them, without labels.

    >>> sentence = GoldTree(("Birds", "sing"), (2, 0))
    >>> Question(sentence, "ArcHybrid", "last", False, "dynamic", ("Shift()",)).walk().cfg
    ArcHybrid(root='last'): σ = (1,), β = (2, 0), A = ()
    """

    sentence: GoldTree
    system: str
    root: str
    single_root: bool
    oracle: str
    taken: tuple[str, ...] = ()

    @classmethod
    def read(cls, record: object) -> Question:
        """The question that a record describes.

        Raises:
            RecordError: it describes none.
        """
        return from_record(record, cls)

    def setting(self) -> Setting:
        """What the walk is compared with; see ``walk`` for errors."""
        registered = entry(self.system)
        options: dict[str, Any] = {"root": self.root} if len(registered.roots) > 1 else {}
        if registered.can_have_single_root:
            options["single_root"] = self.single_root
        if self.oracle not in oracles_offered(self.system):
            raise WalkError(f"the explorer has no {self.oracle} oracle for {self.system}")
        gold = self.sentence.graph() if registered.kind.builds_graphs else self.sentence.tree()
        return Setting(attrs.evolve(registered.example, **options), self.oracle, gold)  # type: ignore[misc]

    def walk(self) -> Walk:
        """The walk.

        Raises:
            TreeError, GraphError: the heads make no tree, or DEPS no graph.
            UnknownSystem: there is no such system.
            WalkError: there is no such walk, the system has no such oracle, or the sentence is too long.
        """
        return walk(self.setting(), self.taken)


def oracles_offered(system: str) -> tuple[str, ...]:
    """The oracles of a system that answer at once: where exact losses take a search, estimates take their place.

    >>> oracles_offered("EasyFirst"), oracles_offered("ArcHybridSwap")
    (('static', 'nondeterministic', 'dynamic'), ('static', 'static_dynamic', 'approximate_dynamic'))
    """
    names = entry(system).oracles
    slow = ("nondeterministic", "dynamic") if "approximate_dynamic" in names else ()
    return tuple([name for name in names if name not in slow])
