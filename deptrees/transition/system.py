"""What every transition system offers: how parsing begins, its transitions and its oracles."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from deptrees.printable import escaped
from deptrees.transition.transitions import Transition
from deptrees.trees.projectivity import is_projective
from deptrees.trees.token import Token
from deptrees.trees.tree import DependencyTree, as_tree

if TYPE_CHECKING:
    from deptrees.transition.losses.loss import Loss

__all__ = [
    "ORACLE_NAMES",
    "Label",
    "OracleFunction",
    "Oracles",
    "System",
    "parameters_of",
    "typed",
    "untyped",
]

ORACLE_NAMES = (
    "static",
    "static_prefer_shift",
    "static_lazy_swap",
    "nondeterministic",
    "static_dynamic",
    "dynamic",
    "approximate_dynamic",
)
"""What oracles are called."""

Label = Callable[[Token], tuple[Hashable, ...]]
"""From the gold token of an arc's dependent to the parameters of the arc's transition."""

OracleFunction = Callable[[Any, Any, Label], Transition | tuple[Transition, ...]]
"""From a configuration, a gold tree and a label function to the gold transition or transitions.

A system that builds something other than trees is given that in place of the tree."""


def typed(token: Token) -> tuple[Hashable, ...]:
    """Label arcs with the label of the dependent.

    >>> typed(Token("Birds", head=2, label="nsubj"))
    ('nsubj',)
    """
    return (token.label,)


def untyped(token: Token) -> tuple[Hashable, ...]:
    """Leave arcs without a label.

    >>> untyped(Token("Birds", head=2, label="nsubj"))
    ()
    """
    return ()


class _Alone(dict[Hashable, tuple[Hashable]]):
    """Tuples of one value, the same each time."""

    def __missing__(self, value: Hashable) -> tuple[Hashable]:
        return self.setdefault(value, (value,))


_alone = _Alone()


def parameters_of(tree: DependencyTree, label: Label) -> list[tuple[Hashable, ...]]:
    """The result of ``label`` for the word at each position, and nothing for ROOT.

    >>> parameters_of(DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")]), typed)
    [(), ('nsubj',), ('root',)]
    """
    if label is typed:  # the same, without a call for each word
        return [(), *map(_alone.__getitem__, tree.labels)]
    return [(), *map(label, tree.tokens)]


_Oracle = Callable[[Any, Any, Label], Transition]
_SetOracle = Callable[[Any, Any, Label], tuple[Transition, ...]]


@attrs.frozen(repr=False)
class Oracles:
    """The oracles that a system defines; ``None`` where it has none.

    Args:
        static: one gold transition, for configurations from which the gold tree can be reached; in systems that swap
            words, for those of the canonical derivation.
        static_prefer_shift: the same, but Shift wherever that is just as good.
        static_lazy_swap: the same, but words are swapped as late as possible.
        derive: the configurations on the way from one to a fully annotated tree, each with the transition that
            ``static`` returns: all steps at once, which is faster. A function gets the final one.
        nondeterministic: all transitions that keep the gold tree within reach.
        static_dynamic: the right transitions in any configuration if words are swapped as ``static`` swaps them.
        dynamic: all transitions of cost 0, in any configuration.
        approximate_dynamic: the same by estimates, for any gold tree, if exact losses may not be found.
        loss: the exact loss of a configuration, a `deptrees.transition.losses.loss.Loss`.
        estimated_loss: an estimate of it, never too low, if the exact one may take too long to find.

    >>> from deptrees.transition import EasyFirst
    >>> EasyFirst().oracles
    Oracles(static, nondeterministic, dynamic)
    """

    static: _Oracle | None = None
    static_prefer_shift: _Oracle | None = None
    static_lazy_swap: _Oracle | None = None
    derive: Callable[[Any, DependencyTree, Label, Callable[[Any], None]], Iterator[tuple[Any, Transition]]] | None = (
        None
    )
    nondeterministic: _SetOracle | None = None
    static_dynamic: _SetOracle | None = None
    dynamic: _SetOracle | None = None
    approximate_dynamic: _SetOracle | None = None
    loss: Loss | None = None
    estimated_loss: Loss | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the oracles that the system has."""
        return tuple([name for name in ORACLE_NAMES if getattr(self, name) is not None])

    @property
    def take_any_tree(self) -> bool:
        """Whether ``dynamic`` and ``loss`` are exact even for gold trees that the system cannot build."""
        return self.loss is not None and self.loss.any_tree

    def __repr__(self) -> str:
        return f"Oracles({', '.join(self.names)})"


class System(ABC):
    """A transition system: how parsing begins, and which transitions there are."""

    projective_only: ClassVar[bool] = False
    """Whether the system declares that it builds projective trees only."""
    builds_plain_trees: ClassVar[bool] = True
    """Whether it builds all projective trees with all heads and a single root: ``obstacle`` is asked of others only."""
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
    most_words: ClassVar[int] = 5_000
    """The longest sentence: what leads to its end takes time by the square of the words, or more."""

    @abstractmethod
    def initial(self, source: Any) -> Any:
        """The configuration in which parsing begins.

        Args:
            source: a tree, whose heads are ignored, or the words: strings or tokens. A system that builds something
                other than trees may take something else.

        Returns:
            A `BaseConfiguration`; in systems that build trees, a `Configuration`.
        """

    def tree_of(self, source: DependencyTree | Iterable[str | Token]) -> DependencyTree:
        """A sentence as a tree, for an initial configuration.

        Raises:
            ValueError: it has more words than configurations take.
        """
        tree = as_tree(source)
        if len(tree) > self.most_words:
            raise ValueError(f"{tree.name} has {len(tree):,} words: {self} takes up to {self.most_words:,}")
        return tree

    @abstractmethod
    def transition_space(self, labels: Sequence[str] = ()) -> tuple[Transition, ...]:
        """All transitions, in a fixed order: those that add an arc once per label, or without one if there are none."""

    @property
    def oracles(self) -> Oracles:
        """The oracles that the system defines; none unless it says so."""
        return Oracles()

    def gold_heads(self, tree: DependencyTree) -> tuple[int | None, ...]:
        """The heads of a gold tree as the system's oracles take them, by default those of the tree."""
        return tree.heads

    def is_gold_arc(self, arc: tuple[int, int], tree: DependencyTree) -> bool:
        """Whether an arc from a head to a dependent is a gold arc, or may be one because the gold head is not known.

        >>> from deptrees.transition import ArcEagerPartial, ArcHybrid
        >>> tree = DependencyTree([(2, "Birds"), (None, "sing")])
        >>> ArcHybrid().is_gold_arc((0, 2), tree), ArcEagerPartial().is_gold_arc((0, 2), tree)
        (True, False)
        """
        gold = self.gold_heads(tree)[arc[1] - 1]
        return gold == arc[0] or (gold is None and self.empty_means_unknown)

    def wrong_words(self, heads: Sequence[int | None], tree: DependencyTree) -> list[int]:
        """The words whose head is not the gold one, which losses count.

        Args:
            heads: the heads of a final configuration.
            tree: the gold tree.

        >>> from deptrees.transition import ArcEagerPartial, ArcHybrid
        >>> tree = DependencyTree([(2, "Birds"), (None, "sing")])
        >>> ArcHybrid().wrong_words((0, 0), tree), ArcEagerPartial().wrong_words((0, 0), tree)
        ([1], [1, 2])
        """
        compared = enumerate(zip(heads, self.gold_heads(tree), strict=True), 1)
        unknown = self.empty_means_unknown
        return [word for word, (head, gold) in compared if head != gold and not (unknown and gold is None)]

    @property
    def has_single_root(self) -> bool:
        """Whether ROOT gets a single dependent."""
        return getattr(self, "single_root", False)

    @property
    def has_any_k(self) -> bool:
        """Whether the k of its transitions is limited only by the length of the sentence."""
        return False

    def obstacle(self, tree: DependencyTree) -> str | None:
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
        kind: Any = type(self)
        fields = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else []
        shown = [name for name in fields if getattr(self, name) is not False]
        return f"{kind.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"
