"""Models as packages: written, installed, listed and found by their names."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import attrs
import pytest

from deptrees import __version__, load_parser, sample_treebank, to_conllu
from deptrees.files.models import ModelError
from deptrees.packages import Card, installed_models, write_package
from deptrees.packages.installed import GROUP, _installed, model_file
from deptrees.parser import Parser
from tests.cli.running import run
from tests.tiers import slow

TOY = Card(name="toy-en", licence="MIT")


@pytest.fixture
def model(parser: Parser, tmp_path: Path) -> Path:
    parser.save(tmp_path / "model")
    return tmp_path / "model"


def install(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a package where Python finds it, with what pip writes beside it."""
    [name] = [path.name for path in package.iterdir() if path.is_dir()]
    described = package / f"{name}-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    point = f"{name.removeprefix('deptrees_').replace('_', '-')} = {name}"
    assert point.replace(" = ", ' = "') in (package / "pyproject.toml").read_text()
    (described / "entry_points.txt").write_text(f"[{GROUP}]\n{point}\n")
    monkeypatch.syspath_prepend(str(package))


def test_an_installed_model_is_found_by_its_name(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parser: Parser
) -> None:
    card = write_package(model, TOY, tmp_path / "package")
    install(tmp_path / "package", monkeypatch)
    assert card == attrs.evolve(TOY, size=model.stat().st_size, sha256=card.sha256)
    assert installed_models()["toy-en"].card == card
    assert Path(model_file("toy-en")).read_bytes() == model.read_bytes()
    trees = [*sample_treebank("dev")]
    assert [*load_parser("toy-en").parse(trees)] == [*parser.parse(trees)]
    source = tmp_path / "dev.conllu"
    source.write_text("".join(map(to_conllu, trees)), encoding="utf-8")
    by_name, by_path = (run("parse", name, source) for name in ("toy-en", model))
    assert by_name.exit_code == 0
    assert by_name.output == by_path.output
    assert run("parse", "toy-en", source, "--workers", 1, "-o", tmp_path / "folder").exit_code == 0
    assert "# toy-en" in run("models").output


def test_a_file_comes_before_an_installed_model(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(model, TOY, tmp_path / "package")
    install(tmp_path / "package", monkeypatch)
    monkeypatch.chdir(tmp_path)
    model.rename(tmp_path / "toy-en")
    assert model_file("toy-en") == "toy-en"


@pytest.mark.parametrize("missing", ["card.json", "model", "__init__.py"])
def test_packages_that_are_not_complete_are_named(
    missing: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_package(model, attrs.evolve(TOY, name=f"toy-{len(missing)}"), tmp_path / "package")
    install(tmp_path / "package", monkeypatch)
    (tmp_path / "package" / f"deptrees_toy_{len(missing)}" / missing).unlink()
    fault = f"the package 'deptrees_toy_{len(missing)}' of the model 'toy-"
    with pytest.raises(ModelError, match=fault):
        model_file(f"toy-{len(missing)}")
    with pytest.warns(UserWarning, match=fault):
        assert f"toy-{len(missing)}" not in installed_models()


def test_a_model_that_is_not_there_is_named(sample_dev: Path) -> None:
    result = run("parse", "klingon", sample_dev)
    assert result.exit_code == 1
    assert "there is no file 'klingon', and no installed model of this name: see deptrees models" in result.output


@pytest.fixture
def sample_dev(tmp_path: Path) -> Path:
    path = tmp_path / "dev.conllu"
    path.write_text("".join(map(to_conllu, sample_treebank("dev"))), encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "licence"), [("English", "MIT"), ("a/b", "MIT"), ("", "MIT"), ("a", ""), ("a", 'M"')])
def test_names_and_licences_that_cannot_be_are_refused(name: str, licence: str, model: Path, tmp_path: Path) -> None:
    result = run("package", model, "--name", name, "--licence", licence, "-o", tmp_path / "package")
    assert result.exit_code == 2
    assert f"{(licence if name == 'a' else name)!r} is no " in result.output
    assert not (tmp_path / "package").exists()


def test_a_package_has_the_version_that_is_given(model: Path, tmp_path: Path) -> None:
    command = ["package", model, "--name", "toy", "--licence", "MIT", "-o", tmp_path / "package", "--version"]
    refused = run(*command, "new")
    assert refused.exit_code == 2
    assert "'new' is no version of a model" in refused.output
    assert run(*command, "1.1").exit_code == 0
    project = (tmp_path / "package" / "pyproject.toml").read_text()
    assert 'version = "1.1"' in project
    assert f'dependencies = ["deptrees>={__version__}"]' in project
    assert Card.read(tmp_path / "package" / "deptrees_toy").release == "1.1"


def test_the_command_measures_what_it_packs(model: Path, sample_dev: Path, tmp_path: Path) -> None:
    package = tmp_path / "package"
    facts = ("--data", "sample", "--test", sample_dev, "--tested-on", "sample, dev", "--limits", "anything real")
    result = run("package", model, "--name", "toy", "--licence", "MIT", "-o", package, *facts)
    assert result.exit_code == 0, result.output
    assert result.output.strip() == (package / "README.md").read_text().strip()
    card = Card.read(package / "deptrees_toy")
    assert card.scores["gold tokens and tags"]["UAS"] > 0.7
    assert (card.data, card.limits) == ("sample", "anything real")
    assert card.size < 0.5 * model.stat().st_size
    assert run("package", model, "--name", "toy", "--licence", "MIT", "-o", package, "--whole").exit_code == 0
    assert (package / "deptrees_toy" / "model").read_bytes() == model.read_bytes()


def test_a_package_replaces_nothing_but_itself(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "README.md"
    mine.write_text("mine")
    options = ("--name", "toy", "--licence", "MIT", "-o")
    for folder, fault in [(".", "something else is in this"), ("", "name of a folder"), ("-", "name of a folder")]:
        result = run("package", model, *options, folder)
        assert (result.exit_code > 0, fault in result.stderr) == (True, True), result.stderr
        assert (mine.read_text(), sorted(tmp_path.iterdir())) == ("mine", sorted([mine, model]))
    assert run("package", model, *options, "new", "--whole").exit_code == 0
    packed = tmp_path / "new" / "deptrees_toy" / "model"
    whole = packed.read_bytes()
    (tmp_path / "link").hardlink_to(packed)
    for name in (packed, "link"):
        result = run("package", name, *options, "new")
        assert (result.exit_code, "give another name" in " ".join(result.stderr.split())) == (2, True)
        assert packed.read_bytes() == whole
    assert run("package", model, *options, "new").exit_code == 0


def test_what_cannot_be_measured_is_an_error(model: Path, tmp_path: Path) -> None:
    (tmp_path / "none.conllu").touch()
    options = ("--name", "toy", "--licence", "MIT", "-o", tmp_path / "p", "--test", tmp_path / "none.conllu")
    result = run("package", model, *options)
    assert result.exit_code == 1
    assert "there is no word in the gold trees: there is nothing to evaluate" in result.stderr


CARDS = {
    "another name": ('"toy-en"', '"toy"', "its card is that of 'toy'"),
    "a name that controls terminals": ('"toy-en"', r'"\u001b[2J"', "is no name for a model"),
    "a number without end": ('"size": ', '"size": 1' + "0" * 400, "size"),
    "what is nested without end": ('"scores": {', '"scores": ' + "[" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize(("old", "new", "fault"), CARDS.values(), ids=CARDS)
def test_a_card_that_was_edited_is_named_and_not_listed(
    old: str, new: str, fault: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_package(model, TOY, tmp_path / "package")
    install(tmp_path / "package", monkeypatch)
    card = tmp_path / "package" / "deptrees_toy_en" / "card.json"
    text = card.read_text()
    assert old in text
    card.write_text(text.replace(old, new, 1))
    with pytest.raises(ModelError, match=fault):
        model_file("toy-en")
    with pytest.warns(UserWarning, match=fault):
        assert "toy-en" not in installed_models()


def test_what_a_card_says_does_not_control_the_terminal() -> None:
    text = "a\x1b[2Jb\n\u202ec`"
    card = attrs.evolve(TOY, data=text, command=text, limits=text, version=text, sha256=text, tested_on=text)
    shown = attrs.evolve(card, scores={text: {text: 0.5}}).as_text()
    assert not any(character in shown for character in "\x1b\u202e")


@pytest.mark.parametrize("value", ["os.path", "json.decoder", "sys", "no such", ""])
def test_a_package_of_a_model_is_looked_for_and_not_imported(value: str) -> None:
    with pytest.raises(ModelError, match="is not complete"):
        _installed(EntryPoint("toy", value, GROUP))


@slow
def test_a_pipeline_is_measured_from_raw_text_and_from_gold_tokens(tmp_path: Path, sample_dev: Path) -> None:
    from deptrees import train_pipeline

    train_pipeline(sample_treebank("train"), seeds=1, epochs=1).save(tmp_path / "model")
    run("package", tmp_path / "model", "--name", "toy", "--licence", "MIT", "-o", tmp_path, "--test", sample_dev)
    card = Card.read(tmp_path / "deptrees_toy")
    assert {source: next(iter(found)) for source, found in card.scores.items()} == {
        "raw text": "Words", "gold tokens": "UPOS", "gold tokens and tags": "UAS"
    }  # fmt: skip
    assert card.words_per_second > 0
