"""Packages of models, as pip installs them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import attrs

from deptrees.files.checksums import checksum
from deptrees.files.output import write_output
from deptrees.packages.card import CARD, Card
from deptrees.packages.installed import GROUP, MODEL

__all__ = ["write_package"]

_PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "deptrees-{name}"
version = "{version}"
description = "The model {name} for deptrees"
readme = "README.md"
license = "{licence}"
requires-python = ">=3.10"
dependencies = ["deptrees"]

[project.entry-points."{group}"]
{name} = "{package}"

[tool.setuptools]
packages = ["{package}"]
package-data = {{ "{package}" = ["{card}", "{model}"] }}
"""


def write_package(model: str | os.PathLike[str], card: Card, folder: str | os.PathLike[str]) -> Card:
    """Write a package with a model: ``pip install`` takes it, and `load_parser` then knows the model by its name.

    Args:
        model: the model's file.
        card: what is known of it. Its size and its checksum are filled in.
        folder: where to write the package. Only its own files are replaced.

    Returns:
        The card as it is in the package.

    Raises:
        ValueError: the name is not lowercase letters and digits, in parts joined by hyphens, or the licence is empty.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "toy.model").write_bytes(b"...")
    ...     card = write_package(f"{folder}/toy.model", Card(name="toy", licence="MIT"), f"{folder}/toy")
    >>> card.size, card.sha256[:4]
    (3, 'ab5d')
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", card.name):
        raise ValueError(
            f"{card.name!r} is no name for a model: use lowercase letters, digits, and hyphens between them"
        )
    if not re.fullmatch(r"[\w.+() -]+", card.licence):
        raise ValueError(f"{card.licence!r} is no licence: name it as SPDX does, as in CC-BY-SA-4.0")
    package = f"deptrees_{card.name.replace('-', '_')}"
    inside = Path(folder, package)
    inside.mkdir(parents=True, exist_ok=True)
    write_output(inside / MODEL, [Path(model).read_bytes()])
    card = attrs.evolve(card, size=(inside / MODEL).stat().st_size, sha256=checksum(inside / MODEL))
    card.write(inside)
    write_output(inside / "__init__.py", [f'"""The model {card.name} for deptrees."""\n'.encode()])
    write_output(Path(folder, "README.md"), [card.as_text().encode()])
    pyproject = _PYPROJECT.format(
        name=card.name, version="1.0", licence=card.licence, group=GROUP, package=package, card=CARD, model=MODEL
    )
    write_output(Path(folder, "pyproject.toml"), [pyproject.encode()])  # last: what has it is complete
    return card
