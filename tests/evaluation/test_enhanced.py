"""Enhanced dependencies: ELAS and EULAS are those of the shared tasks' own script, which udtools has."""

import io
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import DependencyGraph, DependencyTree, EvaluationError, Token, Treebank, sample_treebank, to_conllu
from deptrees.evaluation import confidence_intervals, enhanced_counts, evaluate_enhanced, evaluate_ud, paired_test
from deptrees.trees.graph import GraphArc
from tests.gold_trees import every_treebank
from tests.trees.test_graph import sentences_and_graphs

udeval = pytest.importorskip("udtools.udeval")


def without_empty_nodes(tree: DependencyTree) -> DependencyTree:
    """The tree as the shared tasks want it: with paths through empty nodes in place of those, found one by one."""
    deps = {str(token.id): token.deps.split("|") if token.deps else [] for token in tree.all_tokens}

    def paths(id_: str, below: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for entry in deps[id_]:
            head, label = entry.split(":", 1)
            if "." not in head:
                yield head, label
            elif head not in below:
                yield from ((start, f"{above}>{label}") for start, above in paths(head, (*below, head)))

    words = [
        attrs.evolve(token, deps="|".join(sorted({f"{head}:{path}" for head, path in paths(str(token.id), ())})) or "_")
        for token in tree
    ]
    return DependencyTree(words)


def by_the_script(*trees: list[DependencyTree]) -> Any:
    """The scores of the script, which is given sentences without empty nodes."""
    texts = ("".join(map(to_conllu, map(without_empty_nodes, side))) for side in trees)
    return udeval.evaluate(*(udeval.load_conllu(io.StringIO(text), "", {"multiple_roots_okay": 1}) for text in texts))


def check(gold: list[DependencyTree], predicted: list[DependencyTree]) -> None:
    expected, found = by_the_script(gold, predicted), evaluate_enhanced(gold, predicted)
    for score in "ELAS", "EULAS":
        theirs, ours = expected[score], found.row(score)
        assert (ours["gold"], ours["predicted"], ours["right"]) == (
            theirs.gold_total,
            theirs.system_total,
            theirs.correct,
        )
    gold_by_type, predicted_by_type = (np.sum(found[side][2:]) for side in ("gold", "predicted"))
    assert (gold_by_type, predicted_by_type) == (found.row("ELAS")["gold"], found.row("ELAS")["predicted"])


@st.composite
def two_graphs(draw: st.DrawFn) -> tuple[DependencyTree, DependencyTree]:
    """A sentence with a graph, and with another one, which has other empty nodes."""
    tree, gold = draw(sentences_and_graphs().filter(lambda pair: pair[1].arcs))
    kept = draw(st.sets(st.sampled_from(gold.arcs)))
    labels = st.sampled_from(["nsubj", "nsubj:pass", "conj:or"])
    others = {(head, word, draw(labels)) for head, word, _ in kept if draw(st.booleans())}
    return tree.with_graph(gold), tree.with_graph(DependencyGraph(gold, kept | others))


@given(two_graphs())
def test_the_scores_are_those_of_the_script(trees: tuple[DependencyTree, DependencyTree]) -> None:
    tree = trees[0]
    heads = tuple([0 if head is None else head for head in tree.heads])
    gold, predicted = (each.reattach(heads) for each in trees)
    if not gold.graph.paths:
        with pytest.raises(EvaluationError, match="there are no enhanced dependencies in the gold trees"):
            evaluate_enhanced(gold, predicted)
        return
    check([gold, gold], [gold, predicted])


def copied(tree: DependencyTree, random: Random) -> Iterator[GraphArc]:
    """The basic tree."""
    for word, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True), 1):
        yield head or 0, word, label


def disturbed(tree: DependencyTree, random: Random) -> Iterator[GraphArc]:
    """The graph with some arcs that lead elsewhere, have the universal part of their labels only, or are missing."""
    found = set()
    for arc in tree.graph.arcs:
        change, (head, word, label) = random.random(), arc
        if change < 0.1:
            found.add(((word + 1) % len(tree), word, label))
        elif change < 0.2:
            found.add((head, word, str(label).partition(":")[0]))
        elif change < 0.9:
            found.add(arc)
    yield from found


@every_treebank
@pytest.mark.parametrize("how", [copied, disturbed])
def test_the_scores_of_a_treebank_are_those_of_the_script(
    path: Path, how: Callable[[DependencyTree, Random], Iterator[GraphArc]]
) -> None:
    gold = list(islice(Treebank(path), 1500))
    if not any(tree.graph.arcs for tree in gold):
        pytest.skip("without enhanced dependencies")
    random = Random(7)
    predicted = [
        tree.with_graph(DependencyGraph(tree if how is copied else tree.graph, set(how(tree, random)))) for tree in gold
    ]
    check(gold, gold)
    check(gold, predicted)
    ours, theirs = evaluate_enhanced(gold, predicted), evaluate_ud(gold, predicted)
    for score in "ELAS", "EULAS":
        assert theirs.row(score)["f1"] == ours.row(score)["F1"]


def words(*rows: tuple[int, str, str, str | None]) -> DependencyTree:
    return DependencyTree([Token(form, head, label, deps=deps) for head, label, form, deps in rows])


@pytest.mark.parametrize(
    ("tree", "types"),
    [
        (
            words(
                (0, "root", "dogs", "0:root"),
                (1, "conj", "cats", "0:root|1:conj:and"),
                (1, "acl:relcl", "bark", "1:acl:relcl"),
                (3, "nsubj", "that", "1:ref"),
            ),
            {"basic": 2, "case labels": 1, "shared heads": 1, "relative clauses": 1},
        ),
        (
            words(
                (2, "nsubj", "dogs", "2:nsubj|3:nsubj:xsubj|4:nsubj"),
                (0, "root", "want", "0:root"),
                (2, "xcomp", "run", "2:xcomp"),
                (2, "conj", "bark", "2:conj"),
            ),
            {"basic": 4, "control": 1, "shared dependents": 1},
        ),
        (
            words((0, "root", "look", "0:root"), (1, "dep", "dogs", "1:dep|1:obj")),
            {"basic": 2, "else": 1},
        ),
    ],
)
def test_an_arc_has_the_type_of_its_enhancement(tree: DependencyTree, types: dict[str, int]) -> None:
    found = evaluate_enhanced(tree, tree)
    assert dict(zip(found["score"][2:], found["gold"][2:], strict=True)) == types


def test_intervals_and_tests_take_the_counts() -> None:
    gold = [tree.with_graph(DependencyGraph(tree, set(copied(tree, Random())))) for tree in sample_treebank("dev")]
    half = [attrs.evolve(tree, tokens=tree.words) if number % 2 else tree for number, tree in enumerate(gold)]
    gold[0] = attrs.evolve(gold[0], tokens=[attrs.evolve(token, deps="0:orphan") for token in gold[0]])
    one, other = enhanced_counts(gold, gold, half)
    table = confidence_intervals(other)
    assert np.isnan(table.row("else")["low"])  # it may not be drawn
    f1 = evaluate_enhanced(gold, half).row("ELAS")["F1"]
    assert table.row("ELAS")["share"] == f1
    assert 0.2 < table.row("ELAS")["low"] < f1 < table.row("ELAS")["high"] < 0.9
    assert paired_test(one, other, resamples=99).row("ELAS")["difference"] == pytest.approx(f1 - 1)


def test_without_gold_arcs_there_is_nothing_to_evaluate() -> None:
    with pytest.raises(EvaluationError, match=r"no enhanced dependencies in .*sample-dev\.conllu: DEPS is empty"):
        evaluate_enhanced(sample_treebank("dev"), sample_treebank("dev"))
    with pytest.raises(EvaluationError, match="no enhanced dependencies in the gold trees"):
        evaluate_enhanced([], [])
