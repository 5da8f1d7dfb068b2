"""Feature templates: what linear models look at.

Their language is explained in `deptrees.features.language`; ``ZHANG_NIVRE`` and the other ready-made sets are written
in it.
"""

from deptrees.features.language import (
    CLUSTER,
    DEPENDENTS,
    LONGEST_HISTORY,
    RELATIONS,
    STATES,
    Attribute,
    Distance,
    History,
    Node,
    Part,
    Template,
    TemplateError,
)
from deptrees.features.ready_made import (
    DELEXICALIZED,
    FAST,
    LR_SPINES,
    MORPHOLOGICAL,
    TAGGED,
    WITH_FEATS,
    WITH_XPOS,
    ZHANG_NIVRE,
)
from deptrees.features.sets import Templates
from deptrees.features.values import (
    LONGEST_DISTANCE,
    NOTHING,
    ROOT_VALUE,
    Value,
    View,
    cluster_value,
    column_value,
    feature_value,
    known_of,
    number_hash,
)
from deptrees.treebanks.hashes import text_hash

__all__ = [
    "CLUSTER",
    "DELEXICALIZED",
    "DEPENDENTS",
    "FAST",
    "LONGEST_DISTANCE",
    "LONGEST_HISTORY",
    "LR_SPINES",
    "MORPHOLOGICAL",
    "NOTHING",
    "RELATIONS",
    "ROOT_VALUE",
    "STATES",
    "TAGGED",
    "WITH_FEATS",
    "WITH_XPOS",
    "ZHANG_NIVRE",
    "Attribute",
    "Distance",
    "History",
    "Node",
    "Part",
    "Template",
    "TemplateError",
    "Templates",
    "Value",
    "View",
    "cluster_value",
    "column_value",
    "feature_value",
    "known_of",
    "number_hash",
    "text_hash",
]
