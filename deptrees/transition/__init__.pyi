from .check import SystemFault, check_system, is_arc_decomposable
from .configuration import PADDING, BaseConfiguration, Configuration, SentenceConfiguration
from .constraints import BrokenConstraints, Constraints
from .description import describe
from .enumeration import count_derivations, derivations, reachable
from .exhaustive import exhaustive_loss, exhaustive_oracle, reachable_heads
from .explanation import Explanation, explain
from .hamming import HammingLoss
from .labels import typed, untyped
from .losses.loss import LossNotFound
from .oracles import (
    OracleNotDefined,
    Oracles,
    approximate_dynamic_oracle,
    cost,
    dynamic_oracle,
    loss,
    nondeterministic_oracle,
    static_dynamic_oracle,
    static_oracle,
    static_oracle_lazy_swap,
    static_oracle_prefer_shift,
)
from .policies import AlwaysExplore, ExplorationPolicy, NeverExplore, Policy, Sample, SecondBest
from .sequence import Oracle, OracleSequence, Step, UnparsableTree, WrongDerivation
from .system import System
from .systems.arc_eager import ArcEager
from .systems.arc_eager_buffer import (
    ArcEagerBuffer,
    ArcEagerBufferConfiguration,
    ArcEagerBufferNonProjective,
)
from .systems.arc_eager_edit import ArcEagerEdit, ArcEagerEditConfiguration
from .systems.arc_eager_graph import ArcEagerGraph, ArcEagerGraphConfiguration, ArcEagerSwapGraph
from .systems.arc_eager_registers import ArcEagerRegisters, ArcEagerRegistersConfiguration
from .systems.arc_hybrid import ArcHybrid
from .systems.arc_standard import ArcStandard
from .systems.arc_swift import ArcSwift
from .systems.attardi import Attardi
from .systems.easy_first import EasyFirst, EasyFirstConfiguration
from .systems.empty_node_graph import EmptyNodeGraph, EmptyNodeGraphConfiguration
from .systems.graph import GraphConfiguration, GraphSystem
from .systems.joint_tags import JointTags, JointTagsConfiguration
from .systems.left_corner import LeftCorner, LeftCornerConfiguration
from .systems.list_based import ListBasedConfiguration, ListBasedNonProjective, ListBasedProjective
from .systems.list_based_graph import ListBasedGraph, ListBasedGraphConfiguration
from .systems.list_based_non_monotonic import ListBasedNonMonotonic, NonMonotonicListConfiguration
from .systems.lr_spines import LRSpines, LRSpinesConfiguration
from .systems.mh4 import MH4, AttardiAll, AttardiAllDegree1
from .systems.non_local import ListBasedNonLocal, NonLocalConfiguration
from .systems.non_monotonic import NonMonotonicArcEager
from .systems.partial import ArcEagerPartial, ArcEagerSpan, ArcHybridPartial, ArcHybridSpan
from .systems.pointer import PointerConfiguration, PointerNonProjective, PointerProjective
from .systems.pointer_graph import PointerGraph, PointerGraphConfiguration
from .systems.registry import (
    GRAPH_REGISTRY,
    REGISTRY,
    RegisteredSystem,
    UnknownSystem,
    as_system,
)
from .systems.spacy_arc_eager import SpacyArcEager, SpacyArcEagerConfiguration
from .systems.stack_buffer import StackBufferConfiguration, StackBufferSystem
from .systems.stack_pointer import StackPointerConfiguration, StackPointerNonProjective, StackPointerProjective
from .systems.stanza_attach import StanzaAttach, StanzaAttachConfiguration
from .systems.swap import ArcHybridSwap, ArcStandardSwap
from .systems.two_planar import TwoPlanar, TwoPlanarConfiguration
from .systems.unshift import ArcEagerUnshift
from .transitions import (
    AddNode,
    ArcTransition,
    Attach,
    Break,
    Clear,
    Edit,
    IllegalTransition,
    Insert,
    InsertRoot,
    LeftArc,
    LeftBufferArc,
    LeftComp,
    LeftPassingArc,
    LeftPred,
    NoArc,
    Reduce,
    RightArc,
    RightBufferArc,
    RightComp,
    RightCompRoot,
    RightPassingArc,
    RightPred,
    Shift,
    ShiftTag,
    Store,
    Swap,
    Switch,
    Transition,
    Unshift,
)
from .word_tags import NotLeftToRight, decode, encode

__all__ = [
    "GRAPH_REGISTRY",
    "MH4",
    "PADDING",
    "REGISTRY",
    "AddNode",
    "AlwaysExplore",
    "ArcEager",
    "ArcEagerBuffer",
    "ArcEagerBufferConfiguration",
    "ArcEagerBufferNonProjective",
    "ArcEagerEdit",
    "ArcEagerEditConfiguration",
    "ArcEagerGraph",
    "ArcEagerGraphConfiguration",
    "ArcEagerPartial",
    "ArcEagerRegisters",
    "ArcEagerRegistersConfiguration",
    "ArcEagerSpan",
    "ArcEagerSwapGraph",
    "ArcEagerUnshift",
    "ArcHybrid",
    "ArcHybridPartial",
    "ArcHybridSpan",
    "ArcHybridSwap",
    "ArcStandard",
    "ArcStandardSwap",
    "ArcSwift",
    "ArcTransition",
    "Attach",
    "Attardi",
    "AttardiAll",
    "AttardiAllDegree1",
    "BaseConfiguration",
    "Break",
    "BrokenConstraints",
    "Clear",
    "Configuration",
    "Constraints",
    "EasyFirst",
    "EasyFirstConfiguration",
    "Edit",
    "EmptyNodeGraph",
    "EmptyNodeGraphConfiguration",
    "Explanation",
    "ExplorationPolicy",
    "GraphConfiguration",
    "GraphSystem",
    "HammingLoss",
    "IllegalTransition",
    "Insert",
    "InsertRoot",
    "JointTags",
    "JointTagsConfiguration",
    "LRSpines",
    "LRSpinesConfiguration",
    "LeftArc",
    "LeftBufferArc",
    "LeftComp",
    "LeftCorner",
    "LeftCornerConfiguration",
    "LeftPassingArc",
    "LeftPred",
    "ListBasedConfiguration",
    "ListBasedGraph",
    "ListBasedGraphConfiguration",
    "ListBasedNonLocal",
    "ListBasedNonMonotonic",
    "ListBasedNonProjective",
    "ListBasedProjective",
    "LossNotFound",
    "NeverExplore",
    "NoArc",
    "NonLocalConfiguration",
    "NonMonotonicArcEager",
    "NonMonotonicListConfiguration",
    "NotLeftToRight",
    "Oracle",
    "OracleNotDefined",
    "OracleSequence",
    "Oracles",
    "PointerConfiguration",
    "PointerGraph",
    "PointerGraphConfiguration",
    "PointerNonProjective",
    "PointerProjective",
    "Policy",
    "Reduce",
    "RegisteredSystem",
    "RightArc",
    "RightBufferArc",
    "RightComp",
    "RightCompRoot",
    "RightPassingArc",
    "RightPred",
    "Sample",
    "SecondBest",
    "SentenceConfiguration",
    "Shift",
    "ShiftTag",
    "SpacyArcEager",
    "SpacyArcEagerConfiguration",
    "StackBufferConfiguration",
    "StackBufferSystem",
    "StackPointerConfiguration",
    "StackPointerNonProjective",
    "StackPointerProjective",
    "StanzaAttach",
    "StanzaAttachConfiguration",
    "Step",
    "Store",
    "Swap",
    "Switch",
    "System",
    "SystemFault",
    "Transition",
    "TwoPlanar",
    "TwoPlanarConfiguration",
    "UnknownSystem",
    "UnparsableTree",
    "Unshift",
    "WrongDerivation",
    "approximate_dynamic_oracle",
    "as_system",
    "check_system",
    "cost",
    "count_derivations",
    "decode",
    "derivations",
    "describe",
    "dynamic_oracle",
    "encode",
    "exhaustive_loss",
    "exhaustive_oracle",
    "explain",
    "is_arc_decomposable",
    "loss",
    "nondeterministic_oracle",
    "reachable",
    "reachable_heads",
    "static_dynamic_oracle",
    "static_oracle",
    "static_oracle_lazy_swap",
    "static_oracle_prefer_shift",
    "typed",
    "untyped",
]
