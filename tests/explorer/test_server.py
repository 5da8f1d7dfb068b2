"""The server: what it answers, and whom."""

import http.client
import json
import runpy
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import attrs
import pytest

from deptrees import DependencyTree, Token, sample_treebank
from deptrees.explorer import Explorer, GoldTree, Question, recording
from deptrees.parser import Parser
from deptrees.transition.systems.registry import GRAPH_REGISTRY, REGISTRY
from tests.tiers import PATIENCE

HOSTILE = DependencyTree(
    [(2, "</script><script>alert(1)</script>"), (0, '"><img src=x onerror=alert(1)>'), (2, "\x1b[31m")]
)
TREES = [*sample_treebank("dev"), HOSTILE]
STEP = attrs.asdict(Question(GoldTree.of(TREES[0]), "ArcEager", "last", False, "dynamic", ("Shift()",)))


@pytest.fixture(scope="module")
def explorer(parser: Parser) -> Iterator[Explorer]:
    with Explorer(TREES, ranking=parser.model.ranking) as found:
        thread = threading.Thread(target=found.serve, daemon=True)
        thread.start()
        yield found
        found.stop()
        thread.join()


Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(explorer: Explorer) -> Ask:
    host, _, token = explorer.address.removeprefix("http://").partition("/")

    def asked(path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(host, timeout=PATIENCE)
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        connection.request("GET" if body is None else "POST", f"/{path.replace('TOKEN/', token)}", text, headers)
        response = connection.getresponse()
        content = response.read().decode()
        connection.close()
        return response.status, json.loads(content) if response.headers[
            "Content-Type"
        ] == "application/json" else content

    return asked


def test_the_page_and_all_that_it_asks_for(ask: Ask) -> None:
    assert "<title>" in ask("TOKEN/")[1]
    for name in ("explorer.css", "explorer.js"):
        assert ask(f"TOKEN/{name}")[0] == 200
    status, offered = ask("TOKEN/systems")
    assert status == 200
    with_costs = {name for name, system in GRAPH_REGISTRY.items() if "dynamic" in system.oracles}
    assert {system["name"] for system in offered["systems"]} == {*REGISTRY, *with_costs}
    assert len(offered["sentences"]) == len(TREES)
    sentence = ask("TOKEN/sentence/0")[1]
    status, state = ask("TOKEN/step", {**STEP, "sentence": sentence})
    assert status == 200
    assert state["following"]
    taken = ask("TOKEN/end", STEP)[1]["taken"]
    assert ask("TOKEN/step", {**STEP, "taken": taken})[1]["loss"] == 0
    typed = ask("TOKEN/typed", {"words": ["Birds", "sing"], "heads": "2:nsubj 0"})
    assert (typed[0], typed[1]["heads"], typed[1]["labels"]) == (200, [2, 0], ["nsubj", None])
    assert ask("TOKEN/typed", {"words": ["Birds", "sing"], "heads": "2:nsubj"})[0] == 400
    short = {**STEP, "sentence": attrs.asdict(GoldTree(("Birds", "sing"), (2, 0))), "taken": []}
    assert "<svg" in ask("TOKEN/derivations", short)[1]["html"]
    assert "<script" in ask("TOKEN/recording", short)[1]["html"]


ENHANCED = DependencyTree(
    [
        *(Token("She", 2, deps="2:nsubj"), Token("sings", 0, deps="0:root"), Token("and", 4, deps="4:cc")),
        *(Token("dances", 2, deps="2:conj:and"), Token("well", 4, deps="4:advmod|4.1:advmod")),
    ],
    extra_tokens=[(4, Token("dances", id="4.1", deps="4:conj"))],
)


@pytest.mark.parametrize("system", [name for name, it in GRAPH_REGISTRY.items() if "dynamic" in it.oracles])
def test_walks_over_graphs_end_in_the_graph_of_deps(ask: Ask, system: str) -> None:
    sentence = attrs.asdict(GoldTree.of(ENHANCED))
    body = {**STEP, "sentence": sentence, "system": system, "oracle": "dynamic", "taken": []}
    state = ask("TOKEN/step", body)[1]
    assert (state["graph"], state["loss"], len(state["words"])) == (True, 0, 7)
    taken = ask("TOKEN/end", body)[1]["taken"]
    question = Question.read({**body, "taken": taken})
    assert question.walk().cfg.arcs == tuple([arc[:2] for arc in ENHANCED.graph.arcs])
    assert "<script" in ask("TOKEN/recording", {**body, "taken": taken})[1]["html"]
    of_tree = {**body, "sentence": attrs.asdict(GoldTree(("Birds", "sing"), (2, 0)))}
    assert ask("TOKEN/step", of_tree)[1]["loss"] == 0
    assert "svg" in ask("TOKEN/derivations", of_tree)[1]["html"]
    broken = {**body, "sentence": {**sentence, "nodes": [["1", "She", "9:nsubj"]]}}
    assert ask("TOKEN/step", broken) == (400, {"error": ANY})


def test_scores_are_those_of_the_model(ask: Ask, parser: Parser) -> None:
    status, state = ask("TOKEN/step", {**STEP, "single_root": True})
    assert status == 200
    ranking = parser.model.ranking
    cfg = Question(GoldTree.of(TREES[0]), "ArcEager", "last", True, "dynamic", ("Shift()",)).walk().cfg
    best: dict[str, float] = {}
    for transition, score in ranking.ranked(cfg):
        best.setdefault(type(transition).__name__, score)
    assert {choice["name"].removesuffix("()"): choice["score"] for choice in state["transitions"]} == best
    [named] = [choice["name"] for choice in state["transitions"] if choice["best"]]
    assert named == f"{type(ranking(cfg)).__name__}()"
    assert {choice["score"] for choice in ask("TOKEN/step", STEP)[1]["transitions"]} == {None}  # another system


@pytest.mark.parametrize(
    ("path", "body", "headers", "status"),
    [
        ("", None, {}, 403),
        ("guess/step", STEP, {}, 403),
        ("TOKEN/step", STEP, {"Host": "evil.example:80"}, 403),
        ("TOKEN/nothing", None, {}, 404),
        ("TOKEN/sentence/99999", None, {}, 404),
        ("TOKEN/../../etc/passwd", None, {}, 404),
        ("TOKEN/step", "{", {}, 400),
        ("TOKEN/step", "[" * 100_000, {}, 400),
        ("TOKEN/step", {"sentence": 1}, {}, 400),
        ("TOKEN/step", {**STEP, "taken": ["Fly()"]}, {}, 400),
        ("TOKEN/step", "{}", {"Content-Length": "2000000"}, 413),
        ("TOKEN/step", "{}", {"Content-Length": "9" * 5000}, 413),
        (f"TOKEN/sentence/{'9' * 5000}", None, {}, 400),
    ],
)
def test_what_is_not_answered(ask: Ask, path: str, body: object, headers: dict[str, str], status: int) -> None:
    found, answer = ask(path, body, **headers)
    assert found == status
    assert answer["error"]
    assert len(answer["error"]) < 1000


def test_a_browser_that_goes_in_the_middle_is_not_told_of(
    explorer: Explorer, capfd: pytest.CaptureFixture[str]
) -> None:
    host, port, path = explorer.address.removeprefix("http://").replace("/", ":", 1).split(":")
    for rest in b"", b"Content-Length: 9\r\n\r\n{":
        with socket.create_connection((host, int(port)), PATIENCE) as connection:
            connection.sendall(f"POST /{path}step HTTP/1.1\r\nHost: {host}:{port}\r\n".encode() + rest)
            time.sleep(0.1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closes by a reset
    time.sleep(0.2)
    assert capfd.readouterr().err == ""


def test_hostile_words_are_text(ask: Ask) -> None:
    body = {**STEP, "sentence": attrs.asdict(GoldTree.of(HOSTILE)), "system": "ArcHybrid", "taken": ["Shift()"]}
    status, state = ask("TOKEN/step", body)
    assert status == 200
    assert "<script" not in state["drawing"]
    assert "<img" not in state["drawing"]
    page = ask("TOKEN/recording", body)[1]["html"]
    assert page.count("</script>") == 3
    assert page.count("<img") == 0


def test_other_pages_cannot_ask_and_nothing_comes_from_outside(explorer: Explorer) -> None:
    connection = http.client.HTTPConnection(explorer.address.split("/")[2], timeout=PATIENCE)
    connection.request("GET", explorer.address)
    headers = connection.getresponse().headers
    connection.close()
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in headers


def test_the_recordings_of_the_documentation_are_current() -> None:
    script = Path(__file__).parents[2] / "docs" / "write_recordings.py"
    for path, text in runpy.run_path(str(script))["pages"]().items():
        assert path.read_text(encoding="utf-8") == text, "run: python docs/write_recordings.py"


def test_a_recording_has_all_steps() -> None:
    question = Question(GoldTree.of(TREES[0]), "ArcHybrid", "last", False, "dynamic", ("Shift()", "LeftArc()"))
    page = recording(question)
    steps = json.loads(page.partition('id="steps">')[2].partition("</script>")[0])
    assert [len(state["taken"]) for state in steps["states"]] == [0, 1, 2]
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
