"""Models as packages: how they are written, found by name, and what their cards say."""

from deptrees.packages.card import Card
from deptrees.packages.installed import InstalledModel, installed_models
from deptrees.packages.writing import write_package

__all__ = ["Card", "InstalledModel", "installed_models", "write_package"]
