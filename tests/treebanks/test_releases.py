"""Treebanks by their names: from a folder, from the web, which is a server of this machine here, and from the cache."""

import gzip
import os
import re
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from deptrees import Treebank, sample_treebank, to_conllu
from deptrees.files.fetching import FetchError, fetch
from deptrees.treebanks.releases import ReleaseError, local_files, release_files

TRAIN, DEV = ("".join(map(to_conllu, sample_treebank(part))).encode() for part in ("train", "dev"))
CODES = (
    b"Old French:\n  flag: FR-ROYAL\n  lcode: fro\n  iso3: fro\nNorwegian:\n  flag: 'NO'\n  lcode: 'no'\n  iso3: nor\n"
)
UD = {
    "/docs-automation/master/codes_and_flags.yaml": CODES,
    "/UD_Old_French-srcmf/master/fro_srcmf-ud-train.conllu": TRAIN,
    "/UD_Old_French-srcmf/master/fro_srcmf-ud-dev.conllu": DEV,
    "/UD_Old_French-srcmf/master/README.md": b"# Summary\n\nLicense: CC BY-NC-SA 3.0\n",
    "/UD_Norwegian-bokmaal/master/no_bokmaal-ud-train.conllu": TRAIN,
}


class Web(ThreadingHTTPServer):
    """A server that has files, knows ranges and ETags, and may cut its connections after some bytes."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.files, self.most, self.asked = dict(files), 1 << 30, list[tuple[str, str | None]]()
        self.etag: str | None = '"1"'


class Answers(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        asked = self.headers["Range"]
        self.server.asked.append((self.path.rpartition("/")[2], asked))
        content = self.server.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        is_part = asked is not None and self.headers["If-Range"] == self.server.etag
        begun = int(re.sub(r"\D", "", asked)) if is_part else 0
        self.send_response(206 if is_part else 200)
        if self.server.etag is not None:
            self.send_header("ETag", self.server.etag)
        self.send_header("Content-Length", str(len(content) - begun))
        self.end_headers()
        self.wfile.write(content[begun:][: self.server.most])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with Web(UD) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        monkeypatch.setenv("DEPTREES_UD_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("DEPTREES_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("no_proxy", "*")
        monkeypatch.delenv("DEPTREES_TREEBANKS", raising=False)
        yield server
        server.shutdown()


def test_a_treebank_is_fetched_once_and_its_licence_shown(web: Web, capsys: pytest.CaptureFixture[str]) -> None:
    assert [*Treebank("ud:fro_srcmf")] == [*sample_treebank("train")]
    assert "licence: CC BY-NC-SA 3.0" in capsys.readouterr().err
    asked = len(web.asked)
    assert [*Treebank("ud:fro_srcmf/dev")] == [*sample_treebank("dev")]
    assert [*Treebank("ud:fro_srcmf/train")] == [*sample_treebank("train")]
    assert (len(web.asked), capsys.readouterr().err) == (asked, "")
    with pytest.raises(ReleaseError, match=r"fro_srcmf is in .*, but without test data"):
        Treebank("ud:fro_srcmf/test")


def test_what_was_fetched_is_used_without_a_network_as_long_as_its_checksum_is_right(web: Web) -> None:
    [file] = release_files("ud:fro_srcmf")
    web.files.clear()
    assert sorted(path.name for path in Path(file).parent.iterdir()) == [
        "README.md", "SHA256SUMS", "fro_srcmf-ud-dev.conllu", "fro_srcmf-ud-train.conllu"
    ]  # fmt: skip
    assert release_files("ud:fro_srcmf") == [file]
    Path(file).write_bytes(DEV)
    with pytest.raises(ReleaseError, match="another checksum than when it was fetched: remove"):
        release_files("ud:fro_srcmf")
    assert release_files("ud:fro_srcmf/dev")


def test_a_connection_that_is_cut_goes_on_where_it_was(web: Web) -> None:
    web.most = len(TRAIN) // 3
    assert Path(*release_files("ud:fro_srcmf")).read_bytes() == TRAIN
    ranges = [asked for name, asked in web.asked if name == "fro_srcmf-ud-train.conllu"]
    assert ranges == [None, *(f"bytes={web.most * k - k}-" for k in range(1, len(ranges)))]
    assert len(ranges) == 4


def test_a_fetch_that_was_stopped_goes_on_later_unless_the_file_has_changed(web: Web, tmp_path: Path) -> None:
    address, path = f"http://127.0.0.1:{web.server_port}/file", tmp_path / "file"
    for content, etag, received in (
        (b"Hello, world", '"1"', b"Hello, world"),
        (b"Good morning", '"2"', b"Good morning"),
    ):
        path.unlink(missing_ok=True)
        web.files["/file"], web.etag = content, etag
        path.with_name("file.partial").write_bytes(b"Hello")
        path.with_name("file.etag").write_text('"1"')
        assert fetch(address, path)
        assert path.read_bytes() == received
        assert web.asked[-1] == ("file", "bytes=4-")
        assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_that_was_complete_but_had_not_its_name_is_fetched_again_in_its_last_byte(
    web: Web, tmp_path: Path
) -> None:
    web.files["/file"] = b"Hello"
    (tmp_path / "file.partial").write_bytes(b"Hello")
    (tmp_path / "file.etag").write_text('"1"')
    assert fetch(f"http://127.0.0.1:{web.server_port}/file", tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"Hello"


def test_where_no_range_can_be_asked_for_a_cut_connection_is_an_error_and_not_half_a_file(
    web: Web, tmp_path: Path
) -> None:
    web.files["/file"], web.most, web.etag = b"Hello", 3, None
    with pytest.raises(FetchError, match="cut again and again"):
        fetch(f"http://127.0.0.1:{web.server_port}/file", tmp_path / "file")
    assert not (tmp_path / "file").exists()


def test_what_is_not_on_the_web_is_an_error_that_says_so(web: Web) -> None:
    with pytest.raises(ReleaseError, match=r"there is no treebank at .*UD_Norwegian-none/master/no_none-ud-train"):
        Treebank("ud:no_none/dev")
    with pytest.raises(ReleaseError, match="no language with the code of xx_none"):
        Treebank("ud:xx_none")
    with pytest.raises(ReleaseError, match="'ud:en' names no treebank"):
        Treebank("ud:en")
    web.files.clear()
    with pytest.raises(ReleaseError, match="there is no list of languages"):
        Treebank("ud:no_bokmaal")


def test_without_a_network_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, web: Web) -> None:
    web.shutdown()
    web.server_close()
    with pytest.raises(ReleaseError, match=r"refused.*put its files into a folder and name that in DEPTREES_TREEBANKS"):
        Treebank("ud:no_bokmaal")


def test_the_folder_that_is_named_comes_first(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "ud-treebanks-v2.16" / "UD_German-HDT"
    folder.mkdir(parents=True)
    monkeypatch.setenv("DEPTREES_TREEBANKS", str(tmp_path))
    for name, content in {"train-a-1": TRAIN, "train-b": DEV, "dev": DEV}.items():
        (folder / f"de_hdt-ud-{name}.conllu").write_bytes(content)
    (tmp_path / "no_bokmaal-train.conllu.gz").write_bytes(gzip.compress(TRAIN))
    assert [*Treebank("ud:de_hdt")] == [*sample_treebank("train"), *sample_treebank("dev")]
    assert [*Treebank("ud:no_bokmaal")] == [*sample_treebank("train")]
    assert [Path(path).name for path in local_files("ud:de_hdt/dev")] == ["de_hdt-ud-dev.conllu"]
    with pytest.raises(ReleaseError, match="without test data"):
        Treebank("ud:de_hdt/test")
    os.link(folder / "de_hdt-ud-dev.conllu", tmp_path / "de_hdt-ud-dev.conllu")
    with pytest.raises(ReleaseError, match="de_hdt is there twice"):
        Treebank("ud:de_hdt/dev")
    assert not web.asked
