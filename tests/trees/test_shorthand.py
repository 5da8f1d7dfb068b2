import pytest
from hypothesis import given

from deptrees import DependencyTree, TreeError
from deptrees.trees.shorthand import from_shorthand
from tests.gold_trees import Heads, head_vectors, tree_of


@given(head_vectors(annotated=False))
def test_heads_are_read_back(heads: Heads) -> None:
    tree = tree_of(heads)
    written = ["_" if head is None else str(head) for head in heads]
    forms = [token.form for token in tree]
    assert from_shorthand(forms, " ".join(written)) == tree
    assert from_shorthand(forms, ", ".join(f"{head}:x:y" for head in written)) == tree.reattach(
        heads, ["x:y"] * len(tree)
    )


@pytest.mark.parametrize(
    ("heads", "word"), [("2", 2), ("2 0 1", 3), ("2 -1", 2), ("² 0", 1), ("2 1", 1), ("2 root", 2)]
)
def test_errors_name_the_word(heads: str, word: int) -> None:
    with pytest.raises(TreeError) as raised:
        from_shorthand(["Birds", "sing"], heads)
    assert raised.value.word == word


def test_no_words_have_no_heads() -> None:
    assert from_shorthand([], "") == DependencyTree([])
