"""Treebanks of Universal Dependencies by their names: from a folder, a cache, or the web."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import attrs

from deptrees.files.checksums import checksum
from deptrees.files.output import open_output
from deptrees.messages import quoted

__all__ = ["PREFIX", "ReleaseError", "licence", "local_files", "release_files"]

PREFIX = "ud:"
"""How the name of a treebank begins."""

_PARTS = ("train", "dev", "test")
_NAME = re.compile(rf"{PREFIX}(?P<code>[a-z]+_[a-z0-9]+)(/(?P<part>{'|'.join(_PARTS)}))?")
_FILE = re.compile(rf"(?P<code>\w+?)(-ud)?-(?P<part>{'|'.join(_PARTS)})(?P<piece>(-\w+)*)\.conllu(\.gz|\.bz2|\.xz)?")
_LANGUAGE = re.compile(r"^(?P<language>\w[^:\n]*):\n(?:[ ].*\n)*?[ ]+lcode: *'?(?P<code>\w+)", re.MULTILINE)
_LICENCE = re.compile(r"(?<=^License: ).*\S|\bCC BY(-NC)?(-SA|-ND)? \d\.\d")
_README, _SUMS = "README.md", "SHA256SUMS"  # the second is written when all other files are there

_WEB = "https://raw.githubusercontent.com/UniversalDependencies"  # where names are not case-sensitive
_CODES = "docs-automation/master/codes_and_flags.yaml"
_ADVICE = "try again with a network, or put its files into a folder and name that in DEPTREES_TREEBANKS"


class ReleaseError(OSError):
    """A treebank of Universal Dependencies is not there, cannot be fetched, or is not what was fetched."""


@attrs.frozen
class _Named:
    """A part of a treebank, such as ``dev`` of ``en_ewt``."""

    code: str
    part: str

    @classmethod
    def read(cls, name: str) -> _Named:
        found = _NAME.fullmatch(name)
        if found is None:
            raise ReleaseError(f"{quoted(name)} names no treebank: write {PREFIX}en_ewt or {PREFIX}en_ewt/dev")
        return cls(found["code"], found["part"] or "train")

    @property
    def cache(self) -> Path:
        """The folder for the treebank's files from the web."""
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        named = os.environ.get("DEPTREES_CACHE") or os.path.join(base, "deptrees")
        return Path(named, "ud", self.code).expanduser()

    def files(self, folder: Path) -> list[str]:
        """The files of this part in a folder, at any depth; several where it comes in pieces.

        Raises:
            ReleaseError: there are other parts of the treebank, but not this one, or there is a file twice.
        """
        names = ((_FILE.fullmatch(path.name), path) for path in sorted(folder.rglob("*.conllu*")))
        found = [(name, path) for name, path in names if name and name["code"] == self.code]
        pieces: dict[str, Path] = {}
        for name, path in found:
            if name["part"] == self.part and pieces.setdefault(name["piece"], path) != path:
                raise ReleaseError(f"{self.code} is there twice: {pieces[name['piece']]} and {path}")
        if found and not pieces:
            raise ReleaseError(f"{self.code} is in {folder}, but without {self.part} data")
        return [*map(str, pieces.values())]


def release_files(name: str) -> list[str]:
    """The files of a treebank of Universal Dependencies, which is fetched if it is not here.

    It is looked for in the folder that the environment variable DEPTREES_TREEBANKS names, at any depth, and then in the
    cache. If it is in neither, its latest release is fetched into the cache.

    Args:
        name: the code of a treebank, with a part or else for its training data: ``"ud:en_ewt/dev"``, ``"ud:en_ewt"``.

    Raises:
        ReleaseError: there is no such treebank, it cannot be fetched, or a file is not the one that was fetched.

    >>> try:
    ...     release_files("ud:english")
    ... except ReleaseError as error:
    ...     print(error)
    'ud:english' names no treebank: write ud:en_ewt or ud:en_ewt/dev
    """
    named, files = _Named.read(name), local_files(name)
    if not files:
        _fetch(named)
        files = named.files(named.cache)
    for path in map(Path, files):
        if path.parent == named.cache and _sum(path) not in path.with_name(_SUMS).read_text().splitlines(True):
            raise ReleaseError(f"{path} has another checksum than when it was fetched: remove {path.parent}")
    return files


def local_files(name: str) -> list[str]:
    """The files of a treebank that need not be fetched, see ``release_files``.

    Raises:
        ReleaseError: the name is wrong, or only other parts of the treebank are there.

    >>> local_files("ud:xx_none")
    []
    """
    named, folder = _Named.read(name), os.environ.get("DEPTREES_TREEBANKS")
    files = named.files(Path(folder).expanduser()) if folder else []
    return files or (named.files(named.cache) if (named.cache / _SUMS).exists() else [])


def licence(readme: str, code: str) -> str | None:
    """A treebank's licence by a README: its own, with a line ``License:``, or one that has a line about it.

    >>> licence("License: CC BY-SA 4.0", "en_ewt"), licence("| `tr_imst-*` | CC BY-NC-SA 4.0 |", "tr_imst")
    ('CC BY-SA 4.0', 'CC BY-NC-SA 4.0')
    """
    lines = [line for line in readme.splitlines() if line.startswith("License:") or code in line]
    return next((found.group() for found in map(_LICENCE.search, lines) if found), None)


def _fetch(named: _Named) -> None:
    """Fetch all parts of a treebank, with its README, and write their checksums beside them."""
    from deptrees.files.fetching import FetchError, fetch  # loads all that it takes to ask the web

    base = os.environ.get("DEPTREES_UD_URL", _WEB).rstrip("/")
    folder, codes = named.cache, named.cache / Path(_CODES).name
    folder.mkdir(parents=True, exist_ok=True)
    names = [*(f"{named.code}-ud-{part}.conllu" for part in _PARTS), _README]
    try:
        if not fetch(f"{base}/{_CODES}", codes):
            raise FetchError(f"there is no list of languages at {base}/{_CODES}")
        repository = f"{base}/UD_{_language(named.code, codes)}-{named.code.partition('_')[2]}/master"
        codes.unlink()  # next time there may be more of them
        fetched = [name for name in names if fetch(f"{repository}/{name}", folder / name)]
    except FetchError as error:
        raise ReleaseError(f"{error}; {_ADVICE}") from None
    if not {*names[:-1]} & {*fetched}:
        raise ReleaseError(f"there is no treebank at {repository}/{names[0]}")
    readme = (folder / _README).read_text(encoding="utf-8", errors="replace") if _README in fetched else ""
    if sys.stderr is not None:
        print(f"{named.code} is in {folder}; licence: {licence(readme, named.code) or repository}", file=sys.stderr)
    with open_output(folder / _SUMS) as file:
        file.write("".join(_sum(folder / name) for name in fetched).encode())


def _sum(path: Path) -> str:
    """The line of a file in a file of checksums, as ``sha256sum`` writes it."""
    return f"{checksum(path)}  {path.name}\n"


def _language(code: str, codes: Path) -> str:
    """How the names of repositories call the language of a treebank, by a list of all languages of UD."""
    found = {match["code"]: match["language"] for match in _LANGUAGE.finditer(codes.read_text(encoding="utf-8"))}
    language = found.get(code.partition("_")[0])
    if language is None:
        codes.unlink()
        raise ReleaseError(f"Universal Dependencies has no language with the code of {code}")
    return language.replace(" ", "_")
