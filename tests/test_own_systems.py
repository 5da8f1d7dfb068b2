"""A system of one's own has a name everywhere, and only its user has its module imported."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deptrees import Parser, sample_treebank, write_treebank
from deptrees.explorer import Explorer
from deptrees.files.models import ModelError
from deptrees.transition import ArcHybrid, UnknownSystem, as_system, check_system
from deptrees.transition.systems.registry import entry, name_of, system_from, system_record
from tests.cli.running import run

SOURCE = '''
import attrs
from deptrees.transition import ArcHybrid

class Plain(ArcHybrid):
    """Arc-hybrid under another name."""

@attrs.frozen(repr=False)
class Numbered(ArcHybrid):
    """One that has an option."""
    number: int = 1

class NoSystem: ...

def __getattr__(name):
    raise RuntimeError("asked for more than it has")
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module in a folder that Python looks into; not imported yet."""
    (tmp_path / "own_systems.py").write_text(SOURCE)
    (tmp_path / "broken.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield "own_systems"
    sys.modules.pop("own_systems", None)


def test_a_system_has_the_name_of_its_class_in_its_module(module: str) -> None:
    system = as_system(f"{module}:Plain", root="last")
    assert repr(system) == "Plain(root='last')"
    assert name_of(type(system)) == f"{module}:Plain"
    assert check_system(system, 2) == check_system(ArcHybrid(root="last"), 2)


def test_its_options_are_those_of_its_class(module: str) -> None:
    numbered = as_system(f"{module}:Numbered(3)", single_root=True)
    assert numbered == as_system(f"{module}:Numbered", number=3, single_root=True)
    assert system_record(numbered) == {"name": f"{module}:Numbered", "root": "first", "single_root": True, "number": 3}
    assert system_from(system_record(numbered)) == numbered
    with pytest.raises(UnknownSystem, match=r"Plain takes no number: leave out \(3\)"):
        as_system(f"{module}:Plain(3)")
    with pytest.raises(UnknownSystem, match="Plain has no option degree; it has root and single_root"):
        as_system(f"{module}:Plain", degree=3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_module:Plain", "'no_such_module:Plain': its module cannot be imported: ModuleNotFoundError"),
        ("broken:Plain", "'broken:Plain': its module cannot be imported: ZeroDivisionError: division by zero"),
        ("own_systems:NoSystem", "'own_systems:NoSystem': the module has no such class of systems"),
        ("own systems:Plain", "there is no system 'own systems:Plain'; choose one of"),
        ("os:path", "'os:path': the module has no such class of systems"),
    ],
)
def test_what_cannot_be_imported_is_said(module: str, name: str, message: str) -> None:
    with pytest.raises(UnknownSystem, match=re.escape(message)):
        as_system(name)


@pytest.mark.parametrize(
    "name", ["own_systems:Plain", "own_systems:more", "os:path", ":", "own_systems:", "os.path:join"]
)
def test_a_name_in_a_record_or_a_link_imports_nothing(module: str, name: str) -> None:
    with pytest.raises(UnknownSystem, match=f"no system '{name}' has been imported"):
        entry(name)
    with pytest.raises(
        ModelError, match=f"trained with {name}\\(\\), a system that is not the library's own: import its"
    ):
        system_from({"name": name})
    assert module not in sys.modules


def test_what_has_been_imported_is_found_and_no_more(module: str) -> None:
    as_system(f"{module}:Plain")
    assert entry(f"{module}:Plain").example == as_system(f"{module}:Plain")
    for name in ("NoSystem", "asked_for_more", "__name__"):
        with pytest.raises(UnknownSystem, match="has been imported"):
            entry(f"{module}:{name}")


def test_one_of_a_script_is_found_in_a_module_that_is_given(module: str) -> None:
    system = as_system(f"{module}:Plain", root="last")
    record = {**system_record(system), "name": "__main__:Plain"}
    assert system_from(record, f"{module}:Plain") == system_from(record, system) == system


def test_commands_take_one_by_its_name(module: str) -> None:
    assert "Plain(root='last')" in run("describe", f"{module}:Plain", "--root", "last").stdout


def test_every_command_takes_one_by_its_name(module: str, tmp_path: Path) -> None:
    write_treebank(tmp_path / "trees.conllu", [*sample_treebank("train")][:5])
    named = ["--system", f"{module}:Plain"]
    assert "Shift()" in run("oracle", "trees.conllu", *named).stdout
    assert run("train", "trees.conllu", "-o", "model", "--epochs", "1", *named).exit_code == 0
    sys.modules.pop(module)
    with pytest.raises(ModelError, match=rf"as system='{module}:Plain' or --system {module}:Plain"):
        Parser.load(tmp_path / "model")
    assert "a system that is not the library's own" in " ".join(run("parse", "model", "trees.conllu").stderr.split())
    assert module not in sys.modules
    assert run("parse", "model", "trees.conllu", *named).stdout.count("# sent_id") == 5
    assert "not with ArcHybrid" in run("parse", "model", "trees.conllu", "--system", "arc-hybrid").stderr
    sys.modules.pop(module)
    continued = ["--start", "model", "-o", "more", "--epochs", "1"]
    assert run("train", "trees.conllu", *continued, *named).exit_code == 0
    assert Parser.load(tmp_path / "more").system == as_system(f"{module}:Plain")


def test_the_explorer_shows_one(module: str) -> None:
    trees = [*sample_treebank("dev")][:1]
    system = as_system(f"{module}:Plain", root="last")
    with Explorer(trees, system) as explorer:
        offered = explorer.answer("systems")
        assert offered["system"] == f"{module}:Plain"
        assert offered["systems"][-1]["name"] == f"{module}:Plain"
        sentence = explorer.answer("sentence/0")
        question = {"sentence": sentence, "system": offered["system"], "root": "last", "single_root": False}
        step = explorer.answer("step", {**question, "oracle": "dynamic", "taken": ["Shift()"]})
        assert step["loss"] == 0
        with pytest.raises(UnknownSystem, match="no system 'broken:Plain' has been imported"):
            explorer.answer("step", {**question, "system": "broken:Plain", "oracle": "dynamic", "taken": []})
