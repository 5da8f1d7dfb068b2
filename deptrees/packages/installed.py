"""The models that are installed as packages, each found by an entry point under its name."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from deptrees.files.models import ModelError
from deptrees.packages.card import Card

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "MODEL", "InstalledModel", "installed_models", "model_file"]

GROUP = "deptrees.models"
"""The group of entry points: each has a model's name, and names the Python package that it is in."""
MODEL = "model"
"""The name of the model's file in such a package."""


@attrs.frozen
class InstalledModel:
    """An installed model.

    Args:
        path: its file.
        card: what is known of it.
    """

    path: Path
    card: Card


def installed_models() -> dict[str, InstalledModel]:
    """The models that are installed, by their names; there is a warning of a package that is not complete.

    >>> all(model.path.name == "model" for model in installed_models().values())
    True
    """
    found = {}
    for point in sorted(_entry_points()):
        try:
            found[point.name] = _installed(point)
        except ModelError as error:
            warnings.warn(str(error), stacklevel=2)
    return found


def model_file(model: str | os.PathLike[str]) -> str:
    """The file of a model, which is given by its path or is the name of an installed one.

    Raises:
        FileNotFoundError: there is no such file, and no such model is installed.
        ModelError: the package of the model is not complete.

    >>> try:
    ...     model_file("klingon")
    ... except FileNotFoundError as error:
    ...     print(error)
    there is no file 'klingon', and no installed model of this name: see deptrees models
    """
    name = os.fspath(model)
    if Path(name).exists():
        return name
    found = [point for point in _entry_points() if point.name == name]
    if not found:
        raise FileNotFoundError(f"there is no file {name!r}, and no installed model of this name: see deptrees models")
    return str(_installed(found[0]).path)


def _entry_points() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # takes longer to load than all else here, and is seldom needed

    return entry_points(group=GROUP)


def _installed(point: EntryPoint) -> InstalledModel:
    try:
        spec = find_spec(point.value) if point.value.isidentifier() else None  # others would be imported
        if spec is None or spec.origin is None or not spec.has_location:
            raise FileNotFoundError("there is no such package")
        folder = Path(spec.origin).parent
        found = InstalledModel(folder / MODEL, Card.read(folder))
        if found.card.name != point.name:
            raise ValueError(f"its card is that of {found.card.name!r}")
    except (ImportError, OSError, ValueError) as error:
        raise ModelError(f"the package {point.value!r} of the model {point.name!r} is not complete: {error}") from None
    if not found.path.is_file():
        raise ModelError(f"the package {point.value!r} of the model {point.name!r} has no file {MODEL!r}")
    return found
