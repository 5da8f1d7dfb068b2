"""What the library writes as JSON is what its schemas say, no more and no less."""

import json
import runpy
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from deptrees import DependencyTree, sample_treebank, write_treebank
from tests.cli.running import run
from tests.cli.test_pages import WRITER as COMMANDS

DOCS = Path(__file__).parents[2] / "docs"
WRITER: dict[str, Any] = runpy.run_path(str(DOCS / "write_schemas.py"))
TEXTS: dict[Path, str] = WRITER["texts"]()


@pytest.fixture
def files(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of the commands, in the folder in which they are run, beside the model."""
    monkeypatch.chdir(model.parent)
    write_treebank("gold.conllu", WRITER["GOLD"])
    write_treebank("parsed.conllu", WRITER["PARSED"])
    Path("wrong.conllu").write_text("# sent_id = a\n1\tBirds\t_\n\n1\tSing\n\n", "utf-8")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", WRITER["OUTPUTS"])
def test_what_commands_print_is_what_schemas_say(name: str) -> None:
    output = WRITER["OUTPUTS"][name]
    schema = json.loads((DOCS / "schemas" / f"{name}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    alternatives = schema.get("anyOf", [schema])
    met = set()
    for command in output.commands:
        printed = run(*shlex.split(command)).stdout
        found = [*map(json.loads, printed.splitlines())] if output.a_line else [json.loads(printed)]
        assert found
        for value in found:
            [number] = [n for n, kind in enumerate(alternatives) if is_valid(value, closed({**schema, **kind}))]
            met.add(number)
    assert met == {*range(len(alternatives))}


def is_valid(value: object, schema: Mapping[str, Any]) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


def closed(schema: Any) -> Any:
    """The schema without the freedom of later versions to add keys."""
    if isinstance(schema, list):
        return [*map(closed, schema)]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(value) for name, value in schema.items()}
    return {**inner, "additionalProperties": False} if isinstance(inner.get("properties"), dict) else inner


def test_schemas_are_written_from_the_code() -> None:
    assert {path: path.read_text("utf-8") for path in (DOCS / "schemas").iterdir()} == TEXTS, (
        "run: python docs/write_schemas.py"
    )


def test_all_commands_that_print_json_have_a_schema() -> None:
    of_json = {name for name, it in COMMANDS["LOADED"].items() if any("--json" in option.opts for option in it.params)}
    commands = [command.split() for output in WRITER["OUTPUTS"].values() for command in output.commands]
    assert {name for name, *arguments in commands if "--json" in arguments} == of_json


def test_trees_are_the_same_after_json() -> None:
    for tree in [*WRITER["GOLD"], *sample_treebank("train"), DependencyTree([])]:
        record = json.loads(json.dumps(tree.to_dict()))
        assert is_valid(record, json.loads(TEXTS[DOCS / "schemas" / "tree.json"]))
        assert DependencyTree.from_dict(record) == tree


@pytest.mark.parametrize("name", WRITER["OUTPUTS"])
def test_the_page_of_formats_leads_to_all_schemas(name: str) -> None:
    row = f"\n| `deptrees {WRITER['OUTPUTS'][name].commands[0]}` | [{name}](schemas/{name}.json) |\n"
    assert row in (DOCS / "formats.md").read_text("utf-8")
