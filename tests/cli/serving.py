"""Commands that show a page, as processes: they print an address, answer there, and leave when they are interrupted."""

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.tiers import PATIENCE

__all__ = ["served", "told"]


@contextmanager
def served(command: str, *arguments: object) -> Iterator[str]:
    """The address that a command prints, or its error, while it runs."""
    line = [sys.executable, "-m", "deptrees", command, "--no-browser", *map(str, arguments)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield process.stdout.readline().strip() or process.stderr.read()
        finally:
            process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ""
        assert "Traceback" not in process.stderr.read()


def told(address: str, question: str, body: object = None) -> dict[str, Any]:
    """The answer to a question at an address."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(address.partition("#")[0] + question, data, timeout=PATIENCE) as answer:
        return dict(json.load(answer))
