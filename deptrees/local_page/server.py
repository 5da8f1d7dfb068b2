"""The server of a page: on this machine only, under an address with a secret."""

from __future__ import annotations

import hmac
import json
import secrets
import sys
from abc import ABC, abstractmethod
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from deptrees.files.records import RecordError

if TYPE_CHECKING:
    from typing_extensions import Self

    from deptrees.local_page.page import Page

__all__ = ["LocalPage", "NotThere"]

_LARGEST = 1 << 20
"""How many bytes a question may have."""
_HEADERS = {
    # Everything comes from here. Drawings bring their style along.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class NotThere(LookupError):
    """There is nothing at this address."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: object) -> None:
        """Say nothing of a browser that has gone."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@attrs.frozen(eq=False)
class LocalPage(ABC):
    """A page that a process answers until it is stopped.

    Args:
        port: where to listen; 0 for any that is free.
    """

    page: ClassVar[Page]
    """What the browser loads."""
    command: ClassVar[str]
    """The command that prints the address."""

    port: int = attrs.field(default=0, kw_only=True, validator=[attrs.validators.ge(0), attrs.validators.le(65535)])
    token: str = attrs.field(factory=lambda: secrets.token_urlsafe(16), init=False, repr=False)

    @cached_property
    def _server(self) -> ThreadingHTTPServer:
        return _Server(("127.0.0.1", self.port), type("Handler", (_Handler,), {"local": self}))

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

    def __enter__(self) -> Self:
        _ = self._server
        return self

    def __exit__(self, *_: object) -> None:
        self._server.server_close()

    @abstractmethod
    def answer(self, path: str, body: object = None) -> Any:
        """The answer to a question of the page, as JSON can say it.

        Raises:
            ValueError: the question has no answer; the message says why.
            NotThere: there is no such question.
            OSError: a file cannot be read or written.
        """


class _Handler(BaseHTTPRequestHandler):
    """Requests for what is under the secret."""

    local: LocalPage
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self._asked()
        if name in self.local.page.types:
            self._send(HTTPStatus.OK, self.local.page.types[name], self.local.page.content(name))
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
        if hmac.compare_digest(token.encode(), self.local.token.encode()) and host in ("127.0.0.1", "localhost"):
            return name or "index.html"
        self.close_connection = True
        self._send_error(HTTPStatus.FORBIDDEN, f"use the address that {self.local.command} prints")
        return None

    def _answer(self, name: str, body: object) -> None:
        try:
            answer = self.local.answer(name, body)
        except NotThere as error:
            self._send_error(HTTPStatus.NOT_FOUND, str(error))
        except (ValueError, RecordError) as error:
            self._send_error(HTTPStatus.BAD_REQUEST, str(error))
        except (OSError, MemoryError) as error:  # such as that of a full disk
            self._send_error(HTTPStatus.INTERNAL_SERVER_ERROR, str(error) or "there is not enough memory")
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
