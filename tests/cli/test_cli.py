import itertools
import re
import subprocess
import sys
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest
from typer.testing import CliRunner, Result

import deptrees
from deptrees import (
    DependencyTree,
    Treebank,
    cross_validate,
    features,
    from_conllu,
    sample_treebank,
    to_conllu,
)
from deptrees.cli import app, train
from deptrees.cli import sample as sample_command
from deptrees.cli.console import DEFECT
from deptrees.cli.options import OracleName, chosen_system
from deptrees.cli.train import OnError, TemplatesName, UpdateName
from deptrees.features import DELEXICALIZED, WITH_FEATS, ZHANG_NIVRE, ready_made
from deptrees.parser import Parser
from deptrees.tagger import Tagger
from deptrees.training import ON_ERROR, UPDATE_RULES
from deptrees.training.records import DEFAULT_SYSTEM
from deptrees.transition import (
    ArcEager,
    ArcEagerPartial,
    ArcHybrid,
    Attardi,
    ListBasedProjective,
    Policy,
    Sample,
    SecondBest,
    System,
)
from deptrees.transition.oracles import BY_NAME
from deptrees.transition.policies import written
from tests.tiers import slow

TREES = list(sample_treebank("train"))[:20]
SOME = "".join(to_conllu(tree) for tree in TREES)
SAMPLE = "".join(to_conllu(tree) for tree in sample_treebank("train"))
CYCLE = "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n"
GOOD = "# sent_id = good\n1\t[bold]\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"


def run(*arguments: object, input: str | None = None) -> Result:  # noqa: A002
    return CliRunner().invoke(app, list(map(str, arguments)), input=input)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Some sentences of the sample treebank."""
    path = tmp_path / "sample.conllu"
    path.write_text(SOME, encoding="utf-8")
    return path


@pytest.fixture
def model(parser: Parser, tmp_path: Path) -> Path:
    """A trained model, for commands that need any."""
    parser.save(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.conllu"
    path.write_text(GOOD + CYCLE + GOOD, encoding="utf-8")
    return path


def test_train_parse_evaluate(sample: Path, tmp_path: Path) -> None:
    model, parsed = tmp_path / "model", tmp_path / "parsed.conllu"
    trained = run("train", sample, "--dev", sample, "--output", model, "--epochs", 1, "--seed", 2)
    assert trained.exit_code == 0, trained.output
    assert "epoch 1: " in trained.stderr
    assert "dev UAS" in trained.stderr
    assert run("parse", model, sample, "--output", parsed).exit_code == 0
    evaluated = run("evaluate", sample, parsed)
    assert evaluated.exit_code == 0
    assert evaluated.stdout.splitlines()[0].startswith("UAS")


def test_parsing_is_the_same_from_a_file_from_a_stream_and_with_threads(sample: Path, model: Path) -> None:
    parsed = run("parse", model, sample).stdout
    assert parsed.count("\t") == SOME.count("\t")
    assert run("parse", model, "-", input=SOME).stdout == parsed
    assert run("parse", model, sample, "--threads", 2).stdout == parsed


def test_the_k_best_trees_are_written_one_after_the_other(
    model: Path, sample: Path, parser: Parser, tmp_path: Path
) -> None:
    output = tmp_path / "trees.conllu"
    assert run("parse", model, sample, "--k-best", 3, "-o", output).exit_code == 0
    written = list(Treebank(output))
    expected = [found for alternatives in parser.k_best(TREES, 3) for found in alternatives]
    assert [tree.heads for tree in written] == [tree.heads for tree, _ in expected]
    assert [tree.comments[-1] for tree in written] == [f"# score = {score:.4f}" for _, score in expected]
    assert [tree.comments[-2] for tree in written[:2]] == ["# rank = 1", "# rank = 2"]
    again = from_conllu(run("parse", model, "-", "--k-best", 1, input=to_conllu(written[1])).stdout)
    assert [line for line in again.comments if "rank" in line] == ["# rank = 1"]


def test_parsers_trained_with_development_data_tell_probabilities(model: Path, sample: Path, tmp_path: Path) -> None:
    trained, parsed = tmp_path / "trained", tmp_path / "parsed.conllu"
    run("train", sample, "--dev", sample, "--output", trained, "--epochs", 1)
    assert run("parse", trained, sample, "--confidence", "-o", parsed).exit_code == 0
    assert {key for tree in Treebank(parsed) for token in tree for key in token.misc_values} >= {
        "Confidence",
        "HeadConfidence",
    }
    assert run("parse", trained, sample, "--confidence", "--k-best", 2).exit_code == 2
    failed = run("parse", model, sample, "--confidence")
    assert failed.exit_code == 1
    assert "the parser is not calibrated" in failed.output


@pytest.mark.parametrize("trained", [False, slow(True)], ids=["saved", "trained"])
def test_a_model_with_a_tagger_tags_and_parses_words(
    trained: bool, sample: Path, tmp_path: Path, parser: Parser, tagger: Tagger
) -> None:
    model = tmp_path / "model"
    if trained:
        result = run("train", sample, "--dev", sample, "--tagger", "--epochs", 2, "--output", model)
        assert result.exit_code == 0, result.output
    else:
        attrs.evolve(parser, tagger=tagger).save(model)
    words = tmp_path / "words.conllu"
    words.write_text("1\tThe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdog\t_\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    parsed = run("parse", model, words)
    assert parsed.exit_code == 0, parsed.output
    columns = [line.split("\t") for line in parsed.stdout.splitlines() if line]
    assert [row[3] for row in columns] == ["DET", "NOUN"]
    assert all(row[6].isdigit() for row in columns)


def test_labels_are_chosen_with_transitions_if_that_is_asked_for(tmp_path: Path) -> None:
    for name, options in ("joint", ["--joint-labels"]), ("apart", []):
        assert run("train", "-", "--output", tmp_path / name, *options, input=GOOD).exit_code == 0
    shapes = [Parser.load(tmp_path / name).model.shape for name in ("joint", "apart")]
    assert [shape.joint for shape in shapes] == [True, False]


def test_how_to_learn_is_chosen(tmp_path: Path) -> None:
    options = {
        "--exploration": "0,0.3,0.6",
        "--on-error": "aggressive",
        "--beam": 2,
        "--update": "max_violation_from_error",
        "--time-limit": 4,
        "--subsample": 0.5,
        "--templates": "DELEXICALIZED",
    }
    given = [*itertools.chain.from_iterable(options.items()), "--no-restart"]
    assert run("train", "-", "--output", tmp_path / "model", *given, input=GOOD).exit_code == 0
    settings = Parser.load(tmp_path / "model").settings
    assert settings is not None
    assert (settings.exploration, settings.on_error) == ((0, 0.3, 0.6), "aggressive")
    assert (settings.update, settings.time_limit, settings.restart) == ("max_violation_from_error", 4, False)
    assert (settings.subsample, settings.templates) == (0.5, DELEXICALIZED)
    wrong = run("train", "-", "--output", tmp_path / "model", "--exploration", "0,often", input=GOOD)
    assert wrong.exit_code != 0
    assert "give numbers from 0 to 1" in wrong.output


@pytest.mark.parametrize(
    ("option", "policy"), [(["--second-best", 0.1], SecondBest(k=1, p=0.1)), (["--sample", 2], Sample(k=1, alpha=2.0))]
)
def test_a_policy_says_how_training_goes_on(option: list[Any], policy: Policy, tmp_path: Path) -> None:
    how = ["train", "-", "--output", tmp_path / "model", *option]
    assert run(*how, "--epochs", 2, input=GOOD).exit_code == 0
    settings = Parser.load(tmp_path / "model").settings
    assert settings is not None
    assert settings.policy == written(policy)
    for more, message in (["--beam", 2], "by --exploration"), (["--second-best", 1, "--sample", 1], "in one way"):
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


def test_training_goes_on_from_a_model(sample: Path, tmp_path: Path) -> None:
    options = ["--system", "arc-hybrid", "--templates", "delexicalized", "--epochs", 1]
    assert run("train", sample, *options, "--output", tmp_path / "first").exit_code == 0
    options = ["--start", tmp_path / "first", "--templates", "zhang_nivre", "--epochs", 1]
    trained = run("train", sample, *options, "--output", tmp_path / "second")
    assert trained.exit_code == 0, trained.output
    parser = Parser.load(tmp_path / "second")
    assert (parser.system, parser.templates) == (ArcHybrid(), ZHANG_NIVRE)
    wrong = run("train", sample, "--start", tmp_path / "second", "--output", tmp_path / "third")
    assert wrong.exit_code != 0
    assert "include all of its templates" in wrong.output


def test_embeddings_become_clusters(sample: Path, tmp_path: Path) -> None:
    model, vectors = tmp_path / "model", tmp_path / "vectors.txt"
    vectors.write_text("dog 0.9 0.1\nwug 0.9 0.1\nsleeps 0.1 0.9\n", encoding="utf-8")
    options = ["--templates", "with_feats", "--embeddings", vectors]
    trained = run("train", sample, *options, "--epochs", 1, "--output", model)
    assert trained.exit_code == 0, trained.output
    templates = Parser.load(model).templates
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
    for options, system in (([], DEFAULT_SYSTEM), (["--root", "first"], ArcEager(root="first", single_root=True))):
        assert run("train", "-", *options, "--epochs", 1, "--output", tmp_path / "model", input=GOOD).exit_code == 0
        assert Parser.load(tmp_path / "model").system == system


@pytest.mark.parametrize("name", get_args(TemplatesName))
def test_templates_are_chosen_by_name(tmp_path: Path, name: str) -> None:
    trained = run("train", "-", "--templates", name, "--epochs", 1, "--output", tmp_path / "model", input=GOOD)
    assert trained.exit_code == 0, trained.output
    assert Parser.load(tmp_path / "model").templates == getattr(features, name)


def test_names_and_defaults_are_those_of_the_library() -> None:
    assert sorted(get_args(TemplatesName)) == ready_made.__all__
    assert set(get_args(OracleName)) == set(BY_NAME)
    assert (get_args(OnError), get_args(UpdateName)) == (ON_ERROR, tuple(UPDATE_RULES))
    library, command = signature(Parser.train).parameters, signature(train.train).parameters
    for name in ("epochs", "beam", "joint", "seed"):
        assert command[name].default == library[name].default
    assert getattr(features, command["templates"].default) == library["templates"].default
    assert BY_NAME[command["oracle"].default] is library["oracle"].default


@pytest.mark.parametrize(
    ("name", "options", "system"),
    [
        ("arc-eager", {}, ArcEager()),
        ("ArcEager", {"root": "last", "single_root": True}, ArcEager(root="last", single_root=True)),
        ("arc_eager", {"root": "none"}, ArcEager(root="none")),
        ("Arc_Hybrid", {}, ArcHybrid()),
        ("Attardi(3)", {}, Attardi(3)),
        ("attardi(3)", {"root": "last"}, Attardi(3, root="last")),
        ("list-based-projective", {}, ListBasedProjective()),
    ],
)
def test_systems_have_names(name: str, options: dict[str, Any], system: System) -> None:
    assert chosen_system(name, **{"root": None, "single_root": False, **options}) == system


def test_an_unknown_system_lists_the_systems() -> None:
    result = run("describe", "arc-eagle")
    assert result.exit_code == 2
    message = " ".join(re.sub("[^-',;\\w]", " ", result.stderr).split())
    assert "there is no system 'arc-eagle'" in message
    assert all(name in message for name in ("ArcEager", "TwoPlanar", "LRSpines"))


def test_training_is_repeatable(sample: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("train", sample, "-o", tmp_path / name, "--epochs", 1)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_evaluate_against_itself_is_perfect(sample: Path) -> None:
    lines = run("evaluate", sample, sample).stdout.splitlines()
    assert [line.split()[1] for line in lines] == ["100.00%"] * 3


def test_other_systems_and_oracles(sample: Path, tmp_path: Path) -> None:
    options = ["--system", "ArcStandard", "--root", "last", "--oracle", "static", "--epochs", 1]
    assert run("train", sample, "-o", tmp_path / "model", *options).exit_code == 0


def test_draw(sample: Path) -> None:
    assert run("draw", sample).stdout == "".join(f"{tree}\n\n" for tree in TREES)
    assert run("draw", "-", "--labels", "--ascii", input=GOOD).stdout == ".-- 0 ROOT\n'-> 1 [bold]  root\n\n"


def test_oracle_shows_derivations(sample: Path) -> None:
    output = run("oracle", sample, "--labels").stdout
    assert "sample-train-001" in output
    assert "LeftArc('det')" in output
    assert "not projective" in output
    assert "not projective" not in run("oracle", sample, "--oracle", "dynamic").stdout
    assert "[bold]" in run("oracle", "-", "--system", "ArcHybrid", input=GOOD).stdout


def test_sample_is_the_sample_treebank() -> None:
    assert run("sample").stdout == SAMPLE
    assert run("sample", "dev").stdout == "".join(to_conllu(tree) for tree in sample_treebank("dev"))


def test_errors_name_file_line_and_sentence(broken: Path) -> None:
    result = run("draw", broken)
    assert result.exit_code == 1
    error, hint = result.stderr.splitlines()
    assert error == f"error: {broken}:4: words 1 ← 2 ← 1 form a cycle"
    assert hint == "hint: correct the sentence, or leave such sentences out with --skip-invalid"


def test_invalid_sentences_can_be_skipped(broken: Path) -> None:
    result = run("draw", broken, "--skip-invalid")
    assert result.exit_code == 0
    assert result.stdout.count("ROOT") == 2
    assert result.stderr.startswith("warning: skipped 1 of 3 sentences, the first one because of ")


def test_an_error_in_the_input_leaves_no_output(broken: Path, model: Path, tmp_path: Path) -> None:
    output = tmp_path / "output.conllu"
    assert run("parse", model, broken, "-o", output).exit_code == 1
    assert not output.exists()
    output.write_text("mine")
    assert run("parse", model, broken, "-o", output).exit_code == 1
    assert output.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["draw", "nothing.conllu"], "there is no file 'nothing.conllu'"),
        (["parse", "nothing", "-"], "nothing"),
        (["evaluate", "nothing.conllu", "-"], "there is no file"),
        (["evaluate", "-", "-"], "standard input can be read only once"),
        (["train", "-", "-o", "nowhere/model"], "nowhere: there is no such folder, make it first"),
    ],
)
def test_missing_files_are_an_error_in_one_line(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_an_evaluation_without_words_is_an_error(sample: Path, tmp_path: Path) -> None:
    empty, headless = tmp_path / "empty.conllu", tmp_path / "headless.conllu"
    empty.write_text("")
    headless.write_text(GOOD.replace("\t0\t", "\t_\t"), encoding="utf-8")
    for path in empty, headless:
        result = run("evaluate", path, path)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"error: no word in {path} has a head: there is nothing to evaluate\n"
        for options in [], ["--tagger"]:
            result = run("train", sample, "--dev", path, "-o", tmp_path / "model", *options)
            assert result.exit_code == 1
            assert result.stderr.startswith("error: no word of the development data has a ")
    assert not (tmp_path / "model").exists()


def test_different_sentences_cannot_be_evaluated(sample: Path, broken: Path) -> None:
    broken.write_text(GOOD, encoding="utf-8")
    result = run("evaluate", sample, broken)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: sentence 1 (sample-train-001)")


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "x"],
        ["draw"],
        ["train", "x", "-o", "y", "--system", "Magic"],
        ["train", "x", "-o", "y", "--system", "EasyFirst", "--root", "last"],
        ["train", "x", "-o", "y", "--templates", "SLOW"],
        ["train", "-", "-o", "y", "--folds", "2"],
        ["train", "x", "-o", "y", "--system", "ArcEager", "--empty-means-unknown"],
        ["describe", "ArcEager(3)"],
        ["train", "x", "-o", "y", "--seed", "-1"],
        ["train", "x", "-o", "y", "--subsample", "0"],
        ["train", "x", "-o", "y", "--exploration", "nan"],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert len(arguments) < 6 or arguments[4].strip("-") in result.stderr


@pytest.mark.parametrize("command", ["train", "parse", "evaluate", "oracle", "describe", "draw", "sample"])
def test_every_command_has_help(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Usage" in result.stdout


def test_the_version_is_shown() -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"deptrees {deptrees.__version__}\n")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["sample"]])
def test_what_needs_no_parser_loads_none(arguments: list[str]) -> None:
    code = f"""
import sys
from deptrees.cli import app
app({arguments!r}, standalone_mode=False)
assert not {{"numpy", "deptrees.transition", "deptrees.engine", "torch"}} & {{*sys.modules}}
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr


def test_a_defect_is_told_in_one_line_with_an_exit_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(part: str) -> None:
        raise ValueError(part * 1_000_000)

    monkeypatch.setattr(sample_command, "sample_treebank", broken)
    result = run("sample")
    assert result.exit_code == DEFECT
    assert result.stderr.startswith("error: a defect of deptrees, please report it: ValueError: traintrain")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 1100


def test_no_error_is_longer_than_a_screen(tmp_path: Path) -> None:
    path = tmp_path / "long.conllu"
    path.write_text(GOOD.replace("\t0\t", f"\t{'9' * 1_000_000}\t"), encoding="utf-8")
    result = run("draw", path)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0].startswith(f"error: {path}:2: sentence 'good': the head of word")
    assert len(result.stderr) < 1500


def test_what_is_in_the_data_does_not_control_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.conllu"
    path.write_text(GOOD.replace("[bold]", "a\x1b[31m\x9bb\u202ec"), encoding="utf-8")
    for command in ["draw"], ["draw", "--ascii"], ["oracle"]:
        output = run(*command, path).output
        assert "a\\x1b[31m\\x9bb\\u202ec" in output
        assert not {"\x1b", "\x9b", "\u202e"} & {*output}
    path.write_text(GOOD.replace("good", "\x1b[31m") + CYCLE.replace("\t1\t", "\t\x1b[31m\t"), encoding="utf-8")
    for command in ["oracle"], ["draw"]:
        result = run(*command, path)
        assert result.exit_code == 1
        assert "\x1b" not in result.output


def test_the_console_script_is_the_module() -> None:
    process = subprocess.run([sys.executable, "-m", "deptrees", "sample", "dev"], capture_output=True, check=True)
    assert process.stdout.decode() == "".join(to_conllu(tree) for tree in sample_treebank("dev"))


def test_without_the_extra_the_command_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; import deptrees.__main__ as m; m.main()"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert "pip install 'deptrees[cli]'" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize("parses", [False, slow(True)], ids=["draw", "parse"])
def test_a_stream_is_answered_before_it_ends(parses: bool, model: Path) -> None:
    arguments = ["parse", str(model), "-"] if parses else ["draw", "-"]
    program = [sys.executable, "-u", "-m", "deptrees", *arguments]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((GOOD * 2).encode())
        process.stdin.flush()
        first = process.stdout.readline()
        process.stdin.close()
        rest = process.stdout.read()
    assert first == (b"# sent_id = good\n" if parses else "┌── 0 ROOT\n".encode())
    assert b"[bold]" in rest


def test_treebank_reads_what_parse_writes(sample: Path, model: Path, tmp_path: Path) -> None:
    parsed = tmp_path / "parsed.conllu.gz"
    run("parse", model, sample, "-o", parsed)
    assert [tree.comments for tree in Treebank(parsed)] == [tree.comments for tree in Treebank(sample)]


PARTIAL = """\
1\tOld\t_\t_\t_\t_\t3\t_\t0\t_
2\tbirds\t_\t_\t_\t_\t3\tobj\t1\t_
3\tsing\t_\t_\t_\t_\t_\t_\t_\t_

"""


def test_what_a_partially_annotated_file_says_is_kept(model: Path, tmp_path: Path) -> None:
    partial = tmp_path / "partial.conllu"
    partial.write_text(PARTIAL, "utf-8")
    given = from_conllu(run("parse", model, partial, "--constraints", "given").stdout)
    assert given.heads[:2] == (3, 3)
    assert given.labels[1] == "obj"
    marked = from_conllu(run("parse", model, partial, "--constraints", "marked").stdout)
    assert marked.heads[1] == 3
    partial.write_text(PARTIAL.replace("3\tobj", "_\tobj"), "utf-8")
    failed = run("parse", model, partial, "--constraints", "marked")
    assert failed.exit_code == 1
    assert "sentence 'Old birds sing': word 2 has a 1 in column 9, but no head" in " ".join(failed.output.split())


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


def test_sentences_without_tags_are_warned_of_once(model: Path, parser: Parser, tagger: Tagger, tmp_path: Path) -> None:
    untagged = GOOD.replace("NOUN", "_")
    assert run("parse", model, "-", input=GOOD).stderr == ""
    warning = "warning: the model looks at UPOS, and sentence 'good' has none: tag it, or train with --tagger\n"
    assert run("parse", model, "-", input=GOOD + untagged * 3).stderr == warning
    attrs.evolve(parser, tagger=tagger).save(tmp_path / "tagging")
    assert run("parse", tmp_path / "tagging", "-", input=untagged).stderr == ""


def test_plain_text_is_told_what_to_do(model: Path) -> None:
    result = run("parse", model, "-", input="The old dog sleeps.\nIt dreams.\n")
    assert result.exit_code == 1
    assert "-:1: expected 10 columns, found 1" in result.stderr
    assert "plain text must be split into words first" in result.stderr
    assert "--skip-invalid" not in result.stderr


def test_trees_are_completed_for_those_who_need_all_heads(tmp_path: Path) -> None:
    headless = "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    options = ["--system", "ArcEagerPartial", "--epochs", 3, "-o", tmp_path / "partial"]
    assert run("train", "-", *options, input=headless * 5).exit_code == 0
    assert from_conllu(run("parse", tmp_path / "partial", "-", input=headless).stdout).heads == (None, 0)
    parsed = from_conllu(run("parse", tmp_path / "partial", "-", "--complete", input=headless).stdout)
    assert (parsed.heads, parsed.labels) == ((2, 0), ("dep", "root"))


@pytest.mark.parametrize("rest", ["", "# sent_id = sample-train-004\n1\tThe\tth"])
def test_an_interrupted_parse_is_resumed(rest: str, model: Path, sample: Path, tmp_path: Path) -> None:
    output, partial = tmp_path / "parsed.conllu", tmp_path / "parsed.conllu.partial"
    whole = run("parse", model, sample).stdout
    (tmp_path / "broken.conllu").write_text(SOME + CYCLE, encoding="utf-8")
    options = ["--resume", "--output", output]
    assert run("parse", model, tmp_path / "broken.conllu", *options).exit_code == 1
    assert not output.exists()
    assert whole.startswith(partial.read_text("utf-8"))
    # Trees that are there already are kept, whatever heads they have; one that is not whole is not.
    first, second, _ = whole.replace("\t0\troot", "\t0\tkept").split("\n\n", 2)
    partial.write_text(f"{first}\n\n{second}\n\n{rest}", encoding="utf-8")
    assert run("parse", model, sample, *options).exit_code == 0
    assert not partial.exists()
    written = output.read_text("utf-8")
    assert written.count("\tkept\t") == 2
    assert written.replace("\tkept\t", "\troot\t") == whole


def test_what_cannot_be_resumed_is_an_error(model: Path, sample: Path, tmp_path: Path) -> None:
    output, partial = tmp_path / "parsed.conllu", tmp_path / "parsed.conllu.partial"
    partial.write_text(GOOD, encoding="utf-8")
    result = run("parse", model, sample, "--resume", "-o", output)
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: sentence 1 in {partial} is not that of the input: delete the file to begin anew\n"
    )
    assert partial.read_text("utf-8") == GOOD
    for options in ["-o", "-"], ["-o", f"{output}.gz"], ["-o", output, "--k-best", 2]:
        assert run("parse", model, sample, "--resume", *options).exit_code == 2
