"""Where there was no C compiler the core is not installed: what runs without it, and what the rest says."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deptrees import Parser, Treebank, sample_treebank

WITHOUT_CORE = """
import json, sys

COMPILED = (
    "deptrees.engine.core.compiled",
    "deptrees.engine.core.tagging",
    "deptrees.inference.compiled_sums",
    "deptrees.transition.losses.swaps.compiled_search",
    "deptrees.treebanks.encoded_text",
)

class NotInstalled:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in COMPILED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled)

import deptrees.search, deptrees.training, deptrees.transition
from deptrees import Columns, DependencyTree, Parser, Tagger, sample_treebank, to_conllu
from deptrees.engine import EngineNotInstalled, Trainer, batches
from deptrees.transition import ArcEager, ArcStandardSwap, Shift, Swap, loss

def error_of(work):
    try:
        work()
    except EngineNotInstalled as error:
        return str(error)

crossing = DependencyTree([(2, "What"), (0, "happened"), (1, "else")])
turned_around = ArcStandardSwap().initial(crossing)
for transition in (Shift(), Shift(), Swap(), Shift(), Shift(), Swap(), Swap()):
    turned_around = transition(turned_around)

trees = [*sample_treebank("train")][:10]
columns = Columns.encode(trees)
parser = Parser.train(trees, system=ArcEager(), epochs=1)
parser.save(sys.argv[1])
print(json.dumps({
    "model": type(parser.model).__name__,
    "heads": [tree.heads for tree in Parser.load(sys.argv[1]).parse(trees)],
    "bytes": parser.parse_bytes("".join(map(to_conllu, trees)).encode()).decode(),
    "words": len(Columns.encode(sample_treebank("train")).heads),
    "steps": sum(len(batch.taken) for batch in batches(columns, ArcEager())),
    "loss": loss(turned_around, crossing),
    "errors": {
        "trainer": error_of(lambda: Trainer(columns)),
        "tagger": error_of(lambda: Tagger.train(trees)),
        "compiled model": error_of(lambda: Parser.load(sys.argv[2])),
    },
}))
"""
TREES = [*sample_treebank("train")][:10]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What happens in a Python that cannot import the core."""
    folder: Path = tmp_path_factory.mktemp("models")
    Parser.train(TREES, epochs=1).save(folder / "compiled")
    command = [sys.executable, "-c", WITHOUT_CORE, str(folder / "stepwise"), str(folder / "compiled")]
    done = subprocess.run(command, capture_output=True, text=True)
    [warning, _] = done.stderr.splitlines()  # said once, and where
    assert "StepwiseWarning: the compiled engine is not installed: this runs step by step" in warning
    results: dict[str, Any] = json.loads(done.stdout)
    return {**results, "path": folder / "stepwise"}


def test_a_parser_is_trained_and_parses_step_by_step(found: dict[str, Any]) -> None:
    assert found["model"] == "StepwiseModel"
    assert [len(heads) for heads in found["heads"]] == [len(tree) for tree in TREES]
    assert all(None not in heads for heads in found["heads"])


def test_its_parser_runs_where_the_core_is(found: dict[str, Any]) -> None:
    parsed = Parser.load(found["path"]).parse(TREES)
    assert [list(tree.heads) for tree in parsed] == found["heads"]


def test_treebanks_are_read_and_files_parsed_by_way_of_trees(found: dict[str, Any]) -> None:
    assert found["words"] == sum(map(len, sample_treebank("train")))
    assert [list(tree.heads) for tree in Treebank.from_bytes(found["bytes"].encode())] == found["heads"]


def test_derivations_come_as_arrays(found: dict[str, Any]) -> None:
    words = sum(map(len, TREES))
    assert words < found["steps"] <= 2 * words


def test_losses_are_found_where_words_swap(found: dict[str, Any]) -> None:
    assert found["loss"] == 1


def test_what_needs_the_core_says_in_one_line_what_to_do(found: dict[str, Any]) -> None:
    assert found["errors"].keys() == {"trainer", "tagger", "compiled model"}
    for what, message in found["errors"].items():
        assert message == (
            "the compiled engine is not installed: install a C compiler, and then deptrees again "
            f"(No module named 'deptrees.engine.core.{'tagging' if what == 'tagger' else 'compiled'}')"
        )
