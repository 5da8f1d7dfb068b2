"""Oracle functions: which transitions are right in a configuration, according to its own system."""

from __future__ import annotations

from typing import NoReturn

from deptrees.messages import quoted
from deptrees.transition.configuration import Configuration
from deptrees.transition.system import Label, OracleFunction, System, untyped
from deptrees.transition.transitions import IllegalTransition, Transition
from deptrees.trees.tree import DependencyTree

__all__ = [
    "BY_NAME",
    "INCOMPLETE",
    "OracleNotDefined",
    "approximate_dynamic_oracle",
    "as_oracle_function",
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


class OracleNotDefined(LookupError):
    """A system does not define the oracle that it was asked for; the message says which it has."""


def static_oracle(cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> Transition:
    """The next transition of the tree's canonical derivation.

    It is defined for configurations from which the tree can be reached or, in systems that swap words, for those of the
    canonical derivation only; elsewhere it returns some possible transition.

    Raises:
        OracleNotDefined: the system has no static oracle.

    >>> from deptrees.transition import ArcStandard, typed
    >>> tree = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
    >>> static_oracle(ArcStandard().initial(tree), tree, typed)
    Shift()
    """
    static = cfg.oracles.static or _raise(missing_oracle("static", cfg.system))
    return static(cfg, tree, label)


def static_oracle_prefer_shift(cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> Transition:
    """Like ``static_oracle``, but it prefers Shift to another transition that adds no arc and is just as good.

    In arc-eager, this is the oracle that Qi & Manning 2017 call Arc-Eager-Shift: a word stays on the stack until it
    blocks another transition.

    Raises:
        OracleNotDefined: the system has no such oracle.

    >>> from deptrees.transition import ArcEager, Oracle
    >>> tree = DependencyTree([(0, "Eat"), (1, "fish"), (4, "and"), (1, "rice")])
    >>> [transition for _, transition in Oracle(ArcEager(), static_oracle)(tree)]
    [RightArc(), RightArc(), Reduce(), Shift(), LeftArc(), RightArc()]
    >>> [transition for _, transition in Oracle(ArcEager(), static_oracle_prefer_shift)(tree)]
    [RightArc(), RightArc(), Shift(), LeftArc(), Reduce(), RightArc()]
    """
    static = cfg.oracles.static_prefer_shift or _raise(missing_oracle("static_prefer_shift", cfg.system))
    return static(cfg, tree, label)


def static_oracle_lazy_swap(cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> Transition:
    """Like ``static_oracle``, but words change places only when nothing else can be done first.

    This is when they belong to different maximal projective components (Nivre, Kuhlmann & Hall 2009). It takes far
    fewer swaps than changing places as soon as the order is wrong.

    Raises:
        OracleNotDefined: the system has no such oracle.

    >>> from deptrees.transition import ArcStandardSwap, Oracle, Swap
    >>> tree = DependencyTree([(5, "What"), (4, "did"), (4, "you"), (0, "talk"), (4, "about")])
    >>> oracles = [Oracle(ArcStandardSwap(), function) for function in (static_oracle, static_oracle_lazy_swap)]
    >>> [sum(transition == Swap() for _, transition in oracle(tree)) for oracle in oracles]
    [3, 1]
    """
    static = cfg.oracles.static_lazy_swap or _raise(missing_oracle("static_lazy_swap", cfg.system))
    return static(cfg, tree, label)


def nondeterministic_oracle(cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
    """All transitions after which the tree can still be reached, in configurations from which it can be.

    Raises:
        OracleNotDefined: the system has no such oracle.

    >>> from deptrees.transition import ArcEager, RightArc
    >>> tree = DependencyTree([(0, "Eat"), (1, "fish"), (4, "and"), (1, "rice")])
    >>> cfg = RightArc()(RightArc()(ArcEager().initial(tree)))
    >>> nondeterministic_oracle(cfg, tree)
    (Reduce(), Shift())
    """
    nondeterministic = cfg.oracles.nondeterministic or _raise(missing_oracle("nondeterministic", cfg.system))
    return nondeterministic(cfg, tree, label)


def static_dynamic_oracle(cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
    """The right transitions in any configuration, if words are swapped when ``static_oracle`` would swap them.

    It is static for Swap, which is either the only right transition or none, and dynamic for all others (de Lhoneux,
    Stymne & Nivre 2017). These are right if they lose no gold arc that can still be built with such swaps only; where
    each of them loses some, those are right that lose the fewest. So the oracle needs no search, unlike
    ``dynamic_oracle``, which knows what any swaps can still repair. From the beginning, both lead to the gold tree.

    Any gold tree will do. The order of words is that of ``DependencyTree.projective_order``.

    Raises:
        OracleNotDefined: the system has no such oracle.

    >>> from deptrees.transition import ArcHybridSwap, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "it"), (1, "again")])
    >>> cfg = Shift()(ArcHybridSwap().initial(tree))
    >>> static_dynamic_oracle(cfg, tree), dynamic_oracle(cfg, tree)
    ((Shift(),), (Swap(), Shift()))
    """
    mixed = cfg.oracles.static_dynamic or _raise(missing_oracle("static_dynamic", cfg.system))
    return mixed(cfg, tree, label)


def dynamic_oracle(cfg: Configuration, tree: DependencyTree, label: Label = untyped) -> tuple[Transition, ...]:
    """All transitions of cost 0, in any configuration (Goldberg & Nivre 2013).

    All ready-made systems also take gold trees that they cannot build.

    Raises:
        LossNotFound: finding it would take too long.
        OracleNotDefined: the system has no dynamic oracle.

    >>> from deptrees.transition import ArcEager, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> cfg = ArcEager().initial(tree)
    >>> dynamic_oracle(cfg, tree), dynamic_oracle(Shift()(cfg), tree)
    ((RightArc(),), (LeftArc(),))
    """
    dynamic = cfg.oracles.dynamic or _raise(missing_oracle("dynamic", cfg.system))
    return dynamic(cfg, tree, label)


def approximate_dynamic_oracle(
    cfg: Configuration, tree: DependencyTree, label: Label = untyped
) -> tuple[Transition, ...]:
    """Like ``dynamic_oracle``, for systems in which exact losses may take too long to find.

    It estimates losses, never too low: an estimate is the smallest number of wrong heads among trees that are certainly
    within reach. It returns the transitions that do not add to the estimate, or add least. So it may miss transitions
    that cost nothing and, off the path to the gold tree, return some that cost something. Any gold tree will do.

    Raises:
        OracleNotDefined: the system has no such oracle, or does not need one.

    >>> from deptrees.transition import ArcStandardSwap, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "it"), (1, "again")])
    >>> cfg = Shift()(Shift()(ArcStandardSwap().initial(tree)))
    >>> approximate_dynamic_oracle(cfg, tree)
    (RightArc(), Swap(), Shift())
    """
    approximate = cfg.oracles.approximate_dynamic or _raise(missing_oracle("approximate_dynamic", cfg.system))
    return approximate(cfg, tree, label)


def cost(transition: Transition, cfg: Configuration, tree: DependencyTree) -> int:
    """How many more heads the best tree within reach gets wrong after a transition than before it.

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
    if not transition.is_possible(cfg):
        raise IllegalTransition(f"{transition!r} has no cost, because it is not possible in {quoted(cfg)}")
    exact = cfg.oracles.loss or _raise(missing_oracle("dynamic", cfg.system))
    return exact.cost(transition, cfg, tree)


def loss(cfg: Configuration, tree: DependencyTree) -> int:
    """How many heads the best tree within reach of a configuration gets wrong.

    Labels do not count, and neither do words without a known gold head.

    Raises:
        LossNotFound: finding it would take too long.
        OracleNotDefined: the system has no dynamic oracle.

    >>> from deptrees.transition import ArcEager, Shift
    >>> tree = DependencyTree([(0, "Sing"), (1, "again")])
    >>> loss(ArcEager().initial(tree), tree), loss(Shift()(ArcEager().initial(tree)), tree)
    (0, 2)
    """
    exact = cfg.oracles.loss or _raise(missing_oracle("dynamic", cfg.system))
    return exact(cfg, tree)


def missing_oracle(name: str, system: System) -> OracleNotDefined:
    """The error for an oracle that a system does not have.

    >>> from deptrees.transition import EasyFirst
    >>> missing_oracle("static_prefer_shift", EasyFirst())
    OracleNotDefined('EasyFirst() has no static_prefer_shift oracle; it has: static, nondeterministic, dynamic, and
    exhaustive_oracle')
    """
    has = ", ".join(system.oracles.names) or "none"
    return OracleNotDefined(f"{system} has no {name} oracle; it has: {has}, and exhaustive_oracle")


def _raise(error: OracleNotDefined) -> NoReturn:
    raise error


BY_NAME: dict[str, OracleFunction] = {
    "static": static_oracle,
    "static_prefer_shift": static_oracle_prefer_shift,
    "static_lazy_swap": static_oracle_lazy_swap,
    "nondeterministic": nondeterministic_oracle,
    "static_dynamic": static_dynamic_oracle,
    "dynamic": dynamic_oracle,
    "approximate_dynamic": approximate_dynamic_oracle,
}
"""The oracle functions by their names in ``Oracles``."""

INCOMPLETE: tuple[OracleFunction, ...] = (
    static_oracle,
    static_oracle_prefer_shift,
    static_oracle_lazy_swap,
    nondeterministic_oracle,
)
"""The oracle functions that are only defined on the way to the gold tree."""


def as_oracle_function(given: OracleFunction | str) -> OracleFunction:
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
    if not callable(given):
        raise TypeError(
            f"{quoted(given)} is not an oracle: give a function, such as dynamic_oracle, or a name: dynamic"
        )
    return given
