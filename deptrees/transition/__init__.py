"""Transition systems, their configurations, oracles and exploration policies."""

from deptrees.transition.configuration import PADDING, Configuration, Oracles, System, typed, untyped
from deptrees.transition.constraints import BrokenConstraints, Constraints
from deptrees.transition.derivations import count_derivations, derivations, reachable
from deptrees.transition.describe import describe
from deptrees.transition.exhaustive import exhaustive_loss, exhaustive_oracle, reachable_heads
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
from deptrees.transition.sequence import Oracle, OracleSequence, Step, UnparsableTree
from deptrees.transition.systems.arc_eager import ArcEager
from deptrees.transition.systems.arc_hybrid import ArcHybrid
from deptrees.transition.systems.arc_standard import ArcStandard
from deptrees.transition.systems.arc_swift import ArcSwift
from deptrees.transition.systems.attardi import Attardi
from deptrees.transition.systems.easy_first import EasyFirst, EasyFirstConfiguration
from deptrees.transition.systems.list_based import ListBasedConfiguration, ListBasedNonProjective, ListBasedProjective
from deptrees.transition.systems.lr_spines import LRSpines, LRSpinesConfiguration
from deptrees.transition.systems.non_monotonic import NonMonotonicArcEager
from deptrees.transition.systems.partial import ArcEagerPartial, ArcEagerSpan, ArcHybridPartial, ArcHybridSpan
from deptrees.transition.systems.stack_buffer import StackBufferConfiguration, StackBufferSystem
from deptrees.transition.systems.swap import ArcHybridSwap, ArcStandardSwap
from deptrees.transition.systems.two_planar import TwoPlanar, TwoPlanarConfiguration
from deptrees.transition.transitions import (
    ArcTransition,
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
    "ArcEager",
    "ArcEagerPartial",
    "ArcEagerSpan",
    "ArcHybrid",
    "ArcHybridPartial",
    "ArcHybridSpan",
    "ArcHybridSwap",
    "ArcStandard",
    "ArcStandardSwap",
    "ArcSwift",
    "ArcTransition",
    "Attardi",
    "BrokenConstraints",
    "Configuration",
    "Constraints",
    "EasyFirst",
    "EasyFirstConfiguration",
    "ExplorationPolicy",
    "IllegalTransition",
    "LRSpines",
    "LRSpinesConfiguration",
    "LeftArc",
    "ListBasedConfiguration",
    "ListBasedNonProjective",
    "ListBasedProjective",
    "LossNotFound",
    "NeverExplore",
    "NoArc",
    "NonMonotonicArcEager",
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
    "Transition",
    "TwoPlanar",
    "TwoPlanarConfiguration",
    "UnparsableTree",
    "approximate_dynamic_oracle",
    "cost",
    "count_derivations",
    "derivations",
    "describe",
    "dynamic_oracle",
    "exhaustive_loss",
    "exhaustive_oracle",
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
