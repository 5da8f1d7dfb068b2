"""Against pandas: treebanks as data frames."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pandas as pd
import pytest

from deptrees import DependencyTree, sample_treebank, to_conllu
from deptrees.integrations.pandas import from_frame, to_frame
from tests.integrations.sentences import every_text, nasty


@every_text
def test_trees_go_through_data_frames(read: Callable[[], list[DependencyTree]]) -> None:
    trees = read()
    assert [*map(to_conllu, from_frame(to_frame(trees)))] == [*map(to_conllu, trees)]


def test_data_frames_go_through_csv() -> None:
    written = to_frame(nasty()).to_csv(index=False)
    read = pd.read_csv(StringIO(written), dtype={"id": str}, keep_default_na=False, na_values=[""])
    assert [*from_frame(read)] == nasty()


def test_data_frames_are_counted_as_trees_are() -> None:
    trees = [*sample_treebank("train")]
    frame = to_frame(trees)
    words = frame[frame.id.str.isdecimal()]
    assert len(words) == sum(map(len, trees))
    assert words.groupby("sentence").size().tolist() == [*map(len, trees)]
    assert frame["head"].dtype == "Int64"


def test_columns_can_be_left_out() -> None:
    frame = pd.DataFrame({"sentence": [1, 1, 2], "id": [1, 2, 1], "form": ["Go", "on", "Yes"], "head": [0, 1, None]})
    assert [*from_frame(frame)] == [DependencyTree([(0, "Go"), (1, "on")]), DependencyTree([(None, "Yes")])]
    assert [*from_frame(to_frame([]))] == []


def test_a_word_without_a_form_is_an_error_that_says_how_to_keep_it() -> None:
    frame = to_frame([DependencyTree([(0, "NA")])])
    with pytest.raises(ValueError, match="word 1 of sentence 1 has no form: if they are from a file"):
        [*from_frame(pd.read_csv(StringIO(frame.to_csv(index=False))))]
