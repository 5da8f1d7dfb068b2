"""The desk's server: what it answers; whom it answers is tested with the explorer."""

import errno
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deptrees import DependencyTree, sample_treebank, write_treebank
from deptrees.annotation import Helper
from deptrees.desk import Desk, work_on
from deptrees.files.records import RecordError
from deptrees.local_page import NotThere
from deptrees.parser import Parser
from tests.annotation.sentences import without_arcs

HOSTILE = DependencyTree(
    [(2, "<img src=x onerror=alert(1)>", "<b>"), (0, "\x1b[31m", "root")], ["# sent_id = <i>\u202e"]
)
TREES = [*sample_treebank("dev")][:2]


@pytest.fixture
def desk(tmp_path: Path, parser: Parser) -> Iterator[Desk]:
    write_treebank(tmp_path / "sample.conllu", [TREES[0], without_arcs(TREES[1]), HOSTILE])
    with work_on(tmp_path / "sample.conllu", Helper(parser)) as work, Desk(work) as found:
        work.wait()
        yield found


def deed(desk: Desk, sentence: int, action: str, **arguments: Any) -> Any:
    version = desk.answer("sentence", {"sentence": sentence, "width": 900})["version"]
    asked = {"sentence": sentence, "width": 900, "version": version, "action": action, "arguments": arguments}
    return json.loads(json.dumps(desk.answer("act", json.loads(json.dumps(asked)))))


def test_a_sentence_is_shown_and_changed(desk: Desk) -> None:
    overview = desk.answer("overview")
    assert [row["open"] for row in overview["sentences"]] == [0, len(TREES[1]), 0]
    assert {"nsubj", "orphan"} < {*overview["labels"]}
    told = desk.answer("sentence", {"sentence": 1, "width": 900})
    assert {word["state"] for word in told["words"]} == {"open"}
    assert told["drawing"].count('class="arc') == len(TREES[1])
    told = deed(desk, 1, "SetHead", word=1, head=0)
    assert (told["words"][0]["head"], told["words"][0]["state"]) == (0, "head")
    assert desk.answer("news")["undo"] == "SetHead(word=1, head=0) in sentence 2"
    assert deed(desk, 1, "Accept", words=[])["row"]["open"] == 0
    assert deed(desk, 1, "SetColumn", word=1, column="upos", text="X")["words"][0]["upos"] == "X"
    for _ in range(3):
        assert desk.answer("undo", {}) == {"sentence": 1}
    assert desk.answer("overview")["sentences"] == overview["sentences"]


def test_hostile_words_are_text(desk: Desk) -> None:
    told = desk.answer("sentence", {"sentence": 2, "width": 900})
    assert "<img" not in told["drawing"]
    assert "<b>" not in told["drawing"]
    assert "\x1b" not in json.dumps(told, ensure_ascii=False).replace("\\u001b", "")
    assert "\u202e" not in told["name"]


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("nothing", None, NotThere),
        ("sentence", None, NotThere),
        ("act", [], NotThere),
        ("sentence", {"sentence": 99, "width": 1}, ValueError),
        ("sentence", {"sentence": -1, "width": 1}, ValueError),
        ("sentence", {"sentence": "0", "width": 1}, RecordError),
        ("act", {"sentence": 0, "width": 1, "version": 0, "action": "Fly", "arguments": {}}, ValueError),
        (
            "act",
            {"sentence": 0, "width": 1, "version": 0, "action": "Accept", "arguments": {"words": "all"}},
            RecordError,
        ),
        ("act", {"sentence": 0, "width": 1, "version": 0, "action": "Accept"}, RecordError),
        ("act", {"sentence": 0, "width": 1, "version": 0, "action": "Accept", "arguments": {}}, ValueError),
        ("undo", {}, ValueError),
    ],
)
def test_what_is_not_answered(desk: Desk, path: str, body: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        desk.answer(path, body)


def test_a_full_disk_is_told_and_nothing_else_is_lost(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(path: Path, _: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    version = desk.answer("sentence", {"sentence": 1, "width": 900})["version"]
    asked = {"sentence": 1, "width": 900, "version": version, "action": "SetHead", "arguments": {"word": 1, "head": 0}}
    request = urllib.request.Request(f"{desk.address}act", json.dumps(asked).encode())
    thread = threading.Thread(target=desk.serve, daemon=True)
    thread.start()
    with monkeypatch.context() as during:
        during.setattr("deptrees.desk.work.write_output", fail)
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
    with caught.value as answer:
        assert (answer.code, "No space left" in json.load(answer)["error"]) == (500, True)
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer)["words"][0]["head"] == 0
    desk.stop()
    thread.join()
    assert not capfd.readouterr().err
