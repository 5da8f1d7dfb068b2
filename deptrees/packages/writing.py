"""Packages of models, as pip installs them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import attrs

from deptrees.files.checksums import checksum
from deptrees.files.output import check_output, write_output
from deptrees.messages import of_type
from deptrees.packages.card import CARD, Card
from deptrees.packages.installed import GROUP, MODEL

__all__ = ["check_package", "files_of_package", "write_package"]

_PROJECT = "pyproject.toml"
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
dependencies = ["deptrees{since}"]

[project.entry-points."{group}"]
{name} = "{package}"

[tool.setuptools]
packages = ["{package}"]
package-data = {{ "{package}" = ["{card}", "{model}"] }}
"""


def files_of_package(name: str, folder: str | os.PathLike[str]) -> list[Path]:
    """The files of a package with the model of this name; the first one is the model.

    >>> [path.name for path in files_of_package("toy", "folder")]
    ['model', 'card.json', '__init__.py', 'README.md', 'pyproject.toml']
    """
    inside = Path(folder, f"deptrees_{name.replace('-', '_')}")
    return [inside / MODEL, inside / CARD, inside / "__init__.py", Path(folder, "README.md"), Path(folder, _PROJECT)]


def check_package(name: str, folder: str | os.PathLike[str]) -> None:
    """Make sure that a package can be written to a folder, which is made, before long work is done for it.

    Raises:
        FileExistsError: the folder is that of another project.
        OSError: nothing can be written there.
    """
    model, *_, readme, project = files_of_package(name, folder)
    if not model.parent.is_dir() and (readme.exists() or project.exists()):
        fault = "something else is in this folder: give one for the package alone"
        raise FileExistsError(errno.EEXIST, fault, os.fspath(folder))
    model.parent.mkdir(parents=True, exist_ok=True)
    check_output(model)


def write_package(model: str | os.PathLike[str], card: Card, folder: str | os.PathLike[str]) -> Card:
    """Write a package with a model: ``pip install`` takes it, and `load_parser` then knows the model by its name.

    Args:
        model: the model's file.
        card: what is known of it. Its size and its checksum are filled in.
        folder: where to write the package: one of its own, in which only its own files are replaced.

    Returns:
        The card as it is in the package.

    Raises:
        FileExistsError: the folder is that of another project.
        OSError: nothing can be written there.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "toy.model").write_bytes(b"...")
    ...     card = write_package(f"{folder}/toy.model", Card(name="toy", licence="MIT"), f"{folder}/toy")
    >>> card.size, card.sha256[:4]
    (3, 'ab5d')
    """
    of_type("card", card, Card, "a Card")
    content = Path(model).read_bytes()
    check_package(card.name, folder)
    path, _, init, readme, project = files_of_package(card.name, folder)
    inside = path.parent
    write_output(path, [content])
    card = attrs.evolve(card, size=path.stat().st_size, sha256=checksum(path))
    card.write(inside)
    write_output(init, [f'"""The model {card.name} for deptrees."""\n'.encode()])
    write_output(readme, [card.as_text().encode()])
    text = _PYPROJECT.format(
        name=card.name,
        version=card.release,
        licence=card.licence,
        since=card.version and f">={card.version}",
        group=GROUP,
        package=inside.name,
        card=CARD,
        model=MODEL,
    )
    write_output(project, [text.encode()])  # last: what has it is complete
    return card
