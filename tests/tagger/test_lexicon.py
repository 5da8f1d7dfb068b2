"""What the compiled core sees of words."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deptrees.engine.core.tagging import ATTRIBUTES, look_at
from tests.tagger.plain_tagger import ATTRIBUTE

WORDS = st.text(st.sampled_from("aAbB1٢-.ßİǅκΚ犬😀 \ud800"), max_size=6)


@given(st.lists(WORDS, max_size=8))
def test_words_look_alike_where_they_are_alike(forms: list[str]) -> None:
    hashes = look_at(forms, np.zeros((len(forms), 1), np.uint64))
    for name, value in ATTRIBUTE.items():
        column = hashes[:, ATTRIBUTES.index(name)].tolist()
        for form, hashed in zip(forms, column, strict=True):
            for other, other_hashed in zip(forms, column, strict=True):
                if "ǅ" not in form + other:  # whose small letter is none of its own
                    assert (value(form) == value(other)) == (hashed == other_hashed), (name, form, other)
