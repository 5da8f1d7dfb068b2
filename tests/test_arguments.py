"""Arguments of the wrong type: the error names what was given, and is short however long that is."""

# mypy: disable-error-code="arg-type, call-arg, list-item, type-var"

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from deptrees import (
    DependencyGraph,
    DependencyTree,
    TransitionEnsemble,
    Treebank,
    compare,
    cross_validate,
    crossing_arcs,
    crossing_interval_degree,
    deprojectivize,
    evaluate,
    from_conllu,
    gap_degree,
    is_projective,
    non_projective_arcs,
    projectivize,
    sample_treebank,
    to_conllu,
    to_conllx,
)
from deptrees.drawing import ArcDiagram, displacy, dot, draw, latex, svg
from deptrees.engine import Trainer, batches
from deptrees.engine.lock_step import Derivations
from deptrees.evaluation import Predictions, Scores, analyze, confidence_intervals, confusions
from deptrees.inference import chart
from deptrees.packages import write_package
from deptrees.parser import Parser
from deptrees.pipeline import pipeline_scores
from deptrees.suspects import corrected
from deptrees.tagger import Tagger
from deptrees.tokenizer import Tokenizer
from deptrees.transition import (
    ArcEager,
    ArcHybrid,
    ArcStandardSwap,
    Constraints,
    EasyFirst,
    HammingLoss,
    IllegalTransition,
    LeftArc,
    ListBasedGraph,
    Oracle,
    OracleNotDefined,
    RightArc,
    Shift,
    SpacyArcEager,
    System,
    UnknownSystem,
    WrongDerivation,
    as_system,
    cost,
    count_derivations,
    derivations,
    describe,
    dynamic_oracle,
    exhaustive_loss,
    exhaustive_oracle,
    is_arc_decomposable,
    loss,
    reachable,
    reachable_heads,
)
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.systems.registry import GRAPH_REGISTRY, REGISTRY
from deptrees.treebanks import Batch
from deptrees.treebanks.columns import Columns
from deptrees.trees import all_trees, projective_trees, random_projective_tree
from deptrees.voting import vote

TREE: Any = DependencyTree([(2, "Birds", "nsubj"), (0, "sing", "root")])
LONG = DependencyTree([(0, "word")] * 20_000)

SYSTEM: Any = ArcHybrid()
CFG: Any = SYSTEM.initial(TREE)
EQUAL: Any = np.zeros((4, 4, 3))
PARSER: Any = Parser.train([TREE], epochs=1)
TOKENIZER: Any = Tokenizer.train(sample_treebank("dev"), epochs=1)

OF_TREES: tuple[Callable[[Any], object], ...] = (
    *(is_projective, crossing_arcs, non_projective_arcs, gap_degree, crossing_interval_degree),
    *(projectivize, deprojectivize),
    *(to_conllu, to_conllx),
)
OF_SYSTEMS: dict[str, Callable[..., object]] = {
    "counts": count_derivations,
    "derivations": lambda *given: next(derivations(*given)),
    "configurations": lambda *given: next(reachable(*given)),
}

GRAPHS: Any = ListBasedGraph()
OF_GOLD: dict[str, Callable[[Any, Any], object]] = {
    "loss": loss,
    "cost": lambda cfg, tree: cost(Shift(), cfg, tree),
    "exhaustive loss": exhaustive_loss,
    "exhaustive oracle": exhaustive_oracle,
    "dynamic oracle": dynamic_oracle,
    "non-deterministic oracle": BY_NAME["nondeterministic"],
    "weighted loss": HammingLoss(),
    "weighted cost": lambda cfg, tree: HammingLoss().cost(Shift(), cfg, tree),
    "weighted oracle": HammingLoss().oracle,
}

OPTIONS = [
    *("templates", "on_error", "update", "restart", "joint", "policy", "constraints", "start", "checkpoint"),
    *("on_epoch", "on_sentence", "on_update"),
]


def train(name: str, given: Any) -> Parser:
    """Train a parser with one option."""
    return Parser.train([TREE], **{name: given})


WRONG: dict[str, tuple[Callable[[Any], object], str]] = {
    "treebank of a parser": (Parser.train, "treebank"),
    "treebank of a tagger": (Tagger.train, "treebank"),
    "treebank of a trainer": (Trainer, "treebank"),
    "treebank of batches": (lambda given: list(batches(given)), "treebank"),
    "development data": (lambda given: Parser.train([TREE], dev=given), "treebank"),
    "system of a parser": (lambda given: Parser.train([TREE], system=given), "system"),
    "system of a chart": (lambda given: chart(given, EQUAL), "system"),
    "system of an oracle": (lambda given: Oracle(given, dynamic_oracle), "system"),
    "oracle of a parser": (lambda given: Parser.train([TREE], oracle=given), "oracle"),
    "function of an oracle": (lambda given: Oracle(ArcEager(), given), "oracle"),
    **{f"{name} of a parser": (partial(train, name), name) for name in OPTIONS},
    "hyperparameters of a tagger": (lambda given: Tagger.train([TREE], hyperparameters=given), "hyperparameters"),
}


@pytest.mark.parametrize("given", [TREE, LONG, "x" * 1_000_000, 7, 2.5, [7] * 100_000], ids=lambda given: type(given))
@pytest.mark.parametrize(("call", "name"), WRONG.values(), ids=WRONG)
def test_an_error_names_what_is_wrong_in_a_few_words(call: Callable[[Any], object], name: str, given: Any) -> None:
    with pytest.raises((TypeError, ValueError, OracleNotDefined), match=name) as caught:
        call(given)
    assert len(str(caught.value)) < 900


EXCHANGED: dict[str, tuple[Callable[[], object], str]] = {
    "cost, transition": (lambda: cost(CFG, Shift(), TREE), "transition is a transition"),
    "cost, configuration": (lambda: cost(Shift(), TREE, CFG), "cfg is a configuration"),
    "cost, tree": (lambda: cost(Shift(), CFG, "Birds sing"), "tree is a tree"),
    "loss": (lambda: loss(TREE, CFG), "cfg is a configuration"),
    "exhaustive oracle": (lambda: exhaustive_oracle(TREE, CFG), "cfg is a configuration"),
    **{f"{name} oracle": (partial(oracle, TREE, CFG), "cfg is a configuration") for name, oracle in BY_NAME.items()},
    **{
        f"{name} of a tree, graph": (partial(call, CFG, TREE.graph), "tree is a tree, not Dep")
        for name, call in OF_GOLD.items()
    },
    **{
        f"{name} of a graph, tree": (partial(call, GRAPHS.initial(TREE), TREE), "tree is a graph, such as tree.graph")
        for name, call in OF_GOLD.items()
    },
    "derivations of a tree, graph": (lambda: count_derivations(ArcStandardSwap(), TREE.graph), "tree is a tree"),
    "oracle, tree": (lambda: dynamic_oracle(CFG, "Birds sing"), "tree is a tree"),
    "derivation of a treebank": (lambda: Oracle(SYSTEM, dynamic_oracle)(sample_treebank()), "tree is one gold tree"),
    "derivation of trees": (lambda: Oracle(SYSTEM, dynamic_oracle)([TREE]), "tree is one gold tree"),
    "derivation of text": (lambda: Oracle(SYSTEM, dynamic_oracle)("ab"), "tree is one gold tree"),
    "derivation of nothing": (lambda: Oracle(SYSTEM, "static")(None), "tree is one gold tree"),
    "scores": (lambda: confidence_intervals(evaluate(TREE, TREE)), "predictions is what Predictions.of"),
    "trees": (lambda: compare([TREE], [TREE]), "predictions is what Predictions.of"),
    "files": (lambda: evaluate("a.conllu", "b.conllu"), "'a.conllu' is not a treebank: .* such as Treebank"),
    "a transition": (lambda: Shift()(TREE), "cfg is a configuration"),
    "exhaustive loss": (lambda: exhaustive_loss(TREE, CFG), "cfg is a configuration"),
    "reachable trees": (lambda: reachable_heads(TREE), "cfg is a configuration"),
    **{f"{call.__name__}, tree": (partial(call, "ab"), "tree is a tree, not 'ab'") for call in OF_TREES},
    **{f"{name}, system": (partial(f, TREE, 2), "system is a transition system") for name, f in OF_SYSTEMS.items()},
    "system of a page": (lambda: describe(TREE), "system is a transition system"),
    "text of a sentence": (lambda: from_conllu(TREE), "text is one sentence in CoNLL-U"),
    "a parser to train": (lambda: cross_validate([TREE], PARSER), "train is a function that trains a parser"),
    "model of a parser": (lambda: Parser(TREE), "model is what a parser has learned"),
    "models that vote": (lambda: TransitionEnsemble([TREE]), "parsers"),
    "tree of a chart": (lambda: chart(SYSTEM, EQUAL).restricted("ab"), "tree is a gold tree"),
    "semiring of a chart": (lambda: chart(SYSTEM, EQUAL).value(5), "semiring is a Semiring"),
    "semiring of beginnings": (lambda: chart(SYSTEM, EQUAL).beginnings(5), "semiring is a Semiring"),
    "a slice": (lambda: TREE[1:3], "position is the number of one word, not slice"),
    "nothing to parse": (lambda: PARSER.parse(None), "None is no list of sentences"),
    "nothing to rank": (lambda: PARSER.k_best(None, 2), "None is no list of sentences"),
    "a text as a sentence": (lambda: [*PARSER.parse(["Birds sing."])], "or give texts to parse_texts"),
    "an option that is not there": (lambda: PARSER.parse([], k_best=3), "there is no option 'k_best': choose one of"),
    "no constraints": (
        lambda: PARSER.parse(TREE, constraints=lambda _: None),
        "constraints is a function that returns",
    ),
    "graphs for a system of trees": (lambda: SYSTEM.obstacle(TREE.graph), "tree is a gold tree"),
    "trees for a system of graphs": (lambda: GRAPHS.obstacle(TREE), "gold is a gold graph, such as tree.graph"),
    "a number of words": (lambda: SYSTEM.structures("ab"), "n is a number of words"),
    "a word for False": (lambda: PARSER.parse(TREE, confidence="no"), "confidence is True or False, not 'no'"),
    "options by place": (lambda: Parser.train([TREE], SYSTEM, HammingLoss(labeled=True)), "ArcHybrid.* has no name"),
    "a loss": (lambda: Parser.train([TREE], oracle=HammingLoss(labeled=True)), "HammingLoss.* is not an oracle"),
    "another word for False": (lambda: Treebank(strict="no"), "strict is True or False, not 'no'"),
    "no name of a file": (lambda: Treebank(["a.conllu"]), "path is the name of a file"),
    "a transition of an oracle": (
        lambda: [*Oracle(SYSTEM, lambda *_: LeftArc)(TREE)],
        "function is one that returns a transition, such as Shift.*, not <class .*LeftArc",
    ),
    "no answer of an oracle": (
        lambda: [*Oracle(SYSTEM, lambda *_: None)(TREE).steps()],
        "function is one .*, not None",
    ),
    "a label": (lambda: RightArc(CFG), r"such as its label, not a configuration: apply RightArc\(\)\(cfg\)"),
    "a configuration": (lambda: Shift().is_possible(LeftArc()), "cfg is a configuration"),
    **{
        f"diagram in {call.__name__}": (partial(call, TREE), "diagrams? is .*tree.diagram")
        for call in (svg, latex, dot, displacy)
    },
    "arcs of a diagram": (lambda: ArcDiagram(["Sing"], [(0, 1)]), "arcs is a list of Arc, not \\(0, 1\\)"),
    "tokens of a tree": (lambda: DependencyTree.from_tokens(["Sing"]), "tokens is a list of tokens, not 'Sing'"),
    "tokens of a graph": (lambda: DependencyGraph.from_tokens(["Sing"]), "tokens is a list of tokens, not 'Sing'"),
    "token list": (lambda: DependencyTree.from_token_list(["Sing"]), "token_list is a TokenList of the package conllu"),
    "attributes": (lambda: analyze(Predictions.of(TREE, TREE), ["label"]), "by is names of attributes with commas"),
    "an attribute": (lambda: confusions(Predictions.of(TREE, TREE), 5), "name is the name of an attribute"),
    "a tree of constraints": (lambda: Constraints.given(CFG), "tree is a tree"),
    "trees that vote": (lambda: vote([["a"]], [1]), "trees is a list of trees"),
    "a card of a package": (lambda: write_package("model", "toy", "toy"), "card is a Card, not 'toy'"),
    "a parser to measure": (lambda: pipeline_scores(TREE, [TREE]), "parser is a parser, not Dep"),
    "a table of suspects": (lambda: next(corrected([TREE], [TREE])), "table is a table of suspects"),
    "the name of a text": (lambda: TOKENIZER.batches("Sing", TREE), "document is the name of a text"),
    "no filter": (lambda: Treebank(keep=7), "keep is a function"),
}


@pytest.mark.parametrize(("call", "message"), EXCHANGED.values(), ids=EXCHANGED)
def test_an_argument_in_the_place_of_another_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


GRAPH: Any = TREE.graph


@pytest.mark.parametrize("given", [-1, 3, 2**64])
@pytest.mark.parametrize(
    "call",
    [TREE.__getitem__, TREE.dependents, TREE.left_dependents, TREE.span, GRAPH.heads_of, partial(GRAPH.labels_of, 1)],
)
def test_the_number_of_no_word_is_told_with_those_that_there_are(call: Callable[[int], object], given: int) -> None:
    with pytest.raises(IndexError, match=r"there is no (word|node) .* 1 to 2, 0 is ROOT"):
        call(given)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a name of two lines": (lambda: TOKENIZER.batches("Sing", "a\nb"), "document is .* line end"),
    "a file that is not valid": (lambda: Batch.read(b"\xff"), "content is .*, which is not valid CoNLL-U"),
    "a head of a drawing": (lambda: draw([3], ["Sing"]), "heads has 3, and there are 1 word"),
    "many places": (lambda: GRAPH.with_places(2**63), "at most 1000 places for empty nodes"),
    "words of other sentences": (
        lambda: Columns.encode([TREE]).same_trees(Columns.encode([LONG])),
        "other has 20,000 words, and these sentences 2",
    ),
    **{
        f"{n} words, {call.__name__}": (partial(call, n), r"n is .*: expected a number of words from 0 to 100")
        for call in (all_trees, projective_trees)
        for n in (-1, 2**63)
    },
    "words of a tree that is drawn": (lambda: random_projective_tree(2**63, 1), "n is .* from 0 to 10,000,000"),
    "weights of votes": (lambda: vote([TREE], [1, 1]), "weights are 2 numbers, and there are 1 tree"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_a_value_that_cannot_be_is_told(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_score_that_there_is_not_is_told_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="there is no score 'uas': choose among UAS, LAS"):
        Scores().share("uas")


@pytest.mark.parametrize("call", OF_GOLD.values(), ids=OF_GOLD)
@pytest.mark.parametrize("system", [SYSTEM, SpacyArcEager(), GRAPHS], ids=repr)
def test_a_tree_of_another_sentence_is_no_gold_tree(system: Any, call: Callable[[Any, Any], object]) -> None:
    start, short = system.initial(TREE), DependencyTree([(0, "Sing")])
    with pytest.raises(ValueError, match="tree has 1 word, but the configuration has 2"):
        call(start, short.graph if system.builds_graphs else short)


@pytest.mark.parametrize(
    "call", [lambda: HammingLoss()(GRAPHS.initial(TREE), TREE.graph), lambda: is_arc_decomposable(GRAPHS, 2)]
)
def test_what_is_told_of_trees_only_is_refused_of_graphs(call: Callable[[], object]) -> None:
    with pytest.raises((OracleNotDefined, UnknownSystem), match=r"ListBasedGraph\(\) builds graphs"):
        call()


@pytest.mark.parametrize("system", [ArcEager(), EasyFirst()], ids=repr)
def test_a_transition_that_there_is_not_is_named(system: System) -> None:
    with pytest.raises(IllegalTransition, match=r"transition 99.* is not possible in derivation 0"):
        Derivations.open([TREE], system).take([99])


@pytest.mark.parametrize("given", ["sing", 7, 2.5, TREE[1]])
def test_words_are_given_in_a_list(given: Any) -> None:
    with pytest.raises(TypeError, match="is not a sentence: put the words"):
        ArcEager().initial(given)


def test_a_class_stands_for_a_system() -> None:
    assert Parser.train([TREE], system=ArcEager, epochs=1).system == as_system("arc-eager")


@pytest.mark.parametrize("system", [ArcEager(), ArcStandardSwap(), EasyFirst()], ids=repr)
def test_an_impossible_transition_is_told_without_all_of_a_long_configuration(system: System) -> None:
    cfg = system.initial(["word"] * 5000)
    impossible = LeftArc(k=9999)
    with pytest.raises(IllegalTransition, match="requires") as caught:
        impossible(cfg)
    assert len(str(caught.value)) < 800


def test_a_wrong_derivation_is_told_without_all_of_a_long_sentence() -> None:
    error = WrongDerivation.of(Oracle(ArcEager(), dynamic_oracle), LONG, [None] * len(LONG))
    assert "word 5 has the head None, not 0, ...;" in str(error)
    assert len(str(error)) < 800


SYSTEMS = [entry.example for entry in (*REGISTRY.values(), *GRAPH_REGISTRY.values())]


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
@pytest.mark.parametrize("given", [None, 7, "ab", [TREE]], ids=repr)
def test_what_is_no_gold_structure_of_a_system_is_named(system: System, given: Any) -> None:
    for call in (system.obstacle, system.gold_heads):
        with pytest.raises(TypeError, match=r"(tree is a gold tree|gold is a gold graph, such as tree.graph), not"):
            call(given)
