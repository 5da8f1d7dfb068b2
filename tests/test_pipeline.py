"""From raw text to trees: what is trained together is what would be trained one by one."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import Parser, Tagger, Tokenizer, Treebank, sample_treebank, train_pipeline
from deptrees.pipeline import SETTINGS
from deptrees.tagger import jackknifed
from deptrees.training import Epoch
from tests.tiers import slow

TRAIN, DEV = list(sample_treebank("train")), list(sample_treebank("dev"))
TEXT = "\n Birds  sing. The old dog\nsleeps!\r\n\r\nShe reads\tbooks."


@pytest.mark.parametrize("count", [10, slow(30)])
def test_what_is_trained_together_is_what_is_trained_one_by_one(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.tagger.hyperparameters._MOST_WEIGHTS", 1 << 12)
    trees, dev = TRAIN[:count], DEV[:5]
    stages: dict[str, list[float]] = {}

    def on_stage(stage: str, epoch: Epoch) -> None:
        stages.setdefault(stage, []).append(epoch.done)

    options: dict[str, Any] = {"seed": 3, "seeds": 2, "epochs": 2, "beam": 2}
    train_pipeline(iter(trees), dev=dev, on_stage=on_stage, **options).save(tmp_path / "together")
    assert list(stages) == ["tokenizer", "tagger", "taggers for the parser's tags"]
    assert all(done == sorted({*done}) and done[-1] == 1 for done in stages.values())
    tokenizer, tagger = Tokenizer.train(trees, dev=dev, seed=3), Tagger.train(trees, dev=dev, seed=3, seeds=2)
    tagged, settings = jackknifed(trees, seed=3), {**SETTINGS, "epochs": 2, "beam": 2, "seeds": 2}
    parser = Parser.train(tagged, dev=list(tagger.tag(dev)), seed=3, **settings)
    attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer).save(tmp_path / "one by one")
    assert (tmp_path / "together").read_bytes() == (tmp_path / "one by one").read_bytes()


def test_text_is_divided_tagged_and_parsed_from_strings_and_files(
    parser: Parser, tagger: Tagger, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    whole = attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer)
    whole.save(tmp_path / "model")
    (tmp_path / "text").write_bytes(TEXT.encode())
    loaded = Parser.load(tmp_path / "model")
    expected = list(parser.parse(tagger.tag(tokenizer.tokenize(TEXT))))
    assert len(expected) == 3
    for text in TEXT, list(TEXT):
        assert list(loaded.parse_text(text)) == expected
    loaded.parse_file(Treebank(tmp_path / "text", tokenizer=loaded.tokenizer), tmp_path / "parsed")
    assert list(Treebank(tmp_path / "parsed")) == expected


def test_texts_that_are_parsed_together_are_parsed_as_one_by_one(
    parser: Parser, tagger: Tagger, tokenizer: Tokenizer
) -> None:
    whole = attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer)
    texts = [TEXT, "", "Birds sing.", " "] * 2
    found = list(whole.parse_texts(iter(texts), threads=2))
    assert found == [list(whole.parse_text(text, document=str(number))) for number, text in enumerate(texts, 1)]
    assert [tree.sent_id for trees in found for tree in trees][2:5] == ["1-3", "3-1", "5-1"]


@pytest.mark.parametrize(
    ("texts", "wrong"),
    [(None, "None is no list of texts"), (TEXT, "is no list of texts"), ([b"Go"], "text is b'Go'")],
)
def test_what_is_no_list_of_texts_is_refused(
    parser: Parser, tagger: Tagger, tokenizer: Tokenizer, texts: Any, wrong: str
) -> None:
    with pytest.raises(TypeError, match=wrong):
        list(attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer).parse_texts(texts))


@pytest.mark.parametrize("text", [None, b"Go"])
def test_what_is_no_text_is_refused(parser: Parser, tokenizer: Tokenizer, text: Any) -> None:
    with pytest.raises(TypeError, match=f"text is {text!r}: give a text, or an iterable of its pieces"):
        attrs.evolve(parser, tokenizer=tokenizer).parse_text(text)


def test_a_treebank_without_its_text_makes_no_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deptrees.tagger.hyperparameters._MOST_WEIGHTS", 1 << 12)
    trees = [attrs.evolve(tree, comments=()) for tree in TRAIN[:5]]
    parser = train_pipeline(trees, seeds=1, epochs=1, beam=1)
    assert (parser.tokenizer, parser.tagger is None) == (None, False)
    with pytest.raises(ValueError, match="has no tokenizer"):
        parser.parse_text(TEXT)


def test_a_pipeline_that_is_trained_on_keeps_its_tokenizer_and_its_tagger(
    parser: Parser, tagger: Tagger, tokenizer: Tokenizer
) -> None:
    start, few = attrs.evolve(parser, tagger=tagger, tokenizer=tokenizer), TRAIN[:5]
    options = parser.settings.arguments() if parser.settings else {}
    trained = train_pipeline(few, **{**options, "epochs": 1}, start=start)
    assert (trained.tokenizer, trained.tagger) == (tokenizer, tagger)
    alone = Parser.train(tagger.tag(few), **{**options, "epochs": 1}, start=parser)
    assert list(trained.parse(DEV)) == list(alone.parse(tagger.tag(DEV)))
