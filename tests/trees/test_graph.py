"""Graphs: what is one, the DEPS that it is made of and makes, and what is asked of it."""

import pickle
from functools import partial
from itertools import combinations
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyGraph, DependencyTree, GraphError, Token, Treebank, from_conllu, to_conllu
from deptrees.messages import TooLarge
from tests.gold_trees import TREEBANK_FILES, TREEBANKS, every_treebank, trees

LABELS = ["root", "nsubj", "conj:and", "obl:à_la:acc", "_"]
RELEASES = sorted((TREEBANKS.parent / "releases").glob("*.conllu")) if TREEBANKS else []


@st.composite
def sentences_and_graphs(draw: st.DrawFn) -> tuple[DependencyTree, DependencyGraph]:
    """A tree, and any graph over its words and over empty nodes."""
    tree = draw(trees(min_words=1, max_words=5))
    nodes: list[Token] = []
    for place in range(len(tree) + 1):
        nodes += [tree[place]] if place else []
        nodes += [Token("_", id=f"{place}.{number + 1}") for number in range(draw(st.sampled_from([0, 0, 1, 11])))]
    n = len(nodes)
    places = st.tuples(st.integers(0, n), st.integers(1, n), st.sampled_from(LABELS))
    return tree, DependencyGraph(nodes, draw(st.sets(places.filter(lambda arc: arc[0] != arc[1]), max_size=12)))


@given(sentences_and_graphs())
def test_a_graph_that_is_written_into_deps_is_read_back_equal(pair: tuple[DependencyTree, DependencyGraph]) -> None:
    tree, graph = pair
    written = from_conllu(to_conllu(tree.with_graph(graph)))
    assert written.graph.arcs == graph.arcs
    assert written.graph.ids == graph.ids
    assert written.heads == tree.heads
    assert to_conllu(written.with_graph(written.graph)) == to_conllu(written)


@given(sentences_and_graphs())
def test_what_is_asked_of_a_graph_is_what_its_arcs_say(pair: tuple[DependencyTree, DependencyGraph]) -> None:
    _, graph = pair
    arcs = {(head, dependent) for head, dependent, _ in graph.arcs}
    paths = set(arcs)
    while longer := {(a, d) for a, b in paths for c, d in arcs if b == c} - paths:
        paths |= longer
    positions = range(1, len(graph) + 1)
    assert [graph.heads_of(each) for each in positions] == [
        tuple(sorted({head for head, dependent in arcs if dependent == each})) for each in positions
    ]
    assert sum(len(graph.labels_of(head, each)) for each in positions for head in graph.heads_of(each)) == len(
        graph.arcs
    )
    assert graph.unreached == tuple(each for each in positions if (0, each) not in paths)
    assert graph.is_acyclic == all(start != end for start, end in paths)
    assert eval(repr(graph)).arcs == graph.arcs
    assert pickle.loads(pickle.dumps(graph)) == graph


def test_the_order_in_which_arcs_are_given_makes_no_difference() -> None:
    arcs = [(0, 1, "root"), (1, 2, "obj"), (1, 2, "conj"), (0, 2, "root")]
    assert len({DependencyGraph(["a", "b"], [arcs[i], arcs[j], *arcs[2:]]) for i, j in [(0, 1), (1, 0)]}) == 1
    assert DependencyGraph(["a", "b"], arcs).deps == ("0:root", "0:root|1:conj|1:obj")


def test_all_graphs_of_three_words_are_as_many_as_there_are_sets_of_arcs() -> None:
    arcs = [(head, dependent) for head in range(4) for dependent in range(1, 4) if head != dependent]
    graphs = {DependencyGraph([*"abc"], each) for n in range(10) for each in combinations(arcs, n)}
    assert len(graphs) == 512
    assert sum(graph.is_acyclic for graph in graphs) == 8 * 25  # any arcs of ROOT, and OEIS A003024


@pytest.mark.parametrize(
    ("deps", "fault"),
    [
        ("7:obj", "sentence 's-1': DEPS of 2 has the head '7', which is no word or empty node of the sentence"),
        ("1-2:obj", "sentence 's-1': DEPS of 2 has the head '1-2', which is no word or empty node of the sentence"),
        ("1", "sentence 's-1': DEPS of 2 has the head '1', which has no label: write 2:nsubj or so"),
        ("1:obj|", "sentence 's-1': DEPS of 2 has the head '', which has no label: write 2:nsubj or so"),
        ("2:obj", "sentence 's-1': node 2 is its own head"),
        ("1:obj|1:obj", "sentence 's-1': the arc from 1 to 2 is there twice: 'obj'"),
    ],
)
def test_deps_that_are_no_graph_are_an_error_that_names_the_sentence(deps: str, fault: str) -> None:
    words = [Token("Sing", 0, "root", deps="0:root"), Token("it", 1, "obj", deps=deps)]
    tree = DependencyTree(words, ["# sent_id = s-1"], [(0, Token("Sing it", id="1-2"))])
    with pytest.raises(GraphError) as caught:
        _ = tree.graph
    assert str(caught.value) == fault
    assert str(pickle.loads(pickle.dumps(caught.value))) == fault
    assert caught.value.node == "2"


@pytest.mark.parametrize(
    ("nodes", "arcs", "fault"),
    [
        ("ab", [], "nodes is 'ab'"),
        ([1], [], "1 is in nodes"),
        ([Token("a", id=2)], [], "word 1 has the id 2"),
        (["a", Token("b", id="2.1")], [], "the extra token '2.1' names no words"),
        (["a", Token("b", id="1.1"), Token("c", id="1.1")], [], "two empty nodes have the id '1.1'"),
        (["a", Token("b", id="1-2"), "b"], [], "'1-2' is a multiword token"),
        (["a"], [(0, 2)], "an arc leads to 2, which is not one of 1 to 1"),
        (["a"], [(1, 0)], "an arc leads to 0"),
        (["a"], [(2, 1)], "an arc leads to 1 from 2"),
        (["a"], [(0, 1, "x|y")], r"the label of an arc to 1 is 'x\|y'"),
        (["a"], [("0", 1)], "'str' object cannot be interpreted as an integer"),
    ],
)
def test_what_is_no_graph_is_not_constructed(nodes: list[str], arcs: list[tuple[int, int]], fault: str) -> None:
    with pytest.raises((GraphError, TypeError), match=fault):
        DependencyGraph(nodes, arcs)


def test_a_graph_of_another_sentence_is_not_written() -> None:
    with pytest.raises(ValueError, match="sentence 'Sing' has 1 word, and the graph 2"):
        DependencyTree([(0, "Sing")]).with_graph(DependencyGraph(["Birds", "sing"], []))


def test_a_position_outside_the_graph_is_an_index_error() -> None:
    with pytest.raises(IndexError, match="there is no node -1"):
        DependencyGraph(["Sing"], [])[-1]


@partial(every_treebank, files=TREEBANK_FILES + RELEASES)
def test_treebanks_make_graphs_that_make_the_same_deps(path: Path) -> None:
    for tree in Treebank(path):
        graph = tree.graph
        tokens = [token for token in tree.all_tokens if "." not in str(token.id)]
        bare = DependencyTree.from_tokens([attrs.evolve(token, deps=None) for token in tokens], tree.comments)
        assert to_conllu(bare.with_graph(graph)) == to_conllu(tree)
        assert not graph.arcs or not [*graph.faults()]


def test_paths_through_empty_nodes_are_found_in_a_bounded_time() -> None:
    ids = range(1, 13)
    every = [Token("_", id=f"0.{number}") for number in ids]
    arcs = [(head, dependent, "conj") for head in (0, *ids) for dependent in (*ids, 13) if head != dependent]
    with pytest.raises(TooLarge, match="more than 100,000 paths through empty nodes"):
        _ = DependencyGraph([*every, "sing"], arcs).paths
    few = [arc for arc in arcs if arc[0] < arc[1]]  # without cycles, each set of empty nodes is on one path
    assert len(DependencyGraph([*every, "sing"], [(*arc[:2], str(arc[0])) for arc in few]).paths) == 2**12
