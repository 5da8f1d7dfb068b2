"""What parsers promise, whatever model they have."""

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from deptrees import (
    DependencyTree,
    Ensemble,
    Parser,
    Tagger,
    Token,
    Tokenizer,
    TransitionEnsemble,
    Treebank,
    is_projective,
    load_parser,
    sample_treebank,
    to_conllu,
)
from deptrees.engine.searching import RankingModel
from deptrees.evaluation import reliability
from deptrees.features import Templates
from deptrees.parser import NotCalibrated
from deptrees.training.known_tags import KnownTags
from deptrees.transition import BrokenConstraints, Constraints, EasyFirst
from deptrees.treebanks.batch import Batch
from deptrees.treebanks.columns import Columns
from tests.tiers import slow

DEV = list(sample_treebank("dev"))
TEXT = "The dog sleeps. Birds sing in the old garden."
FEW = Templates(["s0.form+b0.form", "s0.upos+b0.upos", "s0.upos", "s0.upos+s0.left.upos", "b0.upos+b1.upos"])
NO_TORCH = pytest.mark.skipif(not find_spec("torch"), reason="neural parsers need PyTorch")
NEURAL = [pytest.param(name, marks=[pytest.mark.slow, pytest.mark.torch, NO_TORCH]) for name in ("BiLSTM", "Words")]


@pytest.fixture(scope="module", params=["Model", slow("StepwiseModel"), "Ensemble", "TransitionEnsemble", *NEURAL])
def any_parser(request: pytest.FixtureRequest, parser: Parser) -> Iterator[Any]:
    if request.param == "Model":
        yield parser
    elif request.param == "StepwiseModel":
        yield Parser.train(list(sample_treebank("train"))[:12], system=EasyFirst(), templates=FEW, epochs=1)
    elif request.param == "Ensemble":
        yield Parser(Ensemble([parser]))
    elif request.param == "TransitionEnsemble":
        yield Parser(TransitionEnsemble([parser]))
    else:
        from deptrees.torch import Architecture, BiLSTM, LabeledTransitions, NeuralParser, Words

        words = Words(form=10, tags=10, character=4, spelling=4)
        architecture = {
            "BiLSTM": Architecture(encoder=BiLSTM(words, hidden=10)),
            "Words": Architecture(encoder=words, decoder=LabeledTransitions(label=10, hidden=20)),
        }[request.param]
        yield NeuralParser.train(sample_treebank("train"), epochs=1, **architecture.arguments())


def test_a_parser_and_its_parts_are_printed_in_a_few_lines(any_parser: Parser, tagger: Tagger) -> None:
    tokenizer = Tokenizer.train(DEV, epochs=1)
    whole = attrs.evolve(any_parser, tagger=tagger, tokenizer=tokenizer)
    columns, model = Columns.encode(DEV), whole.model
    parts = [*attrs.astuple(whole, recurse=False), *attrs.astuple(tokenizer, recurse=False)]
    parts += [*attrs.astuple(tagger, recurse=False), columns, Batch.of(DEV), KnownTags.of(columns, ["feats"])]
    parts += [model.label_heads, getattr(model, "spec", None), getattr(model, "vocabulary", None)]
    parts += [model.ranking, model.ranking.space] if isinstance(model, RankingModel) else []
    assert max(len(repr(part)) for part in [whole, *parts]) < 1000


def test_parsing_gives_trees_in_order_lazily(any_parser: Any) -> None:
    def sentences() -> Any:
        yield ["Birds", "sing"]
        yield [Token("Dogs", upos="NOUN"), Token("sleep", upos="VERB")]
        raise AssertionError("asked for a sentence too many")

    parsed = any_parser.parse(sentences())
    assert [token.form for token in next(parsed)] == ["Birds", "sing"]
    assert [token.upos for token in next(parsed)] == ["NOUN", "VERB"]


def test_root_is_the_label_of_arcs_from_root_and_of_no_others(any_parser: Any) -> None:
    """As in the treebank learned from; the weights of one that learned little want them anywhere."""
    trees = [*any_parser.parse(DEV), *any_parser.parse(DEV, constraints=lambda tree: Constraints(heads={1: 0}))]
    trees += [tree for scored in any_parser.k_best(DEV, 2) for tree, _ in scored]
    for tree in trees:
        assert [head == 0 for head in tree.heads] == [label == "root" for label in tree.labels]


def test_one_tree_in_gives_one_tree_with_all_but_heads_and_labels_kept(any_parser: Any) -> None:
    tree = next(tree for tree in DEV if tree.extra_tokens)
    parsed = any_parser.parse(tree)
    assert parsed.comments == tree.comments
    assert parsed.extra_tokens == tree.extra_tokens
    assert parsed.words == tree.words
    assert None not in parsed.heads
    assert None not in parsed.labels


def test_gold_heads_and_labels_do_not_leak_into_parsing(any_parser: Any) -> None:
    blind = [tree.reattach([None] * len(tree), [None] * len(tree)) for tree in DEV]
    assert list(any_parser.parse(blind)) == list(any_parser.parse(DEV))


def test_an_empty_sentence_is_parsed(any_parser: Any) -> None:
    assert list(any_parser.parse([[]])) == [DependencyTree([])]


def test_a_string_is_not_a_sentence(any_parser: Any) -> None:
    with pytest.raises(TypeError, match="'Birds' is not a sentence"):
        list(any_parser.parse(["Birds", "sing"]))


def test_known_heads_and_labels_are_kept(any_parser: Any) -> None:
    random = Random(1)
    partly = [
        tree.reattach(
            [head if random.random() < 0.3 else None for head in tree.heads],
            [label if random.random() < 0.3 and label in any_parser.labels else None for label in tree.labels],
        )
        for tree in sample_treebank("train")
        if is_projective(tree)
    ]
    for given, parsed in zip(partly, any_parser.parse(partly, constraints=Constraints.given), strict=True):
        assert None not in parsed.heads
        assert all(head in (None, found) for head, found in zip(given.heads, parsed.heads, strict=True))
        assert all(label in (None, found) for label, found in zip(given.labels, parsed.labels, strict=True))


def test_all_kinds_of_constraints_are_met(any_parser: Any) -> None:
    def known(tree: DependencyTree) -> Constraints:
        return Constraints(heads={1: (3, 4)}, directions={3: "right"}, spans=[(2, 4)], labels={5: ("obl", "obj")})

    for parsed in any_parser.parse(DEV, constraints=known):
        assert not known(parsed).broken_by(parsed.heads)
        assert parsed.labels[4] in ("obl", "obj")


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (Constraints(heads={1: 2, 2: 1}), r"'sample-dev-001'.*give up what they say of word [12]"),
        (Constraints(heads={1: 3, 2: 4}), r"'sample-dev-001'.*give up what they say of word [12]"),
        (Constraints(labels={2: "unheard"}), "'sample-dev-001': word 2 cannot have the label 'unheard'"),
    ],
)
def test_constraints_that_cannot_be_met_are_told_with_sentence_and_words(
    any_parser: Any, known: Constraints, message: str
) -> None:
    with pytest.raises(BrokenConstraints, match=message):
        list(any_parser.parse(DEV[:1], constraints=lambda _: known))


def test_constraints_on_one_sentence_are_no_function_that_tells_them(any_parser: Any) -> None:
    for call in any_parser.parse, partial(any_parser.k_best, k=2):
        with pytest.raises(TypeError, match=r"constraints is a function, such as Constraints.given, not Constraints\("):
            call(DEV[:1], constraints=Constraints(heads={1: 2}))


def test_saved_parsers_parse_alike(any_parser: Any, tmp_path: Path) -> None:
    any_parser.save(tmp_path / "model")
    loaded = load_parser(tmp_path / "model")
    assert loaded.settings == any_parser.settings
    assert loaded.system == any_parser.system
    assert list(loaded.parse(DEV)) == list(any_parser.parse(DEV))


def test_every_road_gives_the_same_trees_and_bytes(
    any_parser: Parser, tagger: Tagger, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    whole = attrs.evolve(any_parser, tagger=tagger, tokenizer=tokenizer)
    whole.save(tmp_path / "model")
    for parser in any_parser, load_parser(tmp_path / "model"):
        expected = list(parser.parse(DEV, beam=1))
        text = "".join(map(to_conllu, expected)).encode()
        assert [parser.parse(tree, beam=1) for tree in DEV[:3]] == expected[:3]
        assert list(parser.parse(DEV, beam=1, threads=2)) == expected
        assert list(parser(Batch.of(DEV), beam=1).trees) == expected
        assert [trees[0].tree for trees in parser.k_best(DEV, 1, beam=1)] == expected
        assert parser.parse_file(sample_treebank("dev"), tmp_path / "parsed", beam=1) == (16, 150)
        assert (tmp_path / "parsed").read_bytes() == text
        assert parser.parse_bytes("".join(map(to_conllu, DEV)).encode(), beam=1) == text
    (tmp_path / "text").write_text(TEXT)
    parsed = list(whole.parse_text(TEXT))
    assert len(parsed) == 2
    whole.parse_file(Treebank(tmp_path / "text", tokenizer=tokenizer), tmp_path / "parsed")
    assert list(Treebank(tmp_path / "parsed")) == parsed


def test_every_model_says_how_probable_its_trees_are(any_parser: Parser, tmp_path: Path) -> None:
    with pytest.raises(NotCalibrated, match=r"call parser.calibrate"):
        any_parser.parse(DEV, confidence=True)
    calibrated = any_parser.calibrate(DEV)
    calibrated.save(tmp_path / "model")
    found = list(calibrated.parse(DEV, confidence=True))
    assert [tree.heads for tree in found] == [tree.heads for tree in any_parser.parse(DEV)]
    assert reliability(DEV, found).expected_calibration_error < 0.2
    assert reliability(DEV, found, labeled=True).count == 150
    assert list(load_parser(tmp_path / "model").parse(DEV, confidence=True)) == found


def test_raw_text_is_not_parsed_as_sentences(any_parser: Parser) -> None:
    for call in any_parser.parse, partial(any_parser.k_best, k=2):
        with pytest.raises(TypeError, match=r"'Birds sing.' is no list of sentences: give raw text to parse_text"):
            call("Birds sing.")
    with pytest.raises(ValueError, match="the parser has no tokenizer"):
        any_parser.parse_text("Birds sing.")
