"""The work on a file: saved after each action, by one process, and a parser learns meanwhile."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from deptrees import Treebank, sample_treebank, write_treebank
from deptrees.annotation import Accept, ActionError, Helper, SetColumn, SetHead
from deptrees.desk import work_on
from deptrees.parser import Parser
from deptrees.treebanks.conllu import ConlluError
from tests.annotation.sentences import without_arcs

TREES = [*sample_treebank("dev")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sample.conllu"
    write_treebank(path, [*TREES[:3], *map(without_arcs, TREES[3:6])])
    return path


def test_the_file_is_saved_after_each_action_and_opening_it_changes_nothing(path: Path, parser: Parser) -> None:
    before = path.read_bytes()
    with work_on(path, Helper(parser)) as work:
        assert None not in work.seen(4).sentence.tree.heads
        assert path.read_bytes() == before
        work.act(4, SetHead(1, 0))
        assert [*Treebank(path)][4].heads.count(0) == 1
        assert [*Treebank(path)][4].heads[0] == 0
        work.act(4, Accept())
        assert path.read_bytes() == work.document.text.encode()
        assert work.undo() == work.undo() == 4
        assert path.read_bytes() == before
        assert sorted(os.listdir(path.parent)) == [".sample.conllu.lock", "sample.conllu"]
    assert os.listdir(path.parent) == ["sample.conllu"]


def test_what_annotators_accept_is_what_they_see(path: Path, parser: Parser) -> None:
    with work_on(path, Helper(parser)) as work:
        version = work.seen(3).version
        seen = work.act(3, SetHead(1, 2), version)
        with pytest.raises(ActionError, match="look again"):
            work.act(3, Accept(), version)
        work.act(3, Accept(), seen.version)
        assert [*Treebank(path)][3].heads == seen.sentence.tree.heads


def test_one_process_works_on_a_file_until_it_ends_however_it_does(path: Path) -> None:
    code = f"from deptrees.desk import work_on\nwith work_on({str(path)!r}): print('in', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        with pytest.raises(BlockingIOError, match="another process"), work_on(path):
            pass
        other.kill()
    with work_on(path) as work:
        work.act(0, SetColumn(1, "upos", "X"))


def test_a_file_that_another_program_has_changed_is_not_overwritten(path: Path) -> None:
    with work_on(path) as work:
        path.write_text(path.read_text() + "\n")
        with pytest.raises(ActionError, match="another program"):
            work.act(0, SetColumn(1, "upos", "X"))
        assert work.document.text != path.read_text()
        assert not work.document.done


def test_an_action_that_cannot_be_saved_is_not_done(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "no space")

    with work_on(path) as work:
        text = work.document.text
        monkeypatch.setattr("deptrees.desk.work.write_output", full)
        with pytest.raises(OSError, match="no space"):
            work.act(0, SetColumn(1, "upos", "X"))
        assert work.document.text == text


@pytest.mark.parametrize("content", [b"", b"1\tGo\n\n", b"1\t\xff\t_\t_\t_\t_\t0\troot\t_\t_\n\n"])
def test_what_is_no_treebank_is_refused_and_stays_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(ConlluError, match=r"sample\.conllu"), work_on(path):
        pass
    assert path.read_bytes() == content
    assert os.listdir(path.parent) == [path.name]


def test_a_parser_learns_as_soon_as_there_is_something_to_learn_from(path: Path) -> None:
    with work_on(path) as work:
        work.wait()
        assert (work.helper, work.times_learned) == (None, 0)
        work.act(3, SetHead(1, 2))
        work.wait()
        assert work.helper is None
        work.act(4, SetHead(1, 2))
        work.wait()
        assert (work.times_learned, work.fault) == (1, "")
        assert work.seen(5).confidence is not None
        assert work.certainty(0) is None
        certainty = work.certainty(5)
        assert certainty is not None
        assert 0 < certainty < 1


def test_actions_from_many_threads_come_one_after_the_other(path: Path) -> None:
    with work_on(path) as work:
        words = range(1, len(TREES[0]) + 1)
        threads = [threading.Thread(target=work.act, args=(0, SetColumn(word, "upos", "X"))) for word in words]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {token.upos for token in next(iter(Treebank(path)))} == {"X"}
        assert len(work.document.done) == len(threads)
