import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Barrier
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given

from deptrees import ROOT, DependencyTree, Token, Treebank, TreeError, sample_treebank, to_conllu
from tests.gold_trees import Heads, ancestors, tree_of, trees

SAW = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
COLUMNS = Token(
    "dogs", 2, "nsubj", lemma="dog", upos="NOUN", xpos="NNS", feats="Number=Plur", deps="2:nsubj", misc="X=1", id=1
)


def test_a_tree_answers_with_its_words_and_arcs() -> None:
    assert len(SAW) == 4
    assert SAW[2].form == "saw"
    assert SAW[0] is ROOT
    assert [token.form for token in SAW] == ["I", "saw", "a", "dog"]
    assert [token.id for token in SAW] == [1, 2, 3, 4]
    assert SAW.heads == (2, 0, 4, 2)
    assert SAW.labels == ("nsubj", "root", "det", "obj")
    assert SAW.arcs == ((2, 1), (0, 2), (4, 3), (2, 4))
    assert SAW.roots == (2,)
    assert SAW.dependents(2) == (1, 4)
    assert SAW.left_dependents(2) == (1,)
    assert SAW.right_dependents(2) == (4,)
    assert SAW.right_dependents(0) == (2,)
    assert SAW.subtree(4) == (3, 4)
    assert SAW.span(2) == (1, 4)
    assert SAW.has_arc(2, 4)
    assert not SAW.has_arc(4, 2)
    assert not SAW.has_arc(2, 9)
    assert not SAW.has_arc(2, 0)


def test_labels_heads_and_tokens_may_be_mixed() -> None:
    tree = DependencyTree([(2, "I"), (None, "saw", "root"), Token("her", 2, upos="PRON")])
    assert tree.heads == (2, None, 2)
    assert tree.labels == (None, "root", None)
    assert tree.arcs == ((2, 1), (2, 3))
    assert tree.roots == ()
    assert tree[3].upos == "PRON"
    assert tree[3].id == 3


def test_root_is_word_zero_without_a_head() -> None:
    assert (ROOT.id, ROOT.head, ROOT.label) == (0, None, None)
    assert DependencyTree([])[0] is ROOT
    assert ROOT not in list(SAW)


def test_the_empty_tree() -> None:
    tree = DependencyTree([])
    assert (len(tree), list(tree), tree.heads, tree.arcs, tree.roots) == (0, [], (), (), ())
    assert (tree.head_bits, tree.dependent_bits, tree.subtree(0)) == ((0,), (0,), (0,))


@pytest.mark.parametrize("position", [5, -1])
def test_a_position_outside_the_sentence_is_an_index_error(position: int) -> None:
    for ask in (SAW.__getitem__, SAW.dependents, SAW.left_dependents, SAW.right_dependents, SAW.subtree, SAW.span):
        with pytest.raises(IndexError):
            ask(position)
    with pytest.raises(IndexError, match="from 1 to 4"):
        SAW[position]


@pytest.mark.parametrize(
    ("thing", "attribute"),
    [
        (COLUMNS, "form"),
        (COLUMNS, "head"),
        (ROOT, "form"),
        (SAW, "tokens"),
        (SAW, "heads"),
        (SAW, "comments"),
        (SAW, "anything"),
        (sample_treebank(), "paths"),
        (sample_treebank(), "strict"),
    ],
)
def test_nothing_can_be_changed(thing: Token | DependencyTree | Treebank, attribute: str) -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(thing, attribute, None)


def test_what_a_tree_gives_out_cannot_be_changed() -> None:
    given = [(0, "Go")]
    tree = DependencyTree(given, comments=["# text = Go"])
    given.append((0, "on"))
    assert len(tree) == 1
    for value in (tree.tokens, tree.comments, tree.extra_tokens, tree.heads, tree.labels, tree.arcs, tree.words):
        assert isinstance(value, tuple)


def test_a_token_keeps_its_ten_columns() -> None:
    assert set(attrs.asdict(COLUMNS).values()) == {
        *("dogs", 2, "nsubj", "dog", "NOUN", "NNS", "Number=Plur", "2:nsubj", "X=1", 1)
    }
    tree = DependencyTree([COLUMNS, (0, "bark")])
    assert tree[1] == COLUMNS
    assert attrs.asdict(Token("dogs")) == dict.fromkeys(attrs.asdict(COLUMNS)) | {"form": "dogs"}


@pytest.mark.parametrize(
    ("heads", "word", "message"),
    [
        ((3, 0), 1, "the head of word 1 is 3, which is not one of 0 to 2"),
        ((0, -1), 2, "the head of word 2 is -1"),
        ((0, 2), 2, "word 2 is its own head"),
        ((2, 1), 1, "words 1 ← 2 ← 1 form a cycle"),
        ((2, 3, 2), 2, "words 2 ← 3 ← 2 form a cycle"),
        ((0, 4, 2, 3), 2, "words 2 ← 4 ← 3 ← 2 form a cycle"),
        ((None, 3, 2), 2, "words 2 ← 3 ← 2 form a cycle"),
    ],
)
def test_heads_that_form_no_tree_are_refused(heads: Heads, word: int, message: str) -> None:
    with pytest.raises(TreeError, match=message) as caught:
        tree_of(heads)
    assert caught.value.word == word
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("n", range(5))
def test_a_tree_is_accepted_exactly_if_no_word_is_its_own_ancestor(n: int) -> None:
    accepted = 0
    for heads in product([None, *range(n + 1)], repeat=n):
        reached: list[int | None] = [*range(1, n + 1)]
        for _ in range(n):
            reached = [heads[word - 1] if word else word for word in reached]
        try:
            tree_of(heads)
        except TreeError:
            assert any(reached), heads
        else:
            assert not any(reached), heads
            accepted += 1
    # forests over n words whose roots have one of two kinds, ROOT's and nobody's: 2 * (n + 2) ** (n - 1) of them
    assert accepted == (2 * (n + 2) ** (n - 1) if n else 1)


@pytest.mark.parametrize("id_", [1, 3, 0, "2-3", "1.1"])
def test_an_id_that_is_not_the_position_is_refused(id_: int | str) -> None:
    with pytest.raises(TreeError, match=rf"word 2 has the id {id_!r}"):
        DependencyTree([(0, "a"), Token("b", 1, id=id_)])


def test_long_chains_need_no_recursion() -> None:
    n = 3000
    chain = tree_of(tuple(range(n)))
    assert chain.subtree(1) == tuple(range(1, n + 1))
    with pytest.raises(TreeError, match="form a cycle"):
        chain.reattach([n, *range(1, n)])


@given(trees(max_words=12, annotated=False))
def test_arcs_dependents_and_bits_say_what_heads_say(tree: DependencyTree) -> None:
    n = len(tree)
    assert tree.arcs == tuple((head, word) for word, head in enumerate(tree.heads, 1) if head is not None)
    assert {(h, d) for h in range(n + 1) for d in range(n + 1) if tree.has_arc(h, d)} == set(tree.arcs)
    assert len(tree.head_bits) == len(tree.dependent_bits) == n + 1
    for position in range(n + 1):
        dependents = tuple(d for d in range(1, n + 1) if tree[d].head == position)
        assert tree.dependents(position) == dependents
        assert tree.left_dependents(position) == tuple(d for d in dependents if d < position)
        assert tree.right_dependents(position) == tuple(d for d in dependents if d > position)
        assert {d for d in range(n + 2) if tree.dependent_bits[position] >> d & 1} == set(dependents)
        heads = {h for h in range(n + 2) if tree.head_bits[position] >> h & 1}
        assert heads == ({tree[position].head} - {None} if position else set())
    assert tree.roots == tree.dependents(0)


@given(trees(max_words=12, annotated=False))
def test_a_subtree_is_a_word_with_all_its_descendants(tree: DependencyTree) -> None:
    for position in range(len(tree) + 1):
        words = [word for word in range(len(tree) + 1) if position in ancestors(tree.heads, word)]
        assert tree.subtree(position) == tuple(words)
        assert tree.span(position) == (min(words), max(words))


def test_trees_are_equal_if_all_they_say_is_equal() -> None:
    same = DependencyTree([(2, "I", "nsubj"), (0, "saw", "root"), (4, "a", "det"), (2, "dog", "obj")])
    assert same == SAW
    assert hash(same) == hash(SAW)
    assert {SAW: "found"}[same] == "found"
    others = [
        SAW.reattach([2, 0, 2, 2]),
        SAW.reattach(SAW.heads, [None] * 4),
        attrs.evolve(SAW, comments=["# text = I saw a dog"]),
        attrs.evolve(SAW, extra_tokens=[(0, Token("Isaw", id="1-2"))]),
        attrs.evolve(SAW, tokens=SAW.tokens[:2]),
    ]
    assert len({SAW, *others}) == 6


def test_asking_a_tree_does_not_change_its_hash_or_equality() -> None:
    asked, fresh = tree_of((2, 0, 2)), tree_of((2, 0, 2))
    assert asked.arcs
    assert asked.words
    assert asked.dependents(2)
    assert asked == fresh
    assert hash(asked) == hash(fresh)


@pytest.mark.parametrize("asked", [False, True])
def test_trees_can_be_pickled_and_copied(asked: bool) -> None:
    tree = attrs.evolve(SAW, comments=["# sent_id = 1"], extra_tokens=[(0, Token("Isaw", id="1-2"))])
    if asked:
        assert tree.dependent_bits
        assert tree.dependents(2) == (1, 4)
    for twin in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), copy.copy(tree)):
        assert twin == tree
        assert twin.arcs == tree.arcs
        assert twin.dependents(2) == (1, 4)


def test_root_stays_root_when_a_tree_is_copied() -> None:
    assert pickle.loads(pickle.dumps(SAW))[0] is ROOT


def test_reattach_changes_heads_and_labels_only() -> None:
    tree = DependencyTree([COLUMNS, (0, "bark", "root")], ["# sent_id = 7"], [(0, Token("dogsbark", id="1-2"))])
    other = tree.reattach([0, 1])
    assert other.heads == (0, 1)
    assert other.labels == tree.labels
    assert other.reattach(tree.heads) == tree
    assert tree.reattach([0, None], ["root", None]).labels == ("root", None)
    assert tree.heads == (2, 0)
    assert other.comments == tree.comments
    assert other.extra_tokens == tree.extra_tokens
    assert other[1] == attrs.evolve(COLUMNS, head=0)


@pytest.mark.parametrize(
    ("heads", "labels"),
    [([2, 0, 4], None), ([2, 0, 4, 2, 1], None), ([2, 0, 4, 2], ["a"] * 3), ([2, 0, 4, 2], []), ([], [])],
)
def test_reattach_needs_a_head_and_a_label_for_each_word(heads: list[int], labels: list[str] | None) -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        SAW.reattach(heads, labels)


def test_reattach_checks_the_tree() -> None:
    with pytest.raises(TreeError, match="cycle"):
        SAW.reattach([2, 1, 0, 0])


def test_evolve_copies_with_changes_and_checks() -> None:
    named = attrs.evolve(SAW, comments=["# sent_id = a"])
    assert (named.sent_id, SAW.sent_id) == ("a", None)
    assert named.tokens == SAW.tokens
    tokens = [attrs.evolve(token, upos="X") for token in SAW]
    assert [token.upos for token in attrs.evolve(SAW, tokens=tokens)] == ["X"] * 4
    with pytest.raises(TreeError):
        attrs.evolve(SAW, tokens=tokens[:3])


@pytest.mark.parametrize(
    ("comments", "sent_id", "text"),
    [
        ([], None, None),
        (["# sent_id = a-1", "# text = Go on"], "a-1", "Go on"),
        (["#sent_id=a", "#text = 1 + 1 = 2"], "a", "1 + 1 = 2"),
        (["# newpar", "# text_en = No", "# my sent_id = 3", "# text =  x "], None, "x"),
    ],
)
def test_sent_id_and_text_come_from_the_comments(comments: list[str], sent_id: str | None, text: str | None) -> None:
    tree = DependencyTree([(0, "Go")], comments)
    assert (tree.sent_id, tree.text) == (sent_id, text)
    assert tree.comments == tuple(comments)


def test_words_hide_the_annotation_and_nothing_else() -> None:
    tree = DependencyTree([COLUMNS, (0, "bark", "root")])
    assert tree.words == (attrs.evolve(COLUMNS, head=None, label=None, deps=None), Token("bark", id=2))


def test_heads_predicted_by_numpy_are_integers_like_others() -> None:
    tree = tree_of((*range(100),))
    predicted = tree.reattach(list(np.arange(100)))
    assert predicted == tree
    assert predicted.head_bits == tree.head_bits
    assert predicted.dependent_bits == tree.dependent_bits
    assert to_conllu(predicted) == to_conllu(tree)


@given(trees(annotated=False))
def test_repr_is_the_constructor(tree: DependencyTree) -> None:
    assert eval(repr(tree)) == tree
    labeled = tree.reattach(tree.heads, ["dep" if word % 2 else None for word in range(len(tree))])
    assert eval(repr(labeled)) == labeled


def test_str_is_the_drawing() -> None:
    assert str(SAW) == SAW.draw()
    assert SAW.draw(labels=True) != SAW.draw() != SAW.draw(ascii=True)


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ({"tokens": "abc"}, TypeError, "tokens is 'abc': give a list"),
        ({"tokens": 5}, TypeError, "tokens is 5: give a list"),
        ({"tokens": ["Birds", "sing"]}, TypeError, r"word 1 of tokens is 'Birds': give a Token or a tuple"),
        ({"tokens": [(0, "Go", "root", "X")]}, TypeError, "word 1 of tokens is"),
        ({"tokens": [("Go", 0)]}, TypeError, "0 is not a string"),
        ({"tokens": [(0, "Go", 7)]}, TypeError, "7 is not a string"),
        ({"tokens": [(True, "Go")]}, TreeError, "head of word 1 is True, which is not an integer"),
        ({"tokens": [("0", "Go")]}, TreeError, "head of word 1 is '0', which is not an integer"),
        ({"tokens": [(0.0, "Go")]}, TreeError, r"head of word 1 is 0\.0, which is not an integer"),
        ({"tokens": [(10**9999, "Go")]}, TreeError, "head of word 1 is a number of 33216 bits, which is not one of"),
        ({"tokens": [(0, "Go"), Token("!", 1, id=True)]}, TreeError, "word 2 has the id True"),
        ({"comments": "# text = Go"}, TypeError, "comments is '# text = Go': give a list of lines"),
        ({"comments": ["text = Go"]}, ValueError, "not a comment of one line"),
        ({"comments": ["# text = Go\n"]}, ValueError, "not a comment of one line"),
        ({"extra_tokens": [Token("x", id="0.1")]}, TypeError, "extra_tokens: give pairs"),
        ({"extra_tokens": [(0, Token("x"))]}, TreeError, "extra token None has an id that is neither"),
        ({"extra_tokens": [(0, Token("x", id=1))]}, TreeError, "extra token 1 has an id that is neither"),
        ({"extra_tokens": [(0, Token("x", id="1"))]}, TreeError, "extra token '1' has an id that is neither"),
        ({"extra_tokens": [(1, Token("x", id="1-1"))]}, TreeError, "'1-1' stands after 1 words, .* after 0"),
        ({"extra_tokens": [(0, Token("x", id="1-2"))]}, TreeError, "'1-2' names no words of the sentence"),
        ({"extra_tokens": [(1, Token("x", id="1.1")), (0, Token("x", id="1-1"))]}, TreeError, "'1-1' comes too late"),
        ({"extra_tokens": [(1, Token("x", True, id="1.1"))]}, TreeError, r"'1\.1' has the head True"),
    ],
)
def test_what_is_no_tree_is_not_constructed(columns: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        DependencyTree(**{"tokens": [(0, "Go")]} | columns)


SING: dict[str, Any] = {"id": 1, "form": "Sing", "head": 0}


@pytest.mark.parametrize(
    ("record", "error", "message"),
    [
        (None, TypeError, "None is no record of a tree"),
        ([SING], TypeError, "is no record of a tree: give one with comments and tokens"),
        ({"tokens": [SING]}, TypeError, "is no record of a tree"),
        ({"tokens": [SING], "comments": [], "text": "Sing"}, TypeError, "is no record of a tree"),
        ({"tokens": 7, "comments": []}, TypeError, "not iterable"),
        ({"tokens": ["Sing"], "comments": []}, TypeError, "mapping"),
        ({"tokens": [{**SING, "deprel": "root"}], "comments": []}, TypeError, "deprel"),
        ({"tokens": [{**SING, "upos": 7}], "comments": []}, TypeError, "7 is not a string"),
        ({"tokens": [{**SING, "id": 2}], "comments": []}, TreeError, "word 1 has the id 2"),
        ({"tokens": [{**SING, "id": True}], "comments": []}, TreeError, "word 1 has the id True"),
        ({"tokens": [{"form": "Sing"}], "comments": []}, TreeError, "extra token None"),
        ({"tokens": [{**SING, "head": 1}], "comments": []}, TreeError, "its own head"),
        ({"tokens": [SING], "comments": ["text"]}, ValueError, "not a comment"),
    ],
)
def test_what_is_no_record_of_a_tree_is_told(record: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        DependencyTree.from_dict(record)


def test_an_error_names_a_few_of_the_words_of_a_long_cycle() -> None:
    n = 20_000
    with pytest.raises(TreeError, match="cycle") as caught:
        DependencyTree([(word % n + 1, "a") for word in range(1, n + 1)])
    assert str(caught.value) == "words 1 ← 2 ← 3 ← 4 ← 5 ← 6 ← 7 ← 8 ← 9 ← 10 ← ... form a cycle"


def deferred(tree: DependencyTree, made: list[DependencyTree]) -> DependencyTree:
    """The same tree, not made yet; each time that it is made is noted."""

    def source() -> DependencyTree:
        made.append(tree)
        return tree

    return DependencyTree._deferred(source, tree.heads, tree.labels)


WHOLE = DependencyTree(
    [Token("au", 2, "case", upos="ADP", deps="2:case"), (0, "marché", "root")],
    ["# sent_id = market"],
    [(0, Token("au", id="1-1")), (2, Token("là", id="2.1"))],
)


@pytest.mark.parametrize(
    "use",
    [
        lambda tree: tree.tokens,
        lambda tree: tree.comments,
        lambda tree: tree.extra_tokens,
        lambda tree: (tree[1], *tree),
        lambda tree: tree.name,
        lambda tree: tree == WHOLE and tree == WHOLE,
        hash,
        str,
        repr,
        copy.deepcopy,
        lambda tree: pickle.loads(pickle.dumps(tree)),
        lambda tree: attrs.evolve(tree, comments=["# sent_id = again"]),
        lambda tree: tree.reattach([0, 1]),
        attrs.asdict,
    ],
)
def test_a_deferred_tree_is_made_once_when_more_is_asked_of_it(use: Callable[[DependencyTree], object]) -> None:
    made: list[DependencyTree] = []
    tree = deferred(WHOLE, made)
    assert (len(tree), tree.heads, tree.labels, tree.dependents(0)) == (2, (2, 0), ("case", "root"), (2,))
    assert not made
    assert use(tree) == use(WHOLE)
    assert use(tree) == use(WHOLE)
    assert len(made) == 1


def test_a_deferred_tree_has_no_other_attributes_and_cannot_be_changed() -> None:
    tree = deferred(WHOLE, [])
    with pytest.raises(AttributeError, match="no attribute 'heds'"):
        _ = tree.heds  # type: ignore[attr-defined]
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        tree.comments = ()  # type: ignore[misc]


def test_threads_that_ask_at_the_same_time_see_the_same_tree() -> None:
    for _ in range(20):
        tree, begin = deferred(WHOLE, []), Barrier(8)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _, tree=tree, begin=begin: (begin.wait(), tree.tokens)[1], range(8)))
        assert found == [WHOLE.tokens] * 8


def test_words_stay_in_order_if_missing_heads_leave_a_projective_tree() -> None:
    assert DependencyTree([(3, "a"), (None, "b"), (0, "c")]).projective_order == (0, 1, 2, 3)
    crossing = DependencyTree([(3, "a"), (4, "b"), (0, "c"), (None, "d")])
    assert crossing.projective_order == (0, 1, 3, 2, 4)
    assert crossing.passing_bits == (0, 0, 1 << 3, 0, 0)
