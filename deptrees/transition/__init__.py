"""Transition systems, their configurations, oracles and exploration policies."""

from deptrees.transition.check import SystemFault, check_system, is_arc_decomposable
from deptrees.transition.configuration import PADDING, BaseConfiguration, Configuration
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.transition.derivations import count_derivations, derivations, reachable
from deptrees.transition.describe import describe
from deptrees.transition.exhaustive import exhaustive_loss, exhaustive_oracle, reachable_heads
from deptrees.transition.explain import Explanation, explain
from deptrees.transition.hamming import HammingLoss
from deptrees.transition.losses.loss import LossNotFound
from deptrees.transition.oracles import (
    OracleNotDefined,
    approximate_dynamic_oracle,
    cost,
    dynamic_oracle,
    loss,
    nondeterministic_oracle,
    static_oracle,
    static_oracle_lazy_swap,
    static_oracle_prefer_shift,
)
from deptrees.transition.policies import AlwaysExplore, ExplorationPolicy, NeverExplore, Policy, Sample, SecondBest
from deptrees.transition.sequence import Oracle, OracleSequence, Step, UnparsableTree, WrongDerivation
from deptrees.transition.system import Oracles, System, typed, untyped
from deptrees.transition.systems import registry
from deptrees.transition.systems.registry import *  # noqa: F403  the registry says which systems there are
from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem
from deptrees.transition.transitions import (
    ArcTransition,
    Attach,
    IllegalTransition,
    LeftArc,
    NoArc,
    Reduce,
    RightArc,
    Shift,
    Swap,
    Switch,
    Transition,
)

__all__ = [
    "PADDING",
    "AlwaysExplore",
    "ArcTransition",
    "Attach",
    "BaseConfiguration",
    "BrokenConstraints",
    "Configuration",
    "Constraints",
    "Explanation",
    "ExplorationPolicy",
    "HammingLoss",
    "IllegalTransition",
    "LeftArc",
    "LossNotFound",
    "NeverExplore",
    "NoArc",
    "Oracle",
    "OracleNotDefined",
    "OracleSequence",
    "Oracles",
    "Policy",
    "Reduce",
    "RightArc",
    "Sample",
    "SecondBest",
    "Shift",
    "StackBufferConfiguration",
    "StackBufferSystem",
    "Step",
    "Swap",
    "Switch",
    "System",
    "SystemFault",
    "Transition",
    "UnparsableTree",
    "WrongDerivation",
    "approximate_dynamic_oracle",
    "check_system",
    "cost",
    "count_derivations",
    "derivations",
    "describe",
    "dynamic_oracle",
    "exhaustive_loss",
    "exhaustive_oracle",
    "explain",
    "is_arc_decomposable",
    "loss",
    "nondeterministic_oracle",
    "reachable",
    "reachable_heads",
    "static_oracle",
    "static_oracle_lazy_swap",
    "static_oracle_prefer_shift",
    "typed",
    "untyped",
]
__all__ += registry.__all__
