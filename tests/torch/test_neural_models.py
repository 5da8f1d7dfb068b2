"""Neural parsers as models like any other: with a tagger and a tokenizer, in files, on the command line."""

import json
import subprocess
from inspect import signature
from pathlib import Path
from typing import Any

import attrs
import pytest

pytest.importorskip("torch")

from deptrees import (
    Parser,
    Tagger,
    Tokenizer,
    Treebank,
    load_parser,
    sample_treebank,
    to_conllu,
    train_pipeline,
    write_treebank,
)
from deptrees.cli import train
from deptrees.cli.declared import with_options
from deptrees.files.models import ModelError
from deptrees.tagger import jackknifed
from deptrees.torch import Architecture, BiLSTM, NeuralParser, Words
from deptrees.torch.model import NeuralModel
from deptrees.transition import ArcHybrid
from tests.cli.running import run
from tests.cli.test_process import PROGRAM, answers

TRAIN, DEV = list(sample_treebank("train"))[:20], list(sample_treebank("dev"))[:5]
SMALL = Architecture(encoder=BiLSTM(Words(form=10, tags=10, character=4, spelling=4), hidden=10)).arguments()
TEXT = "\n Birds  sing. The old dog\nsleeps!\r\n\r\nShe reads\tbooks."


@pytest.fixture
def whole(tagger: Tagger, tokenizer: Tokenizer) -> Parser:
    """A parser with a tagger and a tokenizer."""
    return attrs.evolve(NeuralParser.train(TRAIN, epochs=1, **SMALL), tagger=tagger, tokenizer=tokenizer)


@pytest.fixture
def model(whole: Parser, tmp_path: Path) -> Path:
    whole.calibrate(DEV).save(tmp_path / "model")
    return tmp_path / "model"


def test_what_is_trained_together_is_what_is_trained_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.tagger.hyperparameters._MOST_WEIGHTS", 1 << 12)
    trees = TRAIN[:10]
    together = train_pipeline(iter(trees), dev=DEV, seed=3, seeds=2, kind=NeuralParser, epochs=2, **SMALL)
    together.save(tmp_path / "together")
    tokenizer, tagger = Tokenizer.train(trees, dev=DEV, seed=3), Tagger.train(trees, dev=DEV, seed=3, seeds=2)
    tagged, dev = jackknifed(trees, seed=3), list(tagger.tag(DEV))
    parser = NeuralParser.train(tagged, dev=dev, epochs=2, seed=3, seeds=2, **SMALL)
    attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer).save(tmp_path / "one by one")
    assert (tmp_path / "together").read_bytes() == (tmp_path / "one by one").read_bytes()


def test_text_is_divided_tagged_and_parsed_from_strings_and_files(whole: Parser, model: Path, tmp_path: Path) -> None:
    assert whole.tagger is not None
    assert whole.tokenizer is not None
    expected = list(attrs.evolve(whole, tagger=None).parse(whole.tagger.tag(whole.tokenizer.tokenize(TEXT))))
    loaded = load_parser(model)
    assert list(loaded.parse_text(TEXT)) == expected
    (tmp_path / "text").write_bytes(TEXT.encode())
    counts = loaded.parse_file(Treebank(tmp_path / "text", tokenizer=loaded.tokenizer), tmp_path / "parsed")
    assert counts == (len(expected), sum(map(len, expected)))
    assert list(Treebank(tmp_path / "parsed")) == expected
    write_treebank(tmp_path / "words", whole.tokenizer.tokenize(TEXT))
    assert loaded.parse_bytes((tmp_path / "words").read_bytes()) == (tmp_path / "parsed").read_bytes()


def test_probabilities_are_those_of_tagged_words(whole: Parser) -> None:
    assert whole.tagger is not None
    without = attrs.evolve(whole, tagger=None)
    assert whole.calibrate(DEV).calibration == without.calibrate(whole.tagger.tag(DEV)).calibration


def test_a_file_is_loaded_as_what_it_is(model: Path, parser: Parser, tagger: Tagger, tmp_path: Path) -> None:
    assert isinstance(load_parser(model).model, NeuralModel)
    assert Tagger.load(model).columns == tagger.columns
    parser.save(tmp_path / "linear")
    assert not isinstance(load_parser(tmp_path / "linear").model, NeuralModel)
    assert isinstance(Parser.load(model).model, NeuralModel)
    tagger.save(tmp_path / "tagger")
    for path, load in (tmp_path / "linear", NeuralParser.load), (tmp_path / "tagger", load_parser):
        with pytest.raises(ModelError, match="not a model of this version"):
            load(path)


def test_commands_read_a_neural_model(whole: Parser, model: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(TEXT.encode())
    write_treebank(tmp_path / "words", DEV)
    parsed = run("parse", model, "--text", tmp_path / "text")
    assert list(Treebank.from_bytes(parsed.stdout.encode())) == list(whole.parse_text(TEXT))
    parsed = run("parse", model, tmp_path / "words", "--confidence", "--constraints", "given")
    trees = Treebank.from_bytes(parsed.stdout_bytes)
    assert all(tree.heads == gold.heads for tree, gold in zip(trees, DEV, strict=True))
    assert "HeadConfidence" in parsed.stdout
    (tmp_path / "folder").mkdir()
    assert run("parse", model, tmp_path / "words", "--workers", 1, "-o", tmp_path / "folder").exit_code == 0
    assert list(Treebank(tmp_path / "folder" / "words")) == list(whole.parse(DEV))
    assert run("tag", model, tmp_path / "words").exit_code == 0
    parsed = run("parse", model, tmp_path / "words", "--beam", 4)
    assert list(Treebank.from_bytes(parsed.stdout_bytes)) == list(whole.parse(DEV, beam=4))
    parsed = run("parse", model, tmp_path / "words", "--k-best", 2)
    found = [tree.heads for tree in Treebank.from_bytes(parsed.stdout_bytes)]
    assert found == [tree.heads for best in whole.k_best(DEV, 2) for tree, _ in best]


def test_each_sentence_is_answered_before_the_next_one_is_asked(model: Path, tmp_path: Path) -> None:
    write_treebank(tmp_path / "words", DEV)
    expected = run("parse", model, tmp_path / "words").stdout
    with subprocess.Popen([*PROGRAM, "parse", model, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert "".join(answers(process, [*map(to_conllu, DEV)])) == expected
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["parse", "{}", "{words}", "--beam", 2, "--confidence"], "without a beam only"),
        (["explore", "{words}", "--model", "{}"], "choose a parser whose model is linear"),
        (["train", "{words}", "-o", "new", "--start", "{}"], "training continues from linear parsers only"),
    ],
)
def test_what_a_neural_model_cannot_do_is_told(command: list[Any], message: str, model: Path, tmp_path: Path) -> None:
    write_treebank(tmp_path / "words", DEV)
    wrong = run(*[str(part).format(model, words=tmp_path / "words") for part in command])
    assert wrong.exit_code not in (0, 70)
    assert message in wrong.output


def test_words_without_tags_are_warned_of(tmp_path: Path) -> None:
    NeuralParser.train(TRAIN, epochs=1, **SMALL).save(tmp_path / "model")
    (tmp_path / "words").write_text("Birds sing\n")
    assert "looks at UPOS" in run("parse", tmp_path / "model", "--words", tmp_path / "words").stderr


@pytest.mark.parametrize(("pipeline", "seeds"), [(False, None), (False, 2), (True, 1)])
def test_what_is_not_given_is_as_in_the_library(
    pipeline: bool, seeds: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.tagger.hyperparameters._MOST_WEIGHTS", 1 << 12)
    write_treebank(tmp_path / "trees", TRAIN)
    options = ["--neural", "--epochs", 1, *(["--pipeline"] if pipeline else []), *(["--seeds", seeds] if seeds else [])]
    trained = run("train", tmp_path / "trees", "-o", tmp_path / "command", "--json", *options)
    assert [json.loads(line)["epoch"] for line in trained.stdout.splitlines()] == [1] * (seeds or 1)
    if pipeline:
        train_pipeline(TRAIN, kind=NeuralParser, seeds=seeds, epochs=1).save(tmp_path / "library")
    else:
        NeuralParser.train(TRAIN, epochs=1, seeds=seeds or 1).save(tmp_path / "library")
    assert (tmp_path / "command").read_bytes() == (tmp_path / "library").read_bytes()


def test_system_oracle_and_vectors_are_chosen(tmp_path: Path) -> None:
    write_treebank(tmp_path / "trees", TRAIN)
    (tmp_path / "vectors").write_text("dog 1 2\npuppy 1 2\n")
    options = ["--root", "last", "--oracle", "static", "--embeddings", tmp_path / "vectors", "--epochs", 1]
    trained = run("train", tmp_path / "trees", "-o", tmp_path / "model", "--neural", *options)
    assert trained.exit_code == 0, trained.output
    parser = NeuralParser.load(tmp_path / "model")
    assert str(parser.system) == str(ArcHybrid(root="last", single_root=True))
    assert parser.settings is not None
    assert (parser.settings.oracle, parser.model.vocabulary.embeddings.words) == ("static", ("dog", "puppy"))


@pytest.mark.parametrize(
    "option",
    [
        *(["--second-best", 0.5], ["--sample", 1], ["--on-error", "early"], ["--update", "early"]),
        *(["--no-restart"], ["--time-limit", 9], ["--subsample", 0.5], ["--joint-labels"], ["--templates", "FAST"]),
        *(["--constraints", "given"], ["--start", "model"]),
    ],
    ids=lambda option: option[0],
)
def test_options_without_a_meaning_are_told(option: list[Any], parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "linear")
    given = [tmp_path / "linear" if value == "model" else value for value in option]
    wrong = run("train", tmp_path / "trees", "-o", tmp_path / "model", "--neural", *given)
    assert wrong.exit_code == 2
    assert "means nothing to a neural parser" in wrong.output


def test_all_options_are_known() -> None:
    parameters = signature(with_options(train.train)).parameters
    python_only = {"encoder", "decoder", "learning", "device", "on_epoch"}
    assert {*signature(NeuralParser.train).parameters} - python_only <= {*parameters}
