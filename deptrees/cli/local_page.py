"""What the commands share that show a page in a browser."""

from __future__ import annotations

import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from deptrees.local_page import LocalPage

__all__ = ["Browser", "Port", "serve"]

Port = Annotated[int, typer.Option(min=0, max=65535, help="Where to listen on this machine; 0 takes any free port.")]
Browser = Annotated[bool, typer.Option(help="Open a browser, or only print the address.")]


def serve(page: LocalPage, browser: bool, fragment: str = "") -> None:
    """Print the address of a page, open a browser if asked, and answer until interrupted."""
    address = f"{page.address}#{fragment}".removesuffix("#")
    print(address, flush=True)
    if browser:
        webbrowser.open(address)
    page.serve()
