from .language import (
    Attribute,
    Distance,
    History,
    Node,
    Template,
    TemplateError,
)
from .ready_made import (
    DELEXICALIZED,
    FAST,
    LR_SPINES,
    MORPHOLOGICAL,
    TAGGED,
    WITH_FEATS,
    WITH_XPOS,
    ZHANG_NIVRE,
)
from .sets import Templates
from .values import (
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
