"""What every transition system offers: how parsing begins, its transitions and its oracles."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic

import attrs

from deptrees.messages import TooLarge, of_type
from deptrees.printable import escaped
from deptrees.transition.oracles import Oracles
from deptrees.transition.transitions import Transition
from deptrees.trees.enumeration import all_trees
from deptrees.trees.projectivity import is_projective
from deptrees.trees.tree import DependencyTree, Sentence, as_tree

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from deptrees.transition.configuration import BaseConfiguration

    C = TypeVar("C", bound=BaseConfiguration, default=Any, covariant=True)
else:
    from typing import TypeVar

    C = TypeVar("C")

__all__ = ["C", "System"]


class System(ABC, Generic[C]):
    """A transition system: how parsing begins, and which transitions there are.

    Type checkers know the configurations of a ``System[C]``, and so of its oracles and searches, as C.
    """

    projective_only: ClassVar[bool] = False
    """Whether the system declares that it builds projective trees only."""
    builds_plain_trees: ClassVar[bool] = True
    """Whether it builds all projective trees with all heads and a single root: ``obstacle`` is asked of others only."""
    builds_graphs: ClassVar[bool] = False
    """Whether it builds graphs, and takes a `DependencyGraph` in place of each tree."""
    leaves_words: ClassVar[bool] = False
    """Whether words may remain without a head."""
    empty_means_unknown: bool = True
    """Whether a word without a gold head may get any head; otherwise it is meant to stay without one."""
    is_table: ClassVar[bool] = False
    """Whether it is a table of rows over a stack and a buffer."""
    learns_best_from: ClassVar[str] = "dynamic"
    """The name of the oracle that training takes by default: the most accurate one; of equals, the fastest."""
    roots: ClassVar[tuple[str, ...]] = ("first",)
    """Where ROOT can stand at the beginning."""
    can_have_single_root: ClassVar[bool] = False
    """Whether it can be told, by ``single_root``, to give ROOT a single dependent."""
    tags: tuple[str, ...] = ()
    """The parts of speech that it gives words, in systems that tag them."""
    hidden: ClassVar[frozenset[str]] = frozenset()
    """The columns that its configurations do not have, or not those of the sentence."""
    lookahead: int | None = None
    """How many words after b0 its preconditions look at; ``None`` if it does not read words from left to right."""
    most_words: ClassVar[int] = 5_000
    """The longest sentence: what leads to its end takes time by the square of the words, or more."""

    @abstractmethod
    def initial(self, source: Any) -> C:
        """The configuration in which parsing begins.

        Args:
            source: a tree, whose heads are ignored, or the words: strings or tokens. A system that builds something
                other than trees may take something else.

        Returns:
            A `BaseConfiguration`; in systems that build trees, a `Configuration`.
        """

    def tree_of(self, source: Sentence) -> DependencyTree:
        """A sentence as a tree, for an initial configuration.

        Raises:
            ValueError: it has more words than configurations take.
        """
        tree = as_tree(source)
        self.check_length(len(tree), tree.name)
        return tree

    def check_length(self, length: int, name: str) -> None:
        """Raise a ``ValueError`` if a sentence of some name has more words than configurations take."""
        if length > self.most_words:
            raise TooLarge(f"{name} has {length:,} words: {self} takes up to {self.most_words:,}")

    @abstractmethod
    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        """All transitions, in a fixed order: those that add an arc once per label, or without one if there are none."""

    @property
    def oracles(self) -> Oracles:
        """The oracles that the system defines; none unless it says so."""
        return Oracles()

    def gold_heads(self, tree: Any) -> tuple[Any, ...]:
        """The heads of a gold tree as the system's oracles take them, by default those of the tree."""
        try:
            return tree.heads  # type: ignore[no-any-return]
        except AttributeError:
            of_type("tree", tree, DependencyTree, "a gold tree")
            raise

    def is_gold_arc(self, arc: tuple[int, int], tree: Any) -> bool:
        """Whether an arc from a head to a dependent is a gold arc, or may be one because the gold head is not known.

        >>> from deptrees.transition import ArcEagerPartial, ArcHybrid
        >>> tree = DependencyTree([(2, "Birds"), (None, "sing")])
        >>> ArcHybrid().is_gold_arc((0, 2), tree), ArcEagerPartial().is_gold_arc((0, 2), tree)
        (True, False)
        """
        gold = self.gold_heads(tree)[arc[1] - 1]
        return gold == arc[0] or (gold is None and self.empty_means_unknown)

    def wrong_words(self, heads: Sequence[Any], tree: Any) -> list[int]:
        """The words whose head in a final configuration is not the gold one, which losses count.

        >>> from deptrees.transition import ArcEagerPartial, ArcHybrid
        >>> tree = DependencyTree([(2, "Birds"), (None, "sing")])
        >>> ArcHybrid().wrong_words((0, 0), tree), ArcEagerPartial().wrong_words((0, 0), tree)
        ([1], [1, 2])
        """
        compared = enumerate(zip(heads, self.gold_heads(tree), strict=True), 1)
        unknown = self.empty_means_unknown
        return [word for word, (head, gold) in compared if head != gold and not (unknown and gold is None)]

    def wrong_arcs(self, heads: Sequence[Any], tree: Any) -> list[tuple[Any, int]]:
        """The errors in a final configuration, which losses count: in a tree, the gold arcs of words with another head.

        >>> from deptrees.transition import ArcHybrid
        >>> ArcHybrid().wrong_arcs((0, 0), DependencyTree([(2, "Birds"), (None, "sing")]))
        [(2, 1)]
        """
        gold = self.gold_heads(tree)
        return [(gold[word - 1], word) for word in self.wrong_words(heads, tree)]

    def structures(self, n: int) -> Iterator[Any]:
        """All gold trees of n words, some of which it may not build, for `check_system`."""
        return all_trees(n)

    @property
    def has_single_root(self) -> bool:
        """Whether ROOT gets a single dependent."""
        return getattr(self, "single_root", False)

    @property
    def has_any_k(self) -> bool:
        """Whether the k of its transitions is limited only by the length of the sentence."""
        return False

    @property
    def without_loss(self) -> str | None:
        """Why no exact loss can be derived from the system's table; ``None`` if it can, or there is no table."""
        return None

    def obstacle(self, tree: Any) -> str | None:
        """Why the system cannot build a tree; ``None`` if it can.

        >>> from deptrees.transition import ArcHybrid
        >>> ArcHybrid().obstacle(DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")]))
        "ArcHybrid(root='first') builds projective trees only, and the tree is not projective"
        """
        if self.projective_only and not is_projective(tree):
            return f"{self} builds projective trees only, and the tree is not projective"
        if self.has_single_root and len(tree.roots) > 1:
            return f"{self} gives ROOT a single dependent, and the tree has {len(tree.roots)}"
        return None

    def _repr_html_(self) -> str:
        """What notebooks show: the system, and the table in its docstring if there is one."""
        paragraphs = (inspect.getdoc(type(self)) or "").split("\n\n")
        table = next((paragraph for paragraph in paragraphs if paragraph.startswith("==")), "")
        return f"<h3>{escaped(repr(self))}</h3><pre>{chr(10).join(map(escaped, table.splitlines()))}</pre>"

    def __repr__(self) -> str:
        kind = type(self)
        fields = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else []
        shown = [name for name in fields if getattr(self, name) is not False]
        return f"{kind.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"
