"""Beams in the notation of the literature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deptrees.drawing.table import DrawnColumn, DrawnTable
from deptrees.messages import quoted
from deptrees.transition.notation import arcs_in_words, part_column

if TYPE_CHECKING:
    from deptrees.search.beam import Beam

__all__ = ["beam_table"]


def beam_table(beam: Beam) -> DrawnTable:
    """The hypotheses of a beam in the notation of the literature, each with its last transition and its score.

    >>> from deptrees.search import BeamSearch, Ranking
    >>> from deptrees.transition import ArcHybrid
    >>> ranking = Ranking(ArcHybrid(), lambda configurations: [[1, 0, 2]] * len(configurations))
    >>> *_, beam, _, _ = BeamSearch(ranking, size=2)(["Birds", "sing"])
    >>> print(beam_table(beam).text())
                     σ  β     A             transition  score
    -  ---------------  ----  ------------  ----------  -----
    1  ROOT Birds sing                      Shift()         4
    2             ROOT  sing  sing → Birds  LeftArc()       3
    """
    if not beam or not all(hasattr(hypothesis, "config") for hypothesis in beam):
        raise TypeError(f"beam is a beam, which has one hypothesis or more, not {quoted(beam)}")
    names = list(beam[0].config.parts)
    words = ["ROOT", *[token.form for token in beam[0].config.tokens]]
    rows = [
        [
            str(rank),
            *hypothesis.config.parts_in_words().values(),
            arcs_in_words(hypothesis.config.arcs, words),
            "" if hypothesis.transition is None else repr(hypothesis.transition),
            f"{hypothesis.score:.4g}",
        ]
        for rank, hypothesis in enumerate(beam, 1)
    ]
    more = [DrawnColumn("A"), DrawnColumn("transition"), DrawnColumn("score", "right")]
    return DrawnTable([DrawnColumn("", "right"), *map(part_column, names), *more], [rows])
