"""Models of all treebanks in a folder: finished ones are left, and a training that was killed goes on."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from deptrees import load_parser, sample_treebank, write_treebank
from deptrees.packages import Card

SCRIPT = Path(__file__).parents[1] / "models" / "make.py"


@pytest.mark.processes
def test_models_of_all_treebanks_are_the_same_bytes_after_a_kill(tmp_path: Path) -> None:
    pytest.importorskip("udtools")
    folder = tmp_path / "ud" / "UD_English-Sample"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("# Summary\n\nLicense: CC BY-SA 4.0\n", "utf-8")
    write_treebank(folder / "en_sample-ud-train.conllu", [*sample_treebank("train")][:15])
    write_treebank(folder / "en_sample-ud-test.conllu", [*sample_treebank("dev")][:3])
    write_treebank(tmp_path / "ud" / "xx_bare-train.conllu.gz", sample_treebank("train"))
    command = [sys.executable, str(SCRIPT), str(tmp_path / "ud"), "--output"]

    at_once, killed = tmp_path / "at once", tmp_path / "killed"
    done = subprocess.run([*command, str(at_once)], capture_output=True, text=True, check=False)
    assert (done.returncode, re.findall(r"no model of (\w+)", done.stderr)) == (1, ["xx_bare"]), done.stderr
    with subprocess.Popen([*command, str(killed)], stderr=subprocess.DEVNULL, start_new_session=True) as process:
        while not [*killed.glob("*.checkpoint*")]:
            sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    subprocess.run([*command, str(killed)], capture_output=True, check=False)
    inside = [path / "en-sample" / "deptrees_en_sample" for path in (at_once, killed)]
    first, second = (path / "model" for path in inside)
    assert first.read_bytes() == second.read_bytes()
    assert [path.name for path in killed.iterdir()] == ["en-sample"]
    card = Card.read(inside[1])
    assert (card.name, card.licence) == ("en-sample", "CC-BY-SA-4.0")
    assert card.command == "deptrees train --pipeline ud:en_sample --output en_sample.model"
    assert card.data.startswith("ud/UD_English-Sample/en_sample-ud-train.conllu, SHA-256 ")
    assert {"raw text", "gold tokens"} <= {*card.scores}
    assert load_parser(second).tokenizer is not None

    before = second.stat().st_mtime_ns
    subprocess.run([*command, str(killed)], capture_output=True, check=False)
    assert second.stat().st_mtime_ns == before
