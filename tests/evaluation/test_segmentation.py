"""Scores of tokens and sentences, compared with those of udtools."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyTree
from deptrees.evaluation import evaluate_ud
from deptrees.evaluation.segmentation import segmentation

TEXT = "abcdefghij"


@st.composite
def divided(draw: st.DrawFn) -> list[DependencyTree]:
    """A text, divided into sentences of tokens."""
    trees: list[DependencyTree] = []
    forms = [TEXT[0]]
    for character in TEXT[1:]:
        match draw(st.integers(0, 2)):
            case 0:
                forms[-1] += character
            case 1:
                forms.append(character)
            case _:
                trees.append(DependencyTree([*zip(range(len(forms)), forms, strict=True)]))
                forms = [character]
    return [*trees, DependencyTree([*zip(range(len(forms)), forms, strict=True)])]


@given(divided(), divided())
def test_the_scores_are_those_of_udtools(gold: list[DependencyTree], predicted: list[DependencyTree]) -> None:
    pytest.importorskip("udtools")
    table = evaluate_ud(gold, predicted)
    found = dict(zip(table["metric"], table["f1"], strict=True))
    scores = segmentation(gold, predicted)
    assert (scores.tokens, scores.sentences) == pytest.approx((found["Tokens"], found["Sentences"]))
