from hypothesis import given

from deptrees import DependencyTree
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.completion import completed
from tests.gold_trees import trees


@given(trees(min_words=1, annotated=False))
def test_every_word_gets_a_head_and_what_was_there_stays(tree: DependencyTree) -> None:
    before, after = DependencyTree([(0, "Sing")]), DependencyTree([(None, "Go")])
    *others, whole, last = completed(Batch.of([before, DependencyTree([]), tree, after])).trees
    assert others == [before, DependencyTree([])]
    assert (last.heads, last.labels) == ((0,), ("root",))
    assert whole.is_annotated
    added = [word for word, head in enumerate(tree.heads, 1) if head is None]
    assert whole.reattach([None if word in added else head for word, head in enumerate(whole.heads, 1)]).heads == (
        tree.heads
    )
    assert len(whole.roots) == max(len(tree.roots), 1)
    assert {whole.heads[word - 1] for word in added} <= {0, whole.roots[0]}
    assert [whole.labels[word - 1] for word in added] == ["dep" if whole.heads[word - 1] else "root" for word in added]
