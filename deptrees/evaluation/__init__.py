"""How well predicted trees agree with gold trees, one file for each metric."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
