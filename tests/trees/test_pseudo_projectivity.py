from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyTree, Token, Treebank, TreeError, all_trees, is_projective
from deptrees.trees.pseudo_projectivity import Encoding, deprojectivize, projectivize
from tests.gold_trees import Heads, ancestors, every_treebank, head_vectors, tree_of

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
Arc = tuple[int, int]
Labels = tuple[str | None, ...]


# What is known apart from the library: the lifts, and which word a search finds.


def between(head: int, word: int) -> range:
    return range(min(head, word) + 1, max(head, word))


def spans_others(heads: Heads, head: int, word: int) -> bool:
    """Whether an arc is non-projective as the paper defines it, for trees with all heads."""
    return any(head not in ancestors(heads, other) for other in between(head, word))


def spans_others_for_certain(heads: Heads, head: int, word: int) -> bool:
    """The same for trees without some heads: the arc spans an ancestor of its head, or crosses an unrelated arc."""
    inside = range(min(head, word), max(head, word) + 1)
    for other in between(head, word):
        if head not in ancestors(heads, other):
            linked = {heads[other - 1], *(below for below, its_head in enumerate(heads, 1) if its_head == other)}
            if other in ancestors(heads, head) or any(end is not None and end not in inside for end in linked):
                return True
    return False


def lifts_of(heads: Heads) -> tuple[Heads, list[Arc]]:
    """The heads that the algorithm of the paper leads to, and the arcs that it lifts one after the other."""
    spans = spans_others_for_certain if None in heads else spans_others
    lifts: list[Arc] = []
    while arcs := [(head, word) for word, head in enumerate(heads, 1) if head and spans(heads, head, word)]:
        head, word = min(arcs, key=lambda arc: (abs(arc[0] - arc[1]), min(arc)))
        lifts.append((head, word))
        heads = (*heads[: word - 1], heads[head - 1], *heads[word:])
    return heads, lifts


def encoded(tree: DependencyTree, lifts: list[Arc], encoding: Encoding) -> Labels:
    labels = []
    for word, token in enumerate(tree, 1):
        marks = ""
        if any(dependent == word for _, dependent in lifts):
            marks = "↑" if encoding == "path" else f"↑{tree[token.head or 0].label or ''}"
        if encoding != "head" and any(head == word for head, _ in lifts):
            marks += "↓"
        labels.append((token.label or "") + marks if marks else token.label)
    return tuple(labels)


def way_down(heads: Heads, word: int) -> tuple[int, list[int]]:
    """What sorts words breadth first, from left to right."""
    ancestors_and_self = ancestors(heads, word)[::-1]
    return len(ancestors_and_self), ancestors_and_self


def can_come_back(tree: DependencyTree, encoding: Encoding) -> bool:
    """Whether every lifted word finds its head in the tree in which the words visited before it have come back."""
    lifted_heads, lifts = lifts_of(tree.heads)
    passed = {head for head, _ in lifts}
    lifted = {dependent: lifted_heads[dependent - 1] for _, dependent in lifts}

    def turn(word: int) -> tuple[int, list[int], int]:
        top = lifted[word]
        return (*((0, [0]) if top is None else way_down(tree.heads, top)), word)

    back = list(tree.heads)
    for word, top in lifted.items():
        back[word - 1] = top
    for word in sorted(lifted, key=turn):
        now = tuple(back)
        if found(tree, now, word, passed, encoding) != tree.heads[word - 1]:
            return False
        back[word - 1] = tree.heads[word - 1]
    return True


def found(tree: DependencyTree, now: Heads, word: int, passed: set[int], encoding: Encoding) -> int | None:
    """The first word below the present head that can be meant."""
    chains = {other: ancestors(now, other) for other in range(1, len(now) + 1)}
    ways: dict[int, list[int]] = {}  # for each word that is searched, itself and all words on the way to it
    for other, chain in chains.items():
        top = now[word - 1]
        if word not in chain and (0 not in chain if top is None else top in chain[1:]):
            ways[other] = chain if top is None else chain[: chain.index(top)]
    order = sorted(ways, key=lambda other: way_down(now, other))
    on_path = [other for other in order if passed.issuperset(ways[other])]
    if encoding == "path":
        choice = [other for other in on_path if not any(now[below - 1] == other for below in passed)]
    else:
        choice = [*(on_path if encoding == "head+path" else []), *order]
        wanted = tree[tree.heads[word - 1] or 0].label
        choice = [other for other in choice if tree[other].label == wanted]
    return choice[0] if choice else now[word - 1]


def labeled(tree: DependencyTree, labels: Labels | None = None) -> DependencyTree:
    """The tree with other labels, distinct ones if none are given."""
    return tree.reattach(tree.heads, labels or [f"l{word}" for word in range(1, len(tree) + 1)])


def labelings(n: int, labels: Labels) -> Iterator[DependencyTree]:
    """Every tree over n words with every choice of labels."""
    for tree in all_trees(n):
        for choice in product(labels, repeat=n):
            yield labeled(tree, choice)


@st.composite
def labeled_trees(draw: st.DrawFn, labels: st.SearchStrategy[str | None], annotated: bool = True) -> DependencyTree:
    heads = draw(head_vectors(5, 30, annotated))
    return labeled(tree_of(heads), tuple(draw(st.lists(labels, min_size=len(heads), max_size=len(heads)))))


few_labels = st.sampled_from(["nsubj", "obj", "nmod:poss", None])


# Projectivizing


@pytest.mark.parametrize(
    ("encoding", "first", "fifth"),
    [("head", "AuxP↑Sb", "Sb"), ("path", "AuxP↑", "Sb↓"), ("head+path", "AuxP↑Sb", "Sb↓")],
)
def test_the_example_of_the_paper(encoding: Encoding, first: str, fifth: str) -> None:
    labels = ("AuxP", "Atr", "Pred", "AuxZ", "Sb", "AuxP", "Adv", "AuxK")
    tree = labeled(tree_of((5, 1, 0, 5, 3, 3, 6, 0)), labels)
    projective = projectivize(tree, encoding)
    assert projective.heads == (3, 1, 0, 5, 3, 3, 6, 0)
    assert projective.labels == (first, *labels[1:4], fifth, *labels[5:])
    assert deprojectivize(projective, encoding) == tree


@pytest.mark.parametrize(
    ("encoding", "lifted_labels"),
    [
        ("head", ("nmod:poss↑", "root", None, "det↑nmod:poss")),
        ("path", ("nmod:poss↑↓", "root", "↓", "det↑")),
        ("head+path", ("nmod:poss↑↓", "root", "↓", "det↑nmod:poss")),
    ],
)
def test_subtypes_missing_labels_and_two_marks(encoding: Encoding, lifted_labels: Labels) -> None:
    tree = labeled(tree_of((3, 0, 2, 1)), ("nmod:poss", "root", None, "det"))
    projective = projectivize(tree, encoding)
    assert (projective.heads, projective.labels) == ((2, 0, 2, 2), lifted_labels)
    assert deprojectivize(projective, encoding) == tree


def test_with_several_roots_words_are_lifted_to_root() -> None:
    tree = labeled(tree_of((0, 0, 1)), ("root", "parataxis", "obj"))
    projective = projectivize(tree, "head+path")
    assert (projective.heads, projective.labels) == ((0, 0, 0), ("root↓", "parataxis", "obj↑root"))
    assert deprojectivize(projective, "head+path") == tree


@pytest.mark.parametrize("n", range(6))
def test_the_lifts_of_all_trees(n: int) -> None:
    for tree in map(labeled, all_trees(n)):
        check_lifts(tree)


@given(labeled_trees(few_labels))
def test_the_lifts_of_random_trees(tree: DependencyTree) -> None:
    check_lifts(tree)


def check_lifts(tree: DependencyTree) -> None:
    heads, lifts = lifts_of(tree.heads)
    for encoding in ENCODINGS:
        projective = projectivize(tree, encoding)
        assert is_projective(projective), tree.heads
        assert (projective is tree) is (is_projective(tree)), tree.heads
        assert projective.heads == heads, tree.heads
        assert projective.labels == encoded(tree, lifts, encoding), tree.heads
    for word, (head, its_head) in enumerate(zip(heads, tree.heads, strict=True), 1):
        assert head in ancestors(tree.heads, word)[1:] or head is None
        if head != its_head and None not in tree.heads:
            put_back = (*heads[: word - 1], its_head, *heads[word:])
            assert not is_projective(tree_of(put_back)), f"word {word} was lifted without need: {tree.heads}"


@pytest.mark.parametrize(("n", "more_than_needed"), [(1, 0), (2, 0), (3, 0), (4, 0), (5, 49)])
def test_there_are_seldom_more_lifts_than_needed(n: int, more_than_needed: int) -> None:
    projective = {tree.heads for tree in all_trees(n) if is_projective(tree)}
    assert more_than_needed == sum(
        len(lifts_of(tree.heads)[1]) > fewest_lifts(tree.heads, projective) for tree in all_trees(n)
    )


def fewest_lifts(heads: Heads, projective: set[Heads]) -> int:
    reached, lifts = {heads}, 0
    while not reached & projective:
        reached = {
            (*some[: word - 1], some[head - 1], *some[word:])
            for some in reached
            for word, head in enumerate(some, 1)
            if head
        }
        lifts += 1
    return lifts


@pytest.mark.parametrize("n", range(5))
def test_the_lifts_of_all_partially_annotated_trees(n: int) -> None:
    for heads in product([None, *range(n + 1)], repeat=n):
        try:
            tree = labeled(tree_of(heads))
        except TreeError:
            continue
        check_lifts(tree)
        for encoding in ("head", "head+path"):
            assert deprojectivize(projectivize(tree, encoding), encoding) == tree, heads


def test_what_is_lifted_from_a_word_without_a_head_loses_its_head() -> None:
    tree = labeled(tree_of((None, None, 1, 2)))
    projective = projectivize(tree)
    assert (projective.heads, projective.labels) == ((None, None, None, 2), ("l1", "l2", "l3↑l1", "l4"))


@given(labeled_trees(few_labels, annotated=False))
def test_the_lifts_of_random_partially_annotated_trees(tree: DependencyTree) -> None:
    check_lifts(tree)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_all_else_stays(encoding: Encoding) -> None:
    tree = DependencyTree(
        [
            Token("a", 3, "det", lemma="l", upos="u", xpos="x", feats="F=1", deps="3:det|4:obj", misc="SpaceAfter=No"),
            Token("b", 0, "root", deps="0:root"),
            Token("c", 2, "obj"),
        ],
        comments=["# sent_id = 1"],
        extra_tokens=[(0, Token("ab", id="1-2")), (3, Token("e", id="3.1"))],
    )
    projective = projectivize(tree, encoding)
    assert projective != tree
    assert projective.reattach(tree.heads, tree.labels) == tree
    assert deprojectivize(projective, encoding) == tree


@pytest.mark.parametrize("label", ["obj↑nsubj", "obj↓", "↑", "↓"])
@pytest.mark.parametrize("heads", [(2, 0, 2), (3, 0, 2)])
def test_labels_with_arrows_are_refused(label: str, heads: Heads) -> None:
    with pytest.raises(ValueError, match=f"word 3 has the label '{label}'"):
        projectivize(labeled(tree_of(heads), ("obj", "root", label)))


def test_unknown_encodings_are_refused() -> None:
    for function in (projectivize, deprojectivize):
        with pytest.raises(ValueError, match="no encoding 'tail', only 'head', 'path', 'head\\+path'"):
            function(tree_of((0,)), "tail")  # type: ignore[arg-type]


# Coming back


@pytest.mark.parametrize("n", range(6))
def test_with_distinct_labels_every_tree_comes_back(n: int) -> None:
    for tree in map(labeled, all_trees(n)):
        for encoding in ("head", "head+path"):
            assert deprojectivize(projectivize(tree, encoding), encoding) == tree, tree.heads


@given(head_vectors(5, 30))
def test_with_distinct_labels_every_random_tree_comes_back(heads: Heads) -> None:
    tree = labeled(tree_of(heads))
    for encoding in ("head", "head+path"):
        assert deprojectivize(projectivize(tree, encoding), encoding) == tree


@pytest.mark.parametrize(
    ("n", "labels"),
    [
        *[(n, ("a", None)) for n in range(5)],
        pytest.param(4, ("a", "b", "c"), marks=pytest.mark.slow),
        pytest.param(5, ("a", "b"), marks=pytest.mark.slow),
    ],
)
def test_which_trees_come_back(n: int, labels: Labels) -> None:
    for tree in labelings(n, labels):
        check_coming_back(tree)


@given(labeled_trees(few_labels))
def test_which_random_trees_come_back(tree: DependencyTree) -> None:
    check_coming_back(tree)


@given(labeled_trees(few_labels, annotated=False))
def test_which_random_partially_annotated_trees_come_back(tree: DependencyTree) -> None:
    check_coming_back(tree)


def check_coming_back(tree: DependencyTree) -> None:
    if is_projective(tree):
        return
    back = {encoding: deprojectivize(projectivize(tree, encoding), encoding) for encoding in ENCODINGS}
    for encoding in ENCODINGS:
        assert back[encoding].labels == tree.labels
        assert (back[encoding] == tree) is can_come_back(tree, encoding), (tree, encoding)
    lifted_heads, lifts = lifts_of(tree.heads)
    lifted = {dependent for _, dependent in lifts}
    if len(lifted) == 1:
        assert back["path"] == tree, tree
    if all(label_below_is_unique(tree, lifted_heads[word - 1], tree.heads[word - 1] or 0) for word in lifted):
        assert back["head"] == back["head+path"] == tree, tree


def label_below_is_unique(tree: DependencyTree, top: int | None, head: int) -> bool:
    """Whether no other word below ``top`` has the label of ``head``."""
    words = [word for word in range(1, len(tree) + 1) if top is None or top in ancestors(tree.heads, word)[1:]]
    return [tree[word].label for word in words].count(tree[head].label) == 1


# Whatever a parser predicts


@pytest.mark.parametrize("n", range(4))
def test_no_marked_tree_is_refused(n: int) -> None:
    for tree in labelings(n, ("a", "a↑b", "b↓", "b↑a↓", "↑", "↓↑↓a↑↑")):
        check_unmarking(tree)


@given(labeled_trees(st.none() | st.text("ab↑↓", max_size=4), annotated=False))
def test_no_random_marked_tree_is_refused(tree: DependencyTree) -> None:
    check_unmarking(tree)


def check_unmarking(tree: DependencyTree) -> None:
    for encoding in ENCODINGS:
        back = deprojectivize(tree, encoding)
        assert deprojectivize(back, encoding) is back
        for word, (before, after) in enumerate(zip(tree, back, strict=True), 1):
            label = before.label or ""
            assert not {"↑", "↓"} & set(after.label or "")
            if "↑" in label:
                assert before.head is None or before.head in ancestors(back.heads, word)
            else:
                assert after.head == before.head
            if not {"↑", "↓"} & set(label):
                assert after.label == before.label


@pytest.mark.parametrize("label", ["obj↑iobj", "obj↑", "obj↓", "obj↑obj", "obj↑b↑root"])
def test_an_arc_whose_marks_lead_nowhere_stays(label: str) -> None:
    predicted = labeled(tree_of((2, 0, 2, 3)), ("nsubj", "root", label, "det"))
    for encoding in ENCODINGS:
        back = deprojectivize(predicted, encoding)
        assert back == labeled(predicted, ("nsubj", "root", "obj", "det"))


def test_without_path_marks_head_and_path_is_like_head() -> None:
    predicted = labeled(tree_of((2, 0, 2, 3)), ("obj↑xcomp", "root", "ccomp", "xcomp"))
    for encoding in ("head", "head+path"):
        assert deprojectivize(predicted, encoding).heads == (4, 0, 2, 3)


def test_path_marks_go_before_words_that_are_nearer() -> None:
    predicted = labeled(tree_of((2, 0, 2, 2, 4)), ("obj↑xcomp", "root", "xcomp", "ccomp↓", "xcomp↓"))
    heads = {encoding: deprojectivize(predicted, encoding).heads[0] for encoding in ENCODINGS}
    assert heads == {"head": 3, "path": 5, "head+path": 5}


# Real trees


@every_treebank
def test_real_treebanks(path: Path) -> None:
    for tree in Treebank(path):
        if is_projective(tree):
            assert projectivize(tree) is tree
        else:
            check_lifts(tree)
            check_coming_back(tree)
