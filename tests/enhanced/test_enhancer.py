"""The enhancer: what it learns, what it writes, and by which roads."""

from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deptrees import (
    DependencyTree,
    Ensemble,
    Parser,
    Token,
    Treebank,
    all_trees,
    load_parser,
    train_pipeline,
    write_treebank,
)
from deptrees.cli import app
from deptrees.enhanced import Enhancer
from deptrees.enhanced.labels import LabelPattern, Labels
from deptrees.enhanced.markers import Markers
from deptrees.enhanced.paths import BASIC, DOWN, UP, Forest, Paths
from deptrees.evaluation import evaluate_enhanced
from deptrees.file_parsing import FileParsing
from deptrees.files.sparse import SparseArray
from deptrees.parser import learned_enhancer
from deptrees.training.records import TrainingError
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from tests.gold_trees import TREEBANKS, needs_treebanks

LABELS = ("nsubj", "obj", "conj", "xcomp")


def control(verb: str, subject: str, below: str) -> DependencyTree:
    words = [(subject, 2, "nsubj"), (verb, 0, "root"), ("to", 4, "mark"), (below, 2, "xcomp"), (".", 2, "punct")]
    deps = ["2:nsubj|4:nsubj:xsubj", "0:root", "4:mark", "2:xcomp", "2:punct"]
    return DependencyTree([Token(*word, deps=arcs, lemma=word[0]) for word, arcs in zip(words, deps, strict=True)])


def coordination(first: str, second: str, third: str, conjunction: str) -> DependencyTree:
    words = [(first, 0, "root"), (",", 3, "punct"), (second, 1, "conj"), (conjunction, 5, "cc"), (third, 1, "conj")]
    label = f"conj:{'and' if conjunction == '&' else conjunction}"
    deps = ["0:root", "3:punct", f"0:root|1:{label}", "5:cc", f"0:root|1:{label}"]
    return DependencyTree([Token(*word, deps=arcs, lemma=word[0]) for word, arcs in zip(words, deps, strict=True)])


def prepositions(*words: str) -> DependencyTree:
    noun = len(words) + 2
    tokens = [Token("go", 0, "root", deps="0:root"), *[Token(it, noun, "case", deps=f"{noun}:case") for it in words]]
    return DependencyTree([*tokens, Token("them", 1, "obl", deps=f"1:obl:{words[-1]}")])


TRAIN = [
    *[control(verb, who, below) for verb in ("want", "try") for who in ("I", "she") for below in ("sing", "go")],
    *[coordination(*words, it) for it in ("and", "or", "&") for words in (("tea", "milk", "ale"), ("a", "b", "c"))],
]


@pytest.fixture(scope="module")
def enhancer() -> Enhancer:
    return Enhancer.train(TRAIN)


def plain(trees: Sequence[DependencyTree]) -> list[DependencyTree]:
    return [attrs.evolve(tree, tokens=[attrs.evolve(token, deps=None) for token in tree]) for tree in trees]


def test_it_finds_the_graphs_that_it_has_learned_and_new_ones(enhancer: Enhancer) -> None:
    assert enhancer(Batch.of(plain(TRAIN))).trees == tuple(TRAIN)
    new = [control("try", "they", "dance"), coordination("hats", "coats", "shoes", "&")]
    assert enhancer(Batch.of(plain(new))).trees == tuple(new)


def test_wrong_trees_teach_it_which_arcs_to_add_and_not_to_mend_the_tree() -> None:
    wrong = [tree.reattach([*tree.heads[:-1], 4], [*tree.labels[:-1], "obj"]) for tree in TRAIN[:8]]
    repeated = TRAIN[:8] * 5
    graph = Enhancer.train(repeated, parsed=wrong * 5)(Batch.of(plain(wrong))).trees[0].graph
    assert graph.arcs == (*[arc for arc in TRAIN[0].graph.arcs if arc[1] != 5], (4, 5, "obj"))
    # Where wrong trees show that an arc beside the tree is often wrong, none is added.
    alone = [
        attrs.evolve(tree, tokens=[attrs.evolve(it, deps=f"{it.head}:{it.label}") for it in tree]) for tree in wrong
    ]
    cautious = Enhancer.train([*repeated, *alone * 20], parsed=[*wrong * 5, *wrong * 20])
    assert "nsubj:xsubj" not in {label for _, _, label in cautious(Batch.of(plain(wrong))).trees[0].graph.arcs}


def test_of_several_prepositions_the_last_is_in_labels_whatever_the_words() -> None:
    train = [prepositions(*words.split()) for words in ("with", "from", "to", "along with", "away from", "up to")]
    new = [prepositions("of"), prepositions("out", "of")]
    assert Enhancer.train(train * 5)(Batch.of(plain(new))).trees == tuple(new)


def test_a_parser_jackknifes_what_its_enhancer_learns_from() -> None:
    assert learned_enhancer(TRAIN)(Batch.of(plain(TRAIN))).trees == tuple(TRAIN)
    assert learned_enhancer(TRAIN[:1]).kinds == (BASIC,)  # which nobody else can parse


@given(st.integers(1, 4), st.data())
def test_paths_are_all_those_that_a_search_finds(n: int, data: st.DataObject) -> None:
    shapes = [*all_trees(n)]
    trees = [
        tree.reattach(tree.heads, [data.draw(st.sampled_from(LABELS)) for _ in tree])
        for tree in data.draw(st.lists(st.sampled_from(shapes), min_size=1, max_size=3))
    ]
    forest = Forest(Columns.encode(trees))
    texts = forest.columns.vocabularies["deprel"]
    pairs = [(d, h) for d in range(forest.n_words) for h in range(forest.n_words + len(trees)) if d != h]
    expected = {}
    for d, h in pairs:
        if (path := forest.path(d, h)) is not None:
            up, down = ([texts[forest.columns.labels[word]] for word in words] for words in path)
            basic = (len(up), len(down)) == (1, 0)
            expected[d, h] = BASIC if basic else (tuple(up), tuple(down)), [*path[0], *reversed(path[1])]
    kinds = [BASIC, *sorted({kind for kind, _ in expected.values()} - {BASIC})]
    found = Paths.find(forest, kinds)
    words = [[word for word in row if word >= 0] for row in found.words.tolist()]
    pairs = [*zip(found.dependents.tolist(), found.heads.tolist(), strict=True)]
    assert len({*pairs}) == len(pairs)
    of_kinds = [kinds[kind] for kind in found.kinds.tolist()]
    assert dict(zip(pairs, zip(of_kinds, words, strict=True), strict=True)) == expected


def test_paths_are_those_in_the_tree_up_to_the_longest() -> None:
    chain = DependencyTree([(word - 1, "w") for word in range(1, 9)])
    forest = Forest(Columns.encode([chain]))
    for d, h in [(d, h) for d in range(8) for h in range(8) if d != h]:
        path = forest.path(d, h)
        assert (path is not None) == (d - h <= UP if d > h else h - d <= DOWN)
        assert path is None or len(path[0]) + len(path[1]) == abs(d - h)


def test_patterns_make_the_labels_that_they_fit(enhancer: Enhancer) -> None:
    markers = Markers(Forest(Columns.encode(TRAIN)))
    paths = Paths.find(markers.forest, enhancer.kinds)
    labels = Labels(markers, paths, {"&": "and"})
    for path, head in enumerate(paths.heads.tolist()):
        for label in ("conj:and", "conj:or", "nsubj", "root", "xcomp:to"):
            for pattern, _ in labels.fitting(path, label):
                from_root = head >= markers.forest.n_words
                assert labels.possible([pattern])[path] == (from_root == (label == "root"))
                numbers, texts = labels.texts([pattern], np.where(np.arange(len(paths.kinds)) == path, 0, -1))
                assert texts[numbers[path]] == label


@given(st.integers(1, 5), st.integers(0, 1 << 32), st.data())
def test_whatever_it_has_learned_its_graphs_are_valid(n: int, seed: int, data: st.DataObject) -> None:
    enhancer = Enhancer.train(TRAIN)
    random = np.random.default_rng(seed)
    weights = SparseArray.of(random.normal(size=(1 << 9, len(enhancer.patterns) + 1)).astype(np.float32))
    table = np.zeros(enhancer.weights.shape, np.float32)
    table[: 1 << 9] = weights.dense()
    table[:, 0] -= random.choice([-1, 0, 1])
    random_one = attrs.evolve(enhancer, weights=SparseArray.of(np.roll(table, seed % len(table), 0)))
    heads = data.draw(st.sampled_from([tree.heads for tree in all_trees(min(n, 4))]))
    labels = [data.draw(st.sampled_from(LABELS)) if head else "root" for head in heads]
    tree = DependencyTree([Token(form, head, label) for form, head, label in zip("abcde", heads, labels, strict=False)])
    [found] = random_one(Batch.of([tree])).trees
    assert not [*found.graph.faults()]
    assert (found.heads, found.labels) == (tree.heads, tree.labels)
    for arc in found.graph.arcs:
        assert (arc[0] == 0) == (arc[2] == "root")


def test_every_road_gives_the_same(enhancer: Enhancer, tmp_path: Path) -> None:
    parser = Parser.train(TRAIN, epochs=3, enhanced=True)
    write_treebank(tmp_path / "in.conllu", plain(TRAIN))
    trees = list(parser.parse(TRAIN))
    assert all(token.deps for tree in trees for token in tree)
    parser.parse_file(tmp_path / "in.conllu", tmp_path / "out.conllu")
    assert list(Treebank(tmp_path / "out.conllu")) == trees
    for other in (parser, Parser(Ensemble([parser, Parser.train(TRAIN, epochs=1)]))):
        other.save(tmp_path / "model")
        loaded = load_parser(tmp_path / "model")
        assert list(loaded.parse(TRAIN)) == list(other.parse(TRAIN))
        assert loaded.enhancer is not None
    assert [parser.parse(tree) for tree in TRAIN] == trees
    ranked = [*parser.k_best(TRAIN, 3)]
    assert [found[0].tree for found in ranked] == trees
    assert not [fault for found in ranked for tree, _ in found for fault in tree.graph.faults()]
    best = chain.from_iterable(batch.trees for batch in FileParsing(k_best=3)(parser, [Batch.of(TRAIN)]))
    assert [[token.deps for token in tree] for tree in best if "# rank = 1" in tree.comments] == [
        [token.deps for token in tree] for tree in trees
    ]


def test_a_pipeline_fills_in_what_it_has_divided_and_tagged_itself() -> None:
    texts = [
        attrs.evolve(
            tree,
            tokens=[attrs.evolve(token, upos=token.label) for token in tree],
            comments=[f"# text = {' '.join([token.form for token in tree])}"],
        )
        for tree in TRAIN
    ]
    pipeline = train_pipeline(texts, enhanced=True, seeds=1, epochs=2, beam=1)
    for tree in pipeline.parse_text("I want to sing . she try to go ."):
        assert not [*tree.graph.faults()]
        assert all(token.deps for token in tree)


def test_commands_train_and_fill_in(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    write_treebank(tmp_path / "train.conllu", TRAIN)
    write_treebank(tmp_path / "in.conllu", TRAIN)
    model, out = str(tmp_path / "model"), str(tmp_path / "out.conllu")
    trained = CliRunner().invoke(app, ["train", str(tmp_path / "train.conllu"), "--enhanced", "-o", model])
    assert trained.exit_code == 0, trained.output
    parsed = CliRunner().invoke(app, ["parse", model, str(tmp_path / "in.conllu"), "--complete", "-o", out])
    assert parsed.exit_code == 0
    assert "left out" not in parsed.output
    assert all(token.deps for tree in Treebank(out) for token in tree)


def test_parsed_sentences_are_those_of_the_gold_trees() -> None:
    rows = Token("Birds", 2, "nsubj", deps="2:nsubj"), Token("sing", 0, "root", deps="0:root")
    tree = DependencyTree(rows)
    with pytest.raises(ValueError, match="there are 2 gold trees and 1 parsed ones: give as many, or none"):
        Enhancer.train([tree, tree], parsed=[tree])


def test_what_has_no_enhanced_dependencies_teaches_none() -> None:
    with pytest.raises(TrainingError, match="no word has enhanced dependencies, in DEPS"):
        Parser.train(plain(TRAIN), enhanced=True)
    with pytest.raises(TypeError, match="enhanced dependencies are learned from trees"):
        Parser.train(Columns.encode(TRAIN), enhanced=True)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"copied": None}, "says nothing, or too much"),
        ({"copied": 0, "text": "nsubj"}, "says nothing, or too much"),
        ({"copied": 0, "marker": "case"}, "says nothing, or too much"),
        ({"text": "Subject"}, "is no relation"),
        ({"copied": UP + DOWN}, "must be < 5"),
    ],
)
def test_patterns_that_say_nothing_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LabelPattern(**fields)  # type: ignore[arg-type]


@needs_treebanks
def test_graphs_of_a_real_treebank() -> None:
    assert TREEBANKS is not None
    enhancer = Enhancer.train(islice(Treebank(TREEBANKS / "en_ewt-train.conllu"), 2000))
    gold = list(Treebank(TREEBANKS / "en_ewt-test.conllu"))
    scores = evaluate_enhanced(gold, enhancer(Batch.of(plain(gold))).trees)
    assert scores.row("ELAS")["F1"] > 0.98
