"""The server of the explorer: on this machine only, under an address with a secret."""

from __future__ import annotations

import hmac
import json
import secrets
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs

from deptrees.explorer.graphs import graph_of
from deptrees.explorer.page import TYPES, content
from deptrees.explorer.questions import GoldTree, Question, oracles_offered
from deptrees.explorer.recording import recording
from deptrees.explorer.states import state_of, system_html
from deptrees.files.records import RecordError
from deptrees.printable import printable
from deptrees.search import BaseRanking
from deptrees.transition.system import System
from deptrees.transition.systems.registry import REGISTRY, as_system, entry, name_of
from deptrees.trees.tree import DependencyTree

__all__ = ["Explorer"]

_LARGEST = 1 << 20
"""How many bytes a question may have."""
_SHOWN = 60
"""How many characters of a sentence its choice shows."""
_HEADERS = {
    # Everything comes from here. Drawings bring their style along.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class _NotThere(LookupError):
    """There is nothing at this address."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that has gone."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@attrs.frozen(eq=False)
class Explorer:
    """Derivations to look at in a browser.

    Args:
        trees: the gold trees to choose from.
        system: the system to begin with; that of the model if there is one, arc-eager otherwise. Your own must be a
            class that its module has by its name.
        ranking: a model's scores, shown with its own system.
        port: where to listen; 0 for any that is free.

    >>> from deptrees import sample_treebank
    >>> with Explorer(list(sample_treebank("dev")), port=0) as explorer:
    ...     explorer.address  # doctest: +ELLIPSIS
    'http://127.0.0.1:.../.../'
    """

    trees: Sequence[DependencyTree]
    system: System | None = None
    ranking: BaseRanking | None = None
    port: int = attrs.field(default=0, validator=[attrs.validators.ge(0), attrs.validators.le(65535)])
    token: str = attrs.field(factory=lambda: secrets.token_urlsafe(16), init=False, repr=False)

    @cached_property
    def _server(self) -> ThreadingHTTPServer:
        return _Server(("127.0.0.1", self.port), type("Handler", (_Handler,), {"explorer": self}))

    @property
    def address(self) -> str:
        """Where it is: an address with a secret in it, so that other pages and users cannot ask anything."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/{self.token}/"

    def serve(self) -> None:
        """Answer until interrupted, or until ``stop``."""
        self._server.serve_forever(poll_interval=0.05)

    def stop(self) -> None:
        """Let ``serve``, which another thread runs, return."""
        self._server.shutdown()

    def __enter__(self) -> Explorer:
        _ = self._server
        return self

    def __exit__(self, *_: object) -> None:
        self._server.server_close()

    def answer(self, path: str, body: object = None) -> Any:
        """The answer to a question of the page, as JSON can say it: ``"systems"``, ``"sentence/0"``, ``"step"``, etc.

        Raises:
            ValueError: the question has no answer; the message says why.
            LookupError: there is no such question.
        """
        kind, _, argument = path.partition("/")
        if kind == "systems":
            return self._systems()
        if kind == "sentence" and argument.isdecimal() and int(argument) < len(self.trees):
            return attrs.asdict(GoldTree.of(self.trees[int(argument)]))
        if body is not None and path in _ANSWERS:
            return _ANSWERS[path](Question.read(body), self.ranking)
        raise _NotThere(f"there is nothing at {path!r}")

    def _systems(self) -> dict[str, Any]:
        texts = [printable(" ".join(word.form for word in tree.tokens)) for tree in self.trees]
        sentences = [text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…" for text in texts]
        begin: Any = self.system or (self.ranking.system if self.ranking else as_system("arc-eager"))
        options = {"root": getattr(begin, "root", ""), "single_root": begin.has_single_root}
        first = name_of(type(begin))  # one's own system, if it is not among the others
        systems = [
            {"name": name, "roots": it.roots, "single_root": it.can_have_single_root, "oracles": oracles_offered(name)}
            for name, it in {**REGISTRY, first: entry(first)}.items()
        ]
        return {"systems": systems, "sentences": sentences, "system": first, **options}


_ANSWERS: dict[str, Callable[[Question, BaseRanking | None], Any]] = {
    "step": lambda question, ranking: state_of(question.walk(), ranking),
    "end": lambda question, _: {"taken": question.walk().to_the_end().names},
    "system": lambda question, _: {"html": system_html(question.setting().system)},
    "derivations": lambda question, _: {"html": graph_of(question.walk())},
    "recording": lambda question, ranking: {"html": recording(question, ranking)},
}


class _Handler(BaseHTTPRequestHandler):
    """Requests for what is under the secret."""

    explorer: Explorer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self._asked()
        if name in TYPES:
            self._send(HTTPStatus.OK, TYPES[name], content(name))
        elif name is not None:
            self._answer(name, None)

    def do_POST(self) -> None:
        name = self._asked()
        if name is None:
            return
        size = self.headers.get("Content-Length", "")
        if not size.isdecimal() or len(size) > len(str(_LARGEST)) or int(size) > _LARGEST:
            self.close_connection = True
            self._send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a question has a length of up to {_LARGEST} bytes")
            return
        try:
            body = json.loads(self.rfile.read(int(size)))
        except (ValueError, RecursionError):
            self._send_error(HTTPStatus.BAD_REQUEST, "the question is not JSON")
        else:
            self._answer(name, body)

    def _asked(self) -> str | None:
        """What is asked for; ``None``, after an error, if the secret is wrong or the page comes from elsewhere."""
        token, _, name = self.path.partition("?")[0][1:].partition("/")
        host = self.headers.get("Host", "").rpartition(":")[0]
        if hmac.compare_digest(token.encode(), self.explorer.token.encode()) and host in ("127.0.0.1", "localhost"):
            return name or "index.html"
        self.close_connection = True
        self._send_error(HTTPStatus.FORBIDDEN, "use the address that deptrees explore prints")
        return None

    def _answer(self, name: str, body: object) -> None:
        try:
            answer = self.explorer.answer(name, body)
        except _NotThere as error:
            self._send_error(HTTPStatus.NOT_FOUND, str(error))
        except (ValueError, RecordError) as error:
            self._send_error(HTTPStatus.BAD_REQUEST, str(error))
        else:
            self._send(HTTPStatus.OK, "application/json", json.dumps(answer, ensure_ascii=False))

    def _send_error(self, status: HTTPStatus, message: str) -> None:
        self._send(status, "application/json", json.dumps({"error": message}))

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8", "surrogatepass")
        self.send_response(status)
        for header, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(header, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: addresses have the secret in them."""
