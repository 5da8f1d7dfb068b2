"""Oracles: which transitions are right in a configuration, according to its own system.

An oracle is declared here once. Its name is that of a field of `Oracles`, in which a system has its own function, of
``--oracle`` on the command line and, if it is compiled, of the core's list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic

import attrs

from deptrees.messages import counted, of_type, quoted
from deptrees.transition.labels import Label, untyped
from deptrees.transition.transitions import IllegalTransition, Transition, name_wrong_type
from deptrees.trees.graph import DependencyGraph
from deptrees.trees.tree import DependencyTree

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from deptrees.transition.configuration import BaseConfiguration
    from deptrees.transition.losses.loss import Loss
    from deptrees.transition.system import System

    Gold = TypeVar("Gold", bound="Transition | tuple[Transition, ...]", default=Any, covariant=True)
else:
    from typing import TypeVar

    Gold = TypeVar("Gold")

__all__ = [
    "BY_NAME",
    "INCOMPLETE",
    "CostFunction",
    "Gold",
    "NamedOracle",
    "OracleFunction",
    "OracleNotDefined",
    "OracleReturning",
    "Oracles",
    "approximate_dynamic_oracle",
    "as_oracle_function",
    "check_gold",
    "cost",
    "dynamic_oracle",
    "loss",
    "missing_oracle",
    "nondeterministic_oracle",
    "static_dynamic_oracle",
    "static_oracle",
    "static_oracle_lazy_swap",
    "static_oracle_prefer_shift",
]

OracleReturning = Callable[[Any, Any, Label], Gold]
"""An oracle function that returns what stands in brackets: a transition, or a tuple of them."""

OracleFunction = OracleReturning[Transition | tuple[Transition, ...]]
"""From a configuration, a gold tree and a label function to the gold transition or transitions.

A system that builds something other than trees is given that in place of the tree."""


CostFunction = Callable[[Transition, Any, Any], int]
"""From a transition, a configuration and a gold tree to what the transition costs there, such as `cost`."""


class OracleNotDefined(LookupError):
    """A system does not define the oracle that it was asked for; the message says which it has."""


_One = OracleReturning[Transition]
_All = OracleReturning[tuple[Transition, ...]]
_Derive = Callable[[Any, DependencyTree, Label, Callable[[Any], None]], Iterator[Any]]


@attrs.frozen(repr=False)
class Oracles:
    """The oracles that a system defines; ``None`` where it has none.

    Args:
        static, static_prefer_shift, static_lazy_swap: its function for the oracle of that name, which returns a
            transition.
        nondeterministic, static_dynamic, dynamic, approximate_dynamic: the same, which returns a tuple of them.
        derive: the configurations on the way from one to a fully annotated tree, each with the transition that
            ``static`` returns: all steps at once, which is faster. A function gets the final one.
        loss: the exact loss of a configuration, a `deptrees.transition.losses.loss.Loss`.
        estimated_loss: an estimate of it, never too low, if the exact one may take too long to find.

    >>> from deptrees.transition import EasyFirst
    >>> EasyFirst().oracles
    Oracles(static, nondeterministic, dynamic)
    """

    static: _One | None = None
    static_prefer_shift: _One | None = None
    static_lazy_swap: _One | None = None
    nondeterministic: _All | None = None
    static_dynamic: _All | None = None
    dynamic: _All | None = None
    approximate_dynamic: _All | None = None
    derive: _Derive | None = None
    loss: Loss | None = None
    estimated_loss: Loss | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the oracles that the system has."""
        return tuple([name for name in BY_NAME if getattr(self, name) is not None])

    @property
    def take_any_tree(self) -> bool:
        """Whether ``dynamic`` and ``loss`` are exact even for gold trees that the system cannot build."""
        return self.loss is not None and self.loss.any_tree

    def __repr__(self) -> str:
        return f"Oracles({', '.join(self.names)})"


_Answer = TypeVar("_Answer", Transition, tuple[Transition, ...])


class NamedOracle(Generic[_Answer]):
    """An oracle that systems may have: a function that asks the system of the configuration.

    Args:
        python_name: what it is called in this module.
        text: its docstring.
        is_complete: whether it answers in every configuration, and not only on the way to the gold tree.

    >>> static_oracle, static_oracle.name, static_oracle.is_complete
    (static_oracle, 'static', False)
    """

    def __init__(self, python_name: str, text: str, *, is_complete: bool) -> None:
        self.__name__ = python_name
        self.__doc__ = text
        self.name = python_name.replace("_oracle", "")
        self.is_complete = is_complete
        BY_NAME[self.name] = self

    def __call__(self, cfg: BaseConfiguration, tree: object, label: Label = untyped) -> _Answer:
        """The right transition or transitions for a gold tree, with what ``label`` says of each word that one attaches.

        Raises:
            OracleNotDefined: the system does not have this oracle.
        """
        check_gold(cfg, tree)
        function = getattr(cfg.oracles, self.name)
        if function is None:
            raise missing_oracle(self.name, cfg.system)
        return function(cfg, tree, label)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return self.__name__

    def __reduce__(self) -> str:
        return self.__name__


BY_NAME: dict[str, NamedOracle[Any]] = {}
"""The oracles by their names, in the order in which they are declared."""

static_oracle = NamedOracle[Transition](
    "static_oracle",
    """The next transition of the tree's canonical derivation.

    It is defined for configurations from which the tree can be reached or, in systems that swap words, for those of the
    canonical derivation only; elsewhere it returns some possible transition.

    >>> from deptrees.transition import ArcStandard, typed
    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> static_oracle(ArcStandard().initial(tree), tree, typed)
    Shift()
    """,
    is_complete=False,
)

static_oracle_prefer_shift = NamedOracle[Transition](
    "static_oracle_prefer_shift",
    """Like ``static_oracle``, but it prefers Shift to another transition that adds no arc and is just as good.

    In arc-eager, this is the oracle that Qi & Manning 2017 call Arc-Eager-Shift: a word stays on the stack until it
    blocks another transition.

    >>> from deptrees.transition import ArcEager, Oracle
    >>> tree = DependencyTree([(0, "Eat"), (1, "fish"), (4, "and"), (1, "rice")])
    >>> [transition for _, transition in Oracle(ArcEager(), static_oracle)(tree)]
    [RightArc(), RightArc(), Reduce(), Shift(), LeftArc(), RightArc()]
    >>> [transition for _, transition in Oracle(ArcEager(), static_oracle_prefer_shift)(tree)]
    [RightArc(), RightArc(), Shift(), LeftArc(), Reduce(), RightArc()]
    """,
    is_complete=False,
)

static_oracle_lazy_swap = NamedOracle[Transition](
    "static_oracle_lazy_swap",
    """Like ``static_oracle``, but words change places only when nothing else can be done first.

    This is when they belong to different maximal projective components (Nivre, Kuhlmann & Hall 2009). It takes far
    fewer swaps than changing places as soon as the order is wrong.

    >>> from deptrees.transition import ArcStandardSwap, Oracle, Swap
    >>> tree = DependencyTree([(5, "What"), (4, "did"), (4, "you"), (0, "talk"), (4, "about")])
    >>> oracles = [Oracle(ArcStandardSwap(), function) for function in (static_oracle, static_oracle_lazy_swap)]
    >>> [sum(transition == Swap() for _, transition in oracle(tree)) for oracle in oracles]
    [3, 1]
    """,
    is_complete=False,
)

nondeterministic_oracle = NamedOracle[tuple[Transition, ...]](
    "nondeterministic_oracle",
    """All transitions after which the tree can still be reached, in configurations from which it can be.

    >>> from deptrees.transition import ArcEager, RightArc
    >>> tree = DependencyTree([(0, "Eat"), (1, "fish"), (4, "and"), (1, "rice")])
    >>> cfg = RightArc()(RightArc()(ArcEager().initial(tree)))
    >>> nondeterministic_oracle(cfg, tree)
    (Reduce(), Shift())
    """,
    is_complete=False,
)

static_dynamic_oracle = NamedOracle[tuple[Transition, ...]](
    "static_dynamic_oracle",
    """The right transitions in any configuration, if words are swapped when ``static_oracle`` would swap them.

    It is static for Swap, which is either the only right transition or none, and dynamic for all others (de Lhoneux,
    Stymne & Nivre 2017). These are right if they lose no gold arc that can still be built with such swaps only; where
    each of them loses some, those are right that lose the fewest. So the oracle needs no search, unlike
    ``dynamic_oracle``, which knows what any swaps can still repair. From the beginning, both lead to the gold tree.

    Any gold tree will do. The order of words is that of ``DependencyTree.projective_order``.

    >>> from deptrees.transition import ArcHybridSwap, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "it"), (1, "again")])
    >>> cfg = Shift()(ArcHybridSwap().initial(tree))
    >>> static_dynamic_oracle(cfg, tree), dynamic_oracle(cfg, tree)
    ((Shift(),), (Swap(), Shift()))
    """,
    is_complete=True,
)

dynamic_oracle = NamedOracle[tuple[Transition, ...]](
    "dynamic_oracle",
    """All transitions of cost 0, in any configuration (Goldberg & Nivre 2013).

    All ready-made systems also take gold trees that they cannot build.

    Raises:
        LossNotFound: finding it would take too long.

    >>> from deptrees.transition import ArcEager, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> cfg = ArcEager().initial(tree)
    >>> dynamic_oracle(cfg, tree), dynamic_oracle(Shift()(cfg), tree)
    ((RightArc(),), (LeftArc(),))
    """,
    is_complete=True,
)

approximate_dynamic_oracle = NamedOracle[tuple[Transition, ...]](
    "approximate_dynamic_oracle",
    """Like ``dynamic_oracle``, for systems in which exact losses may take too long to find.

    It estimates losses, never too low: an estimate is the smallest number of wrong heads among trees that are certainly
    reachable. It returns the transitions that do not add to the estimate, or add least. So it may miss transitions
    that cost nothing and, off the path to the gold tree, return some that cost something. Any gold tree will do.

    >>> from deptrees.transition import ArcStandardSwap, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "it"), (1, "again")])
    >>> cfg = Shift()(Shift()(ArcStandardSwap().initial(tree)))
    >>> approximate_dynamic_oracle(cfg, tree)
    (RightArc(), Swap(), Shift())
    """,
    is_complete=True,
)

INCOMPLETE = tuple([oracle for oracle in BY_NAME.values() if not oracle.is_complete])
"""The oracles that are only defined on the way to the gold tree."""

__test__ = {oracle.__name__: oracle.__doc__ for oracle in BY_NAME.values()}  # whose examples doctest would miss


def check_gold(cfg: object, gold: Any) -> None:
    """Make sure that a configuration is compared with a tree, or with a graph if it builds one, of as many words.

    What is built of anything else than a sentence is compared with anything.

    Raises:
        TypeError: it is none, or the configuration is none.
        ValueError: it has more words, or fewer.

    >>> from deptrees.transition import ArcEager
    >>> check_gold(ArcEager().initial(["Birds", "sing"]), DependencyTree([(0, "Sing")]))
    Traceback (most recent call last):
    ValueError: tree has 1 word, but the configuration has 2
    """
    name_wrong_type(cfg)
    source = getattr(cfg, "source", None)
    if isinstance(source, DependencyTree):
        of_type("tree", gold, DependencyTree, "a tree")
    elif isinstance(source, DependencyGraph):
        of_type("tree", gold, DependencyGraph, "a graph, such as tree.graph")
    else:
        return
    if len(gold) != len(source):
        raise ValueError(f"tree has {counted(len(gold), 'word')}, but the configuration has {len(source)}")


def as_oracle_function(given: OracleReturning[Gold] | str) -> OracleReturning[Gold]:
    """An oracle function, given as such or by its name.

    Raises:
        TypeError: it is neither.
        OracleNotDefined: there is no oracle of this name.

    >>> as_oracle_function("dynamic") is dynamic_oracle
    True
    """
    if isinstance(given, str):
        if given not in BY_NAME:
            raise OracleNotDefined(f"there is no oracle {quoted(given)}; choose one of {', '.join(BY_NAME)}")
        return BY_NAME[given]
    if callable(given) and not hasattr(given, "oracle"):
        return given
    raise TypeError(f"{quoted(given)} is not an oracle: give a function, such as dynamic_oracle, or a name: dynamic")


def missing_oracle(name: str, system: System) -> OracleNotDefined:
    """The error for an oracle that a system does not have.

    >>> from deptrees.transition import EasyFirst
    >>> missing_oracle("static_prefer_shift", EasyFirst())
    OracleNotDefined('EasyFirst() has no static_prefer_shift oracle; it has: static, nondeterministic, dynamic, and
    exhaustive_oracle')
    """
    has = ", ".join(system.oracles.names) or "none"
    why = f" ({system.without_loss})" if name == "dynamic" and system.without_loss else ""
    return OracleNotDefined(f"{system} has no {name} oracle{why}; it has: {has}, and exhaustive_oracle")


def cost(transition: Transition, cfg: BaseConfiguration, tree: Any) -> int:
    """How many more heads a best reachable tree gets wrong after a transition than before it, or arcs a graph.

    Labels do not count, and neither do words without a known gold head.

    Raises:
        IllegalTransition: the transition is not possible.
        LossNotFound: finding it would take too long.
        OracleNotDefined: the system has no dynamic oracle.

    >>> from deptrees.transition import ArcEager, RightArc, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> cfg = ArcEager().initial(tree)
    >>> cost(Shift(), cfg, tree), cost(RightArc(), cfg, tree)
    (2, 0)
    """
    try:
        check_gold(cfg, tree)
        if not transition.is_possible(cfg):
            raise IllegalTransition(f"{transition!r} has no cost, because it is not possible in {quoted(cfg)}")
        return _exact(cfg).cost(transition, cfg, tree)
    except (AttributeError, TypeError):
        of_type("transition", transition, Transition, "a transition, such as Shift()")
        raise


def loss(cfg: BaseConfiguration, tree: Any) -> int:
    """How many heads a best reachable tree of a configuration gets wrong, or how many arcs a graph.

    Labels do not count, and neither do words without a known gold head.

    Raises:
        LossNotFound: finding it would take too long.
        OracleNotDefined: the system has no dynamic oracle.

    >>> from deptrees.transition import ArcEager, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> loss(ArcEager().initial(tree), tree), loss(Shift()(ArcEager().initial(tree)), tree)
    (0, 2)
    """
    check_gold(cfg, tree)
    return _exact(cfg)(cfg, tree)


def _exact(cfg: BaseConfiguration) -> Loss:
    if cfg.oracles.loss is None:
        raise missing_oracle("dynamic", cfg.system)
    return cfg.oracles.loss
