from .card import Card
from .installed import InstalledModel, installed_models
from .writing import write_package

__all__ = ["Card", "InstalledModel", "installed_models", "write_package"]
