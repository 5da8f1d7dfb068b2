"""What all commands have in common: their help, and errors in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

import deptrees
from deptrees import sample_treebank, to_conllu
from deptrees.cli.console import DEFECT
from tests.cli.running import CYCLE, GOOD, run


def test_errors_name_file_line_and_sentence(broken: Path) -> None:
    result = run("draw", broken)
    assert result.exit_code == 1
    error, hint = result.stderr.splitlines()
    assert error == f"error: {broken}:4: words 1 ← 2 ← 1 form a cycle"
    assert hint == "hint: correct it, or leave out what is not valid with --skip-invalid"


def test_invalid_sentences_can_be_skipped(broken: Path) -> None:
    result = run("draw", broken, "--skip-invalid")
    assert result.exit_code == 0
    assert result.stdout.count("ROOT") == 2
    assert result.stderr.startswith("warning: skipped 1 of 3 sentences, the first one because of ")


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
        ["describe", "ArcEager", "Birds", "sing"],
        ["draw", "x", "--gold", "y"],
        ["oracle", "x", "--oracle", "magic"],
        ["oracle", "x", *["--oracle", "static"] * 2, *["--system", "arc-eager"] * 3],
        ["train", "x", "-o", "y", "--seed", "-1"],
        ["train", "x", "-o", "y", "--subsample", "0"],
        ["train", "x", "-o", "y", "--exploration", "nan"],
        ["train", "x", "-o", "y", "--second-best", "nan"],
        ["train", "x", "-o", "y", "--sample", "nan"],
        ["train", "x", "-o", "y", "--sample", "inf"],
        ["train", "x", "-o", "y", "--subsample", "nan"],
        ["train", "x", "-o", "y", "--templates", sys.executable],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert len(arguments) < 6 or arguments[4].strip("-") in result.stderr


@pytest.mark.parametrize(
    "command", ["train", "parse", "evaluate", "analyze", "compare", "stats", "oracle", "describe", "draw", "sample"]
)
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


def test_help_loads_the_commands_and_nothing_that_they_use() -> None:
    code = """
import atexit, sys
from deptrees.__main__ import main
sys.argv[1:] = ["--help"]
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
main()
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    loaded = process.stderr.split()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("deptrees.")}
    assert rooms == {"__main__", "cli", "extras", "files", "printable"}
    assert not {"numpy", "safetensors", "rich", "attrs", "tomllib"} & {*loaded}


def test_a_defect_is_reported_in_one_line_with_an_exit_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(part: str) -> None:
        raise ValueError(part * 1_000_000)

    monkeypatch.setattr(deptrees, "sample_treebank", broken)
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
    assert "pip install '.[cli]'" in process.stderr
    assert "Traceback" not in process.stderr


def fan(words: int) -> str:
    """A sentence whose words all hang from ROOT."""
    return "".join(f"{word}\tw\t_\tX\t_\t_\t0\troot\t_\t_\n" for word in range(1, words + 1)) + "\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["oracle", "--system", "arc-eager"],
        ["oracle", "--system", "easy-first", "--system", "arc-eager"],
        ["train", "-o", "model", "--epochs", "1"],
    ],
)
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "by lines"])
def test_a_sentence_that_is_too_long_for_its_system_is_named_and_can_be_skipped(
    arguments: list[str], compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled:
        monkeypatch.setitem(sys.modules, "deptrees.treebanks.encoded_text", None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(deptrees.transition.System, "most_words", 4)
    monkeypatch.setattr(deptrees.transition.StackBufferSystem, "most_words", 4)
    text = f"{fan(2)}# sent_id = long\n{fan(5)}{fan(4)}"
    Path("file.conllu").write_text(text, encoding="utf-8")
    failed = run(*arguments, "file.conllu")
    assert failed.exit_code == 1
    error, hint = failed.stderr.splitlines()[-2:]
    assert error == "error: file.conllu:4: sentence 'long': the sentence has 5 words, and can have 4"
    assert hint == "hint: correct it, or leave out what is not valid with --skip-invalid"
    passed = run(*arguments, "file.conllu", "--skip-invalid")
    assert passed.exit_code == 0
    assert "skipped 1 of 3 sentences, the first one because of file.conllu:4: " in passed.stderr


def test_a_drawing_that_is_too_large_is_no_defect(tmp_path: Path) -> None:
    (tmp_path / "file.conllu").write_text(fan(8000), encoding="utf-8")
    result = run("draw", tmp_path / "file.conllu")
    assert result.exit_code == 1
    assert "error: a drawing of these 8000 words has more than" in result.stderr


def test_markdown_shows_what_is_in_the_data(tmp_path: Path) -> None:
    (tmp_path / "file.conllu").write_text(GOOD.replace("good", "<img src=x>_a_"), encoding="utf-8")
    for options in [], ["--system", "arc-eager"]:
        result = run("oracle", tmp_path / "file.conllu", *options, "--format", "markdown")
        assert result.stdout.startswith(r"## &lt;img src=x>\_a\_")
