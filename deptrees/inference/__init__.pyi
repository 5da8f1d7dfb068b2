from .chart import Chart, Marginals, NoDerivation, ScoredDerivation, chart
from .deduction import ChartNotDefined
from .semirings import COUNTING, ENTROPY, LOG_SUM, MAX_PLUS, MIN_PLUS, Semiring, k_best

__all__ = [
    "COUNTING",
    "ENTROPY",
    "LOG_SUM",
    "MAX_PLUS",
    "MIN_PLUS",
    "Chart",
    "ChartNotDefined",
    "Marginals",
    "NoDerivation",
    "ScoredDerivation",
    "Semiring",
    "chart",
    "k_best",
]
