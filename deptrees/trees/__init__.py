"""One sentence: tokens, trees, graphs, projectivity, enumeration, and trees of least cost or highest score."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
