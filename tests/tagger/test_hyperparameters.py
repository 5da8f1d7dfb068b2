"""The features of taggers, and the size of their tables."""

import re

import pytest

from deptrees.tagger import Hyperparameters


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        ("lemma", "expected one of form, lower"),
        ("xpos", "only words on the left"),
        ("xpos[+1]", "only words on the left"),
        ("feats[-1]", "expected one of"),
        ("form+form[-1]+form[-2]+form[+1]", "4 parts: 3 are the most"),
        ("form[12]", "expected one of"),
        ("", "expected one of"),
    ],
)
def test_features_that_are_none_are_refused(feature: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Hyperparameters({"upos": (), "xpos": (feature,)})


def test_tables_of_many_tags_have_fewer_rows() -> None:
    assert Hyperparameters().table_shape(17) == (1 << 20, 20)
    assert Hyperparameters().table_shape(1000) == (1 << 16, 1000)
    assert Hyperparameters(bits=10).table_shape(3) == (1 << 10, 4)
