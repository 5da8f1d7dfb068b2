"""Exact inference over all derivations of a sentence: sums, best derivations, marginals, samples."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
