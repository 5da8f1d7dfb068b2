"""Feature templates: what linear models look at.

Their language is explained in `deptrees.features.language`; ``ZHANG_NIVRE`` and the other ready-made sets are written
in it.
"""

from deptrees.features.language import (
    Attribute,
    Distance,
    History,
    Node,
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
    known_of,
)

__all__ = [
    "DELEXICALIZED",
    "FAST",
    "LR_SPINES",
    "MORPHOLOGICAL",
    "TAGGED",
    "WITH_FEATS",
    "WITH_XPOS",
    "ZHANG_NIVRE",
    "Attribute",
    "Distance",
    "History",
    "Node",
    "Template",
    "TemplateError",
    "Templates",
    "known_of",
]
