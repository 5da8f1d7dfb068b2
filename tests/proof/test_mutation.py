import os
import subprocess
import sys
from pathlib import Path

import pytest

from proof import mutation
from proof.mutants import mutants
from proof.mutation import GROUPS

CODE = '''"""A module."""

__all__ = ["least"]


def least(a: int = 0, *, strict: bool = True) -> int:
    """A function."""
    if not strict and a > 3 or a in (f(1), f(2)):
        raise ValueError("no" + "thing")
    for b in range(a):
        a += b - 1
        break
    return min(a, b) if strict else -a


def f(a: int) -> int:
    return a
'''
CHANGES = {
    "0 → 1",
    "1 → 2",
    "2 → 3",
    "3 → 4",
    "True → False",
    "not strict → strict",
    "not strict and a > 3 or a in (f(1), f(2)) → (not strict and a > 3) and a in (f(1), f(2))",
    "not strict and a > 3 → not strict or a > 3",
    "a > 3 → a >= 3",
    "a in (f(1), f(2)) → a not in (f(1), f(2))",
    "(f(1), f(2)) → (f(2),)",
    "(f(1), f(2)) → (f(1),)",
    "a += b - 1 → pass",
    "b - 1 → b + 1",
    "break → continue",
    "min(a, b) if strict else -a → -a if strict else min(a, b)",
    "min → max",
    "-a → a",
}
LEAST = "def least(a, b):\n    return a if a < b else b\n"
TEST = "from least import least\n\ndef test_one():\n    assert least(1, 2) == 1\n"


def test_mutants_are_all_small_changes_to_what_a_program_does(tmp_path: Path) -> None:
    path = tmp_path / "least.py"
    path.write_text(CODE)
    assert {mutant.change for mutant in mutants(path)} == CHANGES


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.skipif(not Path("deptrees").exists(), reason="the source code is not in this folder")
def test_groups_have_modules_and_tests(name: str) -> None:
    paths = GROUPS[name].files
    assert paths
    assert all(Path(test).exists() for test in GROUPS[name].tests)
    assert sum(1 for path in paths for _ in mutants(path)) > 40


@pytest.mark.processes
@pytest.mark.skipif(os.name == "nt", reason="there is no fork")
def test_what_a_test_does_not_see_survives(tmp_path: Path) -> None:
    (tmp_path / "least.py").write_text(LEAST)
    (tmp_path / "test_least.py").write_text(TEST)
    group = "m.Group(('least.py',), ('test_least.py',))"
    script = f"from proof import mutation as m; m.GROUPS['own'] = {group}; m.main(['own'])"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(mutation.__file__).parents[1])]),
    }
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    summary, survivor = done.stdout.splitlines()
    assert summary.startswith("own: 1 of 2 mutants killed")
    assert survivor == "    least.py:2: a < b → a <= b"


def test_mutants_cannot_take_the_place_of_what_has_been_imported() -> None:
    with pytest.raises(RuntimeError, match="the library has been imported"):
        mutation.mutate("policies", 1)


def test_tests_that_fail_as_they_are_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "deptrees")
    monkeypatch.setattr(mutation, "_passes", lambda *_: False)
    with pytest.raises(RuntimeError, match="the tests of policies fail as they are"):
        mutation.mutate("policies", 1)
