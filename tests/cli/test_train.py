"""The command ``train``."""

import itertools
import json
import re
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import attrs
import pytest

from deptrees import (
    DependencyTree,
    Ensemble,
    Treebank,
    cross_validate,
    features,
    sample_treebank,
    to_conllu,
    train_pipeline,
)
from deptrees.cli import train
from deptrees.cli.declared import with_options
from deptrees.engine.trainer import AnyTrainer
from deptrees.features import DELEXICALIZED, TAGGED, WITH_FEATS, ZHANG_NIVRE, ready_made
from deptrees.messages import written
from deptrees.parser import Epoch, Parser
from deptrees.tagger import Tagger
from deptrees.training import LinearOptions
from deptrees.transition import ArcEager, ArcEagerPartial, ArcHybrid, Policy, Sample, SecondBest
from tests.cli.running import GOOD, TREES, run


def test_train_parse_evaluate(sample: Path, tmp_path: Path) -> None:
    model, parsed = tmp_path / "model", tmp_path / "parsed.conllu"
    trained = run("train", sample, "--dev", sample, "--output", model, "--epochs", 1, "--seed", 2)
    assert trained.exit_code == 0, trained.output
    assert "epoch 1: " in trained.stderr
    assert "dev UAS" in trained.stderr
    assert "parser, seed 2: 100% done" in trained.stderr
    assert run("parse", model, sample, "--output", parsed).exit_code == 0
    evaluated = run("evaluate", sample, parsed)
    assert evaluated.exit_code == 0
    assert [line.split()[0] for line in evaluated.stdout.splitlines()[2:]] == ["UAS", "LAS", "labels", "exact"]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("system", "times"), [("easy-first", 1), ("arc-hybrid", 0)])
def test_what_has_no_compiled_form_is_said_in_a_line(system: str, times: int, tmp_path: Path) -> None:
    trained = run("train", "-", "--output", tmp_path / "model", "--system", system, "--epochs", 1, input=GOOD)
    assert trained.stderr.count("warning: EasyFirst() has no compiled form: this runs step by step") == times


def test_labels_are_chosen_with_transitions_if_that_is_asked_for(tmp_path: Path) -> None:
    for name, options in ("joint", ["--joint-labels"]), ("apart", []):
        assert run("train", "-", "--output", tmp_path / name, *options, input=GOOD).exit_code == 0
    specs = [Parser.load(tmp_path / name).model.spec for name in ("joint", "apart")]
    assert [spec.joint for spec in specs] == [True, False]


def test_how_to_learn_is_chosen(tmp_path: Path) -> None:
    options = {
        "--exploration": "0,0.3,0.6",
        "--beam": 2,
        "--update": "max_violation_from_error",
        "--time-limit": 4,
        "--subsample": 0.5,
        "--templates": "DELEXICALIZED",
    }
    given = [*itertools.chain.from_iterable(options.items()), "--no-restart"]
    assert run("train", "-", "--output", tmp_path / "model", *given, input=GOOD).exit_code == 0
    settings = Parser.load(tmp_path / "model").settings
    assert isinstance(settings, LinearOptions)
    assert settings.exploration == (0, 0.3, 0.6)
    assert (settings.update, settings.time_limit, settings.restart) == ("max_violation_from_error", 4, False)
    assert (settings.subsample, settings.templates) == (0.5, DELEXICALIZED)
    assert run("train", "-", "--output", tmp_path / "model", "--on-error", "aggressive", input=GOOD).exit_code == 0
    settings = Parser.load(tmp_path / "model").settings
    assert isinstance(settings, LinearOptions)
    assert settings.on_error == "aggressive"


@pytest.mark.parametrize(
    ("options", "cure"),
    [
        (["--exploration", "0,often"], "give numbers from 0 to 1"),
        (["--exploration", "0.5", "--oracle", "static"], "take the dynamic oracle"),
        (["--system", "arc-eager", "--empty-means-unknown"], "it has root and single_root"),
        (["--empty-means-unknown"], "ArcEager has no option empty_means_unknown"),
        (["--system", "list-based-non-projective", "--single-root"], "has no option single_root; it has none"),
        (["--system", "two-planar", "--single-root"], "has no option single_root; it has root"),
        (["--start", "START", "--root", "first", "--single-root"], "it means nothing with --start"),
        (["--start", "START", "--empty-means-unknown"], "it means nothing with --start"),
    ],
)
def test_what_cannot_be_or_means_nothing_is_told(options: list[str], cure: str, tmp_path: Path) -> None:
    if "START" in options:
        assert run("train", "-", "--output", tmp_path / "start", "--epochs", 1, input=GOOD).exit_code == 0
    given = [tmp_path / "start" if option == "START" else option for option in options]
    wrong = run("train", "-", "--output", tmp_path / "model", *given, input=GOOD)
    assert wrong.exit_code == 2
    assert cure in " ".join(wrong.output.split())
    assert "__init__" not in wrong.output


@pytest.mark.parametrize(
    ("option", "policy"), [(["--second-best", 0.1], SecondBest(k=1, p=0.1)), (["--sample", 2], Sample(k=1, alpha=2.0))]
)
def test_a_policy_says_how_training_goes_on(option: list[Any], policy: Policy, tmp_path: Path) -> None:
    how = ["train", "-", "--output", tmp_path / "model", *option]
    assert run(*how, "--epochs", 2, input=GOOD).exit_code == 0
    settings = Parser.load(tmp_path / "model").settings
    assert isinstance(settings, LinearOptions)
    assert settings.policy == written(policy)
    for more, message in (["--beam", 2], "with a beam"), (["--second-best", 1, "--sample", 1], "in one way"):
        wrong = run(*how, *more, input=GOOD)
        assert wrong.exit_code != 0
        assert message in wrong.output


def test_trees_to_learn_from_are_chosen_by_their_shape(tmp_path: Path) -> None:
    trees = [
        DependencyTree([(0, "a"), (0, "b")]),
        DependencyTree([(3, "a"), (4, "b"), (0, "c"), (3, "d")]),
        DependencyTree([(2, "a"), (0, "b")]),
    ]
    text = "".join(map(to_conllu, trees))
    for options, sentences in (
        ([], 3),
        (["--only-projective"], 2),
        (["--only-single-root"], 2),
        (["--only-projective", "--only-single-root"], 1),
    ):
        given = ["--system", "arc-eager", "--epochs", 1, *options]
        trained = run("train", "-", "--output", tmp_path / "model", *given, input=text)
        assert f"in {sentences} sentences" in trained.stderr


def test_an_empty_head_is_meant_or_unknown(tmp_path: Path) -> None:
    text = to_conllu(DependencyTree([(2, "a"), (None, "b"), (2, "c")]))
    for options, unknown in ([], False), (["--empty-means-unknown"], True):
        given = ["--system", "arc-eager-partial", "--epochs", 1, *options]
        assert run("train", "-", "--output", tmp_path / "model", *given, input=text).exit_code == 0
        assert Parser.load(tmp_path / "model").system == ArcEagerPartial(empty_means_unknown=unknown)


def test_parsers_are_cross_validated(sample: Path, tmp_path: Path) -> None:
    trained = run("train", sample, "--output", tmp_path / "model", "--folds", 2, "--epochs", 1, "--seed", 3)
    scores = list(cross_validate(Treebank(sample), partial(Parser.train, epochs=1, seed=3), k=2, seed=3))
    lines = trained.stderr.splitlines()
    named = {"part 1": scores[0], "part 2": scores[1], "all parts": scores[0] + scores[1]}
    for line, (name, found) in zip(lines, named.items(), strict=False):
        assert line == f"{name}: UAS {found.uas:.2%}, LAS {found.las:.2%}"
    assert lines[3].startswith("epoch 1: ")
    assert "in 20 sentences" in lines[3]


def test_cross_validation_goes_on_from_its_checkpoints(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["train", sample, "--folds", 2, "--epochs", 1, "--checkpoint", tmp_path / "c", "--resume"]
    first = run(*options, "--output", tmp_path / "first")
    assert {path.name for path in tmp_path.glob("c*")} == {"c", "c.part1", "c.part2"}
    monkeypatch.setattr("deptrees.engine.trainer.Trainer._learn", None)  # no part is learned from again
    second = run(*options, "--output", tmp_path / "second")
    assert second.exit_code == 0, second.output
    assert second.stderr.splitlines()[:3] == first.stderr.splitlines()[:3]
    assert (tmp_path / "second").read_bytes() == (tmp_path / "first").read_bytes()


def test_training_goes_on_from_a_model(sample: Path, tmp_path: Path) -> None:
    options = ["--system", "arc-hybrid", "--templates", "delexicalized", "--epochs", 1]
    assert run("train", sample, *options, "--output", tmp_path / "first").exit_code == 0
    options = ["--start", tmp_path / "first", "--templates", "zhang_nivre", "--epochs", 1]
    trained = run("train", sample, *options, "--output", tmp_path / "second")
    assert trained.exit_code == 0, trained.output
    parser = Parser.load(tmp_path / "second")
    assert (parser.system, parser.model.spec.templates) == (ArcHybrid(single_root=True), ZHANG_NIVRE)
    wrong = run("train", sample, "--start", tmp_path / "second", "--output", tmp_path / "third")
    assert wrong.exit_code != 0
    assert "include all of its templates" in wrong.output


def test_a_pipeline_loses_nothing_when_training_goes_on(sample: Path, tmp_path: Path, tagger: Tagger) -> None:
    begun = attrs.evolve(Parser.train(sample_treebank("train"), epochs=1, templates=TAGGED), tagger=tagger)
    begun.save(tmp_path / "begun")
    options = ["--start", tmp_path / "begun", "--epochs", 1, "--output", tmp_path / "model"]
    refused = run("train", sample, *options)
    assert refused.exit_code == 2
    assert "comes with a tokenizer or a tagger" in refused.output
    options += ["--pipeline", "--beam", 1, "--no-joint-labels", "--seeds", 1]
    trained = run("train", sample, *options)
    assert trained.exit_code == 0, trained.output
    kept = Parser.load(tmp_path / "model").tagger
    assert kept is not None
    assert list(kept.tag(TREES)) == list(tagger.tag(TREES))


def test_training_does_not_go_on_from_votes(tmp_path: Path) -> None:
    Parser(Ensemble([Parser.train(sample_treebank("train"), epochs=1)])).save(tmp_path / "votes")
    wrong = run("train", "-", "--start", tmp_path / "votes", "--output", tmp_path / "model", input=GOOD)
    assert "train those that vote in this one" in wrong.stderr


def test_embeddings_become_clusters(sample: Path, tmp_path: Path) -> None:
    model, vectors = tmp_path / "model", tmp_path / "vectors.txt"
    vectors.write_text("dog 0.9 0.1\nwug 0.9 0.1\nsleeps 0.1 0.9\n", encoding="utf-8")
    options = ["--templates", "with_feats", "--embeddings", vectors]
    trained = run("train", sample, *options, "--epochs", 1, "--output", model)
    assert trained.exit_code == 0, trained.output
    templates = Parser.load(model).model.spec.templates
    assert templates.clusters.keys() == {"dog", "wug", "sleeps"}
    assert list(templates) == list(WITH_FEATS.with_clusters(templates.clusters))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1 2\nb 3\n", "vectors.txt, line 2: expected a word and 2 numbers"),
        ("0 2\n", "vectors.txt: there is no word in it"),
        (None, "vectors.txt"),
    ],
)
def test_embeddings_that_cannot_be_read_are_an_error_in_one_line(
    sample: Path, tmp_path: Path, text: str | None, message: str
) -> None:
    vectors = tmp_path / "vectors.txt"
    if text is not None:
        vectors.write_text(text, encoding="utf-8")
    result = run("train", sample, "--embeddings", vectors, "--output", tmp_path / "model")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert message in result.stderr


def test_systems_of_every_shape_are_trained(sample: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.conllu"
    few.write_text("".join(to_conllu(tree) for tree in [*sample_treebank("train")][:4]), encoding="utf-8")
    trained = run("train", few, "--system", "EasyFirst", "--epochs", 1, "--output", tmp_path / "model")
    assert trained.exit_code == 0, trained.output
    assert run("parse", tmp_path / "model", few).exit_code == 0


def test_a_system_that_is_not_named_is_the_default_one(tmp_path: Path) -> None:
    for options, system in (
        ([], ArcEager(root="last", single_root=True)),
        (["--system", "arc-eager"], ArcEager(root="last", single_root=True)),
        (["--root", "first"], ArcEager(root="first", single_root=True)),
        (["--system", "arc-eager", "--no-single-root"], ArcEager(root="last")),
        (["--system", "arc-eager", "--root", "none"], ArcEager(root="none")),
    ):
        assert run("train", "-", *options, "--epochs", 1, "--output", tmp_path / "model", input=GOOD).exit_code == 0
        assert Parser.load(tmp_path / "model").system == system


@pytest.mark.parametrize("name", ready_made.__all__)
def test_templates_are_chosen_by_name(tmp_path: Path, name: str) -> None:
    trained = run("train", "-", "--templates", name, "--epochs", 1, "--output", tmp_path / "model", input=GOOD)
    assert trained.exit_code == 0, trained.output
    assert Parser.load(tmp_path / "model").model.spec.templates == getattr(features, name)


def test_templates_of_one_s_own_are_in_a_file(tmp_path: Path) -> None:
    own = tmp_path / "own.templates"
    own.write_text("s0.form b0.form\ns0.form+b0.misc.KnownHead\n", encoding="utf-8")
    options = ["train", "-", "--epochs", 1, "--output", tmp_path / "model", "--constraints", "given", "--templates"]
    assert run(*options, own, input=GOOD).exit_code == 0
    assert [*map(str, Parser.load(tmp_path / "model").model.spec.templates)] == own.read_text(encoding="utf-8").split()
    wrong = run(*options, tmp_path / "none", input=GOOD)
    assert wrong.exit_code == 2
    assert "is neither a file nor one of" in wrong.output
    for content, reason in [(b"\n" * (1 << 20) + b"s0.form", "more than 1,048,576 bytes"), (b"s0.form\xff", "decode")]:
        own.write_bytes(content)
        wrong = run(*options, own, input=GOOD)
        assert wrong.exit_code == 2
        assert "is not a file of templates" in " ".join(wrong.output.split())
        assert reason in " ".join(wrong.output.split())


def test_epochs_are_told_to_programs(sample: Path, tmp_path: Path) -> None:
    options = ["--dev", sample, "--epochs", 2, "--folds", 2, "--output", tmp_path / "model", "--json"]
    *parts, first, second = map(json.loads, run("train", sample, *options).stdout.splitlines())
    assert [[*part] for part in parts] == [["part", "uas", "las"]] * 2
    assert [epoch["epoch"] for epoch in (first, second)] == [1, 2]
    found: list[Epoch] = []
    Parser.train(Treebank(sample), dev=Treebank(sample), epochs=2, on_epoch=found.append)
    assert found[1].scores is not None
    assert (second["errors"], second["steps"], second["las"]) == (found[1].errors, found[1].steps, found[1].scores.las)


def test_everything_that_the_library_can_the_command_can() -> None:
    said_otherwise = {"policy": ["second_best", "sample"], "on_epoch": ["as_json"]}
    functions_of_your_own = {"on_sentence", "on_update"}
    command = signature(with_options(train.train)).parameters
    for name in signature(Parser.train).parameters.keys() - functions_of_your_own:
        assert command.keys() >= {*said_otherwise.get(name, [name])}


@pytest.mark.parametrize("options", [[], ["--pipeline"]], ids=str)
def test_what_is_not_given_is_as_in_the_library(
    options: list[str], sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.tagger.hyperparameters._MOST_WEIGHTS", 1 << 12)
    assert run("train", sample, "-o", tmp_path / "command", "--epochs", 1, *options).exit_code == 0
    learn = train_pipeline if options else Parser.train
    learn(Treebank(sample), epochs=1).save(tmp_path / "library")
    assert (tmp_path / "command").read_bytes() == (tmp_path / "library").read_bytes()


def test_training_is_repeatable(sample: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("train", sample, "-o", tmp_path / name, "--epochs", 1)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_other_systems_and_oracles(sample: Path, tmp_path: Path) -> None:
    options = ["--system", "ArcStandard", "--root", "last", "--oracle", "static", "--epochs", 1]
    assert run("train", sample, "-o", tmp_path / "model", *options).exit_code == 0


def test_training_goes_on_from_its_checkpoint(sample: Path, tmp_path: Path) -> None:
    checkpoint, once, twice = tmp_path / "checkpoint", tmp_path / "once", tmp_path / "twice"
    assert run("train", sample, "-o", once, "--joint-labels", "--epochs", 2).exit_code == 0
    again = ("train", sample, "-o", twice, "--joint-labels", "--checkpoint", checkpoint)
    assert run(*again, "--epochs", 1, "--resume").exit_code == 0
    refused = run(*again, "--epochs", 2)
    assert refused.exit_code == 1
    assert "go on from it (resume=True, --resume), or remove it" in refused.stderr
    resumed = run(*again, "--epochs", 2, "--resume")
    assert "epoch 2: " in resumed.stderr
    assert once.read_bytes() == twice.read_bytes()
    assert run("train", sample, "-o", twice, "--resume").exit_code == 2


@pytest.mark.parametrize("system", ["arc-eager", "easy-first"])
def test_training_says_how_far_it_is_within_an_epoch_where_there_is_no_terminal(
    system: str, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deptrees.cli.console.SECONDS_BETWEEN_LINES", 0)
    monkeypatch.setattr(AnyTrainer, "_words_in_portion", 30)
    options = ["--epochs", 2, "--folds", 2, "--system", system, "--templates", "fast"]
    told = run("train", sample, "-o", tmp_path / "model", *options).stderr.splitlines()
    found = [re.fullmatch(r"(training|cross-validating): (.*), epoch (.*): (.*)% of it done", line) for line in told]
    of_training = [(int(one[3]), int(one[4])) for one in found if one and one[1] == "training"]
    assert of_training == sorted(of_training)
    assert {epoch for epoch, share in of_training if 0 < share < 100} == {1, 2}
    assert {one[2] for one in found if one} == {"a linear parser"}
    on_dev = run("train", sample, "--dev", sample, "-o", tmp_path / "model", *options[:2], *options[4:]).stderr
    assert re.findall(r"on development data, epoch (.): 100% of it done", on_dev) == ["1", "2"]
    assert "cross-validating" in {one[1] for one in found if one}
